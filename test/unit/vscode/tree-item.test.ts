/** How VS Code draws a row, what its tooltip and a screen reader say, and what a click runs. */
import { expect, test } from "vitest";
import { pushCommand } from "../../../src/commands/declarations/sync-commands.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { knownRows, signedInRows } from "../../../src/vscode/ui/tree-view/project-rows.ts";
import type { RowContent } from "../../../src/vscode/ui/tree-view/row-content.ts";
import { treeItem } from "../../../src/vscode/ui/tree-view/tree-item.ts";
import type { TreeNode } from "../../../src/vscode/ui/tree-view/tree-node.ts";
import { type MarkdownString, Range, ThemeIcon, Uri } from "../support/vscode-stub.ts";

const itemOf = (content: Partial<RowContent>, node: Partial<TreeNode> = {}) =>
  treeItem({ id: "row", content: () => ({ label: "Label", icon: "key", ...content }), ...node });

test("a plain row has its label, no menu and nothing to click or open", () => {
  expect(itemOf({})).toEqual({
    id: "row",
    label: "Label",
    description: "",
    iconPath: new ThemeIcon("key"),
    tooltip: "Label",
    accessibilityInformation: { label: "Label" },
    collapsibleState: 0,
  });
});

test("texts are on one line", () => {
  expect(itemOf({ label: "a\nb", description: "c\nd" })).toMatchObject({
    label: "a↵b",
    description: "c↵d",
    tooltip: "a↵b, c↵d",
    accessibilityInformation: { label: "a↵b, c↵d" },
  });
  expect(itemOf({ spokenLabel: "error: a" }).accessibilityInformation?.label).toBe("error: a");
});

test("rows below it are shown at first or not", () => {
  expect(itemOf({ children: "collapsed" }).collapsibleState).toBe(1);
  expect(itemOf({ children: "expanded" }).collapsibleState).toBe(2);
});

test("a status has its icon and colour, and a drawing one for each theme", () => {
  const icon = (status: "passed" | "warning" | "error" | "inactive") => {
    const { id, color } = itemOf({ icon: { status } }).iconPath as unknown as ThemeIcon;
    return [id, color?.id];
  };
  expect((["passed", "warning", "error", "inactive"] as const).map(icon)).toEqual([
    ["pass", "testing.iconPassed"],
    ["warning", "list.warningForeground"],
    ["error", "list.errorForeground"],
    ["plug", "disabledForeground"],
  ]);
  const { light, dark } = itemOf({ icon: { light: "<svg>l</svg>", dark: "<svg>d</svg>" } })
    .iconPath as unknown as Record<"light" | "dark", Uri>;
  const svg = ({ path }: Uri): string =>
    Buffer.from(path.replace(/^.*;base64,/u, ""), "base64").toString("utf8");
  expect([svg(light), svg(dark)]).toEqual(["<svg>l</svg>", "<svg>d</svg>"]);
});

test("a tooltip of several paragraphs is Markdown without links, its table below the first", () => {
  expect(itemOf({ tooltip: ["[a](b)"] }).tooltip).toBe("[a](b)");
  expect((itemOf({ tooltip: ["first", "second"] }).tooltip as MarkdownString).value).toBe(
    "**first**\n\nsecond",
  );
  const { value } = itemOf({
    tooltip: ["[a](b)", "second"],
    tooltipTable: [
      ["read", "1|2"],
      ["left", "3"],
    ],
  }).tooltip as MarkdownString;
  expect(value.replaceAll(/&#(\d+);/gu, (_all, code: string) => String.fromCharCode(Number(code)))).toBe(
    ["**[a](b)**", "| | |\n|---|--:|\n| read | 1|2 |\n| left | 3 |", "second"].join("\n\n"),
  );
  for (const unescaped of ["[a](b)", "1|2"]) expect(value).not.toContain(unescaped);
  expect((itemOf({ tooltip: ["only"], tooltipTable: [["a", "b"]] }).tooltip as MarkdownString).value).toBe(
    "**only**\n\n| | |\n|---|--:|\n| a | b |",
  );
});

test("a click runs the command with those of the row's options that it takes, or opens a file", () => {
  const commandOptions = { folder: "/app", only: ["a"], locale: "nl", issue: {} };
  expect(itemOf({ click: pushCommand, label: "Push" }, { commandOptions }).command).toEqual({
    command: pushCommand.id,
    title: "Push",
    arguments: [{ folder: "/app", only: ["a"] }],
  });
  expect(itemOf({ click: pushCommand }).command?.arguments).toEqual([{}]);
  const selection = new Range(1, 0, 1, 4);
  const uri = Uri.file("/app/a.php");
  const opened = itemOf({ click: pushCommand }, { opens: { uri, selection } as never }).command;
  expect([opened?.command, opened?.arguments]).toEqual(["vscode.open", [uri, { selection }]]);
});

test("its kind decides on its menu", () => {
  expect(itemOf({ kind: "issue" }).contextValue).toBe("issue");
});

const project = (label: string, isKnown: boolean, isConnected = false) =>
  ({
    id: `id of ${label}`,
    label,
    root: `/${label}`,
    source: { isKnown, isConnected },
  }) as unknown as OpenProject;
const rowsOf = ({ label }: OpenProject): readonly TreeNode[] =>
  label === "empty" ? [] : [{ id: `of ${label}`, content: () => ({ label: `of ${label}`, icon: "key" }) }];
const labels = (rows: readonly TreeNode[]) => rows.map(({ content }) => content().label);

test("rows of the only project of the window have no row above them", () => {
  expect(labels(knownRows([project("a", true)], rowsOf))).toEqual(["of a"]);
  expect(labels(knownRows([project("a", false)], rowsOf))).toEqual([]);
  expect(labels(signedInRows([project("a", true, true)], rowsOf))).toEqual(["of a"]);
  expect(labels(signedInRows([project("a", true)], rowsOf))).toEqual([]);
});

test("of several, each has a row with what it has, also if the others are not shown", async () => {
  const all = [project("a", true), project("b", false), project("c", true, true), project("empty", true)];
  const [a, c, ...more] = knownRows(all, rowsOf);
  expect(more).toEqual([]);
  expect([a?.content(), a?.commandOptions, a?.id]).toMatchObject([
    { label: "a", children: "expanded" },
    { folder: "/a" },
    // Two folders may have the same name.
    "id of a",
  ]);
  expect(labels((await a?.children?.()) as readonly TreeNode[])).toEqual(["of a"]);
  expect(labels((await c?.children?.()) as readonly TreeNode[])).toEqual(["of c"]);
  expect(labels(signedInRows(all, rowsOf))).toEqual(["c"]);
  expect(labels(knownRows(all.slice(0, 2), rowsOf))).toEqual(["a"]);
});
