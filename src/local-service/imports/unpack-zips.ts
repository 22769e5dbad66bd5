/** Replaces zips in an upload by their files, without interpreting those. */
import type { FormatName } from "../../model/format-name.ts";
import { formatOfPath } from "../../formats/detect-format.ts";
import { isUnsafePath, readZip, ZipError, type ZipEntry } from "../../formats/zip.ts";
import { ARCHIVE_LIMITS } from "../specification-decisions.ts";
import { JobFailure } from "../jobs/job-store.ts";
import { detectFromFile } from "./detect-uploaded-file.ts";
import type { UploadedFile } from "./parse-upload.ts";

export function isZipName(name: string): boolean {
  return /\.zip$/iu.test(name);
}

/**
 * Returns the files of a zip that may be translation files, without other kinds, empty ones and system files. Of
 * several with the same path the last one counts, as for unpacking programs.
 */
export function filesOfZip(entries: readonly ZipEntry[]): ZipEntry[] {
  const byPath = new Map<string, ZipEntry>();
  for (const entry of entries) {
    if (entry.size > 0 && !isSystemFile(entry.path) && formatOfPath(entry.path) !== null) {
      byPath.set(entry.path, entry);
    }
  }
  return [...byPath.values()];
}

/** Returns whether a file is a program, which may have the extension of translation files. */
export function isScript(path: string, bytes: Uint8Array, forced: FormatName | undefined): boolean {
  return (
    forced === undefined &&
    formatOfPath(path) === "js_module" &&
    detectFromFile(path, bytes, undefined) === null
  );
}

function isSystemFile(path: string): boolean {
  return path.startsWith("__MACOSX/") || /(?:^|\/)\._/u.test(path);
}

/**
 * Returns the files of an upload.
 * @throws {JobFailure} for an unsafe path (§ POST /imports rule 8), or a zip without readable files.
 */
export function unpackedFiles(
  files: readonly UploadedFile[],
  forced: FormatName | undefined,
): { readonly path: string; readonly bytes: Uint8Array }[] {
  return files.flatMap(({ name, bytes }) => {
    if (!isZipName(name)) return [{ path: name, bytes }];
    try {
      const entries = readZip(bytes, ARCHIVE_LIMITS);
      const unsafe = entries.find((entry) => isUnsafePath(entry.path));
      if (unsafe !== undefined) throw new JobFailure("zip_slip", { name, path: unsafe.path });
      const found = filesOfZip(entries)
        .map((entry) => ({ path: entry.path, bytes: entry.read() }))
        .filter((file) => !isScript(file.path, file.bytes, forced));
      if (found.length === 0) throw new JobFailure("unknown_format", { name });
      return found;
    } catch (error) {
      if (error instanceof ZipError) throw new JobFailure("unreadable_file", { name, detail: error.message });
      throw error;
    }
  });
}
