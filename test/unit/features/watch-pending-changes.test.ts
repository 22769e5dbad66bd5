/** When it is counted again what is to be pushed and pulled. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { registerPendingCounts } from "../../../src/features/activity-view/watch-pending-changes.ts";
import type { CommandRunner } from "../support/command-runner.ts";
import type { FixtureProject } from "../support/fixture-project.ts";
import { openShop, translate } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([]));
});
afterEach(() => shop.close());

test("a language with its first translation is counted at once, others only with their texts", async () => {
  let render: (open: unknown, changed: ReadonlySet<string>) => void = () => undefined;
  const subscribe = (_: unknown, work: typeof render) => {
    render = work;
    return { dispose: () => undefined };
  };
  Object.assign(commands.app.projects, { subscribe });
  registerPendingCounts(commands.app);
  const count = vi.spyOn(commands.open.connection, "countPendingChanges");
  const countsAfter = (changed: string): number => {
    count.mockClear();
    render(commands.open, new Set([changed]));
    return count.mock.calls.length;
  };
  countsAfter("keys");
  expect([countsAfter("stats"), countsAfter("translations")]).toEqual([0, 1]);
  await translate(window, { title: "Je mandje" });
  expect([countsAfter("stats"), countsAfter("stats")]).toEqual([1, 0]);
  await translate(window, { total: "Totaal: :amount" });
  expect(countsAfter("stats")).toBe(0);
});
