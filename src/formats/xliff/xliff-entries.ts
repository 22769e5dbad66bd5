/**
 * The entries of an XLIFF document: whether `source` or `target` is the text in the requested locale, which notes are
 * descriptions, and plurals. A unit has a single value, so that of a plural key is an ICU message, as Angular and
 * Symfony write it.
 */
import {
  type Change,
  type Entry,
  entryId,
  type Problem,
  type ReadOnlyReason,
  type ReadOptions,
  type ReadResult,
} from "../format.ts";
import { formsOfIcu, hasIcuPlural, joinIcu, newIcu, splitIcu } from "../icu-plural.ts";
import { type DecodedContent, decodeContent } from "./xliff-inline-tags.ts";
import type { XliffNames } from "./xliff-names.ts";
import type { File, Segment, Unit, XliffDocument } from "./xliff-parser.ts";
import { decodeXml } from "../xml/xml-tokenizer.ts";
import type { XmlElement } from "../xml/xml-tree.ts";
import type { Span } from "../../util/span.ts";
import { isForms, type Text } from "../../model/translation-text.ts";

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
  const other = forms["other"];
  if (other === undefined) return null;
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
 * Where the texts of the requested locale are. `target`: in translations. `either`: the file is in the source locale (or
 * declares no other language): the target if there is one, otherwise the source. `source`: the file translates from
 * the requested locale, so its sources are read-only texts.
 */
type Side = "target" | "either" | "source";

export function sideOf(
  { sourceLanguage, targetLanguage }: Pick<File, "sourceLanguage" | "targetLanguage">,
  { locale, sourceLocale }: ReadOptions,
): Side {
  const isSource = sourceLanguage !== null && sameLocale(sourceLanguage, locale);
  if (targetLanguage !== null && isSource && !sameLocale(targetLanguage, locale)) return "source";
  if (locale === sourceLocale || (targetLanguage === null && isSource)) return "either";
  return "target";
}

function sameLocale(a: string, b: string): boolean {
  return a.replaceAll("_", "-").toLowerCase() === b.replaceAll("_", "-").toLowerCase();
}

/** The texts of one unit. */
interface UnitText {
  readonly text: string;
  readonly source: string | null;
  /** Range of the text, or of where it would be inserted. */
  readonly valueSpan: Span;
  readonly readOnly: ReadOnlyReason | null;
  /** Offset of the first part of the texts that is not well-formed, or -1. */
  readonly flaw: number;
}

/** Returns the units that have a key by `entryId`; of several with the same name, the last one is in effect. */
export function unitsById({ files }: XliffDocument): ReadonlyMap<string, readonly Unit[]> {
  return Map.groupBy(
    files.flatMap(({ units }) => units.filter(({ key }) => key !== null)),
    ({ key, file: { namespace } }) => entryId({ key: key ?? "", context: null, namespace }),
  );
}

/** Returns the document's entries in order. */
export function readXliff(document: XliffDocument, options: ReadOptions): ReadResult {
  const entries: Entry[] = [];
  const problems: Problem[] = [...document.problems];
  const byId = unitsById(document);
  for (const file of document.files) {
    const { namespace } = file;
    const side = sideOf(file, options);
    for (const unit of file.units) {
      const { key, keySpan } = unit;
      if (key === null) continue;
      const { text: value, source, valueSpan, readOnly, flaw } = textOfUnit(unit, side, document.names);
      if (flaw >= 0 && !unit.broken) {
        problems.push({ code: "syntax", message: "not well-formed", span: { start: flaw, end: flaw + 1 } });
      }
      if (byId.get(entryId({ key, context: null, namespace }))?.at(-1) !== unit) {
        const message = "the key is repeated further down";
        problems.push({ code: "duplicate", message, span: keySpan, key });
        continue;
      }
      const own = readPlural(value, key, namespace, options);
      entries.push({
        key,
        context: null,
        namespace,
        locale: null,
        text: own.text,
        source: source === null ? null : readPlural(source, key, namespace, options).text,
        description: descriptionOf(unit.notes),
        keySpan,
        valueSpan,
        readOnly: readOnly ?? (own.readOnly ? "unsupported" : null),
        ...(unit.maxLength === null ? {} : { maxLength: unit.maxLength }),
      });
    }
  }
  const { files } = document;
  const locale =
    files.find((file) => file.targetLanguage !== null)?.targetLanguage ??
    files.find((file) => file.sourceLanguage !== null)?.sourceLanguage ??
    null;
  problems.sort((a, b) => a.span.start - b.span.start);
  return { entries, problems, locale, namespaces: files.map(({ namespace }) => namespace) };
}

/** Returns the unit's text on that side; of no or several segments, it is read-only. */
export function textOfUnit({ element, segments, broken }: Unit, side: Side, names: XliffNames): UnitText {
  const sources = segments.map(({ source }) => decodeElement(source, names));
  const targets = segments.map(({ ignorable, source, target }) =>
    decodeElement(ignorable ? (target ?? source) : target, names),
  );
  const isTranslated = segments.some(({ ignorable }, index) => !ignorable && targets[index]?.text !== "");
  const isSource = side === "source" || (side === "either" && !isTranslated);
  const shown = isSource ? sources : targets;
  const joined = (parts: readonly DecodedContent[]): string => parts.map(({ text }) => text).join("");
  const spans = segments.map((segment) => spanOf(isSource ? segment.source : segment.target, segment));
  const [segment] = segments;
  const flaws = [...sources, ...targets].flatMap(({ flaw }) => (flaw < 0 ? [] : flaw));
  const canWrite = segments.length === 1 && segment?.source != null && shown[0]?.editable === true && !broken;
  return {
    text: isSource || isTranslated ? joined(shown) : "",
    source: side === "target" ? joined(sources) : null,
    valueSpan: { start: spans[0]?.start ?? element.tagEnd, end: spans.at(-1)?.end ?? element.tagEnd },
    readOnly: side === "source" ? "source" : canWrite && !segment.ignorable ? null : "unsupported",
    // A unit may have more segments than a call has arguments.
    flaw: flaws.reduce((first, flaw) => Math.min(first, flaw), flaws[0] ?? -1),
  };
}

/** Returns the range of the content, of the empty element, or of the insertion point if there is none. */
function spanOf(content: XmlElement | null, { element, source, segSource }: Segment): Span {
  if (content === null) {
    const at = (segSource ?? source)?.end ?? element.tagEnd;
    return { start: at, end: at };
  }
  return content.empty
    ? { start: content.start, end: content.end }
    : { start: content.tagEnd, end: content.innerEnd };
}

/** Decodes a content; `flaw` is an offset in the file. */
export function decodeElement(content: XmlElement | null, names: XliffNames): DecodedContent {
  if (content === null) return { text: "", editable: true, flaw: -1 };
  const { text, editable, flaw } = decodeContent(content.raw, names);
  return { text, editable, flaw: flaw < 0 ? -1 : content.tagEnd + flaw };
}

/** Origins of notes that are not descriptions: Angular's meanings and locations, and remarks of translators. */
const NOT_DESCRIBING = /^(?:meaning|location|target|translator|po-translator|po-reference)$/i;

/** Whether the note describes the key. */
export function isDescription(note: XmlElement): boolean {
  const about = note.attribute("annotates") ?? note.attribute("appliesTo");
  const from = about === "target" ? about : (note.attribute("from") ?? note.attribute("category"));
  return from === null || !NOT_DESCRIBING.test(from);
}

function descriptionOf(notes: readonly XmlElement[]): string | null {
  const descriptions = notes
    .filter(isDescription)
    .map(({ raw }) => decodeXml(raw).text.trim())
    .filter((words) => words !== "");
  return descriptions.length === 0 ? null : descriptions.join("\n");
}
