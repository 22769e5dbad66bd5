/**
 * Builds the bytes of one export from one moment of the store (§ GET /exports). The same content gives the same
 * bytes: fixed order, fixed dates, a compressor that is the same everywhere.
 */
import type { Format, NewEntry } from "../../formats/format.ts";
import { factsOf } from "../../formats/format-facts.ts";
import { formatOf } from "../../formats/registry.ts";
import { printTranslationFile } from "../../formats/translation-file.ts";
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import { hasPlaceholder, pathFor, placingOf, type Placing } from "../../workspace/layout/layout.ts";
import { isUnsafePath } from "../../formats/zip.ts";
import { EMPTY_IS_OMITTED, MEDIA_TYPES, ONE_VALUE_FORMATS } from "../specification-decisions.ts";
import { etagOf } from "../etag.ts";
import { JobFailure } from "../jobs/jobs.ts";
import type { Missing, Profile } from "../settings.ts";
import { contentVersion } from "../store/meta.ts";
import { listedLanguages, type LanguageRow } from "../store/rows.ts";
import type { Connection } from "../store/store.ts";
import { activeKeys, emptyText, Texts, type ExportKey } from "./texts.ts";
import { writeZip } from "./zip.ts";

export interface ExportRequest {
  /** Names the zip. */
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

/** One file that is being filled. */
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
  const asked = languages.filter(({ locale }) => request.locales.includes(locale));
  const filling = new Filling(request, asked, sourceLocale, new Texts(connection, keys, languages));
  for (const key of keys) filling.add(key);
  const files: { path: string; format: string; bytes: Uint8Array }[] = [];
  for (const { path, format, locale, entries } of filling.targets()) {
    const bytes = await printTranslationFile(format, entries, { locale, sourceLocale });
    files.push({ path, format: format.name, bytes });
  }
  const version = contentVersion(connection);
  const [only] = files;
  if (only !== undefined && files.length === 1) {
    return {
      contentVersion: version,
      etag: etagOf(only.bytes),
      mediaType: MEDIA_TYPES[only.format] ?? "application/octet-stream",
      fileName: only.path.slice(only.path.lastIndexOf("/") + 1),
      bytes: only.bytes,
    };
  }
  const bytes = writeZip(files);
  return {
    contentVersion: version,
    etag: etagOf(bytes),
    mediaType: MEDIA_TYPES["zip"] ?? "",
    fileName: `${request.slug}-${request.profile.key}.zip`,
    bytes,
  };
}

/** The profile's files, filled key by key. */
class Filling {
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

  /** Puts the key into the first file of the profile that can hold it; one that fits none is not in the export. */
  add(key: ExportKey): void {
    for (const file of this.#profile.files) {
      const found = placingOf(file, key);
      if (found === null) continue;
      const entry = {
        key: found.key,
        context: key.context,
        description: key.description,
        source: key.text,
        namespace: key.namespace === NO_NAMESPACE ? null : key.namespace,
      };
      if (isShared(file)) this.#addToShared(file, found.placing, key, entry);
      else this.#addToEach(file, found.placing, key, entry);
      return;
    }
  }

  /** By their paths. Nothing to say is still a file where the profile has one file for a language. */
  targets(): Target[] {
    const [first] = this.#profile.files;
    if (this.#targets.size === 0 && first !== undefined) {
      for (const { locale } of this.#languages) this.#targetAt(first, { locale }, locale);
    }
    return [...this.#targets.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #addToEach(file: ProfileFile, placing: Placing, key: ExportKey, entry: Omit<NewEntry, "text">): void {
    // A template is of no language: it says every key once, with its source text.
    const isTemplate = file.format === "pot";
    for (const language of this.#languages) {
      const { locale } = language;
      const place = { ...placing, locale };
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

  /** A row for all languages, also those that have no text in it, so that each has its column. */
  #addToShared(file: ProfileFile, placing: Placing, key: ExportKey, entry: Omit<NewEntry, "text">): void {
    const texts = this.#languages.map((language) => this.#texts.of(key, language, this.#missing));
    if (texts.every((text) => text === undefined)) return;
    const target = this.#targetAt(file, placing, this.#sourceLocale);
    for (const [index, { locale }] of this.#languages.entries()) {
      target?.entries.push({ ...entry, locale, text: texts[index] ?? emptyText(key, locale) });
    }
  }

  #targetAt(file: ProfileFile, placing: Placing, locale: string): Target | undefined {
    const plain = pathFor(file.path, placing);
    if (plain === null) return undefined;
    const path = safePath(plain);
    let target = this.#targets.get(path);
    if (target === undefined) {
      target = { path, format: known(file.format, path), locale, entries: [] };
      this.#targets.set(path, target);
    }
    return target;
  }
}

/** One file for all languages, each with columns of its own. */
function isShared(file: ProfileFile): boolean {
  return factsOf(file.format)?.ownLocales === true && !hasLocale(file);
}

function hasLocale(file: ProfileFile): boolean {
  return hasPlaceholder(file.path, "locale");
}

/** Throws `JobFailure` where the format cannot be written. */
function known(name: string, path: string): Format {
  const format = formatOf(name);
  if (format === undefined) throw new JobFailure("unsupported_format", { name: path, format: name });
  return format;
}

/** A namespace is anyone's text; in a path it may not climb out of the folder it is unpacked into. */
function safePath(path: string): string {
  if (!isUnsafePath(path) && !path.includes("\\")) return path;
  return path
    .split(/[\\/]/u)
    .map((part) => (part === "" || part === "." || part === ".." ? "_" : part.replaceAll(/[\0:]/gu, "_")))
    .join("/");
}
