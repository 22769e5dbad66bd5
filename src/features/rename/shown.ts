/**
 * Whether a translation file can be changed through its document: not where VS Code shows, or would save, something else
 * than what the file says (mixed line ends, an encoding that VS Code does not know of).
 */
import { workspace, Uri } from "vscode";
import { decodeText, encodeText, isNotText } from "../../core/bytes.ts";
import { applySplices } from "../../core/formats/edit.ts";
import type { RenamedFile } from "../../core/rename.ts";
import type { OpenProject } from "../../host/app.ts";
import { formatAt } from "../../host/file-texts.ts";
import { savesAs } from "../../host/file-writes.ts";

/** Whether the edit of the file's text makes exactly the same of the file, once it is saved. */
export async function isShown(open: OpenProject, { path, splices }: RenamedFile): Promise<boolean> {
  const before = (await open.files.read(path))?.bytes;
  const format = formatAt(open, path);
  const decoded = before && decodeText(before, format);
  if (before === undefined || decoded === undefined || isNotText(decoded)) return false;
  const after = encodeText({ ...decoded, text: applySplices(decoded.text, splices) });
  const document = await workspace.openTextDocument(Uri.joinPath(open.root, path));
  return savesAs(document, { before, after }, format);
}
