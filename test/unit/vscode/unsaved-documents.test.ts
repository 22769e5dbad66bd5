/** Open documents: their unsaved texts as bytes, edits that change as little as possible, and how VS Code would save them. */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TextDocument as VsCodeDocument, Uri } from "vscode";
import { encodeText } from "../../../src/formats/text/encoding.ts";
import type { FormatName } from "../../../src/model/file-formats.ts";
import {
  isInWorkspace,
  openFiles,
  relativePathOfUri,
  unsavedFiles,
} from "../../../src/vscode/files/project-file-system.ts";
import {
  openDocument,
  savesAs,
  smallestChange,
  writeProjectFiles,
} from "../../../src/vscode/files/write-files.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { changedText } from "../support/vscode/workspace.ts";
import { closeDocument, Range, TextDocument, Uri as FileUri, workspace } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const pathOf = (...names: readonly string[]): string => join(folder.path, ...names);
const uriOf = (...names: readonly string[]): Uri => FileUri.file(pathOf(...names));
beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(pathOf("app"));
});
afterEach(async () => {
  workspace.textDocuments = [];
  workspace.workspaceFolders = undefined;
  await folder.remove();
});

/** A text that declares another encoding. */
const LATIN = `msgid ""
msgstr ""
"Content-Type: text/plain; charset=ISO-8859-1\\n"

msgid "a"
msgstr "é"
`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Opens a document; `typed` replaces its text and is not saved. */
function openAt(path: string, text: string, typed?: string, encoding = "utf8"): TextDocument {
  const document = new TextDocument(FileUri.file(path), text);
  document.encoding = encoding;
  workspace.textDocuments.push(document);
  if (typed !== undefined)
    document.type(new Range(document.positionAt(0), document.positionAt(9_999)), typed);
  return document;
}
const filesOfApp = (format?: FormatName) =>
  openFiles({
    root: uriOf("app"),
    search: createFolderSearch(pathOf("app")),
    scope: () => ({ exclude: [], otherProjects: [] }),
    formatAt: () => format,
    journalFolder: pathOf("journal"),
  });

describe("a file that is open without unsaved changes", () => {
  test("is written on disk, and is there when the write ends", async () => {
    await writeFile(pathOf("app", "a.json"), "{}");
    const document = openAt(pathOf("app", "a.json"), "{}");
    const other = openAt(pathOf("app", "b.json"), "{}");
    let isWritten = false;
    const listened = vi.spyOn(workspace, "onDidChangeTextDocument");
    const writing = writeProjectFiles(filesOfApp(), [
      { path: "a.json", before: bytes("{}"), after: bytes('{"a":1}\r\n') },
    ]).then(() => (isWritten = true));
    await waitUntil(() => listened.mock.calls.length > 0);
    expect(await readFile(pathOf("app", "a.json"), "utf8")).toContain("a");
    // VS Code reads it a moment later; a change of another document, or of whether it is saved, is of no interest.
    other.type(new Range(0, 0, 0, 0), " ");
    changedText.fire({ document, contentChanges: [] });
    await new Promise((resolve) => setTimeout(resolve));
    expect(isWritten).toBe(false);
    document.reload();
    await writing;
    expect(document.getText()).toBe('{"a":1}\r\n');
    expect(document.isDirty).toBe(false);
  });

  test("and has the new text already is not waited for", async () => {
    await writeFile(pathOf("app", "a.json"), "{}\n");
    // The document has other line breaks.
    openAt(pathOf("app", "a.json"), "{ }\r\n");
    // No time would pass if it were.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    await writeProjectFiles(filesOfApp(), [{ path: "a.json", before: bytes("{}\n"), after: bytes("{ }\n") }]);
    expect(await readFile(pathOf("app", "a.json"), "utf8")).toBe("{ }\n");
  });

  test("and has changed on disk is not written", async () => {
    for (const name of ["a.json", "b.json"]) await writeFile(pathOf("app", name), "{ }");
    const writing = writeProjectFiles(
      filesOfApp(),
      ["a.json", "b.json"].map((path) => ({ path, before: bytes("{}"), after: bytes('{"a":1}') })),
    );
    await expect(writing).rejects.toMatchObject({
      code: "file_changed",
      message: expect.stringMatching(/a\.json.*b\.json/u) as string,
    });
  });
});

describe("unsaved texts", () => {
  test("are those of documents of the project with one of the endings", () => {
    openAt(pathOf("app", "a.php"), "saved", "typed");
    openAt(pathOf("app", "b.php"), "saved");
    openAt(pathOf("app", "c.json"), "saved", "typed");
    openAt(pathOf("other", "d.php"), "saved", "typed");
    const texts = unsavedFiles(uriOf("app"), new Set([".php", ".po"]), () => undefined);
    expect([...texts.keys()]).toEqual(["a.php"]);
    expect(texts.get("a.php")).toMatchObject({ bytes: bytes("typed"), dirty: true, stamp: { size: -1 } });
  });

  test.each([
    ["UTF-8", "po", "utf8", 'msgstr "é"\n', undefined, false],
    ["characters that look like another encoding", "json_js", "utf8", "a\0b\0", undefined, true],
    ["UTF-8 with a byte order mark", "po", "utf8bom", 'msgstr "é"\n', undefined, true],
    ["an encoding that the file declares", "po", "iso88591", LATIN, "ISO-8859-1", false],
    // VS Code would save it so, whatever the file says.
    ["UTF-8 that the file does not declare", "po", "utf8", LATIN, undefined, false],
    [
      "characters that the declared encoding does not have",
      "po",
      "iso88591",
      LATIN.replace("é", "€漢"),
      undefined,
      false,
    ],
    // It is refused when it is read, also if all of it could be UTF-8.
    [
      "an encoding that is not supported",
      "po",
      "eucjp",
      LATIN.replace(/ISO\S+1/u, "EUC-JP").replace("é", "e"),
      undefined,
      false,
    ],
  ] as const)("are read as they are typed: %s", async (_, format, encoding, typed, declared, bom) => {
    openAt(pathOf("app", "nl.po"), "", typed, encoding);
    const read = await filesOfApp(format).read("nl.po");
    if (read.kind !== "read") throw new Error("it is read");
    const expected = encodeText({ text: typed, bom, ...(declared && { encoding: declared }) });
    expect(Buffer.from(read.bytes).toString("latin1")).toBe(Buffer.from(expected).toString("latin1"));
  });
});

test("a file of another encoding is written into the document that has its unsaved text", async () => {
  await writeFile(pathOf("app", "nl.po"), encodeText({ text: LATIN, bom: false, encoding: "ISO-8859-1" }));
  const document = openAt(pathOf("app", "nl.po"), "", LATIN, "iso88591");
  const after = LATIN.replace("é", "è");
  const [before, written] = [LATIN, after].map((text) =>
    encodeText({ text, bom: false, encoding: "ISO-8859-1" }),
  );
  if (written === undefined) throw new Error("there are two");
  await writeProjectFiles(filesOfApp("po"), [{ path: "nl.po", before, after: written }]);
  expect([document.getText(), document.isDirty]).toEqual([after, true]);
});

describe("a document", () => {
  const shown = (text: string, encoding = "utf8"): VsCodeDocument =>
    openAt(pathOf("app", "a.po"), text, undefined, encoding) as unknown as VsCodeDocument;

  test("is saved with exactly the bytes of a write, or not", () => {
    const write = (before: string, after: string, bom = false) => ({
      before: encodeText({ text: before, bom }),
      after: encodeText({ text: after, bom }),
    });
    expect(savesAs(shown("a"), write("a", "b"), undefined)).toBe(true);
    expect(savesAs(shown("other"), write("a", "b"), undefined)).toBe(false);
    expect(savesAs(shown("a"), { before: undefined, after: bytes("b") }, undefined)).toBe(false);
    expect(savesAs(shown("a"), write("a", "b", true), undefined)).toBe(false);
    expect(savesAs(shown("a", "utf8bom"), write("a", "b", true), undefined)).toBe(true);
    expect(savesAs(shown("a", "utf8bom"), write("a", "b"), undefined)).toBe(false);
    const wide = (text: string) => encodeText({ text, bom: true, encoding: "utf-16le" });
    const ofWide = { before: wide("a"), after: wide("b") };
    expect(savesAs(shown("a", "utf16le"), ofWide, undefined)).toBe(true);
    expect(savesAs(shown("a", "utf8bom"), ofWide, undefined)).toBe(false);
    const encoded = encodeText({ text: LATIN, bom: false, encoding: "ISO-8859-1" });
    expect(savesAs(shown(LATIN, "iso88591"), { before: encoded, after: encoded }, "po")).toBe(true);
    expect(savesAs(shown(LATIN, "utf8"), { before: encoded, after: encoded }, "po")).toBe(false);
    expect(savesAs(shown(LATIN, "windows1252"), { before: encoded, after: encoded }, "po")).toBe(false);
  });

  test("is changed only where the text differs", () => {
    expect(smallestChange(shown("one two three"), "one two three")).toBeNull();
    const change = smallestChange(shown("one\ntwo\nthree"), "one\n2\nthree");
    expect(change).toEqual({ range: new Range(1, 0, 1, 3), text: "2" });
  });

  test("is found by its URI, also beside another version of its file, unless it was closed", () => {
    const earlier = FileUri.from({ scheme: "git", path: pathOf("app", "a.json") });
    workspace.textDocuments.push(new TextDocument(earlier, "{}"));
    const document = openAt(pathOf("app", "a.json"), "{}");
    openAt(pathOf("app", "b.json"), "{}");
    expect(openDocument(uriOf("app", "a.json"))).toBe(document);
    closeDocument(document);
    workspace.textDocuments.push(document);
    expect(openDocument(uriOf("app", "a.json"))).toBeUndefined();
  });
});

test("a path is relative to a folder of the same file system only", () => {
  const remote = (authority: string, path: string): Uri =>
    FileUri.from({ scheme: "vscode-remote", authority, path });
  expect(relativePathOfUri(uriOf("app"), uriOf("app", "a", "b.json"))).toBe("a/b.json");
  expect(relativePathOfUri(uriOf("app"), uriOf("application", "b.json"))).toBeNull();
  expect(relativePathOfUri(remote("ssh+A", "/app"), remote("ssh+a", "/app/b"))).toBe("b");
  expect(relativePathOfUri(remote("ssh", "/app"), remote("wsl", "/app/b"))).toBeNull();
  expect(relativePathOfUri(remote("", "/app"), FileUri.file("/app/b"))).toBeNull();
});

test("a folder behind a link is in the workspace only if it leads there", async () => {
  await mkdir(pathOf("app", "inside"));
  await mkdir(pathOf("outside"));
  await symlink(pathOf("app", "inside"), pathOf("app", "in"));
  await symlink(pathOf("outside"), pathOf("app", "out"));
  workspace.workspaceFolders = [{ uri: FileUri.file(pathOf("app")), name: "app" }];
  expect(await isInWorkspace(uriOf("app", "in"))).toBe(true);
  expect(await isInWorkspace(uriOf("app", "out"))).toBe(false);
  // What is in no folder was opened by itself.
  expect(await isInWorkspace(uriOf("outside"))).toBe(true);
  expect(await isInWorkspace(FileUri.from({ scheme: "git", path: pathOf("app") }))).toBe(false);
});
