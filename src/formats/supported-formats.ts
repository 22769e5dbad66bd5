/**
 * The supported file formats, by the service's names: add a line here for each new format. This bundle of all formats
 * is loaded on demand.
 */
import type { FormatName } from "../model/format-name.ts";
import { csv } from "./spreadsheets/csv-format.ts";
import type { Change, Entry, Format, ReadOptions, Splice } from "./format.ts";
import { jsModule } from "./js/js-module-format.ts";
import { jsonJs, laravelJson } from "./json/json-format.ts";
import { laravelPhp } from "./php/laravel-php-format.ts";
import { mo } from "./gettext/mo-format.ts";
import { po, pot } from "./gettext/po-format.ts";
import { wordpressJed } from "./gettext/wordpress-jed-format.ts";
import { wordpressPhp } from "./php/wordpress-php-format.ts";
import { xliff12, xliff20 } from "./xliff/xliff-format.ts";
import { xlsx } from "./spreadsheets/xlsx-format.ts";
import { renameInPlace } from "./editing/rename-in-place.ts";
import {
  type EditedFile,
  editTranslationFile,
  type FileRead,
  readTranslationFile,
  type UnreadableFile,
} from "./parse-and-edit-file.ts";

/** All supported formats, in the order of the service's list. */
export const FORMATS: readonly Format[] = [
  laravelPhp,
  laravelJson,
  jsonJs,
  jsModule,
  po,
  pot,
  mo,
  wordpressPhp,
  wordpressJed,
  csv,
  xlsx,
  xliff12,
  xliff20,
];

const byName = new Map<string, Format>(FORMATS.map((format) => [format.name, format]));

/** Returns the format with that name; `undefined` if the service has it but it is not supported (yet). */
export function formatOf(name: string): Format | undefined {
  return byName.get(name);
}

function requireFormat(name: FormatName): Format {
  const format = formatOf(name);
  if (format === undefined) throw new Error(`unsupported format: ${name}`);
  return format;
}

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
