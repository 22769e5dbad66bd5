/** Translation files as virtual documents, for previews. */
import { expect, it } from "vitest";
import { documentOfFile } from "../../../src/vscode/ui/documents/translation-file-content.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";

const entry = { namespace: null, context: null, key: "cart.title", locale: null, text: { value: "Wagen" } };
const formats = { read: async () => ({ entries: [entry] }) };
const open = { local: { locate: () => null, formats } } as unknown as OpenProject;

it("shows the texts of a binary file", async () => {
  const shown = { name: "nl.mo.txt", text: "cart.title = Wagen\n" };
  expect(await documentOfFile(open, "nl.mo", Uint8Array.of(0xde, 0x12, 0x04, 0x95, 0))).toEqual(shown);
});

it("shows a text file as it is", async () => {
  const text = '{ "cart.title": "Wagen" }';
  const shown = { name: "nl.json", text };
  expect(await documentOfFile(open, "nl.json", new TextEncoder().encode(text))).toEqual(shown);
});
