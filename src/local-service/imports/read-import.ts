/**
 * Converts uploaded files to lines: format, language and namespace of each file, and its entries (§ POST /imports
 * rules 1 to 5 and 8). Writes nothing; runs in the main thread or in a worker.
 */
import * as v from "valibot";
import type { Format, ReadOptions } from "../../formats/format.ts";
import { formatInfoOf } from "../../formats/format-capabilities.ts";
import { formatOf } from "../../formats/supported-formats.ts";
import { isUnreadable, readTranslationFile, type FileRead } from "../../formats/parse-and-edit-file.ts";
import { FORMAT_NAMES } from "../../model/format-name.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import { isEmptyText, isForms, type Text } from "../../model/translation-text.ts";
import { oneOf, text } from "../http/validate-request.ts";
import { JobFailure } from "../jobs.ts";
import type { SpreadsheetPreset } from "../service-settings.ts";
import { LENGTHS } from "../specification-decisions.ts";
import { findMapping, type Mapping } from "./spreadsheet-columns.ts";
import { detectFromFile, plainPath, unpackedFiles, type UploadedFile } from "./upload-files.ts";

/** Schema of the fields (§ POST /imports). Without `locale`, `format` or `namespace` it is detected for each file. */
export function importFieldsSchema(locales: readonly string[]) {
  const flag = (byDefault: "0" | "1") =>
    v.pipe(
      v.optional(oneOf(["0", "1"]), byDefault),
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

/** One key in one language, as in a file. */
export interface ImportLine extends KeyName {
  readonly hash: string;
  readonly locale: string;
  readonly isPlural: boolean;
  /** `null` if the file only contains the key. */
  readonly text: Text | null;
  /** The source text, if a file of another language contains it too. */
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

/** Returns whether a key has plural forms; `undefined`: not known. */
type PluralLookup = (hash: string) => boolean | undefined;

/** A file with the format, language and namespace from its path, its content and the forced fields. */
interface PlacedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly format: Format;
  /** A locale of the project. For a spreadsheet, whose columns determine the languages, it is the source language. */
  readonly locale: string;
  /** Used if neither the request nor the file specifies one. */
  readonly namespace: string;
  readonly mapping: Mapping | null;
}

/**
 * Returns all lines of the upload, those of the source language first.
 * @param knownPlural for the keys of the service
 * @throws {JobFailure}
 */
export async function readLines(request: ReadRequest, knownPlural: PluralLookup): Promise<ImportLine[]> {
  const source = request.locales[0] ?? "";
  const files: PlacedFile[] = [];
  for (const file of unpackedFiles(request.files, request.fields.format)) {
    files.push(await placeFile(file, request));
  }
  const keysOnly = files.find(({ mapping }) => mapping?.keysOnly === true);
  if (keysOnly !== undefined && files.some(({ mapping }) => mapping?.keysOnly !== true)) {
    throw new JobFailure("keys_only_mixed", { name: keysOnly.path });
  }
  const sourceFirst = (a: { locale: string }, b: { locale: string }): number =>
    Number(b.locale === source) - Number(a.locale === source);
  // Of keys that the service does not have, the first text of the upload that is not empty shows it.
  const shownPlural = new Map<string, boolean>();
  const isPlural: PluralLookup = (hash) => knownPlural(hash) ?? shownPlural.get(hash);
  const lines: ImportLine[] = [];
  // Source files first: they determine which keys are plural, which affects how translations are read.
  for (const file of files.toSorted(sourceFirst)) {
    for (const line of await readFile(file, source, request.fields.namespace, isPlural)) {
      const text = [line.text, line.source].find((each) => each !== null && !isEmptyText(each));
      if (text != null && !shownPlural.has(line.hash)) shownPlural.set(line.hash, isForms(text));
      lines.push(line);
    }
  }
  return lines
    .toSorted(sourceFirst)
    .map((line) =>
      line.text !== null && !isEmptyText(line.text)
        ? line
        : { ...line, isPlural: isPlural(line.hash) ?? line.isPlural },
    );
}

async function placeFile(
  { name, bytes }: UploadedFile,
  { fields, locales, presets }: ReadRequest,
): Promise<PlacedFile> {
  const path = plainPath(name);
  const detected = detectFromFile(path, bytes, fields.format);
  const format = detected === null ? undefined : formatOf(detected.format);
  if (detected === null || format === undefined) throw new JobFailure("unknown_format", { name: path });
  const source = locales[0] ?? "";
  const placed = {
    path,
    bytes,
    format,
    namespace: detected.namespace ?? NO_NAMESPACE,
    locale: source,
    mapping: null,
  };
  if (formatInfoOf(format.name)?.ownLocales === true) {
    return { ...placed, mapping: findMapping(placed, presets, locales) };
  }
  if (fields.locale !== undefined) return { ...placed, locale: fields.locale };
  // A template contains texts in the source language.
  if (format.name === "pot") return placed;
  const given =
    detected.locale ?? (await readFileOrFail(placed, { locale: source, sourceLocale: source })).locale;
  const locale = given && projectLocale(given, locales);
  if (!locale) throw new JobFailure("unknown_locale", { name: path, locale: given ?? "?" });
  return { ...placed, locale };
}

/** Returns the project's name of a locale in a path or file: `pt_BR` is `pt-BR`. */
function projectLocale(given: string, locales: readonly string[]): string | undefined {
  const plain = (locale: string): string => locale.replaceAll("_", "-").toLowerCase();
  return (
    locales.find((locale) => locale === given) ?? locales.find((locale) => plain(locale) === plain(given))
  );
}

/**
 * Reads a file.
 * @throws {JobFailure} if it cannot be read
 */
async function readFileOrFail({ path, format, bytes }: PlacedFile, options: ReadOptions): Promise<FileRead> {
  const read = await readTranslationFile(format, bytes, options);
  if (isUnreadable(read)) {
    throw new JobFailure("unreadable_file", { name: path, detail: `${read.line}:${read.column}` });
  }
  const fault = read.problems.find((problem) => problem.code === "syntax");
  if (fault === undefined) return read;
  throw new JobFailure("unreadable_file", { name: path, detail: fault.message });
}

async function readFile(
  file: PlacedFile,
  sourceLocale: string,
  forcedNamespace: string | undefined,
  isPlural: PluralLookup,
): Promise<ImportLine[]> {
  const { locale, mapping } = file;
  const keyName = (key: string, context: string | null, own: string | null | undefined): KeyName => ({
    namespace: forcedNamespace ?? own ?? file.namespace,
    key,
    context: context || null,
  });
  const { entries, problems } = await readFileOrFail(file, {
    locale,
    sourceLocale,
    isPlural: (key, context, own) => isPlural(keyHash(keyName(key, context, own))),
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
