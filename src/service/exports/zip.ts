/** Writes zip archives whose bytes depend on their files alone. */
import { zipSync, type Zippable } from "fflate";
import { ZIP_DATE } from "../specification-decisions.ts";

/** The archive of these files, in this order. */
export function writeZip(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): Uint8Array {
  // A zip holds local time: a local date is the same number in every time zone.
  const mtime = new Date(ZIP_DATE.year, ZIP_DATE.month, ZIP_DATE.day);
  const content: Zippable = {};
  for (const file of files)
    content[file.path] = [file.bytes, { mtime, level: 6, os: 3, attrs: 0o100644 << 16 }];
  return zipSync(content);
}
