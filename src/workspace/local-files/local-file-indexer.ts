/** Reads translation files into the database, and reads and changes large ones: in the indexing process, or in any other. */
import type { Database } from "../../database/database.ts";
import { KeyRepository } from "../../database/key-repository.ts";
import { LocalFileRepository, type StoredFile } from "../../database/local-file-repository.ts";
import type { Change, Entry, ReadOptions, Splice } from "../../formats/format.ts";
import {
  type EditedFile,
  type FileRead,
  isNotReadable,
  type NotReadable,
} from "../../formats/translation-file.ts";
import type { FormatName } from "../../model/format-name.ts";
import { keyHash } from "../../model/key-identity.ts";
import { localeMap } from "../../model/locales.ts";
import { isRunning } from "../files/disk.ts";
import { keyNameIn, type LocalPlace } from "./local-file.ts";
import { isPluralKey, outdatedKinds } from "./plural-kinds.ts";
import { type FileToRead, readLocalFile } from "./read-local-file.ts";
import type { FileOptions, TranslationFiles } from "./translation-files.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** A piece of a file's entries. They may come again from the first on. */
export interface SomeEntries {
  /** Index of the first of them. */
  readonly start: number;
  readonly entries: readonly Entry[];
}

/** All arguments and results are plain data, but for signals and `onEntries`. Everything may be repeated. */
export interface LocalFileIndexing {
  /** Reads a file into the database. Out: what is known of it now. */
  readFile(file: FileToRead, signal?: AbortSignal): Promise<StoredFile>;
  /** The paths of those of the files that would be read otherwise by what is known of the kinds of keys now. */
  findOutdated(places: readonly LocalPlace[], sourceLocale: string): Promise<ReadonlySet<string>>;
  /** Removes what was replaced, or left behind by a process that was killed. */
  removeReplaced(): Promise<void>;
  /** As `TranslationFiles.read`; the entries come in pieces. */
  parse(
    format: FormatName,
    bytes: Uint8Array,
    options: FileOptions,
    onEntries: (some: SomeEntries) => void,
    signal?: AbortSignal,
  ): Promise<Omit<FileRead, "entries"> | NotReadable>;
  edit: TranslationFiles["edit"];
  renameInPlace: TranslationFiles["renameInPlace"];
}

/** Entries that go to another thread at a time; 2 ms to take. */
const BATCH_SIZE = 500;

export class LocalFileIndexer implements LocalFileIndexing, TranslationFiles {
  readonly #files: LocalFileRepository;
  readonly #keys: KeyRepository;
  /** Which keys of files of other languages than the source are plural: these ask for the same ones in turn. */
  #kinds = new Map<string, boolean | undefined>();

  constructor(database: Database) {
    this.#files = new LocalFileRepository(database);
    this.#keys = new KeyRepository(database);
  }

  async readFile(file: FileToRead, signal?: AbortSignal): Promise<StoredFile> {
    const { place, content, options, readUnder, locales } = file;
    const { toService } = localeMap(...locales);
    const isSource = place.locale === options.sourceLocale;
    const kinds = isSource ? new Map<string, boolean | undefined>() : this.#kinds;
    const read = (format: FormatName, bytes: Uint8Array): ReturnType<TranslationFiles["read"]> =>
      this.#read(format, bytes, this.#readOptions(options, kinds), signal);
    const dependencies = { repository: this.#files, read, toService };
    const stored = await readLocalFile(dependencies, place, content, readUnder, signal);
    if (isSource) this.#kinds = new Map();
    return stored;
  }

  async findOutdated(places: readonly LocalPlace[], sourceLocale: string): Promise<ReadonlySet<string>> {
    this.#kinds = new Map();
    const dependencies = { repository: this.#files, keys: this.#keys };
    return outdatedKinds(dependencies, new Map(places.map((place) => [place.path, place])), sourceLocale);
  }

  async removeReplaced(): Promise<void> {
    this.#kinds = new Map();
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
    onEntries: (some: SomeEntries) => void,
    signal?: AbortSignal,
  ): Promise<Omit<FileRead, "entries"> | NotReadable> {
    const result = await this.read(format, bytes, options, signal);
    if (isNotReadable(result)) return result;
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
  ): Promise<FileRead | NotReadable> {
    return this.#read(format, bytes, this.#readOptions(options), signal);
  }

  async edit(
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: FileOptions,
  ): Promise<EditedFile | NotReadable> {
    const { direct } = await import("../../formats/in-process.ts");
    return direct.edit(format, bytes, changes, this.#readOptions(options));
  }

  async renameInPlace(
    format: FormatName,
    bytes: Uint8Array,
    entries: readonly Entry[],
    newKey: string,
    options: FileOptions,
  ): Promise<Splice | null> {
    const { direct } = await import("../../formats/in-process.ts");
    return direct.renameInPlace(format, bytes, entries, newKey, this.#readOptions(options));
  }

  async #read(
    format: FormatName,
    bytes: Uint8Array,
    options: ReadOptions,
    signal: AbortSignal | undefined,
  ): Promise<FileRead | NotReadable> {
    const { direct } = await import("../../formats/in-process.ts");
    signal?.throwIfAborted();
    return direct.read(format, bytes, options);
  }

  /** `kinds`: answers that still hold. */
  #readOptions(
    { place, ...options }: FileOptions,
    kinds = new Map<string, boolean | undefined>(),
  ): ReadOptions {
    if (place === undefined) return options;
    const { sourceLocale } = options;
    const dependencies = { repository: this.#files, keys: this.#keys };
    return {
      ...options,
      isPlural: (key, context, namespace = null) => {
        const name = keyNameIn(place, { key, context, namespace });
        const id = `${name.namespace}\u0004${name.context ?? ""}\u0004${name.key}`;
        if (kinds.has(id)) return kinds.get(id);
        const isSource = place.locale === sourceLocale;
        const isPlural = isPluralKey(dependencies, keyHash(name), sourceLocale, isSource);
        kinds.set(id, isPlural);
        return isPlural;
      },
    };
  }
}
