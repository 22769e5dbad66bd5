/**
 * Parses translation files into the database: their entries by key, and their problems. Also parses and edits content
 * without storing it. Runs in the indexing process, or in any other.
 */
import type { Database } from "../../database/database.ts";
import { KeyRepository } from "../../database/key-repository.ts";
import {
  type LocalEntry,
  LocalFileRepository,
  type FileDetails,
  type LocalProblem,
  type NewFile,
  type StoredFile,
} from "../../database/local-file-repository.ts";
import type { ReadOptions } from "../../formats/format.ts";
import { bilingualFamily, type FormatName, formatInfoOf } from "../../model/file-formats.ts";
import {
  type FileRead,
  isUnreadable,
  MAX_FILE_BYTES,
  otherFormatOf,
  type UnreadableFile,
} from "../../formats/parse-and-edit-file.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { type KeyName, keyHash } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import { createLocaleMap, type LocaleMap } from "../../model/locales.ts";
import type { FileContent } from "../../model/platform.ts";
import type { Span } from "../../util/span.ts";
import { isEmptyText, PLURAL_CATEGORIES } from "../../model/translation-text.ts";
import { isRunning } from "../file-system/atomic-write.ts";
import { formatRank, keyNameIn, type LocalFileLocation, mayShareKeys } from "./local-file.ts";
import type {
  FileOptions,
  RemoteTranslationFiles,
  TranslationFiles,
} from "./parse-large-files-in-indexer.ts";

export interface FileToRead {
  readonly location: LocalFileLocation;
  readonly content: FileContent;
  readonly options: FileOptions;
  /** As in `NewFile`. */
  readonly readConditions: string;
  /** Arguments of `createLocaleMap`. */
  readonly locales: Parameters<typeof createLocaleMap>;
}

/** Entries per message to another process; about 2 ms to serialise. */
const MESSAGE_SIZE = 500;
/** Entries per transaction; some 20 ms. */
const WRITE_SIZE = 4_000;
/** Keys looked up between yields to the event loop; about 5 ms. */
const LOOKUP_SIZE = 100;

/**
 * Whether a key is plural, by what is before its name in the file, and that name; `undefined` if unknown. Files have many
 * keys with the same prefix, whose full names would take most of the time.
 */
type PluralCache = Map<string, Map<string, boolean | undefined>>;

const loadFormats = async () => (await import("../../formats/supported-formats.ts")).formats;

export class LocalFileIndexer implements RemoteTranslationFiles, TranslationFiles {
  readonly #files: LocalFileRepository;
  readonly #keys: KeyRepository;
  readonly #hashes = new HashCache();
  /** Kept for files of languages other than the source: consecutive ones look up the same keys. */
  #pluralCache: PluralCache = new Map();

  constructor(database: Database) {
    this.#files = new LocalFileRepository(database);
    this.#keys = new KeyRepository(database);
  }

  /**
   * Parses files and replaces their stored entries, which stay as they are on failure. Returns the stored details.
   * @throws the signal's reason, and SQLite errors
   */
  async readFiles(files: readonly FileToRead[], signal?: AbortSignal): Promise<readonly StoredFile[]> {
    const stored: StoredFile[] = [];
    /** Parsed files that are written in one transaction. */
    let batch: PreparedFile[] = [];
    let count = 0;
    const flush = async (): Promise<void> => {
      signal?.throwIfAborted();
      storeFiles(this.#files, batch);
      batch = [];
      count = 0;
      await yieldNow();
    };
    for (const file of files) {
      const prepared = prepareFile(file, await this.#parseFile(file, signal), this.#hashes);
      stored.push(prepared.stored);
      if (prepared.entries.length > WRITE_SIZE) {
        await storeLargeFile(this.#files, prepared, signal);
        continue;
      }
      if (count + prepared.entries.length > WRITE_SIZE) await flush();
      batch.push(prepared);
      count += prepared.entries.length;
    }
    await flush();
    return stored;
  }

  /** Stores a file that cannot be read or parsed: it has no entries. Returns the stored details. */
  async storeUnparsed(file: FileToRead, problem: ProblemDetails): Promise<StoredFile> {
    const prepared = prepareFile(file, unparsed(file.location.path, problem));
    storeFiles(this.#files, [prepared]);
    return prepared.stored;
  }

  /** Hides deleted files. */
  async removeFiles(paths: readonly string[]): Promise<void> {
    this.#files.transaction(() => paths.forEach((path) => this.#files.removeFile(path)));
  }

  #parseFile(file: FileToRead, signal: AbortSignal | undefined): Promise<ParsedFile> {
    const { location, options } = file;
    const isSource = location.locale === options.sourceLocale;
    const cache: PluralCache = isSource ? new Map() : this.#pluralCache;
    return parseFile(file, (bytes) => this.#parse(location.entry.format, bytes, options, signal, cache));
  }

  /**
   * Returns the paths of the files that would be parsed differently with the plural keys known now.
   * @param sourceFiles paths of the files of the source language
   */
  async findOutdated(sourceFiles: readonly string[], sourceLocale: string): Promise<ReadonlySet<string>> {
    this.#pluralCache = new Map();
    const sources = new Set(sourceFiles);
    const outdated = new Set<string>();
    /** Adds the files with an entry whose plurality differs from `isPlural`, if the key has it there. */
    const check = (hash: string, isPlural: boolean, isKey: (isSource: boolean) => boolean): void => {
      for (const path of this.#files.pathsOfKey(hash, !isPlural))
        if (!outdated.has(path) && isKey(sources.has(path))) outdated.add(path);
    };
    const isPlural = (hash: string, isSource: boolean): boolean | undefined =>
      this.#isPlural(hash, sourceLocale, isSource);
    let seen = 0;
    for (const { hash } of this.#files.pluralKeys()) {
      check(hash, false, (isSource) => isPlural(hash, isSource) === false);
      if (++seen % LOOKUP_SIZE === 0) await yieldNow();
    }
    for (const names of [this.#keys.pluralKeys(), this.#files.pluralKeys(sourceLocale)]) {
      for (const { hash, ...name } of names) {
        const isKnown = (isSource: boolean): boolean => isPlural(hash, isSource) === true;
        check(hash, true, isKnown);
        // Its forms may have been parsed as separate keys.
        for (const category of PLURAL_CATEGORIES) {
          const form = keyHash({ ...name, key: `${name.key}_${category}` });
          check(form, true, (isSource) => isPlural(form, isSource) === undefined && isKnown(isSource));
        }
        if (++seen % LOOKUP_SIZE === 0) await yieldNow();
      }
    }
    return outdated;
  }

  /** Returns the problems of keys that are in several files of a language. */
  async findDuplicates(locales: readonly string[], signal?: AbortSignal): Promise<readonly LocalProblem[]> {
    const files = new Map<string, StoredFile>();
    for (const batch of this.#files.files()) for (const file of batch) files.set(file.path, file);
    const wanted = new Set(locales);
    const found: LocalProblem[] = [];
    for (const [first, ...others] of this.#files.duplicateEntries()) {
      await yieldNow();
      signal?.throwIfAborted();
      const firstFile = first !== undefined && wanted.has(first.locale) ? files.get(first.path) : undefined;
      for (const entry of others) {
        const file = files.get(entry.path);
        if (firstFile === undefined || file === undefined || mayShareKeys(file, firstFile)) continue;
        found.push(duplicateProblem(entry, firstFile.path));
      }
    }
    return found;
  }

  /** Removes entries of files that were replaced, or left behind by a process that was killed. */
  async removeReplaced(): Promise<void> {
    this.#pluralCache = new Map();
    for (;;) {
      const file = this.#files.findReplaced(isRunning);
      if (file === undefined) return;
      this.#files.removeReplaced(file);
      await yieldNow();
    }
  }

  readonly parse: RemoteTranslationFiles["parse"] = async (format, bytes, options, onEntries, signal) => {
    const result = await this.read(format, bytes, options, signal);
    if (isUnreadable(result)) return result;
    const { entries, ...others } = result;
    for (let start = 0; start < entries.length; start += MESSAGE_SIZE) {
      onEntries({ start, entries: entries.slice(start, start + MESSAGE_SIZE) });
    }
    return others;
  };

  readonly read: TranslationFiles["read"] = (format, bytes, options, signal) =>
    this.#parse(format, bytes, options, signal);

  readonly edit: TranslationFiles["edit"] = async (format, bytes, changes, options) => {
    const formats = await loadFormats();
    return formats.edit(format, bytes, changes, this.#readOptions(options));
  };

  readonly renameInPlace: TranslationFiles["renameInPlace"] = async (format, bytes, renames, options) => {
    const formats = await loadFormats();
    return formats.renameInPlace(format, bytes, renames, this.#readOptions(options));
  };

  async #parse(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    signal: AbortSignal | undefined,
    cache?: PluralCache,
  ): Promise<FileRead | UnreadableFile> {
    const formats = await loadFormats();
    signal?.throwIfAborted();
    return formats.read(format, bytes, this.#readOptions(options, cache));
  }

  /** @param cache results that are still valid */
  #readOptions({ location, ...options }: FileOptions, cache: PluralCache = new Map()): ReadOptions {
    if (location === undefined) return options;
    const { sourceLocale } = options;
    const { entry, keyNaming } = location;
    const prefixOf = (context: string | null, namespace: string | null): string =>
      JSON.stringify([keyNaming.namespace, keyNaming.keyPrefix, entry.namespace, context, namespace]);
    const plain = getOrCreate(cache, prefixOf(null, null), () => new Map<string, boolean | undefined>());
    return {
      ...options,
      isPlural: (key, context, namespace = null) => {
        const known =
          context === null && namespace === null
            ? plain
            : getOrCreate(cache, prefixOf(context, namespace), () => new Map<string, boolean | undefined>());
        if (!known.has(key)) {
          const hash = keyHash(keyNameIn(location, { key, context, namespace }));
          known.set(key, this.#isPlural(hash, sourceLocale, location.locale === sourceLocale));
        }
        return known.get(key);
      },
    };
  }

  /** Whether a key is plural: the service decides, then, for files of other languages, the source file. */
  #isPlural(hash: string, sourceLocale: string, isSource: boolean): boolean | undefined {
    return this.#keys.isPlural(hash) ?? (isSource ? undefined : this.#files.isPlural(hash, sourceLocale));
  }
}

export type ProblemDetails = Pick<LocalProblem, "code" | "message"> & Partial<LocalProblem>;

/** Returns a problem of a file; what is not given is unknown. */
export function fileProblem(path: string, problem: ProblemDetails): LocalProblem {
  return { path, span: null, line: null, column: null, name: null, ...problem };
}

/** Returns the problem of an entry whose key is also in the file `first`. */
function duplicateProblem({ path, name, entry }: LocalEntry, first: string): LocalProblem {
  const message = `the key is also in ${first}`;
  return fileProblem(path, { code: "elsewhere", message, span: entry.keySpan, name });
}

interface ParsedFile extends Pick<FileRead, "entries" | "namespaces"> {
  readonly problems: readonly LocalProblem[];
}

/** Returns a file that cannot be parsed: it has one problem and no entries. */
function unparsed(path: string, problem: ProblemDetails): ParsedFile {
  return { entries: [], problems: [fileProblem(path, problem)] };
}

async function parseFile(
  { location, content: { stamp, bytes } }: FileToRead,
  read: (bytes: Uint8Array) => Promise<FileRead | UnreadableFile>,
): Promise<ParsedFile> {
  const {
    path,
    entry: { format },
  } = location;
  if (formatInfoOf(format) === undefined)
    return unparsed(path, { code: "unsupported", message: `the format ${format} is not supported` });
  if (stamp.size > MAX_FILE_BYTES || bytes.length > MAX_FILE_BYTES)
    return unparsed(path, { code: "too_large", message: `over ${MAX_FILE_BYTES} bytes` });
  const result = await read(bytes);
  if (isUnreadable(result)) {
    const { line, column } = result;
    return unparsed(path, { code: "encoding", message: "not valid in its encoding", line, column });
  }
  if (result.problems.length > 0 || result.entries.length === 0 || hasJedHeader(result.entries)) {
    const other = otherFormatOf(format, path, bytes);
    if (other !== null)
      return unparsed(path, { code: "format", message: `is ${other}, not ${format}`, format: other });
  }
  const problems = result.problems.map(({ code, message, span, line, column, key }) => {
    const name = key === undefined ? null : keyNameIn(location, { key, context: null, namespace: null });
    return fileProblem(path, { code, message, span, line, column, name });
  });
  return { ...result, problems };
}

const JED_HEADER_KEYS = /^(?:locale_data\.|(?:plural-forms|x-generator|translation-revision-date)$)/u;

function hasJedHeader(entries: FileRead["entries"]): boolean {
  return entries.slice(0, 10).some(({ key }) => JED_HEADER_KEYS.test(key));
}

/** A parsed file with the rows to store. */
interface PreparedFile {
  readonly file: NewFile;
  readonly details: FileDetails;
  readonly entries: readonly LocalEntry[];
  readonly stored: StoredFile;
}

const MAX_CACHED_HASHES = 100_000;

/** Hashes of names: the files of all languages have the same ones. */
class HashCache {
  readonly #byNamespace = new Map<string, Map<string, string>>();
  #size = 0;

  hashOf(name: KeyName): string {
    if (name.context !== null) return keyHash(name);
    const hashes = getOrCreate(this.#byNamespace, name.namespace, () => new Map<string, string>());
    const known = hashes.get(name.key);
    if (known !== undefined) return known;
    const hash = keyHash(name);
    hashes.set(name.key, hash);
    if (++this.#size > MAX_CACHED_HASHES) {
      this.#byNamespace.clear();
      this.#size = 0;
    }
    return hash;
  }
}

/** Names the entries of a parsed file, of which those of the project's locales are stored. */
function prepareFile(
  { location, content, readConditions, locales: localeNames }: Omit<FileToRead, "options">,
  { entries: parsed, namespaces = [], problems }: ParsedFile,
  hashes = new HashCache(),
): PreparedFile {
  const { path, entry: layout, placeholders, keyNaming } = location;
  const family = bilingualFamily(layout.format);
  const file = {
    path,
    rank: formatRank(layout.format),
    family,
    keyPrefix: keyNaming.keyPrefix,
    stamp: content.stamp,
    dirty: content.dirty,
    recent: content.recent ?? false,
    readConditions,
  };
  /** The locales with entries, with the file's own names. */
  const locales = new Map<string, string | null>();
  /** Locale names that the service does not have, each with the range of its first key. */
  const unknownLocales = new Map<string, Span>();
  const keyNamespaces = new Set(family === null ? [] : [keyNaming.namespace]);
  const sourceNamespaces = new Set<string>();
  const texts: Record<string, number> = {};
  const entries: LocalEntry[] = [];
  for (const entry of parsed) {
    const localeInFile = entry.locale;
    const locale = localeInFile === null ? location.locale : toServiceLocale(localeNames, localeInFile);
    if (locale === null) {
      getOrCreate(unknownLocales, localeInFile ?? "", () => entry.keySpan);
      continue;
    }
    // Where the path names the locale, columns of other locales are only for reference.
    if (placeholders.locale !== null && locale !== location.locale) continue;
    if (!locales.has(locale)) locales.set(locale, localeInFile);
    const name = keyNameIn(location, entry);
    const { text, description, source } = entry;
    if (family !== null) keyNamespaces.add(name.namespace);
    if (family !== null && source !== null && !isEmptyText(source)) sourceNamespaces.add(name.namespace);
    if (!isEmptyText(text)) texts[locale] = (texts[locale] ?? 0) + 1;
    entries.push({ name, hash: hashes.hashOf(name), text, description, path, locale, entry });
  }
  const localeProblems = Array.from(unknownLocales, ([locale, span]) =>
    fileProblem(path, { code: "locale", message: `the service has no locale ${locale}`, span }),
  );
  const details = {
    locales: locales.size === 0 ? new Map([[location.locale, null]]) : locales,
    namespaces,
    keyNamespaces: [...keyNamespaces],
    problems: [...problems, ...localeProblems],
    texts,
    sourceNamespaces: [...sourceNamespaces],
  };
  return { file, details, entries, stored: { ...file, ...details, count: entries.length } };
}

/** By their arguments, which the files of a call share. */
const localeMaps = new WeakMap<object, LocaleMap>();

function toServiceLocale(names: Parameters<typeof createLocaleMap>, locale: string): string | null {
  return getOrCreate(localeMaps, names, () => createLocaleMap(...names)).toService(locale);
}

/** Replaces the stored entries of small files in one transaction. */
function storeFiles(repository: LocalFileRepository, files: readonly PreparedFile[]): void {
  if (files.length === 0) return;
  repository.transaction(() => {
    for (const { file, details, entries } of files) repository.putFile(file, details, entries);
  });
}

/** Replaces the stored entries of a file in short transactions. */
async function storeLargeFile(
  repository: LocalFileRepository,
  { file, details, entries }: PreparedFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  const id = repository.beginFile(file);
  try {
    for (let start = 0; start < entries.length; start += WRITE_SIZE) {
      signal?.throwIfAborted();
      repository.addEntries(id, start, entries.slice(start, start + WRITE_SIZE));
      await yieldNow();
    }
    signal?.throwIfAborted();
    repository.completeFile(id, file, details, entries.length);
  } catch (error) {
    repository.abandonFile(id);
    throw error;
  }
}
