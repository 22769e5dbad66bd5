/**
 * The entries of all local files in one locale: resolves keys that are in several files, and source texts that are
 * only in files of other languages.
 */
import type { LocalEntry, LocalFileRepository } from "../../database/local-file-repository.ts";
import type { Text } from "../../model/text.ts";
import type { LocalFile } from "./local-file.ts";

/** The entries of all files. */
export interface LocalFiles {
  readonly sourceLocale: string;
  /** The service's names of the locales that have files, source first. */
  readonly locales: readonly string[];
  /** Sorted by path. */
  readonly files: readonly LocalFile[];
  /** Returns one entry per key, that of the highest-ranking file. Empty for a locale without files. */
  entries(locale: string): LocaleEntries;
}

/** The entries of one locale, by key hash. */
export interface LocaleEntries {
  /** Number of entries; counted on each access. */
  readonly size: number;
  has(hash: string): boolean;
  get(hash: string): LocalEntry | undefined;
  /** Those of these keys. */
  of(hashes: readonly string[]): ReadonlyMap<string, LocalEntry>;
  text(hash: string): Text | undefined;
  /** In hash order. Files may be read while iterating. */
  values(): Generator<LocalEntry>;
}

/** The entries of one locale, looked up in the database. */
export class EntriesOfLocale implements LocaleEntries {
  readonly #repository: LocalFileRepository;
  readonly #locale: string;
  /** As in `LocalFileRepository.findSource`; `null` if this is not the source language. */
  readonly #covered: readonly string[] | null;

  constructor(repository: LocalFileRepository, locale: string, covered: readonly string[] | null) {
    this.#repository = repository;
    this.#locale = locale;
    this.#covered = covered;
  }

  get size(): number {
    const count = this.#repository.count(this.#locale);
    return count + [...this.#sourcesInFiles()].length;
  }

  has(hash: string): boolean {
    return this.get(hash) !== undefined;
  }

  get(hash: string): LocalEntry | undefined {
    return this.#repository.find(hash, this.#locale) ?? this.#source(hash);
  }

  of(hashes: readonly string[]): ReadonlyMap<string, LocalEntry> {
    const found = this.#repository.findAll(hashes, this.#locale);
    for (const hash of hashes) {
      const source = found.has(hash) ? undefined : this.#source(hash);
      if (source !== undefined) found.set(hash, source);
    }
    return found;
  }

  #source(hash: string): LocalEntry | undefined {
    const found = this.#covered === null ? undefined : this.#repository.findSource(hash, this.#covered);
    return found && asSource(found, this.#locale);
  }

  text(hash: string): Text | undefined {
    return this.get(hash)?.text;
  }

  *values(): Generator<LocalEntry> {
    yield* this.#repository.entriesIn(this.#locale);
    yield* this.#sourcesInFiles();
  }

  /** Yields source texts that are only in files of other languages (`msgid`, XLIFF's `source`). */
  *#sourcesInFiles(): Generator<LocalEntry> {
    if (this.#covered === null) return;
    for (const entry of this.#repository.sourceEntries(this.#covered)) {
      if (this.#repository.find(entry.hash, this.#locale) === undefined) yield asSource(entry, this.#locale);
    }
  }
}

/** Converts an entry that contains the source text too into a read-only entry of the source language. */
function asSource(found: LocalEntry, sourceLocale: string): LocalEntry {
  const text = found.entry.source ?? found.text;
  const entry = { ...found.entry, text, source: null, readOnly: "source" as const };
  return { ...found, text, locale: sourceLocale, entry };
}
