/**
 * Hashes of § Key identity ("40 lowercase hex characters") as the 20 bytes that they stand for, and a table that finds
 * each by its number and its number by it, for a quarter of what a map of strings takes. It knows nothing of what the
 * hashes are of.
 */

/** 32-bit words of a hash. */
export const HASH_WORDS = 5;
const DIGITS = 40;
const WORD_DIGITS = 8;

const CODES = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
/** The value of a digit by its code; -1: it is none. */
const VALUES = new Int8Array(128).fill(-1);
for (const [value, code] of CODES.entries()) VALUES[code] = value;

/** Puts the hash at the place (counted in words). `false`: it is not of 40 such digits, and the place holds nothing. */
export function putHash(words: Uint32Array, at: number, hash: string): boolean {
  if (hash.length !== DIGITS) return false;
  let all = 0;
  for (let word = 0; word < HASH_WORDS; word++) {
    let bits = 0;
    for (let digit = 0; digit < WORD_DIGITS; digit++) {
      const value = VALUES[hash.charCodeAt(word * WORD_DIGITS + digit)] ?? -1;
      all |= value;
      bits = (bits << 4) | value;
    }
    words[at + word] = bits;
  }
  return all >= 0;
}

const codes = Array.from({ length: DIGITS }, () => 0);

/** The hash at the place (counted in words). */
export function hashAt(words: Uint32Array, at: number): string {
  for (let word = 0; word < HASH_WORDS; word++) {
    const bits = words[at + word] ?? 0;
    for (let digit = 0; digit < WORD_DIGITS; digit++) {
      codes[word * WORD_DIGITS + digit] = CODES[(bits >>> (28 - 4 * digit)) & 15] ?? 0;
    }
  }
  return String.fromCharCode(...codes);
}

/** More of the slots than this are never taken: the search for a hash that is not there would become long. */
const FULL = 0.8;
const FEWEST_SLOTS = 16;

/** A table as plain data. */
export interface HashTableData {
  readonly size: number;
  readonly words: Uint32Array<ArrayBuffer>;
  readonly slots: Uint32Array<ArrayBuffer>;
  readonly others: readonly (readonly [number: number, text: string])[];
}

/** Hashes, each once, numbered from 0 in the order in which they came. What is no hash is kept as the text it is. */
export class HashTable {
  #size = 0;
  #words: Uint32Array<ArrayBuffer>;
  /** The number and one of each hash, at the first free slot from the one that its first word points to; 0: free. */
  #slots: Uint32Array<ArrayBuffer>;
  /** What is no hash. The document knows none, so these are few. */
  readonly #others = new Map<number, string>();
  readonly #otherNumbers = new Map<string, number>();
  /** The hash that is asked for. */
  readonly #asked = new Uint32Array(HASH_WORDS);

  /** `from`: how many will come, where that is known (there may be more); or the data of another one. */
  constructor(from: number | HashTableData = 0) {
    if (typeof from === "number") {
      this.#words = new Uint32Array(HASH_WORDS * from);
      this.#slots = new Uint32Array(slotsFor(from));
      return;
    }
    this.#size = from.size;
    this.#words = from.words;
    this.#slots = from.slots;
    for (const [number, text] of from.others) {
      this.#others.set(number, text);
      this.#otherNumbers.set(text, number);
    }
  }

  /** To make the same table of; it changes with this one. */
  get data(): HashTableData {
    return { size: this.#size, words: this.#words, slots: this.#slots, others: [...this.#others] };
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the hash, which is a new one where it was not there. */
  add(hash: string): number {
    const asked = this.#asked;
    const isHash = putHash(asked, 0, hash);
    let slot = isHash ? this.#slotOfAsked() : 0;
    const known = isHash ? (this.#slots[slot] ?? 0) - 1 : (this.#otherNumbers.get(hash) ?? -1);
    if (known !== -1) return known;
    const number = this.#size++;
    if (HASH_WORDS * this.#size > this.#words.length) {
      this.#grow();
      slot = this.#slotOfAsked();
    }
    if (isHash) {
      for (let word = 0; word < HASH_WORDS; word++)
        this.#words[HASH_WORDS * number + word] = asked[word] ?? 0;
      this.#slots[slot] = number + 1;
    } else {
      this.#others.set(number, hash);
      this.#otherNumbers.set(hash, number);
    }
    return number;
  }

  /** The number of the hash; -1: it is not there. */
  numberOf(hash: string): number {
    if (!putHash(this.#asked, 0, hash)) return this.#otherNumbers.get(hash) ?? -1;
    return (this.#slots[this.#slotOfAsked()] ?? 0) - 1;
  }

  /** The hash of a number that is there. */
  at(number: number): string {
    const other = this.#others.size === 0 ? undefined : this.#others.get(number);
    return other ?? hashAt(this.#words, HASH_WORDS * number);
  }

  /** Where the hash that is asked for stands, or would stand: that slot is free. */
  #slotOfAsked(): number {
    const [asked, words] = [this.#asked, this.#words];
    for (let slot = this.#firstSlot(asked[0] ?? 0); ; slot = this.#after(slot)) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number === -1) return slot;
      const at = HASH_WORDS * number;
      let word = 0;
      while (word < HASH_WORDS && words[at + word] === asked[word]) word++;
      if (word === HASH_WORDS) return slot;
    }
  }

  #firstSlot(word: number): number {
    return word % this.#slots.length;
  }

  #after(slot: number): number {
    return slot + 1 === this.#slots.length ? 0 : slot + 1;
  }

  #take(number: number): void {
    let slot = this.#firstSlot(this.#words[HASH_WORDS * number] ?? 0);
    while (this.#slots[slot] !== 0) slot = this.#after(slot);
    this.#slots[slot] = number + 1;
  }

  /** Room for half as many again. */
  #grow(): void {
    const room = Math.max(FEWEST_SLOTS, Math.ceil(this.#size * 1.5));
    const words = new Uint32Array(HASH_WORDS * room);
    words.set(this.#words);
    this.#words = words;
    this.#slots = new Uint32Array(slotsFor(room));
    for (let number = 0; number < this.#size - 1; number++) if (!this.#others.has(number)) this.#take(number);
  }
}

function slotsFor(count: number): number {
  return Math.max(FEWEST_SLOTS, Math.ceil(count / FULL));
}
