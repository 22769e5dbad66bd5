/**
 * The entries of an XLIFF document: whether `source` or `target` is the text in the requested locale, which notes are
 * descriptions, and plurals. A unit has a single value, so that of a plural key is an ICU message, as Angular and
 * Symfony write it.
 */
import type { Change, Entry, Problem, ReadOnlyReason, ReadOptions, ReadResult } from "../format.ts";
import { formsOfIcu, hasIcuPlural, joinIcu, newIcu, splitIcu } from "../icu-plural.ts";
import { type InlineNames, type DecodedContent, decodeContent, escapeTagLikeText } from "./xliff-inline.ts";
import type { Content, File, Note, Segment, Unit, XliffDocument } from "./xliff-parser.ts";
import { decodeXml } from "../xml.ts";
import type { Span } from "../../model/span.ts";
import { PLURAL_CATEGORIES, isForms, type Text } from "../../model/text.ts";

/** Returns a value as the text of its key. `readOnly`: the plural could not be restored from its forms. */
export function readPlural(
  value: string,
  key: string,
  namespace: string | null,
  options: ReadOptions,
): { readonly text: Text; readonly readOnly: boolean } {
  if (value === "" || options.isPlural?.(key, null, namespace) !== true)
    return { text: { value }, readOnly: false };
  const icu = splitIcu(value);
  if (icu !== null) return { text: { forms: formsOfIcu(icu) }, readOnly: false };
  return { text: { forms: { other: value } }, readOnly: hasIcuPlural(value) };
}

/**
 * Returns the value for a text; `old` is the value to be replaced, if any. `null` if no value can contain all forms.
 */
export function writePlural(text: Text, old: string): string | null {
  if (!isForms(text)) return text.value;
  const { forms } = text;
  const names: readonly string[] = PLURAL_CATEGORIES;
  const other = forms["other"];
  if (other === undefined || Object.keys(forms).some((name) => !names.includes(name))) return null;
  const icu = splitIcu(old);
  if (icu !== null) return joinIcu(icu, forms);
  if (Object.keys(forms).length === 1 && !hasIcuPlural(other)) return other;
  return newIcu("count", forms);
}

/** Same as `writePlural`, for a file that needs some value: the most general form if not all forms can be written. */
export function singleText(text: Text): string {
  if (!isForms(text)) return text.value;
  return writePlural(text, "") ?? text.forms["other"] ?? Object.values(text.forms)[0] ?? "";
}

/** Returns the source of a change; `undefined` if unknown. */
export function unitSource({ source }: Pick<Change, "source">): string | undefined {
  return source === undefined || source === null ? undefined : singleText(source);
}

/**
 * Where the texts of the requested locale are. `target`: in translations. `own`: the file is in the source locale (or
 * declares no other language): the target if there is one, otherwise the source. `source`: the file translates from
 * the requested locale, so its sources are read-only texts.
 */
type Side = "target" | "own" | "source";

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
interface UnitText {
  readonly key: string;
  readonly text: string;
  readonly source: string | null;
  /** Range of the text, or of where it would be inserted. */
  readonly valueSpan: Span;
  readonly readOnly: ReadOnlyReason | null;
  /** Offset of the first part of the texts that is not well-formed, or -1. */
  readonly flaw: number;
}

/** Returns the effective units by namespace and key: the last one of each name. */
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

/** Returns the document's entries in order. */
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
      const unitText = textOfUnit(text, unit, side, document.names);
      if (unitText.flaw >= 0 && !unit.broken) problems.push(problemIn(unitText.flaw));
      if (named?.get(key) !== unit) {
        problems.push({
          code: "duplicate",
          message: "the key stands again further down",
          span: unit.keySpan,
          key: unitText.key,
        });
        continue;
      }
      const value = readPlural(unitText.text, unitText.key, file.namespace, options);
      entries.push({
        key: unitText.key,
        context: null,
        namespace: file.namespace,
        locale: null,
        text: value.text,
        source:
          unitText.source === null
            ? null
            : readPlural(unitText.source, unitText.key, file.namespace, options).text,
        description: descriptionOf(text, unit.notes),
        keySpan: unit.keySpan,
        valueSpan: unitText.valueSpan,
        readOnly: unitText.readOnly ?? (value.readOnly ? "unsupported" : null),
        ...(unit.maxLength === null ? {} : { maxLength: unit.maxLength }),
      });
    }
  }
  const languages = document.files;
  const locale =
    languages.find((file) => file.targetLanguage !== null)?.targetLanguage ??
    languages.find((file) => file.sourceLanguage !== null)?.sourceLanguage ??
    null;
  return { entries, problems, locale, namespaces: languages.map(({ namespace }) => namespace) };
}

function problemIn(at: number): Problem {
  return { code: "syntax", message: "not well-formed", span: { start: at, end: at + 1 } };
}

/** Returns the unit's text on that side; several segments are one read-only text. */
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
  const all = (parts: readonly DecodedContent[]): string => parts.map((part) => part.text).join("");
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

/** Returns the range of the content, of the empty element, or of the insertion point if there is none. */
function spanOf(content: Content | null, segment: Segment): Span {
  if (content === null) {
    const at = (segment.segSource ?? segment.source)?.end ?? segment.tagEnd;
    return { start: at, end: at };
  }
  return content.empty
    ? { start: content.start, end: content.end }
    : { start: content.tagEnd, end: content.innerEnd };
}

const NOTHING: DecodedContent = { text: "", editable: true, flaw: -1 };

/** Decodes a content; `flaw` is an offset in the file. */
export function contentText(text: string, content: Content | null, names: InlineNames): DecodedContent {
  if (content === null || content.innerEnd === content.tagEnd) return NOTHING;
  const raw = text.slice(content.tagEnd, content.innerEnd);
  if (content.marked) {
    const decoded = decodeContent(raw, names);
    return decoded.flaw < 0 ? decoded : { ...decoded, flaw: content.tagEnd + decoded.flaw };
  }
  const { text: words, flaw } = decodeXml(raw);
  return {
    text: escapeTagLikeText(words, names),
    editable: flaw < 0,
    flaw: flaw < 0 ? -1 : content.tagEnd + flaw,
  };
}

/** Origins of notes that are not descriptions: Angular's meanings and locations, and remarks of translators. */
const NOT_DESCRIBING = /^(?:meaning|location|target|translator|po-translator|po-reference)$/i;

/** Whether the note describes the key. */
export function isDescription({ from }: Note): boolean {
  return from === null || !NOT_DESCRIBING.test(from);
}

function descriptionOf(text: string, notes: readonly Note[]): string | null {
  if (notes.length === 0) return null;
  const descriptions = notes
    .filter(isDescription)
    .map(({ tagEnd, innerEnd }) => decodeXml(text.slice(tagEnd, innerEnd)).text.trim())
    .filter((words) => words !== "");
  return descriptions.length === 0 ? null : descriptions.join("\n");
}
