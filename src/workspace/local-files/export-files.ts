/**
 * The files of an export's answer: the one file, or those of its archive, judged before anything is unpacked. Where
 * they belong is export-location.ts's.
 */
import type { ExportAnswer } from "../../api/exports.ts";
import { nameOnAnyDisk } from "../files/paths.ts";
import { isSafeRelativePath } from "../project-file/project-file.ts";
import { isUnsafePath, readZip, ZipError, type ZipLimits } from "../../formats/zip.ts";

/** One file of an export, by the service's name of it; unpacked when it is read. */
export interface Exported {
  readonly name: string;
  /** Throws ZipError. */
  read(): Uint8Array;
}

/** What an export's archive may hold. */
const LIMITS: ZipLimits = { entries: 20_000, unpackedBytes: 512 * 1024 * 1024, ratio: 1000 };

/** Throws ZipError for an archive that is broken or too large, and for names that could leave the folder or clash. */
export function exportedFiles({
  bytes,
  fileName,
  mediaType,
}: Extract<ExportAnswer, { kind: "file" }>): Exported[] {
  // A spreadsheet is a zip by its bytes, too, and one file all the same.
  const isSpreadsheet = /\.xlsx$/iu.test(fileName ?? "") || mediaType.includes("spreadsheetml");
  const isZip =
    !isSpreadsheet &&
    (mediaType === "application/zip" || (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03));
  if (!isZip) {
    if (fileName === null || !isPlain(fileName))
      throw new ZipError("unsafe", "the export has no usable file name");
    return [{ name: fileName, read: () => bytes }];
  }
  const entries = readZip(bytes, LIMITS);
  const files = new Set<string>();
  for (const { path } of entries) {
    if (!isPlain(path)) throw new ZipError("unsafe", `the archive holds the path "${path}"`);
    if (files.has(nameOnAnyDisk(path))) throw new ZipError("unsafe", `the archive holds "${path}" twice`);
    files.add(nameOnAnyDisk(path));
  }
  for (const { path } of entries) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (files.has(nameOnAnyDisk(folder)))
        throw new ZipError("unsafe", `the archive holds "${folder}" as a file and as a folder`);
    }
  }
  return entries.map((entry) => ({ name: entry.path, read: () => entry.read() }));
}

/** Below the folder, and written in one way only, also on disks that drop a dot at the end or part a name at a colon. */
function isPlain(path: string): boolean {
  if (isUnsafePath(path) || !isSafeRelativePath(path)) return false;
  return path.split("/").every((part) => part !== "" && !/\p{Cc}|:|[. ]$/u.test(part));
}
