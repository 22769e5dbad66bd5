/**
 * Parses an XLIFF document of any version into files, units and contents with their ranges: only its structure.
 * xliff-entries.ts interprets it, xliff-format.ts changes it.
 */
import type { Problem } from "../format.ts";
import { type XliffNames, xliffNames, type XliffVersion } from "./xliff-names.ts";
import { fileNewline } from "../text/lines-and-indentation.ts";
import { parseXml, type XmlElement } from "../xml/xml-tree.ts";
import type { Span } from "../../util/span.ts";

/** A part of a unit with a `source` and a `target`. */
export interface Segment {
  /** A 1.2 `trans-unit`, or a 2.0 `segment` or `ignorable`. */
  readonly element: XmlElement;
  readonly ignorable: boolean;
  readonly source: XmlElement | null;
  readonly target: XmlElement | null;
  /** 1.2: a new target is inserted after it (otherwise after the source). */
  readonly segSource: XmlElement | null;
}

export interface Unit {
  readonly element: XmlElement;
  readonly id: string | null;
  /** 1.2 `resname`, 2.0 `name`; without one, the id. */
  readonly key: string | null;
  /** Whether the key is in an attribute of its own. */
  readonly named: boolean;
  /** Range of the attribute value that is the key. */
  readonly keySpan: Span;
  /** In characters. */
  readonly maxLength: number | null;
  readonly file: File;
  readonly segments: readonly Segment[];
  readonly notes: readonly XmlElement[];
  /** Whether part of it is not well-formed. */
  broken: boolean;
}

export interface File {
  readonly element: XmlElement;
  /** 1.2 `original`, 2.0 `id`; `null` if there is none. */
  readonly namespace: string | null;
  readonly sourceLanguage: string | null;
  readonly targetLanguage: string | null;
  readonly units: Unit[];
  /** The element that the first unit is added to: 1.2 `body`, 2.0 the file itself. */
  readonly body: XmlElement | null;
}

export interface XliffDocument {
  readonly text: string;
  readonly newline: string;
  readonly names: XliffNames;
  readonly root: XmlElement | null;
  readonly files: readonly File[];
  readonly problems: readonly Problem[];
  /** Whether the ranges are reliable; flaws inside a unit do not matter. */
  readonly isEditable: boolean;
}

/** Maximum number of reported problems. */
const MAX_PROBLEMS = 100;

/** Parses the structure of the text. Never throws. `fallback`: the version of a document that declares none. */
export function scanXliff(text: string, fallback: XliffVersion): XliffDocument {
  const { roots, flaws } = parseXml(text);
  const problems: Problem[] = flaws
    .slice(0, MAX_PROBLEMS)
    .map(({ message, span }) => ({ code: "syntax", message, span }));
  const report = (code: Problem["code"], message: string, start: number, end: number): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ code, message, span: { start, end } });
  };
  const rootIndex = roots.findIndex(({ name }) => name.slice(name.indexOf(":") + 1) === "xliff");
  const root = roots[rootIndex] ?? null;
  for (const [index, { start, tagEnd }] of roots.entries()) {
    if (rootIndex < 0 || index < rootIndex) report("type", "not an XLIFF document", start, tagEnd);
    else if (index > rootIndex) report("syntax", "a second document", start, tagEnd);
  }
  if (root === null && problems.length === 0) {
    report("type", "not an XLIFF document", 0, Math.min(text.length, 1));
  }
  const declared = root?.attribute("version") ?? fallback;
  const version = declared.startsWith("1") ? "1.2" : "2.0";
  const names = xliffNames(version, root === null ? "" : root.name.slice(0, -"xliff".length));
  const files = root === null ? [] : childrenOf(root, names, "file").map((file) => fileOf(file, names));
  const units = new Map<XmlElement, Unit>();
  for (const unit of files.flatMap((file) => file.units)) {
    units.set(unit.element, unit);
    const { start, tagEnd } = unit.element;
    if (unit.key === null) report("type", "a unit without a name", start, tagEnd);
  }
  let isEditable = root !== null && rootIndex === roots.length - 1;
  const seen = new Set<XmlElement>();
  for (const { within } of flaws) {
    let element = within;
    while (element !== null && !seen.has(element) && !units.has(element)) {
      seen.add(element);
      element = element.parent;
    }
    const unit = element === null ? undefined : units.get(element);
    if (unit !== undefined) unit.broken = true;
    isEditable &&= element !== null;
  }
  return { text, newline: fileNewline(text), names, root, files, problems, isEditable };
}

/** Returns the children with one of these names, in XLIFF's own namespace. */
function childrenOf(
  { children }: XmlElement,
  { prefix }: XliffNames,
  ...names: readonly string[]
): readonly XmlElement[] {
  return children.filter(({ name }) => name.startsWith(prefix) && names.includes(name.slice(prefix.length)));
}

function fileOf(element: XmlElement, names: XliffNames): File {
  const isOld = names.version === "1.2";
  const languages = isOld ? element : element.parent;
  const namespace = element.attribute(names.namespace);
  const bodies = isOld ? childrenOf(element, names, "body") : [element];
  const file: File = {
    element,
    namespace: isOld ? namespace || null : namespaceOf(namespace),
    sourceLanguage: languages?.attribute(names.sourceLanguage) ?? null,
    targetLanguage: languages?.attribute(names.targetLanguage) ?? null,
    units: [],
    body: bodies[0] ?? null,
  };
  const pending = bodies.toReversed();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.name === names.prefix + names.unit) file.units.push(unitOf(next, file, names));
    else for (const child of childrenOf(next, names, names.unit, "group").toReversed()) pending.push(child);
  }
  return file;
}

function unitOf(element: XmlElement, file: File, names: XliffNames): Unit {
  const isOld = names.version === "1.2";
  const attribute = element.find(names.key);
  const named = attribute !== undefined && attribute.valueEnd > attribute.valueStart;
  const keyAttribute = named ? attribute : element.find("id");
  const id = element.attribute("id");
  const notes = isOld ? [element] : childrenOf(element, names, "notes");
  const segments = isOld ? [element] : childrenOf(element, names, "segment", "ignorable");
  return {
    element,
    id,
    key: named ? element.attribute(names.key) : id,
    named,
    keySpan: {
      start: keyAttribute?.valueStart ?? element.start,
      end: keyAttribute?.valueEnd ?? element.tagEnd,
    },
    maxLength: maxLengthOf(element),
    file,
    segments: segments.map((segment) => segmentOf(segment, names)),
    notes: notes.flatMap((parent) => childrenOf(parent, names, "note")),
    broken: false,
  };
}

function segmentOf(element: XmlElement, names: XliffNames): Segment {
  const content = (name: string): XmlElement | null => childrenOf(element, names, name)[0] ?? null;
  return {
    element,
    ignorable: element.name === `${names.prefix}ignorable`,
    source: content("source"),
    target: content("target"),
    segSource: content("seg-source"),
  };
}

/**
 * Returns the maximum length. In 1.2, widths are pixels by default; those of 2.0 belong to an unsupported module.
 */
function maxLengthOf(unit: XmlElement): number | null {
  if (unit.attribute("size-unit") !== "char") return null;
  const width = unit.attribute("maxwidth") ?? "";
  return /^[1-9]\d{0,5}$/.test(width) ? Number(width) : null;
}

/**
 * Decodes the id of a 2.0 file: a name token, in which other characters are written as `_xHHHH_`. `_` alone stands
 * for no namespace.
 */
function namespaceOf(id: string | null): string | null {
  if (id === null || id === "" || id === "_") return null;
  return id.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
