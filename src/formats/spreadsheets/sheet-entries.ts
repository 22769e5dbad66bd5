/**
 * Converts the cells of a spreadsheet to entries by the content of the columns, for both CSV and XLSX. Does not parse
 * files or change anything.
 */
import { isForms, type Text } from "../../model/translation-text.ts";
import {
  type Entry,
  entryId,
  NO_SPAN,
  type Problem,
  type ReadOnlyReason,
  type ReadOptions,
  type ReadResult,
} from "../format.ts";
import type { Span } from "../../util/span.ts";
import { columnsOfTexts, type SheetColumns, type TextColumns } from "./sheet-columns.ts";

/**
 * What a cell contains. `formula`: its text is the last computed value. `unknown`: a date, an error or something else
 * that is not text. `covered`: merged into another cell.
 */
export type CellKind = "text" | "formula" | "unknown" | "covered";

/** Maximum numbers of columns and rows in spreadsheet programs. */
export const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;

/** The rows below the header; 0-based rows and columns. A missing cell has an empty text. */
export interface Grid {
  readonly count: number;
  text(row: number, column: number): string;
  kind(row: number, column: number): CellKind;
  span(row: number, column: number): Span;
  /** Range of the cell without its quotes. */
  contentSpan(row: number, column: number): Span;
  /** Address of the cell, for messages. */
  address(row: number, column: number): string;
}

/** A row with a key. Only the last of several rows with the same name is used. */
export interface SheetRow {
  readonly row: number;
  readonly namespace: string | null;
  readonly key: string;
  readonly context: string | null;
  readonly readOnly: ReadOnlyReason | null;
}

/** Maximum number of entries in a file, to limit memory. */
const MAX_ENTRIES = 2_000_000;

/** The rows with a key, in the file's order, without those that are overridden by one further down. */
interface SheetRows {
  readonly rows: readonly SheetRow[];
  readonly overridden: readonly SheetRow[];
  readonly problems: readonly Problem[];
}

/** Returns the rows with a key, and which keys are repeated. */
export function rowsOf(grid: Grid, columns: SheetColumns): SheetRows {
  const problems: Problem[] = [];
  const hidden: SheetRow[] = [];
  const rows = new Map<string, SheetRow>();
  for (let index = 0; index < grid.count; index++) {
    const row = rowAt(grid, columns, index, problems);
    if (row === null) continue;
    const id = entryId(row);
    const overridden = rows.get(id);
    if (overridden !== undefined) {
      const span = grid.span(overridden.row, columns.key);
      const message = `${grid.address(overridden.row, columns.key)}: the key is repeated further down`;
      problems.push({ code: "duplicate", message, span, key: overridden.key });
      // The rows are in the order of those that are in effect.
      rows.delete(id);
      hidden.push(overridden);
    }
    rows.set(id, row);
  }
  return { rows: [...rows.values()], overridden: hidden, problems };
}

function rowAt(grid: Grid, columns: SheetColumns, row: number, problems: Problem[]): SheetRow | null {
  const key = grid.text(row, columns.key);
  let readOnly: ReadOnlyReason | null = null;
  for (const column of [columns.key, columns.namespace, columns.context]) {
    const kind = column < 0 ? "text" : grid.kind(row, column);
    if (kind === "text" || kind === "covered") continue;
    readOnly = kind === "formula" ? "expression" : "unsupported";
    const message = `${grid.address(row, column)}: ${kind === "formula" ? "a formula" : "no text"} names the key`;
    const code = kind === "formula" ? "expression" : "type";
    problems.push({ code, message, span: grid.span(row, column), ...(key === "" ? {} : { key }) });
    if (kind === "unknown") return null;
  }
  if (isBlank(key)) return null;
  const namespace = columns.namespace < 0 ? "" : grid.text(row, columns.namespace);
  const context = columns.context < 0 ? "" : grid.text(row, columns.context);
  return {
    row,
    // `*` is the service's name for no namespace.
    namespace: namespace === "" || namespace === "*" ? null : namespace,
    key,
    context: context === "" ? null : context,
    readOnly,
  };
}

/** Whether a cell contains no key. */
export function isBlank(key: string): boolean {
  return key.trim() === "";
}

/** Returns the entries of all rows: one for each locale that has columns. */
export function readSheet(grid: Grid, columns: SheetColumns, options: ReadOptions): ReadResult {
  const { rows, problems: found } = rowsOf(grid, columns);
  const problems = [...found];
  if (rows.length * Math.max(1, columns.texts.length) > MAX_ENTRIES) {
    problems.push({ code: "syntax", message: "too many rows and languages", span: NO_SPAN });
    return { entries: [], problems };
  }
  const entries: Entry[] = [];
  for (const row of rows) {
    const { namespace, key, context } = row;
    const description = columns.description < 0 ? "" : grid.text(row.row, columns.description);
    const keySpan = grid.contentSpan(row.row, columns.key);
    const shared = { key, context, namespace, source: null, description: description || null, keySpan };
    if (columns.texts.length === 0) {
      const text = { value: "" };
      entries.push({ ...shared, locale: null, text, valueSpan: keySpan, readOnly: "unsupported" });
    }
    for (const texts of columns.texts) {
      const text = textAt(grid, columns, row, texts, options);
      entries.push({
        ...shared,
        locale: texts.locale,
        text,
        valueSpan: valueSpan(grid, row.row, texts, text),
        readOnly: row.readOnly ?? readOnlyOf(grid, row.row, texts, problems),
      });
      if (isForms(text) && grid.text(row.row, texts.value) !== "") {
        const message = `${grid.address(row.row, texts.value)}: the value is ignored, since there are plural forms`;
        problems.push({ code: "type", message, span: grid.span(row.row, texts.value), key });
      }
    }
  }
  return { entries, problems };
}

/**
 * Returns the row's text in one locale. It is plural if a category column is filled, even if `value` is filled too,
 * which then is usually a copy of `other`. If both or neither are filled, `isPlural` decides if known. A form with an
 * empty cell does not exist.
 */
export function textAt(
  grid: Grid,
  columns: SheetColumns,
  row: SheetRow,
  texts: TextColumns,
  options: ReadOptions,
): Text {
  const value = texts.value < 0 ? "" : grid.text(row.row, texts.value);
  if (texts.forms.length === 0) return { value };
  const forms = formsAt(grid, row.row, texts);
  const hasForms = forms.length > 0;
  if (texts.value < 0 || (hasForms && value === "")) return { forms: Object.fromEntries(forms) };
  if (!hasForms && value !== "") return { value };
  const isPlural =
    options.isPlural?.(row.key, row.context, row.namespace) ??
    (hasForms || columns.texts.some((other) => formsAt(grid, row.row, other).length > 0));
  return isPlural ? { forms: Object.fromEntries(forms) } : { value };
}

function formsAt(grid: Grid, row: number, texts: TextColumns): (readonly [string, string])[] {
  const forms: (readonly [string, string])[] = [];
  for (const [category, column] of texts.forms) {
    const form = grid.text(row, column);
    if (form !== "") forms.push([category, form]);
  }
  return forms;
}

function readOnlyOf(grid: Grid, row: number, texts: TextColumns, problems: Problem[]): ReadOnlyReason | null {
  let reason: ReadOnlyReason | null = null;
  for (const column of columnsOfTexts(texts)) {
    const kind = grid.kind(row, column);
    if (kind === "text") continue;
    if (kind === "unknown") {
      const message = `${grid.address(row, column)}: a date, an error or another value that is not text`;
      problems.push({ code: "type", message, span: grid.span(row, column) });
    }
    reason ??= kind === "formula" ? "expression" : "unsupported";
  }
  return reason;
}

function valueSpan(grid: Grid, row: number, texts: TextColumns, text: Text): Span {
  if (!isForms(text)) return grid.span(row, texts.value);
  let start = Infinity;
  let end = 0;
  for (const [category, column] of texts.forms) {
    if (!Object.hasOwn(text.forms, category) && Object.keys(text.forms).length > 0) continue;
    const span = grid.span(row, column);
    start = Math.min(start, span.start);
    end = Math.max(end, span.end);
  }
  return { start: Math.min(start, end), end };
}
