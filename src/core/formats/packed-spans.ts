/** Where the names and values of a file's entries stand, in ten bytes of each instead of sixteen where they are short. */
import type { Entry, Span } from "./format.ts";

/** Plain data. */
export interface PackedSpans {
  /** Of each entry where the key starts. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Three of each: from there to the key's end, to the value's start, and to its end, modulo 2³². */
  readonly steps: Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
}

const STEPS = 3;
const MOST_SHORT = 0xffff;

/** Gathers spans. */
export class SpanPacker {
  readonly #starts: Uint32Array<ArrayBuffer>;
  readonly #steps: Uint32Array<ArrayBuffer>;
  #count = 0;

  /** `count`: how many entries will come. */
  constructor(count: number) {
    this.#starts = new Uint32Array(count);
    this.#steps = new Uint32Array(STEPS * count);
  }

  add({ keySpan, valueSpan }: Pick<Entry, "keySpan" | "valueSpan">): void {
    const at = STEPS * this.#count;
    this.#starts[this.#count++] = keySpan.start;
    this.#steps[at] = keySpan.end - keySpan.start;
    this.#steps[at + 1] = valueSpan.start - keySpan.end;
    this.#steps[at + 2] = valueSpan.end - valueSpan.start;
  }

  packed(): PackedSpans {
    const steps = this.#steps;
    const isShort = steps.every((step) => step <= MOST_SHORT);
    return { starts: this.#starts, steps: isShort ? Uint16Array.from(steps) : steps };
  }
}

/** The offset after so many steps from the start of an entry's key: 1 is the key's end, 3 the value's. */
export function offsetAt({ starts, steps }: PackedSpans, index: number, count: 0 | 1 | 2 | 3): number {
  let offset = starts[index] ?? 0;
  for (let step = 0; step < count; step++) offset += steps[STEPS * index + step] ?? 0;
  return offset >>> 0;
}

/** Where the entry's key stands. */
export function keySpanAt(spans: PackedSpans, index: number): Span {
  return { start: offsetAt(spans, index, 0), end: offsetAt(spans, index, 1) };
}

/** Where its value stands. */
export function valueSpanAt(spans: PackedSpans, index: number): Span {
  return { start: offsetAt(spans, index, 2), end: offsetAt(spans, index, 3) };
}
