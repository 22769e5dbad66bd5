/**
 * Reads the XML of workbooks tag by tag. Names are compared without their prefixes, since programs use different
 * ones.
 */
import { decodeXml, type XmlAttribute, XmlScanner } from "../xml/xml-tokenizer.ts";

/** Iterates over tags; the fields describe the tag found by `nextTag`. */
export class XmlTags extends XmlScanner {
  /** Start of the name without its prefix. */
  localStart = 0;
  isClose = false;
  /** `<c/>` */
  isEmpty = false;
  /** Whether there is a document type, or the text ends inside a tag. */
  broken = false;

  /** Advances to the next tag, skipping texts, comments, CDATA and processing instructions; `false` at the end. */
  nextTag(): boolean {
    for (;;) {
      const token = this.next();
      if (token === "end") return false;
      const isTag = token === "open" || token === "empty" || token === "close";
      if (isTag ? this.text.charCodeAt(this.end - 1) !== 0x3e : token === "doctype" || this.malformed >= 0) {
        this.broken = true;
        this.end = this.text.length;
        return false;
      }
      if (!isTag) continue;
      this.isClose = token === "close";
      this.isEmpty = token === "empty";
      this.localStart = afterPrefix(this.text, this.nameStart, this.nameEnd);
      return true;
    }
  }

  is(name: string): boolean {
    return this.nameEnd - this.localStart === name.length && this.text.startsWith(name, this.localStart);
  }

  isOpen(name: string): boolean {
    return !this.isClose && this.is(name);
  }

  /** Returns an attribute's value by its name without a prefix; `null` if it is missing. */
  attribute(name: string): string | null {
    const found = this.attributes.find((attribute) => this.attributeName(attribute) === name);
    return found === undefined ? null : xmlText(this.text, found.valueStart, found.valueEnd);
  }

  /** Returns an attribute's name without its prefix. */
  attributeName({ nameStart, nameEnd }: XmlAttribute): string {
    return this.text.slice(afterPrefix(this.text, nameStart, nameEnd), nameEnd);
  }

  /** Returns an attribute's value as written. */
  rawValue({ valueStart, valueEnd }: XmlAttribute): string {
    return this.text.slice(valueStart, valueEnd);
  }

  /** Skips to after the end tag of the current element; returns the end of its content. */
  skip(): number {
    if (this.isEmpty || this.isClose) return this.end;
    for (let depth = 1; this.nextTag();) {
      if (this.isClose) depth--;
      else if (!this.isEmpty) depth++;
      if (depth === 0) return this.start;
    }
    return this.text.length;
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
