/**
 * Lists the files of an export response, validated before anything is unpacked, and maps each to its local path and
 * format. The service names files by the profile, which the API does not return; the project file has local paths.
 */
import { dirname } from "node:path/posix";
import type { FormatName } from "../../model/format-name.ts";
import { formatOfPath } from "../../formats/detect-format.ts";
import { hasPlaceholder, matchPath, fillIn } from "../file-layout/path-patterns.ts";
import type { LocaleMap } from "../../model/locales.ts";
import { type FilesEntry, type ProjectFile, isSafeRelativePath } from "../project-file/project-file.ts";
import type { ExportResult } from "../../api/export-response.ts";
import { foldFileName } from "../file-system/paths.ts";
import { isUnsafePath, readZip, ZipError, type ZipLimits } from "../../formats/zip.ts";

export interface ExportLocation {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly format: FormatName | null;
  /** The service's locale of the texts; `null` if the name does not contain it. */
  readonly locale: string | null;
}

export interface ExportLocationOptions {
  readonly file: ProjectFile;
  readonly entries: readonly FilesEntry[];
  /** The service's locales. */
  readonly locales: ReadonlySet<string>;
  readonly localeMap: LocaleMap;
  /** The requested locales; a single one decides where the name has none. */
  readonly requestedLocales: readonly string[];
}

/**
 * Returns the location of the exported file `name` (a path in a zip, or the name of a single file). Below
 * `pull.into`, the full path is matched against the layout entries; then the name is matched against entries without
 * their leading folders. A file that matches nothing goes to `pull.into` (by default the project root) under its own
 * name. With `pull.into` set, a name that has folders keeps them.
 */
export function exportLocationOf(name: string, options: ExportLocationOptions): ExportLocation {
  const into = (options.file.pull?.into ?? ".").replace(/^(?:\.\/)+/u, "").replace(/\/+$/u, "");
  const folder = into === "" || into === "." ? "" : `${into}/`;
  const fullPath = folder + name;
  const patterns = options.entries.map((entry) => ({ entry, pattern: entry.path, path: fullPath }));
  for (const entry of folder === "" || !name.includes("/") ? options.entries : []) {
    if (!entry.path.startsWith(folder)) continue;
    const parts = entry.path.slice(folder.length).split("/");
    for (let from = 1; from < parts.length; from++)
      patterns.push({ entry, pattern: parts.slice(from).join("/"), path: name });
  }
  for (const { entry, pattern, path } of patterns) {
    const location = locateByPattern(entry, pattern, path, options);
    if (location !== null) return location;
  }
  return { path: fullPath, format: formatOfPath(fullPath), locale: null };
}

function locateByPattern(
  entry: FilesEntry,
  pattern: string,
  name: string,
  options: ExportLocationOptions,
): ExportLocation | null {
  const placeholders = matchPath(pattern, name, options.locales);
  if (placeholders === null) return null;
  const [only = null, ...others] = options.requestedLocales;
  const fromName = placeholders.locale;
  const locale =
    fromName !== null
      ? (options.localeMap.toService(fromName) ?? fromName)
      : others.length === 0
        ? only
        : null;
  if (locale === null && hasPlaceholder(entry.path, "locale")) return null;
  const inFile = locale === null ? null : options.localeMap.toFile(locale);
  const path = fillIn(entry.path, { ...placeholders, locale: inFile });
  return path === null ? null : { path, format: entry.format, locale };
}

/** One file of an export, under the service's name; unpacked when it is read. */
export interface ExportedFile {
  readonly name: string;
  /** @throws {ZipError} when the file cannot be unpacked */
  read(): Uint8Array;
}

const ARCHIVE_LIMITS: ZipLimits = { entries: 20_000, unpackedBytes: 512 * 1024 * 1024, ratio: 1000 };

/**
 * Returns the files of an export.
 * @throws {ZipError} for an archive that is damaged or too large, and for names that could leave the folder or
 * collide
 */
export function exportedFiles({
  bytes,
  fileName,
  mediaType,
}: Extract<ExportResult, { kind: "file" }>): ExportedFile[] {
  // An XLSX workbook has the bytes of a zip but is a single file.
  const isSpreadsheet = /\.xlsx$/iu.test(fileName ?? "") || mediaType.includes("spreadsheetml");
  const isZip =
    !isSpreadsheet &&
    (mediaType === "application/zip" || (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03));
  if (!isZip) {
    if (fileName === null || !isCanonicalPath(fileName))
      throw new ZipError("unsafe", "the export has no usable file name");
    return [{ name: fileName, read: () => bytes }];
  }
  const entries = readZip(bytes, ARCHIVE_LIMITS);
  const files = new Set<string>();
  for (const { path } of entries) {
    if (!isCanonicalPath(path)) throw new ZipError("unsafe", `the archive holds the path "${path}"`);
    if (files.has(foldFileName(path))) throw new ZipError("unsafe", `the archive holds "${path}" twice`);
    files.add(foldFileName(path));
  }
  for (const { path } of entries) {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      if (files.has(foldFileName(folder)))
        throw new ZipError("unsafe", `the archive holds "${folder}" as a file and as a folder`);
    }
  }
  return entries.map((entry) => ({ name: entry.path, read: () => entry.read() }));
}

/** Whether the path stays below its folder, also on disks that drop a trailing dot or split at a colon. */
function isCanonicalPath(path: string): boolean {
  if (isUnsafePath(path) || !isSafeRelativePath(path)) return false;
  return path.split("/").every((part) => part !== "" && !/\p{Cc}|:|[. ]$/u.test(part));
}
