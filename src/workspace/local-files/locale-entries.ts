/** The entries of all local files in one locale: which of several files counts for a key, and what stands for a source text. */
import type { LocalEntry, LocalFileRepository } from "../../database/local-file-repository.ts";
import type { Text } from "../../model/text.ts";
import type { LocalFile } from "./local-file.ts";

/** What all files hold. */
export interface LocalFiles {
  readonly sourceLocale: string;
  /** The service's names, source first, of the locales that have files. */
  readonly locales: readonly string[];
  /** In the order of their paths. */
  readonly files: readonly LocalFile[];
  /** Of a key that stands in two files the one that counts. Empty for a locale without files. */
  entries(locale: string): LocaleEntries;
}

/** The entries of one locale, by the hashes of their keys. */
export interface LocaleEntries {
  /** Counts them. */
  readonly size: number;
  has(hash: string): boolean;
  get(hash: string): LocalEntry | undefined;
  text(hash: string): Text | undefined;
  /** In the order of the hashes. May be gone through while files are being read. */
  values(): Generator<LocalEntry>;
}

/** The entries of one locale, looked up in the database. */
export class EntriesOfLocale implements LocaleEntries {
  readonly #repository: LocalFileRepository;
  readonly #locale: string;
  /** As in `LocalFileRepository.findSource`; `null`: it is not the source language. */
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
    const own = this.#repository.find(hash, this.#locale);
    if (own !== undefined || this.#covered === null) return own;
    const found = this.#repository.findSource(hash, this.#covered);
    return found && asSource(found, this.#locale);
  }

  text(hash: string): Text | undefined {
    return this.get(hash)?.text;
  }

  *values(): Generator<LocalEntry> {
    yield* this.#repository.entriesIn(this.#locale);
    yield* this.#sourcesInFiles();
  }

  /** Source texts that stand only in files of other languages (msgid, XLIFF's `source`). */
  *#sourcesInFiles(): Generator<LocalEntry> {
    if (this.#covered === null) return;
    for (const entry of this.#repository.sourceEntries(this.#covered)) {
      if (this.#repository.find(entry.hash, this.#locale) === undefined) yield asSource(entry, this.#locale);
    }
  }
}

/** An entry that says the source text beside its own, as one of the source language that cannot be written. */
function asSource(found: LocalEntry, sourceLocale: string): LocalEntry {
  const text = found.entry.source ?? found.text;
  const entry = { ...found.entry, text, source: null, readOnly: "source" as const };
  return { ...found, text, locale: sourceLocale, entry };
}
