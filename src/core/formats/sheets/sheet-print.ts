/** The table of a new spreadsheet: which columns it has for these entries, and its rows. Writes no file. */
import { neededCategories } from "../../plural-rules.ts";
import { CATEGORIES, isForms } from "../../text.ts";
import { entryId, type NewEntry, type ReadOptions } from "../format.ts";
import { titleOf } from "./sheet-columns.ts";

/** Rows of cells, all of one width; the first is the header. */
export type Table = readonly (readonly string[])[];

/**
 * The columns are `namespace` (if any entry has one), `key`, `context` and `description` (if any), then the texts:
 * `value` and plural categories for entries without a locale, and for each other locale a column of its name and
 * one for each of its categories (`nl other`), where it has plural texts.
 */
export function tableOf(entries: readonly NewEntry[], options: ReadOptions): Table {
  const header: string[] = [];
  const column = (title: string): number => header.push(title) - 1;
  const some = (has: (entry: NewEntry) => boolean): boolean => entries.some(has);
  const namespace = some((entry) => (entry.namespace ?? "") !== "") ? column("namespace") : -1;
  const key = column("key");
  const context = some((entry) => (entry.context ?? "") !== "") ? column("context") : -1;
  const description = some((entry) => (entry.description ?? "") !== "") ? column("description") : -1;
  const texts = new Map<string | null, { value: number; forms: Map<string, number> }>();
  for (const [locale, used] of categoriesOf(entries, options)) {
    const value = column(titleOf(locale, null));
    texts.set(locale, { value, forms: new Map(used.map((name) => [name, column(titleOf(locale, name))])) });
  }
  const rows = new Map<string, string[]>();
  for (const entry of entries) {
    const name = entryId({ key: entry.key, context: entry.context, namespace: entry.namespace ?? null });
    let row = rows.get(name);
    if (row === undefined) rows.set(name, (row = header.map(() => "")));
    row[key] = entry.key;
    if (namespace >= 0) row[namespace] = entry.namespace ?? "";
    if (context >= 0) row[context] = entry.context ?? "";
    if (description >= 0) row[description] ||= entry.description ?? "";
    const place = texts.get(entry.locale ?? null);
    if (place === undefined) continue;
    if (!isForms(entry.text)) row[place.value] = entry.text.value;
    else
      for (const [category, form] of Object.entries(entry.text.forms))
        row[place.forms.get(category) ?? -1] = form;
  }
  return [header, ...rows.values()];
}

/** Each locale with the plural categories that it needs a column for; a sheet without entries has the file's own. */
function categoriesOf(
  entries: readonly NewEntry[],
  options: ReadOptions,
): Map<string | null, readonly string[]> {
  const used = new Map<string | null, Set<string>>(entries.length === 0 ? [[null, new Set()]] : []);
  for (const { locale = null, text } of entries) {
    let names = used.get(locale);
    if (names === undefined) used.set(locale, (names = new Set()));
    if (!isForms(text)) continue;
    if (names.size === 0) for (const name of neededCategories(locale ?? options.locale)) names.add(name);
    for (const name of Object.keys(text.forms)) names.add(name);
  }
  const order = (names: ReadonlySet<string>): readonly string[] => [
    ...CATEGORIES.filter((name) => names.has(name)),
    ...[...names].filter((name) => !(CATEGORIES as readonly string[]).includes(name)),
  ];
  return new Map([...used].map(([locale, names]) => [locale, order(names)]));
}
