/**
 * Columns for values that come by the ten thousand and are no texts: numbers, the service's times, hashes, values of
 * which few are different. Each takes a few bytes an item. A column is filled once, in order, and then only read; its
 * `data` are plain, and make it again.
 */
import { HASH_WORDS, hashAt, putHash } from "./hash-table.ts";
import { type Moment, momentOf, wordsOf } from "./moment.ts";

type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

export interface FewData {
  readonly table: readonly (string | null)[];
  readonly which: Numbers;
}

/** Values that come again and again: each once, and for every item a small number that says which. */
export class FewColumn {
  readonly #numbers = new Map<string | null, number>();
  readonly #table: (string | null)[];
  #which: Numbers;
  #count = 0;

  /** `from`: how many will come, or the data of a full one. So of all columns. */
  constructor(from: number | FewData) {
    this.#table = typeof from === "number" ? [] : [...from.table];
    this.#which = typeof from === "number" ? new Uint8Array(from) : from.which;
  }

  get data(): FewData {
    return { table: this.#table, which: this.#which };
  }

  add(value: string | null): void {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      this.#numbers.set(value, (number = this.#numbers.size));
      this.#table.push(value);
      if (number === 0x100) this.#which = Uint16Array.from(this.#which);
      if (number === 0x10000) this.#which = Uint32Array.from(this.#which);
    }
    this.#which[this.#count++] = number;
  }

  /** The different values. */
  get table(): readonly (string | null)[] {
    return this.#table;
  }

  /** Which of them the item has. */
  whichAt(index: number): number {
    return this.#which[index] ?? 0;
  }

  at(index: number): string | null {
    return this.#table[this.whichAt(index)] ?? null;
  }
}

const NONE = 0xff_ff_ff_ff;

export type NumberData = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Numbers, some of them null; four bytes each where they are whole and small, which is the rule. */
export class NumberColumn {
  #values: NumberData;
  #count = 0;

  constructor(from: number | NumberData) {
    this.#values = typeof from === "number" ? new Uint32Array(from).fill(NONE) : from;
  }

  get data(): NumberData {
    return this.#values;
  }

  add(value: number | null): void {
    const at = this.#count++;
    const fits = value === null || (value >>> 0 === value && value !== NONE);
    if (!fits && this.#values instanceof Uint32Array) {
      this.#values = Float64Array.from(this.#values, (each) => (each === NONE ? Number.NaN : each));
    }
    if (value !== null) this.#values[at] = value;
    else if (this.#values instanceof Float64Array) this.#values[at] = Number.NaN;
  }

  at(index: number): number | null {
    const value = this.#values[index] ?? Number.NaN;
    const isNull = this.#values instanceof Uint32Array ? value === NONE : Number.isNaN(value);
    return isNull ? null : value;
  }
}

export interface HashData {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly others: readonly (readonly [at: number, hash: string | null])[];
}

/** Hashes that nobody is found by, some of them null; another text is kept as it is. */
export class HashColumn {
  readonly #words: Uint32Array<ArrayBuffer>;
  readonly #others: Map<number, string | null>;
  #count = 0;

  constructor(from: number | HashData) {
    this.#words = typeof from === "number" ? new Uint32Array(HASH_WORDS * from) : from.words;
    this.#others = new Map(typeof from === "number" ? [] : from.others);
  }

  get data(): HashData {
    return { words: this.#words, others: [...this.#others] };
  }

  add(hash: string | null): void {
    const at = this.#count++;
    if (hash === null || !putHash(this.#words, HASH_WORDS * at, hash)) this.#others.set(at, hash);
  }

  at(index: number): string | null {
    const other = this.#others.size === 0 ? undefined : this.#others.get(index);
    return other === undefined ? hashAt(this.#words, HASH_WORDS * index) : other;
  }
}

/** Instead of a number of digits. */
const NO_TIME = 0xff;
const OTHER = 0xfe;

export interface TimeData {
  /** Since the epoch, in units of the last digit. */
  readonly times: Float64Array<ArrayBuffer>;
  /** How many digits of a second. */
  readonly digits: Uint8Array<ArrayBuffer>;
  /** Times in words of another form. */
  readonly others: readonly (readonly [at: number, words: string])[];
}

/** Times as numbers that come back in the service's own words; some are null. */
export class TimeColumn {
  readonly #times: Float64Array<ArrayBuffer>;
  readonly #digits: Uint8Array<ArrayBuffer>;
  readonly #others: Map<number, string>;
  #count = 0;
  /** Of many that an import or a push made at one time, the words are told once. */
  #last: (Moment & { readonly words: string }) | null = null;

  constructor(from: number | TimeData) {
    const isNew = typeof from === "number";
    this.#times = isNew ? new Float64Array(from) : from.times;
    this.#digits = isNew ? new Uint8Array(from).fill(NO_TIME) : from.digits;
    this.#others = new Map(isNew ? [] : from.others);
  }

  get data(): TimeData {
    return { times: this.#times, digits: this.#digits, others: [...this.#others] };
  }

  add(words: string | null): void {
    const at = this.#count++;
    if (words === null) return;
    if (this.#last?.words !== words) {
      const moment = momentOf(words);
      this.#last = moment === null ? null : { words, ...moment };
    }
    this.#digits[at] = this.#last?.digits ?? OTHER;
    if (this.#last === null) this.#others.set(at, words);
    else this.#times[at] = this.#last.time;
  }

  at(index: number): string | null {
    const digits = this.#digits[index] ?? NO_TIME;
    if (digits === NO_TIME) return null;
    if (digits === OTHER) return this.#others.get(index) ?? null;
    const time = this.#times[index] ?? 0;
    if (this.#last?.time !== time || this.#last.digits !== digits) {
      this.#last = { words: wordsOf({ time, digits }), time, digits };
    }
    return this.#last.words;
  }
}
