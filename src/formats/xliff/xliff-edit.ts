/**
 * Edits an XLIFF document by splices: replaces contents, adds and removes targets, inserts units next to their
 * neighbours and removes them with their notes. If the target's state is an untranslated one (`new`,
 * `needs-translation`; 2.0: `initial`), a changed text sets it to `translated`, since readers skip untranslated
 * targets; other states and attributes are preserved.
 */
import { refusalOf } from "../apply-verified-edit.ts";
import {
  type Change,
  type EditResult,
  entryId,
  type ReadOptions,
  type Refusal,
  type Splice,
} from "../format.ts";
import { insertionsByIndex } from "../sort-order.ts";
import { fileNewline, indentUnit } from "../whitespace.ts";
import {
  contentText,
  readPlural,
  sideOf,
  unitsByName,
  unitSource,
  textOfUnit,
  writePlural,
} from "./xliff-entries.ts";
import { writeContent } from "./xliff-inline-tags.ts";
import {
  type Content,
  type Element,
  type File,
  scanXliff,
  type Segment,
  type Unit,
  type XliffDocument,
  type XliffVersion,
} from "./xliff-parser.ts";
import {
  attributesOf,
  beforeLine,
  endOfLine,
  indentOf,
  languageAttributes,
  layoutOf,
  lineBreak,
  type NewUnit,
  ownLines,
  printFileTag,
  printUnit,
  type TargetDocument,
  type UnitLayout,
} from "./xliff-serializer.ts";
import { indexOfNonXml, XmlStyle, XmlScanner } from "../xml-tokenizer.ts";
import { areTextsEqual } from "../../model/text.ts";

/** A unit to be added. */
interface Addition {
  readonly namespace: string | null;
  readonly unit: NewUnit;
}

/** The context of an insertion. */
interface InsertionContext extends TargetDocument {
  /** Units that the same edit removes. */
  readonly removed: ReadonlySet<Unit>;
  readonly options: ReadOptions;
}

function additionsTo(place: InsertionContext, additions: readonly Addition[]): readonly Splice[] {
  const { root, files } = place.document;
  const byFile = Map.groupBy(additions, ({ namespace }) =>
    files.findLast((file) => file.namespace === namespace),
  );
  return [...byFile].flatMap(([file, list]) => {
    if (file !== undefined) return addToFile(place, file, list);
    return root === null ? [] : [newFiles(place, root, list)];
  });
}

function addToFile(place: InsertionContext, file: File, additions: readonly Addition[]): readonly Splice[] {
  const { text, removed, newline } = place;
  const units = file.units.filter((unit) => !removed.has(unit));
  const ids = new Set(file.units.flatMap(({ id }) => (id === null ? [] : [id])));
  const [first] = units;
  if (first === undefined) return [addToEmpty(place, file, additions, ids)];
  const rows = units.map(({ key }) => ({ namespace: null, key: key ?? "", context: null }));
  const added = additions.map(({ unit }) => ({ namespace: null, key: unit.key, context: null, unit }));
  const splices: Splice[] = [];
  for (const [index, list] of insertionsByIndex(rows, added, { nearKey: true })) {
    const anchor = units[index] ?? first;
    const layout = layoutOf(place, anchor, "");
    const printed = list.map(({ unit }) => (layout.indent ?? "") + printUnit(unit, layout, ids));
    const line = layout.indent === null ? "" : newline;
    if (index >= 0) {
      const end = layout.indent === null ? anchor.end : endOfLine(text, anchor);
      splices.push({ start: end, end, text: printed.map((unit) => line + unit).join("") });
    } else {
      const { start } = ownLines(text, first, first.parent.tagEnd);
      const isLine = start < first.start || layout.indent === "";
      const between = printed.map((unit) => (isLine ? unit : unit.trimStart()) + line).join("");
      splices.push({ start, end: start, text: isLine ? between : between + (layout.indent ?? "") });
    }
  }
  return splices;
}

function addToEmpty(
  place: InsertionContext,
  file: File,
  additions: readonly Addition[],
  ids: Set<string>,
): Splice {
  const { text, document } = place;
  const { prefix } = document.names;
  const step = indentUnit(text) ?? "  ";
  const line = lineBreak(place);
  const { body } = file;
  const base = line === "" ? "" : (indentOf(text, body ?? file) ?? "") + step;
  const indent = body === null ? base + step : base;
  const layout = layoutIn(place, indent);
  const units = additions.map(({ unit }) => line + indent + printUnit(unit, layout, ids)).join("");
  if (body !== null) return putInside(place, body, units);
  return putInside(place, file, `${line}${base}<${prefix}body>${units}${line}${base}</${prefix}body>`);
}

/** Inserts text as the last child of an element. */
function putInside(place: InsertionContext, element: Element, children: string): Splice {
  const { text, removed } = place;
  const line = lineBreak(place);
  const close = line + (line === "" ? "" : (indentOf(text, element) ?? ""));
  if (element.empty) return fillEmptyElement(text, element, children + close);
  // Removed units take their lines with them, so insert after the last of those lines.
  let at = removed.size > 0 ? element.tagEnd : element.innerEnd;
  while (at > element.tagEnd && /\s/.test(text[at - 1] ?? "")) at--;
  const isClosedBelow = /[\r\n]/.test(text.slice(at, element.innerEnd));
  return { start: at, end: at, text: isClosedBelow ? children : children + close };
}

/** Adds content to an element that is a self-closing tag. */
function fillEmptyElement(text: string, { start, tagEnd, end }: Element, content: string): Splice {
  const tag = text.slice(start, tagEnd - 2).trimEnd();
  return { start: start + tag.length, end, text: `>${content}</${nameAt(text, start)}>` };
}

/** Returns the name of the element that starts there, with its prefix. */
function nameAt(text: string, start: number): string {
  const scanner = new XmlScanner(text, start);
  scanner.next();
  return text.slice(scanner.nameStart, scanner.nameEnd);
}

/** Returns the layout of the first unit that stays, with another indentation. */
function layoutIn(place: InsertionContext, indent: string): UnitLayout {
  const units = place.document.files.flatMap((file) => file.units);
  const layout = layoutOf(
    place,
    units.find((unit) => !place.removed.has(unit)),
    indent,
  );
  return { ...layout, indent: layout.indent === null ? null : indent };
}

/** Adds a `file` for each new namespace, with the languages of the last existing one. */
function newFiles(place: InsertionContext, root: Element, additions: readonly Addition[]): Splice {
  const { text, document, options } = place;
  const { prefix } = document.names;
  const line = lineBreak(place);
  const last = document.files.at(-1);
  const step = line === "" ? "" : (indentUnit(text) ?? "  ");
  const base = line === "" ? "" : ((last === undefined ? null : indentOf(text, last)) ?? step);
  const isOld = document.version === "1.2";
  const target = options.locale === options.sourceLocale ? null : options.locale;
  const languages =
    last === undefined
      ? languageAttributes(options.sourceLocale, target, '"')
      : attributesOf(text, last, ["source-language", "target-language", "datatype", "xml:space"]);
  const indent = base + step + (isOld ? step : "");
  const layout = layoutIn(place, indent);
  const printed = [...Map.groupBy(additions, ({ namespace }) => namespace)].map(([namespace, list]) => {
    const ids = new Set<string>();
    const units = list.map(({ unit }) => line + indent + printUnit(unit, layout, ids)).join("");
    const body = isOld
      ? `${line}${base}${step}<${prefix}body>${units}${line}${base}${step}</${prefix}body>`
      : units;
    return `${line}${base}${printFileTag(namespace, languages, layout)}${body}${line}${base}</${prefix}file>`;
  });
  if (last === undefined) return putInside(place, root, printed.join(""));
  return { start: last.end, end: last.end, text: printed.join("") };
}

/**
 * Removes units. A `file` that would become empty is removed too unless it is the only one left: 2.0 does not allow a
 * `file` without units.
 */
function removals(place: InsertionContext, additions: readonly Addition[]): readonly Splice[] {
  const { text, removed } = place;
  const { files } = place.document;
  if (removed.size === 0) return [];
  const filled = new Set(additions.map(({ namespace }) => namespace));
  const emptied = files.filter(
    (file) =>
      file.units.length > 0 &&
      file.units.every((unit) => removed.has(unit)) &&
      !filled.has(file.namespace) &&
      holdsOnlyUnits(text, file),
  );
  const gone = new Set(emptied.length < files.length ? emptied : []);
  const spans = [...removed].flatMap((unit) =>
    gone.has(unit.file) ? [] : [ownLines(text, unit, unit.parent.tagEnd)],
  );
  for (const file of gone) spans.push(ownLines(text, file));
  return spans.map((span) => ({ ...span, text: "" }));
}

function holdsOnlyUnits(text: string, file: File): boolean {
  const { body } = file;
  let rest = "";
  let at = file.tagEnd;
  for (const unit of file.units) {
    rest += text.slice(at, unit.start);
    at = unit.end;
  }
  rest += text.slice(at, file.innerEnd);
  if (body === null || body === file) return rest.trim() === "";
  const [open, close] = [text.slice(body.start, body.tagEnd), text.slice(body.innerEnd, body.end)];
  return rest.trim().startsWith(open) && rest.trim().slice(open.length).trim() === close;
}

/** Returns the splices for the changes; the last of several changes to a key wins. */
export function editXliff(
  text: string,
  changes: readonly Change[],
  options: ReadOptions,
  fallback: XliffVersion,
): EditResult {
  const document = scanXliff(text, fallback);
  const last = new Map(changes.map((change) => [entryId(change), change]));
  if (!document.sound) {
    return { splices: [], refused: [...last.values()].map((change) => refusalOf(change, "syntax")) };
  }
  return new Editor(text, document, options).edit(last);
}

type Reason = Refusal["reason"];

/** How a document writes missing translations, counted by variant. */
interface BlankTargets {
  missing: number;
  /** `<target/>` */
  empty: number;
  /** `<target></target>` */
  open: number;
  /** More than zero: elements without content, including sources, are self-closing tags. */
  closed: number;
}

class Editor {
  readonly #text: string;
  readonly #document: XliffDocument;
  readonly #options: ReadOptions;
  readonly #splices: Splice[] = [];
  readonly #removed = new Set<Unit>();
  readonly #additions: Addition[] = [];
  readonly #newline: string;
  readonly #units: readonly Unit[];
  #knownStyle: XmlStyle | null = null;
  #blanks: BlankTargets | null = null;
  /** More than zero: the file writes targets even if they repeat the source. */
  #repeats: number | null = null;

  constructor(text: string, document: XliffDocument, options: ReadOptions) {
    this.#text = text;
    this.#document = document;
    this.#options = options;
    this.#newline = fileNewline(text);
    this.#units = document.files.flatMap(({ units }) => units);
  }

  edit(changes: ReadonlyMap<string, Change>): EditResult {
    const byName = unitsByName(this.#document);
    const refused: Refusal[] = [];
    for (const change of changes.values()) {
      const { key, context, namespace = null, locale = null } = change;
      const units = context === null && locale === null ? byName.get(namespace)?.get(key) : undefined;
      const reason = units === undefined ? this.#add(change) : this.#change(units, change);
      if (reason !== null) refused.push(refusalOf(change, reason));
    }
    const place = {
      text: this.#text,
      document: this.#document,
      newline: this.#newline,
      removed: this.#removed,
      options: this.#options,
    };
    const splices = [
      ...this.#splices,
      ...removals(place, this.#additions),
      ...additionsTo(place, this.#additions),
    ];
    return { splices: splices.sort((a, b) => a.start - b.start || a.end - b.end), refused };
  }

  /** @param units those with the name, of which the last one is in effect */
  #change(units: readonly Unit[], change: Change): Reason | null {
    const unit = units.at(-1);
    if (change.text === null || unit === undefined) {
      if (units.some(({ broken }) => broken)) return "unsupported";
      for (const each of units) this.#removed.add(each);
      return null;
    }
    const side = sideOf(unit.file, this.#options);
    const unitText = textOfUnit(this.#text, unit, side, this.#document.names);
    const old = readPlural(unitText.text, change.key, unit.file.namespace, this.#options);
    if (areTextsEqual(old.text, change.text)) return null;
    if (unitText.readOnly !== null) return unitText.readOnly;
    if (old.readOnly) return "unsupported";
    const value = writePlural(change.text, unitText.text);
    if (value === null) return "forms";
    if (indexOfNonXml(value) >= 0) return "unsupported";
    const [segment] = unit.segments;
    if (segment === undefined || segment.source === null) return "unsupported";
    // In a file of the source locale the source is the text, unless the file declares a target language too.
    const isTarget =
      side === "target" ||
      unit.file.targetLanguage !== null ||
      contentText(this.#text, segment.target, this.#document.names).text !== "";
    // Without a target, the source would become the text again.
    if (isTarget && side === "own" && value === "") return "unsupported";
    const { target } = segment;
    // A target with attributes is not an omitted one.
    const isBare = target !== null && !hasAttributes(this.#text, target);
    if (isTarget && side === "own" && isBare && this.#needsNoTarget(segment.source, value)) {
      this.#emptyTarget(target);
      return null;
    }
    return isTarget ? this.#setTarget(segment, value) : this.#setContent(segment.source, segment, value);
  }

  #setTarget(segment: Segment, value: string): Reason | null {
    const { target } = segment;
    if (target === null) return this.#addTarget(segment, value);
    if (value === "") {
      this.#emptyTarget(target);
      return null;
    }
    const reason = this.#setContent(target, segment, value);
    if (reason === null) this.#setState(target, segment);
    return reason;
  }

  /**
   * Replaces content. It may contain the tags of the source (1.2: also of the segmented one) and of the old target.
   */
  #setContent(content: Content, segment: Segment, value: string): Reason | null {
    const raw = this.#encode(segment, content, value);
    if (raw === null) return "unsupported";
    if (content.empty) this.#splices.push(fillEmptyElement(this.#text, content, raw));
    else if (raw === "" && this.#countBlanks().closed > 0) this.#close(content);
    else this.#splices.push({ start: content.tagEnd, end: content.innerEnd, text: raw });
    return null;
  }

  #encode(segment: Segment, content: Content | null, value: string): string | null {
    const { source, segSource, target } = segment;
    const near = [this.#raw(content), this.#raw(source)];
    const words = near.map((raw) => raw.replaceAll(/<[^<>]*>/g, ""));
    const newline = /\r\n?|\n/.exec(near.join(""))?.[0] ?? this.#newline;
    const known = [this.#raw(source), this.#raw(segSource), this.#raw(target)];
    const style = this.#fileStyle().near(words);
    const written = writeContent(value, this.#document.names, newline, style, known);
    if (written.foreign) return null;
    if (written.words !== null && isSection(this.#raw(content)) && !written.words.includes("\r")) {
      const inner = written.words.replaceAll("]]>", "]]]]><![CDATA[>").replaceAll("\n", newline);
      return `<![CDATA[${inner}]]>`;
    }
    return written.raw;
  }

  #raw(content: Element | null): string {
    return content === null ? "" : this.#text.slice(content.tagEnd, content.innerEnd);
  }

  #addTarget(segment: Segment, value: string): Reason | null {
    const { source } = segment;
    if (source === null) return "unsupported";
    const raw = this.#encode(segment, null, value);
    if (raw === null) return "unsupported";
    const after = segment.segSource ?? source;
    const name = nameAt(this.#text, source.start).replace(/source$/, "target");
    const indent = indentOf(this.#text, source);
    const before = indent === null ? "" : this.#newline + indent;
    this.#splices.push({ start: after.end, end: after.end, text: `${before}<${name}>${raw}</${name}>` });
    return null;
  }

  /** Writes a missing translation as elsewhere in the file. */
  #emptyTarget(target: Content): void {
    const text = this.#text;
    const blanks = this.#countBlanks();
    if (!hasAttributes(text, target) && blanks.missing >= Math.max(blanks.empty, blanks.open)) {
      const isAlone = indentOf(text, target) !== null;
      const start = isAlone ? beforeLine(text, target.start) : target.start;
      this.#splices.push({ start, end: target.end, text: "" });
    } else if (blanks.open >= blanks.empty) {
      this.#splices.push({ start: target.tagEnd, end: target.innerEnd, text: "" });
    } else {
      this.#close(target);
    }
  }

  /** Writes the empty element as a self-closing tag. */
  #close({ tagEnd, end }: Content): void {
    const slash = this.#text.includes(" />") ? " />" : "/>";
    this.#splices.push({ start: tagEnd - 1, end, text: slash });
  }

  /**
   * Whether no target is needed: the text equals the source, and this file of the source locale does not repeat such
   * texts.
   */
  #needsNoTarget(source: Content, value: string): boolean {
    const textOf = (content: Content | null): string =>
      contentText(this.#text, content, this.#document.names).text;
    if (value !== textOf(source)) return false;
    if (this.#repeats === null) {
      let repeats = 0;
      for (const unit of this.#units) {
        const [segment] = unit.segments;
        const target = textOf(segment?.target ?? null);
        if (target === "") repeats--;
        else if (target === textOf(segment?.source ?? null)) repeats++;
      }
      this.#repeats = repeats;
    }
    return this.#repeats < 0;
  }

  #countBlanks(): BlankTargets {
    if (this.#blanks !== null) return this.#blanks;
    const blanks = { missing: 0, empty: 0, open: 0, closed: 0 };
    for (const { source, target } of this.#units.flatMap(({ segments }) => segments)) {
      for (const each of [source, target]) {
        if (each === null) continue;
        if (each.empty) blanks.closed++;
        else if (each.tagEnd === each.innerEnd) blanks.closed--;
      }
      if (target === null) blanks.missing++;
      else if (target.empty) blanks.empty++;
      else if (target.tagEnd === target.innerEnd) blanks.open++;
    }
    this.#blanks = blanks;
    return blanks;
  }

  #setState(target: Content, segment: Segment): void {
    const { version } = this.#document;
    const scanner = new XmlScanner(this.#text, version === "1.2" ? target.start : segment.start);
    scanner.next();
    const state = scanner.find("state");
    if (state === undefined) return;
    const { valueStart: start, valueEnd: end } = state;
    if (UNTRANSLATED[version].includes(this.#text.slice(start, end))) {
      this.#splices.push({ start, end, text: "translated" });
    }
  }

  #add(change: Change): Reason | null {
    const { key, namespace = null, context, locale = null, text } = change;
    if (text === null) return "not_found";
    if (context !== null || locale !== null) return "unsupported";
    const value = writePlural(text, "");
    if (value === null) return "forms";
    const description = change.description ?? null;
    const source = unitSource(change);
    const newParts = [key, namespace ?? "", value, description ?? "", source ?? ""];
    if (newParts.some((part) => indexOfNonXml(part) >= 0)) return "unsupported";
    const { files, names } = this.#document;
    const file = files.find((one) => one.namespace === namespace) ?? files.at(-1);
    const { sourceLanguage = null, targetLanguage = null } = file ?? {};
    const side = sideOf({ sourceLanguage, targetLanguage }, this.#options);
    if (side === "source") return "source";
    const hasTarget = side === "target" || targetLanguage !== null;
    const style = this.#fileStyle().near([]);
    const sourceText = side === "target" ? (source ?? key) : hasTarget ? (source ?? value) : value;
    const printed = writeContent(sourceText, names, this.#newline, style, []);
    const target = writeContent(value, names, this.#newline, style, [printed.raw]);
    if (printed.prefixed || (hasTarget && target.foreign)) return "unsupported";
    this.#additions.push({
      namespace,
      unit: { key, source: printed.raw, target: hasTarget ? target.raw : null, description },
    });
    return null;
  }

  #fileStyle(): XmlStyle {
    if (this.#knownStyle !== null) return this.#knownStyle;
    const segments = this.#units.flatMap((unit) => unit.segments);
    const contents = segments.flatMap(({ source, target }) => [source, target]);
    const unmarked = contents.filter((content) => content !== null && !content.marked);
    this.#knownStyle = new XmlStyle(unmarked.map((content) => this.#raw(content)));
    return this.#knownStyle;
  }
}

/** States of a target that nobody has translated. */
const UNTRANSLATED: Readonly<Record<XliffVersion, readonly string[]>> = {
  "1.2": ["new", "needs-translation"],
  "2.0": ["initial"],
};

function hasAttributes(text: string, { start, tagEnd }: Element): boolean {
  return /\s/.test(text.slice(start, tagEnd).trimEnd());
}

/** Whether the content consists of CDATA sections only. */
function isSection(raw: string): boolean {
  if (!raw.startsWith("<![CDATA[") || !raw.endsWith("]]>")) return false;
  const scanner = new XmlScanner(raw);
  let token = scanner.next();
  while (token === "cdata") token = scanner.next();
  return token === "end";
}
