/**
 * One moment's content of all local files, by locale and key: which of several files counts for a key, and the source
 * texts that only files of other languages say. Reads and writes nothing.
 */
import type { FormatName } from "../api/schemas.ts";
import type { LocalEntry } from "./local-file-entries.ts";
import type { LocalFile, LocalProblem } from "./local-files.ts";
import type { NamePool } from "./name-pool.ts";
import type { YieldNow } from "./ports.ts";
import { isEmptyText, type Text } from "./text.ts";

/** One moment's content of all local files. Another object as soon as anything differs. */
export interface LocalSnapshot {
  readonly sourceLocale: string;
  /** The service's names, source first, of the locales that have files. */
  readonly locales: readonly string[];
  readonly files: readonly LocalFile[];
  readonly problems: readonly LocalProblem[];
  /** Of a key that stands in two files the first. Empty for a locale without files. */
  entries(locale: string): LocaleEntries;
}

/** The entries of one locale, by the hashes of their keys. */
export interface LocaleEntries {
  readonly size: number;
  has(hash: string): boolean;
  get(hash: string): LocalEntry | undefined;
  /** The text alone, which costs less than the whole entry. */
  text(hash: string): Text | undefined;
  /** In the order of their files. */
  values(): Generator<LocalEntry>;
}

/** Entries that are put in order between two chances for other work; about 5 ms. */
const SLICE = 50_000;

/** `files` in the order of their paths, all named by the pool; `problems`: beside those of the files. */
export async function snapshotOf(
  files: readonly LocalFile[],
  problems: readonly LocalProblem[],
  sourceLocale: string,
  names: NamePool,
  yieldNow: YieldNow,
): Promise<LocalSnapshot> {
  const byLocale = new Map<string, EntryIndex>();
  const found = [...problems, ...files.flatMap((file) => file.problems)];
  // What is made of another file counts only where that is not there.
  const inOrder = files.toSorted((a, b) => rankOf(a) - rankOf(b));
  const rows = new FileRows(inOrder);
  const indexOf = (locale: string): EntryIndex => {
    let index = byLocale.get(locale);
    if (index === undefined) byLocale.set(locale, (index = new EntryIndex(locale, names, rows)));
    return index;
  };
  let count = 0;
  for (const [at, file] of inOrder.entries()) {
    for (const locale of file.locales.keys()) indexOf(locale);
    for (let row = 0; row < file.entries.length; row++) {
      if (++count % SLICE === 0) await yieldNow();
      const first = indexOf(file.entries.localeAt(row)).add({ at, row });
      if (first !== null && !isMadeOf(file, first)) {
        found.push(elsewhere(file.entries.at(row), first.place.path));
      }
    }
  }
  for (const place of saidSources(inOrder, sourceLocale)) {
    if (++count % SLICE === 0) await yieldNow();
    indexOf(sourceLocale).add(place, true);
  }
  const others = [...byLocale.keys()].filter((locale) => locale !== sourceLocale).sort();
  const locales = byLocale.has(sourceLocale) ? [sourceLocale, ...others] : others;
  const none = new EntryIndex("", names, new FileRows([]));
  return {
    sourceLocale,
    locales,
    files,
    problems: found,
    entries: (locale) => byLocale.get(locale) ?? none,
  };
}

/** The rows of all files as one sequence. */
class FileRows {
  readonly files: readonly LocalFile[];
  /** The place of each file's first row. */
  readonly #starts: Uint32Array;

  constructor(files: readonly LocalFile[]) {
    this.files = files;
    this.#starts = new Uint32Array(files.length);
    let start = 0;
    for (const [at, { entries }] of files.entries()) {
      this.#starts[at] = start;
      start += entries.length;
    }
  }

  /** The place of a row of the file at the index. */
  placeOf({ at, row }: RowPlace): number {
    return this.#start(at) + row;
  }

  /** The row at a place that there is: of the last file that begins there or before. */
  at(place: number): RowPlace {
    let [low, high] = [0, this.files.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#start(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return { at: low, row: place - this.#start(low) };
  }

  #start(at: number): number {
    return this.#starts[at] ?? 0;
  }
}

/** Which row of which file counts for each key of one locale. */
class EntryIndex implements LocaleEntries {
  readonly #locale: string;
  readonly #names: NamePool;
  readonly #rows: FileRows;
  /** By the number of a hash: the place of the row, from 1; below 0 where only its source is meant; 0: none. */
  readonly #places: Int32Array;
  #size = 0;

  constructor(locale: string, names: NamePool, rows: FileRows) {
    this.#locale = locale;
    this.#names = names;
    this.#rows = rows;
    this.#places = new Int32Array(names.ids);
  }

  /**
   * Takes a row for its key; the file that has the key already where there is one, else `null`. `isSaid`: the file is of
   * another language and says the source text too.
   */
  add({ at, row }: RowPlace, isSaid = false): LocalFile | null {
    const { files } = this.#rows;
    const id = files[at]?.entries.idAt(row) ?? 0;
    const before = this.#places[id] ?? 0;
    if (before !== 0) return files[this.#rows.at(Math.abs(before) - 1).at] ?? null;
    const place = this.#rows.placeOf({ at, row }) + 1;
    this.#places[id] = isSaid ? -place : place;
    this.#size++;
    return null;
  }

  get size(): number {
    return this.#size;
  }

  has(hash: string): boolean {
    return this.#placeOf(hash) !== 0;
  }

  get(hash: string): LocalEntry | undefined {
    return this.#entryAt(this.#placeOf(hash));
  }

  text(hash: string): Text | undefined {
    const place = this.#placeOf(hash);
    if (place === 0) return undefined;
    const { at, row } = this.#rows.at(Math.abs(place) - 1);
    const entries = this.#rows.files[at]?.entries;
    return (place < 0 ? entries?.sourceAt(row) : entries?.textAt(row)) ?? undefined;
  }

  *values(): Generator<LocalEntry> {
    for (const sign of [1, -1]) {
      for (const [at, { entries }] of this.#rows.files.entries()) {
        for (let row = 0; row < entries.length; row++) {
          const place = sign * (this.#rows.placeOf({ at, row }) + 1);
          if (this.#places[entries.idAt(row)] !== place) continue;
          const entry = this.#entryAt(place);
          if (entry !== undefined) yield entry;
        }
      }
    }
  }

  #placeOf(hash: string): number {
    const id = this.#names.idOf(hash);
    return id === -1 ? 0 : (this.#places[id] ?? 0);
  }

  #entryAt(place: number): LocalEntry | undefined {
    if (place === 0) return undefined;
    const { at, row } = this.#rows.at(Math.abs(place) - 1);
    const entry = this.#rows.files[at]?.entries.at(row);
    return place < 0 && entry !== undefined ? asSource(entry, this.#locale) : entry;
  }
}

/** An entry that says the source text beside its own, as one of the source language that cannot be written. */
function asSource(said: LocalEntry, sourceLocale: string): LocalEntry {
  const text = said.entry.source ?? said.text;
  const entry = { ...said.entry, text, source: null, readOnly: "source" as const };
  return { ...said, text, locale: sourceLocale, entry };
}

/** A row of the file at the index. */
interface RowPlace {
  readonly at: number;
  readonly row: number;
}

function elsewhere({ path, name, entry }: LocalEntry, first: string): LocalProblem {
  const message = `the key stands in ${first} too`;
  return { code: "elsewhere", path, message, span: entry.keySpan, line: null, column: null, key: name.key };
}

/** Formats with the same way of naming keys, of which one file is made of another. */
type Family = "gettext" | "xliff";

const FAMILIES: ReadonlyMap<FormatName, Family> = new Map([
  ...(["po", "pot", "mo", "wordpress_php", "wordpress_jed"] as const).map(
    (name) => [name, "gettext"] as const,
  ),
  ...(["xliff12", "xliff20"] as const).map((name) => [name, "xliff"] as const),
]);

/** Whether files of the format are made of others by a tool, so that what is written into one is lost. */
export function isGenerated(format: FormatName): boolean {
  return format === "mo" || format === "wordpress_php" || format === "wordpress_jed";
}

/** A template goes after a file of the source language that was made of it and may say another text. */
function rankOf({ place: { entry } }: LocalFile): number {
  if (isGenerated(entry.format)) return 2;
  return entry.format === "pot" ? 1 : 0;
}

/** Whether that a key stands in both files is as it should be. */
function isMadeOf(file: LocalFile, first: LocalFile): boolean {
  if (familyOf(file) !== "gettext" || familyOf(first) !== "gettext") return false;
  return rankOf(file) !== rankOf(first) || (rankOf(file) === 2 && file !== first);
}

function familyOf({ place }: LocalFile): Family | undefined {
  return FAMILIES.get(place.entry.format);
}

/**
 * Source texts that stand only in files of other languages (msgid, XLIFF's `source`). Where a file of the source
 * language holds keys of the same namespace, what it lacks is no key any more.
 */
function* saidSources(files: readonly LocalFile[], sourceLocale: string): Generator<RowPlace> {
  const covered = new Set<string>();
  const placeOf = (family: Family, namespace: string): string => `${family}\u001f${namespace}`;
  for (const file of files) {
    const family = familyOf(file);
    if (family === undefined || !file.locales.has(sourceLocale)) continue;
    covered.add(placeOf(family, file.place.naming.namespace));
    for (let row = 0; row < file.entries.length; row++) {
      covered.add(placeOf(family, file.entries.namespaceAt(row)));
    }
  }
  for (const [at, file] of files.entries()) {
    const family = familyOf(file);
    if (family === undefined || file.locales.has(sourceLocale)) continue;
    for (let row = 0; row < file.entries.length; row++) {
      const source = file.entries.sourceAt(row);
      if (source === null || isEmptyText(source)) continue;
      if (covered.has(placeOf(family, file.entries.namespaceAt(row)))) continue;
      yield { at, row };
    }
  }
}

/** Whether a key of the source language may stand in the file, whatever could be read of it. */
export function mayHoldSources(file: LocalFile, { files, sourceLocale }: SourceFiles): boolean {
  if (file.locales.has(sourceLocale)) return true;
  const family = familyOf(file);
  return (
    family !== undefined &&
    !files.some((other) => other.locales.has(sourceLocale) && familyOf(other) === family)
  );
}

/** The part of a snapshot that says where source texts stand. */
export type SourceFiles = Pick<LocalSnapshot, "files" | "sourceLocale">;
