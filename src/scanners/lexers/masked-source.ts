/**
 * The two masked texts that every scanner reads: as long as the source, with non-code ranges blanked. A lexer adds
 * ranges to a `Mask` in ascending order and decides what is a comment or a string.
 */

/** Both texts have the same offsets as the source. */
export interface Masked {
  /** The source with comments and everything outside the language blanked. */
  readonly text: string;
  /** As `text`, with the content of strings, templates, regular expressions and markup text blanked too. */
  readonly code: string;
}

/** Collects the ranges to blank, in ascending order; overlapping parts are ignored. */
export class Mask {
  readonly #text: MaskedText;
  readonly #code: MaskedText;

  constructor(source: string) {
    this.#text = new MaskedText(source);
    this.#code = new MaskedText(source);
  }

  /** A comment: blank in both texts. */
  hide(start: number, end: number): void {
    this.#text.replace(start, end, "");
    this.#code.replace(start, end, "");
  }

  /** Text outside the language: blank except for one `;`, so that the code around it is not joined. */
  separate(start: number, end: number): void {
    this.#text.replace(start, end, ";");
    this.#code.replace(start, end, ";");
  }

  /** The content of a literal: blank in `code` only. */
  blank(start: number, end: number): void {
    this.#code.replace(start, end, "");
  }

  /** The delimiter of a literal: replaced in `code` only, by `sign` followed by blanks. */
  mark(start: number, end: number, sign: string): void {
    this.#code.replace(start, end, sign);
  }

  done(): Masked {
    return { text: this.#text.done(), code: this.#code.done() };
  }
}

class MaskedText {
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

  done(): string {
    // A flat string, unlike the result of `+`, which would have to be flattened for every reader.
    return [...this.#parts, this.#source.slice(this.#end)].join("");
  }
}

const SPACES = " ".repeat(256);

function blanks(length: number): string {
  return length <= SPACES.length ? SPACES.slice(0, length) : " ".repeat(length);
}
