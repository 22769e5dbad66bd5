/**
 * Matches brackets and finds the ones around an offset. Built once from text without strings and comments; unmatched
 * brackets are ignored, so broken text has only local effects.
 */

/** Deeper nesting is not recorded, which bounds lookups on hostile text. */
const DEPTH_LIMIT = 400;

const PAIRS: Record<number, number> = { 41: 40, 93: 91, 125: 123 };

export class Brackets {
  /**
   * Offsets of opening brackets, ascending; the parallel arrays have their partners and the index of the enclosing
   * bracket.
   */
  readonly #open: number[] = [];
  readonly #close: number[] = [];
  readonly #parent: number[] = [];
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
    const stack: number[] = [];
    let beyond = 0;
    for (let at = 0; at < code.length; at++) {
      const char = code.charCodeAt(at);
      if (char === 40 || char === 91 || char === 123) {
        if (stack.length >= DEPTH_LIMIT) {
          beyond++;
          continue;
        }
        this.#parent.push(stack.at(-1) ?? -1);
        stack.push(this.#open.length);
        this.#open.push(at);
        this.#close.push(-1);
      } else if (char === 41 || char === 93 || char === 125) {
        if (beyond > 0) {
          beyond--;
          continue;
        }
        // Matches the nearest open bracket of the same kind; brackets opened after it are unmatched.
        for (let level = stack.length - 1; level >= 0; level--) {
          const index = stack[level] ?? -1;
          if (code.charCodeAt(this.#open[index] ?? -1) !== PAIRS[char]) continue;
          this.#close[index] = at;
          stack.length = level;
          break;
        }
      }
    }
  }

  /** Returns the offset of the bracket that closes the one at `open`; -1 if none. */
  closing(open: number): number {
    const index = this.#indexBefore(open + 1);
    return this.#open[index] === open ? (this.#close[index] ?? -1) : -1;
  }

  /** Returns the offset of the innermost closed bracket around `offset`, optionally of one kind; -1 if none. */
  enclosing(offset: number, kind?: "(" | "[" | "{"): number {
    let index = this.#indexBefore(offset);
    while (index >= 0) {
      const open = this.#open[index] ?? -1;
      const close = this.#close[index] ?? -1;
      if (close >= offset && (kind === undefined || this.#code[open] === kind)) return open;
      index = this.#parent[index] ?? -1;
    }
    return -1;
  }

  /** Returns the index of the last opening bracket before the offset. */
  #indexBefore(offset: number): number {
    let low = 0;
    let high = this.#open.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#open[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
