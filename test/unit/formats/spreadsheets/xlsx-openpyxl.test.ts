/** Workbooks compared with openpyxl: the same texts. */
import { describe, expect, test } from "vitest";
import type { NewEntry } from "../../../../src/formats/format.ts";
import { xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import { requireTool, PYTHON, run } from "../../support/reference-tools.ts";
import { ENGLISH } from "../editing.ts";

/** Makes a workbook with all that people put into them. */
const MAKE = `
import datetime, io, random, re, sys, zipfile
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

rnd = random.Random(int(sys.argv[1]))
words = ["a", "b c", " x ", "<b>", "&amp;", "é", "語", "\\U0001f389", "two\\nlines", "tab\\t", '"q"', "=", "'", "_x0041", "%s"]
def text():
    shownAt = "".join(rnd.choice(words) for _ in range(rnd.randint(1, 4)))
    return "." + shownAt if shownAt.startswith("=") else shownAt

book = Workbook()
about = book.active
about.title = "About & more"
about["A1"] = "Made by hand"
about["B2"] = "=Texts!D2"
about.merge_cells("A3:C4")
sheet = book.create_sheet("Texts")
sheet.append(["Namespace", "Key", "Comment", "en", "nl", "nl one", "nl other", "max length", "changed"])
for cell in sheet[1]:
    cell.font = Font(bold=True)
for number in range(2, 2 + rnd.randint(5, 30)):
    plural = rnd.random() < 0.3
    sheet.append([
        rnd.choice(["shop", "admin/users", None]), "key.%d" % number, rnd.choice([text(), None]), text(),
        None if plural else rnd.choice([text(), None, 42, 1.5, True]), text() if plural else None, text() if plural else None,
        rnd.randint(1, 99), datetime.date(2020, 1, rnd.randint(1, 28)),
    ])
    for cell in sheet[number]:
        if rnd.random() < 0.3:
            cell.fill = PatternFill("solid", fgColor="%06x" % rnd.randrange(1 << 24))
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    if rnd.random() < 0.1:
        sheet.cell(number, 10).value = "=LEN(D%d)" % number
sheet["B3"].comment = Comment("See the shop", "me")
sheet["B4"].hyperlink = "https://example.com/?a=1&b=2"
sheet.column_dimensions["D"].width = 60
sheet.row_dimensions[2].height = 33
sheet.freeze_panes = "A2"
validation = DataValidation(type="list", formula1='"yes,no"', allow_blank=True)
sheet.add_data_validation(validation)
validation.add("K2:K99")
sheet.conditional_formatting.add("H2:H99", CellIsRule(operator="greaterThan", formula=["50"], font=Font(color="FF0000")))
if rnd.random() < 0.5:
    sheet.auto_filter.ref = "A1:I9"
else:
    sheet.add_table(Table(displayName="T", ref="A1:I5"))
book.defined_names.append(DefinedName("first", attr_text="Texts!$D$2"))
hidden = book.create_sheet("Hidden")
hidden.sheet_state = "hidden"
hidden.append(["key", "fr"])
hidden.append(["x", "y"])
saved = io.BytesIO()
book.save(saved)
# It cannot write rich text itself.
out = io.BytesIO()
with zipfile.ZipFile(saved) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
    for info in old.infolist():
        content = old.read(info).decode()
        if info.filename == "xl/sharedStrings.xml":
            content = re.sub(r"<si>(<t[^>]*>[^<]*é[^<]*</t>)</si>", r'<si><r><rPr><b/></rPr>\\1</r><r><t xml:space="preserve"> plain</t></r><rPh sb="0" eb="1"><t>ph</t></rPh></si>', content)
        new.writestr(info, content)
sys.stdout.buffer.write(out.getvalue())
`;

/** Everything that openpyxl sees of a workbook. */
const DUMP = `
import io, json, sys
from openpyxl import load_workbook
book = load_workbook(io.BytesIO(sys.stdin.buffer.read()))
def seen(cell):
    return [None if cell.value is None else str(cell.value), type(cell.value).__name__, cell.number_format, bool(cell.font.b), cell.fill.fgColor.rgb if cell.fill.fill_type else None,
        cell.alignment.wrap_text, cell.alignment.vertical, cell.comment.text if cell.comment else None, cell.hyperlink.target if cell.hyperlink else None]
json.dump({sheet.title: {
    "cells": {cell.coordinate: seen(cell) for row in sheet.iter_rows() for cell in row if cell.value is not None or cell.has_style},
    "dimensions": sheet.dimensions,
    "merged": sorted(str(each) for each in sheet.merged_cells.ranges),
    "validations": [[str(each.sqref), each.formula1] for each in sheet.data_validations.dataValidation],
    "conditions": [str(each.sqref) for each in sheet.conditional_formatting],
    "widths": {name: each.width for name, each in sheet.column_dimensions.items()},
    "heights": {name: each.height for name, each in sheet.row_dimensions.items() if each.height},
    "frozen": sheet.freeze_panes,
    "filter": sheet.auto_filter.ref,
    "tables": sorted(each.ref for each in sheet.tables.values()),
    "state": sheet.sheet_state,
} for sheet in book}, sys.stdout)
`;

/** The same parts as a program writes them that cannot go back: their sizes stand behind them, and folders between. */
const STREAM = `
import io, sys, zipfile
old = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
with zipfile.ZipFile(sys.stdout.buffer, "w", zipfile.ZIP_DEFLATED) as new:
    new.comment = b"made by a stream"
    new.writestr("xl/", b"")
    for name in old.namelist():
        with new.open(name, "w") as part:
            part.write(old.read(name))
`;

interface Sheet {
  readonly cells: Readonly<Record<string, readonly [string | null, ...unknown[]]>>;
  readonly dimensions: string;
}

type Book = Readonly<Record<string, Sheet>>;

const made = (seed: number): Uint8Array => new Uint8Array(run(PYTHON, ["-c", MAKE, String(seed)]));
const dump = (bytes: Uint8Array): Book =>
  JSON.parse(Buffer.from(run(PYTHON, ["-c", DUMP], bytes)).toString("utf8")) as Book;

/** As openpyxl gives it, where it leaves the escapes of what XML cannot hold as they are. */
const unescaped = (text: string): string =>
  text.replaceAll(/_x([0-9A-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const shown = (text: string | null | undefined): string =>
  text === null || text === undefined ? "" : text === "True" ? "TRUE" : unescaped(text);

/** A workbook that openpyxl made, and what openpyxl says of it. */
function workbookOf(seed: number) {
  const bytes = made(seed);
  const cells = dump(bytes)["Texts"]?.cells ?? {};
  const last = Math.max(...Object.keys(cells).map((at) => Number(/\d+$/.exec(at)?.[0])));
  return { bytes, cells, last };
}

describe.each([1, 2, 3, 4])("workbook of openpyxl (%i)", (seed) => {
  test("is read the same", (context) => {
    requireTool(context, "openpyxl");
    const { bytes, cells, last } = workbookOf(seed);
    const shownAt = (at: string): string => shown(cells[at]?.[0]);
    const expected: unknown[] = [];
    for (let number = 2; number <= last; number++) {
      const [namespace, key, description] = [
        shownAt(`A${number}`),
        shownAt(`B${number}`),
        shownAt(`C${number}`),
      ];
      const shared = { namespace: namespace || null, key, description: description || null };
      expected.push({ ...shared, locale: "en", text: { value: shownAt(`D${number}`) } });
      const forms = Object.entries({ one: shownAt(`F${number}`), other: shownAt(`G${number}`) });
      const filled = forms.filter(([, form]) => form !== "");
      const text =
        filled.length > 0 ? { forms: Object.fromEntries(filled) } : { value: shownAt(`E${number}`) };
      expected.push({ ...shared, locale: "nl", text });
    }
    const { entries, problems } = xlsx.read(bytes, ENGLISH);
    expect(entries).toMatchObject(expected);
    expect(entries.length).toBe(expected.length);
    expect(problems).toEqual([]);
  });
});

test("reads a streamed zip", (context) => {
  requireTool(context, "openpyxl");
  const book = made(5);
  const streamed = run(PYTHON, ["-c", STREAM], book);
  // Not at the start of its memory.
  const bytes = new Uint8Array([...new Uint8Array(7), ...streamed]).subarray(7);
  expect(xlsx.read(bytes, ENGLISH)).toEqual(xlsx.read(book, ENGLISH));
});

test("creates a workbook with a bold, frozen header that openpyxl reads", (context) => {
  requireTool(context, "openpyxl");
  const entries: NewEntry[] = [
    { namespace: "n", key: "a", context: null, description: "d", text: { value: " x\n<&>" } },
    { key: "b", context: null, text: { forms: { one: "=1", other: "0012" } } },
  ];
  const book = dump(xlsx.print(entries, ENGLISH));
  expect(book["Translations"]).toMatchObject({ dimensions: "A1:F3", frozen: "A2" });
  const cells = Object.entries(book["Translations"]?.cells ?? {});
  expect(
    cells
      .filter(([, [value]]) => value !== null)
      .map(([at, [value, type, , bold]]) => [at, value, type, bold]),
  ).toEqual([
    ["A1", "namespace", "str", true],
    ["B1", "key", "str", true],
    ["C1", "description", "str", true],
    ["D1", "value", "str", true],
    ["E1", "one", "str", true],
    ["F1", "other", "str", true],
    ["A2", "n", "str", false],
    ["B2", "a", "str", false],
    ["C2", "d", "str", false],
    ["D2", " x\n<&>", "str", false],
    ["B3", "b", "str", false],
    ["E3", "=1", "str", false],
    ["F3", "0012", "str", false],
  ]);
});
