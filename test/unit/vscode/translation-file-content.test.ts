/** Translation files as virtual documents, for previews. */
import { expect, it } from "vitest";
import { documentOfFile, fileDiff } from "../../../src/vscode/ui/documents/translation-file-content.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { Uri } from "../support/vscode-stub.ts";

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

it("shows a text file in the encoding that it declares, and what it can of one that is no text", async () => {
  const latin =
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "a"\nmsgstr "é"\n';
  const shown = (file: string) => documentOfFile(open, "nl.po", Buffer.from(file, "latin1"));
  expect(await shown(latin)).toEqual({ name: "nl.po", text: latin });
  expect(await shown('msgid "\xff"')).toEqual({ name: "nl.po", text: 'msgid "\ufffd"' });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it("shows nothing of a binary file that cannot be read, nor needs a layout for one", async () => {
  const asked: unknown[] = [];
  const unread = {
    namespaceSeparator: ".",
    unwrittenNamespaces: new Set(),
    local: {
      locate: () => null,
      formats: {
        read: async (...args: readonly unknown[]) => {
          asked.push(args[2]);
          return { refused: "encoding" };
        },
      },
    },
  } as unknown as OpenProject;
  expect(await documentOfFile(unread, "nl.mo", Uint8Array.of(1))).toEqual({ name: "nl.mo.txt", text: "" });
  expect(asked).toEqual([{ locale: "en", sourceLocale: "en" }]);
});

it("names language, namespace and context of the texts of a binary file that has them", async () => {
  const all = [
    { ...entry, locale: "nl" },
    { ...entry, key: "Save", context: "menu", text: { forms: { one: "a", other: "b" } } },
    { ...entry, namespace: "shop", key: "name" },
  ];
  const location = { entry: { format: "mo" }, keyNaming: { namespace: "cart" } };
  const own = {
    namespaceSeparator: ".",
    unwrittenNamespaces: new Set(),
    local: {
      locate: () => location,
      formats: { read: async () => ({ entries: all }) },
      readOptions: () => ({}),
    },
  } as unknown as OpenProject;
  const { text } = await documentOfFile(own, "nl.bin", Uint8Array.of(1));
  expect(text.split("\n")).toEqual([
    "nl  cart.cart.title = Wagen",
    "cart.Save (menu) = one: a · other: b",
    "shop.name = Wagen",
    "",
  ]);
});

it("compares a file with its new content: the side that is on disk is the file itself", async () => {
  const project = Object.assign(open, { root: Uri.file("/app") });
  const file = Uri.file("/app/nl.json");
  const change = { path: "nl.json", before: bytes("{}"), after: bytes("{ }") };
  const shown = (text: string) => ({ name: "nl.json", text });
  expect(await fileDiff(project, change, "before")).toEqual({ file, before: file, after: shown("{ }") });
  expect(await fileDiff(project, change, "after")).toEqual({ file, before: shown("{}"), after: file });
  expect(await fileDiff(project, { ...change, before: undefined }, "before")).toEqual({
    file,
    before: undefined,
    after: shown("{ }"),
  });
  // A binary one is a list of its texts on both sides.
  const list = { name: "nl.mo.txt", text: "cart.title = Wagen\n" };
  const binary = await fileDiff(project, { path: "nl.mo", before: bytes("a"), after: bytes("b") }, "before");
  expect([binary.before, binary.after]).toEqual([list, list]);
});
