/**
 * `xliff12` (1.2, also 1.0 and 1.1) and `xliff20` (2.0, also 2.1 and 2.2). A file that declares the other version is
 * read and edited as that one.
 *
 * An edit replaces contents, adds and removes targets, inserts units next to their neighbours and removes them with
 * their notes. If the target's state is an untranslated one (`new`, `needs-translation`; 2.0: `initial`), a changed
 * text sets it to `translated`, since readers skip untranslated targets; other states and attributes are preserved.
 */
import { applySplices, makeEach, refuseAll, sortSplices } from "../editing/apply-verified-edit.ts";
import {
  type Change,
  type EditResult,
  entryId,
  type ReadOptions,
  type RefusalReason,
  type Splice,
  type TextFormat,
} from "../format.ts";
import { entryInsertions } from "../editing/sort-order.ts";
import { beforeNewline, indentBefore, indentUnit, lineStart } from "../text/lines-and-indentation.ts";
import {
  decodeElement,
  readPlural,
  readXliff,
  sideOf,
  textOfUnit,
  unitsById,
  unitSource,
  writePlural,
} from "./xliff-entries.ts";
import { writeContent } from "./xliff-inline-tags.ts";
import { type File, scanXliff, type Segment, type Unit, type XliffDocument } from "./xliff-parser.ts";
import type { XliffVersion } from "./xliff-names.ts";
import {
  attributesOf,
  endOfLine,
  languageAttributes,
  layoutOf,
  lineBreak,
  type NewUnit,
  ownLines,
  printBody,
  printFile,
  printUnit,
  printUnits,
  printXliff,
  type UnitLayout,
} from "./xliff-serializer.ts";
import { indexOfNonXml, XmlScanner, XmlStyle } from "../xml/xml-tokenizer.ts";
import type { XmlElement } from "../xml/xml-tree.ts";
import { areTextsEqual } from "../../model/translation-text.ts";

export const xliff12 = xliffFormat("xliff12", "1.2");
export const xliff20 = xliffFormat("xliff20", "2.0");

function xliffFormat(name: "xliff12" | "xliff20", version: XliffVersion): TextFormat {
  return {
    kind: "text",
    name,
    read: (text, options) => readXliff(scanXliff(text, version), options),
    edit: (text, changes, options) => {
      const document = scanXliff(text, version);
      if (!document.isEditable) return { splices: [], refused: refuseAll(changes, "syntax") };
      return new XliffEdit(document, options).make(changes);
    },
    print: (entries, options) => printXliff(version, entries, options),
  };
}

/** A unit to be added. */
interface Addition extends NewUnit {
  readonly namespace: string | null;
}

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

/** Collects the splices for changes of a document. */
class XliffEdit {
  readonly #document: XliffDocument;
  readonly #text: string;
  readonly #options: ReadOptions;
  readonly #splices: Splice[] = [];
  readonly #removed = new Set<Unit>();
  readonly #additions: Addition[] = [];
  readonly #units: readonly Unit[];
  #knownStyle: XmlStyle | null = null;
  #blanks: BlankTargets | null = null;
  /** More than zero: the file writes targets even if they repeat the source. */
  #repeats: number | null = null;

  constructor(document: XliffDocument, options: ReadOptions) {
    this.#document = document;
    this.#text = document.text;
    this.#options = options;
    this.#units = document.files.flatMap(({ units }) => units);
  }

  make(changes: readonly Change[]): EditResult {
    const byId = unitsById(this.#document);
    const refused = makeEach(changes, (change) => {
      const units = byId.get(entryId(change));
      return units === undefined ? this.#add(change) : this.#change(units, change);
    });
    this.#removeUnits();
    const byFile = Map.groupBy(this.#additions, ({ namespace }) =>
      this.#document.files.findLast((file) => file.namespace === namespace),
    );
    for (const [file, additions] of byFile) {
      if (file === undefined) this.#addFiles(additions);
      else this.#addToFile(file, additions);
    }
    return { splices: sortSplices(this.#splices), refused };
  }

  #replace(start: number, end: number, text: string): void {
    this.#splices.push({ start, end, text });
  }

  /** @param units those with the name, of which the last one is in effect */
  #change(units: readonly Unit[], change: Change): RefusalReason | null {
    const unit = units.at(-1);
    if (change.text === null || unit === undefined) {
      if (units.some(({ broken }) => broken)) return "unsupported";
      for (const each of units) this.#removed.add(each);
      return null;
    }
    const side = sideOf(unit.file, this.#options);
    const unitText = textOfUnit(unit, side, this.#document.names);
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
      side === "target" || unit.file.targetLanguage !== null || this.#textOf(segment.target) !== "";
    // Without a target, the source would become the text again.
    if (isTarget && side === "either" && value === "") return "unsupported";
    const { target } = segment;
    // A target with attributes is not an omitted one.
    const isBare = target !== null && target.attributes.length === 0;
    if (isTarget && side === "either" && isBare && this.#needsNoTarget(segment.source, value)) {
      this.#emptyTarget(target);
      return null;
    }
    return isTarget ? this.#setTarget(segment, value) : this.#setContent(segment.source, segment, value);
  }

  #setTarget(segment: Segment, value: string): RefusalReason | null {
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
  #setContent(content: XmlElement, segment: Segment, value: string): RefusalReason | null {
    const raw = this.#encode(segment, content, value);
    if (raw === null) return "unsupported";
    if (content.empty) this.#fillEmpty(content, raw);
    else if (raw === "" && this.#countBlanks().closed > 0) this.#close(content);
    else this.#replace(content.tagEnd, content.innerEnd, raw);
    return null;
  }

  #encode(segment: Segment, content: XmlElement | null, value: string): string | null {
    const { source, segSource, target } = segment;
    const { names, newline: fileNewline } = this.#document;
    const near = [content?.raw ?? "", source?.raw ?? ""];
    const plainTexts = near.map((raw) => raw.replaceAll(/<[^<>]*>/g, ""));
    const newline = /\r\n?|\n/.exec(near.join(""))?.[0] ?? fileNewline;
    const known = [source, segSource, target].map((each) => each?.raw ?? "");
    const written = writeContent(value, names, newline, this.#fileStyle().near(plainTexts), known);
    if (written.hasUnknownTags) return null;
    if (written.plainText !== null && isSection(content?.raw ?? "") && !written.plainText.includes("\r")) {
      const inner = written.plainText.replaceAll("]]>", "]]]]><![CDATA[>").replaceAll("\n", newline);
      return `<![CDATA[${inner}]]>`;
    }
    return written.raw;
  }

  #addTarget(segment: Segment, value: string): RefusalReason | null {
    const { source } = segment;
    if (source === null) return "unsupported";
    const raw = this.#encode(segment, null, value);
    if (raw === null) return "unsupported";
    const after = segment.segSource ?? source;
    const name = source.name.replace(/source$/, "target");
    const indent = indentBefore(this.#text, source.start);
    const before = indent === null ? "" : this.#document.newline + indent;
    this.#replace(after.end, after.end, `${before}<${name}>${raw}</${name}>`);
    return null;
  }

  /** Writes a missing translation as elsewhere in the file. */
  #emptyTarget(target: XmlElement): void {
    const { missing, empty, open } = this.#countBlanks();
    if (target.attributes.length === 0 && missing >= Math.max(empty, open)) {
      const isAlone = indentBefore(this.#text, target.start) !== null;
      const line = lineStart(this.#text, target.start);
      this.#replace(isAlone ? beforeNewline(this.#text, line) : target.start, target.end, "");
    } else if (open >= empty) this.#replace(target.tagEnd, target.innerEnd, "");
    else this.#close(target);
  }

  /** Writes the empty element as a self-closing tag. */
  #close({ tagEnd, end }: XmlElement): void {
    this.#replace(tagEnd - 1, end, this.#text.includes(" />") ? " />" : "/>");
  }

  #textOf(content: XmlElement | null): string {
    return decodeElement(content, this.#document.names).text;
  }

  /**
   * Whether no target is needed: the text equals the source, and this file of the source locale does not repeat such
   * texts.
   */
  #needsNoTarget(source: XmlElement, value: string): boolean {
    if (value !== this.#textOf(source)) return false;
    if (this.#repeats === null) {
      let repeats = 0;
      for (const unit of this.#units) {
        const [segment] = unit.segments;
        const target = this.#textOf(segment?.target ?? null);
        if (target === "") repeats--;
        else if (target === this.#textOf(segment?.source ?? null)) repeats++;
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

  #setState(target: XmlElement, segment: Segment): void {
    const { version, untranslatedStates } = this.#document.names;
    const state = (version === "1.2" ? target : segment.element).find("state");
    if (state === undefined) return;
    const { valueStart: start, valueEnd: end } = state;
    if (untranslatedStates.includes(this.#text.slice(start, end))) this.#replace(start, end, "translated");
  }

  #add(change: Change): RefusalReason | null {
    const { key, namespace = null, context, locale = null, text } = change;
    if (text === null) return "not_found";
    if (context !== null || locale !== null) return "unsupported";
    const value = writePlural(text, "");
    if (value === null) return "forms";
    const description = change.description ?? null;
    const source = unitSource(change);
    const newParts = [key, namespace ?? "", value, description ?? "", source ?? ""];
    if (newParts.some((part) => indexOfNonXml(part) >= 0)) return "unsupported";
    const { files, names, newline } = this.#document;
    const file = files.find((one) => one.namespace === namespace) ?? files.at(-1);
    const { sourceLanguage = null, targetLanguage = null } = file ?? {};
    const side = sideOf({ sourceLanguage, targetLanguage }, this.#options);
    if (side === "source") return "source";
    const hasTarget = side === "target" || targetLanguage !== null;
    const style = this.#fileStyle().near([]);
    const sourceText = side === "target" ? (source ?? key) : hasTarget ? (source ?? value) : value;
    const printed = writeContent(sourceText, names, newline, style, []);
    const target = writeContent(value, names, newline, style, [printed.raw]);
    if (printed.hasPrefixedAttributes || (hasTarget && target.hasUnknownTags)) return "unsupported";
    const { raw } = printed;
    this.#additions.push({ namespace, key, source: raw, target: hasTarget ? target.raw : null, description });
    return null;
  }

  #fileStyle(): XmlStyle {
    this.#knownStyle ??= new XmlStyle(
      this.#units
        .flatMap((unit) => unit.segments)
        .flatMap(({ source, target }) => [source, target])
        .flatMap((each) => (each === null || each.hasMarkup || each.children.length > 0 ? [] : each.raw)),
    );
    return this.#knownStyle;
  }

  #addToFile(file: File, additions: readonly Addition[]): void {
    const text = this.#text;
    const units = file.units.filter((unit) => !this.#removed.has(unit));
    const ids = new Set(units.flatMap(({ id }) => id ?? []));
    const [first] = units;
    if (first === undefined) return this.#addToEmpty(file, additions, ids);
    const named = units.map(({ key }) => ({ key: key ?? "", context: null }));
    const added = additions.map((unit) => ({ ...unit, context: null, namespace: null }));
    for (const [index, list] of entryInsertions(named, added, { nearKey: true })) {
      const anchor = units[index] ?? first;
      const layout = layoutOf(this.#document, anchor, "");
      const printed = list.map((unit) => (layout.indent ?? "") + printUnit(unit, layout, ids));
      const line = layout.indent === null ? "" : this.#document.newline;
      if (index >= 0) {
        const end = layout.indent === null ? anchor.element.end : endOfLine(text, anchor.element);
        this.#replace(end, end, printed.map((unit) => line + unit).join(""));
        continue;
      }
      const { start } = ownLines(text, first.element, first.element.parent?.tagEnd);
      const isLine = start < first.element.start;
      const between = printed.map((unit) => (isLine ? unit : unit.trimStart()) + line).join("");
      this.#replace(start, start, isLine ? between : between + (layout.indent ?? ""));
    }
  }

  #addToEmpty({ element, body }: File, additions: readonly Addition[], ids: Set<string>): void {
    const { text, names } = this.#document;
    const line = lineBreak(this.#document);
    const step = line === "" ? "" : (indentUnit(text) ?? "  ");
    const base = line === "" ? "" : (indentBefore(text, (body ?? element).start) ?? "") + step;
    const indent = body === null ? base + step : base;
    const layout = this.#layoutWith(indent);
    const units = printUnits(additions, layout, line, ids);
    if (body !== null) this.#putInside(body, units);
    else this.#putInside(element, printBody(units, names.prefix, line + base));
  }

  /** Adds a `file` for each new namespace, with the languages of the last existing one. */
  #addFiles(additions: readonly Addition[]): void {
    const { text, names, root, files } = this.#document;
    const { locale, sourceLocale } = this.#options;
    const line = lineBreak(this.#document);
    const last = files.at(-1)?.element;
    const step = line === "" ? "" : (indentUnit(text) ?? "  ");
    const indent = line === "" ? "" : ((last === undefined ? null : indentBefore(text, last.start)) ?? step);
    const languages =
      last === undefined
        ? languageAttributes(names, sourceLocale, locale === sourceLocale ? null : locale)
        : attributesOf(text, last, [names.sourceLanguage, names.targetLanguage, "datatype", "xml:space"]);
    const layout = this.#layoutWith(indent);
    const printed = [...Map.groupBy(additions, ({ namespace }) => namespace)].map(
      ([namespace, units]) =>
        line + indent + printFile({ namespace, units, line, indent, step, languages }, layout),
    );
    if (last !== undefined) this.#replace(last.end, last.end, printed.join(""));
    else if (root !== null) this.#putInside(root, printed.join(""));
  }

  /** Inserts text as the last child of an element. */
  #putInside(element: XmlElement, children: string): void {
    const line = lineBreak(this.#document);
    const close = line + (line === "" ? "" : (indentBefore(this.#text, element.start) ?? ""));
    if (element.empty) return this.#fillEmpty(element, children + close);
    // Removed units take their lines with them, so insert after the last of those lines.
    let at = this.#removed.size > 0 ? element.tagEnd : element.innerEnd;
    while (at > element.tagEnd && /\s/.test(this.#text[at - 1] ?? "")) at--;
    const isClosedBelow = /[\r\n]/.test(this.#text.slice(at, element.innerEnd));
    this.#replace(at, at, isClosedBelow ? children : children + close);
  }

  /** Adds content to an element that is a self-closing tag. */
  #fillEmpty({ name, start, tagEnd, end }: XmlElement, content: string): void {
    const tag = this.#text.slice(start, tagEnd - 2).trimEnd();
    this.#replace(start + tag.length, end, `>${content}</${name}>`);
  }

  /** Returns the layout of the first unit that stays, with another indentation. */
  #layoutWith(indent: string): UnitLayout {
    const first = this.#units.find((unit) => !this.#removed.has(unit));
    return { ...layoutOf(this.#document, first, indent), indent };
  }

  /**
   * Removes units. A `file` that would become empty is removed too unless it is the only one left: 2.0 does not allow
   * a `file` without units.
   */
  #removeUnits(): void {
    const { files } = this.#document;
    if (this.#removed.size === 0) return;
    const filled = new Set(this.#additions.map(({ namespace }) => namespace));
    const emptied = files.filter(
      (file) =>
        file.units.length > 0 &&
        file.units.every((unit) => this.#removed.has(unit)) &&
        !filled.has(file.namespace) &&
        holdsOnlyUnits(this.#text, file),
    );
    const gone = new Set(emptied.length < files.length ? emptied : []);
    const spans = [...gone].map(({ element }) => ownLines(this.#text, element));
    for (const { element, file } of this.#removed) {
      if (!gone.has(file)) spans.push(ownLines(this.#text, element, element.parent?.tagEnd));
    }
    for (const { start, end } of spans) this.#replace(start, end, "");
  }
}

function holdsOnlyUnits(text: string, { element, units, body }: File): boolean {
  const removals = units.map(({ element: { start, end } }) => ({ start, end, text: "" }));
  const rest = applySplices(text.slice(0, element.innerEnd), removals).slice(element.tagEnd).trim();
  if (body === null || body === element) return rest === "";
  const [open, close] = [text.slice(body.start, body.tagEnd), text.slice(body.innerEnd, body.end)];
  return rest.startsWith(open) && rest.slice(open.length).trim() === close;
}

/** Whether the content consists of CDATA sections only. */
function isSection(raw: string): boolean {
  if (!raw.startsWith("<![CDATA[") || !raw.endsWith("]]>")) return false;
  const scanner = new XmlScanner(raw);
  let token = scanner.next();
  while (token === "cdata") token = scanner.next();
  return token === "end";
}
