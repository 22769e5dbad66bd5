/** The walks in CONTRIBUTING.md name every file that a text goes through on its way to the request. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { TranslationsDocument } from "../../../src/features/translation-editor/translations-document.ts";
import type { CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { ENGLISH, hashOf, openShop } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

const TEXT = readFileSync(fileURLToPath(new URL("../../../CONTRIBUTING.md", import.meta.url)), "utf8");

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** The files of the product that wait for the last request of a kind, the outermost first. */
let waiting: Map<string, readonly string[]>;
let limit: number;
beforeEach(async () => {
  waiting = new Map();
  limit = Error.stackTraceLimit;
  ({ shop, window, commands } = await openShop([], {
    intercept: (request, forward) => {
      Error.stackTraceLimit = Number.POSITIVE_INFINITY;
      const { stack = "" } = new Error("here");
      Error.stackTraceLimit = limit;
      const files = Array.from(stack.matchAll(/\/src\/([^:?]+)/gu), ([, path = ""]) => path);
      waiting.set(request.replace(/\?.*/u, ""), [...new Set(files)].toReversed());
      return forward();
    },
  }));
  await window.refresher.ensureLocale("nl", { priority: "person" });
});
afterEach(() => shop.close());

/** Returns the part of the document that begins so, as far as the next heading. */
const walk = (title: string): string => (TEXT.split(`**${title}`)[1] ?? "").split("\n**")[0] ?? "";
/** Returns the stops of a walk, and those of the files that it does not name. */
const told = (title: string, files: readonly string[] = []) => ({
  stops: walk(title).match(/^\d+\. /gmu)?.length,
  missing: files.filter((path) => !walk(title).includes(basename(path))),
});

test("a push", async () => {
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await commands.run(pushCommand, {});
  const files = waiting.get("POST /keys/sync");
  expect(files).toContain("features/push/push-command.ts");
  expect(told("A push**", files)).toEqual({ stops: 14, missing: [] });
});

test("a text that is typed in the translation editor", async () => {
  const document = new TranslationsDocument(commands.app, commands.open.fileUri, () => undefined);
  document.stage([{ locale: "nl", hash: hashOf("title"), text: { value: "Mandje" } }]);
  await document.save({ signal: new AbortController().signal, report: () => undefined });
  document.dispose();
  const files = waiting.get("PUT /translations/nl");
  expect(files).toContain("features/translation-editor/translations-document.ts");
  expect(told("A text that is typed there**", files)).toEqual({ stops: 12, missing: [] });
});
