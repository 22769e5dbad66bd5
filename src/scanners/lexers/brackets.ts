/**
 * Which bracket belongs to which, and what encloses a place. Built once from a text without strings and comments;
 * a bracket without partner is left out, so broken text does no harm beyond itself.
 */

/** Deeper nesting than any program's is not recorded, so that looking up stays quick on hostile text. */
const DEPTH_LIMIT = 400;

const PAIRS: Record<number, number> = { 41: 40, 93: 91, 125: 123 };

export class Brackets {
  /** Places of opening brackets, ascending; beside them their partners and the index of what encloses them. */
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
        // The partner is the nearest open one of the kind; what opened after it was never closed.
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

  /** The place of the bracket that closes the one at `open`; -1 when there is none. */
  closing(open: number): number {
    const index = this.#indexBefore(open + 1);
    return this.#open[index] === open ? (this.#close[index] ?? -1) : -1;
  }

  /** The place of the innermost closed bracket around `place`, of the given kind if one is given; -1: none. */
  enclosing(place: number, kind?: "(" | "[" | "{"): number {
    let index = this.#indexBefore(place);
    while (index >= 0) {
      const open = this.#open[index] ?? -1;
      const close = this.#close[index] ?? -1;
      if (close >= place && (kind === undefined || this.#code[open] === kind)) return open;
      index = this.#parent[index] ?? -1;
    }
    return -1;
  }

  /** Index of the last opening bracket before `place`. */
  #indexBefore(place: number): number {
    let low = 0;
    let high = this.#open.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#open[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
