/**
 * Determines what the columns of a spreadsheet contain, from the titles in the header row or from a saved mapping,
 * and which columns are missing for a language.
 */
import { getOrCreate } from "../../util/maps.ts";
import type { Change, Column, ReadOptions } from "../format.ts";
import { isKnownLocale, normalizeLocale } from "../../model/locales.ts";
import { neededCategories } from "../../model/plural-categories.ts";
import { PLURAL_CATEGORIES, isEmptyText, isForms } from "../../model/translation-text.ts";

/** The text columns of one locale; 0-based indexes, `-1` if missing. */
export interface TextColumns {
  /** As in the title; `null`: the locale of the file. */
  readonly locale: string | null;
  /** Column of the texts of singular keys. */
  readonly value: number;
  /** Columns of plural forms, in order. */
  readonly forms: readonly (readonly [category: string, column: number])[];
}

/** What the columns contain; 0-based indexes, `-1` if missing. */
export interface SheetColumns {
  readonly namespace: number;
  readonly key: number;
  readonly context: number;
  readonly description: number;
  /** Empty if a mapping has no text column: such a sheet only lists keys. */
  readonly texts: readonly TextColumns[];
}

/** The part of `ReadOptions` that determines what columns contain. */
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

const CATEGORY_NAMES: ReadonlySet<string> = new Set(PLURAL_CATEGORIES);

/** Common column titles that are also three-letter language codes, of which ICU knows more in each version. */
const NOT_LOCALES: ReadonlySet<string> = new Set(
  "all api app dev dir doc end key max min new old ref row set src tab tag uid url use web".split(" "),
);

/** A locale and a category in one title: `nl other`, `nl_other`, `nl.other`, `nl-other`, `nl:other`, `nl [other]`. */
const LOCALE_AND_CATEGORY =
  /^(\S+?)\s?(?:[ _.:-](zero|one|two|few|many|other)|\[(zero|one|two|few|many|other)\])$/i;

/**
 * Returns what a column with that title contains, ignoring case (see the table in docs/project-file.md): `namespace`,
 * `key`, `context`, `description` (`comment`, `note`), `value`, a plural category, a locale, or a locale followed by
 * a category. `locales`: the names that are locales; absent: anything in the form of a locale. `null` if unknown.
 */
export function parseColumnTitle(title: string, locales?: readonly string[]): Column | null {
  const name = title.trim();
  const word = name.toLowerCase();
  const holds = NAMES.get(word);
  if (holds !== undefined) return { title, holds };
  if (word === "value") return { title, holds: "text", locale: null, category: null };
  if (CATEGORY_NAMES.has(word)) return { title, holds: "text", locale: null, category: word };
  // No title of a locale with a category is longer.
  const both = name.length <= 64 ? LOCALE_AND_CATEGORY.exec(name) : null;
  const locale = both?.[1];
  if (locale !== undefined && isLocale(locale, locales)) {
    return { title, holds: "text", locale, category: (both?.[2] ?? both?.[3] ?? "").toLowerCase() };
  }
  return isLocale(name, locales) ? { title, holds: "text", locale: name, category: null } : null;
}

/** Returns the title for a plural category of a locale in a new file. */
export function titleOf(locale: string | null, category: string | null): string {
  if (locale === null) return category ?? "value";
  return category === null ? locale : `${locale} ${category}`;
}

function isLocale(name: string, locales: readonly string[] | undefined): boolean {
  if (locales === undefined) return isKnownLocale(name) && !NOT_LOCALES.has(name.toLowerCase());
  const plain = normalizeLocale(name);
  return locales.some((locale) => normalizeLocale(locale) === plain);
}

/**
 * Returns the columns of a header row, by `options.columns` if present (all of which must exist), otherwise by the
 * titles; or what is missing (not localised). The first of several columns with the same content is used.
 */
export function columnsOf(header: readonly string[], options: ColumnOptions): SheetColumns | string {
  const missing = (title: string): string => {
    const titles = header.slice(0, 20).map((each) => each.slice(0, 40));
    return `the header row has no column \`${title}\`: ${titles.join(", ")}`;
  };
  const found =
    options.columns === undefined
      ? header.map((title, index) => ({ column: parseColumnTitle(title, options.locales), index }))
      : options.columns.map((column) => ({ column, index: indexOfTitle(header, column.title) }));
  const absent = found.find(({ index }) => index < 0);
  if (absent !== undefined) return missing(absent.column?.title ?? "");
  const single = { namespace: -1, key: -1, context: -1, description: -1 };
  const texts = new Map<string | null, { value: number; forms: Map<string, number> }>();
  for (const { column, index } of found) {
    if (column === null) continue;
    if (column.holds !== "text") {
      if (single[column.holds] < 0) single[column.holds] = index;
      continue;
    }
    const group = getOrCreate(texts, column.locale, () => ({ value: -1, forms: new Map() }));
    if (column.category === null) group.value = group.value < 0 ? index : group.value;
    else if (!group.forms.has(column.category)) group.forms.set(column.category, index);
  }
  if (single.key < 0) return missing("key");
  if (texts.size === 0 && options.columns === undefined) return missing("value");
  return {
    ...single,
    texts: [...texts].map(([locale, { value, forms }]) => ({ locale, value, forms: [...forms] })),
  };
}

/** Titles of columns with the number of the row that are also codes of languages (Indonesian, Norwegian, Ndebele). */
const NUMBER_TITLES: ReadonlySet<string> = new Set(["id", "no", "nr"]);

/** Cells that are read by `withoutRowNumbers`. */
interface Cells {
  readonly count: number;
  text(row: number, column: number): string;
}

/**
 * Returns the columns without those that have the title of a language and contain the numbers of the rows (`id`); what
 * is missing (not localised) if no text column is left.
 */
export function withoutRowNumbers(
  columns: SheetColumns,
  titles: readonly string[],
  cells: Cells,
  options: ColumnOptions,
): SheetColumns | string {
  if (options.columns !== undefined) return columns;
  const texts = columns.texts.filter(({ locale, value, forms }) => {
    const isCandidate = locale !== null && value >= 0 && forms.length === 0;
    return !isCandidate || !hasRowNumbers(titles[value] ?? "", value, cells);
  });
  if (texts.length === columns.texts.length) return columns;
  return texts.length > 0 ? { ...columns, texts } : "the header row has no column `value`";
}

/** Whether all cells are numbers; below the code of any other language they must also increase. */
function hasRowNumbers(title: string, column: number, cells: Cells): boolean {
  const isNumberTitle = NUMBER_TITLES.has(title.trim().toLowerCase());
  let found = 0;
  let last = -1;
  for (let row = 0; row < cells.count; row++) {
    const cell = cells.text(row, column).trim();
    if (cell === "") continue;
    const number = /^\d{1,15}$/u.test(cell) ? Number(cell) : -1;
    if (number < 0 || (!isNumberTitle && number <= last)) return false;
    last = number;
    found++;
  }
  return found > (isNumberTitle ? 0 : 1);
}

function indexOfTitle(header: readonly string[], title: string): number {
  const exact = header.indexOf(title);
  return exact >= 0 ? exact : header.findIndex((each) => each.trim() === title.trim());
}

/** Returns how many titles of a header row are recognised, to choose between separators. */
export function countKnownTitles(header: readonly string[], options: ColumnOptions): number {
  if (options.columns !== undefined) {
    return options.columns.filter(({ title }) => indexOfTitle(header, title) >= 0).length;
  }
  return header.filter((title) => parseColumnTitle(title, options.locales) !== null).length;
}

/** Returns all columns with known content. */
export function columnsOfSheet({ texts, ...sheet }: SheetColumns): ReadonlySet<number> {
  const { namespace, key, context, description } = sheet;
  const all = [namespace, key, context, description, ...texts.flatMap(columnsOfTexts)];
  return new Set(all.filter((column) => column >= 0));
}

/** Returns all columns of the locale, that of singular texts first. */
export function columnsOfTexts(texts: TextColumns): number[] {
  const forms = texts.forms.map(([, column]) => column);
  return texts.value < 0 ? forms : [texts.value, ...forms];
}

/**
 * Returns the titles of the columns to add for languages that the changes have texts in. Empty if the sheet does not
 * name its languages, or if the user has mapped its columns.
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
    const categories = PLURAL_CATEGORIES.filter((category) => used.has(category));
    if (like.value >= 0 || plural.length < list.length) added.push(titleOf(locale, null));
    added.push(...categories.map((category) => titleLike(titles, columns, locale, category)));
  }
  const isRead = (title: string): boolean => parseColumnTitle(title, options.locales)?.holds === "text";
  return added.every(isRead) ? added : [];
}

/** Returns a title in the notation of the other languages (`nl_other`). */
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
