/** Converts offsets in a text to lines and columns. */
import type { Span } from "./span.ts";

/** A place in a text; both from 0, the column in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** The line index of a text. */
export class LineStarts {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    if (text.includes("\r")) {
      for (const found of text.matchAll(/\r\n|\n|\r/g)) this.#starts.push(found.index + found[0].length);
      return;
    }
    // Ten times as fast, for files of many thousand lines.
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  position(offset: number): TextPosition {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: Math.max(0, offset - (this.#starts[low] ?? 0)) };
  }

  offset({ line, character }: TextPosition): number {
    return (this.#starts[line] ?? 0) + character;
  }

  /** Returns the span of a line including its line break. */
  line(line: number): Span {
    return { start: this.#starts[line] ?? Infinity, end: this.#starts[line + 1] ?? Infinity };
  }
}
