/**
 * A tolerant XML tokenizer (tags, texts and comments with their ranges, in linear time; no schema, no tree, no
 * external or declared entities), and decoding and encoding of character data (the five predefined entities and
 * numeric references) in the style of a file.
 */

/** Kind of token returned by `next()`; `end` is the end of the text. */
type XmlToken = "open" | "empty" | "close" | "text" | "comment" | "cdata" | "pi" | "doctype" | "end";

/** An attribute of the last scanned tag; the value's range excludes its quotes. */
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
 * Tokenizes a text. The fields describe the current token until the next call of `next()`. Text that is not
 * well-formed is reported by `malformed` and tokenized as well as possible.
 */
export class XmlScanner {
  readonly text: string;
  /** Range of the token. */
  start = 0;
  end = 0;
  /** For a tag: its name including the prefix. For CDATA: the content. */
  nameStart = 0;
  nameEnd = 0;
  /** Offset of the first part of the token that is not well-formed, or -1. */
  malformed = -1;
  /** For a `doctype`: whether it has an internal subset. */
  subset = false;
  /** The tag's attributes in order. */
  readonly attributes: XmlAttribute[] = [];
  /** A quote known not to occur in the rest of the text, which saves searching for it again. */
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
    this.attributes.length = 0;
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

  /** The name of the tag, including the prefix. */
  get name(): string {
    return this.text.slice(this.nameStart, this.nameEnd);
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

  /** Skips to the `>` that is neither quoted nor inside the internal subset, without interpreting anything. */
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
      // A bare `<`: treated as text, which is what the author meant.
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

  /**
   * Scans one attribute, or malformed content, and returns the offset after it. Always advances by at least one
   * character.
   */
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
        this.attributes.push({ nameStart: start, nameEnd, valueStart: value + 1, valueEnd: close });
        return close + 1;
      }
    }
    // An unquoted value, or one in other quotes: extends to the next white space or the end of the tag.
    this.#flaw(value);
    let end = value;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === GREATER || code === LESS || isSpace(code)) break;
      if (code === SLASH && text.charCodeAt(end + 1) === GREATER) break;
    }
    this.attributes.push({ nameStart: start, nameEnd, valueStart: value, valueEnd: end });
    return end === value ? Math.min(end + 1, text.length) : end;
  }

  /**
   * Returns the offset of the quote that ends the value, or -1. A value with a `<` in it is not well-formed; it still
   * ends at its quote if the tag continues there, otherwise the quote belongs to another attribute.
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

/** Whether the character is XML white space. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === RETURN || code === TAB;
}

/** Letters, `_`, `:`, and all of non-ASCII except quotes and the like; digits, `-` and `.` only after the start. */
function isNameCode(code: number, first: boolean): boolean {
  if (code >= 0x61 && code <= 0x7a) return true;
  if (code >= 0x41 && code <= 0x5a) return true;
  if (code === 0x5f || code === 0x3a) return true;
  if (code >= 0x80)
    return code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && !(code >= 0x2000 && code <= 0x206f);
  return !first && ((code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e);
}

/** A decoded text, and the raw offset of the first invalid or unknown reference; -1 if there is none. */
interface Decoded {
  readonly text: string;
  readonly flaw: number;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const REFERENCE = /&(?:(amp|lt|gt|quot|apos);|#(\d{1,8});|#x([\da-fA-F]{1,6});)?/g;
/** Characters that XML 1.0 does not allow, not even as a reference. */
const NO_CHARACTERS =
  /[^\t\n\r\x20-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Returns the offset of the first character that XML does not allow; -1 if there is none. */
export function indexOfNonXml(text: string): number {
  return text.search(NO_CHARACTERS);
}

/** Replaces characters that XML does not allow by U+FFFD. */
export function replaceNonXml(text: string): string {
  return indexOfNonXml(text) < 0 ? text : text.replaceAll(new RegExp(NO_CHARACTERS, "g"), "\uFFFD");
}

/** Decodes raw character data. Line ends become line feeds, as XML requires. */
export function decodeXml(raw: string): Decoded {
  const lined = raw.includes("\r") ? raw.replaceAll(/\r\n?/g, "\n") : raw;
  if (!lined.includes("&")) return { text: lined, flaw: -1 };
  let flaw = -1;
  const text = lined.replaceAll(
    REFERENCE,
    (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined, at: number) => {
      const decodedCharacter = name === undefined ? numericReference(decimal, hex) : NAMED[name];
      if (decodedCharacter === undefined && flaw < 0) flaw = at;
      return decodedCharacter ?? whole;
    },
  );
  return { text, flaw };
}

/** Decodes an attribute's value, in which raw white space becomes a space. */
export function decodeAttribute(raw: string): string {
  return decodeXml(/[\t\n\r]/.test(raw) ? raw.replaceAll(/\r\n|[\t\n\r]/g, " ") : raw).text;
}

function numericReference(decimal: string | undefined, hex: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (!(code <= 0x10ffff)) return undefined;
  const text = String.fromCodePoint(code);
  return indexOfNonXml(text) < 0 ? text : undefined;
}

/** How an optional escape is written: as the reference returned, or not at all (`undefined`). */
export type CharacterStyle = (character: string) => string | undefined;

/** Characters that must or may be escaped. */
const CHOICE = /[&<>"'\t\n\r]|[^\0-\x7F]/gu;

/** Encodes a text as character data. `newline`: how a line end in it is written. */
export function encodeXml(text: string, newline: string, style: CharacterStyle): string {
  return text.replaceAll(CHOICE, (character, at: number) => {
    const stylised = style(character);
    if (stylised !== undefined) return stylised;
    switch (character) {
      case "&":
        return "&amp;";
      case "<":
        return "&lt;";
      case "\r":
        return "&#13;";
      case "\n":
        return newline;
      case ">":
        return text.endsWith("]]", at) ? "&gt;" : ">";
      default:
        return character;
    }
  });
}

/** The default style: only what must be escaped. */
export const PLAIN: CharacterStyle = () => undefined;

/** Encodes a text as an attribute's value in these quotes. */
export function encodeAttribute(text: string, quote: string): string {
  return replaceNonXml(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(quote, quote === '"' ? "&quot;" : "&apos;")
    .replaceAll(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}

const ANY_REFERENCE = /&(?:\w{2,4}|#x?[\da-fA-F]{1,8});/g;

/**
 * How a file escapes characters, detected from its texts. A new text follows the one it replaces and its neighbour,
 * and otherwise the majority of the file.
 */
export class XmlStyle {
  readonly #text: string;
  #references: ReadonlyMap<string, string> | null = null;
  /** An escape of a character beyond ASCII, if the file escapes them all; `null`: not determined yet. */
  #example: string | null | undefined = null;
  readonly #known = new Map<string, string | undefined>();

  /** @param texts raw character data of the file */
  constructor(texts: readonly string[]) {
    this.#text = withoutRequiredReferences(texts.join("\0"));
  }

  /**
   * Returns the style for a text. `near`: raw texts that take precedence over the file's majority, the nearest first.
   */
  near(near: readonly string[]): CharacterStyle {
    const texts = near.map(withoutRequiredReferences);
    const references = texts.map(referencesIn);
    return (character) => {
      for (const [index, raw] of texts.entries()) {
        const reference = references[index]?.get(character);
        if (reference !== undefined) return reference;
        if (raw.includes(character)) return undefined;
      }
      if (!this.#known.has(character)) this.#known.set(character, this.#styleOf(character));
      return this.#known.get(character);
    };
  }

  #styleOf(character: string): string | undefined {
    this.#references ??= referencesIn(this.#text);
    const reference = this.#references.get(character);
    if (reference !== undefined) {
      const count = (part: string): number => this.#text.split(part).length;
      return count(reference) >= count(character) ? reference : undefined;
    }
    // A file that escapes all non-ASCII letters also escapes new ones.
    if (character <= "\u007F") return undefined;
    if (this.#example === null) {
      const isAscii = !/[\u0080-\uFFFF]/.test(this.#text);
      const example = [...this.#references].find(([known]) => known > "\u007F");
      this.#example = isAscii ? example?.[1] : undefined;
    }
    const code = character.codePointAt(0) ?? 0;
    if (this.#example?.startsWith("&#x") === true) return `&#x${code.toString(16).toUpperCase()};`;
    return this.#example === undefined ? undefined : `&#${code};`;
  }
}

/** References that every writer needs do not show a preference. */
function withoutRequiredReferences(raw: string): string {
  return raw.includes("]]&gt;") ? raw.replaceAll("]]&gt;", "") : raw;
}

function referencesIn(raw: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!raw.includes("&")) return found;
  for (const [reference] of raw.matchAll(ANY_REFERENCE)) {
    const { text, flaw } = decodeXml(reference);
    if (flaw < 0 && !found.has(text)) found.set(text, reference);
  }
  return found;
}
