/** How an XLIFF document is laid out: which lines are an element's own, and how its units are written. */
import type { Span } from "../format.ts";
import { afterNewline, indentUnit, lineStart, skipBlanks } from "../style.ts";
import type { Element, Unit, XliffDocument } from "./xliff-elements.ts";
import type { UnitLayout } from "./xliff-print.ts";
import { isDescription } from "./xliff-read.ts";
import { XmlScanner } from "./xml-scan.ts";

/** The blanks before the element; `null` when something else stands before it on its line. */
export function indentOf(text: string, { start }: Span): string | null {
  const line = lineStart(text, start);
  return skipBlanks(text, line) === start ? text.slice(line, start) : null;
}

/**
 * The element with its whole lines where it has them for itself, else the element alone. `floor`: with the comments
 * right above it, as far as they come after that offset.
 */
export function ownLines(text: string, element: Span, floor = Infinity): Span {
  const end = skipBlanks(text, element.end);
  const next = afterNewline(text, end);
  if (indentOf(text, element) === null || next === end) return { start: element.start, end: element.end };
  let start = lineStart(text, element.start);
  for (let above = commentAbove(text, start, floor); above >= 0; above = commentAbove(text, start, floor)) {
    start = above;
  }
  return { start, end: next };
}

/** The end of the line above the one that `offset` stands in. */
export function beforeLine(text: string, offset: number): number {
  const end = Math.max(0, lineStart(text, offset) - 1);
  return text.charCodeAt(end) === 0x0a && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
}

/** Where the line of the comment begins that ends in the line above; -1 when none does. */
function commentAbove(text: string, line: number, floor: number): number {
  if (line <= floor) return -1;
  let end = beforeLine(text, line);
  while (text[end - 1] === " " || text[end - 1] === "\t") end--;
  if (!text.endsWith("-->", end)) return -1;
  const open = text.lastIndexOf("<!--", end - 3);
  if (open < floor || text.indexOf("-->", open + 4) !== end - 3) return -1;
  return indentOf(text, { start: open, end }) === null ? -1 : lineStart(text, open);
}

/** The end of the element's last line where only blanks and comments stand behind it, else the element's own end. */
export function endOfLine(text: string, { end }: Span): number {
  let at = skipBlanks(text, end);
  while (text.startsWith("<!--", at)) {
    const close = text.indexOf("-->", at);
    if (close < 0) return end;
    at = skipBlanks(text, close + "-->".length);
  }
  return afterNewline(text, at) > at ? at : end;
}

/** What goes before a new line of the document: nothing where all of it is one line. */
export function lineBreak(text: string, document: XliffDocument, newline: string): string {
  const { root } = document;
  return root !== null && /[\r\n]/.test(text.slice(root.tagEnd, root.innerEnd)) ? newline : "";
}

/** As `unit` is written; without one as documents are that are written anew, with the given indentation. */
export function layoutOf(
  text: string,
  document: XliffDocument,
  unit: Unit | undefined,
  newline: string,
  indent: string,
): UnitLayout {
  const { version, names } = document;
  const base = { version, prefix: names.prefix, newline, noteAttributes: noteAttributes(text, document) };
  if (unit === undefined) {
    const isCompact = lineBreak(text, document, newline) === "";
    const step = isCompact ? null : (indentUnit(text) ?? "  ");
    return { ...base, quote: '"', indent: isCompact ? null : indent, step, named: true, attributes: "" };
  }
  const own = indentOf(text, unit);
  const [segment] = unit.segments;
  const child = version === "1.2" ? segment?.source : segment;
  const within = child === undefined || child === null ? null : indentOf(text, child);
  const step =
    within === null || own === null ? null : within.startsWith(own) ? within.slice(own.length) : "  ";
  const quote = text[unit.keySpan.start - 1] === "'" ? "'" : '"';
  const attributes = commonAttributes(text, unit);
  return { ...base, quote, indent: own, step, named: unit.name !== null, attributes };
}

/** What the units of the file say alike, told from this one, the first and the last. */
function commonAttributes(text: string, unit: Unit): string {
  const { units } = unit.file;
  const others = [units[0] ?? unit, units.at(-1) ?? unit];
  return ["datatype", "xml:space"]
    .map((name) => attributesOf(text, unit, [name]))
    .filter((said) => others.every((other) => text.slice(other.start, other.tagEnd).includes(said)))
    .join("");
}

function noteAttributes(text: string, { files }: XliffDocument): string {
  for (const { units } of files) {
    for (const { notes } of units) {
      const note = notes.find(isDescription);
      if (note !== undefined) return attributesOf(text, note, ["priority", "from", "category", "annotates"]);
    }
  }
  return "";
}

/** Those of the element's attributes as they are written, each with a blank before it. */
export function attributesOf(text: string, element: Element, names: readonly string[]): string {
  const scanner = new XmlScanner(text, element.start);
  scanner.next();
  let said = "";
  for (let index = 0; index < scanner.attributeCount; index++) {
    const { nameStart, nameEnd, valueEnd } = scanner.attribute(index);
    if (names.includes(text.slice(nameStart, nameEnd))) said += ` ${text.slice(nameStart, valueEnd + 1)}`;
  }
  return said;
}
