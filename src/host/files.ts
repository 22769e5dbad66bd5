/**
 * The files of one project: core/ports.ts's `ProjectFiles` over VS Code's file system and its open documents. Nothing
 * is read or written outside of the project's root, also not through a symbolic link.
 */
import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import {
  CancellationTokenSource,
  FileType,
  Range,
  RelativePattern,
  Uri,
  workspace,
  WorkspaceEdit,
  type TextDocument,
} from "vscode";
import type { FormatName } from "../api/schemas.ts";
import { decodeText, encodeText, isNotText, sameBytes } from "../core/bytes.ts";
import type { FileContent, FileStamp, FileWrite, ProjectFiles, WriteOutcome } from "../core/ports.ts";
import { declaredEncoding } from "../core/code-pages.ts";
import { isSafeRelativePath, isToolsPath } from "../core/project-file.ts";
import { atomicWrite, isMissing } from "./atomic-write.ts";
import { CommandError } from "./outcome.ts";
import { l10n } from "./words.ts";

/** Never looked into, whatever a glob says. */
const SKIPPED = "**/{node_modules,.git,.hg,.svn}/**";

export interface FilesNeeds {
  readonly root: Uri;
  /** Leaves out what belongs to a project further down. */
  readonly owns: (uri: Uri) => boolean;
  /** The format of a translation file, which says whether it may declare an encoding of its own. */
  readonly formatAt: (path: string) => FormatName | undefined;
}

/** Opens the files below `root`. */
export function openFiles({ root, owns, formatAt }: FilesNeeds): ProjectFiles {
  const place = (path: string): Uri => {
    if (!isSafeRelativePath(path)) throw outside(path);
    return Uri.joinPath(root, path);
  };

  const placeToWrite = (path: string): Uri => {
    if (isToolsPath(path)) throw ofTools(path);
    return place(path);
  };

  const read = async (path: string): Promise<FileContent | undefined> => {
    const uri = await within(root, place(path));
    if (uri === null) return undefined;
    const document = openDocument(uri);
    if (document?.isDirty === true) {
      return { bytes: bytesOf(document, formatAt(path)), stamp: dirtyStamp(document), dirty: true };
    }
    try {
      const stamp = await stampOf(uri);
      if (stamp === undefined) return undefined;
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
        writes.map(async (write) => ({
          write,
          uri: await inside(root, placeToWrite(write.path), write.path),
          format: formatAt(write.path),
        })),
      );
      const changed: string[] = [];
      for (const { write } of places) {
        const now = (await read(write.path))?.bytes;
        if (!isAsBefore(now, write.before)) changed.push(write.path);
      }
      return changed.length > 0 ? { kind: "changed", paths: changed } : writeAll(places);
    },
  };
}

interface Place {
  readonly write: FileWrite;
  readonly uri: Uri;
  readonly format: FormatName | undefined;
}

/** A file that is changed through its open document, and the document's text afterwards. */
interface OpenPlace extends Place {
  readonly document: TextDocument;
  readonly text: string;
}

/** Open documents first, in one edit, since VS Code may refuse that; then the others, each put back when one fails. */
async function writeAll(places: readonly Place[]): Promise<WriteOutcome> {
  const open = places.flatMap((place): (OpenPlace & { readonly wasDirty: boolean })[] => {
    const edited = editedDocument(place);
    return edited === undefined ? [] : [{ ...place, ...edited, wasDirty: edited.document.isDirty }];
  });
  const closed = places.filter(({ uri }) => !open.some((each) => each.uri === uri));
  const edit = new WorkspaceEdit();
  for (const { document, text, uri } of open) {
    const change = smallestChange(document, text);
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

async function putBack(written: readonly Place[], open: readonly OpenPlace[]): Promise<void> {
  for (const { uri, write } of written) {
    if (write.before === undefined) await workspace.fs.delete(uri);
    else await atomicWrite(uri, write.before);
  }
  const undo = new WorkspaceEdit();
  for (const { document, write, format } of open) {
    const before = textOf(write.before ?? new Uint8Array(), format);
    const change = before === null ? null : smallestChange(document, before);
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
 * The open document through which the file is changed. None where the document, saved, would not be the wanted bytes, as
 * with mixed line ends or an encoding that VS Code does not know of: to save it would change more than was asked for, so
 * the file itself is written, and VS Code reads it again.
 */
function editedDocument({ uri, write, format }: Place): Pick<OpenPlace, "document" | "text"> | undefined {
  const document = openDocument(uri);
  const text = textOf(write.after, format);
  if (document === undefined || text === null) return undefined;
  if (document.isDirty) return { document, text };
  return savesAs(document, write, format) ? { document, text } : undefined;
}

/** Whether the document shows what the file says, and the text of other bytes would be saved as exactly these. */
export function savesAs(
  document: TextDocument,
  { before, after }: Pick<FileWrite, "before" | "after">,
  format: FormatName | undefined,
): boolean {
  const isShown = before !== undefined && textOf(before, format) === document.getText();
  return isShown && isSavedAs(document, after, format);
}

/** Whether the bytes are in the encoding in which VS Code saves the document. */
function isSavedAs(
  { encoding: own }: TextDocument,
  bytes: Uint8Array,
  format: FormatName | undefined,
): boolean {
  const decoded = decodeText(bytes, format);
  if (isNotText(decoded)) return false;
  const { text, bom, encoding } = decoded;
  if (own === "utf8") return !bom && sameBytes(encodeText({ text, bom }), bytes);
  if (own === "utf8bom") return bom && encoding === undefined;
  return own === encoding?.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
}

/**
 * What a document that is not saved yet says, so that whoever reads the bytes gets its text: in the encoding that the
 * file itself claims, unless VS Code saves it in UTF-8 all the same or that does not hold the text.
 */
function bytesOf(document: TextDocument, format: FormatName | undefined): Uint8Array {
  const text = document.getText();
  const bytes = encodeText({ text, bom: document.encoding === "utf8bom" });
  const claimed = document.encoding.startsWith("utf") ? null : declaredEncoding(bytes, format);
  const own = claimed === null ? bytes : encodeText({ text, bom: false, encoding: claimed });
  if (textOf(own, format) === text) return own;
  return textOf(bytes, format) === text ? bytes : encodeText({ text, bom: true });
}

/** `null`: no text in any encoding that could be written back. */
function textOf(bytes: Uint8Array, format: FormatName | undefined): string | null {
  const decoded = decodeText(bytes, format);
  return isNotText(decoded) ? null : decoded.text;
}

/** No file on disk has a negative size, so a dirty text never counts as what is on disk. */
function dirtyStamp(document: TextDocument): FileStamp {
  return { size: -1, modified: document.version };
}

/** `undefined`: no file but a folder, or a pipe or device, which would be read without an end. */
async function stampOf(uri: Uri): Promise<FileStamp | undefined> {
  const { type, size, mtime } = await workspace.fs.stat(uri);
  return (type & FileType.File) === 0 ? undefined : { size, modified: mtime };
}

/**
 * The content of a file that belongs to no project yet. `undefined`: it is not there. `null`: it is no file, cannot be
 * read, is larger than `most` bytes, or a symbolic link leads out of the workspace folder to it.
 */
export async function readSmallFile(uri: Uri, most: number): Promise<Uint8Array | undefined | null> {
  const folder = workspace.getWorkspaceFolder(uri)?.uri ?? Uri.joinPath(uri, "..");
  try {
    const own = await within(folder, uri);
    const stamp = own === null ? undefined : await stampOf(own);
    return own === null || stamp === undefined || stamp.size > most ? null : await workspace.fs.readFile(own);
  } catch (error) {
    return isMissing(error) ? undefined : null;
  }
}

/** As `within`, for what is to be written. Throws CommandError `unsafe_file`. */
async function inside(root: Uri, uri: Uri, path: string): Promise<Uri> {
  const own = await within(root, uri);
  if (own === null) throw outside(path);
  return own;
}

/** Whether a file lies in the workspace folder that shows it, and not elsewhere behind a symbolic link. */
export async function isInWorkspace(uri: Uri): Promise<boolean> {
  const folder = workspace.getWorkspaceFolder(uri)?.uri;
  return folder === undefined || (await within(folder, uri)) !== null;
}

/** The file's own place behind symbolic links; `null` where that is outside of the root: nobody's to read or write. */
async function within(root: Uri, uri: Uri): Promise<Uri | null> {
  if (uri.scheme !== "file") return uri;
  const own = await realOf(uri.fsPath).catch((error: unknown) => {
    // A link that leads to itself leads nowhere.
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return null;
    throw error;
  });
  if (own === null) return null;
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

function ofTools(path: string): CommandError {
  return new CommandError(
    "unsafe_file",
    l10n.t(
      "{0} lies in a folder of a tool that may run what stands there, so it was left alone. Correct the path in project-translations.json.",
      path,
    ),
  );
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

function isAsBefore(now: Uint8Array | undefined, before: Uint8Array | undefined): boolean {
  if (now === undefined || before === undefined) return now === before;
  return sameBytes(now, before);
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
