/** Which cell gets which text, compared with writing into a grid cell by cell. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { writeCells } from "../../../src/webview/translation-editor/clipboard-cells.ts";
import { pastedCells, selectionOf } from "../../../src/webview/translation-editor/page-decisions.ts";

const ROWS = ["a", "b", "c", "d", "e"];
const LOCALES = ["en", "nl", "de"];

/** Columns: 0 is the key. */
const corner = fc.record({ row: fc.nat(ROWS.length - 1), column: fc.nat(LOCALES.length) });
const text = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom("", "\t", "one\ntwo", '"', "a\r\nb"));
const copied = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

it("pastes each copied text into one cell, a single one into all that are selected, and counts the others", () => {
  fc.assert(
    fc.property(corner, fc.option(corner), copied, (active, anchor, texts) => {
      const selection = selectionOf(active, anchor);
      const pasted = pastedCells(ROWS, LOCALES, selection, writeCells(texts));
      const grid = new Map(pasted.cells.map((cell) => [`${cell.hash} ${cell.locale}`, cell.copied]));
      expect(grid.size).toBe(pasted.cells.length);
      const other = anchor ?? active;
      const top = Math.min(active.row, other.row);
      const left = Math.min(active.column, other.column);
      if (left === 0) {
        expect(pasted).toEqual({ cells: [], outside: 0 });
        return;
      }
      const isSingle = texts.flat().length === 1;
      let outside = 0;
      const expected = new Map<string, string>();
      for (const [down, line] of texts.entries())
        for (const [along, each] of line.entries()) {
          const cell = [ROWS[top + down], LOCALES[left - 1 + along]];
          if (cell.includes(undefined)) outside++;
          else expected.set(cell.join(" "), each);
        }
      if (isSingle)
        for (const hash of ROWS.slice(top, Math.max(active.row, other.row) + 1))
          for (const locale of LOCALES.slice(left - 1, Math.max(active.column, other.column)))
            expected.set(`${hash} ${locale}`, texts[0]?.[0] ?? "");
      expect([grid, pasted.outside]).toEqual([expected, outside]);
    }),
    { numRuns: 100 },
  );
});
