/** Documents for texts of several lines, as VS Code saves them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { MultilineDocuments } from "../../../src/features/edit-translation/multiline-documents.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import type { VirtualDocuments } from "../../../src/vscode/ui/documents/virtual-documents.ts";
import type { TextPrompt } from "../../../src/vscode/ui/input/text-input.ts";
import { TextDocumentSaveReason, Uri as FileUri, willSave } from "../support/vscode-stub.ts";

const uri = FileUri.from({ scheme: "text", path: "/1/nl title.txt" });
let documents: MultilineDocuments;
let saved: Text | undefined;
let edit: Promise<void>;

beforeEach(() => {
  documents = new MultilineDocuments();
  saved = undefined;
  const prompt = {
    title: "nl title",
    current: { value: "one" },
    isPlural: false,
    locale: "nl",
    source: null,
  };
  const texts = { uri: () => uri };
  edit = documents
    .edit(prompt as unknown as TextPrompt, texts as unknown as VirtualDocuments, new AbortController().signal)
    .then((text) => void (saved = text));
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
