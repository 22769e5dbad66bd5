/**
 * Builds the bytes of one export from one moment of the store (§ GET /exports). The same content gives the same
 * bytes: fixed order, fixed dates, a compressor that is the same everywhere.
 */
import { formatOf } from "../../core/formats/registry.ts";
import type { NewEntry } from "../../core/formats/format.ts";
import { pathFor, placingOf, type Placing } from "../../core/layout.ts";
import { neededCategories } from "../../core/plural-rules.ts";
import { isForms, type Text } from "../../core/text.ts";
import { printTranslationFile } from "../../core/formats/translation-file.ts";
import { MEDIA_TYPES } from "../choices.ts";
import { etagOf } from "../etag.ts";
import { isUnsafePath } from "../../core/zip.ts";
import { JobFailure } from "../jobs/jobs.ts";
import type { Missing, Profile } from "../settings.ts";
import { contentVersion } from "../store/meta.ts";
import { listedLanguages, storedText, textOrNull, type LanguageRow } from "../store/rows.ts";
import type { Connection } from "../store/store.ts";
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

interface ExportKey {
  readonly id: number;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly isPlural: boolean;
  readonly text: Text | null;
  readonly description: string | null;
}

/** One file that is being filled. */
interface Target {
  readonly path: string;
  readonly format: string;
  readonly locale: string;
  readonly entries: NewEntry[];
}

/** Throws `JobFailure` where the profile's format cannot be written. */
export async function buildExport(connection: Connection, request: ExportRequest): Promise<BuiltExport> {
  const { profile } = request;
  const languages = listedLanguages(connection);
  const keys = activeKeys(connection);
  const texts = new Texts(connection, keys, languages);
  const targets = new Map<string, Target>();
  for (const locale of request.locales) {
    const language = languages.find((one) => one.locale === locale);
    if (language === undefined) continue;
    for (const key of keys) {
      const place = placeOf(profile, key);
      if (place === undefined) continue;
      const text = texts.of(key, language, request.missing);
      if (text === undefined) continue;
      const target = targetAt(targets, place.file, { ...place.placing, locale });
      target?.entries.push({ key: place.key, context: key.context, text, description: key.description });
    }
  }
  if (targets.size === 0) {
    // Nothing to say is still a file where the profile has one file for a language.
    for (const locale of request.locales) targetAt(targets, profile.files[0] ?? NO_FILE, { locale });
  }
  const sourceLocale = languages[0]?.locale ?? "";
  const files: { path: string; format: string; bytes: Uint8Array }[] = [];
  for (const target of [...targets.values()].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path, format } = target;
    files.push({ path, format, bytes: await printTarget(target, sourceLocale) });
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
    fileName: `${request.slug}-${profile.key}.zip`,
    bytes,
  };
}

const NO_FILE = { format: "json_js", path: "{locale}.json" } as const;

function activeKeys(connection: Connection): ExportKey[] {
  return connection
    .sql(
      `SELECT id, namespace, name, context, is_plural, value, forms, description FROM keys WHERE archived = 0 ORDER BY id`,
    )
    .all()
    .map((row) => ({
      id: Number(row["id"]),
      namespace: String(row["namespace"]),
      key: String(row["name"]),
      context: textOrNull(row["context"]),
      isPlural: row["is_plural"] === 1,
      text: storedText(row["value"], row["forms"]),
      description: textOrNull(row["description"]),
    }));
}

/** The first file of the profile that can hold the key; `undefined` when none can. */
function placeOf(
  profile: Profile,
  key: ExportKey,
): { file: Profile["files"][number]; placing: Placing; key: string } | undefined {
  for (const file of profile.files) {
    const found = placingOf(file, key);
    if (found !== null) return { file, ...found };
  }
  return undefined;
}

function targetAt(
  targets: Map<string, Target>,
  file: Profile["files"][number],
  placing: Placing,
): Target | undefined {
  const plain = pathFor(file.path, placing);
  if (plain === null) return undefined;
  const path = safePath(plain);
  let target = targets.get(path);
  if (target === undefined) {
    target = { path, format: file.format, locale: placing.locale ?? "", entries: [] };
    targets.set(path, target);
  }
  return target;
}

/** A namespace is anyone's text; in a path it may not climb out of the folder it is unpacked into. */
function safePath(path: string): string {
  if (!isUnsafePath(path) && !path.includes("\\")) return path;
  return path
    .split(/[\\/]/u)
    .map((part) => (part === "" || part === "." || part === ".." ? "_" : part.replaceAll(/[\0:]/gu, "_")))
    .join("/");
}

async function printTarget(target: Target, sourceLocale: string): Promise<Uint8Array> {
  const format = formatOf(target.format);
  if (format === undefined) {
    throw new JobFailure("unsupported_format", { name: target.path, format: target.format });
  }
  return await printTranslationFile(format, target.entries, { locale: target.locale, sourceLocale });
}

/** The texts of each language, read once when first asked for. */
class Texts {
  readonly #connection: Connection;
  readonly #keys: readonly ExportKey[];
  readonly #languages: readonly LanguageRow[];
  readonly #byLanguage = new Map<number, ReadonlyMap<number, Text>>();

  constructor(connection: Connection, keys: readonly ExportKey[], languages: readonly LanguageRow[]) {
    this.#connection = connection;
    this.#keys = keys;
    this.#languages = languages;
  }

  /** `undefined`: the key is left out of the file. */
  of(key: ExportKey, language: LanguageRow, missing: Missing): Text | undefined {
    const own = this.#textsOf(language).get(key.id);
    if (own !== undefined) return own;
    if (missing === "omit") return undefined;
    if (missing === "fallback") {
      for (const other of this.#chain(language)) {
        const text = this.#textsOf(other).get(key.id);
        if (text !== undefined) return text;
      }
    }
    if (!key.isPlural) return { value: "" };
    return { forms: Object.fromEntries(neededCategories(language.locale).map((category) => [category, ""])) };
  }

  /** "fall back along the fallback chain": the language's own list, then the source language. */
  #chain(language: LanguageRow): LanguageRow[] {
    const listed = language.fallback.flatMap(
      (locale) => this.#languages.find((one) => one.locale === locale) ?? [],
    );
    const source = this.#languages[0];
    return source === undefined ? listed : [...listed, source];
  }

  #textsOf(language: LanguageRow): ReadonlyMap<number, Text> {
    let texts = this.#byLanguage.get(language.id);
    if (texts === undefined) {
      texts = language === this.#languages[0] ? this.#sourceTexts() : this.#targetTexts(language.id);
      this.#byLanguage.set(language.id, texts);
    }
    return texts;
  }

  #sourceTexts(): Map<number, Text> {
    return new Map(this.#keys.flatMap((key) => (key.text === null ? [] : [[key.id, key.text] as const])));
  }

  #targetTexts(languageId: number): Map<number, Text> {
    const texts = new Map<number, Text>();
    for (const row of this.#connection
      .sql("SELECT key_id, value, forms FROM translations WHERE language_id = ?")
      .iterate(languageId)) {
      const text = storedText(row["value"], row["forms"]);
      if (text !== null) texts.set(Number(row["key_id"]), isForms(text) ? text : { value: text.value });
    }
    return texts;
  }
}
