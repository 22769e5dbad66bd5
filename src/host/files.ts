/**
 * The files of one project: core/ports.ts's `ProjectFiles` over VS Code's file system and its open documents. Nothing
 * is read or written outside of the project's root, also not through a symbolic link.
 */
import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import {
  CancellationTokenSource,
  Range,
  RelativePattern,
  Uri,
  workspace,
  WorkspaceEdit,
  type TextDocument,
} from "vscode";
import { decodeText, isNotText } from "../core/bytes.ts";
import { formatOfPath } from "../core/formats/recognise.ts";
import type { FileContent, FileStamp, FileWrite, ProjectFiles, WriteOutcome } from "../core/ports.ts";
import { isSafeRelativePath } from "../core/project-file.ts";
import { atomicWrite, isMissing } from "./atomic-write.ts";
import { CommandError } from "./outcome.ts";
import { l10n } from "./words.ts";

/** Never looked into, whatever a glob says. */
const SKIPPED = "**/{node_modules,.git,.hg,.svn}/**";
const BOM = "\uFEFF";

/** Opens the files below `root`; `owns` leaves out what belongs to a project further down. */
export function openFiles(root: Uri, owns: (uri: Uri) => boolean): ProjectFiles {
  const place = (path: string): Uri => {
    if (!isSafeRelativePath(path)) throw outside(path);
    return Uri.joinPath(root, path);
  };

  const read = async (path: string): Promise<FileContent | undefined> => {
    const uri = await within(root, place(path));
    if (uri === null) return undefined;
    const document = openDocument(uri);
    if (document?.isDirty === true) {
      return { bytes: bytesOf(document), stamp: dirtyStamp(document), dirty: true };
    }
    try {
      const stamp = await stampOf(uri);
      return { bytes: await workspace.fs.readFile(uri), stamp, dirty: false };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };

  return {
    find: async (glob, signal) => {
      const source = new CancellationTokenSource();
      const abort = (): void => source.cancel();
      signal?.addEventListener("abort", abort, { once: true });
      try {
        signal?.throwIfAborted();
        const found = await workspace.findFiles(
          new RelativePattern(root, glob),
          SKIPPED,
          undefined,
          source.token,
        );
        signal?.throwIfAborted();
        const prefix = withSlash(root.path);
        return found
          .filter((uri) => uri.path.startsWith(prefix) && owns(uri))
          .map((uri) => uri.path.slice(prefix.length))
          .sort();
      } finally {
        signal?.removeEventListener("abort", abort);
        source.dispose();
      }
    },

    stat: async (path) => {
      const uri = await within(root, place(path));
      if (uri === null) return undefined;
      const document = openDocument(uri);
      if (document?.isDirty === true) return dirtyStamp(document);
      try {
        return await stampOf(uri);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    read,

    write: async (writes) => {
      const places = await Promise.all(
        writes.map(async (write) => ({ write, uri: await inside(root, place(write.path), write.path) })),
      );
      const changed: string[] = [];
      for (const { write } of places) {
        const now = (await read(write.path))?.bytes;
        if (!sameBytes(now, write.before)) changed.push(write.path);
      }
      return changed.length > 0 ? { kind: "changed", paths: changed } : writeAll(places);
    },
  };
}

interface Place {
  readonly write: FileWrite;
  readonly uri: Uri;
}

/** Open documents first, in one edit, since VS Code may refuse that; then the others, each put back when one fails. */
async function writeAll(places: readonly Place[]): Promise<WriteOutcome> {
  const open = places.flatMap((place) => {
    const document = editedDocument(place);
    return document === undefined ? [] : [{ ...place, document, wasDirty: document.isDirty }];
  });
  const closed = places.filter((place) => editedDocument(place) === undefined);
  const edit = new WorkspaceEdit();
  for (const { document, write, uri } of open) {
    const change = smallestChange(document, textOf(write.after, write.path));
    if (change !== null) edit.replace(uri, change.range, change.text);
  }
  if (edit.size > 0 && !(await workspace.applyEdit(edit))) {
    return { kind: "changed", paths: open.map(({ write }) => write.path) };
  }
  const written: Place[] = [];
  try {
    for (const place of closed) {
      await atomicWrite(place.uri, place.write.after);
      written.push(place);
    }
  } catch (error) {
    await putBack(written, open);
    throw error;
  }
  // What a person had not saved yet stays theirs to save.
  for (const { document, wasDirty } of open) if (!wasDirty && document.isDirty) await document.save();
  return { kind: "written" };
}

async function putBack(
  written: readonly Place[],
  open: readonly { readonly document: TextDocument; readonly write: FileWrite }[],
): Promise<void> {
  for (const { uri, write } of written) {
    if (write.before === undefined) await workspace.fs.delete(uri);
    else await atomicWrite(uri, write.before);
  }
  const undo = new WorkspaceEdit();
  for (const { document, write } of open) {
    const change = smallestChange(document, textOf(write.before ?? new Uint8Array(), write.path));
    if (change !== null) undo.replace(document.uri, change.range, change.text);
  }
  if (undo.size > 0) await workspace.applyEdit(undo);
}

/** The one range in which the document and the wanted text differ; `null`: they do not. */
function smallestChange(document: TextDocument, wanted: string): { range: Range; text: string } | null {
  const before = document.getText();
  if (before === wanted) return null;
  const most = Math.min(before.length, wanted.length);
  let start = 0;
  while (start < most && before[start] === wanted[start]) start++;
  if (isInsideOfOne(before, start) || isInsideOfOne(wanted, start)) start--;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === wanted[wanted.length - 1 - end]) end++;
  if (isInsideOfOne(before, before.length - end) || isInsideOfOne(wanted, wanted.length - end)) end--;
  const range = new Range(document.positionAt(start), document.positionAt(before.length - end));
  return { range, text: wanted.slice(start, wanted.length - end) };
}

/** Between the two units of a line end or of a surrogate pair, where no position of VS Code can be. */
function isInsideOfOne(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (text[offset - 1] === "\r") return text[offset] === "\n";
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

function openDocument(uri: Uri): TextDocument | undefined {
  const name = uri.toString();
  return workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === name);
}

/**
 * The open document through which the file is changed. None where its text is not the file's, as with mixed line ends
 * or another encoding: to save it would change more than was asked for, so the file itself is written, and VS Code
 * reads it again.
 */
function editedDocument({ uri, write }: Place): TextDocument | undefined {
  const document = openDocument(uri);
  if (document === undefined || document.isDirty) return document;
  return write.before !== undefined && textOf(write.before, write.path) === document.getText()
    ? document
    : undefined;
}

function bytesOf(document: TextDocument): Uint8Array {
  const mark = document.encoding === "utf8bom" ? BOM : "";
  return new TextEncoder().encode(mark + document.getText());
}

/** By the encoding that a file of that name declares, as whoever made the bytes went by it. */
function textOf(bytes: Uint8Array, path: string): string {
  const decoded = decodeText(bytes, formatOfPath(path) ?? undefined);
  return isNotText(decoded) ? new TextDecoder().decode(bytes) : decoded.text;
}

/** No file on disk has a negative size, so a dirty text never counts as what is on disk. */
function dirtyStamp(document: TextDocument): FileStamp {
  return { size: -1, modified: document.version };
}

async function stampOf(uri: Uri): Promise<FileStamp> {
  const { size, mtime } = await workspace.fs.stat(uri);
  return { size, modified: mtime };
}

/** As `within`, for what is to be written. Throws CommandError `unsafe_file`. */
async function inside(root: Uri, uri: Uri, path: string): Promise<Uri> {
  const own = await within(root, uri);
  if (own === null) throw outside(path);
  return own;
}

/** The file's own place behind symbolic links; `null` where that is outside of the root: nobody's to read or write. */
async function within(root: Uri, uri: Uri): Promise<Uri | null> {
  if (uri.scheme !== "file") return uri;
  const own = await realOf(uri.fsPath);
  const home = await realOf(root.fsPath);
  if (own !== home && !own.startsWith(home.endsWith(sep) ? home : home + sep)) return null;
  // Without links the name stays as the editor knows it, which is how an open document is found.
  return own === home + uri.fsPath.slice(root.fsPath.length) ? uri : Uri.file(own);
}

/** Of a path that is not there yet: its nearest folder that is, and the rest as it is written. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const cut = path.lastIndexOf(sep);
    if (cut <= 0) return path;
    return (await realOf(path.slice(0, cut))) + path.slice(cut);
  }
}

function outside(path: string): CommandError {
  return new CommandError(
    "unsafe_file",
    l10n.t(
      "{0} lies outside of the project, so it was left alone. Correct the path in project-translations.json.",
      path,
    ),
  );
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
