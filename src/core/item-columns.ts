/**
 * Columns for values that come by the ten thousand and are no texts: numbers, the service's times, hashes, values of
 * which few are different. Each takes a few bytes an item. A column is filled once, in order, and then only read.
 */
import { HASH_WORDS, hashAt, putHash } from "./hash-table.ts";

type Numbers = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Values that come again and again: each once, and for every item a small number that says which. */
export class FewColumn {
  readonly #numbers = new Map<string | null, number>();
  readonly #table: (string | null)[] = [];
  #which: Numbers;
  #count = 0;

  /** `count`: how many will come. So of all columns. */
  constructor(count: number) {
    this.#which = new Uint8Array(count);
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

/** Numbers, some of them null; four bytes each where they are whole and small, which is the rule. */
export class NumberColumn {
  #values: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  #count = 0;

  constructor(count: number) {
    this.#values = new Uint32Array(count).fill(NONE);
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

/** Hashes that nobody is found by, some of them null; another text is kept as it is. */
export class HashColumn {
  readonly #words: Uint32Array<ArrayBuffer>;
  readonly #others = new Map<number, string | null>();
  #count = 0;

  constructor(count: number) {
    this.#words = new Uint32Array(HASH_WORDS * count);
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

/** What services write: UTC to the second, or to some digits of it. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/u;
const TO_THE_SECOND = "2026-01-02T03:04:05".length;
/** Instead of a number of digits. */
const NO_TIME = 0xff;
const OTHER = 0xfe;

/** Times as numbers that come back in the service's own words; some are null. */
export class TimeColumn {
  /** Since the epoch, in units of the last digit. */
  readonly #times: Float64Array<ArrayBuffer>;
  /** How many digits of a second. */
  readonly #digits: Uint8Array<ArrayBuffer>;
  /** Times in words of another form. */
  readonly #others = new Map<number, string>();
  #count = 0;
  /** Of many that an import or a push made at one time, the words are told once. */
  #last: { readonly words: string; readonly time: number; readonly digits: number } | null = null;

  constructor(count: number) {
    this.#times = new Float64Array(count);
    this.#digits = new Uint8Array(count).fill(NO_TIME);
  }

  add(words: string | null): void {
    const at = this.#count++;
    if (words === null) return;
    if (this.#last?.words !== words) this.#last = timeOf(words);
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
      this.#last = { words: wordsOf(time, digits), time, digits };
    }
    return this.#last.words;
  }
}

/** `null`: words that would not come back as they are. */
function timeOf(words: string): { words: string; time: number; digits: number } | null {
  const [, seconds = "", fraction = ""] = TIME.exec(words) ?? [];
  const digits = fraction.length;
  const time = (Date.parse(`${seconds}Z`) / 1000) * 10 ** digits + Number(fraction);
  // No calendar has a 30th of February, but a text may.
  return Number.isNaN(time) || wordsOf(time, digits) !== words ? null : { words, time, digits };
}

function wordsOf(time: number, digits: number): string {
  const unit = 10 ** digits;
  const seconds = Math.floor(time / unit);
  const words = new Date(seconds * 1000).toISOString().slice(0, TO_THE_SECOND);
  return digits === 0 ? `${words}Z` : `${words}.${String(time - seconds * unit).padStart(digits, "0")}Z`;
}
