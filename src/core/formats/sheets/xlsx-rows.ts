/**
 * Taking whole rows out of a sheet, so that those below close up. Only where nothing else refers to rows by number;
 * elsewhere a removed row is emptied instead.
 */
import { applySplices } from "../edit.ts";
import type { Splice } from "../format.ts";
import { lettersOf, rangeOf } from "./xlsx-scan.ts";
import type { SheetGrid } from "./xlsx-sheet.ts";
import { XmlTags } from "./xlsx-xml.ts";

/** What may stand in a sheet that names no rows. */
const ROWLESS: ReadonlySet<string> = new Set([
  "sheetPr",
  "dimension",
  "sheetViews",
  "sheetFormatPr",
  "cols",
  "sheetData",
  "sheetCalcPr",
  "sheetProtection",
  "phoneticPr",
  "printOptions",
  "pageMargins",
  "pageSetup",
  "headerFooter",
]);

/** Whether rows of the sheet can change their numbers without anything in it pointing at the wrong ones. */
export function isPlainSheet(grid: SheetGrid): boolean {
  if (grid.hasFormulas || grid.isBroken) return false;
  const tags = new XmlTags(grid.xml);
  if (!tags.next() || tags.isEmpty) return false;
  while (tags.next() && !tags.isClose) {
    if (!ROWLESS.has(grid.xml.slice(tags.nameStart, tags.nameEnd))) return false;
    tags.skip();
  }
  return true;
}

/** The sheet without the rows of these numbers; those below move up. */
export function withoutRows(xml: string, removed: ReadonlySet<number>): string {
  const gone = [...removed].sort((a, b) => a - b);
  const splices: Splice[] = [];
  let dimension: { readonly start: number; readonly end: number; readonly text: string } | null = null;
  let passed = 0;
  let number = 0;
  const tags = new XmlTags(xml);
  while (tags.next()) {
    if (tags.isOpen("dimension")) dimension = shorter(tags, gone.length);
    else if (tags.isOpen("row")) {
      const { start } = tags;
      const said = Number(tags.attribute("r") ?? "");
      number = said > 0 ? said : number + 1;
      while ((gone[passed] ?? Infinity) < number) passed++;
      if (removed.has(number)) {
        tags.skip();
        splices.push({ start, end: tags.end, text: "" });
      } else if (passed > 0) renumber(tags, passed, splices);
    } else if (tags.isOpen("c") && passed > 0) renumber(tags, passed, splices);
    else if (tags.isClose && tags.is("sheetData")) break;
  }
  return applySplices(xml, dimension === null ? splices : [dimension, ...splices]);
}

function shorter(tags: XmlTags, rows: number): Splice | null {
  const span = tags.attributeSpan("ref");
  const range = rangeOf(tags.attribute("ref") ?? "");
  if (span === null || range === null || range.bottom - rows < range.top) return null;
  const text = `${lettersOf(range.left)}${range.top}:${lettersOf(range.right)}${range.bottom - rows}`;
  return { start: span.valueStart, end: span.end - 1, text };
}

/** The number at the end of `r` goes down. */
function renumber(tags: XmlTags, by: number, splices: Splice[]): void {
  const span = tags.attributeSpan("r");
  const match = /^([A-Za-z]*)(\d+)$/.exec(tags.attribute("r") ?? "");
  if (span === null || match === null) return;
  splices.push({
    start: span.valueStart,
    end: span.end - 1,
    text: `${match[1] ?? ""}${Number(match[2]) - by}`,
  });
}
