/** Keys as commands return them, links and actions that run commands, and files that are read in the background. */
import { beforeEach, expect, test, vi } from "vitest";
import { setLanguage } from "../../../src/util/l10n.ts";
import { openEditorCommand } from "../../../src/commands/declarations/window-commands.ts";
import type { App } from "../../../src/vscode/app.ts";
import { commandLink, commandLinkUri } from "../../../src/vscode/commands/command-links.ts";
import { plainKey } from "../../../src/vscode/commands/key-result.ts";
import { loadLocalFiles } from "../../../src/vscode/files/local-texts.ts";
import {
  commandAction,
  offerActions,
  showInformation,
  viewAction,
} from "../../../src/vscode/notifications.ts";
import { familiesOfEntry, hiddenCategories } from "../../../src/vscode/ui/input/translation-input-checks.ts";
import { builtInCommands, clickInNextMessage, messages, Uri } from "../support/vscode-stub.ts";
import { recordingLog } from "../support/node-platform.ts";
import { waitUntil } from "../support/wait-until.ts";

beforeEach(() => {
  messages.length = builtInCommands.length = 0;
});

test("a key has the shape of the service: its text is the source", () => {
  const key = {
    hash: "a",
    namespace: "cart",
    key: "title",
    context: null,
    description: "On top",
    tags: ["app"],
    text: { value: "Cart" },
    updatedAt: "2026-01-01",
  };
  const { text, ...fields } = key;
  const plain = (own: object | null) => plainKey({ ...key, text: own } as never);
  expect(plain(text)).toEqual({ ...fields, source: text, archived: false });
  expect(plain({ forms: { one: "a", other: "b" } }).source).toEqual({ forms: { one: "a", other: "b" } });
  expect(plain(null).source).toEqual({});
});

test("a link has the title of its command in the language of the window, or its own", () => {
  const options = { key: "title", namespace: "cart" };
  expect(commandLink(openEditorCommand, options)).toEqual({
    command: openEditorCommand.id,
    title: "Open Translation Editor",
    arguments: [options],
  });
  expect(commandLink(openEditorCommand, options, "2/2 translated").title).toBe("2/2 translated");
  setLanguage("nl", { "Open Translation Editor": "Vertaaleditor openen" });
  expect(commandLink(openEditorCommand, options).title).toBe("Vertaaleditor openen");
  setLanguage("en", {});
  const [, given = ""] = commandLinkUri(openEditorCommand, options).split("?");
  expect(JSON.parse(decodeURIComponent(given))).toEqual([options]);
});

test("the action that is clicked runs, and no other: a command with its options, or a view", async () => {
  const run = vi.fn();
  const options = { key: "title" };
  const actions = [
    commandAction({ run }, "Open", openEditorCommand, options),
    viewAction("Show Activity", "activity"),
  ];
  offerActions(showInformation, "Pushed.", ...actions);
  await new Promise((resolve) => setTimeout(resolve));
  expect([messages[0]?.actions, run.mock.calls]).toEqual([["Open", "Show Activity"], []]);
  clickInNextMessage("Show Activity");
  offerActions(showInformation, "Pushed.", ...actions);
  await waitUntil(() => builtInCommands.length > 0);
  expect([builtInCommands, run.mock.calls]).toEqual([[["projectTranslations.activity.focus"]], []]);
  clickInNextMessage("Open");
  offerActions(showInformation, "Pushed.", ...actions);
  await waitUntil(() => run.mock.calls.length > 0);
  expect(run.mock.calls).toEqual([[openEditorCommand, options]]);
});

test("files that cannot be read in the background are logged, and nothing fails", async () => {
  const log = recordingLog();
  const called: string[] = [];
  const project = (failing: string | null) => {
    const call = (name: string) => async () => {
      called.push(name);
      if (name === failing) throw new Error("full disk");
    };
    return { local: { loadTexts: call("texts") }, loadLocal: call("keys") } as never;
  };
  for (const failing of [null, "texts", "keys"])
    await loadLocalFiles({ log } as unknown as App, project(failing));
  expect(called).toEqual(["texts", "keys", "texts", "texts", "keys"]);
  expect(log.lines).toEqual([
    "The local files could not be read: Error: full disk",
    "The local files could not be read: Error: full disk",
  ]);
});

test("forms that an app never shows are those of its framework, in languages of which it knows no such forms", () => {
  const hidden = (framework: string, locale: string) =>
    hiddenCategories(
      { documentUsages: { lookupOptions: () => ({ frameworks: new Set([framework]) }) } } as unknown as App,
      { file: {} } as never,
      locale,
    );
  expect([hidden("laravel", "tr"), hidden("laravel", "nl"), hidden("i18next", "tr")]).toEqual([
    ["one"],
    [],
    [],
  ]);
});

test("a text of a catalogue is checked as its flags say, others as those of the project", () => {
  const app = { documentUsages: { lookupOptions: () => ({ frameworks: new Set() }) } } as unknown as App;
  const open = (file: object = {}) =>
    ({
      root: Uri.file("/app"),
      file,
      local: {
        locate: (path: string) =>
          path.endsWith(".po") ? { entry: { format: "po" } } : { entry: { format: "json_js" } },
      },
    }) as never;
  const families = (path: string, formatFlags?: readonly string[], value = "%(name)s", file?: object) =>
    familiesOfEntry(app, open(file), { path, entry: { formatFlags } } as never, { value });
  expect(families("nl.po", ["python-format"])).toEqual(["python-format"]);
  expect(families("nl.po")).not.toEqual(families("nl.po", ["python-format"]));
  expect(families("nl.json", ["python-format"])).toEqual([]);
  // The source text alone may show what it is, and so may the format of other files of the project.
  expect(families("nl.json", [], "{count, plural, other {#}}")).toEqual(["icu"]);
  expect(families("messages+intl-icu.nl.json")).toEqual(["icu"]);
  expect(families("nl.json", [], "a", { files: [{ path: "{locale}.php", format: "laravel_php" }] })).toEqual([
    "colon",
  ]);
});
