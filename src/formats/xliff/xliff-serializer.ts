/**
 * Prints XLIFF units, `file` elements and whole documents, in the layout of the document that they are inserted into.
 */
import type { NewEntry, ReadOptions } from "../format.ts";
import {
  afterNewline,
  beforeNewline,
  fileNewline,
  indentBefore,
  indentUnit,
  lineStart,
  skipBlanks,
  skipBlanksBefore,
} from "../text/lines-and-indentation.ts";
import type { XmlElement } from "../xml/xml-tree.ts";
import { cachedByObject } from "../../util/maps.ts";
import { isDescription, singleText, unitSource } from "./xliff-entries.ts";
import { writeContent } from "./xliff-inline-tags.ts";
import { type XliffNames, xliffNames, type XliffVersion } from "./xliff-names.ts";
import type { Unit, XliffDocument } from "./xliff-parser.ts";
import { replaceNonXml, encodeAttribute, encodeXml, PLAIN } from "../xml/xml-tokenizer.ts";
import type { Span } from "../../util/span.ts";

/**
 * Returns the range of the element's whole lines if nothing else is on them, otherwise of the element alone. `floor`:
 * also includes the comments directly above, back to that offset.
 */
export function ownLines(text: string, element: Span, floor = Infinity): Span {
  const end = skipBlanks(text, element.end);
  const next = afterNewline(text, end);
  if (indentBefore(text, element.start) === null || next === end)
    return { start: element.start, end: element.end };
  let start = lineStart(text, element.start);
  for (let above = commentAbove(text, start, floor); above >= 0; above = commentAbove(text, start, floor)) {
    start = above;
  }
  return { start, end: next };
}

/** Returns the start of the comment that ends on the previous line; -1 if there is none. */
function commentAbove(text: string, line: number, floor: number): number {
  const end = skipBlanksBefore(text, beforeNewline(text, line));
  if (!text.endsWith("-->", end)) return -1;
  const open = text.lastIndexOf("<!--", end - 3);
  if (open < floor || text.indexOf("-->", open + 4) !== end - 3) return -1;
  return indentBefore(text, open) === null ? -1 : lineStart(text, open);
}

/**
 * Returns the end of the element's last line if only blanks and comments follow on it, otherwise the element's own
 * end.
 */
export function endOfLine(text: string, { end }: Span): number {
  let at = skipBlanks(text, end);
  while (text.startsWith("<!--", at)) {
    const close = text.indexOf("-->", at);
    if (close < 0) return end;
    at = skipBlanks(text, close + "-->".length);
  }
  return afterNewline(text, at) > at ? at : end;
}

/** Returns the line end before a new line; empty if the whole document is on one line. */
export function lineBreak({ root, newline }: XliffDocument): string {
  return root !== null && /[\r\n]/.test(root.raw) ? newline : "";
}

/** Returns the layout of `unit`; without one, the default layout with the given indentation. */
export function layoutOf(document: XliffDocument, unit: Unit | undefined, indent: string): UnitLayout {
  const { text, names, newline } = document;
  const base = { names, newline, noteAttributes: noteAttributes(document) };
  if (unit === undefined) {
    const isCompact = lineBreak(document) === "";
    const step = isCompact ? null : (indentUnit(text) ?? "  ");
    return { ...base, quote: '"', indent, step, named: true, attributes: "" };
  }
  const own = indentBefore(text, unit.element.start);
  const [segment] = unit.segments;
  const child = names.version === "1.2" ? segment?.source : segment?.element;
  const within = child == null ? null : indentBefore(text, child.start);
  const step =
    within === null || own === null ? null : within.startsWith(own) ? within.slice(own.length) : "  ";
  const quote = text[unit.keySpan.start - 1] === "'" ? "'" : '"';
  const attributes = commonAttributes(text, unit);
  return { ...base, quote, indent: own, step, named: unit.named, attributes };
}

/** Returns the attributes that all units of the file have in common, judged by this, the first and the last one. */
function commonAttributes(text: string, { element, file: { units } }: Unit): string {
  const others = [units[0]?.element ?? element, units.at(-1)?.element ?? element];
  return ["datatype", "xml:space"]
    .map((name) => attributesOf(text, element, [name]))
    .filter((written) => others.every((other) => text.slice(other.start, other.tagEnd).includes(written)))
    .join("");
}

/** Returns the attributes of the first description, each preceded by a space. */
const noteAttributes = cachedByObject(({ text, files }: XliffDocument): string => {
  const notes = files.flatMap(({ units }) => units).flatMap((unit) => unit.notes);
  const note = notes.find(isDescription);
  return note === undefined ? "" : attributesOf(text, note, ["priority", "from", "category", "annotates"]);
});

/** Returns those of the element's attributes as written, each preceded by a space. */
export function attributesOf(text: string, { attributes }: XmlElement, names: readonly string[]): string {
  return attributes
    .filter(({ nameStart, nameEnd }) => names.includes(text.slice(nameStart, nameEnd)))
    .map(({ nameStart, valueEnd }) => ` ${text.slice(nameStart, valueEnd + 1)}`)
    .join("");
}

/** Layout of new units. */
export interface UnitLayout {
  readonly names: XliffNames;
  readonly newline: string;
  readonly quote: string;
  /** Blanks before the unit; `null`: units are not on lines of their own. */
  readonly indent: string | null;
  /** Indentation of each level within the unit; `null`: a unit is on one line. */
  readonly step: string | null;
  /** Whether the key is in `resname` or `name`, in addition to the id. */
  readonly named: boolean;
  /** Further attributes of every unit, each preceded by a space. */
  readonly attributes: string;
  /** Attributes of a note that is a description. */
  readonly noteAttributes: string;
}

/** A unit to be printed; its contents are raw. */
export interface NewUnit {
  readonly key: string;
  readonly source: string;
  /** `null`: no target. */
  readonly target: string | null;
  readonly description: string | null;
}

/** Returns the unit without its own indentation. `ids`: the ids used in the file, to which the new one is added. */
export function printUnit(unit: NewUnit, layout: UnitLayout, ids: Set<string>): string {
  const { names, quote } = layout;
  const { version, prefix } = names;
  const id = freshId(unit.key, version, ids);
  const named = layout.named || id !== unit.key;
  const isSpaceKept = needsSpace(unit) && !layout.attributes.includes("xml:space");
  const attributes =
    attribute("id", id, quote) +
    (named ? attribute(names.key, unit.key, quote) : "") +
    layout.attributes +
    (isSpaceKept ? attribute("xml:space", "preserve", quote) : "");
  const source = `<${prefix}source>${unit.source}</${prefix}source>`;
  const target: string[] = [];
  if (unit.target === "") target.push(`<${prefix}target/>`);
  else if (unit.target !== null) target.push(`<${prefix}target>${unit.target}</${prefix}target>`);
  const note: string[] = [];
  if (unit.description !== null) {
    const description = encodeXml(replaceNonXml(unit.description), layout.newline, PLAIN);
    note.push(`<${prefix}note${layout.noteAttributes}>${description}</${prefix}note>`);
  }
  const unitName = prefix + names.unit;
  if (version === "1.2") return element(unitName, attributes, [source, ...target, ...note], layout, 0);
  const notes = note.length === 0 ? [] : [element(`${prefix}notes`, "", note, layout, 1)];
  const segment = element(`${prefix}segment`, "", [source, ...target], layout, 1);
  return element(unitName, attributes, [...notes, segment], layout, 0);
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

/** Whether the text contains white space that a reader may take for formatting. */
function needsSpace({ source, target }: NewUnit): boolean {
  return [source, target ?? ""].some((raw) => /^\s|\s$|\s\s|[\t\n\r]/.test(raw));
}

/** An XML name token, limited to ASCII. */
const TOKEN = /^[\w.:-]+$/;
/** Longer keys are only written as `name`. */
const LONGEST_ID = 80;

/**
 * Returns the key if it is a valid id, otherwise a stable id derived from it; a number is appended if it is taken.
 */
function freshId(key: string, version: XliffVersion, ids: Set<string>): string {
  const fits = version === "1.2" ? key !== "" : TOKEN.test(key) && key.length <= LONGEST_ID;
  const base = fits ? key : `u${hashOf(key)}`;
  let id = base;
  for (let count = 2; ids.has(id); count++) id = `${base}-${count}`;
  ids.add(id);
  return id;
}

/** FNV-1a, used only for stable ids, not for security. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * Returns the id of a 2.0 `file`: characters not allowed in a name token are written as `_xHHHH_` (decoded by
 * xliff-parser.ts).
 */
export function fileId(namespace: string | null): string {
  if (namespace === null || namespace === "") return "_";
  if (namespace === "_") return "_x005F_";
  return namespace.replaceAll(/_(?=x[\dA-Fa-f]{4})/g, "_x005F_").replaceAll(/[^\w.:-]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `_x${code}_`;
  });
}

/** A `file` to be printed. */
export interface NewFile {
  readonly namespace: string | null;
  readonly units: readonly NewUnit[];
  /** The line end between its elements; empty: everything is on one line. */
  readonly line: string;
  readonly indent: string;
  /** Indentation of each level. */
  readonly step: string;
  /** 1.2: attributes for the languages, each preceded by a space. */
  readonly languages: string;
}

/** Returns the `file` without its own indentation. */
export function printFile(
  { namespace, units, line, indent, step, languages }: NewFile,
  layout: UnitLayout,
): string {
  const { names, quote } = layout;
  const { prefix } = names;
  const isOld = names.version === "1.2";
  const unitLayout = { ...layout, indent: indent + step + (isOld ? step : "") };
  const printed = printUnits(units, unitLayout, line, new Set());
  const id = attribute(names.namespace, isOld ? (namespace ?? "") : fileId(namespace), quote);
  const content = isOld ? printBody(printed, prefix, line + indent + step) : printed;
  return `<${prefix}file${id}${isOld ? languages : ""}>${content}${line}${indent}</${prefix}file>`;
}

/** Returns the units, each after a line end. */
export function printUnits(
  units: readonly NewUnit[],
  layout: UnitLayout,
  line: string,
  ids: Set<string>,
): string {
  return units.map((unit) => line + (layout.indent ?? "") + printUnit(unit, layout, ids)).join("");
}

/** Returns the `body` of a 1.2 `file`. `newLine`: a line end with the indentation of the body. */
export function printBody(units: string, prefix: string, newLine: string): string {
  return `${newLine}<${prefix}body>${units}${newLine}</${prefix}body>`;
}

/** Returns the languages and data type of a new 1.2 `file`. */
export function languageAttributes(names: XliffNames, source: string, target: string | null): string {
  const isOld = names.version === "1.2";
  return (
    attribute(names.sourceLanguage, source, '"') +
    (target === null ? "" : attribute(names.targetLanguage, target, '"')) +
    (isOld ? attribute("datatype", "plaintext", '"') : "")
  );
}

/**
 * Prints a whole document: one `file` per namespace, in the order of their first entries. In the source locale the
 * texts are the sources; elsewhere an unknown source is replaced by the key, as Symfony does. Characters that XML
 * does not allow become U+FFFD.
 */
export function printXliff(
  version: XliffVersion,
  entries: readonly NewEntry[],
  { locale, sourceLocale, examples = [] }: ReadOptions,
): string {
  const names = xliffNames(version, "");
  const like = examples[0]?.text;
  const line = like === undefined ? "\n" : fileNewline(like);
  const step = (like === undefined ? undefined : indentUnit(like)) ?? "  ";
  const layout: UnitLayout = {
    names,
    newline: line,
    quote: '"',
    indent: "",
    step,
    named: true,
    attributes: "",
    noteAttributes: "",
  };
  const isSourceFile = locale === sourceLocale;
  const languages = languageAttributes(names, sourceLocale, isSourceFile ? null : locale);
  const byNamespace = Map.groupBy(entries, ({ namespace }) => namespace ?? null);
  if (byNamespace.size === 0) byNamespace.set(null, []);
  const files = [...byNamespace].map(([namespace, list]) => {
    const units = list.map((entry) => newUnit(entry, isSourceFile, names));
    return step + printFile({ namespace, units, line, indent: step, step, languages }, layout);
  });
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:${version}" version="${version}"${version === "1.2" ? "" : languages}>`,
    ...files,
    "</xliff>",
  ];
  return lines.map((each) => each + line).join("");
}

function newUnit(entry: NewEntry, isSourceFile: boolean, names: XliffNames): NewUnit {
  const value = singleText(entry.text);
  return {
    key: entry.key,
    source: contentOf(isSourceFile ? value : (unitSource(entry) ?? entry.key), names),
    target: isSourceFile ? null : contentOf(value, names),
    description: entry.description ?? null,
  };
}

function contentOf(text: string, names: XliffNames): string {
  const fit = replaceNonXml(text);
  const written = writeContent(fit, names, "\n", PLAIN, []);
  return written.hasPrefixedAttributes ? encodeXml(fit, "\n", PLAIN) : written.raw;
}
