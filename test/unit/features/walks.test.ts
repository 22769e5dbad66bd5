/** The walks in CONTRIBUTING.md name every file that a text goes through on its way to the request. */
import { createBirpc } from "birpc";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Webview } from "vscode";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import { EditorPage } from "../../../src/features/translation-editor/editor-page.ts";
import { TranslationsDocument } from "../../../src/features/translation-editor/translations-document.ts";
import type { EditorFunctions } from "../../../src/webview/translation-editor/editor-protocol.ts";
import type { CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { ENGLISH, hashOf, openShop } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { filesOnStack, filesThatUseDatabase, told } from "../support/walks.ts";

/** Checks what the page sends, and calls what it asks for. */
const PAGE = "features/translation-editor/check-calls.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** The files of the product that wait for the last request of a kind, the outermost first. */
let waiting: Map<string, readonly string[]>;
beforeEach(async () => {
  waiting = new Map();
  ({ shop, window, commands } = await openShop([], {
    intercept: (request, forward) => {
      waiting.set(request.replace(/\?.*/u, ""), filesOnStack());
      return forward();
    },
  }));
  await window.refresher.ensureLocale("nl", { priority: "person" });
});
afterEach(() => shop.close());

test("a push", async () => {
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await commands.run(pushCommand, {});
  const files = waiting.get("POST /keys/sync") ?? [];
  expect(files).toContain("features/push/push-command.ts");
  expect(told("A push**", files)).toEqual({ stops: 14, missing: [] });
});

test("a text that is typed in the translation editor", async () => {
  const document = new TranslationsDocument(commands.app, commands.open.fileUri, () => undefined);
  const toPage: ((message: unknown) => void)[] = [];
  const toExtension: ((message: unknown) => void)[] = [];
  const webview = {
    postMessage: async (message: unknown) => toPage.forEach((receive) => receive(message)),
    onDidReceiveMessage: (receive: (message: unknown) => void) => {
      toExtension.push(receive);
      return { dispose: () => undefined };
    },
  } as unknown as Webview;
  const page = new EditorPage(commands.app, document, webview);
  const extension = createBirpc<EditorFunctions>(
    {},
    {
      post: (message) => toExtension.forEach((receive) => receive(message)),
      on: (receive) => void toPage.push(receive),
    },
  );
  const edit = { locale: "nl", hash: hashOf("title"), text: { value: "Mandje" } };
  const stored = await filesThatUseDatabase("transaction", PAGE, () => extension.stage([edit]));
  expect(stored).toContain("features/translation-editor/translations-document.ts");
  await document.save({ signal: new AbortController().signal, report: () => undefined });
  page.dispose();
  document.dispose();
  const sent = waiting.get("PUT /translations/nl") ?? [];
  expect(sent).toContain("features/translation-editor/translations-document.ts");
  expect(told("A text that is typed there**", [...stored, ...sent])).toEqual({ stops: 12, missing: [] });
});
