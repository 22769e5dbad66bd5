/**
 * Many strings as one, with where each ends: a column of a file's entries. It takes a small part of the memory of as
 * many objects, and goes to another thread as it is.
 */
import { isSameText, type PackedText, sliceOf, textBuffers, TextPacker } from "./packed-text.ts";

/** Strings and texts of any kind, in order; `null`: every one is null. Plain data. */
export type PackedStrings = {
  readonly text: PackedText;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** What each is; absent: each is a string. */
  readonly kinds: Uint8Array<ArrayBuffer> | null;
} | null;

/** A handful of strings that come again and again. `which` is absent where all are the first. Plain data. */
export interface FewStrings {
  readonly table: readonly (string | null)[];
  readonly which: Uint32Array<ArrayBuffer> | null;
}

/** What a string stands for. Others than these are the caller's. */
export const NULL = 0;
export const STRING = 1;

/** Gathers strings to pack them. */
export class StringPacker {
  readonly #text: TextPacker;
  readonly #ends: Uint32Array<ArrayBuffer>;
  readonly #kinds: Uint8Array<ArrayBuffer>;
  #count = 0;
  #isNull = true;
  #isPlain = true;

  /** `count`: how many will come. `isPlain`: many are looked at one by one, so they are never compressed. */
  constructor(count: number, isPlain = false) {
    this.#text = new TextPacker(isPlain);
    this.#ends = new Uint32Array(count);
    this.#kinds = new Uint8Array(count);
  }

  add(value: string | null, kind: number = value === null ? NULL : STRING): void {
    const at = this.#count++;
    if (value !== null) this.#text.add(value);
    this.#ends[at] = this.#text.length;
    this.#kinds[at] = kind;
    this.#isNull &&= kind === NULL;
    this.#isPlain &&= kind === STRING;
  }

  packed(): PackedStrings {
    if (this.#isNull) return null;
    return { text: this.#text.packed(), ends: this.#ends, kinds: this.#isPlain ? null : this.#kinds };
  }
}

/** What the string at the index is. */
export function kindAt(strings: PackedStrings, index: number): number {
  if (strings === null) return NULL;
  return strings.kinds === null ? STRING : (strings.kinds[index] ?? NULL);
}

/** The string at the index, whatever it stands for. */
export function stringAt(strings: PackedStrings, index: number): string | null {
  if (strings === null || kindAt(strings, index) === NULL) return null;
  const { text, ends } = strings;
  return sliceOf(text, index === 0 ? 0 : (ends[index - 1] ?? 0), ends[index] ?? 0);
}

/** Whether both are the same strings for the same things. */
export function isSameStrings(a: PackedStrings, b: PackedStrings): boolean {
  if (a === null || b === null) return a === b;
  if (a.ends.length !== b.ends.length) return false;
  return (
    a.ends.every((end, at) => end === b.ends[at] && kindAt(a, at) === kindAt(b, at)) &&
    isSameText(a.text, b.text)
  );
}

/** The memory of the strings that goes to another thread whole. */
export function stringBuffers(strings: PackedStrings): ArrayBuffer[] {
  if (strings === null) return [];
  const { text, ends, kinds } = strings;
  return [...textBuffers(text), ends.buffer, ...(kinds === null ? [] : [kinds.buffer])];
}

/** The strings, where there are few different ones. */
export function packFew(strings: readonly (string | null)[]): FewStrings {
  const numbers = new Map<string | null, number>();
  const which = new Uint32Array(strings.length);
  for (const [at, string] of strings.entries()) {
    let number = numbers.get(string);
    if (number === undefined) numbers.set(string, (number = numbers.size));
    which[at] = number;
  }
  const table = numbers.size === 0 ? [null] : [...numbers.keys()];
  return { table, which: numbers.size <= 1 ? null : which };
}

/** The string at the index. */
export function fewAt({ table, which }: FewStrings, index: number): string | null {
  return table[which === null ? 0 : (which[index] ?? 0)] ?? null;
}
