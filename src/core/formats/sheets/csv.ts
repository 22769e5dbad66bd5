/**
 * Spreadsheets as CSV: a header row whose titles say what the columns hold (`sheet-columns.ts`), separated by
 * commas, semicolons or tabs. A change rewrites its cell and nothing else.
 */
import { CsvGrid, csvHeader } from "./csv-scan.ts";
import { csvSplices, printCsv } from "./csv-write.ts";
import { refusalOf } from "../edit.ts";
import { NO_SPAN, type Entry, type Problem, type ReadResult, type TextFormat } from "../format.ts";
import { columnsOf, headerMessage, isHeaderFault } from "./sheet-columns.ts";
import { readSheet } from "./sheet-entries.ts";
import { planSheet, type SheetRules } from "./sheet-plan.ts";
import { tableOf } from "./sheet-print.ts";

const ANYTHING: SheetRules = { fits: () => true, keeps: () => null };

export const csv: TextFormat = {
  kind: "text",
  name: "csv",
  extensions: [".csv"],
  read(text, options) {
    const header = csvHeader(text, options);
    if (header === null) {
      const problem: Problem = { code: "syntax", message: "there is no header row", span: NO_SPAN };
      return { entries: [], problems: text.trim() === "" ? [] : [problem] };
    }
    const columns = columnsOf(header.titles, options);
    if (isHeaderFault(columns)) {
      const message = headerMessage(header.titles, columns);
      const span = { start: header.cells[0]?.start ?? 0, end: header.end };
      return { entries: [], problems: [{ code: "syntax", message, span }] };
    }
    const grid = new CsvGrid(text, header);
    const { entries, problems } = withoutMergeMarks(readSheet(grid, columns, options));
    if (grid.fault === null) return { entries, problems };
    const { message, at } = grid.fault;
    return { entries, problems: [...problems, { code: "syntax", message, span: { start: at, end: at } }] };
  },
  edit(text, changes, options) {
    const header = csvHeader(text, options);
    const columns = header === null ? null : columnsOf(header.titles, options);
    const grid = header === null ? null : new CsvGrid(text, header);
    if (
      header === null ||
      columns === null ||
      isHeaderFault(columns) ||
      grid === null ||
      grid.fault !== null
    ) {
      return { splices: [], refused: changes.map((change) => refusalOf(change, "syntax")) };
    }
    const plan = planSheet(grid, columns, changes, options, ANYTHING);
    return { splices: csvSplices(text, header, grid, plan), refused: plan.refused };
  },
  print: (entries, options) => printCsv(tableOf(entries, options)),
};

/** The lines that a merge leaves behind, which would be rows like any other. */
const MERGE_MARK = /^(?:<{7} |={7}$|>{7} )/u;

function withoutMergeMarks({ entries, problems }: ReadResult): ReadResult {
  const isMark = ({ key }: Entry): boolean => MERGE_MARK.test(key);
  const first = entries.find((entry) => entry.key.startsWith("<") && isMark(entry));
  if (first === undefined) return { entries, problems };
  const message = "a merge that is not finished";
  return {
    entries: entries.filter((entry) => !isMark(entry)),
    problems: [{ code: "syntax", message, span: first.keySpan }, ...problems],
  };
}
