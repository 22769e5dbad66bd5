/** Reads and changes translation files in the caller's own thread. */
import type { FormatName } from "../model/format-name.ts";
import type { Change, Entry, Format, ReadOptions, Splice } from "./format.ts";
import { formatOf } from "./registry.ts";
import { renameInPlace } from "./rename-in-place.ts";
import {
  type EditedFile,
  editTranslationFile,
  type FileRead,
  type NotReadable,
  readTranslationFile,
} from "./translation-file.ts";

/** All of a file's work is done before anything else runs. Each rejects where the format is not known here. */
export const direct = {
  read: async (
    format: FormatName,
    bytes: Uint8Array,
    options: ReadOptions,
  ): Promise<FileRead | NotReadable> => readTranslationFile(known(format), bytes, options),
  /** Without `bytes` a new file. */
  edit: async (
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: ReadOptions,
  ): Promise<EditedFile | NotReadable> => editTranslationFile(known(format), bytes, changes, options),
  /** As `renameInPlace`; a file that is no text has no places. */
  renameInPlace: async (
    name: FormatName,
    bytes: Uint8Array,
    entries: readonly Entry[],
    newKey: string,
    options: ReadOptions,
  ): Promise<Splice | null> => {
    const format = known(name);
    return format.kind === "text" ? renameInPlace(format, bytes, entries, newKey, options) : null;
  },
};

function known(name: FormatName): Format {
  const format = formatOf(name);
  if (format === undefined) throw new Error(`files of ${name} are not read here`);
  return format;
}
