/** Large lists of rows are shown page by page; rows that could not be read are read again. */
import { beforeEach, expect, test } from "vitest";
import type { App } from "../../../src/vscode/app.ts";
import { createTreeView } from "../../../src/vscode/ui/tree-view/lazy-tree-provider.ts";
import { pagedRows, type TreeNode } from "../../../src/vscode/ui/tree-view/tree-node.ts";

const row = (id: string): TreeNode => ({ id, content: () => ({ label: id, icon: "key" }) });
const app = {
  addDisposable: () => undefined,
  store: { subscribe: () => undefined },
  projects: { subscribe: () => undefined },
} as unknown as App;
const { tree } = createTreeView(
  app,
  "view",
  () => "View",
  () => [],
);
let redrawn: number;
beforeEach(() => {
  redrawn = 0;
  tree.onDidChangeTreeData(() => (redrawn += 1));
});

const labels = async (node: TreeNode): Promise<readonly string[]> =>
  (await tree.getChildren(node)).map(({ content }) => content().label);
/** Clicks the last row. */
async function clickLast(node: TreeNode): Promise<void> {
  const { commandOptions } = (await tree.getChildren(node)).at(-1) ?? {};
  (commandOptions as { act(): void }).act();
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
    await clickLast(node);
  }
  expect(await labels(node)).toHaveLength(320);
  expect(redrawn).toBe(3);
  expect(await labels(other)).toHaveLength(101);
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
  await labels(node);
  expect((await tree.getChildren(node)).map(({ id }) => id)).toEqual(["broken/error"]);
  expect(reads).toBe(1);
  await clickLast(node);
  expect((await tree.getChildren(node)).map(({ id }) => id)).toEqual(["broken/error"]);
  expect(reads).toBe(2);
  isBroken = false;
  tree.retryFailed();
  expect(await labels(node)).toEqual(["a"]);
});
