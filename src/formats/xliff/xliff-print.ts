/** Prints XLIFF: units, `file` elements and whole documents, in the layout of the document that they go into. */
import type { NewEntry, ReadOptions } from "../format.ts";
import { afterNewline, fileNewline, indentUnit, lineStart, skipBlanks } from "../style.ts";
import { isDescription, singleText, sourceOf } from "./xliff-entries.ts";
import { inlineNames, type InlineNames, writeContent } from "./xliff-inline.ts";
import type { Element, Unit, XliffDocument, XliffVersion } from "./xliff-parser.ts";
import { replaceNonXml, encodeAttribute, encodeXml, PLAIN, XmlScanner } from "../xml.ts";
import type { Span } from "../../model/span.ts";

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
    .filter((attributeText) =>
      others.every((other) => text.slice(other.start, other.tagEnd).includes(attributeText)),
    )
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
  let attributeTexts = "";
  for (let index = 0; index < scanner.attributeCount; index++) {
    const { nameStart, nameEnd, valueEnd } = scanner.attribute(index);
    if (names.includes(text.slice(nameStart, nameEnd)))
      attributeTexts += ` ${text.slice(nameStart, valueEnd + 1)}`;
  }
  return attributeTexts;
}

/** How new units are laid out. */
export interface UnitLayout {
  readonly version: XliffVersion;
  readonly prefix: string;
  readonly newline: string;
  readonly quote: string;
  /** Blanks before the unit's line; `null`: units do not stand on lines of their own. */
  readonly indent: string | null;
  /** What each level within the unit is indented by; `null`: a unit is one line. */
  readonly step: string | null;
  /** Whether the key stands in `resname` or `name`, beside the id. */
  readonly named: boolean;
  /** Further attributes of every unit, each with a blank before it. */
  readonly attributes: string;
  /** Attributes of a note that describes. */
  readonly noteAttributes: string;
}

/** A unit to be written: contents are raw. */
export interface NewUnit {
  readonly key: string;
  readonly source: string;
  /** `null`: the unit gets no target. */
  readonly target: string | null;
  readonly description: string | null;
}

/** The unit without its own indentation. `ids`: those of its file; the new one is put in. */
export function printUnit(unit: NewUnit, layout: UnitLayout, ids: Set<string>): string {
  const { version, prefix, quote } = layout;
  const id = freshId(unit.key, version, ids);
  const named = layout.named || id !== unit.key;
  const name = version === "1.2" ? "resname" : "name";
  const space = needsSpace(unit) && !layout.attributes.includes("xml:space") ? "preserve" : null;
  const attributes =
    attribute("id", id, quote) +
    (named ? attribute(name, unit.key, quote) : "") +
    layout.attributes +
    (space === null ? "" : attribute("xml:space", space, quote));
  const source = `<${prefix}source>${unit.source}</${prefix}source>`;
  const target =
    unit.target === null
      ? []
      : [unit.target === "" ? `<${prefix}target/>` : `<${prefix}target>${unit.target}</${prefix}target>`];
  const note =
    unit.description === null
      ? []
      : [
          `<${prefix}note${layout.noteAttributes}>${encodeXml(replaceNonXml(unit.description), layout.newline, PLAIN)}</${prefix}note>`,
        ];
  if (version === "1.2") {
    return element(`${prefix}trans-unit`, attributes, [source, ...target, ...note], layout, 0);
  }
  const notes = note.length === 0 ? [] : [element(`${prefix}notes`, "", note, layout, 1)];
  const segment = element(`${prefix}segment`, "", [source, ...target], layout, 1);
  return element(`${prefix}unit`, attributes, [...notes, segment], layout, 0);
}

function element(
  name: string,
  attributes: string,
  children: readonly string[],
  { newline, indent, step }: UnitLayout,
  depth: number,
): string {
  const outer = step === null ? "" : newline + (indent ?? "") + step.repeat(depth);
  const inner = step === null ? "" : outer + step;
  return `<${name}${attributes}>${children.map((child) => inner + child).join("")}${outer}</${name}>`;
}

function attribute(name: string, value: string, quote: string): string {
  return ` ${name}=${quote}${encodeAttribute(value, quote)}${quote}`;
}

/** White space that a reader might take for layout. */
function needsSpace({ source, target }: NewUnit): boolean {
  return [source, target ?? ""].some((raw) => /^\s|\s$|\s\s|[\t\n\r]/.test(raw));
}

/** What XML calls a name token, of ASCII. */
const TOKEN = /^[\w.:-]+$/;
/** Longer keys are told by their `name` alone. */
const LONGEST_ID = 80;

/** The key itself where it can be an id, else one made of it that is the same every time. */
function freshId(key: string, version: XliffVersion, ids: Set<string>): string {
  const fits = version === "1.2" ? key !== "" : TOKEN.test(key) && key.length <= LONGEST_ID;
  const base = fits ? key : `u${hashOf(key)}`;
  let id = base;
  for (let count = 2; ids.has(id); count++) id = `${base}-${count}`;
  ids.add(id);
  return id;
}

/** FNV-1a: not for secrets, only for ids that stay the same. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The id of a 2.0 `file`: other characters than a name token's are written as `_xHHHH_`; xliff-parser.ts reads it. */
export function fileId(namespace: string | null): string {
  if (namespace === null || namespace === "") return "_";
  if (namespace === "_") return "_x005F_";
  return namespace.replaceAll(/_(?=x[\dA-Fa-f]{4})/g, "_x005F_").replaceAll(/[^\w.:-]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `_x${code}_`;
  });
}

/** The first tag of a `file`. `languages`: attributes of 1.2, each with a blank before it. */
export function printFileTag(
  namespace: string | null,
  languages: string,
  { version, prefix, quote }: Pick<UnitLayout, "version" | "prefix" | "quote">,
): string {
  return version === "1.2"
    ? `<${prefix}file${attribute("original", namespace ?? "", quote)}${languages}>`
    : `<${prefix}file${attribute("id", fileId(namespace), quote)}>`;
}

/** Languages and kind as a 1.2 `file` says them. */
export function languageAttributes(source: string, target: string | null, quote: string): string {
  return (
    attribute("source-language", source, quote) +
    (target === null ? "" : attribute("target-language", target, quote)) +
    attribute("datatype", "plaintext", quote)
  );
}

/**
 * A whole document: one `file` for each namespace, in the order of their first entries. In the source locale's own
 * the texts are the sources; elsewhere a source that is not known is the key, as Symfony's writer has it. Characters
 * that XML cannot hold become U+FFFD.
 */
export function printXliff(
  version: XliffVersion,
  entries: readonly NewEntry[],
  { locale, sourceLocale, examples = [] }: ReadOptions,
): string {
  const isOld = version === "1.2";
  const like = examples[0]?.text;
  const newline = like === undefined ? "\n" : fileNewline(like);
  const step = (like === undefined ? undefined : indentUnit(like)) ?? "  ";
  const layout: UnitLayout = {
    version,
    prefix: "",
    newline,
    quote: '"',
    indent: step.repeat(isOld ? 3 : 2),
    step,
    named: true,
    attributes: "",
    noteAttributes: "",
  };
  const isOwn = locale === sourceLocale;
  const target = isOwn ? null : locale;
  const names = inlineNames(version, "");
  const byNamespace = Map.groupBy(entries, ({ namespace }) => namespace ?? null);
  if (byNamespace.size === 0) byNamespace.set(null, []);
  const files: string[] = [];
  for (const [namespace, list] of byNamespace) {
    const ids = new Set<string>();
    const units = list.map((entry) => layout.indent + printUnit(newUnit(entry, isOwn, names), layout, ids));
    const tag = printFileTag(namespace, languageAttributes(sourceLocale, target, '"'), layout);
    const body = isOld ? [`${step}${step}<body>`, ...units, `${step}${step}</body>`] : units;
    files.push(step + tag, ...body, `${step}</file>`);
  }
  const languages = isOld
    ? ""
    : attribute("srcLang", sourceLocale, '"') + (target === null ? "" : attribute("trgLang", target, '"'));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:${version}" version="${version}"${languages}>`,
    ...files,
    "</xliff>",
  ];
  return lines.map((line) => line + newline).join("");
}

function newUnit(entry: NewEntry, isOwn: boolean, names: InlineNames): NewUnit {
  const value = singleText(entry.text);
  return {
    key: entry.key,
    source: contentOf(isOwn ? value : (sourceOf(entry) ?? entry.key), names),
    target: isOwn ? null : contentOf(value, names),
    description: entry.description ?? null,
  };
}

function contentOf(text: string, names: InlineNames): string {
  const fit = replaceNonXml(text);
  const written = writeContent(fit, names, "\n", PLAIN, []);
  return written.prefixed ? encodeXml(fit, "\n", PLAIN) : written.raw;
}
