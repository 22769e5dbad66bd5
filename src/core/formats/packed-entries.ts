/**
 * The entries of a translation file in columns instead of objects: a large file's take a tenth of the memory and go to
 * another thread without being copied one by one. An entry is made when somebody asks for it.
 */
import { isForms, type Text } from "../text.ts";
import type { Entry, ReadOnlyReason } from "./format.ts";
import {
  fewAt,
  type FewStrings,
  isSameStrings,
  kindAt,
  type PackedStrings,
  packFew,
  STRING,
  stringAt,
  stringBuffers,
  StringPacker,
} from "./packed-strings.ts";
import { keySpanAt, type PackedSpans, SpanPacker, valueSpanAt } from "./packed-spans.ts";

/** Entries in the order of their file; an array of them is one. */
export interface Entries extends Iterable<Entry> {
  readonly length: number;
}

/** The columns; plain data, for another thread. */
export interface EntryColumns {
  readonly length: number;
  /** Absent where somebody else knows the names. */
  readonly keys: PackedStrings;
  readonly contexts: PackedStrings;
  readonly namespaces: PackedStrings;
  readonly locales: FewStrings;
  readonly texts: PackedStrings;
  readonly sources: PackedStrings;
  readonly descriptions: PackedStrings;
  readonly readOnly: FewStrings;
  readonly spans: PackedSpans;
}

/** Kind of a packed string: the forms of a plural text, as JSON. */
export const FORMS = 2;

export class PackedEntries implements Entries {
  readonly columns: EntryColumns;

  constructor(columns: EntryColumns) {
    this.columns = columns;
  }

  static of(entries: Entries): PackedEntries {
    if (entries instanceof PackedEntries) return entries;
    const { length } = entries;
    const [keys, contexts, namespaces] = [names(length), names(length), names(length)];
    const [texts, sources, descriptions] = [strings(length), strings(length), strings(length)];
    const locales: (string | null)[] = [];
    const readOnly: (string | null)[] = [];
    const spans = new SpanPacker(length);
    for (const entry of entries) {
      keys.add(entry.key);
      contexts.add(entry.context);
      namespaces.add(entry.namespace);
      locales.push(entry.locale);
      addText(texts, entry.text);
      addText(sources, entry.source);
      descriptions.add(entry.description);
      readOnly.push(entry.readOnly);
      spans.add(entry);
    }
    return new PackedEntries({
      length,
      keys: keys.packed(),
      contexts: contexts.packed(),
      namespaces: namespaces.packed(),
      locales: packFew(locales),
      texts: texts.packed(),
      sources: sources.packed(),
      descriptions: descriptions.packed(),
      readOnly: packFew(readOnly),
      spans: spans.packed(),
    });
  }

  get length(): number {
    return this.columns.length;
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (let at = 0; at < this.length; at++) yield this.at(at);
  }

  /** The entry at the index, which must be one; by the name that the caller knows, where names are not held here. */
  at(
    index: number,
    { key, context }: Pick<Entry, "key" | "context"> = {
      key: this.keyAt(index),
      context: this.contextAt(index),
    },
  ): Entry {
    return {
      key,
      context,
      namespace: this.namespaceAt(index),
      locale: this.localeAt(index),
      text: this.textAt(index),
      source: this.sourceAt(index),
      description: this.descriptionAt(index),
      keySpan: keySpanAt(this.columns.spans, index),
      valueSpan: valueSpanAt(this.columns.spans, index),
      readOnly: fewAt(this.columns.readOnly, index) as ReadOnlyReason | null,
    };
  }

  keyAt(index: number): string {
    return stringAt(this.columns.keys, index) ?? "";
  }
  contextAt(index: number): string | null {
    return stringAt(this.columns.contexts, index);
  }
  namespaceAt(index: number): string | null {
    return stringAt(this.columns.namespaces, index);
  }
  localeAt(index: number): string | null {
    return fewAt(this.columns.locales, index);
  }
  textAt(index: number): Text {
    return textAt(this.columns.texts, index) ?? { value: "" };
  }
  sourceAt(index: number): Text | null {
    return textAt(this.columns.sources, index);
  }
  descriptionAt(index: number): string | null {
    return stringAt(this.columns.descriptions, index);
  }
  /** Whether the text is one of plural forms. */
  hasFormsAt(index: number): boolean {
    return kindAt(this.columns.texts, index) === FORMS;
  }

  /** The same without the names of the keys, for whoever knows these. */
  withoutNames(): PackedEntries {
    return this.withNames(null, null);
  }

  /** The same under those names. */
  withNames(keys: PackedStrings, contexts: PackedStrings): PackedEntries {
    return new PackedEntries({ ...this.columns, keys, contexts });
  }
}

/** A name that took another's place. */
export interface Renaming {
  readonly key: string;
  readonly context: string | null;
  readonly newKey: string;
}

/**
 * Whether `is` says what `was` did, entry by entry, but for `count` of them that have the new name now, which none had
 * before. A `false` may be wrong: texts that follow from names are not looked into.
 */
export function isOnlyRenamed(
  { columns: was }: PackedEntries,
  { columns: is }: PackedEntries,
  count: number,
  { key, context, newKey }: Renaming,
): boolean {
  if (was.length !== is.length || JSON.stringify(was.locales.table) !== JSON.stringify(is.locales.table))
    return false;
  const isSame = (["contexts", "namespaces", "texts", "sources"] as const).every((column) =>
    isSameStrings(was[column], is[column]),
  );
  if (!isSame) return false;
  let renamed = 0;
  for (let at = 0; at < was.length; at++) {
    if (fewAt(was.locales, at) !== fewAt(is.locales, at)) return false;
    const [before, after] = [stringAt(was.keys, at), stringAt(is.keys, at)];
    const isMeant = before === key && stringAt(was.contexts, at) === context;
    if (before === newKey || after !== (isMeant ? newKey : before)) return false;
    if (isMeant) renamed++;
  }
  return renamed === count;
}

/** The file's own names of the locales that its entries have. */
export function localesOf(entries: Entries): Iterable<string | null> {
  if (!(entries instanceof PackedEntries)) return new Set(Array.from(entries, ({ locale }) => locale));
  return entries.length === 0 ? [] : entries.columns.locales.table;
}

/** The memory of the columns that goes to another thread whole. */
export function buffersOf(columns: EntryColumns): ArrayBuffer[] {
  return Object.values(columns).flatMap((column: EntryColumns[keyof EntryColumns]) => {
    if (column === null || typeof column === "number") return [];
    if ("steps" in column) return [column.starts.buffer, column.steps.buffer];
    if ("which" in column) return column.which === null ? [] : [column.which.buffer];
    return stringBuffers(column);
  });
}

/** Each is compared with what is known already. */
function names(length: number): StringPacker {
  return new StringPacker(length, true);
}

function strings(length: number): StringPacker {
  return new StringPacker(length);
}

/** Adds a text to a column of texts. */
export function addText(texts: StringPacker, text: Text | null): void {
  if (text !== null && isForms(text)) texts.add(JSON.stringify(text.forms), FORMS);
  else texts.add(text === null ? null : text.value);
}

/** The text at the index of a column of texts. */
export function textAt(texts: PackedStrings, index: number): Text | null {
  const string = stringAt(texts, index);
  if (string === null) return null;
  return kindAt(texts, index) === STRING
    ? { value: string }
    : { forms: JSON.parse(string) as Record<string, string> };
}
