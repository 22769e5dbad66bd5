/**
 * What the columns of a spreadsheet mean, by their titles in the header row or by a saved mapping, and which columns it lacks
 * for a language.
 */
import type { Change, Column, ReadOptions } from "../format.ts";
import { isLocaleName } from "../../model/locales.ts";
import { neededCategories } from "../../model/plural-rules.ts";
import { CATEGORIES, isEmptyText, isForms } from "../../model/text.ts";

/** The columns that hold the texts of one locale; indexes from 0, `-1`: there is none. */
export interface TextColumns {
  /** As the title says; `null`: the file's own. */
  readonly locale: string | null;
  /** Texts of singular keys. */
  readonly value: number;
  /** Plural forms, in the order of the columns. */
  readonly forms: readonly (readonly [category: string, column: number])[];
}

/** Which columns hold what; indexes from 0, `-1`: there is none. */
export interface SheetColumns {
  readonly namespace: number;
  readonly key: number;
  readonly context: number;
  readonly description: number;
  /** Empty where a mapping names no text: such a sheet only says which keys there are. */
  readonly texts: readonly TextColumns[];
  /** Number of cells in the header row. */
  readonly width: number;
}

/** The part of `ReadOptions` that says what columns mean. */
export interface ColumnOptions {
  readonly columns?: readonly Column[];
  readonly locales?: readonly string[];
}

const NAMES: ReadonlyMap<string, "namespace" | "key" | "context" | "description"> = new Map([
  ["namespace", "namespace"],
  ["key", "key"],
  ["context", "context"],
  ["description", "description"],
  ["comment", "description"],
  ["comments", "description"],
  ["note", "description"],
  ["notes", "description"],
]);

const CATEGORY_NAMES: ReadonlySet<string> = new Set(CATEGORIES);

/** Words that columns are called by and that are languages of three letters too. */
const NOT_LOCALES: ReadonlySet<string> = new Set(
  "all api app dev dir doc end key max min new old ref row set src tab tag uid url use web".split(" "),
);

/** A locale and a category in one title: `nl other`, `nl_other`, `nl.other`, `nl-other`, `nl:other`, `nl [other]`. */
const LOCALE_AND_CATEGORY =
  /^(\S+?)\s?(?:[ _.:-](zero|one|two|few|many|other)|\[(zero|one|two|few|many|other)\])$/i;

/**
 * What a column of that title holds, upper and lower case alike (the table of docs/project-file.md): `namespace`, `key`,
 * `context`, `description` (`comment`, `note`), `value`, a plural category, a locale, or a locale with a category
 * behind it. `locales`: the names that are locales; absent: what has a locale's shape. `null`: nothing known.
 */
export function meaningOf(title: string, locales?: readonly string[]): Column | null {
  const name = title.trim();
  const word = name.toLowerCase();
  const holds = NAMES.get(word);
  if (holds !== undefined) return { title, holds };
  if (word === "value") return { title, holds: "text", locale: null, category: null };
  if (CATEGORY_NAMES.has(word)) return { title, holds: "text", locale: null, category: word };
  // The longest title of a locale with a category; a longer one is something else.
  const both = name.length <= 64 ? LOCALE_AND_CATEGORY.exec(name) : null;
  const locale = both?.[1];
  if (locale !== undefined && isLocale(locale, locales)) {
    return { title, holds: "text", locale, category: (both?.[2] ?? both?.[3] ?? "").toLowerCase() };
  }
  return isLocale(name, locales) ? { title, holds: "text", locale: name, category: null } : null;
}

/** How the column of a locale's plural forms of one category is called in a new file. */
export function titleOf(locale: string | null, category: string | null): string {
  if (locale === null) return category ?? "value";
  return category === null ? locale : `${locale} ${category}`;
}

function isLocale(name: string, locales: readonly string[] | undefined): boolean {
  if (locales === undefined) return isLocaleName(name) && !NOT_LOCALES.has(name.toLowerCase());
  const plain = plainName(name);
  return locales.some((locale) => plainName(locale) === plain);
}

function plainName(locale: string): string {
  return locale.toLowerCase().replaceAll("_", "-");
}

/** Why a header row says nothing that can be used; `title`: the column that is missing. */
export interface HeaderProblem {
  readonly missing: string;
}

export function isHeaderProblem(columns: SheetColumns | HeaderProblem): columns is HeaderProblem {
  return "missing" in columns;
}

/** For engineers: what the header row is, and what it lacks. */
export function headerMessage(header: readonly string[], { missing }: HeaderProblem): string {
  const titles = header.slice(0, 20).map((title) => title.slice(0, 40));
  return `the header row has no column \`${missing}\`: ${titles.join(", ")}`;
}

/**
 * The columns of a header row: by `options.columns` when given (all of them must be there), else by the titles. Of
 * two columns that hold the same the first counts.
 */
export function columnsOf(header: readonly string[], options: ColumnOptions): SheetColumns | HeaderProblem {
  const found =
    options.columns === undefined
      ? header.map((title, index) => ({ column: meaningOf(title, options.locales), index }))
      : options.columns.map((column) => ({ column, index: indexOfTitle(header, column.title) }));
  const absent = found.find(({ index }) => index < 0);
  if (absent !== undefined) return { missing: absent.column?.title ?? "" };
  const single = { namespace: -1, key: -1, context: -1, description: -1 };
  const texts = new Map<string | null, { value: number; forms: Map<string, number> }>();
  for (const { column, index } of found) {
    if (column === null) continue;
    if (column.holds !== "text") {
      if (single[column.holds] < 0) single[column.holds] = index;
      continue;
    }
    let group = texts.get(column.locale);
    if (group === undefined) texts.set(column.locale, (group = { value: -1, forms: new Map() }));
    if (column.category === null) group.value = group.value < 0 ? index : group.value;
    else if (!group.forms.has(column.category)) group.forms.set(column.category, index);
  }
  if (single.key < 0) return { missing: "key" };
  if (texts.size === 0 && options.columns === undefined) return { missing: "value" };
  return {
    ...single,
    texts: [...texts].map(([locale, { value, forms }]) => ({ locale, value, forms: [...forms] })),
    width: header.length,
  };
}

function indexOfTitle(header: readonly string[], title: string): number {
  const exact = header.indexOf(title);
  return exact >= 0 ? exact : header.findIndex((each) => each.trim() === title.trim());
}

/** How well a header row is understood, to choose between ways to read it: more is better. */
export function knownTitles(header: readonly string[], options: ColumnOptions): number {
  if (options.columns !== undefined) {
    return options.columns.filter(({ title }) => indexOfTitle(header, title) >= 0).length;
  }
  return header.filter((title) => meaningOf(title, options.locales) !== null).length;
}

/** All columns that hold something, from left to right. */
export function columnsOfSheet({
  namespace,
  key,
  context,
  description,
  texts,
}: SheetColumns): readonly number[] {
  const all = [namespace, key, context, description, ...texts.flatMap(columnsOfTexts)];
  return [...new Set(all.filter((column) => column >= 0))].sort((a, b) => a - b);
}

/** All columns of the locale, the value's first. */
export function columnsOfTexts(texts: TextColumns): number[] {
  const forms = texts.forms.map(([, column]) => column);
  return texts.value < 0 ? forms : [texts.value, ...forms];
}

/**
 * The titles of the columns to add, for languages that changes have texts in. None for a sheet that does not name its
 * languages, or whose columns somebody has mapped.
 */
export function missingTitles(
  titles: readonly string[],
  columns: SheetColumns,
  changes: readonly Change[],
  options: ReadOptions,
): readonly string[] {
  const like = columns.texts.find(({ locale }) => locale !== null);
  if (like === undefined || options.columns !== undefined) return [];
  const known = new Set(columns.texts.map(({ locale }) => locale));
  const wanted = changes.filter(
    ({ locale = null, text }) => locale !== null && !known.has(locale) && text !== null && !isEmptyText(text),
  );
  const added: string[] = [];
  for (const [locale, list] of Map.groupBy(wanted, (change) => change.locale ?? "")) {
    const plural = list.flatMap(({ text }) => (text !== null && isForms(text) ? [text.forms] : []));
    const used = new Set(plural.flatMap((forms) => [...neededCategories(locale), ...Object.keys(forms)]));
    const categories = CATEGORIES.filter((category) => used.has(category));
    if (like.value >= 0 || plural.length < list.length) added.push(titleOf(locale, null));
    added.push(...categories.map((category) => titleLike(titles, columns, locale, category)));
  }
  const isRead = (title: string): boolean => meaningOf(title, options.locales)?.holds === "text";
  return added.every(isRead) ? added : [];
}

/** In the manner of the other languages' columns (`nl_other`). */
function titleLike(
  titles: readonly string[],
  { texts }: SheetColumns,
  locale: string,
  category: string,
): string {
  for (const { locale: other, forms } of texts) {
    const [[known, column] = ["", -1]] = forms;
    const title = titles[column]?.trim() ?? "";
    const ending = new RegExp(`^(.+)${known}(\\]?)$`, "iu").exec(title.slice(other?.length ?? 0));
    if (other !== null && title.startsWith(other) && ending !== null) {
      return `${locale}${ending[1] ?? ""}${category}${ending[2] ?? ""}`;
    }
  }
  return titleOf(locale, category);
}
