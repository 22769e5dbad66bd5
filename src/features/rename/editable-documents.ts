/**
 * Whether a translation file can be changed through its document: not where VS Code shows, or would save, something else
 * than what the file says (mixed line ends, an encoding that VS Code does not know of).
 */
import { workspace, Uri } from "vscode";
import { decodeText, encodeText, isNotText, sameBytes, type Decoded } from "../../formats/encoding.ts";
import { applySplices } from "../../formats/edit.ts";
import type { RenamedFile } from "../../workspace/refactoring/rename.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { formatAt } from "../../vscode/projects/file-texts.ts";
import { openDocument, savesAs } from "../../vscode/files/file-writes.ts";
import { isAlwaysUtf8 } from "../../vscode/settings.ts";

/** Larger files than these VS Code shows in ways of its own. Bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Whether the edit of the file's text makes exactly the same of the file, once it is saved. */
export async function isShown(open: OpenProject, { path, splices }: RenamedFile): Promise<boolean> {
  const before = (await open.files.read(path))?.bytes;
  const format = formatAt(open, path);
  const decoded = before && decodeText(before, format);
  if (before === undefined || decoded === undefined || isNotText(decoded)) return false;
  const text = applySplices(decoded.text, splices);
  const after = encodeText({ ...decoded, text });
  const uri = Uri.joinPath(open.root, path);
  // To open a large file only to look at it takes VS Code a second.
  if (openDocument(uri) === undefined && isPlain(uri, decoded, before) && hasOneLineEnd(text)) {
    return true;
  }
  const document = await workspace.openTextDocument(uri);
  return savesAs(document, { before, after }, format);
}

/** Whether VS Code shows the file as it is, whoever opens it: UTF-8 and nothing else is asked for, and one kind of line end. */
function isPlain(uri: Uri, decoded: Decoded, bytes: Uint8Array): boolean {
  if (!isAlwaysUtf8(uri) || decoded.encoding !== undefined || bytes.length > MAX_BYTES) return false;
  return hasOneLineEnd(decoded.text) && sameBytes(encodeText(decoded), bytes);
}

/** With several kinds, VS Code would make them the same throughout the file. */
function hasOneLineEnd(text: string): boolean {
  return !text.includes("\r") || !/\r(?!\n)|(?<!\r)\n/u.test(text);
}
