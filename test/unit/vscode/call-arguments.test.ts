/** What VS Code's menus, views, links and editors pass to commands, and the options that commands get. */
import { describe, expect, test } from "vitest";
import { findTextsCommand } from "../../../src/features/extract-key/find-hard-coded-texts-command.ts";
import { findUsesCommand } from "../../../src/commands/declarations/key-commands.ts";
import { pushCommand, pushRowCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { refreshCommand, refreshRowCommand } from "../../../src/commands/declarations/session-commands.ts";
import {
  closeWelcomeCommand,
  openEditorCommand,
} from "../../../src/commands/declarations/window-commands.ts";
import { readArguments } from "../../../src/vscode/commands/call-arguments.ts";

/** Has the shape of VS Code's `Uri`. */
const uri = (path: string) => ({ scheme: "file", authority: "", path, fsPath: path, with: () => uri(path) });
const [file, other] = [uri("/app/lang/en.json"), uri("/app/lang/nl.json")];
const row = {
  id: "row",
  content: () => ({}),
  commandOptions: { folder: file, only: ["a"], key: "a", filter: "issues" },
};
const options = (given: unknown) => ({ kind: "options", options: given });

describe("arguments", () => {
  test.each([
    ["the palette", pushCommand, [], {}],
    ["a key binding without arguments", pushCommand, [undefined], {}],
    ["a key binding", pushCommand, [{ dryRun: true }], { dryRun: true }],
    ["a link whose arguments are a list", pushCommand, [{ dryRun: true }, 5], { dryRun: true }],
    ["the explorer", pushCommand, [file, [file, other]], { folder: file, files: [file, other] }],
    [
      "the explorer, of a file that is not selected",
      findTextsCommand,
      [file, []],
      { folder: file, files: [file] },
    ],
    ["the title of an editor", openEditorCommand, [file, { groupId: 1 }], { folder: file }],
    ["the context menu of an editor", findUsesCommand, [file], { folder: file }],
    [
      "the explorer, with what are no files beside it",
      findTextsCommand,
      [file, [5]],
      { folder: file, files: [file] },
    ],
    [
      "a view that lists other things beside files",
      findTextsCommand,
      [file, [other, 5]],
      { folder: file, files: [file] },
    ],
    ["a key binding of a command of rows", refreshRowCommand, [], {}],
    ["a row", pushRowCommand, [row, undefined], { folder: file, only: ["a"] }],
    ["a row without options", closeWelcomeCommand, [{ id: "welcome", content: () => ({}) }, undefined], {}],
    ["several selected rows", pushRowCommand, [row, [row, row]], { folder: file, only: ["a"] }],
    ["a button of a view with a focused row", pushCommand, [row, undefined], {}],
    ["a button of a view without a focused row", refreshCommand, [undefined, undefined], {}],
    [
      "the context menu of a webview",
      findUsesCommand,
      [{ webview: "editor", webviewSection: "cell", key: "a" }],
      { key: "a" },
    ],
  ] as const)("of %s", (_from, declaration, args, expected) => {
    expect(readArguments(declaration as never, args)).toEqual(options(expected));
  });

  test("of a row that is being loaded again are no options", () => {
    expect(readArguments(refreshRowCommand as never, [undefined, undefined])).toEqual({
      kind: "missing-row",
    });
    expect(readArguments(refreshRowCommand as never, [null, [row]])).toEqual({ kind: "missing-row" });
  });

  test.each([
    ["text"],
    [5],
    [[]],
    [{ onlyy: [] }],
    [{ content: "text" }],
    [{ scheme: "file", path: "/app" }],
    [JSON.parse(JSON.stringify({ ...file, $mid: 1 }))],
  ])("%j is checked as options", (given) => {
    expect(readArguments(pushCommand as never, [given])).toEqual(options(given));
  });
});
