/**
 * The two texts that every scanner here reads: as long as the source, with blanks in place of what is no code.
 * A lexer feeds a `Mask`, in order of place; it decides what is a comment or a string, the mask only blanks.
 */

/** Offsets are those of the source in both texts. */
export interface Masked {
  /** Comments and everything outside the language are blank; strings are as they were. */
  readonly text: string;
  /** As `text`, and the insides of strings, templates, regular expressions and markup text are blank too. */
  readonly code: string;
}

/** Collects what to blank. Ranges come in ascending order; what overlaps an earlier one is cut. */
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

  /** Something outside the language: blank but for one `;`, so that what stands around it does not join. */
  separate(start: number, end: number): void {
    if (end > start) this.#hide(start, end, `;${blanks(end - start - 1)}`);
  }

  /** The inside of a literal: blank in `code` only. */
  blank(start: number, end: number): void {
    const from = Math.max(start, this.#codeEnd);
    if (end <= from) return;
    this.#code.push(this.#source.slice(this.#codeEnd, from), blanks(end - from));
    this.#codeEnd = end;
  }

  /** The delimiter of a literal: another sign in `code` only, blank after its first place. */
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
