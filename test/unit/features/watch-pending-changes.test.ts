/** When it is counted again what is to be pushed and pulled. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { registerPendingCounts } from "../../../src/features/activity-view/watch-pending-changes.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { createCommandRunner, rootOf, type CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { DUTCH, ENGLISH, openShop, translate } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([]));
});
afterEach(() => shop.close());

let disposables: { dispose(): void }[];
/** Registers the counts. Returns what counts as the views do when tables of the project changed, or of another one. */
function register(): (changed: string | readonly string[], open?: OpenProject) => void {
  let render: (open: unknown, changed: ReadonlySet<string>) => void = () => undefined;
  let subscribed: readonly string[] = [];
  const subscribe = (tables: readonly string[], work: typeof render) => {
    subscribed = tables;
    render = work;
    return { dispose: () => undefined };
  };
  Object.assign(commands.app.projects, { subscribe });
  const addDisposable = (...given: typeof disposables) => (disposables = given);
  registerPendingCounts(Object.assign(commands.app, { addDisposable }));
  return (changed, open = commands.open) => {
    const tables = [changed].flat();
    if (tables.some((table) => subscribed.includes(table))) render(open, new Set(tables));
  };
}

test("a language with its first translation is counted at once, others only with their texts", async () => {
  const change = register();
  const count = vi.spyOn(commands.open.connection, "countPendingChanges");
  const countsAfter = (changed: string): number => {
    count.mockClear();
    change(changed);
    return count.mock.calls.length;
  };
  expect(["keys", "files", "renames"].map(countsAfter)).toEqual([1, 1, 1]);
  expect([countsAfter("stats"), countsAfter("translations")]).toEqual([0, 1]);
  await translate(window, { title: "Je mandje" });
  expect([countsAfter("stats"), countsAfter("stats")]).toEqual([1, 0]);
  count.mockClear();
  change(["stats", "keys"]);
  expect(count).toHaveBeenCalledTimes(1);
  await translate(window, { total: "Totaal: :amount" });
  expect(countsAfter("stats")).toBe(0);
  // Another project, which has the same languages.
  const other = await shop.open("two");
  await other.refresher.refresh();
  const { open } = createCommandRunner(other, rootOf(shop), []);
  const others = vi.spyOn(open.connection, "countPendingChanges");
  change("stats", open);
  expect(others).toHaveBeenCalledTimes(1);
});

test("nothing is counted without all keys or without files, nor once the window is closed", async () => {
  const change = register();
  const count = vi.spyOn(commands.open.connection, "countPendingChanges");
  const { file } = commands.open;
  Object.assign(commands.open, { file: { files: [] } });
  change("files");
  expect(count).not.toHaveBeenCalled();
  Object.assign(commands.open, { file });
  window.project.setActivity({ pushCounts: null });
  change("files");
  const [signal] = count.mock.lastCall ?? [];
  for (const each of disposables) each.dispose();
  expect(signal?.aborted).toBe(true);
  await expect(count.mock.results[0]?.value).rejects.toBe(signal?.reason);
  await new Promise(setImmediate);
  expect(window.log.lines.filter((line) => line.includes("could not be counted"))).toEqual([]);
  expect(window.project.activity.pushCounts).toBeNull();
  window.project.syncMetadata.clear(null);
  change("files");
  expect(count).toHaveBeenCalledTimes(1);
});

test("files that could not be read completely are named with the counts", async () => {
  const change = register();
  await shop.write(DUTCH, "<?php\n\nreturn ['title' => 'Mandje',, ];\n");
  await window.local.reload();
  change("files");
  const paths = () => window.project.activity.incomplete.map(({ path }) => path);
  await waitUntil(() => paths().length > 0);
  expect(paths()).toEqual([DUTCH]);
  await shop.write(DUTCH, "<?php\n\nreturn ['title' => 'Mandje'];\n");
  await window.local.reload();
  change("files");
  await waitUntil(() => paths().length === 0);
});

test("what was counted before the last change is not shown, and a count that failed is made again", async () => {
  const { connection } = commands.open;
  const change = register();
  const shown = () => window.project.activity.pushCounts?.changed;
  change("files");
  await waitUntil(() => shown() === 0);
  const real = connection.countPendingChanges.bind(connection);
  let showFirst: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (showFirst = resolve));
  let isFirstDone = false;
  const count = vi.spyOn(connection, "countPendingChanges").mockImplementationOnce(async () => {
    const counts = await real();
    await first;
    isFirstDone = true;
    return counts;
  });
  change("files");
  const [signal] = count.mock.lastCall ?? [];
  await shop.edit(ENGLISH, "'Your cart'", "'Our cart'");
  await window.local.reload();
  change("files");
  expect(signal?.aborted).toBe(true);
  await waitUntil(() => shown() === 1);
  showFirst();
  await waitUntil(() => isFirstDone);
  await new Promise(setImmediate);
  expect(shown()).toBe(1);
  count.mockRejectedValueOnce(new Error("a full disk"));
  change("files");
  await waitUntil(() => window.log.lines.some((line) => line.includes("a full disk")));
  await shop.edit(ENGLISH, "'Our cart'", "'Your cart'");
  await window.local.reload();
  change("files");
  await waitUntil(() => shown() === 0);
});
