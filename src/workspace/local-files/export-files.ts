/**
 * Lists the files of an export response: the single file, or those of its archive, validated before anything is
 * unpacked. Where they go is decided in export-location.ts.
 */
import type { ExportResult } from "../../api/exports.ts";
import { foldFileName } from "../files/paths.ts";
import { isSafeRelativePath } from "../project-file/project-file.ts";
import { isUnsafePath, readZip, ZipError, type ZipLimits } from "../../formats/zip.ts";

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
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (files.has(foldFileName(folder)))
        throw new ZipError("unsafe", `the archive holds "${folder}" as a file and as a folder`);
    }
  }
  return entries.map((entry) => ({ name: entry.path, read: () => entry.read() }));
}

/**
 * Whether the path stays below its folder and has a single spelling, also on disks that drop a trailing dot or split
 * a name at a colon.
 */
function isCanonicalPath(path: string): boolean {
  if (isUnsafePath(path) || !isSafeRelativePath(path)) return false;
  return path.split("/").every((part) => part !== "" && !/\p{Cc}|:|[. ]$/u.test(part));
}
