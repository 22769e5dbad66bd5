/** Documents for texts of several lines, as VS Code saves them. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MultilineDocuments } from "../../../src/features/edit-translation/multiline-documents.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import type { VirtualDocuments } from "../../../src/vscode/ui/documents/virtual-documents.ts";
import type { TextPrompt } from "../../../src/vscode/ui/input/text-input.ts";
import { TextDocumentSaveReason, Uri as FileUri, willSave } from "../support/vscode-stub.ts";

const uri = FileUri.from({ scheme: "text", path: "/1/nl title.txt" });
let documents: MultilineDocuments;
let saved: Text | undefined;
let edit: Promise<void>;

const PROMPT = { title: "nl title", current: { value: "one" }, isPlural: false, locale: "nl", source: null };
const begin = (prompt: object, signal = new AbortController().signal): Promise<Text | undefined> =>
  documents.edit(
    { ...PROMPT, ...prompt } as unknown as TextPrompt,
    { uri: () => uri } as unknown as VirtualDocuments,
    signal,
  );
beforeEach(() => {
  documents = new MultilineDocuments();
  saved = undefined;
  edit = begin({}).then((text) => void (saved = text));
});
afterEach(() => documents.dispose());

/** Saves the document as VS Code does: it asks its participants first. */
async function save(content: string, reason: number): Promise<void> {
  const document = { uri: { scheme: "project-translations-edit", path: uri.path } };
  willSave.fire({ document, reason });
  documents.writeFile(uri, new TextEncoder().encode(content));
  await new Promise((resolve) => setTimeout(resolve));
}

for (const reason of ["AfterDelay", "FocusOut"] as const)
  test(`an auto save (${reason}) does not end the edit, and then the user's own save does`, async () => {
    await save("half a te", TextDocumentSaveReason[reason]);
    expect(saved).toBeUndefined();
    expect(new TextDecoder().decode(documents.readFile(uri))).toBe("half a te");
    await save("half a text\nno more", TextDocumentSaveReason.Manual);
    await edit;
    expect(saved).toEqual({ value: "half a text\nno more" });
  });

test("the user's own save ends the edit, also after several auto saves", async () => {
  await save("a", TextDocumentSaveReason.AfterDelay);
  await save("ab", TextDocumentSaveReason.FocusOut);
  await save("abc", TextDocumentSaveReason.Manual);
  await edit;
  expect(saved).toEqual({ value: "abc" });
});

test("a save that nobody was told of is the user's own, also after an auto save", async () => {
  await save("half", TextDocumentSaveReason.AfterDelay);
  documents.writeFile(uri, new TextEncoder().encode("whole"));
  await edit;
  expect(saved).toEqual({ value: "whole" });
});

test("a document is as it was saved last, until its edit ends; each edit has its own", async () => {
  const clock = vi.spyOn(Date, "now").mockReturnValue(Number.MAX_SAFE_INTEGER);
  const before = documents.stat(uri);
  await save("one two", TextDocumentSaveReason.AfterDelay);
  const after = documents.stat(uri);
  // VS Code reads it again by these.
  expect([before.size, after.size, after.mtime]).toEqual([3, 7, Number.MAX_SAFE_INTEGER]);
  clock.mockRestore();
  const abort = new AbortController();
  const polish = { title: "pl a/b: c?", current: null, isPlural: true, locale: "pl" };
  const cancelled = begin(polish, abort.signal).catch((error: unknown) => error);
  // The second edit, with a name that a path can have.
  const second = FileUri.from({ scheme: "text", path: "/2/pl a b c .txt" });
  expect(new TextDecoder().decode(documents.readFile(second))).toBe("[one]\n\n[few]\n\n[many]\n\n");
  const reason = new Error("cancelled");
  abort.abort(reason);
  expect(await cancelled).toBe(reason);
  expect(() => documents.readFile(second)).toThrow();
  // The first one goes on.
  await save("one two three", TextDocumentSaveReason.Manual);
  await edit;
  expect(saved).toEqual({ value: "one two three" });
  expect(() => documents.stat(uri)).toThrow();
});
