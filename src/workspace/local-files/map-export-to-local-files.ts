/**
 * Lists the files of an export response, validated before anything is unpacked, and maps each to its local path and
 * format. The service names files by the profile, which the API does not return; the project file has local paths.
 */
import { dirname } from "node:path/posix";
import { FORMAT_NAMES, formatInfo, type FormatName } from "../../model/file-formats.ts";
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
  /** The service's locale of the texts; `null` if the file has several, or it is unknown. */
  readonly locale: string | null;
  /** Whether the path belongs to a layout entry. Other files are only created, never changed. */
  readonly isInLayout: boolean;
}

/**
 * Why a file of an export has no location. `layout`: it matches no layout entry, and `pull.into` is not set.
 * `language`: it matches an entry, but neither its name nor the exported languages tell which language it is of.
 */
export type UnknownLocation = "layout" | "language";

export interface ExportLocationOptions {
  readonly file: ProjectFile;
  readonly entries: readonly FilesEntry[];
  /** The service's locales. */
  readonly locales: ReadonlySet<string>;
  readonly localeMap: LocaleMap;
}

/**
 * Returns the location of the exported file `name` (a path in a zip, or the name of a single file). Below
 * `pull.into`, the full path is matched against the layout entries; then the name is matched against entries without
 * their leading folders. A file that matches nothing goes to `pull.into` under its own name, if that is set. With
 * `pull.into` set, a name that has folders keeps them.
 * @param exportedLocales The languages of the export; a single one decides where the name has none.
 */
export function exportLocationOf(
  name: string,
  options: ExportLocationOptions,
  exportedLocales: readonly string[],
): ExportLocation | UnknownLocation {
  const { into } = options.file.pull ?? {};
  const root = (into ?? ".").replace(/^(?:\.\/)+/u, "").replace(/\/+$/u, "");
  const folder = root === "" || root === "." ? "" : `${root}/`;
  const fullPath = folder + name;
  const patterns = options.entries.map((entry) => ({ entry, pattern: entry.path, path: fullPath }));
  for (const entry of folder === "" || !name.includes("/") ? options.entries : []) {
    if (!entry.path.startsWith(folder)) continue;
    const parts = entry.path.slice(folder.length).split("/");
    for (let from = 1; from < parts.length; from++)
      patterns.push({ entry, pattern: parts.slice(from).join("/"), path: name });
  }
  let isLanguageUnknown = false;
  for (const { entry, pattern, path } of patterns) {
    const location = locateByPattern(entry, pattern, path, options, exportedLocales);
    if (location === "language") isLanguageUnknown = true;
    else if (location !== null) return location;
  }
  if (isLanguageUnknown) return "language";
  if (into === undefined) return "layout";
  return { path: fullPath, format: formatOfPath(fullPath), locale: null, isInLayout: false };
}

function locateByPattern(
  entry: FilesEntry,
  pattern: string,
  name: string,
  options: ExportLocationOptions,
  exportedLocales: readonly string[],
): ExportLocation | "language" | null {
  const placeholders = matchPath(pattern, name, options.locales);
  if (placeholders === null) return null;
  const hasLocale = hasPlaceholder(entry.path, "locale");
  // A folder that names a language is no part of a namespace, but of another layout.
  const isOtherLayout =
    hasLocale &&
    !hasPlaceholder(pattern, "locale") &&
    name.split("/").some((part) => options.locales.has(options.localeMap.toService(part) ?? part));
  if (isOtherLayout) return null;
  const [only = null, ...others] = exportedLocales;
  const fromName = placeholders.locale;
  const locale =
    fromName !== null
      ? (options.localeMap.toService(fromName) ?? fromName)
      : others.length === 0
        ? only
        : null;
  if (locale === null && hasLocale) return "language";
  const inFile = locale === null ? null : options.localeMap.toFile(locale);
  const path = fillIn(entry.path, { ...placeholders, locale: inFile });
  return path === null ? null : { path, format: entry.format, locale, isInLayout: true };
}

/** One file of an export, under the service's name; unpacked when it is read. */
export interface ExportedFile {
  readonly name: string;
  /** @throws {ZipError} when the file cannot be unpacked */
  read(): Uint8Array;
}

const ARCHIVE_LIMITS: ZipLimits = { entries: 20_000, unpackedBytes: 512 * 1024 * 1024, ratio: 1000 };

/** Whether an export is a single file of a binary format, by its name or media type. */
function isBinaryFile(fileName: string, mediaType: string): boolean {
  const format = formatOfPath(fileName);
  const binary = FORMAT_NAMES.filter((name) => formatInfo(name).kind === "binary");
  return binary.some((name) => name === format || mediaType.startsWith(formatInfo(name).mediaType));
}

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
  // A workbook has the bytes of a zip but is a single file.
  const isZip =
    !isBinaryFile(fileName ?? "", mediaType) &&
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
