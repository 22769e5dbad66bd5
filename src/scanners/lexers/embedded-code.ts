/** Base of the lexers for languages in which code is embedded in other text. */
import type { Span } from "../../util/span.ts";
import { lexJavaScript } from "./javascript-lexer.ts";
import { Mask, type Masked } from "./masked-source.ts";

export abstract class EmbeddedCodeLexer {
  protected readonly text: string;
  protected readonly mask: Mask;
  /** Offset up to which the text has been masked. */
  protected done = 0;

  constructor(text: string) {
    this.text = text;
    this.mask = new Mask(text);
  }

  /** Masks everything but the code. */
  run(): Masked {
    const openers = this.openers();
    openers.lastIndex = this.done;
    for (let found = openers.exec(this.text); found !== null; found = openers.exec(this.text)) {
      openers.lastIndex = Math.max(this.open(found), openers.lastIndex);
    }
    this.mask.separate(this.done, this.text.length);
    return this.mask.done();
  }

  /** Returns a pattern for everything that can start or hide code. */
  protected abstract openers(): RegExp;

  /** Lexes what starts with the opener; returns the offset to continue at. */
  protected abstract open(opener: RegExpExecArray): number;

  /** Lexes JavaScript, after masking the text before it. */
  protected script(start: number, end: number, jsx: boolean): void {
    this.mask.separate(this.done, start);
    lexJavaScript(this.text, start, end, this.mask, jsx);
    this.done = end;
  }

  /** Keeps a plain attribute's `=` and quotes, by which it is recognised; the range includes the quotes. */
  protected plainValue(start: number, end: number): Span {
    this.mask.separate(this.done, this.text.lastIndexOf("=", start));
    this.mask.blank(start + 1, end - 1);
    this.done = end;
    return { start, end };
  }

  /** Returns the offset of the next `closer`; the end of the text if there is none. */
  protected find(closer: string, from: number): number {
    const offset = this.text.indexOf(closer, from);
    return offset === -1 ? this.text.length : offset;
  }

  /** Returns the offset after the next `closer`. */
  protected after(closer: string, from: number): number {
    return Math.min(this.find(closer, from) + closer.length, this.text.length);
  }
}
