/** Reads the zip archives of an upload with the limits of choices.ts; the reading itself is the core's. */
import { crc32, inflateRawSync } from "node:zlib";
import { readZip as readZipWith, type ZipEntry } from "../../core/zip.ts";
import { ARCHIVE_LIMITS } from "../choices.ts";

const INFLATE = {
  inflateRaw: (packed: Uint8Array, most: number) => inflateRawSync(packed, { maxOutputLength: most }),
  crc32: (bytes: Uint8Array) => crc32(bytes),
};

/** The files of the archive (no folders). Throws `ZipError`; an entry's `read` does too. */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  return readZipWith(bytes, ARCHIVE_LIMITS, INFLATE);
}
