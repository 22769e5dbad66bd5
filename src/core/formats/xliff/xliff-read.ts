/**
 * What an XLIFF document says as entries: which of `source` and `target` is the text in the asked locale, and what
 * the notes describe. Places and structure come from xliff-document.ts.
 */
import type { Entry, Problem, ReadOnlyReason, ReadOptions, ReadResult, Span } from "../format.ts";
import type { Content, File, Note, Segment, Unit, XliffDocument } from "./xliff-elements.ts";
import { sayContent, sayWords, type InlineNames, type Said } from "./xliff-inline.ts";
import { readPlural } from "./xliff-plurals.ts";
import { decodeXml } from "./xml-text.ts";

/**
 * Where a file's texts of the asked locale stand. `target`: a translation. `own`: the file is the source locale's
 * (or says no other language than the asked one): a target where one says something, else the source. `source`:
 * the file translates from the asked locale into another one, so that its sources can be read and not written.
 */
export type Side = "target" | "own" | "source";

export function sideOf(file: File, { locale, sourceLocale }: ReadOptions): Side {
  const { sourceLanguage, targetLanguage } = file;
  const isSource = sourceLanguage !== null && sameLocale(sourceLanguage, locale);
  if (targetLanguage !== null && isSource && !sameLocale(targetLanguage, locale)) return "source";
  if (locale === sourceLocale || (targetLanguage === null && isSource)) return "own";
  return "target";
}

function sameLocale(a: string, b: string): boolean {
  return a.replaceAll("_", "-").toLowerCase() === b.replaceAll("_", "-").toLowerCase();
}

/** The texts of one unit. */
export interface UnitText {
  readonly key: string;
  readonly text: string;
  readonly source: string | null;
  /** Where the text stands, or would stand. */
  readonly valueSpan: Span;
  readonly readOnly: ReadOnlyReason | null;
  /** The first place in the texts that is not well-formed, or -1. */
  readonly flaw: number;
}

/** The units that count, by namespace and key: of those of one name the last. */
export function effectiveUnits(
  document: XliffDocument,
): ReadonlyMap<string | null, ReadonlyMap<string, Unit>> {
  const all = new Map<string | null, Map<string, Unit>>();
  for (const { namespace, units } of document.files) {
    const named = all.get(namespace) ?? new Map<string, Unit>();
    all.set(namespace, named);
    for (const unit of units) {
      const key = unit.name ?? unit.id;
      if (key !== null) named.set(key, unit);
    }
  }
  return all;
}

/** The document's entries, in its order. */
export function readXliff(text: string, document: XliffDocument, options: ReadOptions): ReadResult {
  const entries: Entry[] = [];
  const problems: Problem[] = [...document.problems];
  const effective = effectiveUnits(document);
  for (const file of document.files) {
    const side = sideOf(file, options);
    const named = effective.get(file.namespace);
    for (const unit of file.units) {
      const key = unit.name ?? unit.id;
      if (key === null) continue;
      const said = textOfUnit(text, unit, side, document.names);
      if (said.flaw >= 0 && !unit.broken) problems.push(flawIn(said.flaw));
      if (named?.get(key) !== unit) {
        problems.push({
          code: "duplicate",
          message: "the key stands again further down",
          span: unit.keySpan,
          key: said.key,
        });
        continue;
      }
      const value = readPlural(said.text, said.key, file.namespace, options);
      entries.push({
        key: said.key,
        context: null,
        namespace: file.namespace,
        locale: null,
        text: value.text,
        source: said.source === null ? null : readPlural(said.source, said.key, file.namespace, options).text,
        description: descriptionOf(text, unit.notes),
        keySpan: unit.keySpan,
        valueSpan: said.valueSpan,
        readOnly: said.readOnly ?? (value.readOnly ? "unsupported" : null),
      });
    }
  }
  const languages = document.files;
  const locale =
    languages.find((file) => file.targetLanguage !== null)?.targetLanguage ??
    languages.find((file) => file.sourceLanguage !== null)?.sourceLanguage ??
    null;
  return { entries, problems, locale };
}

function flawIn(at: number): Problem {
  return { code: "syntax", message: "not well-formed", span: { start: at, end: at + 1 } };
}

/** What the unit says on that side; several segments are one text, which can be read and not written. */
export function textOfUnit(text: string, unit: Unit, side: Side, names: InlineNames): UnitText {
  const key = unit.name ?? unit.id ?? "";
  const [segment, ...more] = unit.segments;
  if (segment === undefined) {
    const at = { start: unit.tagEnd, end: unit.tagEnd };
    return {
      key,
      text: "",
      source: side === "target" ? "" : null,
      valueSpan: at,
      readOnly: "unsupported",
      flaw: -1,
    };
  }
  if (more.length > 0) return joined(text, unit, side, names);
  const source = contentText(text, segment.source, names);
  const target = contentText(text, segment.target, names);
  const content =
    side === "source" || (side === "own" && target.text === "") ? segment.source : segment.target;
  const own = content === segment.source && side !== "target" ? source : target;
  const flaw = Math.max(source.flaw, target.flaw);
  const canWrite = own.editable && !unit.broken && segment.source !== null;
  return {
    key,
    text: own.text,
    source: side === "target" ? source.text : null,
    valueSpan: spanOf(content, segment),
    readOnly: side === "source" ? "source" : canWrite && !segment.ignorable ? null : "unsupported",
    flaw,
  };
}

function joined(text: string, unit: Unit, side: Side, names: InlineNames): UnitText {
  const sources = unit.segments.map(({ source }) => contentText(text, source, names));
  const targets = unit.segments.map(({ ignorable, source, target }) =>
    contentText(text, ignorable ? (target ?? source) : target, names),
  );
  const all = (parts: readonly Said[]): string => parts.map((part) => part.text).join("");
  const isTranslated = unit.segments.some(
    ({ ignorable }, index) => !ignorable && targets[index]?.text !== "",
  );
  const target = isTranslated ? all(targets) : "";
  const isSource = side === "source" || (side === "own" && target === "");
  const spans = unit.segments.map((segment) =>
    spanOf(isSource ? segment.source : (segment.target ?? segment.source), segment),
  );
  return {
    key: unit.name ?? unit.id ?? "",
    text: isSource ? all(sources) : target,
    source: side === "target" ? all(sources) : null,
    valueSpan: { start: spans[0]?.start ?? unit.start, end: spans.at(-1)?.end ?? unit.end },
    readOnly: "unsupported",
    flaw: [...sources, ...targets].reduce((most, { flaw }) => Math.max(most, flaw), -1),
  };
}

/** What stands within, or the empty tag; where there is none, the place for one. */
function spanOf(content: Content | null, segment: Segment): Span {
  if (content === null) {
    const at = (segment.segSource ?? segment.source)?.end ?? segment.tagEnd;
    return { start: at, end: at };
  }
  return content.empty
    ? { start: content.start, end: content.end }
    : { start: content.tagEnd, end: content.innerEnd };
}

const NOTHING: Said = { text: "", editable: true, flaw: -1 };

/** The flaw's place is that in the file. */
export function contentText(text: string, content: Content | null, names: InlineNames): Said {
  if (content === null || content.innerEnd === content.tagEnd) return NOTHING;
  const raw = text.slice(content.tagEnd, content.innerEnd);
  if (content.marked) {
    const said = sayContent(raw, names);
    return said.flaw < 0 ? said : { ...said, flaw: content.tagEnd + said.flaw };
  }
  const { text: words, flaw } = decodeXml(raw);
  return {
    text: sayWords(words, names),
    editable: flaw < 0,
    flaw: flaw < 0 ? -1 : content.tagEnd + flaw,
  };
}

/** Notes of these are no description of the key: Angular's meaning and places, and what a translator said. */
const NOT_DESCRIBING = /^(?:meaning|location|target|translator|po-translator|po-reference)$/i;

/** Whether the note describes the key. */
export function isDescription({ from }: Note): boolean {
  return from === null || !NOT_DESCRIBING.test(from);
}

function descriptionOf(text: string, notes: readonly Note[]): string | null {
  if (notes.length === 0) return null;
  const said = notes
    .filter(isDescription)
    .map(({ tagEnd, innerEnd }) => decodeXml(text.slice(tagEnd, innerEnd)).text.trim())
    .filter((words) => words !== "");
  return said.length === 0 ? null : said.join("\n");
}
