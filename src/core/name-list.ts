/**
 * The names of all keys in small letters, in one text that is searched in one go. Made once for each set of keys, which
 * is replaced as a whole when one of them changes.
 */
import { HashTable } from "./hash-table.ts";
import { NO_NAMESPACE } from "./identity.ts";
import type { NamedKey } from "./key-names.ts";
import type { YieldNow } from "./ports.ts";

/** Where a name has what is looked for. */
export interface FoundName {
  readonly index: number;
  /** In the name. */
  readonly at: number;
}

/** Stands between two names, and in none. */
const BETWEEN = "\u0000";

/** Names taken between two chances for other work; about 5 ms. */
const SLICE = 5_000;

export class NameList {
  readonly #hashes = new HashTable();
  #text = "";
  /** Where each name starts in the text, and where one more would. */
  readonly #starts: Uint32Array;
  /** Where the key starts in each name, behind its namespace. */
  readonly #keyStarts: Uint32Array;
  readonly #firsts = new Map<string, string>();

  private constructor(size: number) {
    this.#starts = new Uint32Array(size + 1);
    this.#keyStarts = new Uint32Array(size);
  }

  /** `size`: how many there are. */
  static of(keys: Iterable<NamedKey>, size: number): NameList {
    const list = new NameList(size);
    for (const _ of list.#taking(keys));
    return list;
  }

  /** The same, with other work in between. */
  static async soon(keys: Iterable<NamedKey>, size: number, yieldNow: YieldNow): Promise<NameList> {
    const list = new NameList(size);
    for (const _ of list.#taking(keys)) await yieldNow();
    return list;
  }

  *#taking(keys: Iterable<NamedKey>): Generator<void> {
    const names: string[] = [];
    let end = 0;
    for (const { hash, namespace, key } of keys) {
      if (names.length % SLICE === SLICE - 1) yield;
      const index = this.#hashes.add(hash);
      const before = namespace === NO_NAMESPACE ? "" : `${written(namespace)}.`;
      const name = before + written(key);
      names.push(name);
      this.#keyStarts[index] = before.length;
      end += name.length + BETWEEN.length;
      this.#starts[index + 1] = end;
      if (before !== "" && !this.#firsts.has(namespace)) this.#firsts.set(namespace, hash);
    }
    this.#text = names.join(BETWEEN);
  }

  get size(): number {
    return this.#hashes.size;
  }

  /** The hash of a key for each namespace, but for keys that are in none. */
  get firsts(): ReadonlyMap<string, string> {
    return this.#firsts;
  }

  hashAt(index: number): string {
    return this.#hashes.at(index);
  }

  /** The name with its namespace, as `group.key`. */
  nameAt(index: number): string {
    return this.#text.slice(this.#starts[index], (this.#starts[index + 1] ?? 0) - BETWEEN.length);
  }

  /** Where the key starts in the name; 0: it is in no namespace. */
  keyStartAt(index: number): number {
    return this.#keyStarts[index] ?? 0;
  }

  /** The names with the part in them (in small letters, not empty), each with the first place. */
  *having(part: string): Generator<FoundName> {
    let index = 0;
    for (let found = this.#text.indexOf(part); found !== -1;) {
      index = this.#indexAt(found, index);
      yield { index, at: found - (this.#starts[index] ?? 0) };
      found = this.#text.indexOf(part, this.#starts[index + 1]);
    }
  }

  /** The name in which the place is, from the one at `low` on. */
  #indexAt(place: number, low: number): number {
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function written(name: string): string {
  const small = name.toLowerCase().replaceAll(BETWEEN, " ");
  return small.includes("::") ? small.replaceAll("::", ".") : small;
}
