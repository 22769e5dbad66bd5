/** Bases of the lexers for languages in which code is embedded in other text. */
import type { Span } from "../../util/span.ts";
import { Source, type Dialect, type Property, type Tag } from "../source-reader.ts";
import { isWord, skipSpace } from "./characters.ts";
import { lexJavaScript } from "./javascript-lexer.ts";
import { Mask } from "./mask.ts";

export abstract class EmbeddedCodeLexer {
  protected readonly text: string;
  protected readonly mask: Mask;
  readonly #dialect: Dialect;
  /** Offset up to which the text has been masked. */
  #maskedEnd = 0;
  /** Closers that do not occur again, which keeps the lexer linear. */
  readonly #missing = new Set<string>();

  constructor(text: string, dialect: Dialect = "javascript") {
    this.text = text;
    this.mask = new Mask(text);
    this.#dialect = dialect;
  }

  /** Lexes the text, masking everything but the code. */
  run(): Source {
    const openers = this.openers();
    openers.lastIndex = this.#maskedEnd;
    for (let found = openers.exec(this.text); found !== null; found = openers.exec(this.text)) {
      openers.lastIndex = Math.max(this.open(found), openers.lastIndex);
    }
    this.mask.separate(this.#maskedEnd, this.text.length);
    return new Source(this.mask.finish(), this.#dialect);
  }

  /** Returns a pattern for everything that can start or hide code. */
  protected abstract openers(): RegExp;

  /** Lexes what starts with the opener; returns the offset to continue at. */
  protected abstract open(opener: RegExpExecArray): number;

  /**
   * Masks the text before embedded code, and then lexes the code.
   * @param lex returns the offset after the code
   */
  protected embed(start: number, lex: () => number): number {
    this.mask.separate(this.#maskedEnd, start);
    this.#maskedEnd = lex();
    return this.#maskedEnd;
  }

  /** Lexes embedded JavaScript; returns the offset after it. */
  protected script(start: number, end: number, jsx = false): number {
    return this.embed(start, () => lexJavaScript(this.text, start, end, this.mask, jsx));
  }

  /** Returns the offset of the next `closer`; the end of the text if there is none. */
  protected find(closer: string, from: number): number {
    const offset = this.#missing.has(closer) ? -1 : this.text.indexOf(closer, from);
    if (offset !== -1) return offset;
    this.#missing.add(closer);
    return this.text.length;
  }

  /** Returns the offset after the next `closer`. */
  protected after(closer: string, from: number): number {
    return Math.min(this.find(closer, from) + closer.length, this.text.length);
  }
}

/** Base of the lexers for components: markup with scripts, and with expressions in attributes. */
export abstract class MarkupLexer extends EmbeddedCodeLexer {
  /** Start tags with attributes that may contain keys. */
  readonly tags: Tag[] = [];

  /** Reads the start tag at `open`, including the content of a script; returns the offset to continue at. */
  protected startTag(open: number): number {
    const { text } = this;
    let offset = open + 1;
    while (isWord(text.charCodeAt(offset)) || /[-.:]/.test(text[offset] ?? "")) offset++;
    const name = text.slice(open + 1, offset);
    const attributes: Property[] = [];
    for (;;) {
      offset = skipSpace(text, offset);
      const char = text[offset];
      if (char === ">" || char === "<" || char === undefined) break;
      offset = /[/"'=]/.test(char) ? offset + 1 : this.attribute(name, offset, attributes);
    }
    const end = text[offset] === ">" ? offset + 1 : offset;
    if (attributes.length > 0) this.tags.push({ name, start: open, end, attributes });
    return this.content(name, end, text[end - 2] === "/");
  }

  /** Reads the attribute at the offset and adds it if it may contain a key; returns the offset after it. */
  protected abstract attribute(tag: string, start: number, out: Property[]): number;

  /** Reads the content of an element that is not markup; returns the offset to continue at. */
  protected abstract content(tag: string, start: number, isEmpty: boolean): number;

  /** Returns the value of a plain attribute, and masks all but its quotes. The range includes the quotes. */
  protected plainValue(start: number, end: number): Span & { readonly isPlain: true } {
    this.embed(start, () => end);
    this.mask.blank(start + 1, end - 1);
    return { start, end, isPlain: true };
  }
}
