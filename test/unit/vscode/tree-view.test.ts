/** Large lists of rows are shown page by page; rows that could not be read are read again. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../../src/vscode/app.ts";
import { loadAgainCommand } from "../../../src/commands/declarations/window-commands.ts";
import {
  createTreeView,
  loadMoreCommand,
  registerTreeCommands,
} from "../../../src/vscode/ui/tree-view/lazy-tree-provider.ts";
import type { RowContent } from "../../../src/vscode/ui/tree-view/row-content.ts";
import { pagedRows, type TreeNode } from "../../../src/vscode/ui/tree-view/tree-node.ts";

const row = (id: string): TreeNode => ({ id, content: () => ({ label: id, icon: "key" }) });
/** What the view subscribes to. */
let settingsChanged: () => void;
let freshnessChanged: (open: { readonly freshness: { readonly kind: string } }) => void;
const app = {
  addDisposable: () => undefined,
  store: {
    subscribe: (tables: readonly string[], update: () => void) => {
      expect(tables).toEqual(["settings"]);
      settingsChanged = update;
    },
  },
  projects: {
    subscribe: (tables: readonly string[], update: typeof freshnessChanged) => {
      expect(tables).toEqual(["freshness"]);
      freshnessChanged = update;
    },
  },
} as unknown as App;
let title = "View";
const { tree, view } = createTreeView(
  app,
  "view",
  () => title,
  () => [],
);
let redrawn: number;
tree.onDidChangeTreeData(() => (redrawn += 1));
beforeEach(() => {
  redrawn = 0;
});
afterEach(() => {
  title = "View";
  vi.restoreAllMocks();
});

const labels = async (node: TreeNode): Promise<readonly string[]> =>
  (await tree.getChildren(node)).map(({ content }) => content().label);
/** Clicks the last row. */
async function clickLast(node: TreeNode): Promise<RowContent> {
  const last = (await tree.getChildren(node)).at(-1) ?? expect.fail("there are rows");
  (last.commandOptions as { act(): void }).act();
  return last.content();
}

test("shows a hundred rows, and a hundred more with each click, of this list only", async () => {
  const many = (id: string): TreeNode => ({
    ...row(id),
    children: () =>
      pagedRows(
        Array.from({ length: 320 }, (_, index) => String(index)),
        row,
      ),
  });
  const [node, other] = [many("node"), many("other")];
  // VS Code shows none of them if two have the same id.
  const lastIds = [node, other].map(async (each) => (await tree.getChildren(each)).at(-1)?.id);
  expect(await Promise.all(lastIds)).toEqual(["node/more", "other/more"]);
  for (const [shown, left] of [
    [100, 220],
    [200, 120],
    [300, 20],
  ] as const) {
    const all = await labels(node);
    expect([all.length, all[shown - 1], all.at(-1)]).toEqual([
      shown + 1,
      String(shown - 1),
      `Show more (${left} left)`,
    ]);
    expect(await clickLast(node)).toMatchObject({ icon: "ellipsis", click: loadMoreCommand });
  }
  expect(await labels(node)).toHaveLength(320);
  expect(redrawn).toBe(3);
  expect(await labels(other)).toHaveLength(101);
});

test("shows a hundred rows without asking whether there are more", async () => {
  const rows = Array.from({ length: 100 }, (_, index) => row(String(index)));
  expect(await labels({ ...row("full"), children: () => rows })).toEqual(rows.map(({ id }) => id));
});

test("shows why rows could not be read, and reads them again only when that is clicked or the service answers", async () => {
  let reads = 0;
  let isBroken = true;
  const node: TreeNode = {
    ...row("broken"),
    children: () => {
      reads += 1;
      if (isBroken) throw new Error("full disk");
      return [row("a")];
    },
  };
  let otherReads = 0;
  const other: TreeNode = {
    ...row("other"),
    children: () => {
      otherReads += 1;
      throw new Error("full disk");
    },
  };
  await labels(other);
  await labels(node);
  expect((await tree.getChildren(node)).map(({ id }) => id)).toEqual(["broken/error"]);
  expect(reads).toBe(1);
  expect(await clickLast(node)).toEqual({
    label: "Something went wrong: full disk. See the log for details.",
    icon: { status: "error" },
    kind: "error",
    click: loadAgainCommand,
  });
  expect(redrawn).toBe(1);
  expect((await tree.getChildren(node)).map(({ id }) => id)).toEqual(["broken/error"]);
  expect(reads).toBe(2);
  await labels(other);
  expect(otherReads).toBe(1);
  isBroken = false;
  tree.retryFailed();
  expect(await labels(node)).toEqual(["a"]);
});

test("its title follows the language of the window", () => {
  expect(view.title).toBe("View");
  settingsChanged();
  expect(redrawn).toBe(0);
  title = "Overzicht";
  settingsChanged();
  expect([view.title, redrawn]).toEqual(["Overzicht", 1]);
  title = "View";
  settingsChanged();
  expect(view.title).toBe("View");
});

test("reads rows again once a project is up to date, and only those that could not be read", async () => {
  let isBroken = true;
  const node: TreeNode = {
    ...row("late"),
    children: async () => {
      if (isBroken) throw new Error("offline");
      return [row("a")];
    },
  };
  expect((await tree.getChildren(node)).map(({ id }) => id)).toEqual(["late/error"]);
  isBroken = false;
  freshnessChanged({ freshness: { kind: "offline" } });
  expect([redrawn, (await tree.getChildren(node)).map(({ id }) => id)]).toEqual([0, ["late/error"]]);
  freshnessChanged({ freshness: { kind: "fresh" } });
  expect([redrawn, await labels(node)]).toEqual([1, ["a"]]);
  freshnessChanged({ freshness: { kind: "fresh" } });
  expect(redrawn).toBe(1);
});

test("says that rows did not come in time, or why they could not be read", async () => {
  const ended = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(ended.signal);
  const reading = labels({ ...row("slow"), children: () => new Promise(() => undefined) });
  expect(timeout.mock.calls).toEqual([[30_000]]);
  ended.abort(new Error("30 s"));
  const [message] = await reading;
  expect(message).toMatch(/in time/u);
  const failing = { ...row("failing"), children: () => Promise.reject(new Error("full disk")) };
  expect((await labels(failing))[0]).toContain("full disk");
});

test("a click on a row that reads again, or shows more, does that", async () => {
  const works = new Map<object, (...args: readonly unknown[]) => Promise<unknown>>();
  registerTreeCommands({
    command: (declaration: object, work: () => Promise<unknown>) => void works.set(declaration, work),
  } as unknown as App);
  const done: string[] = [];
  for (const command of [loadAgainCommand, loadMoreCommand])
    expect(await works.get(command)?.(app, { act: () => void done.push(command.id) })).toEqual({
      outcome: "done",
    });
  expect(done).toEqual([loadAgainCommand.id, loadMoreCommand.id]);
});
