/**
 * Checks whether a translation file can be edited through its document: not if VS Code would decode or save it differently
 * (mixed line endings, another encoding).
 */
import { workspace, Uri } from "vscode";
import { decodeText, encodeText, isUndecodable } from "../../formats/encoding.ts";
import { applySplices } from "../../formats/apply-verified-edit.ts";
import type { RenamedFile } from "../../workspace/refactoring/plan-key-rename.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatOfFile } from "../../vscode/files/format-of-file.ts";
import { openDocument, savesAs } from "../../vscode/files/write-files.ts";
import { isAlwaysUtf8 } from "../../vscode/extension-settings.ts";

/** VS Code handles larger files differently. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Whether saving the edited document would write exactly the planned bytes. */
export async function isSavedUnchanged(open: OpenProject, file: RenamedFile): Promise<boolean> {
  const uri = Uri.joinPath(open.root, file.path);
  // Opening a large file takes VS Code a second, so it is avoided where possible.
  if (openDocument(uri) === undefined && isPlain(uri, file)) return true;
  const before = (await open.files.read(file.path))?.bytes;
  const format = formatOfFile(open, file.path);
  const decoded = before && decodeText(before, format);
  if (before === undefined || decoded === undefined || isUndecodable(decoded)) return false;
  if (decoded.text !== file.before) return false;
  const text = applySplices(decoded.text, file.splices);
  const document = await workspace.openTextDocument(uri);
  return savesAs(document, { before, after: encodeText({ ...decoded, text }) }, format);
}

/** Whether VS Code opens and saves the file as UTF-8 regardless of language-specific settings. */
function isPlain(uri: Uri, { before, isUtf8, splices }: RenamedFile): boolean {
  if (!isAlwaysUtf8(uri) || !isUtf8 || Buffer.byteLength(before) > MAX_BYTES) return false;
  // The text of the edit is put together only where it must be.
  if ([before, ...splices.map(({ text }) => text)].every((text) => !text.includes("\r"))) return true;
  return hasOneLineEnd(before) && hasOneLineEnd(applySplices(before, splices));
}

/** Whether the text has only one kind of line ending; VS Code would normalise mixed ones. */
function hasOneLineEnd(text: string): boolean {
  return !/\r(?!\n)|(?<!\r)\n/u.test(text);
}
