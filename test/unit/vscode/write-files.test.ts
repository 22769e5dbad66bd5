/** Several files are written all or none, also those whose documents have unsaved changes, and never over what was typed. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FileWrite } from "../../../src/model/platform.ts";
import { writeFiles } from "../../../src/vscode/files/write-files.ts";
import { stageFiles } from "../../../src/workspace/file-system/file-transaction.ts";
import { Range, TextDocument, Uri as FileUri, workspace } from "../support/vscode-stub.ts";

let folder: string;
/** Why files that are staged cannot replace the others; `null`: they can. */
let failing: Error | null;
beforeEach(async () => {
  failing = null;
  folder = await mkdtemp(join(tmpdir(), "project-translations-write-"));
  await mkdir(join(folder, "app"));
  for (const name of ["a", "b"]) await writeFile(pathOf(name), `${name} on disk`);
});
afterEach(async () => {
  workspace.textDocuments = [];
  await rm(folder, { recursive: true });
});

const pathOf = (name: string): string => join(folder, "app", name);
const contents = async () => [await readFile(pathOf("a"), "utf8"), await readFile(pathOf("b"), "utf8")];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Opens a document that has unsaved changes. */
function typeInto(name: string, text: string): TextDocument {
  const document = new TextDocument(FileUri.file(pathOf(name)), `${name} on disk`);
  document.type(new Range(0, 0, 0, `${name} on disk`.length), text);
  workspace.textDocuments.push(document);
  return document;
}

/** Writes files as they were read: before and after. */
const write = (changes: Readonly<Record<string, readonly [before: string, after: string]>>) =>
  writeBytes(
    Object.entries(changes).map(([path, [before, after]]) => ({
      path,
      before: bytes(before),
      after: bytes(after),
    })),
  );
const writeBytes = (writes: readonly FileWrite[]) =>
  writeFiles(
    writes.map((each) => ({ write: each, target: pathOf(each.path) })),
    async (onDisk) => {
      const files = onDisk.map((each) => ({ ...each.write, path: each.target }));
      const staged = await stageFiles(files, { journalFolder: join(folder, "journal") });
      const replace = async (): Promise<string[]> => {
        if (failing !== null) throw failing;
        return (await staged.replace()).map((path) => basename(path));
      };
      return { ...staged, replace };
    },
    () => undefined,
  );

/** Something happens before the text of a document is compared, while the content is staged beside the files. */
function beforeComparing(document: TextDocument, work: () => void): void {
  const getText = document.getText.bind(document);
  vi.spyOn(document, "getText").mockImplementationOnce(() => {
    work();
    return getText();
  });
}

test("writes files on disk, and edits a document with unsaved changes, which stays unsaved", async () => {
  const document = typeInto("b", "b typed");
  const written = await write({ a: ["a on disk", "a new"], b: ["b typed", "b new"] });
  expect(written).toEqual({ kind: "written" });
  expect(await contents()).toEqual(["a new", "b on disk"]);
  expect([document.getText(), document.isDirty]).toEqual(["b new", true]);
});

test("writes nothing over what was typed since it was read, and leaves no staged file", async () => {
  const document = typeInto("b", "b typed");
  beforeComparing(document, () => document.type(new Range(0, 0, 0, 1), "B"));
  expect(await write({ a: ["a on disk", "a new"], b: ["b typed", "b new"] })).toEqual({
    kind: "changed",
    paths: ["b"],
  });
  expect(await contents()).toEqual(["a on disk", "b on disk"]);
  expect(document.getText()).toBe("B typed");
  expect(await readdir(join(folder, "app"))).toEqual(["a", "b"]);
});

test("writes nothing if VS Code refuses the edit of a document", async () => {
  typeInto("b", "b typed");
  vi.spyOn(workspace, "applyEdit").mockResolvedValue(false);
  expect(await write({ a: ["a on disk", "a new"], b: ["b typed", "b new"] })).toEqual({
    kind: "changed",
    paths: ["b"],
  });
  expect(await contents()).toEqual(["a on disk", "b on disk"]);
});

test("takes the edit of a document back if a file on disk has changed, and then writes what was read again", async () => {
  const document = typeInto("b", "b typed");
  await writeFile(pathOf("a"), "a changed");
  expect(await write({ a: ["a on disk", "a new"], b: ["b typed", "b new"] })).toEqual({
    kind: "changed",
    paths: ["a"],
  });
  expect(await contents()).toEqual(["a changed", "b on disk"]);
  expect(document.getText()).toBe("b typed");
  expect(await write({ a: ["a changed", "a new"], b: ["b typed", "b new"] })).toEqual({ kind: "written" });
  expect([await contents(), document.getText()]).toEqual([["a new", "b on disk"], "b new"]);
});

test("edits each document that has unsaved changes, and takes all edits back if one file on disk has changed", async () => {
  const [first, second] = [typeInto("a", "a typed"), typeInto("b", "b typed")];
  await writeFile(pathOf("c"), "c changed");
  const changes = { a: ["a typed", "a new"], b: ["b typed", "b new"] } as const;
  expect(await write({ ...changes, c: ["c on disk", "c new"] })).toEqual({ kind: "changed", paths: ["c"] });
  expect([first.getText(), second.getText()]).toEqual(["a typed", "b typed"]);
  expect(await write({ ...changes, c: ["c changed", "c new"] })).toEqual({ kind: "written" });
  expect([first.getText(), second.getText()]).toEqual(["a new", "b new"]);
  expect([await contents(), await readFile(pathOf("c"), "utf8")]).toEqual([
    ["a on disk", "b on disk"],
    "c new",
  ]);
  // Only the one that was typed into is named.
  beforeComparing(second, () => second.type(new Range(0, 0, 0, 1), "B"));
  expect(await write({ a: ["a new", "a newer"], b: ["b new", "b newer"] })).toEqual({
    kind: "changed",
    paths: ["b"],
  });
  expect([first.getText(), second.getText()]).toEqual(["a new", "B new"]);
});

test("takes the edit of a document back, and leaves no staged file, if the disk fails", async () => {
  const document = typeInto("b", "b typed");
  failing = new Error("full disk");
  await expect(write({ a: ["a on disk", "a new"], b: ["b typed", "b new"] })).rejects.toBe(failing);
  expect([document.getText(), await contents()]).toEqual(["b typed", ["a on disk", "b on disk"]]);
  expect(await readdir(join(folder, "app"))).toEqual(["a", "b"]);
  // Also that of a file which was still to be created.
  const empty = typeInto("c", "");
  await expect(writeBytes([{ path: "c", before: undefined, after: bytes("c new") }])).rejects.toBe(failing);
  expect([empty.getText(), await readdir(join(folder, "app"))]).toEqual(["", ["a", "b"]]);
});

test("writes no file anew over what was typed into a document, and names all that were", async () => {
  const [first, second] = [typeInto("a", "a typed"), typeInto("b", "b typed")];
  expect(await writeBytes([{ path: "a", before: undefined, after: bytes("a new") }])).toEqual({
    kind: "changed",
    paths: ["a"],
  });
  expect(await write({ a: ["a on disk", "a new"], b: ["b on disk", "b new"] })).toEqual({
    kind: "changed",
    paths: ["a", "b"],
  });
  expect([first.getText(), second.getText()]).toEqual(["a typed", "b typed"]);
  // What is there already is no edit, which VS Code may refuse.
  const edited = vi.spyOn(workspace, "applyEdit").mockResolvedValue(false);
  expect(await write({ a: ["a typed", "a typed"] })).toEqual({ kind: "written" });
  expect(edited.mock.calls).toEqual([]);
});

test("leaves no staged file if VS Code refuses an edit", async () => {
  typeInto("b", "b typed");
  vi.spyOn(workspace, "applyEdit").mockResolvedValue(false);
  await write({ a: ["a on disk", "a new"], b: ["b typed", "b new"] });
  expect(await readdir(join(folder, "app"))).toEqual(["a", "b"]);
});

test("a document whose new content is no text is written on disk", async () => {
  const document = typeInto("b", "b typed");
  const after = Uint8Array.of(0xff, 0xfe, 0x00);
  expect(await writeBytes([{ path: "b", before: bytes("b on disk"), after }])).toEqual({ kind: "written" });
  expect([document.getText(), [...(await readFile(pathOf("b")))]]).toEqual(["b typed", [...after]]);
});
