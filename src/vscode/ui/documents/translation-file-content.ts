/** The contents of translation files as virtual documents. */
import * as vscode from "vscode";
import type { FileWrite } from "../../../model/platform.ts";
import type { FormatName } from "../../../model/file-formats.ts";
import { decodeText, isUndecodable } from "../../../formats/text/encoding.ts";
import { isUnreadable } from "../../../formats/parse-and-edit-file.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { isBinary } from "../../files/file-text-cache.ts";
import { formatOfFile } from "../../files/format-of-file.ts";
import { projectKeyLabel, textLine } from "../../../messages/labels.ts";
import { NO_NAMESPACE } from "../../../model/key-hash.ts";
import type { DiffSide, FileDiff, VirtualText } from "./virtual-documents.ts";

/** Returns the content of a file as a document; for a binary file a list of its texts. */
export async function documentOfFile(
  open: OpenProject,
  path: string,
  bytes: Uint8Array,
): Promise<VirtualText> {
  const format = formatOfFile(open, path);
  if (format !== undefined && isBinary(open, path))
    return { name: `${path}.txt`, text: await listTexts(open, path, format, bytes) };
  const decoded = decodeText(bytes, format);
  return { name: path, text: isUndecodable(decoded) ? new TextDecoder().decode(bytes) : decoded.text };
}

/** Returns the diff of a file, with the side that is on disk as the file itself; for a binary file of lists of its texts. */
export async function fileDiff(
  open: OpenProject,
  { path, before, after }: Pick<FileWrite, "path" | "before" | "after">,
  onDisk: "before" | "after",
): Promise<FileDiff> {
  const file = vscode.Uri.joinPath(open.root, path);
  const side = async (bytes: Uint8Array, isOnDisk: boolean): Promise<DiffSide> => {
    const document = await documentOfFile(open, path, bytes);
    return isOnDisk && document.name === path ? file : document;
  };
  return {
    file,
    before: before && (await side(before, onDisk === "before")),
    after: await side(after, onDisk === "after"),
  };
}

/** Returns the texts of a binary file as lines of key and value. */
async function listTexts(
  open: OpenProject,
  path: string,
  format: FormatName,
  bytes: Uint8Array,
): Promise<string> {
  const { local } = open;
  const location = local.locate(path);
  const options = location === null ? { locale: "en", sourceLocale: "en" } : local.readOptions(location);
  const read = await local.formats.read(format, bytes, options);
  if (isUnreadable(read)) return "";
  const lines = Array.from(read.entries, ({ namespace, key, context, locale, text }) => {
    const own = namespace ?? location?.keyNaming.namespace ?? NO_NAMESPACE;
    const name = projectKeyLabel(open, { namespace: own, key, context });
    return `${locale === null ? "" : `${locale}  `}${name} = ${textLine(text)}\n`;
  });
  return lines.join("");
}
