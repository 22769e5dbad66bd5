/**
 * The entries of one local file under the names of their keys: kept in columns, each made into an object when somebody
 * asks for it. A name is the same in every language and held once (name-pool.ts).
 */
import type { Entry, Span } from "./formats/format.ts";
import { PackedEntries } from "./formats/packed-entries.ts";
import { offsetAt } from "./formats/packed-spans.ts";
import { StringPacker } from "./formats/packed-strings.ts";
import type { KeyName } from "./identity.ts";
import type { NamePool } from "./name-pool.ts";
import type { Text } from "./text.ts";

/** One entry of a local file under the name of its key. */
export interface LocalEntry {
  readonly name: KeyName;
  readonly hash: string;
  readonly text: Text;
  readonly description: string | null;
  readonly path: string;
  /** The service's name of the locale. */
  readonly locale: string;
  /** As in the file, with its places; the file's own names of the key and the locale stand here. */
  readonly entry: Entry;
}

export interface FileEntriesParts {
  readonly path: string;
  /** What stands before the file's own names of its keys (`Naming.keyPrefix`). */
  readonly keyPrefix: string;
  readonly packed: PackedEntries;
  /** Which of the packed ones are meant, in order; `null`: all of them. */
  readonly rows: Uint32Array | null;
  readonly names: NamePool;
  /** In it, of each that is meant. */
  readonly numbers: Uint32Array;
  /** The service's locales by the file's own names of them; of an entry without one by `null`. */
  readonly locales: ReadonlyMap<string | null, string | null>;
}

export class FileEntries implements Iterable<LocalEntry> {
  readonly #path: string;
  readonly #prefix: number;
  readonly #packed: PackedEntries;
  readonly #rows: Uint32Array | null;
  readonly #names: NamePool;
  readonly #numbers: Uint32Array;
  readonly #locales: ReadonlyMap<string | null, string | null>;

  constructor({ path, keyPrefix, packed, rows, names, numbers, locales }: FileEntriesParts) {
    this.#path = path;
    this.#prefix = keyPrefix.length;
    this.#packed = packed.withoutNames();
    this.#rows = rows;
    this.#names = names;
    this.#numbers = numbers;
    this.#locales = locales;
  }

  static none(path: string, names: NamePool): FileEntries {
    const packed = PackedEntries.of([]);
    const numbers = new Uint32Array();
    return new FileEntries({ path, keyPrefix: "", packed, rows: null, names, numbers, locales: new Map() });
  }

  get length(): number {
    return this.#numbers.length;
  }

  *[Symbol.iterator](): Generator<LocalEntry> {
    for (let at = 0; at < this.length; at++) yield this.at(at);
  }

  /** The entry at the index. Throws RangeError where there is none. */
  at(index: number): LocalEntry {
    const number = this.#numberAt(index);
    const name = this.#names.nameAt(number);
    const hash = this.#names.hashAt(number);
    const { context } = name;
    const entry = this.#packed.at(this.#row(index), { key: name.key.slice(this.#prefix), context });
    const { text, description } = entry;
    return { name, hash, text, description, path: this.#path, locale: this.localeAt(index), entry };
  }

  // What is said of one of them alone costs less than the whole entry. Each throws RangeError where there is none.

  nameAt(index: number): KeyName {
    return this.#names.nameAt(this.#numberAt(index));
  }

  namespaceAt(index: number): string {
    return this.#names.namespaceAt(this.#numberAt(index));
  }

  hashAt(index: number): string {
    return this.#names.hashAt(this.#numberAt(index));
  }

  /** The number of its hash (`NamePool.idAt`). */
  idAt(index: number): number {
    return this.#names.idAt(this.#numberAt(index));
  }

  /** The service's name of the locale. */
  localeAt(index: number): string {
    return this.#locales.get(this.#packed.localeAt(this.#row(index))) ?? "";
  }

  textAt(index: number): Text {
    return this.#packed.textAt(this.#row(index));
  }

  sourceAt(index: number): Text | null {
    return this.#packed.sourceAt(this.#row(index));
  }

  /** Whether the text is one of plural forms. */
  hasFormsAt(index: number): boolean {
    return this.#packed.hasFormsAt(this.#row(index));
  }

  /** All of the file's entries under their own names; `null`: some of them are none of the project's. */
  whole(): PackedEntries | null {
    if (this.#rows !== null) return null;
    const keys = new StringPacker(this.length, true);
    const contexts = new StringPacker(this.length, true);
    for (let index = 0; index < this.length; index++) {
      const { key, context } = this.nameAt(index);
      keys.add(key.slice(this.#prefix));
      contexts.add(context);
    }
    return this.#packed.withNames(keys.packed(), contexts.packed());
  }

  /** The first entry whose name or value has the offset in it or at its end. */
  around(offset: number): LocalEntry | undefined {
    return this.#first(
      (keyStart, keyEnd, valueStart, valueEnd) =>
        (keyStart <= offset && offset <= keyEnd) || (valueStart <= offset && offset <= valueEnd),
    );
  }

  /** The first entry that reaches, from its name to its value, into the part of the file. */
  within({ start, end }: Span): LocalEntry | undefined {
    return this.#first(
      (keyStart, keyEnd, valueStart, valueEnd) =>
        Math.min(keyStart, valueStart) < end && Math.max(keyEnd, valueEnd) >= start,
    );
  }

  #first(
    fits: (keyStart: number, keyEnd: number, valueStart: number, valueEnd: number) => boolean,
  ): LocalEntry | undefined {
    const { spans } = this.#packed.columns;
    const at = (row: number, count: 0 | 1 | 2 | 3): number => offsetAt(spans, row, count);
    for (let index = 0; index < this.length; index++) {
      const row = this.#row(index);
      if (fits(at(row, 0), at(row, 1), at(row, 2), at(row, 3))) return this.at(index);
    }
    return undefined;
  }

  #numberAt(index: number): number {
    const number = this.#numbers[index];
    if (number === undefined) throw new RangeError(`no entry ${index}`);
    return number;
  }

  #row(index: number): number {
    return this.#rows === null ? index : (this.#rows[index] ?? 0);
  }
}
