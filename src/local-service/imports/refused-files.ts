/**
 * Determines which uploaded files are refused immediately (§ POST /imports rule 2): unsafe archive, content that
 * contradicts the extension, too large, unreadable. Other problems are reported by the job.
 */
import type { FormatName } from "../../model/format-name.ts";
import type { Format, ReadOptions } from "../../formats/format.ts";
import { detectFromPath } from "../../formats/detect-format.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { formatOf } from "../../formats/supported-formats.ts";
import {
  decodeHead,
  isUnreadable,
  MAX_FILE_BYTES,
  readTranslationFile,
} from "../../formats/translation-file.ts";
import { isUnsafePath, readZip, ZipError } from "../../formats/zip.ts";
import { ARCHIVE_LIMITS } from "../specification-decisions.ts";
import type { MessageCode, MessageValues } from "../http/localised-messages.ts";
import { detectFromFile } from "./detect-uploaded-file.ts";
import { firstTitle } from "./spreadsheet-columns.ts";
import { filesOfZip, isScript, isZipName } from "./unpack-zips.ts";
import type { UploadedFile } from "./parse-upload.ts";

export interface RefusedFile {
  readonly index: number;
  readonly code: MessageCode;
  readonly values: MessageValues;
}

/** The reason, and its position in the file if known. */
interface Fault {
  readonly code: MessageCode;
  readonly line?: number | null;
  readonly column?: number | null;
  /** The file within a zip that it refers to. */
  readonly within?: string;
}

/**
 * Returns the files to refuse.
 * @param format format forced by the request, which overrides the file name
 */
export async function refusedFiles(
  files: readonly UploadedFile[],
  format: FormatName | undefined,
): Promise<RefusedFile[]> {
  const refused: RefusedFile[] = [];
  for (const [index, { name, bytes }] of files.entries()) {
    const fault = isZipName(name) ? await checkZip(bytes, format) : await checkFile(name, bytes, format);
    if (fault === undefined) continue;
    const { code, line, column, within } = fault;
    const values = { name: within === undefined ? name : `${name}: ${within}` };
    refused.push({ index, code, values: line == null ? values : { ...values, line, column: column ?? 1 } });
  }
  return refused;
}

async function checkZip(bytes: Uint8Array, forced: FormatName | undefined): Promise<Fault | undefined> {
  if (bytes.length === 0) return { code: "file_empty" };
  try {
    const entries = readZip(bytes, ARCHIVE_LIMITS);
    // § rule 8: the job fails for those.
    if (entries.some((entry) => isUnsafePath(entry.path))) return undefined;
    for (const entry of filesOfZip(entries)) {
      if (entry.size > MAX_FILE_BYTES) return { code: "file_archive", within: entry.path };
      const content = entry.read();
      if (isScript(entry.path, content, forced)) continue;
      const fault = await checkFile(entry.path, content, forced);
      if (fault !== undefined) return { ...fault, within: entry.path };
    }
    return undefined;
  } catch (error) {
    if (error instanceof ZipError)
      return { code: error.kind === "unsafe" ? "file_archive" : "file_unreadable" };
    throw error;
  }
}

async function checkFile(
  path: string,
  bytes: Uint8Array,
  forced: FormatName | undefined,
): Promise<Fault | undefined> {
  if (bytes.length === 0) return { code: "file_empty" };
  if (forced === undefined && detectFromPath(path) === null) return { code: "file_type" };
  const detected = detectFromFile(path, bytes, forced);
  const format = detected === null ? undefined : formatOf(detected.format);
  if (format === undefined) return { code: "file_contents" };
  const options: ReadOptions = { locale: "en", sourceLocale: "en" };
  return formatInfoOf(format.name)?.ownLocales === true
    ? checkSheet(format, bytes, options)
    : checkEntries(format, bytes, options);
}

/** Only checks that there are cells; unknown columns are reported by the job (rule 4). */
async function checkSheet(
  format: Format,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<Fault | undefined> {
  if (format.kind === "text" && OTHER_TEXT.test(decodeHead(bytes))) return { code: "file_contents" };
  const title = firstTitle(format, bytes);
  if (title !== null) return checkEntries(format, bytes, { ...options, columns: [{ title, holds: "key" }] });
  return format.kind === "binary" ? { code: "file_contents" } : checkEntries(format, bytes, options);
}

/** Starts of other kinds of text files, since any text could be a row of cells. */
const OTHER_TEXT = /\0|^\s*(?:<[?!a-z]|\{|\[\s*["{[]|%PDF-|msgid\s)/iu;

async function checkEntries(
  format: Format,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<Fault | undefined> {
  const read = await readTranslationFile(format, bytes, options);
  if (isUnreadable(read)) return { code: "file_encoding", line: read.line, column: read.column };
  const fault = read.problems.find((problem) => problem.code === "syntax");
  if (fault === undefined) return undefined;
  if (format.kind === "binary") return { code: "file_contents" };
  if (fault.line === null) return { code: "file_unreadable" };
  return { code: "file_unreadable_at", line: fault.line, column: fault.column };
}
