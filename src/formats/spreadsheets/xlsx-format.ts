/**
 * Spreadsheets as XLSX: the first sheet with a usable header row (`sheet-columns.ts`). An edit rewrites cells in that
 * sheet's XML; every other part of the file keeps its bytes.
 */
import {
  type BinaryFormat,
  type Change,
  type Entry,
  type Problem,
  type ReadOptions,
  type Refusal,
  NO_SPAN,
} from "../format.ts";
import { refuseAll } from "../editing/apply-verified-edit.ts";
import {
  columnsOf,
  columnsOfSheet,
  withoutRowNumbers,
  missingTitles,
  type SheetColumns,
} from "./sheet-columns.ts";
import { MAX_COLUMNS, readSheet } from "./sheet-entries.ts";
import { planSheet, tableOf } from "./sheet-edit.ts";
import { editSheet, growTable, type TableGrowth, printXlsx, withTitles } from "./xlsx-writer.ts";
import {
  dateStyles,
  openWorkbook,
  sharedStrings,
  type SheetPart,
  type Workbook,
  WorkbookError,
} from "./xlsx-package.ts";
import { SheetGrid, sheetHeader, type SheetSources } from "./xlsx-reader.ts";
import { XmlTags } from "./xlsx-xml.ts";
import { replaceInZip, ZipError } from "../zip.ts";

/**
 * Returns the header titles of each sheet that has any, in the order of the tabs; empty if the file cannot be read.
 */
export function headersOf(bytes: Uint8Array): readonly (readonly string[])[] {
  return guarded(
    () => {
      const book = openWorkbook(bytes);
      const sources = sourcesOf(book);
      return book.sheets.flatMap(({ path }) => {
        const titles = sheetHeader(book.text(path), sources)?.titles;
        return titles === undefined ? [] : [titles];
      });
    },
    () => [],
  );
}

export const xlsx: BinaryFormat = {
  kind: "binary",
  name: "xlsx",
  read(bytes, options) {
    return guarded(
      () => {
        const { grid, columns, book } = openSheet(bytes, options);
        const { entries, problems } = readSheet(grid, columns, options);
        if (book.locked === null) return { entries, problems };
        const locked = entries.map((entry): Entry => ({
          ...entry,
          readOnly: entry.readOnly ?? "unsupported",
        }));
        const problem = problemOf("type", `${book.locked}: it can be read but not written`);
        return { entries: locked, problems: [problem, ...problems] };
      },
      (message) => ({ entries: [], problems: [problemOf("syntax", message)] }),
    );
  },
  edit(bytes, changes, options) {
    return guarded(
      () => editWorkbook(bytes, changes, options),
      () => ({ bytes, refused: refuseAll(changes, "syntax") }),
    );
  },
  print: (entries, options) => printXlsx(tableOf(entries, options)),
};

function problemOf(code: Problem["code"], message: string): Problem {
  return { code, message, span: NO_SPAN };
}

/** Runs `work`; `otherwise` handles an invalid file, all other errors are rethrown. */
function guarded<Result>(work: () => Result, otherwise: (message: string) => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof WorkbookError) return otherwise(error.message);
    if (error instanceof ZipError) return otherwise(`the zip cannot be used: ${error.message}`);
    throw error;
  }
}

interface OpenSheet {
  readonly book: Workbook;
  readonly part: SheetPart;
  readonly grid: SheetGrid;
  readonly columns: SheetColumns;
  readonly titles: readonly string[];
}

/**
 * Opens the first sheet with a usable header row.
 * @throws {WorkbookError}
 * @throws {ZipError}
 */
function openSheet(bytes: Uint8Array, options: ReadOptions): OpenSheet {
  const book = openWorkbook(bytes);
  const sources = sourcesOf(book);
  let fault: string | null = null;
  for (const part of book.sheets) {
    const xml = book.text(part.path);
    const header = sheetHeader(xml, sources);
    if (header === null) continue;
    const titled = columnsOf(header.titles, options);
    if (typeof titled === "string") {
      fault ??= titled;
      continue;
    }
    const grid = new SheetGrid(part.name, xml, header.number, columnsOfSheet(titled), sources);
    if (grid.isBroken) throw new WorkbookError(`the sheet ${part.name} is broken`);
    const columns = withoutRowNumbers(titled, header.titles, grid, options);
    if (typeof columns === "string") {
      fault ??= columns;
      continue;
    }
    return { book, part, grid, columns, titles: header.titles };
  }
  throw new WorkbookError(fault ?? "there is no header row");
}

function sourcesOf(book: Workbook): SheetSources {
  return {
    strings: book.strings === null ? [] : sharedStrings(book.text(book.strings)),
    dates: book.styles === null ? [] : dateStyles(book.text(book.styles)),
  };
}

function editWorkbook(
  bytes: Uint8Array,
  changes: readonly Change[],
  options: ReadOptions,
): { readonly bytes: Uint8Array; readonly refused: readonly Refusal[] } {
  const opened = openSheet(bytes, options);
  const { book, part, grid, columns } = opened;
  if (book.locked !== null) return { bytes, refused: refuseAll(changes, "unsupported") };
  const widened = withColumns(bytes, opened, changes, options);
  if (widened !== null) return editWorkbook(widened, changes, options);
  const plan = planSheet(grid, columns, changes, options);
  const { xml, rows } = editSheet(grid, plan, plan.removed.size > 0 && isAlone(book, part));
  if (xml === grid.xml) return { bytes, refused: plan.refused };
  return { bytes: withSheet(bytes, opened, xml, { rows, columns: null }), refused: plan.refused };
}

/** Returns the file with the sheet replaced and the tables in it extended. */
function withSheet(
  bytes: Uint8Array,
  { book, part }: OpenSheet,
  xml: string,
  growth: TableGrowth,
): Uint8Array {
  const encoder = new TextEncoder();
  let result = replaceInZip(bytes, part.path, encoder.encode(xml));
  if (growth.rows === null && growth.columns === null) return result;
  for (const path of book.tables(part)) {
    const before = book.text(path);
    const after = growTable(before, growth);
    if (after !== before) result = replaceInZip(result, path, encoder.encode(after));
  }
  return result;
}

/** Returns the file with empty columns for missing languages; `null` if none are needed or none can be added. */
function withColumns(
  bytes: Uint8Array,
  opened: OpenSheet,
  changes: readonly Change[],
  options: ReadOptions,
): Uint8Array | null {
  const { grid, columns } = opened;
  const titles = missingTitles(opened.titles, columns, changes, options);
  const first = Math.max(opened.titles.length, grid.lastFilledColumn + 1);
  if (titles.length === 0 || first + titles.length > MAX_COLUMNS) return null;
  const xml = withTitles(grid, first, titles);
  return withSheet(bytes, opened, xml, { rows: null, columns: { first, titles } });
}

/** Whether nothing outside of the sheet (formulas, drawings, defined names, pivot tables) can refer to its rows. */
function isAlone(book: Workbook, part: SheetPart): boolean {
  const has = (path: string, name: string): boolean => {
    for (const tags = new XmlTags(book.text(path)); tags.nextTag();) if (tags.isOpen(name)) return true;
    return false;
  };
  return (
    !has(book.main, "definedName") &&
    !has(book.main, "pivotCache") &&
    book.sheets.every(({ path }) => path === part.path || (!has(path, "f") && !has(path, "drawing")))
  );
}
