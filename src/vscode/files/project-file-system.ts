/**
 * The files of one project: src/model/platform.ts's `ProjectFiles` over VS Code's file system and its open documents. Nothing
 * is read or written outside of the project's root, also not through a symbolic link.
 */
import type { Stats } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { extname } from "node:path/posix";
import { Uri, workspace, type TextDocument } from "vscode";
import type { FormatName } from "../../model/file-formats.ts";
import { declaredEncoding, declaresUnsupportedEncoding, encodeText } from "../../formats/text/encoding.ts";
import type {
  FileContent,
  FileStamp,
  ProjectFiles,
  ReadOutcome,
  UnreadableReason,
} from "../../model/platform.ts";
import { isSafeRelativePath, isInToolFolder } from "../../workspace/project-file/project-file.ts";
import { diskStamp, isMissing, isRecent } from "../../workspace/file-system/atomic-write.ts";
import { isSameContent } from "../../workspace/file-system/file-transaction.ts";
import type { WalkScope } from "../../workspace/file-system/walk-folder.ts";
import type { FolderSearch } from "../../workspace/project-detection/folder-search.ts";
import {
  isForbiddenName,
  resolveSymlinks,
  uriPathBelow,
  relativePathIn,
} from "../../workspace/file-system/paths.ts";
import { openDocument, textOfBytes, writeFiles } from "./write-files.ts";
import { CommandError } from "../../commands/command-types.ts";
import {
  outsideProjectError,
  unsafePathError,
  writeError,
} from "../../messages/file-write-error-messages.ts";
import { l10n } from "../../util/l10n.ts";

interface FilesDependencies {
  readonly root: Uri;
  /** Finds files in the indexing process. */
  readonly search: Pick<FolderSearch, "find">;
  /** Returns what is no file of the project. */
  readonly scope: () => WalkScope;
  /** The format of a translation file, which determines whether the file can declare its encoding. */
  readonly formatAt: (path: string) => FormatName | undefined;
  /** The journal folder of file-transaction.ts. */
  readonly journalFolder: string;
}

/** Returns access to the files below `root`. */
export function openFiles({ root, search, scope, formatAt, journalFolder }: FilesDependencies): ProjectFiles {
  const uriFor = (path: string): Uri => {
    if (!isSafeRelativePath(path)) throw outsideProjectError(path);
    return Uri.joinPath(root, path);
  };

  const uriForWriting = (path: string): Uri => {
    const refusal = unsafePathError(path);
    if (refusal !== null) throw refusal;
    return uriFor(path);
  };

  const folders = new RealFolders(root);
  /** Resolves the file's location, and its stamp or why it has none. */
  const locate = async (path: string): Promise<LocatedFile> => {
    const given = uriFor(path);
    try {
      const isPlain = await folders.isPlain(given);
      const found = isPlain ? await lstat(given.fsPath) : null;
      if (found !== null && !found.isSymbolicLink()) return { uri: given, ...stampOf(found) };
      // Follows links: a broken one is not outside of the project.
      const stats = await stat(given.fsPath);
      const uri = await resolveWithin(root, given);
      return uri === null ? { uri, reason: "outside" } : { uri, ...stampOf(stats) };
    } catch (error) {
      return { uri: given, reason: await reasonOf(error, given) };
    }
  };

  const read = async (path: string, known?: FileStamp): Promise<ReadOutcome> => {
    const isKnown = known !== undefined && (await folders.isPlain(uriFor(path)));
    const file: LocatedFile = isKnown ? { uri: uriFor(path), stamp: known } : await locate(path);
    if (file.uri === null) return { kind: "unreadable", reason: file.reason };
    const document = openDocument(file.uri);
    if (document?.isDirty === true) {
      const bytes = bytesOf(document, formatAt(path));
      return { kind: "read", bytes, stamp: dirtyStamp(document), dirty: true };
    }
    if ("reason" in file)
      return file.reason === "missing" ? { kind: "missing" } : { kind: "unreadable", reason: file.reason };
    const { uri, stamp } = file;
    try {
      const bytes = await workspace.fs.readFile(uri);
      return { kind: "read", bytes, stamp, dirty: false, recent: isRecent(stamp) };
    } catch (error) {
      const reason = await reasonOf(error, uri);
      return reason === "missing" ? { kind: "missing" } : { kind: "unreadable", reason };
    }
  };

  return {
    find: (globs, signal) => search.find(globs, scope(), signal),

    stat: async (path) => {
      const file = await locate(path);
      const document = file.uri === null ? undefined : openDocument(file.uri);
      if (document?.isDirty === true) return dirtyStamp(document);
      return "stamp" in file ? file.stamp : undefined;
    },

    read,

    write: async (writes) => {
      await requireFolder(root);
      const located = await Promise.all(
        writes.map(async (write) => ({
          write,
          uri: await requireWithin(root, uriForWriting(write.path), write.path),
          format: formatAt(write.path),
        })),
      );
      const changed: string[] = [];
      for (const { write } of located) {
        const now = await read(write.path);
        const isSame =
          now.kind !== "unreadable" &&
          isSameContent(now.kind === "read" ? now.bytes : undefined, write.before);
        if (!isSame) changed.push(write.path);
      }
      return changed.length > 0 ? { kind: "changed", paths: changed } : writeFiles(located, journalFolder);
    },
  };
}

/** Returns the unsaved texts of the project's documents with one of the extensions (`.php`), by path. */
export function unsavedFiles(
  root: Uri,
  extensions: ReadonlySet<string>,
  formatAt: (path: string) => FormatName | undefined,
): ReadonlyMap<string, FileContent> {
  const texts = new Map<string, FileContent>();
  for (const document of workspace.textDocuments) {
    const path = document.isDirty ? relativePathOfUri(root, document.uri) : null;
    if (path === null || !extensions.has(extname(path))) continue;
    const bytes = bytesOf(document, formatAt(path));
    texts.set(path, { bytes, stamp: dirtyStamp(document), dirty: true });
  }
  return texts;
}

/** Returns the path of `uri` relative to the folder, with `/`; `null` if it is not below the folder. */
export function relativePathOfUri(folder: Uri, uri: Uri): string | null {
  if (uri.scheme !== folder.scheme || uri.authority.toLowerCase() !== folder.authority.toLowerCase())
    return null;
  return uriPathBelow(folder.path, uri.path, process.platform);
}

/** Throws if the project's folder no longer exists, so that no write recreates a folder that was moved or deleted. */
async function requireFolder(root: Uri): Promise<void> {
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
 * Encodes the text of an unsaved document such that reading the bytes returns the text: in the encoding that the file
 * declares, unless VS Code would save it as UTF-8 or the encoding cannot represent the text. One that is not supported is
 * rejected when the bytes are read.
 */
function bytesOf(document: TextDocument, format: FormatName | undefined): Uint8Array {
  const text = document.getText();
  const bytes = encodeText({ text, bom: document.encoding === "utf8bom" });
  if (document.encoding !== "utf8bom" && declaresUnsupportedEncoding(bytes, format)) return bytes;
  const declared = document.encoding.startsWith("utf") ? null : declaredEncoding(bytes, format);
  const encoded = declared === null ? bytes : encodeText({ text, bom: false, encoding: declared });
  if (textOfBytes(encoded, format) === text) return encoded;
  return textOfBytes(bytes, format) === text ? bytes : encodeText({ text, bom: true });
}

/** The stamp of an unsaved document; the negative size distinguishes it from every stamp on disk. */
function dirtyStamp(document: TextDocument): FileStamp {
  return { size: -1, modified: document.version };
}

/** A file's location on disk, with its stamp or why it cannot be read. `uri: null`: outside the project. */
type LocatedFile =
  | { readonly uri: Uri; readonly stamp: FileStamp }
  | { readonly uri: Uri; readonly reason: UnreadableReason | "missing" }
  | { readonly uri: null; readonly reason: "outside" };

/** Reading anything but a regular file, a pipe or device for example, might never end. */
function stampOf(stats: Stats): { readonly stamp: FileStamp } | { readonly reason: "not_a_file" } {
  return stats.isFile() ? { stamp: diskStamp(stats) } : { reason: "not_a_file" };
}

/** Returns why a path could not be read: a link to nothing exists, unlike its target. */
async function reasonOf(error: unknown, uri: Uri): Promise<UnreadableReason | "missing"> {
  if ((error as NodeJS.ErrnoException).code === "ELOOP") return "broken_link";
  if (!isMissing(error)) return "failed";
  const isLink = await lstat(uri.fsPath).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return isLink ? "broken_link" : "missing";
}

/**
 * Reads a file that does not belong to a project yet. `undefined`: it does not exist. `null`: it is not a regular file,
 * cannot be read, is larger than `maxBytes`, or is outside the workspace folder behind a symbolic link.
 */
export async function readSmallFile(uri: Uri, maxBytes: number): Promise<Uint8Array | undefined | null> {
  const folder = workspace.getWorkspaceFolder(uri)?.uri ?? Uri.joinPath(uri, "..");
  try {
    const target = await resolveWithin(folder, uri);
    const stats = target === null ? null : await stat(target.fsPath);
    return target === null || stats?.isFile() !== true || stats.size > maxBytes
      ? null
      : await workspace.fs.readFile(target);
  } catch (error) {
    return isMissing(error) ? undefined : null;
  }
}

/**
 * Like `resolveWithin`, for files to be written.
 *
 * @throws {CommandError} `unsafe_file`
 */
async function requireWithin(root: Uri, uri: Uri, path: string): Promise<Uri> {
  const target = await resolveWithin(root, uri).catch((error: unknown) => {
    // Permission to follow a link or to enter a folder is missing.
    throw writeError(error, path);
  });
  if (target === null) throw outsideProjectError(path);
  return target;
}

/** Whether a file may be created at the path: inside the root, also behind links, and not in a tool's folder. */
export async function mayWrite(root: Uri, path: string): Promise<boolean> {
  if (!isSafeRelativePath(path) || isInToolFolder(path) || isForbiddenName(path)) return false;
  return (await resolveWithin(root, Uri.joinPath(root, path)).catch(() => null)) !== null;
}

/** Whether a file is inside its workspace folder after symbolic links are resolved. */
export async function isInWorkspace(uri: Uri): Promise<boolean> {
  const folder = workspace.getWorkspaceFolder(uri)?.uri;
  return folder === undefined || (await resolveWithin(folder, uri)) !== null;
}

/**
 * Resolves symbolic links; `null` if the target is outside the root, or in a virtual file system, and so must not be read or
 * written.
 */
async function resolveWithin(root: Uri, uri: Uri): Promise<Uri | null> {
  if (uri.scheme !== "file") return null;
  const target = await realPathOf(uri.fsPath).catch((error: unknown) => {
    // A cyclic link has no target.
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return null;
    throw error;
  });
  if (target === null) return null;
  const path = relativePathIn(await realPathOf(root.fsPath), target);
  if (path === null) return null;
  // Relative to the root as the editor knows it, which may itself be a link, so that open documents are found.
  return path === relativePathIn(root.fsPath, uri.fsPath) ? uri : Uri.joinPath(root, path);
}

function realPathOf(path: string): Promise<string> {
  return resolveSymlinks(path, (each) => realpath(each), isMissing);
}

const REAL_PATH_CACHE_MS = 2_000;

interface CachedPath {
  readonly at: number;
  readonly path: Promise<string | null>;
}

/**
 * Detects folders that are symbolic links. Cached for a short time, since many files of a folder are read at once. Links
 * to files are detected by `lstat` of the file.
 */
class RealFolders {
  readonly #root: string;
  readonly #cache = new Map<string, CachedPath>();

  constructor(root: Uri) {
    this.#root = root.fsPath;
  }

  /** Whether the file's folder exists and is reached from the root without symbolic links. */
  async isPlain(uri: Uri): Promise<boolean> {
    const folder = dirname(uri.fsPath);
    const [root, real] = await Promise.all([this.#realPathOf(this.#root), this.#realPathOf(folder)]);
    return root !== null && real === root + folder.slice(this.#root.length);
  }

  #realPathOf(folder: string): Promise<string | null> {
    const now = performance.now();
    const known = this.#cache.get(folder);
    if (known !== undefined && now - known.at < REAL_PATH_CACHE_MS) return known.path;
    // Bounds the cache; nearly all of its entries have expired.
    if (this.#cache.size > 1_000) this.#cache.clear();
    const path = realpath(folder).catch(() => null);
    this.#cache.set(folder, { at: now, path });
    return path;
  }
}
