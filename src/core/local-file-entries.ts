/**
 * The entries of one local file under the names of their keys: kept in columns, each made into an object when somebody
 * asks for it. The same in every language, a name is held once (name-pool.ts).
 */
import type { Entry, Span } from "./formats/format.ts";
import { PackedEntries } from "./formats/packed-entries.ts";
import type { KeyName } from "./identity.ts";
import type { HashedName } from "./name-pool.ts";
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
  /** Which of the packed ones are meant, in order. */
  readonly rows: Uint32Array;
  /** Of each that is meant. */
  readonly names: readonly HashedName[];
  /** The service's locales by the file's own names of them; of an entry without one by `null`. */
  readonly locales: ReadonlyMap<string | null, string | null>;
}

export class FileEntries implements Iterable<LocalEntry> {
  readonly #path: string;
  readonly #prefix: number;
  readonly #packed: PackedEntries;
  readonly #rows: Uint32Array;
  readonly #names: readonly HashedName[];
  readonly #locales: ReadonlyMap<string | null, string | null>;

  constructor({ path, keyPrefix, packed, rows, names, locales }: FileEntriesParts) {
    this.#path = path;
    this.#prefix = keyPrefix.length;
    this.#packed = packed.withoutNames();
    this.#rows = rows;
    this.#names = names;
    this.#locales = locales;
  }

  static none(path: string): FileEntries {
    const packed = PackedEntries.of([]);
    const rows = new Uint32Array();
    return new FileEntries({ path, keyPrefix: "", packed, rows, names: [], locales: new Map() });
  }

  get length(): number {
    return this.#names.length;
  }

  *[Symbol.iterator](): Generator<LocalEntry> {
    for (let at = 0; at < this.length; at++) yield this.at(at);
  }

  /** The entry at the index. Throws RangeError where there is none. */
  at(index: number): LocalEntry {
    const { name, hash } = this.nameAt(index);
    const row = this.#row(index);
    const packed = this.#packed.at(row);
    const entry = { ...packed, key: name.key.slice(this.#prefix), context: name.context };
    const { text, description } = packed;
    return { name, hash, text, description, path: this.#path, locale: this.localeAt(index), entry };
  }

  /** Throws RangeError where there is none. */
  nameAt(index: number): HashedName {
    const name = this.#names[index];
    if (name === undefined) throw new RangeError(`no entry ${index}`);
    return name;
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
    for (let index = 0; index < this.length; index++) {
      const at = 4 * this.#row(index);
      if (fits(spans[at] ?? 0, spans[at + 1] ?? 0, spans[at + 2] ?? 0, spans[at + 3] ?? 0)) {
        return this.at(index);
      }
    }
    return undefined;
  }

  #row(index: number): number {
    return this.#rows[index] ?? 0;
  }
}
