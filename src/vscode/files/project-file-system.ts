/** The files of one project: those on disk, with the unsaved texts of VS Code's documents. */
import { extname } from "node:path/posix";
import { Uri, workspace, type TextDocument } from "vscode";
import { declaredEncoding, declaresUnsupportedEncoding, encodeText } from "../../formats/text/encoding.ts";
import type { FormatName } from "../../model/file-formats.ts";
import type { FileContent, FileStamp, ProjectFiles } from "../../model/platform.ts";
import { openProjectFiles, type ProjectFilesOptions, resolveWithin } from "../../projects/project-files.ts";
import { uriPathBelow } from "../../workspace/file-system/paths.ts";
import { openDocument, textOfBytes, writeFiles } from "./write-files.ts";

interface FilesDependencies extends Pick<ProjectFilesOptions, "search" | "scope"> {
  readonly root: Uri;
  /** The format of a translation file, which determines whether the file can declare its encoding. */
  readonly formatAt: (path: string) => FormatName | undefined;
  /** The journal folder of file-transaction.ts. */
  readonly journalFolder: string;
}

/** Returns access to the files below `root`. */
export function openFiles({ root, search, scope, formatAt, journalFolder }: FilesDependencies): ProjectFiles {
  return openProjectFiles({
    root: root.fsPath,
    search,
    scope,
    staging: { journalFolder },
    documents: {
      unsaved: (target, path) => {
        const document = openDocument(Uri.file(target));
        if (document?.isDirty !== true) return undefined;
        return { stamp: dirtyStamp(document), bytes: () => bytesOf(document, formatAt(path)) };
      },
      write: (writes, stage) => writeFiles(writes, stage, formatAt),
    },
  });
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

/**
 * Encodes the text of an unsaved document such that reading the bytes returns the text: in the encoding that the file
 * declares, unless VS Code would save it as UTF-8 or the encoding cannot represent the text. One that is not supported is
 * refused when the bytes are read.
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

/** Whether a file is inside its workspace folder after symbolic links are resolved. */
export async function isInWorkspace(uri: Uri): Promise<boolean> {
  const folder = workspace.getWorkspaceFolder(uri)?.uri;
  if (uri.scheme !== "file") return false;
  return folder === undefined || (await resolveWithin(folder.fsPath, uri.fsPath)) !== null;
}
