/**
 * Spreadsheets as XLSX: the first sheet with a usable header row (`sheet-columns.ts`). An edit rewrites cells in that
 * sheet's XML; every other part of the file keeps its bytes.
 */
import { type BinaryFormat, type Problem, type ReadOptions, NO_SPAN } from "../format.ts";
import { columnsOf, columnsOfSheet, withoutRowNumbers, type SheetColumns } from "./sheet-columns.ts";
import { readSheet } from "./sheet-entries.ts";
import { tableOf } from "./sheet-edit.ts";
import { printXlsx } from "./xlsx-writer.ts";
import {
  dateStyles,
  openWorkbook,
  sharedStrings,
  type SheetPart,
  type Workbook,
  WorkbookError,
} from "./xlsx-package.ts";
import { SheetGrid, sheetHeader, type SheetSources } from "./xlsx-reader.ts";
import { ZipError } from "../zip.ts";

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
  read: (bytes, options) =>
    guarded(
      () => {
        const { grid, columns } = openSheet(bytes, options);
        return readSheet(grid, columns, options);
      },
      (message) => ({ entries: [], problems: [problemOf("syntax", message)] }),
    ),
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
