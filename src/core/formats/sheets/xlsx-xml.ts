/**
 * The XML of workbooks, tag by tag in one pass: no tree, no document types, no entities but the predefined ones and
 * numbers. Names are looked at without their prefixes, since programs choose different ones.
 */

const OPEN = 0x3c;
const CLOSE = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;
const QUOTES = [0x22, 0x27] as const;

/** Goes from tag to tag. What `start`, `end` and the rest say is of the tag that `next` came to. */
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
  /** The attribute that `nextAttribute` came to, with the white space before it; its name is without prefix. */
  attributeStart = 0;
  attributeName = 0;
  attributeNameEnd = 0;
  valueStart = 0;
  attributeEnd = 0;
  /** There is a document type, or the text breaks off within a tag. */
  broken = false;

  constructor(xml: string, from = 0) {
    this.xml = xml;
    this.end = from;
  }

  /** Comments, CDATA and instructions are passed over. `false`: there is no further tag. */
  next(): boolean {
    const { xml } = this;
    for (let at = this.end; ;) {
      const start = xml.indexOf("<", at);
      if (start < 0) return false;
      const mark = xml[start + 1];
      if (mark === "!" || mark === "?") {
        at = afterMarkup(xml, start);
        if (at < 0) return this.#break();
        continue;
      }
      return this.#take(start);
    }
  }

  #break(): boolean {
    this.broken = true;
    this.end = this.xml.length;
    return false;
  }

  #take(start: number): boolean {
    const { xml } = this;
    this.start = start;
    this.isClose = xml.charCodeAt(start + 1) === SLASH;
    let at = start + (this.isClose ? 2 : 1);
    this.nameStart = at;
    for (; at < xml.length; at++) {
      const code = xml.charCodeAt(at);
      if (code <= 0x20 || code === CLOSE || code === SLASH) break;
      if (code === COLON) this.nameStart = at + 1;
    }
    this.nameEnd = at;
    for (; at < xml.length; at++) {
      const code = xml.charCodeAt(at);
      if (code === CLOSE) {
        this.isEmpty = xml.charCodeAt(at - 1) === SLASH;
        this.end = at + 1;
        return true;
      }
      if (code === QUOTES[0] || code === QUOTES[1]) {
        at = xml.indexOf(code === QUOTES[0] ? '"' : "'", at + 1);
        if (at < 0) break;
      } else if (code === OPEN) break;
    }
    return this.#break();
  }

  is(name: string): boolean {
    return this.nameEnd - this.nameStart === name.length && this.xml.startsWith(name, this.nameStart);
  }

  isOpen(name: string): boolean {
    return !this.isClose && this.is(name);
  }

  /** Name with its prefix, as it stands there. */
  prefix(): string {
    return this.xml.slice(this.start + (this.isClose ? 2 : 1), this.nameStart);
  }

  /** An attribute's value by its name without prefix; `null` when there is none. */
  attribute(name: string): string | null {
    const span = this.attributeSpan(name);
    return span === null ? null : xmlText(this.xml, span.valueStart, span.end - 1);
  }

  /** Where the attribute stands, with the white space before it. */
  attributeSpan(name: string): { start: number; valueStart: number; end: number } | null {
    for (this.attributeEnd = this.nameEnd; this.nextAttribute();) {
      if (this.attributeNameEnd - this.attributeName !== name.length) continue;
      if (!this.xml.startsWith(name, this.attributeName)) continue;
      return { start: this.attributeStart, valueStart: this.valueStart, end: this.attributeEnd };
    }
    return null;
  }

  /** Goes to the attribute behind `attributeEnd`, which is set to `nameEnd` to begin. */
  nextAttribute(): boolean {
    const { xml, end } = this;
    let at = this.attributeEnd;
    this.attributeStart = at;
    while (at < end && xml.charCodeAt(at) <= 0x20) at++;
    this.attributeName = at;
    for (; at < end; at++) {
      const code = xml.charCodeAt(at);
      if (code === EQUALS || code <= 0x20) break;
      if (code === COLON) this.attributeName = at + 1;
    }
    this.attributeNameEnd = at;
    while (at < end && xml.charCodeAt(at) <= 0x20) at++;
    if (xml.charCodeAt(at) !== EQUALS) return false;
    at++;
    while (at < end && xml.charCodeAt(at) <= 0x20) at++;
    const quote = xml.charCodeAt(at);
    if (quote !== QUOTES[0] && quote !== QUOTES[1]) return false;
    this.valueStart = ++at;
    while (at < end && xml.charCodeAt(at) !== quote) at++;
    this.attributeEnd = at + 1;
    return at < end;
  }

  /** Goes behind the end tag of the element whose start tag this is; gives where its content ends. */
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

/** Offset behind the comment, CDATA or instruction at `start`; `-1`: something else, or it does not end. */
function afterMarkup(xml: string, start: number): number {
  const ending = xml.startsWith("<!--", start)
    ? "-->"
    : xml.startsWith("<![CDATA[", start)
      ? "]]>"
      : xml.startsWith("<?", start)
        ? "?>"
        : null;
  const end = ending === null ? -1 : xml.indexOf(ending, start + 2);
  return ending === null || end < 0 ? -1 : end + ending.length;
}

/** The characters between two offsets, without markup, with entities and line ends as XML means them. */
export function xmlText(xml: string, start: number, end: number): string {
  const raw = xml.slice(start, end);
  if (!raw.includes("<")) return unescaped(raw);
  let text = "";
  let at = 0;
  for (let open = raw.indexOf("<"); open >= 0; open = raw.indexOf("<", at)) {
    text += unescaped(raw.slice(at, open));
    const behind = afterMarkup(raw, open);
    if (behind < 0) return text;
    if (raw.startsWith("<![CDATA[", open)) text += lines(raw.slice(open + 9, behind - 3));
    at = behind;
  }
  return text + unescaped(raw.slice(at));
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function unescaped(raw: string): string {
  const text = lines(raw);
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|([a-z]{2,4}));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}

function lines(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
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
