/**
 * The XML of workbooks tag by tag. Names are compared without their prefixes, since programs choose different ones.
 */
import { decodeXml, XmlScanner } from "../xml.ts";

/** Goes from tag to tag; the fields are about the tag that `next` found. */
export class XmlTags {
  readonly xml: string;
  /** The tag from `<` to behind `>`. */
  start = 0;
  end: number;
  /** Name without prefix. */
  nameStart = 0;
  nameEnd = 0;
  isClose = false;
  /** `<c/>` */
  isEmpty = false;
  /** There is a document type, or the text breaks off within a tag. */
  broken = false;
  readonly #scanner: XmlScanner;

  constructor(xml: string, from = 0) {
    this.xml = xml;
    this.end = from;
    this.#scanner = new XmlScanner(xml, from);
  }

  /** Texts, comments, CDATA and instructions are skipped. `false`: there is no further tag. */
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

  /** The prefix of the name with its colon; empty when there is none. */
  prefix(): string {
    return this.xml.slice(this.start + (this.isClose ? 2 : 1), this.nameStart);
  }

  /** An attribute's value by its name without prefix; `null` when there is none. */
  attribute(name: string): string | null {
    const index = this.#indexOf(name);
    if (index < 0) return null;
    const { valueStart, valueEnd } = this.#scanner.attribute(index);
    return xmlText(this.xml, valueStart, valueEnd);
  }

  /** The range of the attribute, with the white space before it; `end` is behind the closing quote. */
  attributeSpan(name: string): { start: number; valueStart: number; end: number } | null {
    const index = this.#indexOf(name);
    if (index < 0) return null;
    const { valueStart, valueEnd } = this.#scanner.attribute(index);
    const start = index === 0 ? this.nameEnd : this.#scanner.attribute(index - 1).valueEnd + 1;
    return { start, valueStart, end: valueEnd + 1 };
  }

  get attributeCount(): number {
    return this.#scanner.attributeCount;
  }

  /** Name without prefix. */
  attributeName(index: number): string {
    const { nameStart, nameEnd } = this.#scanner.attribute(index);
    return this.xml.slice(afterPrefix(this.xml, nameStart, nameEnd), nameEnd);
  }

  /** As it is written. */
  rawValue(index: number): string {
    const { valueStart, valueEnd } = this.#scanner.attribute(index);
    return this.xml.slice(valueStart, valueEnd);
  }

  #indexOf(name: string): number {
    for (let index = 0; index < this.#scanner.attributeCount; index++) {
      const { nameStart, nameEnd } = this.#scanner.attribute(index);
      const start = afterPrefix(this.xml, nameStart, nameEnd);
      if (nameEnd - start === name.length && this.xml.startsWith(name, start)) return index;
    }
    return -1;
  }

  /** Goes behind the end tag of the element whose start tag this is; returns where its content ends. */
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

/** The characters between two offsets, without markup, with entities and line ends as XML means them. */
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

/** As `xmlText`, of a cell: `_x000D_` is how spreadsheets write what XML cannot hold (ST_Xstring). */
export function cellXmlText(xml: string, start: number, end: number): string {
  const text = xmlText(xml, start, end);
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A cell's text as XML; the other way around than `cellXmlText`. */
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
