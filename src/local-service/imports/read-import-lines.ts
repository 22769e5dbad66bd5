/**
 * Reads the lines of an upload: detects format, language and namespace of each file, and reads its entries (§ POST
 * /imports rules 1 to 5 and 8). Writes nothing; runs in the main thread or in a worker thread.
 */
import * as v from "valibot";
import type { Format, ReadOptions } from "../../formats/format.ts";
import { formatInfo, formatInfoOf, FORMAT_NAMES } from "../../model/file-formats.ts";
import { formatOf } from "../../formats/supported-formats.ts";
import { isUnreadable, readTranslationFile, type FileRead } from "../../formats/parse-and-edit-file.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import { normalizeLocale } from "../../model/locales.ts";
import { isEmptyText, isForms, type Text } from "../../model/translation-text.ts";
import { getOrCreate } from "../../util/maps.ts";
import { oneOf, text } from "../http/validate-request.ts";
import { JobFailure } from "../jobs.ts";
import type { SpreadsheetPreset } from "../service-settings.ts";
import { LENGTHS } from "../specification-decisions.ts";
import { findMapping, type ColumnMapping } from "./spreadsheet-columns.ts";
import { detectFromFile, normalizePath, unpackedFiles, type UploadedFile } from "./check-upload.ts";

/** Schema of the fields (§ POST /imports). Without `locale`, `format` or `namespace` it is detected for each file. */
export function importFieldsSchema(locales: readonly string[]) {
  const flag = (defaultValue: "0" | "1") =>
    v.pipe(
      v.optional(oneOf(["0", "1"]), defaultValue),
      v.transform((value) => value === "1"),
    );
  return v.object({
    locale: v.optional(
      v.pipe(
        text(LENGTHS.filter),
        v.check((locale) => locales.includes(locale), "locale_unknown"),
      ),
    ),
    format: v.optional(oneOf(FORMAT_NAMES)),
    namespace: v.optional(text(LENGTHS.namespace)),
    overwrite: flag("0"),
    createUnknownKeys: flag("1"),
    tag: v.optional(text(LENGTHS.tag)),
  });
}
export type ImportFields = v.InferOutput<ReturnType<typeof importFieldsSchema>>;

/** One key in one language (§ POST /imports rule 6). */
export interface ImportLine extends KeyName {
  readonly hash: string;
  readonly locale: string;
  readonly isPlural: boolean;
  /** `null` if the file contains only the key. */
  readonly text: Text | null;
  /** The source text, if a file of another language also contains it. */
  readonly source: Text | null;
  readonly description: string | null;
}

export interface ReadRequest {
  readonly files: readonly UploadedFile[];
  readonly fields: ImportFields;
  /** The source language first. */
  readonly locales: readonly string[];
  readonly presets: readonly SpreadsheetPreset[];
}

/** Returns whether a key is plural; `undefined` if unknown. */
type PluralLookup = (hash: string) => boolean | undefined;

/** A file with its format, language and namespace. */
interface DetectedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly format: Format;
  /** A locale of the project; the source language for a spreadsheet, whose columns have the languages. */
  readonly locale: string;
  /** Used for entries without a namespace, unless the request forces one. */
  readonly namespace: string;
  readonly mapping: ColumnMapping | null;
}

/** Returns a text; `null` if it is empty. */
export function nonEmptyText(text: Text | null): Text | null {
  return text === null || isEmptyText(text) ? null : text;
}

/**
 * Returns all lines of the upload, those of the source language first.
 * @param isPluralInStore for the keys of the store
 * @throws {JobFailure}
 */
export async function readLines(request: ReadRequest, isPluralInStore: PluralLookup): Promise<ImportLine[]> {
  const source = request.locales[0] ?? "";
  const files: DetectedFile[] = [];
  for (const file of unpackedFiles(request.files, request.fields.format)) {
    files.push(await detectFile(file, request));
  }
  const keysOnly = files.find(({ mapping }) => mapping?.keysOnly === true);
  if (keysOnly !== undefined && files.some(({ mapping }) => mapping?.keysOnly !== true)) {
    throw new JobFailure("keys_only_mixed", { name: keysOnly.path });
  }
  const sourceFirst = (a: { locale: string }, b: { locale: string }): number =>
    Number(b.locale === source) - Number(a.locale === source);
  // For new keys, the first text in the upload that is not empty decides.
  const pluralByHash = new Map<string, boolean>();
  const isPlural: PluralLookup = (hash) => isPluralInStore(hash) ?? pluralByHash.get(hash);
  const lines: ImportLine[] = [];
  // Files of the source language first, since whether a key is plural affects how its translations are read.
  for (const file of files.toSorted(sourceFirst)) {
    for (const line of await readFile(file, source, request.fields.namespace, isPlural)) {
      const text = nonEmptyText(line.text) ?? nonEmptyText(line.source);
      if (text !== null) getOrCreate(pluralByHash, line.hash, () => isForms(text));
      lines.push(line);
    }
  }
  return lines
    .toSorted(sourceFirst)
    .map((line) =>
      nonEmptyText(line.text) === null ? { ...line, isPlural: isPlural(line.hash) ?? line.isPlural } : line,
    );
}

async function detectFile(
  { name, bytes }: UploadedFile,
  { fields, locales, presets }: ReadRequest,
): Promise<DetectedFile> {
  const path = normalizePath(name);
  const detected = detectFromFile(path, bytes, fields.format);
  const format = detected === null ? undefined : formatOf(detected.format);
  if (detected === null || format === undefined) throw new JobFailure("unknown_format", { name: path });
  const source = locales[0] ?? "";
  const namespace = detected.namespace ?? NO_NAMESPACE;
  const file = { path, bytes, format, namespace, locale: source, mapping: null };
  if (formatInfoOf(format.name)?.ownLocales === true) {
    return { ...file, mapping: findMapping(file, presets, locales) };
  }
  if (fields.locale !== undefined) return { ...file, locale: fields.locale };
  // A template contains texts in the source language.
  if (formatInfo(format.name).isTemplate) return file;
  const found = detected.locale ?? (await readEntries(file, { locale: source, sourceLocale: source })).locale;
  const locale = found && projectLocale(found, locales);
  if (!locale) throw new JobFailure("unknown_locale", { name: path, locale: found ?? "?" });
  return { ...file, locale };
}

/** Returns the locale of the project that a path or file means: `pt_BR` is `pt-BR`. */
function projectLocale(found: string, locales: readonly string[]): string | undefined {
  if (locales.includes(found)) return found;
  return locales.find((locale) => normalizeLocale(locale) === normalizeLocale(found));
}

/** @throws {JobFailure} if the file cannot be read */
async function readEntries({ path, format, bytes }: DetectedFile, options: ReadOptions): Promise<FileRead> {
  const read = await readTranslationFile(format, bytes, options);
  if (isUnreadable(read)) {
    throw new JobFailure("unreadable_file", { name: path, detail: `${read.line}:${read.column}` });
  }
  const fault = read.problems.find((problem) => problem.code === "syntax");
  if (fault === undefined) return read;
  throw new JobFailure("unreadable_file", { name: path, detail: fault.message });
}

async function readFile(
  file: DetectedFile,
  sourceLocale: string,
  forcedNamespace: string | undefined,
  isPlural: PluralLookup,
): Promise<ImportLine[]> {
  const { locale, mapping } = file;
  const keyName = (key: string, context: string | null, namespace?: string | null): KeyName => ({
    namespace: forcedNamespace ?? namespace ?? file.namespace,
    key,
    context: context || null,
  });
  const { entries, problems } = await readEntries(file, {
    locale,
    sourceLocale,
    isPlural: (key, context, namespace) => isPlural(keyHash(keyName(key, context, namespace))),
    ...(mapping === null ? {} : { columns: mapping.columns }),
  });
  // The cached result of a formula is accepted as a text, but not as a key, since it may change.
  const computed = new Set(
    problems.filter(({ code }) => mapping !== null && code === "expression").map(({ key }) => key),
  );
  return entries
    .filter(({ key }) => key !== "" && !computed.has(key))
    .map((entry) => {
      const name = keyName(entry.key, entry.context, entry.namespace);
      return {
        ...name,
        hash: keyHash(name),
        locale: entry.locale ?? locale,
        isPlural: isForms(entry.text),
        text: mapping?.keysOnly === true ? null : entry.text,
        source: entry.source,
        description: entry.description,
      };
    });
}
