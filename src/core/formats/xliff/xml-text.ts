/**
 * Character data of XML: decoded (the five predefined entities and numeric references, nothing else) and encoded in
 * a file's own manner. Knows no tags.
 */

/** A decoded text, and where in the raw one something stands that is no reference of these; -1: nowhere. */
export interface Decoded {
  readonly text: string;
  readonly flaw: number;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const REFERENCE = /&(?:(amp|lt|gt|quot|apos);|#(\d{1,8});|#x([\da-fA-F]{1,6});)?/g;
/** XML 1.0 has no place for these, not even as a reference. */
const NO_CHARACTERS =
  /[^\t\n\r\x20-\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** The place of the first character that XML cannot hold; -1 when there is none. */
export function notXml(text: string): number {
  return text.search(NO_CHARACTERS);
}

/** The text without what XML cannot hold: U+FFFD stands there instead. */
export function asXml(text: string): string {
  return notXml(text) < 0 ? text : text.replaceAll(new RegExp(NO_CHARACTERS, "g"), "\uFFFD");
}

/** Raw character data as it is meant. Line ends become `\n`, as XML says. */
export function decodeXml(raw: string): Decoded {
  const lined = raw.includes("\r") ? raw.replaceAll(/\r\n?/g, "\n") : raw;
  if (!lined.includes("&")) return { text: lined, flaw: -1 };
  let flaw = -1;
  const text = lined.replaceAll(
    REFERENCE,
    (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined, at: number) => {
      const said = name === undefined ? numbered(decimal, hex) : NAMED[name];
      if (said === undefined && flaw < 0) flaw = at;
      return said ?? whole;
    },
  );
  return { text, flaw };
}

/** The same of an attribute's value: raw white space is a blank. */
export function decodeAttribute(raw: string): string {
  return decodeXml(/[\t\n\r]/.test(raw) ? raw.replaceAll(/\r\n|[\t\n\r]/g, " ") : raw).text;
}

function numbered(decimal: string | undefined, hex: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (!(code <= 0x10ffff)) return undefined;
  const text = String.fromCodePoint(code);
  return notXml(text) < 0 ? text : undefined;
}

/** How a character is written where there is a choice: as it is (`undefined`), or as which reference. */
export type Habit = (character: string) => string | undefined;

/** What cannot stand as it is, or need not. */
const CHOICE = /[&<>"'\t\n\r]|[^\0-\x7F]/gu;

/** The text as character data. `newline`: what a line end of it is written as. */
export function encodeXml(text: string, newline: string, habit: Habit): string {
  return text.replaceAll(CHOICE, (character, at: number) => {
    const said = habit(character);
    if (said !== undefined) return said;
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

/** As nobody in particular writes. */
export const PLAIN: Habit = () => undefined;

/** The text as an attribute's value between these quotes. */
export function encodeAttribute(text: string, quote: string): string {
  return asXml(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(quote, quote === '"' ? "&quot;" : "&apos;")
    .replaceAll(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}

const ANY_REFERENCE = /&(?:\w{2,4}|#x?[\da-fA-F]{1,8});/g;

/**
 * A file's manner of writing characters, told from its texts: for one text from the text that stood there before
 * and the one beside it, else from the majority of all.
 */
export class XmlHabits {
  readonly #texts: readonly string[];
  #references: ReadonlyMap<string, string> | null = null;
  #others: ((character: string) => string | undefined) | null = null;
  readonly #known = new Map<string, string | undefined>();

  /** `texts`: raw character data of the file. */
  constructor(texts: readonly string[]) {
    this.#texts = texts.map(withoutForced);
  }

  /** For a text to be written; `near`: raw texts that come before the file's majority, the nearest first. */
  near(near: readonly string[]): Habit {
    const texts = near.map(withoutForced);
    const references = texts.map(referencesIn);
    return (character) => {
      for (const [index, raw] of texts.entries()) {
        const reference = references[index]?.get(character);
        if (reference !== undefined) return reference;
        if (raw.includes(character)) return undefined;
      }
      return this.#ofFile(character);
    };
  }

  #ofFile(character: string): string | undefined {
    if (this.#known.has(character)) return this.#known.get(character);
    this.#references ??= referencesIn(this.#texts.join(""));
    const reference = this.#references.get(character);
    const said =
      reference === undefined
        ? this.#ofOthers(character)
        : this.#count(reference) >= this.#count(character)
          ? reference
          : undefined;
    this.#known.set(character, said);
    return said;
  }

  #count(part: string): number {
    return this.#texts.reduce((sum, text) => sum + text.split(part).length - 1, 0);
  }

  /** A file that writes all its letters beyond ASCII as references writes a new one so too. */
  #ofOthers(character: string): string | undefined {
    if (this.#others === null) {
      const all = [...(this.#references ?? [])];
      const beyond = all.find(([known]) => known > "\u007F")?.[1];
      const isAscii = beyond !== undefined && !this.#texts.some((text) => /[\u0080-\uFFFF]/.test(text));
      const hex = beyond?.startsWith("&#x") === true;
      this.#others = (other) => {
        if (!isAscii || other <= "\u007F") return undefined;
        const code = other.codePointAt(0) ?? 0;
        return hex ? `&#x${code.toString(16).toUpperCase()};` : `&#${code};`;
      };
    }
    return this.#others(character);
  }
}

/** Here every writer needs the reference, so that it tells no habit. */
function withoutForced(raw: string): string {
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
