/**
 * Builds an export from a snapshot of the store (§ GET /exports). The same content gives the same bytes: order and dates
 * are fixed, and the compressor does not depend on the platform.
 */
import { formatInfo, formatInfoOf, type FormatName } from "../../model/file-formats.ts";
import { hash } from "node:crypto";
import type { Format, NewEntry } from "../../formats/format.ts";
import { formatOf } from "../../formats/supported-formats.ts";
import { printTranslationFile } from "../../formats/parse-and-edit-file.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import { neededCategories } from "../../model/plural-categories.ts";
import type { Text } from "../../model/translation-text.ts";
import {
  hasPlaceholder,
  fillIn,
  locateKey,
  type PlaceholderValues,
} from "../../workspace/file-layout/path-patterns.ts";
import { isUnsafePath } from "../../formats/zip.ts";
import { isEmptyOmitted, mediaTypeOf, ZIP_DATE } from "../specification-decisions.ts";
import type { MissingMode, ExportProfile } from "../service-settings.ts";
import {
  ACTIVE_KEYS,
  contentVersion,
  listedLanguages,
  selectKeys,
  storedText,
  type KeyRow,
  type LanguageRow,
  type TextColumns,
} from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";
import { zipSync, type Zippable } from "fflate";

export interface ExportRequest {
  /** Base name of the zip file. */
  readonly slug: string;
  readonly profile: ExportProfile;
  readonly locales: readonly string[];
  readonly missing: MissingMode;
}

export interface BuiltExport {
  readonly contentVersion: number;
  /** Strong: the quoted SHA-256 of the bytes. */
  readonly etag: string;
  readonly mediaType: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

type ExportFile = ExportProfile["files"][number];

/** A file of an export. */
interface TargetFile {
  readonly path: string;
  readonly format: Format;
  readonly locale: string;
  readonly entries: NewEntry[];
}

export async function buildExport(connection: Connection, request: ExportRequest): Promise<BuiltExport> {
  const languages = listedLanguages(connection);
  const sourceLocale = languages[0]?.locale ?? "";
  const files: { path: string; format: FormatName; bytes: Uint8Array }[] = [];
  for (const { path, format, locale, entries } of distributeKeys(connection, request, languages)) {
    const bytes = await printTranslationFile(format, entries, { locale, sourceLocale });
    files.push({ path, format: format.name, bytes });
  }
  const { path, format, bytes } =
    files.length === 1 && files[0] !== undefined
      ? files[0]
      : {
          path: `${request.slug}-${request.profile.key}.zip`,
          format: "zip" as const,
          bytes: writeZip(files),
        };
  return {
    contentVersion: contentVersion(connection),
    etag: `"${hash("sha256", bytes)}"`,
    mediaType: mediaTypeOf(format),
    fileName: path.slice(path.lastIndexOf("/") + 1),
    bytes,
  };
}

/**
 * Adds each key to the first file of the profile that can contain it; other keys are not exported. Without any entries,
 * each language still has a file.
 * @param all languages of the project, the source language first
 */
function distributeKeys(
  connection: Connection,
  { profile, missing, locales }: ExportRequest,
  all: readonly LanguageRow[],
): TargetFile[] {
  const keys = selectKeys(connection, ACTIVE_KEYS);
  const textOf = textLookup(connection, keys, all);
  const languages = all.filter(({ locale }) => locales.includes(locale));
  const sourceLocale = all[0]?.locale ?? "";
  const targets = new Map<string, TargetFile>();

  /** Adds entries to the file with these placeholders, which is created when it is first needed. */
  const addTo = (
    file: ExportFile,
    placeholders: Partial<PlaceholderValues>,
    locale: string,
    ...entries: NewEntry[]
  ): void => {
    const filled = fillIn(file.path, placeholders);
    const format = formatOf(file.format);
    if (filled === null || format === undefined) return;
    const path = safePath(filled);
    getOrCreate(targets, path, () => ({ path, format, locale, entries: [] })).entries.push(...entries);
  };

  const addKey = (
    file: ExportFile,
    placeholders: Partial<PlaceholderValues>,
    key: KeyRow,
    entry: Omit<NewEntry, "text">,
  ): void => {
    const hasLocale = hasPlaceholder(file.path, "locale");
    if (formatInfoOf(file.format)?.ownLocales === true && !hasLocale) {
      // All languages, including empty ones, so that each has its column.
      const texts = languages.map((language) => textOf(key, language, missing));
      if (texts.every((text) => text === undefined)) return;
      const cells = languages.map(({ locale }, index) => ({
        ...entry,
        locale,
        text: texts[index] ?? emptyText(key, locale),
      }));
      addTo(file, placeholders, sourceLocale, ...cells);
    } else if (formatInfo(file.format).isTemplate) {
      // A template contains each key once, with its source text.
      const text = key.text ?? emptyText(key, sourceLocale);
      for (const { locale } of hasLocale ? languages : languages.slice(0, 1)) {
        addTo(file, { ...placeholders, locale }, sourceLocale, { ...entry, text });
      }
    } else {
      const omitsEmpty = missing === "empty" && isEmptyOmitted(formatInfo(file.format));
      for (const language of languages) {
        const { locale } = language;
        const text = textOf(key, language, omitsEmpty ? "omit" : missing);
        if (text === undefined) continue;
        const empty = formatInfo(file.format).hasOneValue ? { value: "" } : emptyText(key, locale);
        addTo(file, { ...placeholders, locale }, locale, { ...entry, text: text ?? empty });
      }
    }
  };

  for (const key of keys) {
    for (const file of profile.files) {
      const found = locateKey(file, key);
      if (found === null) continue;
      addKey(file, found.placeholders, key, {
        key: found.key,
        context: key.context,
        description: key.description,
        source: key.text,
        namespace: key.namespace === NO_NAMESPACE ? null : key.namespace,
      });
      break;
    }
  }
  const [first] = profile.files;
  if (targets.size === 0 && first !== undefined) {
    for (const { locale } of languages) addTo(first, { locale }, locale);
  }
  return [...targets.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the text of a key in a language; `null` to export the key without a text, `undefined` to omit it. */
type TextLookup = (key: KeyRow, language: LanguageRow, missing: MissingMode) => Text | null | undefined;

/** Reads the texts of each language on first use. */
function textLookup(
  connection: Connection,
  keys: readonly KeyRow[],
  languages: readonly LanguageRow[],
): TextLookup {
  const [source] = languages;
  const byLanguage = new Map<LanguageRow, ReadonlyMap<number, Text | null>>();
  const readTexts = (language: LanguageRow): ReadonlyMap<number, Text | null> => {
    if (language === source) return new Map(keys.map((key) => [key.id, key.text]));
    const sql = "SELECT key_id AS id, value, forms FROM translations WHERE language_id = ?";
    const rows = connection.all<TextColumns & { id: number }>(sql, language.id);
    return new Map(rows.map((row) => [row.id, storedText(row)]));
  };
  const textIn = (key: KeyRow, language: LanguageRow): Text | null =>
    getOrCreate(byLanguage, language, () => readTexts(language)).get(key.id) ?? null;
  return (key, language, missing) => {
    const translation = textIn(key, language);
    if (translation !== null) return translation;
    if (missing === "omit") return undefined;
    if (missing === "empty") return null;
    // "fall back along the fallback chain": the language's own list, then the source language.
    for (const locale of [...language.fallback, source?.locale]) {
      const other = languages.find((one) => one.locale === locale);
      const text = other === undefined ? null : textIn(key, other);
      if (text !== null) return text;
    }
    return null;
  };
}

/** Returns an empty text of the key's kind. */
function emptyText(key: KeyRow, locale: string): Text {
  if (!key.isPlural) return { value: "" };
  return { forms: Object.fromEntries(neededCategories(locale).map((category) => [category, ""])) };
}

/** Makes a path safe to unpack, since a namespace may be any text. */
function safePath(path: string): string {
  if (!isUnsafePath(path) && !path.includes("\\")) return path;
  return path
    .split(/[\\/]/u)
    .map((part) => (part === "" || part === "." || part === ".." ? "_" : part.replaceAll(/[\0:]/gu, "_")))
    .join("/");
}

/** Returns the zip archive of these files, in this order. */
export function writeZip(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): Uint8Array {
  // Zip entries have local time, so a local date gives the same bytes in every time zone.
  const mtime = new Date(ZIP_DATE.year, ZIP_DATE.month, ZIP_DATE.day);
  const content: Zippable = {};
  for (const file of files)
    content[file.path] = [file.bytes, { mtime, level: 6, os: 3, attrs: 0o100644 << 16 }];
  return zipSync(content);
}
