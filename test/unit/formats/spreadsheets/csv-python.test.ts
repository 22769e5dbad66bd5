/** CSV compared with Python's csv module, before and after edits. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csv, CsvGrid, csvHeader } from "../../../../src/formats/spreadsheets/csv-format.ts";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change } from "../../../../src/formats/format.ts";
import { runCount } from "../../support/full-run.ts";
import { requireTool, PYTHON, runText } from "../../support/reference-tools.ts";
import { ENGLISH } from "../editing.ts";

const READ = `
import csv, io, json, sys
csv.field_size_limit(1 << 30)
files = json.load(sys.stdin)
json.dump([[row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row] for text, delimiter in files], sys.stdout)
`;

const WRITE = `
import csv, io, json, sys
made = []
for rows, delimiter, quoting, end in json.load(sys.stdin):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)
    made.append(out.getvalue())
json.dump(made, sys.stdout)
`;

type File = readonly [text: string, separator: string];

/** Rows of cells as Python reads them, of many files at once. */
function python(files: readonly File[]): string[][][] {
  return JSON.parse(runText(PYTHON, ["-c", READ], JSON.stringify(files))) as string[][][];
}

/** Rows of cells as they are read here, all of the header's width. */
function ours([text]: File): string[][] {
  const header = csvHeader(text);
  if (header === null) return [];
  const grid = new CsvGrid(text, header);
  const rows = Array.from({ length: grid.count }, (_, row) =>
    header.titles.map((_, column) => grid.text(row, column)),
  );
  return [[...header.titles], ...rows];
}

function toWidth(rows: readonly string[][]): string[][] {
  const width = rows[0]?.length ?? 0;
  return rows.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ""));
}

const separator = fc.constantFrom(",", ";", "\t");
const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '""',
    ",",
    ";",
    "\t",
    "\n",
    "\r\n",
    "\r",
    " ",
    "=1",
    "é",
    "語",
    "\u2028",
    "\0",
    "a",
    "b c",
  ),
  fc.string({ maxLength: 3 }),
);
/** A header that nobody can take for another, then anything. */
const messy = fc
  .tuple(separator, fc.array(piece, { maxLength: 30 }))
  .map(([by, pieces]): File => [`key${by}value${by}notes\n${pieces.join("")}`, by]);

const cell = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(""));

describe("compared with Python's csv", () => {
  test("reads the same cells of any text", (context) => {
    requireTool(context, "python");
    const files = fc.sample(messy, { numRuns: runCount(1_000) });
    for (const [index, rows] of python(files).entries()) {
      const file = files[index];
      if (file !== undefined) expect([file, ours(file)]).toEqual([file, toWidth(rows)]);
    }
  });

  test("agrees on what Python writes in any dialect", (context) => {
    requireTool(context, "python");
    // It leaves a carriage return without quotes, and does not read that back itself.
    const said = cell.map((text) => text.replaceAll("\r", ""));
    const table = fc.array(fc.tuple(fc.constantFrom("a", "b", "c.d"), said, said), { maxLength: 6 });
    const dialect = fc.tuple(
      table.map((rows) => [["key", "value", "notes"], ...rows]),
      separator,
      fc.constantFrom(0, 1, 2),
      fc.constantFrom("\n", "\r\n"),
    );
    const wanted = fc.sample(dialect, { numRuns: runCount(300) });
    const made = JSON.parse(runText(PYTHON, ["-c", WRITE], JSON.stringify(wanted))) as string[];
    for (const [index, text] of made.entries()) {
      expect(ours([text, wanted[index]?.[1] ?? ","])).toEqual(wanted[index]?.[0]);
    }
  });

  test("lets Python read exactly the change", (context) => {
    requireTool(context, "python");
    const changed = fc.tuple(
      fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), cell), {
        selector: ([key]) => key,
        minLength: 2,
        maxLength: 6,
      }),
      cell,
    );
    const before: (readonly [string, string])[][] = [];
    const files: File[] = [];
    for (const [rows, said] of fc.sample(changed, { numRuns: runCount(300) })) {
      const entries = rows
        .filter(([key]) => key.trim() !== "")
        .map(([key, value]) => ({ key, context: null, text: { value } }));
      const [first, second] = entries;
      if (first === undefined || second === undefined) continue;
      const file = csv.print(entries, ENGLISH);
      const changes: Change[] = [
        { ...first, text: { value: said } },
        { ...second, text: null },
        { key: "new.key", context: null, text: { value: `${said}!` } },
      ];
      const { text, refused } = applyEdit(csv, file, changes, ENGLISH);
      expect(refused).toEqual([]);
      files.push([text, ","]);
      before.push([
        [first.key, said],
        ...entries.slice(2).map(({ key, text: { value } }) => [key, value] as const),
        ["new.key", `${said}!`],
      ]);
    }
    for (const [index, [, ...rows]] of python(files).entries()) {
      expect(rows.map(([key, value]) => `${key}=${value}`).sort()).toEqual(
        before[index]?.map(([key, value]) => `${key}=${value}`).sort(),
      );
    }
  });
});
