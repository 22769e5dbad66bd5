/** Where new units go in an XLIFF document, as splices: beside their neighbours, in a new `file` where none fits. */
import type { ReadOptions, Splice } from "../format.ts";
import { placeRows } from "../sheets/sheet-order.ts";
import { indentUnit } from "../style.ts";
import type { Element, File, Unit, XliffDocument } from "./xliff-elements.ts";
import { attributesOf, endOfLine, indentOf, layoutOf, lineBreak, ownLines } from "./xliff-layout.ts";
import { languageAttributes, type NewUnit, printFileTag, printUnit } from "./xliff-print.ts";

/** A unit to come. */
export interface Addition {
  readonly namespace: string | null;
  readonly unit: NewUnit;
}

/** What adding needs to know beside the additions. */
export interface Place {
  readonly text: string;
  readonly document: XliffDocument;
  readonly newline: string;
  /** Units that go in the same edit. */
  readonly removed: ReadonlySet<Unit>;
  readonly options: ReadOptions;
}

export function additionsTo(place: Place, additions: readonly Addition[]): readonly Splice[] {
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

function addToFile(place: Place, file: File, additions: readonly Addition[]): readonly Splice[] {
  const { text, removed, document, newline } = place;
  const units = file.units.filter((unit) => !removed.has(unit));
  const ids = new Set(file.units.flatMap(({ id }) => (id === null ? [] : [id])));
  const [first] = units;
  if (first === undefined) return [addToEmpty(place, file, additions, ids)];
  const rows = units.map(({ name, id }) => ({ namespace: null, key: name ?? id ?? "", context: null }));
  const added = additions.map(({ unit }) => ({ namespace: null, key: unit.key, context: null, unit }));
  const splices: Splice[] = [];
  for (const [index, list] of placeRows(rows, added)) {
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

function addToEmpty(place: Place, file: File, additions: readonly Addition[], ids: Set<string>): Splice {
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

/** Text as the last child of an element, behind its other children. */
function putInside({ text, document, newline, removed }: Place, element: Element, children: string): Splice {
  const line = lineBreak(text, document, newline);
  const close = line + (line === "" ? "" : (indentOf(text, element) ?? ""));
  if (element.empty) {
    let end = element.tagEnd - 2;
    while (/\s/.test(text[end - 1] ?? "")) end--;
    const name = /^[^\s/>]+/.exec(text.slice(element.start + 1, end))?.[0] ?? "";
    return { start: end, end: element.end, text: `>${children}${close}</${name}>` };
  }
  // Units that go take their lines along, up to which nothing may be put.
  let at = removed.size > 0 ? element.tagEnd : element.innerEnd;
  while (at > element.tagEnd && /\s/.test(text[at - 1] ?? "")) at--;
  const isClosedBelow = /[\r\n]/.test(text.slice(at, element.innerEnd));
  return { start: at, end: at, text: isClosedBelow ? children : children + close };
}

function anyUnit({ document, removed }: Place): Unit | undefined {
  for (const { units } of document.files) {
    const unit = units.find((one) => !removed.has(one));
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** A `file` for each namespace that has none, with the languages of the last one. */
function newFiles(place: Place, root: Element, additions: readonly Addition[]): Splice {
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
