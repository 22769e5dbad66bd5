/**
 * Converts uploaded files to lines: format, language and namespace of each file, and its entries (§ POST /imports
 * rules 1 to 5 and 8). Writes nothing; runs in the main thread or in a worker.
 */
import type { Format, ReadOptions } from "../../formats/format.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { formatOf } from "../../formats/supported-formats.ts";
import { isUnreadable, readTranslationFile, type FileRead } from "../../formats/translation-file.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import { isEmptyText, isForms, type Text } from "../../model/text.ts";
import { JobFailure } from "../jobs/job-store.ts";
import type { SpreadsheetPreset } from "../service-settings.ts";
import { plainPath, projectLocale, detectFromFile } from "./detect-uploaded-file.ts";
import { findMapping, type Mapping } from "./spreadsheet-columns.ts";
import { unpackedFiles } from "./unpack-zips.ts";
import type { ImportFields, UploadedFile } from "./parse-upload.ts";

/** One key in one language, as in a file. */
export interface Line extends KeyName {
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

/** Returns whether the service has a key with plural forms; `undefined`: it does not have the key. */
export type KnownPlural = (hash: string) => boolean | undefined;

/** A file with the format, language and namespace from its path, its content and the forced fields. */
interface PlacedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly format: Format;
  /** A locale of the project. For a spreadsheet, whose columns determine the languages, it is the source language. */
  readonly locale: string;
  /** Forced by the request; overrides namespaces in the file. */
  readonly forcedNamespace: string | undefined;
  /** Used if neither the request nor the file specifies one. */
  readonly namespace: string;
  readonly mapping: Mapping | null;
}

/**
 * Returns all lines of the upload, those of the source language first.
 * @throws {JobFailure}
 */
export async function readLines(request: ReadRequest, knownPlural: KnownPlural): Promise<Line[]> {
  const source = request.locales[0] ?? "";
  const files: PlacedFile[] = [];
  for (const file of unpackedFiles(request.files, request.fields.format)) {
    files.push(await placeFile(file, request));
  }
  const keysOnly = files.find(({ mapping }) => mapping?.keysOnly === true);
  if (keysOnly !== undefined && files.some(({ mapping }) => mapping?.keysOnly !== true)) {
    throw new JobFailure("keys_only_mixed", { name: keysOnly.path });
  }
  const kinds = new Kinds(knownPlural);
  const lines: Line[] = [];
  // Source files first: they determine which keys are plural, which affects how translations are read.
  for (const file of inOrder(files, (each) => each.locale === source)) {
    for (const line of await readFile(file, source, kinds)) lines.push(line);
  }
  return inOrder(lines, (line) => line.locale === source).map((line) => kinds.applied(line));
}

/** Moves matching items to the front and otherwise preserves the order. */
function inOrder<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): Item[] {
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
}

/**
 * Determines which keys are plural: as known to the service, otherwise by the first text of the upload that shows it.
 */
class Kinds {
  readonly #known: KnownPlural;
  readonly #shown = new Map<string, boolean>();

  constructor(known: KnownPlural) {
    this.#known = known;
  }

  isPlural(hash: string): boolean | undefined {
    return this.#known(hash) ?? this.#shown.get(hash);
  }

  note({ hash, text, source }: Line): void {
    const shown = [text, source].find((each) => each !== null && !isEmptyText(each));
    if (shown != null && !this.#shown.has(hash)) this.#shown.set(hash, isForms(shown));
  }

  /** Returns the line with its key's kind if its own empty text does not show one. */
  applied(line: Line): Line {
    if (line.text !== null && !isEmptyText(line.text)) return line;
    const isPlural = this.isPlural(line.hash) ?? line.isPlural;
    return isPlural === line.isPlural ? line : { ...line, isPlural };
  }
}

async function placeFile(
  file: { readonly path: string; readonly bytes: Uint8Array },
  { fields, locales, presets }: ReadRequest,
): Promise<PlacedFile> {
  const path = plainPath(file.path);
  const detected = detectFromFile(path, file.bytes, fields.format);
  const format = detected === null ? undefined : formatOf(detected.format);
  if (detected === null || format === undefined) throw new JobFailure("unknown_format", { name: path });
  const placed = {
    path,
    bytes: file.bytes,
    format,
    forcedNamespace: fields.namespace,
    namespace: fields.namespace ?? detected.namespace ?? NO_NAMESPACE,
  };
  const source = locales[0] ?? "";
  if (formatInfoOf(format.name)?.ownLocales === true) {
    return { ...placed, locale: source, mapping: findMapping(placed, presets, locales) };
  }
  if (fields.locale !== undefined) return { ...placed, locale: fields.locale, mapping: null };
  // A template contains texts in the source language.
  if (format.name === "pot") return { ...placed, locale: source, mapping: null };
  const name =
    detected.locale ??
    (await readFileOrFail(placed, { locale: source, sourceLocale: source })).locale ??
    null;
  const locale = name === null ? undefined : projectLocale(name, locales);
  if (locale === undefined) throw new JobFailure("unknown_locale", { name: path, locale: name ?? "?" });
  return { ...placed, locale, mapping: null };
}

/**
 * Reads a file.
 * @throws {JobFailure} if it cannot be read
 */
async function readFileOrFail(
  { path, format, bytes }: Pick<PlacedFile, "path" | "format" | "bytes">,
  options: ReadOptions,
): Promise<FileRead> {
  const read = await readTranslationFile(format, bytes, options);
  if (isUnreadable(read)) {
    throw new JobFailure("unreadable_file", { name: path, detail: `${read.line}:${read.column}` });
  }
  const fault = read.problems.find((problem) => problem.code === "syntax");
  if (fault === undefined) return read;
  throw new JobFailure("unreadable_file", { name: path, detail: fault.message });
}

async function readFile(file: PlacedFile, sourceLocale: string, kinds: Kinds): Promise<Line[]> {
  const { locale, forcedNamespace, mapping } = file;
  const namespaceOf = (own: string | null | undefined): string => forcedNamespace ?? own ?? file.namespace;
  const hashOf = (key: string, context: string | null, own: string | null | undefined): string =>
    keyHash({ namespace: namespaceOf(own), key, context });
  const { entries, problems } = await readFileOrFail(file, {
    locale,
    sourceLocale,
    isPlural: (key, context, own) => kinds.isPlural(hashOf(key, context, own)),
    ...(mapping === null ? {} : { columns: mapping.columns }),
  });
  // The cached result of a formula is accepted as a text, but not as a key, since it may change.
  const computed = new Set(
    problems.filter(({ code }) => mapping !== null && code === "expression").map(({ key }) => key),
  );
  const lines: Line[] = [];
  for (const entry of entries) {
    if (entry.key === "" || computed.has(entry.key)) continue;
    const line: Line = {
      hash: hashOf(entry.key, entry.context, entry.namespace),
      namespace: namespaceOf(entry.namespace),
      key: entry.key,
      context: entry.context === "" ? null : entry.context,
      locale: entry.locale ?? locale,
      isPlural: isForms(entry.text),
      text: mapping?.keysOnly === true ? null : entry.text,
      source: entry.source,
      description: entry.description,
    };
    kinds.note(line);
    lines.push(line);
  }
  return lines;
}
