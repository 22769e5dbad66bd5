/**
 * Packed texts in code-unit order, sorted part by part when somebody asks for what is in a part: to sort tens of
 * thousands of names at once would hold the thread for longer than a person should wait for a key stroke.
 */
import type { PackedTexts } from "./numbered-texts.ts";

const PARTS = 32;
/** So many texts for each part are looked at to say where the parts begin. */
const SAMPLES = 16;
/** Fewer are one part. */
const FEW = 1_000;

export class TextOrder {
  readonly #texts: PackedTexts;
  readonly #ranks: Uint32Array;
  /** What is in one part stands before what is in the next. */
  readonly #parts: readonly Uint32Array[];
  /** What the second part and all after it begin with. */
  readonly #bounds: Uint32Array;
  /** By part. */
  readonly #isSorted: Uint8Array;

  /** `numbers`: of texts that are packed. Of the same text the one with the smaller rank, which is by number, is first. */
  constructor(texts: PackedTexts, ranks: Uint32Array, numbers: Uint32Array) {
    this.#texts = texts;
    this.#ranks = ranks;
    const bounds = numbers.length < FEW ? new Uint32Array(0) : this.#boundsOf(numbers);
    const parts: number[][] = Array.from({ length: bounds.length + 1 }, () => []);
    for (const number of numbers) {
      const part = firstWhere(bounds.length, (at) => this.#compare(bounds[at] ?? 0, number) > 0);
      parts[part]?.push(number);
    }
    this.#parts = parts.map((part) => Uint32Array.from(part));
    this.#bounds = bounds;
    this.#isSorted = new Uint8Array(parts.length);
  }

  /** The numbers whose texts do not stand before `text`, in order. */
  *from(text: string): Generator<number> {
    const first = firstWhere(
      this.#bounds.length,
      (at) => this.#texts.compareTo(this.#bounds[at] ?? 0, text) >= 0,
    );
    const start = this.#sorted(first);
    const isIn = (at: number): boolean => this.#texts.compareTo(start[at] ?? 0, text) >= 0;
    for (let at = firstWhere(start.length, isIn); at < start.length; at++) yield start[at] ?? 0;
    for (let part = first + 1; part < this.#parts.length; part++) yield* this.#sorted(part);
  }

  #sorted(part: number): Uint32Array {
    const numbers = this.#parts[part] ?? new Uint32Array(0);
    if (this.#isSorted[part] === 0) numbers.sort((a, b) => this.#compare(a, b));
    this.#isSorted[part] = 1;
    return numbers;
  }

  #boundsOf(numbers: Uint32Array): Uint32Array {
    const every = Math.floor(numbers.length / (PARTS * SAMPLES));
    const samples = numbers.filter((_, at) => at % every === 0).sort((a, b) => this.#compare(a, b));
    return samples.filter((_, at) => at > 0 && at % SAMPLES === 0);
  }

  #compare(a: number, b: number): number {
    return this.#texts.compare(a, b) || (this.#ranks[a] ?? 0) - (this.#ranks[b] ?? 0);
  }
}

/** The first of `count` indexes for which `isIn`, which then holds for all after it; `count`: there is none. */
function firstWhere(count: number, isIn: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isIn(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
