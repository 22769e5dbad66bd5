/**
 * Masks the parts of a source that are not code. A lexer decides what is a comment or a string, and adds ranges to a
 * `Mask` in ascending order.
 */

/** Two texts with the offsets of the source. */
export interface MaskedTexts {
  /** The source with comments and everything outside the language blanked. */
  readonly text: string;
  /** As `text`, with the content of strings, templates, regular expressions and markup text blanked too. */
  readonly code: string;
}

/** Collects the ranges to blank, in ascending order; overlapping parts are ignored. */
export class Mask {
  readonly #text: Blanking;
  readonly #code: Blanking;

  constructor(source: string) {
    this.#text = new Blanking(source);
    this.#code = new Blanking(source);
  }

  /** Blanks a comment in both texts. */
  hide(start: number, end: number): void {
    this.#text.replace(start, end, "");
    this.#code.replace(start, end, "");
  }

  /** Blanks text outside the language except for one `;`, so that the code around it is not joined. */
  separate(start: number, end: number): void {
    this.#text.replace(start, end, ";");
    this.#code.replace(start, end, ";");
  }

  /** Blanks the content of a literal in `code`. */
  blank(start: number, end: number): void {
    this.#code.replace(start, end, "");
  }

  /** Replaces the delimiter of a literal in `code`, by `sign` followed by blanks. */
  mark(start: number, end: number, sign: string): void {
    this.#code.replace(start, end, sign);
  }

  finish(): MaskedTexts {
    return { text: this.#text.finish(), code: this.#code.finish() };
  }
}

class Blanking {
  readonly #source: string;
  readonly #parts: string[] = [];
  /** End of the last range. */
  #end = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Replaces a range by a sign, unless its start is within the last range, and blanks. */
  replace(start: number, end: number, sign: string): void {
    const from = Math.max(start, this.#end);
    if (end <= from) return;
    const visible = from === start ? sign : "";
    this.#parts.push(this.#source.slice(this.#end, from), visible, blanks(end - from - visible.length));
    this.#end = end;
  }

  finish(): string {
    // A flat string, unlike the result of `+`, which would have to be flattened for every reader.
    return [...this.#parts, this.#source.slice(this.#end)].join("");
  }
}

const SPACES = " ".repeat(256);

function blanks(length: number): string {
  return length <= SPACES.length ? SPACES.slice(0, length) : " ".repeat(length);
}
