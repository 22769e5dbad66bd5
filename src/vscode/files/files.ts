/**
 * The files of one project: src/model/platform.ts's `ProjectFiles` over VS Code's file system and its open documents. Nothing
 * is read or written outside of the project's root, also not through a symbolic link.
 */
import { lstat, realpath } from "node:fs/promises";
import {
  CancellationTokenSource,
  FileType,
  RelativePattern,
  Uri,
  workspace,
  type TextDocument,
} from "vscode";
import type { FormatName } from "../../model/format-name.ts";
import { encodeText, sameBytes } from "../../formats/encoding.ts";
import type { FileContent, FileStamp, ProjectFiles } from "../../model/platform.ts";
import { declaredEncoding } from "../../formats/single-byte-encodings.ts";
import { isSafeRelativePath, isToolsPath } from "../../workspace/project-file/project-file.ts";
import { diskStamp, isMissing, isRecent } from "../../workspace/files/disk.ts";
import { isForbiddenName, realPlace, uriPathBelow, relativePathIn } from "../../workspace/files/paths.ts";
import { openDocument, textOf, writeAll } from "./file-writes.ts";
import { CommandError } from "../command-result.ts";
import { notWritten } from "./write-errors.ts";
import { RealFolders } from "./real-folders.ts";
import { l10n } from "../l10n.ts";

/** Never looked into, whatever a glob says. */
export const SKIPPED_FOLDERS = "**/{node_modules,.git,.hg,.svn}/**";

export interface FilesDependencies {
  readonly root: Uri;
  /** Leaves out what belongs to a project further down. */
  readonly owns: (uri: Uri) => boolean;
  /** The format of a translation file, which says whether it may declare an encoding of its own. */
  readonly formatAt: (path: string) => FormatName | undefined;
  /** The folder for notes of files that are being replaced (file-transaction.ts). */
  readonly notes: string;
}

/** Opens the files below `root`. */
export function openFiles({ root, owns, formatAt, notes }: FilesDependencies): ProjectFiles {
  const place = (path: string): Uri => {
    if (!isSafeRelativePath(path)) throw outside(path);
    return Uri.joinPath(root, path);
  };

  const placeToWrite = (path: string): Uri => {
    if (isToolsPath(path)) throw ofTools(path);
    if (isForbiddenName(path)) throw forbidden(path);
    return place(path);
  };

  const folders = new RealFolders(root);
  /** The file's own place, and its stamp where it is there; `null`: it is not the project's. */
  const found = async (path: string): Promise<{ uri: Uri; stamp: FileStamp | undefined } | null> => {
    const given = place(path);
    try {
      if (await folders.isPlain(given)) {
        const { isLink, stamp } = await statOf(given);
        if (!isLink) return { uri: given, stamp };
      }
      const uri = await within(root, given);
      return uri && { uri, stamp: (await statOf(uri)).stamp };
    } catch (error) {
      if (isMissing(error)) return { uri: given, stamp: undefined };
      throw error;
    }
  };

  const read = async (path: string, known?: FileStamp): Promise<FileContent | undefined> => {
    const isKnown = known !== undefined && (await folders.isPlain(place(path)));
    const file = isKnown ? { uri: place(path), stamp: known } : await found(path);
    if (file === null) return undefined;
    const { uri, stamp } = file;
    const document = openDocument(uri);
    if (document?.isDirty === true) {
      return { bytes: bytesOf(document, formatAt(path)), stamp: dirtyStamp(document), dirty: true };
    }
    if (stamp === undefined) return undefined;
    try {
      return { bytes: await workspace.fs.readFile(uri), stamp, dirty: false, recent: isRecent(stamp) };
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
          SKIPPED_FOLDERS,
          undefined,
          source.token,
        );
        signal?.throwIfAborted();
        return found
          .filter(owns)
          .flatMap((uri) => relativePathOfUri(root, uri) ?? [])
          .sort();
      } finally {
        signal?.removeEventListener("abort", abort);
        source.dispose();
      }
    },

    stat: async (path) => {
      const file = await found(path);
      const document = file === null ? undefined : openDocument(file.uri);
      return document?.isDirty === true ? dirtyStamp(document) : file?.stamp;
    },

    read,

    write: async (writes) => {
      await mustBeThere(root);
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
      return changed.length > 0 ? { kind: "changed", paths: changed } : writeAll(places, notes);
    },
  };
}

/** The way from a folder to what lies below it, with `/`; `null` for what does not. */
export function relativePathOfUri(folder: Uri, uri: Uri): string | null {
  if (uri.scheme !== folder.scheme || uri.authority.toLowerCase() !== folder.authority.toLowerCase())
    return null;
  // Other file systems than the machine's own have their own rules.
  return uriPathBelow(folder.path, uri.path, folder.scheme === "file" ? process.platform : "linux");
}

/** Nothing is written where the project was: whoever moved it away must not find a new one there. */
async function mustBeThere(root: Uri): Promise<void> {
  try {
    await workspace.fs.stat(root);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CommandError(
      "unsafe_file",
      l10n.t(
        "The folder {0} no longer exists, so nothing was written. Restore it, then try again.",
        root.fsPath,
      ),
      { reason: "folder_missing" },
    );
  }
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

/** No file on disk has a negative size, so a dirty text never counts as what is on disk. */
function dirtyStamp(document: TextDocument): FileStamp {
  return { size: -1, modified: document.version };
}

/**
 * Whether it is a symbolic link, and its stamp: `undefined` where it is no file but a folder, or a pipe or device, which
 * would be read without an end. Rejects with the disk's error.
 */
async function statOf(
  uri: Uri,
): Promise<{ readonly isLink: boolean; readonly stamp: FileStamp | undefined }> {
  if (uri.scheme === "file") {
    const stats = await lstat(uri.fsPath);
    return { isLink: stats.isSymbolicLink(), stamp: stats.isFile() ? diskStamp(stats) : undefined };
  }
  const { type, size, mtime } = await workspace.fs.stat(uri);
  const isFile = (type & FileType.File) !== 0;
  return {
    isLink: (type & FileType.SymbolicLink) !== 0,
    stamp: isFile ? { size, modified: mtime } : undefined,
  };
}

/**
 * The content of a file that belongs to no project yet. `undefined`: it is not there. `null`: it is no file, cannot be
 * read, is larger than `most` bytes, or a symbolic link leads out of the workspace folder to it.
 */
export async function readSmallFile(uri: Uri, most: number): Promise<Uint8Array | undefined | null> {
  const folder = workspace.getWorkspaceFolder(uri)?.uri ?? Uri.joinPath(uri, "..");
  try {
    const own = await within(folder, uri);
    const stamp = own === null ? undefined : (await statOf(own)).stamp;
    return own === null || stamp === undefined || stamp.size > most ? null : await workspace.fs.readFile(own);
  } catch (error) {
    return isMissing(error) ? undefined : null;
  }
}

/** As `within`, for what is to be written. Throws CommandError `unsafe_file`. */
async function inside(root: Uri, uri: Uri, path: string): Promise<Uri> {
  const own = await within(root, uri).catch((error: unknown) => {
    // A link, or a folder, that this person has no right to follow.
    throw notWritten(error, path);
  });
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
  const way = relativePathIn(await realOf(root.fsPath), own);
  if (way === null) return null;
  // Below the root as the editor knows it, also where that is a link or another drive: so an open document is found.
  return way === relativePathIn(root.fsPath, uri.fsPath) ? uri : Uri.joinPath(root, way);
}

function realOf(path: string): Promise<string> {
  return realPlace(path, (each) => realpath(each), isMissing);
}

function ofTools(path: string): CommandError {
  return new CommandError(
    "unsafe_file",
    l10n.t(
      "{0} is in a folder whose contents a tool may run, so it was not changed. Correct the path in project-translations.json.",
      path,
    ),
  );
}

function forbidden(path: string): CommandError {
  return new CommandError(
    "unsafe_file",
    l10n.t(
      "Windows cannot have a file named {0}, so nothing was written. Rename the namespace, or change the path in project-translations.json.",
      path,
    ),
  );
}

function outside(path: string): CommandError {
  return new CommandError(
    "unsafe_file",
    l10n.t(
      "{0} is outside the project, so it was not changed. Correct the path in project-translations.json.",
      path,
    ),
  );
}

function isAsBefore(now: Uint8Array | undefined, before: Uint8Array | undefined): boolean {
  if (now === undefined || before === undefined) return now === before;
  return sameBytes(now, before);
}
