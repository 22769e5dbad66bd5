/**
 * Edits an XLIFF document by splices: replaces contents, adds and removes targets, inserts units next to their
 * neighbours and removes them with their notes. If the target's state is an untranslated one (`new`,
 * `needs-translation`; 2.0: `initial`), a changed text sets it to `translated`, since readers skip untranslated
 * targets; other states and attributes are preserved.
 */
import { refusalOf } from "../apply-edit.ts";
import {
  type Change,
  type EditResult,
  entryId,
  type ReadOptions,
  type Refusal,
  type Splice,
} from "../format.ts";
import { rowInsertions } from "../sheets/sheet-plan.ts";
import { fileNewline, indentUnit } from "../whitespace.ts";
import {
  contentText,
  effectiveUnits,
  readPlural,
  sideOf,
  unitSource,
  textOfUnit,
  writePlural,
} from "./xliff-entries.ts";
import { writeContent } from "./xliff-inline.ts";
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
} from "./xliff-print.ts";
import { indexOfNonXml, XmlStyle, XmlScanner } from "../xml.ts";
import { areTextsEqual } from "../../model/text.ts";

/** A unit to be added. */
interface Addition {
  readonly namespace: string | null;
  readonly unit: NewUnit;
}

/** The context of an insertion. */
interface InsertionContext {
  readonly text: string;
  readonly document: XliffDocument;
  readonly newline: string;
  /** Units that the same edit removes. */
  readonly removed: ReadonlySet<Unit>;
  readonly options: ReadOptions;
}

function additionsTo(place: InsertionContext, additions: readonly Addition[]): readonly Splice[] {
  const splices: Splice[] = [];
  const strange: Addition[] = [];
  for (const [namespace, list] of Map.groupBy(additions, (addition) => addition.namespace)) {
    const file = place.document.files.findLast((one) => one.namespace === namespace);
    if (file === undefined) strange.push(...list);
    else splices.push(...addToFile(place, file, list));
  }
  const { root } = place.document;
  return strange.length === 0 || root === null ? splices : [...splices, newFiles(place, root, strange)];
}

function addToFile(place: InsertionContext, file: File, additions: readonly Addition[]): readonly Splice[] {
  const { text, removed, document, newline } = place;
  const units = file.units.filter((unit) => !removed.has(unit));
  const ids = new Set(file.units.flatMap(({ id }) => (id === null ? [] : [id])));
  const [first] = units;
  if (first === undefined) return [addToEmpty(place, file, additions, ids)];
  const rows = units.map(({ name, id }) => ({ namespace: null, key: name ?? id ?? "", context: null }));
  const added = additions.map(({ unit }) => ({ namespace: null, key: unit.key, context: null, unit }));
  const splices: Splice[] = [];
  for (const [index, list] of rowInsertions(rows, added)) {
    const anchor = units[index] ?? first;
    const layout = layoutOf(text, document, anchor, newline, "");
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
  const { text, document, newline } = place;
  const { prefix } = document.names;
  const step = indentUnit(text) ?? "  ";
  const line = lineBreak(text, document, newline);
  const { body } = file;
  const base = line === "" ? "" : (indentOf(text, body ?? file) ?? "") + step;
  const indent = body === null ? base + step : base;
  const layout = layoutOf(text, document, anyUnit(place), newline, indent);
  const own = { ...layout, indent: layout.indent === null ? null : indent };
  const units = additions.map(({ unit }) => line + indent + printUnit(unit, own, ids)).join("");
  if (body !== null) return putInside(place, body, units);
  return putInside(place, file, `${line}${base}<${prefix}body>${units}${line}${base}</${prefix}body>`);
}

/** Inserts text as the last child of an element. */
function putInside(
  { text, document, newline, removed }: InsertionContext,
  element: Element,
  children: string,
): Splice {
  const line = lineBreak(text, document, newline);
  const close = line + (line === "" ? "" : (indentOf(text, element) ?? ""));
  if (element.empty) {
    let end = element.tagEnd - 2;
    while (/\s/.test(text[end - 1] ?? "")) end--;
    const name = /^[^\s/>]+/.exec(text.slice(element.start + 1, end))?.[0] ?? "";
    return { start: end, end: element.end, text: `>${children}${close}</${name}>` };
  }
  // Removed units take their lines with them, so insert after the last of those lines.
  let at = removed.size > 0 ? element.tagEnd : element.innerEnd;
  while (at > element.tagEnd && /\s/.test(text[at - 1] ?? "")) at--;
  const isClosedBelow = /[\r\n]/.test(text.slice(at, element.innerEnd));
  return { start: at, end: at, text: isClosedBelow ? children : children + close };
}

function anyUnit({ document, removed }: InsertionContext): Unit | undefined {
  for (const { units } of document.files) {
    const unit = units.find((one) => !removed.has(one));
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** Adds a `file` for each new namespace, with the languages of the last existing one. */
function newFiles(place: InsertionContext, root: Element, additions: readonly Addition[]): Splice {
  const { text, document, newline, options } = place;
  const { prefix } = document.names;
  const line = lineBreak(text, document, newline);
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
  const layout = layoutOf(text, document, anyUnit(place), newline, indent);
  const own = { ...layout, indent: layout.indent === null ? null : indent };
  const printed = [...Map.groupBy(additions, ({ namespace }) => namespace)].map(([namespace, list]) => {
    const ids = new Set<string>();
    const units = list.map(({ unit }) => line + indent + printUnit(unit, own, ids)).join("");
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
function removals(
  text: string,
  { files }: XliffDocument,
  removed: ReadonlySet<Unit>,
  additions: readonly Addition[],
): readonly Splice[] {
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
  #byKey: ReadonlyMap<string | null, readonly Unit[]> | null = null;
  #habits: XmlStyle | null = null;
  #blanks: BlankTargets | null = null;
  /** More than zero: the file writes targets even if they repeat the source. */
  #repeats: number | null = null;

  constructor(text: string, document: XliffDocument, options: ReadOptions) {
    this.#text = text;
    this.#document = document;
    this.#options = options;
    this.#newline = fileNewline(text);
  }

  edit(changes: ReadonlyMap<string, Change>): EditResult {
    const units = effectiveUnits(this.#document);
    const refused: Refusal[] = [];
    for (const change of changes.values()) {
      const { key, context, namespace = null, locale = null } = change;
      const unit = context === null && locale === null ? units.get(namespace)?.get(key) : undefined;
      const reason = unit === undefined ? this.#add(change) : this.#change(unit, change);
      if (reason !== null) refused.push(refusalOf(change, reason));
    }
    this.#splices.push(...removals(this.#text, this.#document, this.#removed, this.#additions));
    const place = {
      text: this.#text,
      document: this.#document,
      newline: this.#newline,
      removed: this.#removed,
      options: this.#options,
    };
    this.#splices.push(...additionsTo(place, this.#additions));
    this.#splices.sort((a, b) => a.start - b.start || a.end - b.end);
    return { splices: this.#splices, refused };
  }

  #change(unit: Unit, change: Change): Reason | null {
    if (change.text === null) {
      const all = this.#named(unit);
      if (all.some((one) => one.broken)) return "unsupported";
      for (const one of all) this.#removed.add(one);
      return null;
    }
    const side = sideOf(unit.file, this.#options);
    const unitText = textOfUnit(this.#text, unit, side, this.#document.names);
    const old = readPlural(unitText.text, unitText.key, unit.file.namespace, this.#options);
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
    const isBare = target !== null && !/\s/.test(this.#text.slice(target.start, target.tagEnd).trimEnd());
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
    if (content.empty) this.#fill(content, raw);
    else if (raw === "" && this.#countBlanks().closed > 0) this.#close(content);
    else this.#splices.push({ start: content.tagEnd, end: content.innerEnd, text: raw });
    return null;
  }

  #encode(segment: Segment, content: Content | null, value: string): string | null {
    const text = this.#text;
    const near = [content, segment.source].map((one) =>
      one === null ? "" : text.slice(one.tagEnd, one.innerEnd),
    );
    const [old = ""] = near;
    const words = near.map(withoutTags);
    const newline = /\r\n?|\n/.exec(near.join(""))?.[0] ?? this.#newline;
    const known = [segment.source, segment.segSource, segment.target].flatMap((one) =>
      one === null ? [] : [text.slice(one.tagEnd, one.innerEnd)],
    );
    const habit = this.#fileHabits().near(words);
    const written = writeContent(value, this.#document.names, newline, habit, known);
    if (written.foreign) return null;
    if (written.words !== null && isSection(old) && !written.words.includes("\r")) {
      const inner = written.words.replaceAll("]]>", "]]]]><![CDATA[>").replaceAll("\n", newline);
      return `<![CDATA[${inner}]]>`;
    }
    return written.raw;
  }

  #fill(content: Content, raw: string): void {
    let end = content.tagEnd - 2;
    while (/\s/.test(this.#text[end - 1] ?? "")) end--;
    this.#splices.push({ start: end, end: content.end, text: `>${raw}</${this.#nameAt(content.start)}>` });
  }

  #addTarget(segment: Segment, value: string): Reason | null {
    const { source } = segment;
    if (source === null) return "unsupported";
    const raw = this.#encode(segment, null, value);
    if (raw === null) return "unsupported";
    const after = segment.segSource ?? source;
    const name = this.#nameAt(source.start).replace(/source$/, "target");
    const indent = indentOf(this.#text, source);
    const before = indent === null ? "" : this.#newline + indent;
    this.#splices.push({ start: after.end, end: after.end, text: `${before}<${name}>${raw}</${name}>` });
    return null;
  }

  /** Writes a missing translation as elsewhere in the file. */
  #emptyTarget(target: Content): void {
    const text = this.#text;
    const blanks = this.#countBlanks();
    const hasAttributes = /\s/.test(text.slice(target.start, target.tagEnd).trimEnd());
    if (!hasAttributes && blanks.missing >= Math.max(blanks.empty, blanks.open)) {
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
      for (const unit of this.#document.files.flatMap(({ units }) => units)) {
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
    for (const { units } of this.#document.files) {
      for (const { source, target } of units.flatMap((unit) => unit.segments)) {
        for (const each of [source, target]) {
          if (each === null) continue;
          if (each.empty) blanks.closed++;
          else if (each.tagEnd === each.innerEnd) blanks.closed--;
        }
        if (target === null) blanks.missing++;
        else if (target.empty) blanks.empty++;
        else if (target.tagEnd === target.innerEnd) blanks.open++;
      }
    }
    this.#blanks = blanks;
    return blanks;
  }

  #setState(target: Content, segment: Segment): void {
    const isOld = this.#document.version === "1.2";
    const scanner = new XmlScanner(this.#text, isOld ? target.start : segment.start);
    scanner.next();
    const state = scanner.find("state");
    if (state === undefined) return;
    const stateValue = this.#text.slice(state.valueStart, state.valueEnd);
    const isOpen = isOld
      ? stateValue === "new" || stateValue === "needs-translation"
      : stateValue === "initial";
    if (isOpen) this.#splices.push({ start: state.valueStart, end: state.valueEnd, text: "translated" });
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
    const files = this.#document.files;
    const file = files.find((one) => one.namespace === namespace) ?? files.at(-1);
    const side = file === undefined ? sideWithout(this.#options) : sideOf(file, this.#options);
    if (side === "source") return "source";
    const hasTarget = side === "target" || (file !== undefined && file.targetLanguage !== null);
    const { names } = this.#document;
    const habit = this.#fileHabits().near([]);
    const sourceText = side === "target" ? (source ?? key) : hasTarget ? (source ?? value) : value;
    const printed = writeContent(sourceText, names, this.#newline, habit, []);
    const target = writeContent(value, names, this.#newline, habit, [printed.raw]);
    if (printed.prefixed || (hasTarget && target.foreign)) return "unsupported";
    this.#additions.push({
      namespace,
      unit: { key, source: printed.raw, target: hasTarget ? target.raw : null, description },
    });
    return null;
  }

  /** Returns all units with the same name as this one. */
  #named(unit: Unit): readonly Unit[] {
    this.#byKey ??= Map.groupBy(
      this.#document.files.flatMap((file) => file.units),
      ({ name, id }) => name ?? id,
    );
    const all = this.#byKey.get(unit.name ?? unit.id) ?? [];
    return all.filter(({ file }) => file.namespace === unit.file.namespace);
  }

  #fileHabits(): XmlStyle {
    if (this.#habits !== null) return this.#habits;
    const texts: string[] = [];
    for (const { units } of this.#document.files) {
      for (const { source, target } of units.flatMap((unit) => unit.segments)) {
        for (const content of [source, target]) {
          if (content !== null && !content.marked)
            texts.push(this.#text.slice(content.tagEnd, content.innerEnd));
        }
      }
    }
    this.#habits = new XmlStyle(texts);
    return this.#habits;
  }

  #nameAt(start: number): string {
    const scanner = new XmlScanner(this.#text, start);
    scanner.next();
    return this.#text.slice(scanner.nameStart, scanner.nameEnd);
  }
}

function sideWithout({ locale, sourceLocale }: ReadOptions): "own" | "target" {
  return locale === sourceLocale ? "own" : "target";
}

function withoutTags(raw: string): string {
  return raw.includes("<") ? raw.replaceAll(/<[^<>]*>/g, "") : raw;
}

/** Whether the content consists of CDATA sections only. */
function isSection(raw: string): boolean {
  if (!raw.startsWith("<![CDATA[") || !raw.endsWith("]]>")) return false;
  const scanner = new XmlScanner(raw);
  let token = scanner.next();
  while (token === "cdata") token = scanner.next();
  return token === "end";
}
