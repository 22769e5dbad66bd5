/**
 * The supported file formats, by the service's names: add a line here for each new format. This bundle of all formats
 * is loaded on demand.
 */
import type { FormatKinds, FormatName } from "../model/file-formats.ts";
import { csv } from "./spreadsheets/csv-format.ts";
import type { Change, Format, ReadOptions, Splice } from "./format.ts";
import { jsModule } from "./js/js-module-format.ts";
import { jsonJs, laravelJson } from "./json/json-format.ts";
import { laravelPhp } from "./php/laravel-php-format.ts";
import { mo } from "./gettext/mo-format.ts";
import { po, pot } from "./gettext/po-format.ts";
import { wordpressJed } from "./wordpress/wordpress-jed-format.ts";
import { wordpressPhp } from "./wordpress/wordpress-php-format.ts";
import { xliff12, xliff20 } from "./xliff/xliff-format.ts";
import { xlsx } from "./spreadsheets/xlsx-format.ts";
import { type KeyRename, renameInPlace } from "./editing/rename-in-place.ts";
import {
  type EditedFile,
  editTranslationFile,
  type FileRead,
  readTranslationFile,
  type UnreadableFile,
} from "./parse-and-edit-file.ts";

const BY_NAME: Readonly<{ [Name in FormatName]: Extract<Format, { kind: FormatKinds[Name] }> }> = {
  laravel_php: laravelPhp,
  laravel_json: laravelJson,
  json_js: jsonJs,
  js_module: jsModule,
  po,
  pot,
  mo,
  wordpress_php: wordpressPhp,
  wordpress_jed: wordpressJed,
  csv,
  xlsx,
  xliff12,
  xliff20,
};

/** All supported formats. */
export const FORMATS: readonly Format[] = Object.values(BY_NAME);

/** Returns the format with that name; `undefined` if the service has it but it is not supported (yet). */
export function formatOf(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** Parses and edits without yielding. */
export const formats = {
  read: async (
    format: FormatName,
    bytes: Uint8Array,
    options: ReadOptions,
  ): Promise<FileRead | UnreadableFile> => readTranslationFile(BY_NAME[format], bytes, options),
  /** Creates a new file if `bytes` is absent. */
  edit: async (
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: ReadOptions,
  ): Promise<EditedFile | UnreadableFile> => editTranslationFile(BY_NAME[format], bytes, changes, options),
  /** Same as `renameInPlace`; `null` for binary formats. */
  renameInPlace: async (
    name: FormatName,
    bytes: Uint8Array,
    renames: readonly KeyRename[],
    options: ReadOptions,
  ): Promise<readonly Splice[] | null> => {
    const format = BY_NAME[name];
    return format.kind === "text" ? renameInPlace(format, bytes, renames, options) : null;
  },
};
