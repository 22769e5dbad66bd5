/**
 * Builds an export from a snapshot of the store (§ GET /exports). Deterministic: fixed order, fixed dates and a
 * platform-independent compressor.
 */
import type { Format, NewEntry } from "../../formats/format.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { formatOf } from "../../formats/supported-formats.ts";
import { printTranslationFile } from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import { getOrCreate } from "../../model/maps.ts";
import {
  hasPlaceholder,
  fillIn,
  locateKey,
  type PlaceholderValues,
} from "../../workspace/file-layout/path-patterns.ts";
import { isUnsafePath } from "../../formats/zip.ts";
import { EMPTY_IS_OMITTED, MEDIA_TYPES, ONE_VALUE_FORMATS, ZIP_DATE } from "../specification-decisions.ts";
import { computeEtag } from "../http/etag.ts";
import type { Missing, Profile } from "../service-settings.ts";
import { contentVersion } from "../store/store-values.ts";
import { activeKeys, listedLanguages, type KeyRow, type LanguageRow } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";
import { emptyText, Texts } from "./export-texts.ts";
import { zipSync, type Zippable } from "fflate";

export interface ExportRequest {
  /** Base name of the zip file. */
  readonly slug: string;
  readonly profile: Profile;
  readonly locales: readonly string[];
  readonly missing: Missing;
}

export interface BuiltExport {
  readonly contentVersion: number;
  readonly etag: string;
  readonly mediaType: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

type ProfileFile = Profile["files"][number];

/** A file of the export. */
interface Target {
  readonly path: string;
  readonly format: Format;
  readonly locale: string;
  readonly entries: NewEntry[];
}

export async function buildExport(connection: Connection, request: ExportRequest): Promise<BuiltExport> {
  const languages = listedLanguages(connection);
  const sourceLocale = languages[0]?.locale ?? "";
  const keys = activeKeys(connection);
  const selected = languages.filter(({ locale }) => request.locales.includes(locale));
  const builder = new ExportBuilder(request, selected, sourceLocale, new Texts(connection, keys, languages));
  for (const key of keys) builder.add(key);
  const files: { path: string; format: FormatName; bytes: Uint8Array }[] = [];
  for (const { path, format, locale, entries } of builder.targets()) {
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
    etag: computeEtag(bytes),
    mediaType: MEDIA_TYPES[format],
    fileName: path.slice(path.lastIndexOf("/") + 1),
    bytes,
  };
}

/** Distributes keys to the profile's files. */
class ExportBuilder {
  readonly #profile: Profile;
  readonly #languages: readonly LanguageRow[];
  readonly #sourceLocale: string;
  readonly #missing: Missing;
  readonly #texts: Texts;
  readonly #targets = new Map<string, Target>();

  constructor(
    { profile, missing }: ExportRequest,
    languages: readonly LanguageRow[],
    sourceLocale: string,
    texts: Texts,
  ) {
    this.#profile = profile;
    this.#missing = missing;
    this.#languages = languages;
    this.#sourceLocale = sourceLocale;
    this.#texts = texts;
  }

  /** Adds the key to the first file of the profile that can contain it; other keys are not exported. */
  add(key: KeyRow): void {
    for (const file of this.#profile.files) {
      const found = locateKey(file, key);
      if (found === null) continue;
      const entry = {
        key: found.key,
        context: key.context,
        description: key.description,
        source: key.text,
        namespace: key.namespace === NO_NAMESPACE ? null : key.namespace,
      };
      if (isShared(file)) this.#addToShared(file, found.placeholders, key, entry);
      else this.#addToEach(file, found.placeholders, key, entry);
      return;
    }
  }

  /** Returns the files by path. Without any entries each language still has its file. */
  targets(): Target[] {
    const [first] = this.#profile.files;
    if (this.#targets.size === 0 && first !== undefined) {
      for (const { locale } of this.#languages) this.#targetAt(first, { locale }, locale);
    }
    return [...this.#targets.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #addToEach(
    file: ProfileFile,
    placeholders: Partial<PlaceholderValues>,
    key: KeyRow,
    entry: Omit<NewEntry, "text">,
  ): void {
    // A template contains each key once, with its source text.
    const isTemplate = file.format === "pot";
    for (const language of this.#languages) {
      const { locale } = language;
      const place = { ...placeholders, locale };
      if (isTemplate) {
        const target = this.#targetAt(file, place, this.#sourceLocale);
        const text = key.text ?? emptyText(key, this.#sourceLocale);
        target?.entries.push({ ...entry, text });
        if (!hasLocale(file)) return;
        continue;
      }
      const isLeftOut = this.#missing === "empty" && EMPTY_IS_OMITTED.has(file.format);
      const text = this.#texts.of(key, language, isLeftOut ? "omit" : this.#missing);
      if (text === undefined) continue;
      const empty = ONE_VALUE_FORMATS.has(file.format) ? { value: "" } : emptyText(key, locale);
      this.#targetAt(file, place, locale)?.entries.push({ ...entry, text: text ?? empty });
    }
  }

  /** Adds a row for all languages, including empty ones, so that each has its column. */
  #addToShared(
    file: ProfileFile,
    placeholders: Partial<PlaceholderValues>,
    key: KeyRow,
    entry: Omit<NewEntry, "text">,
  ): void {
    const texts = this.#languages.map((language) => this.#texts.of(key, language, this.#missing));
    if (texts.every((text) => text === undefined)) return;
    const target = this.#targetAt(file, placeholders, this.#sourceLocale);
    for (const [index, { locale }] of this.#languages.entries()) {
      target?.entries.push({ ...entry, locale, text: texts[index] ?? emptyText(key, locale) });
    }
  }

  #targetAt(file: ProfileFile, placeholders: Partial<PlaceholderValues>, locale: string): Target | undefined {
    const plain = fillIn(file.path, placeholders);
    if (plain === null) return undefined;
    const path = safePath(plain);
    return getOrCreate(this.#targets, path, () => {
      const format = formatOf(file.format);
      if (format === undefined) throw new Error(`there is no format ${file.format}`);
      return { path, format, locale, entries: [] };
    });
  }
}

/** Returns whether the file has all languages, each in its own columns. */
function isShared(file: ProfileFile): boolean {
  return formatInfoOf(file.format)?.ownLocales === true && !hasLocale(file);
}

function hasLocale(file: ProfileFile): boolean {
  return hasPlaceholder(file.path, "locale");
}

/** Makes a path with an arbitrary namespace safe to unpack. */
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
