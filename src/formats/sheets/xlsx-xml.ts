/**
 * Reads the XML of workbooks tag by tag. Names are compared without their prefixes, since programs use different
 * ones.
 */
import type { Span } from "../../model/span.ts";
import { decodeXml, type XmlAttribute, XmlScanner } from "../xml-tokenizer.ts";

/** Iterates over tags; the fields describe the tag found by `next`. */
export class XmlTags {
  readonly xml: string;
  /** Range of the tag, including `<` and `>`. */
  start = 0;
  end: number;
  /** Range of the name without its prefix. */
  nameStart = 0;
  nameEnd = 0;
  isClose = false;
  /** `<c/>` */
  isEmpty = false;
  /** Whether there is a document type, or the text ends inside a tag. */
  broken = false;
  readonly #scanner: XmlScanner;

  constructor(xml: string, from = 0) {
    this.xml = xml;
    this.end = from;
    this.#scanner = new XmlScanner(xml, from);
  }

  /** Advances to the next tag, skipping texts, comments, CDATA and processing instructions; `false` at the end. */
  next(): boolean {
    const { xml } = this;
    const scanner = this.#scanner;
    for (;;) {
      const token = scanner.next();
      if (token === "end") return false;
      if (token === "open" || token === "empty" || token === "close") {
        if (xml.charCodeAt(scanner.end - 1) !== 0x3e) return this.#break();
        this.start = scanner.start;
        this.end = scanner.end;
        this.isClose = token === "close";
        this.isEmpty = token === "empty";
        this.nameEnd = scanner.nameEnd;
        this.nameStart = afterPrefix(xml, scanner.nameStart, scanner.nameEnd);
        return true;
      }
      if (token === "doctype" || scanner.malformed >= 0) return this.#break();
    }
  }

  #break(): boolean {
    this.broken = true;
    this.end = this.xml.length;
    return false;
  }

  is(name: string): boolean {
    return this.nameEnd - this.nameStart === name.length && this.xml.startsWith(name, this.nameStart);
  }

  isOpen(name: string): boolean {
    return !this.isClose && this.is(name);
  }

  /** Returns the prefix of the name with its colon; empty if there is none. */
  prefix(): string {
    return this.xml.slice(this.start + (this.isClose ? 2 : 1), this.nameStart);
  }

  /** Returns an attribute's value by its name without a prefix; `null` if it is missing. */
  attribute(name: string): string | null {
    const found = this.#find(name);
    return found === undefined ? null : xmlText(this.xml, found.valueStart, found.valueEnd);
  }

  /** Returns the range of the attribute, from the white space before it to after the closing quote. */
  attributeSpan(name: string): Span | null {
    const index = this.attributes.findIndex((attribute) => this.attributeName(attribute) === name);
    const found = this.attributes[index];
    if (found === undefined) return null;
    const before = this.attributes[index - 1];
    return { start: before === undefined ? this.nameEnd : before.valueEnd + 1, end: found.valueEnd + 1 };
  }

  /** Returns the range of the attribute's value, without its quotes. */
  valueSpan(name: string): Span | null {
    const found = this.#find(name);
    return found === undefined ? null : { start: found.valueStart, end: found.valueEnd };
  }

  #find(name: string): XmlAttribute | undefined {
    return this.attributes.find((attribute) => this.attributeName(attribute) === name);
  }

  get attributes(): readonly XmlAttribute[] {
    return this.#scanner.attributes;
  }

  /** Returns an attribute's name without its prefix. */
  attributeName({ nameStart, nameEnd }: XmlAttribute): string {
    return this.xml.slice(afterPrefix(this.xml, nameStart, nameEnd), nameEnd);
  }

  /** Returns an attribute's value as written. */
  rawValue({ valueStart, valueEnd }: XmlAttribute): string {
    return this.xml.slice(valueStart, valueEnd);
  }

  /** Skips to after the end tag of the current element; returns the end of its content. */
  skip(): number {
    if (this.isEmpty || this.isClose) return this.end;
    for (let depth = 1; this.next();) {
      if (this.isClose) depth--;
      else if (!this.isEmpty) depth++;
      if (depth === 0) return this.start;
    }
    return this.xml.length;
  }
}

function afterPrefix(xml: string, start: number, end: number): number {
  for (let at = end - 1; at > start; at--) if (xml.charCodeAt(at) === 0x3a) return at + 1;
  return start;
}

/** Returns the text between two offsets, without markup and with decoded entities and line ends. */
export function xmlText(xml: string, start: number, end: number): string {
  const raw = xml.slice(start, end);
  if (!raw.includes("<")) return decodeXml(raw).text;
  let text = "";
  const scanner = new XmlScanner(raw);
  for (let token = scanner.next(); token !== "end"; token = scanner.next()) {
    if (token === "text") text += decodeXml(raw.slice(scanner.start, scanner.end)).text;
    else if (token === "cdata")
      text += raw.slice(scanner.nameStart, scanner.nameEnd).replaceAll(/\r\n?/g, "\n");
  }
  return text;
}

/** Same as `xmlText`, for a cell: spreadsheets write characters that XML does not allow as `_x000D_` (ST_Xstring). */
export function cellXmlText(xml: string, start: number, end: number): string {
  const text = xmlText(xml, start, end);
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Encodes a cell's text as XML: the inverse of `cellXmlText`. */
export function escapeCell(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- these are what XML cannot hold
    /[&<>\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4})/gu,
    (char) => {
      if (char === "&") return "&amp;";
      if (char === "<") return "&lt;";
      if (char === ">") return "&gt;";
      return `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
    },
  );
}
