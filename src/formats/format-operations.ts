/** Parses and edits translation files of any format by name. This bundle of all formats is loaded on demand. */
import type { FormatName } from "../model/format-name.ts";
import type { Change, Entry, Format, ReadOptions, Splice } from "./format.ts";
import { formatOf } from "./supported-formats.ts";
import { renameInPlace } from "./rename-in-place.ts";
import {
  type EditedFile,
  editTranslationFile,
  type FileRead,
  type UnreadableFile,
  readTranslationFile,
} from "./translation-file.ts";

/**
 * Parses and edits without yielding.
 * @throws {Error} if the format is not supported
 */
export const formats = {
  read: async (
    format: FormatName,
    bytes: Uint8Array,
    options: ReadOptions,
  ): Promise<FileRead | UnreadableFile> => readTranslationFile(requireFormat(format), bytes, options),
  /** Creates a new file if `bytes` is absent. */
  edit: async (
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: ReadOptions,
  ): Promise<EditedFile | UnreadableFile> =>
    editTranslationFile(requireFormat(format), bytes, changes, options),
  /** Same as `renameInPlace`; `null` for binary formats. */
  renameInPlace: async (
    name: FormatName,
    bytes: Uint8Array,
    entries: readonly Entry[],
    newKey: string,
    options: ReadOptions,
  ): Promise<Splice | null> => {
    const format = requireFormat(name);
    return format.kind === "text" ? renameInPlace(format, bytes, entries, newKey, options) : null;
  },
};

function requireFormat(name: FormatName): Format {
  const format = formatOf(name);
  if (format === undefined) throw new Error(`unsupported format: ${name}`);
  return format;
}
