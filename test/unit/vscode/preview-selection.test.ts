/** What is checked and kept in a preview, over several steps. */
import { expect, test } from "vitest";
import { PreviewSelection } from "../../../src/vscode/ui/preview/preview-selection.ts";
import type { PreviewRow, PreviewSection } from "../../../src/messages/preview-rows.ts";

const row = (label: string, changes: readonly string[], isChecked: boolean): PreviewRow<string> => ({
  icon: "edit",
  label,
  description: "",
  changes,
  isChecked,
});
const section = (...rows: readonly PreviewRow<string>[]): readonly PreviewSection<string>[] => [
  { heading: "Changed", rows },
];
const idOf = (change: string): string => change;

/** Toggles the box of a row, as VS Code reports it: all rows whose box is checked now. */
function click(
  selection: PreviewSelection<string>,
  rows: readonly PreviewRow<string>[],
  label: string,
): boolean {
  const boxes = new Set(rows.filter((each) => selection.isChecked(each) !== (each.label === label)));
  return selection.toggle(rows, boxes);
}

test("checks what the rows say, and then what was toggled", () => {
  const rows = [row("a", ["a"], true), row("b", ["b"], false), row("c", ["c"], true)];
  const selection = new PreviewSelection(idOf, section(...rows));
  expect(selection.checked).toEqual(["a", "c"]);
  expect(click(selection, rows, "a")).toBe(true);
  expect(selection.checked).toEqual(["c"]);
  click(selection, rows, "b");
  expect(selection.checked).toEqual(["b", "c"]);
  click(selection, rows, "a");
  expect(selection.checked).toEqual(["a", "b", "c"]);
});

test("says that nothing was toggled when VS Code reports the boxes as they are", () => {
  const rows = [row("a", ["a"], true), row("b", ["b"], false)];
  const selection = new PreviewSelection(idOf, section(...rows));
  expect(selection.toggle(rows, new Set(rows.slice(0, 1)))).toBe(false);
  expect(selection.checked).toEqual(["a"]);
});

test("a group is checked while all its changes are, and toggles them all", () => {
  const group = row("group", ["a", "b"], false);
  const rows = [group, row("a", ["a"], true), row("b", ["b"], true)];
  const selection = new PreviewSelection(idOf, section(...rows));
  expect(selection.isChecked(group)).toBe(true);
  click(selection, rows, "b");
  expect([selection.checked, selection.isChecked(group)]).toEqual([["a"], false]);
  click(selection, rows, "group");
  expect(selection.checked).toEqual(["a", "b"]);
  click(selection, rows, "group");
  expect(selection.checked).toEqual([]);
});

test("lists each change once, although a group has it, too", () => {
  const rows = [row("group", ["a", "b"], false), row("a", ["a"], true), row("b", ["b"], true)];
  expect(new PreviewSelection(idOf, section(...rows)).checked).toEqual(["a", "b"]);
});

test("a heading is never checked", () => {
  const heading = row("heading", [], true);
  const selection = new PreviewSelection(idOf, section(heading));
  expect(selection.isChecked(heading)).toBe(false);
  expect(selection.toggle([heading], new Set([heading]))).toBe(false);
});

test("keeps what was toggled when rows are listed again, and checks new ones by rule", () => {
  const rows = [row("a", ["a"], true), row("b", ["b"], false), row("c", ["c"], true)];
  const selection = new PreviewSelection(idOf, section(...rows));
  click(selection, rows, "a");
  click(selection, rows, "b");
  selection.list(section(...rows, row("d", ["d"], true), row("e", ["e"], false)));
  expect(selection.checked).toEqual(["b", "c", "d"]);
  selection.list(section(...rows));
  expect(selection.checked).toEqual(["b", "c"]);
});

test("unchecks what only the rule checked once the rule no longer does", () => {
  const selection = new PreviewSelection(idOf, section(row("a", ["a"], true), row("b", ["b"], false)));
  // Somebody changed the text at the service while the preview was open.
  selection.list(section(row("a", ["a"], false), row("b", ["b"], true)));
  expect(selection.checked).toEqual([]);
});

test("unchecks a change that one row checked by rule and another did not, once neither does", () => {
  const isOne = (...checked: readonly boolean[]) => section(...checked.map((each) => row("a", ["a"], each)));
  const selection = new PreviewSelection(idOf, isOne(true, false));
  expect(selection.checked).toEqual(["a"]);
  selection.list(isOne(false, false));
  expect(selection.checked).toEqual([]);
});

test("a kept conflict is not checked, also when rows are listed again", () => {
  const rows = [row("mine", ["mine"], false), row("other", ["other"], true)];
  const selection = new PreviewSelection(idOf, section(...rows));
  click(selection, rows, "mine");
  selection.keep(["mine"]);
  expect([selection.checked, selection.kept]).toEqual([["other"], ["mine"]]);
  selection.list(section(row("mine", ["mine"], true), row("other", ["other"], true)));
  expect([selection.checked, selection.kept]).toEqual([["other"], ["mine"]]);
});

test("a kept conflict that is checked afterwards is taken, and not kept", () => {
  const rows = [row("mine", ["mine"], false)];
  const selection = new PreviewSelection(idOf, section(...rows));
  selection.keep(["mine"]);
  click(selection, rows, "mine");
  expect([selection.checked, selection.kept]).toEqual([["mine"], []]);
  click(selection, rows, "mine");
  expect([selection.checked, selection.kept]).toEqual([[], ["mine"]]);
});

test("a conflict that was kept stays kept when it is listed again by another rule", () => {
  const selection = new PreviewSelection(idOf, section(row("mine", ["mine"], false), row("a", ["a"], true)));
  selection.keep(["mine"]);
  selection.list(section(row("a", ["a"], true)));
  expect([selection.checked, selection.kept]).toEqual([["a"], ["mine"]]);
  selection.list(section(row("mine", ["mine"], true), row("a", ["a"], true)));
  expect([selection.checked, selection.kept]).toEqual([["a"], ["mine"]]);
});
