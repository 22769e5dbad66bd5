/**
 * A tolerant XML tokenizer: tags, texts, comments and the like with their places, one after the other, in linear
 * time. It knows no schema, builds no tree, and never loads, declares or expands anything.
 */

/** What `next()` found; `end` is the end of the text. */
export type XmlToken = "open" | "empty" | "close" | "text" | "comment" | "cdata" | "pi" | "doctype" | "end";

/** One attribute of the tag that was scanned last; the value's range is without its quotes. */
export interface XmlAttribute {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/**
 * Walks over a text. After `next()` the fields say where the token stands; they hold until the next call. What is
 * not well-formed is told by `malformed` and read as well as it can be.
 */
export class XmlScanner {
  readonly text: string;
  /** The token. */
  start = 0;
  end = 0;
  /** Of a tag: its name with its prefix. Of CDATA: what stands within. */
  nameStart = 0;
  nameEnd = 0;
  /** The first place of the token that is not well-formed, or -1. */
  malformed = -1;
  /** Of a `doctype`: whether it declares something itself. */
  subset = false;
  /** Attributes of the tag, in their order: `[nameStart, nameEnd, valueStart, valueEnd]` of each. */
  readonly #places: number[] = [];
  #attributes = 0;
  /** The quote that stands nowhere from here on, once one was sought in vain. */
  #unclosed = 0;

  constructor(text: string, at = 0) {
    this.text = text;
    this.end = at;
  }

  next(): XmlToken {
    const { text } = this;
    const at = this.end;
    this.start = at;
    this.malformed = -1;
    this.#attributes = 0;
    if (at >= text.length) return "end";
    if (text.charCodeAt(at) !== LESS) {
      const less = text.indexOf("<", at);
      this.end = less < 0 ? text.length : less;
      return "text";
    }
    switch (text.charCodeAt(at + 1)) {
      case 0x21: // !
        return this.#declaration(at);
      case 0x3f: // ?
        this.#until("?>", at + 2);
        return "pi";
      case SLASH:
        return this.#close(at);
      default:
        return this.#open(at);
    }
  }

  get attributeCount(): number {
    return this.#attributes;
  }

  attribute(index: number): XmlAttribute {
    const places = this.#places;
    const at = index * 4;
    return {
      nameStart: places[at] ?? 0,
      nameEnd: places[at + 1] ?? 0,
      valueStart: places[at + 2] ?? 0,
      valueEnd: places[at + 3] ?? 0,
    };
  }

  /** The tag's first attribute of that name. */
  find(name: string): XmlAttribute | undefined {
    const places = this.#places;
    for (let index = 0; index < this.#attributes; index++) {
      const start = places[index * 4] ?? 0;
      const length = (places[index * 4 + 1] ?? 0) - start;
      if (length === name.length && this.text.startsWith(name, start)) return this.attribute(index);
    }
    return undefined;
  }

  #until(mark: string, from: number): void {
    const found = this.text.indexOf(mark, from);
    if (found < 0) this.malformed = this.start;
    this.end = found < 0 ? this.text.length : found + mark.length;
  }

  #declaration(at: number): XmlToken {
    const { text } = this;
    if (text.startsWith("<!--", at)) {
      this.#until("-->", at + 4);
      return "comment";
    }
    if (text.startsWith("<![CDATA[", at)) {
      this.#until("]]>", at + 9);
      this.nameStart = at + 9;
      this.nameEnd = this.malformed < 0 ? this.end - 3 : this.end;
      return "cdata";
    }
    this.#doctype(at + 2);
    return "doctype";
  }

  /** To the `>` that is neither quoted nor within the internal subset; what stands there is not looked at. */
  #doctype(from: number): void {
    const { text } = this;
    this.subset = false;
    let inside = false;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE || code === APOSTROPHE) {
        const close = text.indexOf(text[at] ?? "", at + 1);
        if (close < 0) break;
        at = close;
      } else if (code === 0x5b) {
        inside = true;
        this.subset = true;
      } else if (code === 0x5d) inside = false;
      else if (inside && text.startsWith("<!--", at)) {
        const close = text.indexOf("-->", at + 4);
        if (close < 0) break;
        at = close + 2;
      } else if (code === GREATER && !inside) {
        this.end = at + 1;
        return;
      }
    }
    this.malformed = this.start;
    this.end = text.length;
  }

  #close(at: number): XmlToken {
    const { text } = this;
    this.nameStart = at + 2;
    this.nameEnd = this.#nameEnd(at + 2);
    let end = this.#skipSpace(this.nameEnd);
    if (text.charCodeAt(end) !== GREATER || this.nameEnd === this.nameStart) {
      this.malformed = at;
      while (end < text.length && text.charCodeAt(end) !== GREATER && text.charCodeAt(end) !== LESS) end++;
    }
    this.end = text.charCodeAt(end) === GREATER ? end + 1 : end;
    return "close";
  }

  #open(start: number): XmlToken {
    const { text } = this;
    this.nameStart = start + 1;
    this.nameEnd = this.#nameEnd(start + 1);
    if (this.nameEnd === this.nameStart) {
      // A bare `<`: text, as whoever wrote it meant it.
      this.malformed = start;
      const less = text.indexOf("<", start + 1);
      this.end = less < 0 ? text.length : less;
      return "text";
    }
    let at = this.nameEnd;
    for (;;) {
      const next = this.#skipSpace(at);
      const code = text.charCodeAt(next);
      if (code === GREATER) {
        this.end = next + 1;
        return "open";
      }
      if (code === SLASH && text.charCodeAt(next + 1) === GREATER) {
        this.end = next + 2;
        return "empty";
      }
      if (next >= text.length || code === LESS) {
        this.#flaw(start);
        this.end = next;
        return "open";
      }
      if (next === at) this.#flaw(next);
      at = this.#scanAttribute(next);
    }
  }

  /** One attribute, or what stands in its place; after it. Always goes on by one character at least. */
  #scanAttribute(start: number): number {
    const { text } = this;
    const nameEnd = this.#nameEnd(start);
    if (nameEnd === start) {
      this.#flaw(start);
      return start + 1;
    }
    const equals = this.#skipSpace(nameEnd);
    if (text.charCodeAt(equals) !== EQUALS) {
      this.#flaw(start);
      return nameEnd;
    }
    const value = this.#skipSpace(equals + 1);
    const quote = text.charCodeAt(value);
    if (quote === QUOTE || quote === APOSTROPHE) {
      const close = this.#closingQuote(value);
      if (close >= 0) {
        this.#keep(start, nameEnd, value + 1, close);
        return close + 1;
      }
    }
    // No quotes, or other ones than XML's: up to the next blank or the tag's end.
    this.#flaw(value);
    let end = value;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === GREATER || code === LESS || isSpace(code)) break;
      if (code === SLASH && text.charCodeAt(end + 1) === GREATER) break;
    }
    this.#keep(start, nameEnd, value, end);
    return end === value ? Math.min(end + 1, text.length) : end;
  }

  /**
   * The quote that ends the value, or -1. A value that holds a `<` is not well-formed; it ends at its quote all the
   * same when a tag goes on after that, and otherwise the quote is another attribute's.
   */
  #closingQuote(open: number): number {
    const { text } = this;
    const quote = text.charCodeAt(open);
    if (this.#unclosed === quote) return -1;
    const close = text.indexOf(quote === QUOTE ? '"' : "'", open + 1);
    if (close < 0) {
      this.#unclosed = quote;
      return -1;
    }
    let less = open + 1;
    while (less < close && text.charCodeAt(less) !== LESS) less++;
    if (less === close) return close;
    const after = text.charCodeAt(close + 1);
    if (after !== GREATER && after !== SLASH && !isSpace(after)) return -1;
    this.#flaw(less);
    return close;
  }

  #keep(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const at = this.#attributes++ * 4;
    this.#places[at] = nameStart;
    this.#places[at + 1] = nameEnd;
    this.#places[at + 2] = valueStart;
    this.#places[at + 3] = valueEnd;
  }

  #flaw(at: number): void {
    if (this.malformed < 0) this.malformed = at;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (isSpace(this.text.charCodeAt(at))) at++;
    return at;
  }

  #nameEnd(start: number): number {
    const { text } = this;
    let at = start;
    while (at < text.length && isNameCode(text.charCodeAt(at), at === start)) at++;
    return at;
  }
}

/** White space of XML. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === RETURN || code === TAB;
}

/** Letters, `_`, `:`, and all beyond ASCII but quotes and the like; digits, `-` and `.` not at the start. */
function isNameCode(code: number, first: boolean): boolean {
  if (code >= 0x61 && code <= 0x7a) return true;
  if (code >= 0x41 && code <= 0x5a) return true;
  if (code === 0x5f || code === 0x3a) return true;
  if (code >= 0x80)
    return code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && !(code >= 0x2000 && code <= 0x206f);
  return !first && ((code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e);
}
