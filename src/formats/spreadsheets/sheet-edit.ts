/**
 * Converts changes to cells: new texts of cells, removed rows, new rows and their positions; and returns the table of a
 * new spreadsheet.
 */
import { getOrCreate } from "../../util/maps.ts";
import { refusalOf } from "../editing/apply-verified-edit.ts";
import {
  type Change,
  entryId,
  type NewEntry,
  type ReadOptions,
  type Refusal,
  type RefusalReason,
} from "../format.ts";
import { columnsOfTexts, type SheetColumns, type TextColumns, titleOf } from "./sheet-columns.ts";
import { type Grid, isBlank, rowsOf, type SheetRow, textAt } from "./sheet-entries.ts";
import { neededCategories } from "../../model/plural-categories.ts";
import { PLURAL_CATEGORIES, isEmptyText, isForms, type Text } from "../../model/translation-text.ts";

/** A row to be added. */
export interface AddedRow {
  readonly namespace: string | null;
  readonly key: string;
  readonly context: string | null;
  /** Text by column. */
  readonly cells: ReadonlyMap<number, string>;
}

export interface SheetPlan {
  /** The existing rows with keys. */
  readonly rows: readonly SheetRow[];
  /** New text by row and column; only of cells whose text changes. */
  readonly cells: ReadonlyMap<number, ReadonlyMap<number, string>>;
  readonly added: readonly AddedRow[];
  readonly removed: ReadonlySet<number>;
  readonly refused: readonly Refusal[];
}

/**
 * Plans the changes. A row is removed if the texts of all its locales are; otherwise only the cells of the removed
 * texts are emptied.
 */
export function planSheet(
  grid: Grid,
  columns: SheetColumns,
  changes: readonly Change[],
  options: ReadOptions,
): SheetPlan {
  const { rows, overridden } = rowsOf(grid, columns);
  const hidden = Map.groupBy(overridden, entryId);
  const byName = new Map(rows.map((row) => [entryId(row), row]));
  const sheet: Sheet = { grid, columns, options };
  const refused: Refusal[] = [];
  const changed = new Map<number, ReadonlyMap<number, string>>();
  const added: AddedRow[] = [];
  const removed = new Set<number>();
  for (const [name, wanted] of byRow(changes)) {
    const row = byName.get(name);
    if (row !== undefined && hasAllTexts(columns, wanted)) {
      // Those that it overrides would come into effect.
      for (const each of [row, ...(hidden.get(name) ?? [])]) removed.add(each.row);
      for (const change of wanted.values())
        if (!localesOf(columns).includes(change.locale ?? null)) refused.push(refusalOf(change, "not_found"));
      continue;
    }
    const accepted: Change[] = [];
    const cells = new Map<number, string>();
    for (const [locale, change] of wanted) {
      const texts = columns.texts.find((each) => each.locale === locale);
      const made = texts === undefined ? "not_found" : cellsOf(sheet, row, texts, change);
      if (typeof made === "string") {
        refused.push(refusalOf(change, made));
        continue;
      }
      accepted.push(change);
      for (const [column, text] of made) cells.set(column, text);
    }
    const [first] = accepted;
    if (row === undefined && first !== undefined) added.push(newRow(columns, first, wanted, cells));
    if (row !== undefined) changed.set(row.row, cells);
  }
  return { rows, cells: changed, added, removed, refused };
}

interface Sheet {
  readonly grid: Grid;
  readonly columns: SheetColumns;
  readonly options: ReadOptions;
}

/** Groups the changes by row; the last of several changes to a text wins. */
function byRow(changes: readonly Change[]): Map<string, Map<string | null, Change>> {
  const result = new Map<string, Map<string | null, Change>>();
  for (const change of changes) {
    const { key, context, namespace = null, locale = null } = change;
    const name = entryId({ key, context, namespace });
    getOrCreate(result, name, () => new Map()).set(locale, change);
  }
  return result;
}

/** Returns the locales that the sheet has texts in; that of the file if it only lists keys. */
function localesOf({ texts }: SheetColumns): readonly (string | null)[] {
  return texts.length === 0 ? [null] : texts.map(({ locale }) => locale);
}

/** Whether the texts of all locales are removed, and therefore the row. */
function hasAllTexts(columns: SheetColumns, wanted: ReadonlyMap<string | null, Change>): boolean {
  return localesOf(columns).every((locale) => wanted.get(locale)?.text === null);
}

/** Returns the row with the cells of texts and those of its name and description. */
function newRow(
  columns: SheetColumns,
  { key, context, namespace = null }: Change,
  wanted: ReadonlyMap<string | null, Change>,
  cells: Map<number, string>,
): AddedRow {
  cells.set(columns.key, key);
  if (namespace !== null && columns.namespace >= 0) cells.set(columns.namespace, namespace);
  if (context !== null && columns.context >= 0) cells.set(columns.context, context);
  const description = [...wanted.values()].find((change) => (change.description ?? "") !== "")?.description;
  if (columns.description >= 0 && description != null) cells.set(columns.description, description);
  return { namespace, key, context, cells };
}

/** Returns the cells that the change gives another text, or why it cannot be written. `row`: absent for a new one. */
function cellsOf(
  { grid, columns, options }: Sheet,
  row: SheetRow | undefined,
  texts: TextColumns,
  change: Change,
): ReadonlyMap<number, string> | RefusalReason {
  const { text } = change;
  if (row === undefined) {
    if (text === null) return "not_found";
    return canHoldName(columns, change) ? textCells(texts, text) : "unsupported";
  }
  const cells = text === null ? new Map<number, string>() : textCells(texts, text);
  if (typeof cells === "string") return cells;
  // If the text changes between singular and plural, the cells that made it the other kind are emptied; otherwise
  // cells that were ignored stay, unless there is nothing else.
  if (
    text === null ||
    isEmptyText(text) ||
    isForms(text) !== isForms(textAt(grid, columns, row, texts, options))
  ) {
    for (const column of columnsOfTexts(texts)) if (!cells.has(column)) cells.set(column, "");
  }
  for (const [column, content] of cells) if (grid.text(row.row, column) === content) cells.delete(column);
  return cells;
}

/** Whether the sheet can contain a key with that name. */
function canHoldName(columns: SheetColumns, { key, context, namespace = null }: Change): boolean {
  return (
    !isBlank(key) &&
    (namespace === null || columns.namespace >= 0) &&
    (context === null || columns.context >= 0) &&
    namespace !== "*"
  );
}

/** Returns the cells for the text (those of missing forms are empty), or why it cannot be written. */
function textCells(texts: TextColumns, text: Text): Map<number, string> | RefusalReason {
  if (!isForms(text)) {
    if (texts.value < 0) return "forms";
    return new Map([[texts.value, text.value]]);
  }
  const forms = new Map(Object.entries(text.forms).filter(([, form]) => form !== ""));
  const held = new Set(texts.forms.map(([category]) => category));
  if (held.size === 0 || ![...forms.keys()].every((category) => held.has(category))) return "forms";
  return new Map(texts.forms.map(([category, column]) => [column, forms.get(category) ?? ""]));
}

/** Rows of cells, all of the same length; the first one is the header. */
export type Table = readonly (readonly string[])[];

/**
 * Returns a table with the columns `namespace` (if any entry has one), `key`, `context` and `description` (if any),
 * followed by the texts: `value` and plural categories for entries without a locale; for each other locale a column
 * with its name and, if it has plural texts, one for each category (`nl other`).
 */
export function tableOf(entries: readonly NewEntry[], options: ReadOptions): Table {
  const rows = new Map<string, Map<string | null, NewEntry>>();
  for (const entry of entries) {
    const { key, context, namespace = null, locale = null } = entry;
    getOrCreate(rows, entryId({ key, context, namespace }), () => new Map()).set(locale, entry);
  }
  const columns = [
    ...nameColumn("namespace", entries, ({ namespace }) => namespace ?? ""),
    { title: "key", cellOf: (row: TableRow) => [...row.values()][0]?.key ?? "" },
    ...nameColumn("context", entries, ({ context }) => context ?? ""),
    ...nameColumn("description", entries, ({ description }) => description ?? ""),
    ...[...categoriesOf(entries, options)].flatMap(([locale, categories]) => textColumns(locale, categories)),
  ];
  return [
    columns.map(({ title }) => title),
    ...Array.from(rows.values(), (row) => columns.map(({ cellOf }) => cellOf(row))),
  ];
}

/** The entries of a row by locale. */
type TableRow = ReadonlyMap<string | null, NewEntry>;

interface TableColumn {
  readonly title: string;
  readonly cellOf: (row: TableRow) => string;
}

/** Returns a column of what all entries of a row have in common; none if it would be empty. */
function nameColumn(
  title: string,
  entries: readonly NewEntry[],
  valueOf: (entry: NewEntry) => string,
): TableColumn[] {
  const cellOf = (row: TableRow): string =>
    Array.from(row.values(), valueOf).find((value) => value !== "") ?? "";
  return entries.some((entry) => valueOf(entry) !== "") ? [{ title, cellOf }] : [];
}

function textColumns(locale: string | null, categories: readonly string[]): TableColumn[] {
  const textIn = (row: TableRow): Text => row.get(locale)?.text ?? { value: "" };
  const valueOf = (text: Text): string => (isForms(text) ? "" : text.value);
  const formOf = (text: Text, category: string): string =>
    isForms(text) ? (text.forms[category] ?? "") : "";
  return [
    { title: titleOf(locale, null), cellOf: (row) => valueOf(textIn(row)) },
    ...categories.map((category) => ({
      title: titleOf(locale, category),
      cellOf: (row: TableRow) => formOf(textIn(row), category),
    })),
  ];
}

/** Returns the plural categories that need a column, by locale; without entries, those of the file's own locale. */
function categoriesOf(
  entries: readonly NewEntry[],
  options: ReadOptions,
): Map<string | null, readonly string[]> {
  const byLocale = Map.groupBy(entries, ({ locale }) => locale ?? null);
  if (entries.length === 0) byLocale.set(null, []);
  const categories = [...byLocale].map(([locale, list]) => {
    const forms = list.flatMap(({ text }) => (isForms(text) ? Object.keys(text.forms) : []));
    const hasForms = list.some(({ text }) => isForms(text));
    const used = new Set(hasForms ? [...neededCategories(locale ?? options.locale), ...forms] : []);
    const known = PLURAL_CATEGORIES.filter((name) => used.has(name));
    return [locale, [...new Set([...known, ...used])]] as const;
  });
  return new Map(categories);
}
