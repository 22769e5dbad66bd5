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
  readonly #source: string;
  readonly #text: string[] = [];
  readonly #code: string[] = [];
  #textEnd = 0;
  #codeEnd = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** A comment: blank in both texts. */
  hide(start: number, end: number): void {
    this.#hide(start, end, blanks(end - start));
  }

  /** Text outside the language: blank except for one `;`, so that the code around it is not joined. */
  separate(start: number, end: number): void {
    if (end > start) this.#hide(start, end, `;${blanks(end - start - 1)}`);
  }

  /** The content of a literal: blank in `code` only. */
  blank(start: number, end: number): void {
    const from = Math.max(start, this.#codeEnd);
    if (end <= from) return;
    this.#code.push(this.#source.slice(this.#codeEnd, from), blanks(end - from));
    this.#codeEnd = end;
  }

  /** The delimiter of a literal: replaced in `code` only, by `sign` followed by blanks. */
  mark(start: number, end: number, sign: string): void {
    if (start < this.#codeEnd || end <= start) return;
    this.#code.push(this.#source.slice(this.#codeEnd, start), sign, blanks(end - start - 1));
    this.#codeEnd = end;
  }

  #hide(start: number, end: number, replacement: string): void {
    const from = Math.max(start, this.#textEnd);
    if (end > from) {
      this.#text.push(this.#source.slice(this.#textEnd, from), replacement.slice(from - start));
      this.#textEnd = end;
    }
    const codeFrom = Math.max(start, this.#codeEnd);
    if (end > codeFrom) {
      this.#code.push(this.#source.slice(this.#codeEnd, codeFrom), replacement.slice(codeFrom - start));
      this.#codeEnd = end;
    }
  }

  done(): Masked {
    this.#text.push(this.#source.slice(this.#textEnd));
    this.#code.push(this.#source.slice(this.#codeEnd));
    return { text: this.#text.join(""), code: this.#code.join("") };
  }
}

const SPACES = " ".repeat(256);

function blanks(length: number): string {
  return length <= SPACES.length ? SPACES.slice(0, length) : " ".repeat(length);
}
