/**
 * The names of all keys in small letters, in one text that is searched in one go. Made once for each set of keys, which
 * is replaced as a whole when one of them changes.
 */
import { NO_NAMESPACE } from "./identity.ts";
import type { KeyNames } from "./key-names.ts";
import type { YieldNow } from "./ports.ts";
import { atOnce, inSlices } from "./slices.ts";

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
  readonly size: number;
  #text = "";
  /** Where each name starts in the text, and where one more would. */
  readonly #starts: Uint32Array;
  /** Where the key starts in each name, behind its namespace. */
  readonly #keyStarts: Uint32Array;
  readonly #firsts = new Map<string, number>();

  private constructor({ size }: KeyNames) {
    this.size = size;
    this.#starts = new Uint32Array(size + 1);
    this.#keyStarts = new Uint32Array(size);
  }

  /** Each name has the number that its key has there. */
  static of(names: KeyNames): NameList {
    const list = new NameList(names);
    atOnce(list.#taking(names));
    return list;
  }

  /** The same, with other work in between. */
  static async soon(names: KeyNames, yieldNow: YieldNow): Promise<NameList> {
    const list = new NameList(names);
    await inSlices(list.#taking(names), yieldNow);
    return list;
  }

  *#taking(names: KeyNames): Generator<void, void> {
    const all: string[] = [];
    let end = 0;
    for (let index = 0; index < this.size; index++) {
      if (index % SLICE === SLICE - 1) yield;
      const { namespace, key } = names.at(index);
      const before = namespace === NO_NAMESPACE ? "" : `${written(namespace)}.`;
      const name = before + written(key);
      all.push(name);
      this.#keyStarts[index] = before.length;
      end += name.length + BETWEEN.length;
      this.#starts[index + 1] = end;
      if (before !== "" && !this.#firsts.has(namespace)) this.#firsts.set(namespace, index);
    }
    this.#text = all.join(BETWEEN);
  }

  /** The first key of each namespace, but for keys that are in none. */
  get firsts(): ReadonlyMap<string, number> {
    return this.#firsts;
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
