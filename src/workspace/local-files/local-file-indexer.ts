/**
 * Parses translation files into the database, and parses and edits large ones: in the indexing process, or in any
 * other.
 */
import type { Database } from "../../database/database.ts";
import { KeyRepository } from "../../database/key-repository.ts";
import { LocalFileRepository, type StoredFile } from "../../database/local-file-repository.ts";
import type { Change, Entry, ReadOptions, Splice } from "../../formats/format.ts";
import {
  type EditedFile,
  type FileRead,
  isUnreadable,
  type UnreadableFile,
} from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import { keyHash } from "../../model/key-hash.ts";
import { createLocaleMap } from "../../model/locales.ts";
import { isRunning } from "../file-system/atomic-write.ts";
import { keyNameIn, type LocalFileLocation } from "./local-file.ts";
import { isPluralKey, filesWithOutdatedPlurals } from "./plural-keys.ts";
import { type FileToRead, readLocalFile } from "./read-local-file.ts";
import type { FileOptions, TranslationFiles } from "./translation-file-access.ts";
import { yieldNow } from "../../model/event-loop.ts";

/** A batch of a file's entries. After a restart of the process they are sent again from the first one. */
export interface EntryBatch {
  /** Index of the first entry of the batch. */
  readonly start: number;
  readonly entries: readonly Entry[];
}

/**
 * The interface of the indexing process. Arguments and results are plain data, except for signals and `onEntries`.
 * Every call may be repeated.
 */
export interface LocalFileIndexing {
  /** Parses a file into the database and returns its stored details. */
  readFile(file: FileToRead, signal?: AbortSignal): Promise<StoredFile>;
  /** Returns the paths of the files that would be parsed differently with the plural keys known now. */
  findOutdated(locations: readonly LocalFileLocation[], sourceLocale: string): Promise<ReadonlySet<string>>;
  /** Removes entries of files that were replaced, or left behind by a process that was killed. */
  removeReplaced(): Promise<void>;
  /** Like `TranslationFiles.read`, with the entries in batches. */
  parse(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    onEntries: (some: EntryBatch) => void,
    signal?: AbortSignal,
  ): Promise<Omit<FileRead, "entries"> | UnreadableFile>;
  edit: TranslationFiles["edit"];
  renameInPlace: TranslationFiles["renameInPlace"];
}

/** Entries per message to another process; about 2 ms to serialise. */
const BATCH_SIZE = 500;

export class LocalFileIndexer implements LocalFileIndexing, TranslationFiles {
  readonly #files: LocalFileRepository;
  readonly #keys: KeyRepository;
  /** Which keys are plural, for files of languages other than the source: consecutive ones look up the same keys. */
  #isPluralCache = new Map<string, boolean | undefined>();

  constructor(database: Database) {
    this.#files = new LocalFileRepository(database);
    this.#keys = new KeyRepository(database);
  }

  async readFile(file: FileToRead, signal?: AbortSignal): Promise<StoredFile> {
    const { location, content, options, readConditions, locales } = file;
    const { toService } = createLocaleMap(...locales);
    const isSource = location.locale === options.sourceLocale;
    const kinds = isSource ? new Map<string, boolean | undefined>() : this.#isPluralCache;
    const read = (format: FormatName, bytes: Uint8Array): ReturnType<TranslationFiles["read"]> =>
      this.#read(format, bytes, this.#readOptions(options, kinds), signal);
    const dependencies = { repository: this.#files, read, toService };
    const stored = await readLocalFile(dependencies, location, content, readConditions, signal);
    // What the service says of a key holds for every language.
    if (isSource) this.#isPluralCache = new Map([...kinds].filter(([, isPlural]) => isPlural !== undefined));
    return stored;
  }

  async findOutdated(
    locations: readonly LocalFileLocation[],
    sourceLocale: string,
  ): Promise<ReadonlySet<string>> {
    this.#isPluralCache = new Map();
    const dependencies = { repository: this.#files, keys: this.#keys };
    return filesWithOutdatedPlurals(
      dependencies,
      new Map(locations.map((location) => [location.path, location])),
      sourceLocale,
    );
  }

  async removeReplaced(): Promise<void> {
    this.#isPluralCache = new Map();
    for (;;) {
      const file = this.#files.findReplaced(isRunning);
      if (file === undefined) return;
      this.#files.removeReplaced(file);
      await yieldNow();
    }
  }

  async parse(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    onEntries: (some: EntryBatch) => void,
    signal?: AbortSignal,
  ): Promise<Omit<FileRead, "entries"> | UnreadableFile> {
    const result = await this.read(format, bytes, options, signal);
    if (isUnreadable(result)) return result;
    const { entries, ...others } = result;
    for (let start = 0; start < entries.length; start += BATCH_SIZE) {
      onEntries({ start, entries: entries.slice(start, start + BATCH_SIZE) });
    }
    return others;
  }

  read(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    signal?: AbortSignal,
  ): Promise<FileRead | UnreadableFile> {
    return this.#read(format, bytes, this.#readOptions(options), signal);
  }

  async edit(
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: FileOptions,
  ): Promise<EditedFile | UnreadableFile> {
    const { formats } = await import("../../formats/supported-formats.ts");
    return formats.edit(format, bytes, changes, this.#readOptions(options));
  }

  async renameInPlace(
    format: FormatName,
    bytes: Uint8Array,
    entries: readonly Entry[],
    newKey: string,
    options: FileOptions,
  ): Promise<Splice | null> {
    const { formats } = await import("../../formats/supported-formats.ts");
    return formats.renameInPlace(format, bytes, entries, newKey, this.#readOptions(options));
  }

  async #read(
    format: FormatName,
    bytes: Uint8Array,
    options: ReadOptions,
    signal: AbortSignal | undefined,
  ): Promise<FileRead | UnreadableFile> {
    const { formats } = await import("../../formats/supported-formats.ts");
    signal?.throwIfAborted();
    return formats.read(format, bytes, options);
  }

  /** @param isPluralCache results that are still valid */
  #readOptions(
    { location, ...options }: FileOptions,
    kinds = new Map<string, boolean | undefined>(),
  ): ReadOptions {
    if (location === undefined) return options;
    const { sourceLocale } = options;
    const dependencies = { repository: this.#files, keys: this.#keys };
    return {
      ...options,
      isPlural: (key, context, namespace = null) => {
        const name = keyNameIn(location, { key, context, namespace });
        const id = `${name.namespace}\u0004${name.context ?? ""}\u0004${name.key}`;
        if (kinds.has(id)) return kinds.get(id);
        const isSource = location.locale === sourceLocale;
        const isPlural = isPluralKey(dependencies, keyHash(name), sourceLocale, isSource);
        kinds.set(id, isPlural);
        return isPlural;
      },
    };
  }
}
