/** What VS Code passes to the commands in the menus of rows and on a click: each gets the options that it needs. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Range } from "vscode";
import { renameAtServiceCommand } from "../../../src/commands/declarations/key-commands.ts";
import type { CommandDeclaration } from "../../../src/commands/define-command.ts";
import { parseOptions } from "../../../src/commands/parse-options.ts";
import { ROW_MENUS } from "../../../src/commands/row-menus.ts";
import { activityRows } from "../../../src/features/activity-view/activity-rows.ts";
import { languageRow } from "../../../src/features/languages-view/language-row.ts";
import { openCallRow } from "../../../src/features/usage-report/open-calls.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { projectKeyLabel, textLine } from "../../../src/messages/labels.ts";
import { projectIssues } from "../../../src/sync/qa-issues.ts";
import { readArguments } from "../../../src/vscode/commands/call-arguments.ts";
import { keyIssuesRow, keyRow } from "../../../src/vscode/ui/tree-view/key-and-issue-rows.ts";
import { treeItem } from "../../../src/vscode/ui/tree-view/tree-item.ts";
import type { TreeNode, TreeRows } from "../../../src/vscode/ui/tree-view/tree-node.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { cart, openShop, translate } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([]));
});
afterEach(() => shop.close());

const rowsOf = (rows: TreeRows): readonly TreeNode[] => ("total" in rows ? rows.first(rows.total) : rows);

/** Returns rows and all that are below them. */
async function withChildren(nodes: readonly TreeNode[]): Promise<readonly TreeNode[]> {
  const below = await Promise.all(
    nodes.map(async ({ children }) => (children === undefined ? [] : withChildren(rowsOf(await children())))),
  );
  return [...nodes, ...below.flat()];
}

/** Returns why a command refuses a call. */
function problemOf(declaration: CommandDeclaration, args: readonly unknown[]): string | null {
  const call = readArguments(declaration, args);
  if (call.kind !== "options") return call.kind;
  const parsed = parseOptions(declaration, call.options);
  return parsed.kind === "valid" ? null : JSON.stringify(parsed.problem);
}

/** The rows of a project with work in Dutch: texts that are missing, outdated and have issues. */
async function allRows(): Promise<readonly TreeNode[]> {
  const { open } = commands;
  await translate(window, { title: "Mandje van :nam", total: "Totaal: :amont" });
  await window.client.sync({ keys: [{ namespace: "cart", key: "title", value: "Cart of :name" }] });
  await window.refresher.refresh({ priority: "person" });
  await window.refresher.ensureLocale("nl", { priority: "person" });
  open.connection.setActivity({ localOnly: new Map([["nl", 1]]) });
  const issues = await projectIssues(open.connection, "nl");
  const renames = [{ from: cart("title"), to: cart("heading") }];
  const job = { id: 1, status: "running", progress: null, error: null, result: null };
  const activity = activityRows({
    activity: { ...open.connection.activity, renames, listeningAt: "http://127.0.0.1:1" },
    jobs: [{ job, kind: "export", subject: ["app"], startedAt: 0, watching: true }] as never,
    results: [{ message: "Pulled", kind: "done", at: 1, context: "pulled" }],
    freshness: open.freshness,
    canWrite: true,
    nameOf: ({ key }) => key,
    now: 0,
  });
  const place = (path: string) => ({ path, range: { start: { line: 1 } } as Range });
  const call = { key: "$x", text: "__($x)", count: 2 };
  return withChildren([
    ...(open.stats?.languages ?? []).map((language) => languageRow(open, language)),
    keyIssuesRow(open, issues.slice(0, 1), "issue"),
    keyIssuesRow(open, [...issues, ...issues], "issues"),
    keyIssuesRow(
      open,
      issues.slice(0, 1).map((issue) => ({ ...issue, suggestion: null })),
      "without",
    ),
    ...activity.map(({ name, content, commandOptions }) => ({
      id: name,
      content: () => content,
      commandOptions: { folder: open.root, ...commandOptions },
    })),
    openCallRow(open, { ...call, locations: [place("a.php")] }),
    openCallRow(open, { ...call, locations: [place("a.php"), place("b.php")] }),
  ]);
}

test("every command in the menu of a row, and the one of a click, takes the options of the row", async () => {
  const rows = await allRows();
  const kinds = new Set(rows.flatMap((row) => row.content().kind ?? []));
  expect([...kinds].sort()).toEqual([
    ...[
      "group",
      "issue",
      "issueWithSuggestion",
      "key",
      "language",
      "localOnly",
      "openCall",
      "pulled",
      "rename",
    ],
    ...["runningJob", "sourceLanguage", "translation", "webhooks"],
  ]);
  const refused = rows.flatMap((row) => {
    const { kind, click } = row.content();
    const inMenu = ROW_MENUS.filter((entry) => entry.rows.some((each) => each === kind));
    const { command } = treeItem(row);
    return [
      ...inMenu.map(({ command: declared }) => [declared, [row, undefined]] as const),
      ...(click === undefined ? [] : [[click, command?.arguments ?? []] as const]),
    ].flatMap(([declared, args]) => {
      const problem = problemOf(declared, args);
      return problem === null ? [] : `${row.id}: ${declared.id}: ${problem}`;
    });
  });
  expect(refused).toEqual([]);
  // VS Code shows none of two rows with the same id.
  const ids = rows.map(({ id }) => id).filter((id) => id.startsWith("issues"));
  expect([ids.length > 2, new Set(ids).size]).toEqual([true, ids.length]);
});

test("rows of keys and of their issues are of one language, and say what is not in the row above", async () => {
  await allRows();
  const { open } = commands;
  const [issue] = await projectIssues(open.connection, "nl");
  if (issue === undefined) throw new Error("there is an issue");
  const { namespace, key, context, hash } = issue;
  const options = { folder: open.root, namespace, key, context, locale: "nl", only: [hash] };
  const name = projectKeyLabel(open, issue);
  const single = keyIssuesRow(open, [issue], "one");
  expect(single.commandOptions).toEqual({ ...options, issue, filter: "issues" });
  expect([single.content().description, single.children]).toEqual([name, undefined]);
  const several = keyIssuesRow(open, [issue, { ...issue, rule: "other" }], "many");
  expect(several.commandOptions).toEqual({ ...options, filter: "issues" });
  expect(several.content()).toMatchObject({ label: name, description: "2 QA issues" });
  const below = rowsOf((await several.children?.()) ?? []);
  expect(below.map(({ id, content }) => [id, content().description])).toEqual([
    ["many/0", textLine(issue.row.text)],
    ["many/1", textLine(issue.row.text)],
  ]);
  const projectKey = open.keys.get(hash) ?? expect.fail("it is a key");
  const row = (locale: string) => keyRow(open, projectKey, locale, { value: "Shown" }, "row", "outdated");
  expect(row("nl").commandOptions).toEqual({ ...options, filter: "outdated" });
  expect([row("nl").content(), row("en").content()]).toMatchObject([
    { label: name, description: "Shown", kind: "translation" },
    { label: name, description: "Shown", kind: "key" },
  ]);
});

test("a click runs its command with the options that this declares, or opens the place", async () => {
  const rows = await allRows();
  const rename = rows.find((row) => row.content().kind === "rename");
  if (rename === undefined) throw new Error("there is a rename");
  expect(treeItem(rename)).toMatchObject({
    contextValue: "rename",
    command: {
      command: renameAtServiceCommand.id,
      arguments: [{ folder: commands.open.root, from: cart("title"), to: cart("heading") }],
    },
  });
  const key = rows.find((row) => row.content().kind === "translation" && row.children === undefined);
  if (key === undefined) throw new Error("there is a key");
  // What its menu pushes or pulls is this key alone.
  expect(
    rows.map(({ commandOptions }) => (commandOptions as { readonly only?: unknown })?.only).filter(Boolean),
  ).toEqual(expect.arrayContaining([[keyHash(cart("title"))], [keyHash(cart("total"))]]));
  expect(Object.keys(treeItem(key).command?.arguments?.[0] as object).sort()).toEqual([
    ...["context", "folder", "key", "locale", "namespace"],
  ]);
  const calls = rows.filter((row) => row.content().kind === "openCall");
  expect(calls.map((row) => treeItem(row).command?.command)).toEqual([
    "vscode.open",
    // Its places are below it.
    undefined,
    "vscode.open",
    "vscode.open",
  ]);
});

test("texts of the service stay texts in labels, tooltips and for screen readers", () => {
  const item = treeItem({
    id: "row",
    content: () => ({
      label: "a\nb",
      description: "c\u202Ed",
      icon: "key",
      tooltip: ["<b>a</b>", "[link](command:x)"],
      tooltipTable: [["Share", "1 | 2"]],
    }),
  });
  expect(item).toMatchObject({
    label: "a↵b",
    description: "c[U+202E]d",
    accessibilityInformation: { label: "a↵b, c[U+202E]d" },
    collapsibleState: 0,
  });
  const { value } = item.tooltip as { readonly value: string };
  expect(value).not.toMatch(/<b>|\]\(command/u);
  expect(value.split("\n")).toHaveLength(7);
});
