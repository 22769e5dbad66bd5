/** Translations of several lines, which are edited in a document: saving it writes them, closing it does not. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import {
  editTranslationCommand,
  setTranslationCommand,
} from "../../../src/commands/declarations/text-commands.ts";
import { DUTCH_SHOP } from "../support/fixture-project.ts";
import { type Editor, openEditor } from "../support/open-editor.ts";
import {
  builtInCommands,
  closeTabsOf,
  messages,
  moveTab,
  pickInNextList,
  Range,
  type TextDocument,
  TextDocumentSaveReason,
  type Uri,
  window,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const FILES = {
  "composer.json": JSON.stringify({ require: { "laravel/framework": "^11.0" } }),
  "lang/en/mail.php": `<?php

return [
    'body' => "Hello,\\nyour order is on its way.",
    'items' => ":count item\\nis left|:count items\\nare left",
    'short' => 'Short',
];
`,
};

let editor: Editor;
beforeAll(async () => {
  editor = await openEditor({ files: FILES, service: DUTCH_SHOP });
  await editor.run(pushCommand, {});
});
afterAll(() => editor.close());

const SCHEME = "project-translations-edit";
const tabs = () => window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

/** Begins an edit; resolves with its document, and the result later. */
async function begin(
  key: string,
  given: object = {},
): Promise<{ document: TextDocument; result: Promise<object> }> {
  const isEdited = ({ uri }: TextDocument): boolean => uri.scheme === SCHEME;
  const before = workspace.textDocuments.filter(isEdited).length;
  const options = { namespace: "mail", key, locale: "nl", ...given };
  const result = editor.ask(editTranslationCommand, options);
  await waitUntil(() => workspace.textDocuments.filter(isEdited).length > before);
  const document = workspace.textDocuments.findLast(isEdited) ?? expect.fail("there is a document");
  await waitUntil(() => tabs().some((label) => label.startsWith("Source ")));
  return { document, result };
}
const replaceAll = (document: TextDocument, text: string): void =>
  document.type(new Range(document.positionAt(0), document.positionAt(document.getText().length)), text);

test("saving writes the text, and closes the document and that of the source text", async () => {
  const { document, result } = await begin("body");
  expect([document.getText(), tabs()]).toEqual(["", ["nl · mail.body.txt", "Source nl · mail.body.txt"]]);
  // Another file that is opened takes the place of the source text, and never that of the edit.
  const previews = window.tabGroups.all.flatMap((group) => group.tabs.map(({ isPreview }) => isPreview));
  expect(previews).toEqual([false, true]);
  replaceAll(document, "Hallo,\nonder");
  await document.save(TextDocumentSaveReason.AfterDelay);
  replaceAll(document, "Hallo,\nje bestelling is onderweg.");
  await document.save();
  expect(await result).toMatchObject({
    outcome: "done",
    row: { value: "Hallo,\nje bestelling is onderweg." },
  });
  expect(tabs()).toEqual([]);
});

test("closing it cancels, but moving it to another group does not; what was not saved is not kept", async () => {
  const { document, result } = await begin("body");
  expect(document.getText()).toBe("Hallo,\nje bestelling is onderweg.");
  replaceAll(document, "Half a te");
  moveTab(document.uri);
  const waiting = new Promise((resolve) => setTimeout(() => resolve("waiting"), 20));
  expect(await Promise.race([result, waiting])).toBe("waiting");
  closeTabsOf(document.uri);
  expect(await result).toEqual({ outcome: "cancelled" });
  expect(tabs()).toEqual([]);
  const again = await begin("body");
  expect(again.document.getText()).toBe("Hallo,\nje bestelling is onderweg.");
  closeTabsOf(again.document.uri);
  await again.result;
});

test("a plural text has its forms below headings, and cannot be saved without one of them", async () => {
  const { document, result } = await begin("items");
  expect(document.getText()).toBe("[one]\n\n[other]\n\n");
  replaceAll(document, "[one]\n:count ding\n");
  await expect(document.save()).rejects.toThrow(
    "The heading [other] is missing. Put it back, then save again.",
  );
  replaceAll(document, "[one]\n:count ding\nover\n[one]\n[other]\n");
  await expect(document.save()).rejects.toThrow("The heading [one] appears twice.");
  replaceAll(document, "Above\n[one]\n:count ding\n[other]\n:count dingen\n");
  await expect(document.save()).rejects.toThrow("There is text above the first heading.");
  replaceAll(document, "[one]\n:count ding\nover\n[other]\n:count dingen\nover\n");
  await document.save();
  expect(await result).toMatchObject({
    outcome: "done",
    row: { forms: { one: ":count ding\nover", other: ":count dingen\nover" } },
  });
});

test("two texts are edited at once, each in a document of its own", async () => {
  const body = await begin("body");
  const items = await begin("items");
  closeTabsOf(items.document.uri);
  expect(await items.result).toEqual({ outcome: "cancelled" });
  replaceAll(body.document, "Dag,\nhij komt eraan.");
  await body.document.save();
  expect(await body.result).toMatchObject({ outcome: "done", row: { value: "Dag,\nhij komt eraan." } });
});

test("a text that somebody changed while it was edited is a conflict, and what was typed is kept", async () => {
  const { document, result } = await begin("body");
  await editor.run(setTranslationCommand, {
    namespace: "mail",
    key: "body",
    locale: "nl",
    value: "Hun\ntekst",
  });
  replaceAll(document, "Mijn\ntekst");
  pickInNextList("no such answer");
  await document.save();
  expect(await result).toMatchObject({ outcome: "cancelled" });
  const [, before, after, title] = builtInCommands.findLast(([id]) => id === "vscode.diff") ?? [];
  const sides = [before, after].map((uri) => workspace.openTextDocument(uri as Uri));
  expect((await Promise.all(sides)).map((side) => side.getText())).toEqual(["Hun\ntekst", "Mijn\ntekst"]);
  expect(title).toBe("nl · mail.body: theirs ↔ mine");
  const again = await begin("body");
  expect(again.document.getText()).toBe("Mijn\ntekst");
  closeTabsOf(again.document.uri);
  expect(await again.result).toEqual({ outcome: "cancelled" });
  expect(messages.at(-1)).toMatchObject({
    text: "What you typed for nl · mail.body is kept: the next edit starts from it.",
    actions: ["Discard"],
  });
});

const FORMS = "[one]\n:count ding\nis er nog\n\n[other]\n:count dingen\nzijn er nog\n\n";

test("a proposed text of several lines is edited in a document, also where there is none or one line", async () => {
  const { document, result } = await begin("short", { value: "Kort,\nof niet" });
  expect(document.getText()).toBe("Kort,\nof niet");
  closeTabsOf(document.uri);
  expect(await result).toEqual({ outcome: "cancelled" });
});

test("a text that could not be written is kept, and is edited again on request", async () => {
  const { fetch } = globalThis;
  let fails = true;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
    fails && init?.method === "PUT" ? Response.json({ message: "No." }, { status: 404 }) : fetch(input, init),
  );
  const { document, result } = await begin("items");
  replaceAll(document, FORMS);
  const chosen = Promise.withResolvers<string>();
  const shown = vi.spyOn(window, "showErrorMessage").mockReturnValueOnce(chosen.promise);
  await document.save();
  expect(await result).toMatchObject({ outcome: "failed" });
  expect(shown.mock.calls).toMatchObject([
    [expect.stringMatching(/What you typed is kept\.$/u), "Try Again"],
  ]);
  fails = false;
  const isEdited = ({ uri }: TextDocument): boolean => uri.scheme === SCHEME;
  const before = workspace.textDocuments.filter(isEdited).length;
  chosen.resolve("Try Again");
  await waitUntil(() => workspace.textDocuments.filter(isEdited).length > before);
  await waitUntil(() => tabs().some((label) => label.startsWith("Source ")));
  const again = workspace.textDocuments.findLast(isEdited) ?? expect.fail("there is a document");
  expect([again.getText(), tabs()]).toEqual([FORMS, ["nl · mail.items.txt", "Source nl · mail.items.txt"]]);
  await again.save();
  await waitUntil(() => tabs().length === 0);
  const last = await begin("items");
  expect(last.document.getText()).toBe(FORMS);
  closeTabsOf(last.document.uri);
  // There is nothing left that was typed earlier.
  messages.length = 0;
  expect(await last.result).toEqual({ outcome: "cancelled" });
  expect(messages).toEqual([]);
});
