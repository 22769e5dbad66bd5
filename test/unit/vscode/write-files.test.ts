/** Several files are written all or none, also those whose documents have unsaved changes, and never over what was typed. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { writeFiles } from "../../../src/vscode/files/write-files.ts";
import { stageFiles } from "../../../src/workspace/file-system/file-transaction.ts";
import { Range, TextDocument, Uri as FileUri, workspace } from "../support/vscode-stub.ts";

let folder: string;
beforeEach(async () => {
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
  writeFiles(
    Object.entries(changes).map(([path, [before, after]]) => ({
      write: { path, before: bytes(before), after: bytes(after) },
      target: pathOf(path),
    })),
    async (onDisk) => {
      const files = onDisk.map((each) => ({ ...each.write, path: each.target }));
      const staged = await stageFiles(files, { journalFolder: join(folder, "journal") });
      return { ...staged, replace: async () => (await staged.replace()).map((path) => basename(path)) };
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
