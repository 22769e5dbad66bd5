/**
 * The entries of an XLIFF document: which of `source` and `target` is the text in the requested locale, what the notes describe,
 * and plural forms: a unit has one value, so that of a plural key is an ICU message, as Angular and Symfony write it.
 */
import type { Change, Entry, Problem, ReadOnlyReason, ReadOptions, ReadResult } from "../format.ts";
import { formsOfIcu, hasIcuPlural, joinIcu, newIcu, splitIcu } from "../icu-plural.ts";
import { type InlineNames, type DecodedContent, decodeContent, escapeTagLikeText } from "./xliff-inline.ts";
import type { Content, File, Note, Segment, Unit, XliffDocument } from "./xliff-parser.ts";
import { decodeXml } from "../xml.ts";
import type { Span } from "../../model/span.ts";
import { CATEGORIES, isForms, type Text } from "../../model/text.ts";

/** A value as the text of its key. `readOnly`: its plural could not be put together again. */
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

/** The value that says the text; `old` is the one that it replaces, if any. `null`: no value says all its forms. */
export function writePlural(text: Text, old: string): string | null {
  if (!isForms(text)) return text.value;
  const { forms } = text;
  const names: readonly string[] = CATEGORIES;
  const other = forms["other"];
  if (other === undefined || Object.keys(forms).some((name) => !names.includes(name))) return null;
  const icu = splitIcu(old);
  if (icu !== null) return joinIcu(icu, forms);
  if (Object.keys(forms).length === 1 && !hasIcuPlural(other)) return other;
  return newIcu("count", forms);
}

/** The same for a file that has to say something: without a way to say all, the most general form. */
export function singleText(text: Text): string {
  if (!isForms(text)) return text.value;
  return writePlural(text, "") ?? text.forms["other"] ?? Object.values(text.forms)[0] ?? "";
}

/** The source that a change names; `undefined`: unknown. */
export function sourceOf({ source }: Pick<Change, "source">): string | undefined {
  return source === undefined || source === null ? undefined : singleText(source);
}

/**
 * Where a file's texts of the asked locale stand. `target`: a translation. `own`: the file is the source locale's
 * (or says no other language than the asked one): a target where one says something, else the source. `source`:
 * the file translates from the asked locale into another one, so that its sources can be read and not written.
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
      const unitText = textOfUnit(text, unit, side, document.names);
      if (unitText.flaw >= 0 && !unit.broken) problems.push(flawIn(unitText.flaw));
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

const NOTHING: DecodedContent = { text: "", editable: true, flaw: -1 };

/** The flaw's place is that in the file. */
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

/** Notes of these are no description of the key: Angular's meaning and places, and what a translator said. */
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
