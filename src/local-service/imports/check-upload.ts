/** The files of an upload: unpacks zips, detects formats, and finds files to refuse. */
import { formatInfo, formatInfoOf, type FormatName } from "../../model/file-formats.ts";
import {
  contentFormat,
  detectFromContent,
  detectFromPath,
  formatOfPath,
  type DetectedFormat,
} from "../../formats/detect-format.ts";
import type { Format, ReadOptions } from "../../formats/format.ts";
import { formatOf } from "../../formats/supported-formats.ts";
import {
  decodeHead,
  isUnreadable,
  MAX_FILE_BYTES,
  readTranslationFile,
} from "../../formats/parse-and-edit-file.ts";
import { isUnsafePath, readZip, ZipError, type ZipEntry } from "../../formats/zip.ts";
import { ARCHIVE_LIMITS } from "../specification-decisions.ts";
import type { Message } from "../http/localised-messages.ts";
import { JobFailure } from "../jobs.ts";
import { firstTitle } from "./spreadsheet-columns.ts";

export interface UploadedFile {
  /** As sent, including folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Uploads up to this size are read in the main thread. */
const SMALL_BYTES = 64 * 1024;

/** Returns whether an upload is read in the main thread. */
export function isSmallUpload(files: readonly UploadedFile[]): boolean {
  return files.reduce((size, { bytes }) => size + bytes.length, 0) <= SMALL_BYTES;
}

/** Returns a path with `/` as separator and without a leading one. */
export function normalizePath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/u, "");
}

/**
 * Detects format, language and namespace of a file by its path and first bytes, unless the request forces the format
 * (§ POST /imports rule 1). Returns `null` if the content contradicts the extension or the forced format.
 */
export function detectFromFile(
  path: string,
  bytes: Uint8Array,
  forced: FormatName | undefined,
): DetectedFormat | null {
  const head = decodeHead(bytes);
  if (forced === undefined) return detectFromContent(path, head);
  if (contentFormat(forced, head) === null) return null;
  const { locale = null, namespace = null } = detectFromPath(path) ?? {};
  return { format: forced, locale, namespace: formatInfo(forced).hasNamespaces ? namespace : null };
}

function isZipName(name: string): boolean {
  return /\.zip$/iu.test(name);
}

/**
 * Returns the files of a zip that may be translation files; empty files and system files are left out. Of files with
 * the same path, the last one is used, as by unpacking programs.
 * @throws {JobFailure} for an unsafe path (§ POST /imports rule 8)
 * @throws {ZipError}
 */
function filesOfZip({ name, bytes }: UploadedFile): ZipEntry[] {
  const entries = readZip(bytes, ARCHIVE_LIMITS);
  const unsafe = entries.find((entry) => isUnsafePath(entry.path));
  if (unsafe !== undefined) throw new JobFailure("zip_slip", { name, path: unsafe.path });
  const isSystemFile = (path: string): boolean => path.startsWith("__MACOSX/") || /(?:^|\/)\._/u.test(path);
  const files = entries.filter(
    ({ size, path }) => size > 0 && !isSystemFile(path) && formatOfPath(path) !== null,
  );
  return [...new Map(files.map((entry) => [entry.path, entry])).values()];
}

/** Returns whether a file of a zip is a script without texts, which may have the same extension as texts. */
function isScript(path: string, bytes: Uint8Array, forced: FormatName | undefined): boolean {
  return (
    forced === undefined &&
    formatInfoOf(formatOfPath(path) ?? "")?.isCode === true &&
    detectFromFile(path, bytes, undefined) === null
  );
}

/**
 * Returns the files of an upload, with zips replaced by their files.
 * @throws {JobFailure} for an unsafe path, or a zip without translation files
 */
export function unpackedFiles(
  files: readonly UploadedFile[],
  forced: FormatName | undefined,
): readonly UploadedFile[] {
  return files.flatMap((file) => {
    if (!isZipName(file.name)) return [file];
    const found = filesOfZip(file)
      .map((entry) => ({ name: entry.path, bytes: entry.read() }))
      .filter(({ name, bytes }) => !isScript(name, bytes, forced));
    if (found.length === 0) throw new JobFailure("unknown_format", { name: file.name });
    return found;
  });
}

/**
 * Returns the errors of files to refuse (§ POST /imports rule 2), by field. The job reports other problems.
 * @param forced format that the request forces
 */
export async function refusedFiles(
  files: readonly UploadedFile[],
  forced: FormatName | undefined,
): Promise<Map<string, Message[]>> {
  const errors = new Map<string, Message[]>();
  for (const [index, file] of files.entries()) {
    const error = isZipName(file.name)
      ? await checkZip(file, forced)
      : await checkFile(file.name, file, forced);
    if (error !== undefined) errors.set(`files.${index}`, [error]);
  }
  return errors;
}

async function checkZip(file: UploadedFile, forced: FormatName | undefined): Promise<Message | undefined> {
  const { name } = file;
  if (file.bytes.length === 0) return { code: "file_empty", values: { name } };
  try {
    for (const entry of filesOfZip(file)) {
      const label = `${name}: ${entry.path}`;
      if (entry.size > MAX_FILE_BYTES) return { code: "file_archive", values: { name: label } };
      const bytes = entry.read();
      if (isScript(entry.path, bytes, forced)) continue;
      const error = await checkFile(label, { name: entry.path, bytes }, forced);
      if (error !== undefined) return error;
    }
    return undefined;
  } catch (error) {
    // § rule 8: the job fails for an unsafe path.
    if (error instanceof JobFailure) return undefined;
    if (!(error instanceof ZipError)) throw error;
    return { code: error.kind === "unsafe" ? "file_archive" : "file_unreadable", values: { name } };
  }
}

/** @param name shown in the message */
async function checkFile(
  name: string,
  { name: path, bytes }: UploadedFile,
  forced: FormatName | undefined,
): Promise<Message | undefined> {
  const values = { name };
  if (bytes.length === 0) return { code: "file_empty", values };
  if (forced === undefined && detectFromPath(path) === null) return { code: "file_type", values };
  const detected = detectFromFile(path, bytes, forced);
  const format = detected === null ? undefined : formatOf(detected.format);
  const options = format && readOptions(format, bytes);
  if (format === undefined || options === undefined) return { code: "file_contents", values };
  const read = await readTranslationFile(format, bytes, options);
  if (isUnreadable(read)) {
    return { code: "file_encoding", values: { name, line: read.line, column: read.column } };
  }
  const fault = read.problems.find((problem) => problem.code === "syntax");
  if (fault === undefined) return undefined;
  if (format.kind === "binary") return { code: "file_contents", values };
  if (fault.line === null) return { code: "file_unreadable", values };
  return { code: "file_unreadable_at", values: { name, line: fault.line, column: fault.column ?? 1 } };
}

/** First characters of text files of other formats; any other text could be a row of cells. */
const OTHER_TEXT = /\0|^\s*(?:<[?!a-z]|\{|\[\s*["{[]|%PDF-|msgid\s)/iu;

/**
 * Returns the options to check a file with; `undefined` if it should be a spreadsheet and is none. Any first column
 * counts as the keys, since the job reports unknown columns (rule 4).
 */
function readOptions(format: Format, bytes: Uint8Array): ReadOptions | undefined {
  const options: ReadOptions = { locale: "en", sourceLocale: "en" };
  if (formatInfoOf(format.name)?.ownLocales !== true) return options;
  if (format.kind === "text" && OTHER_TEXT.test(decodeHead(bytes))) return undefined;
  const title = firstTitle(format, bytes);
  if (title !== null) return { ...options, columns: [{ title, holds: "key" }] };
  return format.kind === "binary" ? undefined : options;
}
