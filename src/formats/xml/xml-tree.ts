/** The elements of an XML document as a tree, also of a document that is not well-formed. */
import type { Span } from "../../util/span.ts";
import { decodeAttribute, decodeXml, indexOfNonXml, type XmlAttribute, XmlScanner } from "./xml-tokenizer.ts";

/** An element, from its `<` to the end of its end tag; its content is between `tagEnd` and `innerEnd`. */
export class XmlElement implements Span {
  readonly #text: string;
  /** Including the prefix. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly parent: XmlElement | null;
  readonly children: XmlElement[] = [];
  readonly start: number;
  /** Offset after the `>` of the start tag. */
  readonly tagEnd: number;
  /** Offset of the end tag; equal to `tagEnd` if the tag is self-closing. */
  innerEnd: number;
  end: number;
  /** Whether the element is a self-closing tag. */
  readonly empty: boolean;
  /** Whether it directly contains comments, CDATA or processing instructions. */
  hasMarkup = false;

  /** @param scanner at the start tag */
  constructor(scanner: XmlScanner, parent: XmlElement | null, empty: boolean) {
    this.#text = scanner.text;
    this.name = scanner.name;
    this.attributes = [...scanner.attributes];
    this.parent = parent;
    this.start = scanner.start;
    this.tagEnd = this.innerEnd = this.end = scanner.end;
    this.empty = empty;
  }

  /** Returns the first attribute with that name. */
  find(name: string): XmlAttribute | undefined {
    return this.attributes.find(
      ({ nameStart, nameEnd }) =>
        nameEnd - nameStart === name.length && this.#text.startsWith(name, nameStart),
    );
  }

  /** Returns the decoded value of an attribute; `null` if it is missing. */
  attribute(name: string): string | null {
    const found = this.find(name);
    return found === undefined ? null : decodeAttribute(this.#text.slice(found.valueStart, found.valueEnd));
  }

  /** The content as written. */
  get raw(): string {
    return this.#text.slice(this.tagEnd, this.innerEnd);
  }
}

/** Something that is not well-formed. */
export interface XmlFlaw {
  readonly message: string;
  readonly span: Span;
  /** The innermost element that contains it; `null` if it makes the ranges of all elements unreliable. */
  readonly within: XmlElement | null;
}

export interface XmlTree {
  readonly roots: readonly XmlElement[];
  readonly flaws: readonly XmlFlaw[];
}

/** Number of open elements that are compared with a mismatched end tag. */
const RESCUE_DEPTH = 16;

/** Parses a document. Never throws. */
export function parseXml(text: string): XmlTree {
  const scanner = new XmlScanner(text);
  const roots: XmlElement[] = [];
  const flaws: XmlFlaw[] = [];
  let current: XmlElement | null = null;
  const addFlaw = (message: string, start: number, end: number, within: XmlElement | null = null): void => {
    flaws.push({ message, span: { start, end }, within });
  };
  for (let token = scanner.next(); token !== "end"; token = scanner.next()) {
    const { start, end } = scanner;
    if (scanner.malformed >= 0) addFlaw("not well-formed", scanner.malformed, end, current);
    // XML parsers refuse the whole file for these, so that it is not written either.
    for (const { message, at } of tokenFlaws(scanner, token)) addFlaw(message, at, end);
    if (token === "open" || token === "empty") {
      const element: XmlElement = new XmlElement(scanner, current, token === "empty");
      (current?.children ?? roots).push(element);
      if (token === "open") current = element;
    } else if (token === "close") {
      const opened = openedBy(current, scanner.name);
      if (opened === null) addFlaw("an end tag without its start", start, end);
      else if (opened !== current) addFlaw("an element does not end before this tag", start, end);
      if (opened !== null) current = close(current, opened, start, end);
    } else if (token === "text") {
      const at = current === null ? text.slice(start, end).search(/[^ \t\n\r]/) : -1;
      if (at >= 0) addFlaw("text outside of the document", start + at, end);
    } else if (token === "doctype") {
      // Entity declarations are never processed, so a document that has some cannot be read correctly.
      if (scanner.subset) addFlaw("a document type with declarations of its own", start, end);
    } else if (current !== null) current.hasMarkup = true;
  }
  if (current !== null) {
    const nameStart = current.start + 1;
    addFlaw("the element does not end", nameStart, nameStart + current.name.length);
    close(current, null, text.length, text.length);
  }
  const control = indexOfNonXml(text);
  if (control >= 0) addFlaw("a character that XML does not allow", control, control + 1);
  return { roots, flaws };
}

interface TokenFlaw {
  readonly message: string;
  readonly at: number;
}

/** Returns what is not well-formed in a token that has a clear end. */
function tokenFlaws(scanner: XmlScanner, token: ReturnType<XmlScanner["next"]>): readonly TokenFlaw[] {
  const { text, start, end } = scanner;
  if (token === "text") return flawAt(text.slice(start, end).indexOf("]]>"), start, "`]]>` in a text");
  if (token === "comment") {
    // The last hyphen before `-->` may not be one of two either.
    const content = text.slice(start + 4, Math.max(start + 4, end - 2));
    return flawAt(content.indexOf("--"), start + 4, "`--` in a comment");
  }
  if (token === "pi") {
    const isLate = start > 0 && /^<\?xml[\s?]/iu.test(text.slice(start, start + 6));
    return isLate ? [{ message: "an XML declaration after the start of the file", at: start }] : [];
  }
  if (token !== "open" && token !== "empty") return [];
  const names = new Set<string>();
  return scanner.attributes.flatMap(({ nameStart, nameEnd, valueStart, valueEnd }): readonly TokenFlaw[] => {
    const name = text.slice(nameStart, nameEnd);
    if (names.has(name)) return [{ message: `the attribute \`${name}\` is repeated`, at: nameStart }];
    names.add(name);
    const { flaw } = decodeXml(text.slice(valueStart, valueEnd));
    return flawAt(flaw, valueStart, "an unknown reference in an attribute");
  });
}

function flawAt(index: number, start: number, message: string): readonly TokenFlaw[] {
  return index < 0 ? [] : [{ message, at: start + index }];
}

/** Returns the innermost open element with that name; `null` if it is not near. */
function openedBy(innermost: XmlElement | null, name: string): XmlElement | null {
  let element = innermost;
  for (let depth = 0; element !== null && depth <= RESCUE_DEPTH; depth++) {
    if (element.name === name) return element;
    element = element.parent;
  }
  return null;
}

/** Ends the open elements from the innermost to `last` (`null`: all), and returns the one around them. */
function close(
  innermost: XmlElement | null,
  last: XmlElement | null,
  innerEnd: number,
  end: number,
): XmlElement | null {
  const outer = last === null ? null : last.parent;
  for (let element = innermost; element !== null && element !== outer; element = element.parent) {
    element.innerEnd = innerEnd;
    element.end = end;
  }
  return outer;
}
