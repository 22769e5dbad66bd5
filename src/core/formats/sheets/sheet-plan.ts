/**
 * From changes to cells: which cells of a spreadsheet get which text, which rows go and which are new. The same
 * for CSV and XLSX; how a cell is written is theirs.
 */
import { isForms, type Text } from "../../text.ts";
import { refusalOf } from "../edit.ts";
import { type Change, entryId, type ReadOnlyReason, type ReadOptions, type Refusal } from "../format.ts";
import { columnsOfTexts, type SheetColumns, type TextColumns } from "./sheet-columns.ts";
import { type Grid, isBlank, rowsOf, type SheetRow, textAt } from "./sheet-entries.ts";

/** A row that the sheet lacks. */
export interface AddedRow {
  readonly namespace: string | null;
  readonly key: string;
  readonly context: string | null;
  /** Column to text. */
  readonly cells: ReadonlyMap<number, string>;
}

export interface SheetPlan {
  /** The rows that name keys, as they are now. */
  readonly rows: readonly SheetRow[];
  /** Row to column to new text; only cells whose text changes. */
  readonly cells: ReadonlyMap<number, ReadonlyMap<number, string>>;
  readonly added: readonly AddedRow[];
  readonly removed: ReadonlySet<number>;
  readonly refused: readonly Refusal[];
}

/** Why a text has no place in a row. */
type Reason = Refusal["reason"];

/** What the kind of file allows. */
export interface SheetRules {
  /** Whether a cell can hold the text. */
  fits(text: string): boolean;
  /** Why the row cannot be taken out; `null`: it can. */
  keeps(row: number): ReadOnlyReason | null;
}

/**
 * Plans the changes. A row goes when the texts of all its locales are removed; of one locale among several only the
 * cells are emptied.
 */
export function planSheet(
  grid: Grid,
  columns: SheetColumns,
  changes: readonly Change[],
  options: ReadOptions,
  rules: SheetRules,
): SheetPlan {
  const { rows } = rowsOf(grid, columns);
  const byName = new Map(rows.map((row) => [entryId(row), row]));
  const refused: Refusal[] = [];
  const cells = new Map<number, ReadonlyMap<number, string>>();
  const added: AddedRow[] = [];
  const removed = new Set<number>();
  for (const [name, wanted] of byRow(changes)) {
    const row = byName.get(name);
    if (row === undefined) {
      const made = newRow(columns, wanted, rules, refused);
      if (made !== null) added.push(made);
    } else if (isWhole(columns, wanted)) {
      const reason = row.readOnly ?? rules.keeps(row.row);
      if (reason === null) removed.add(row.row);
      else refused.push(...[...wanted.values()].map((change) => refusalOf(change, reason)));
    } else {
      const edits = editRow({ grid, columns, options, rules }, row, wanted, refused);
      if (edits.size > 0) cells.set(row.row, edits);
    }
  }
  return { rows, cells, added, removed, refused };
}

/** The changes of each row; of several for one text the last counts. */
function byRow(changes: readonly Change[]): Map<string, Map<string | null, Change>> {
  const result = new Map<string, Map<string | null, Change>>();
  for (const change of changes) {
    const { key, context, namespace = null, locale = null } = change;
    const name = entryId({ key, context, namespace });
    const wanted = result.get(name);
    if (wanted === undefined) result.set(name, new Map([[locale, change]]));
    else wanted.set(locale, change);
  }
  return result;
}

/** Whether the texts of all locales are to go, and so the row. */
function isWhole(columns: SheetColumns, wanted: ReadonlyMap<string | null, Change>): boolean {
  const locales = columns.texts.length === 0 ? [null] : columns.texts.map(({ locale }) => locale);
  return locales.every((locale) => wanted.get(locale)?.text === null);
}

function newRow(
  columns: SheetColumns,
  wanted: ReadonlyMap<string | null, Change>,
  rules: SheetRules,
  refused: Refusal[],
): AddedRow | null {
  const cells = new Map<number, string>();
  let first: Change | undefined;
  for (const [locale, change] of wanted) {
    const texts = columns.texts.find((each) => each.locale === locale);
    const reason =
      change.text === null || texts === undefined
        ? "not_found"
        : (nameReason(columns, change, rules) ?? placeReason(texts, change.text, rules));
    if (reason !== null || change.text === null || texts === undefined) {
      refused.push(refusalOf(change, reason ?? "not_found"));
      continue;
    }
    first ??= change;
    for (const [column, text] of placed(texts, change.text)) if (text !== "") cells.set(column, text);
  }
  if (first === undefined) return null;
  const { key, context, namespace = null } = first;
  cells.set(columns.key, key);
  if (namespace !== null && columns.namespace >= 0) cells.set(columns.namespace, namespace);
  if (context !== null && columns.context >= 0) cells.set(columns.context, context);
  const description = [...wanted.values()].find((change) => (change.description ?? "") !== "")?.description;
  if (columns.description >= 0 && description != null && rules.fits(description)) {
    cells.set(columns.description, description);
  }
  return { namespace, key, context, cells };
}

/** Why the sheet cannot hold a key of that name. */
function nameReason(
  columns: SheetColumns,
  { key, context, namespace = null }: Change,
  rules: SheetRules,
): Reason | null {
  const isHeld =
    !isBlank(key) &&
    (namespace === null || columns.namespace >= 0) &&
    (context === null || columns.context >= 0) &&
    namespace !== "*" &&
    [key, context ?? "", namespace ?? ""].every((text) => rules.fits(text));
  return isHeld ? null : "unsupported";
}

function placeReason(texts: TextColumns, text: Text, rules: SheetRules): Reason | null {
  if (!isForms(text)) return texts.value < 0 ? "forms" : rules.fits(text.value) ? null : "unsupported";
  const held = new Set(texts.forms.map(([category]) => category));
  const forms = Object.entries(text.forms).filter(([, form]) => form !== "");
  if (held.size === 0 || !forms.every(([category]) => held.has(category))) return "forms";
  return forms.every(([, form]) => rules.fits(form)) ? null : "unsupported";
}

/** The cells that say the text; those of forms that it has not are empty. */
function placed(texts: TextColumns, text: Text): (readonly [number, string])[] {
  if (!isForms(text)) return [[texts.value, text.value]];
  return texts.forms.map(([category, column]) => [
    column,
    Object.hasOwn(text.forms, category) ? (text.forms[category] ?? "") : "",
  ]);
}

interface Sheet {
  readonly grid: Grid;
  readonly columns: SheetColumns;
  readonly options: ReadOptions;
  readonly rules: SheetRules;
}

function editRow(
  { grid, columns, options, rules }: Sheet,
  row: SheetRow,
  wanted: ReadonlyMap<string | null, Change>,
  refused: Refusal[],
): ReadonlyMap<number, string> {
  const edits = new Map<number, string>();
  for (const [locale, change] of wanted) {
    const texts = columns.texts.find((each) => each.locale === locale);
    const text = change.text;
    let reason: Reason | null = row.readOnly;
    if (texts === undefined) reason = "not_found";
    else if (text !== null) reason ??= placeReason(texts, text, rules);
    if (texts === undefined || reason !== null) {
      refused.push(refusalOf(change, reason ?? "not_found"));
      continue;
    }
    const cells = new Map(text === null ? [] : placed(texts, text));
    const before = textAt(grid, columns, row, texts, options);
    // What made it a text of the other kind goes; what stood beside and did not count stays.
    if (text === null || isForms(text) !== isForms(before)) {
      for (const column of columnsOfTexts(texts)) if (!cells.has(column)) cells.set(column, "");
    }
    for (const [column, said] of cells) if (grid.text(row.row, column) === said) cells.delete(column);
    const kind = [...cells.keys()]
      .map((column) => grid.kind(row.row, column))
      .find((each) => each !== "text");
    if (kind === undefined) for (const [column, said] of cells) edits.set(column, said);
    else refused.push(refusalOf(change, kind === "formula" ? "expression" : "unsupported"));
  }
  return edits;
}
