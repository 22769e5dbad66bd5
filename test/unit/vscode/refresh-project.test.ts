/** Refreshes before a command: a complete cache is enough while the service cannot be reached, not with a refused token. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureKeys, ensureRefreshed } from "../../../src/vscode/projects/refresh-project.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { openShop } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** What the service answers instead; `null`: as it does. */
let status: number | null;
beforeEach(async () => {
  status = null;
  ({ shop, window, commands } = await openShop([], {
    intercept: (_request, forward) =>
      status === null ? forward() : Promise.resolve(Response.json({ message: "No." }, { status })),
  }));
  await refresh();
});
afterEach(() => shop.close());

const refresh = () => ensureRefreshed(commands.open, new AbortController().signal);

test("goes on with what was read before while the service cannot be reached", async () => {
  window.goOffline();
  await refresh();
  expect(window.project.freshness.kind).toBe("offline");
});

test.each([401, 403])(
  "fails if the service answers %i, also with everything that was read before",
  async (code) => {
    status = code;
    await expect(refresh()).rejects.toMatchObject({ status: code });
    status = null;
    await refresh();
    expect(window.project.freshness.kind).toBe("fresh");
  },
);

test("asks for the keys again only if they were never read completely", async () => {
  const { signal } = new AbortController();
  window.goOffline();
  await ensureKeys(commands.open, signal);
  expect(window.project.freshness.kind).toBe("fresh");
  window.project.syncMetadata.clear(null);
  await ensureKeys(commands.open, signal);
  expect(window.project.freshness.kind).toBe("offline");
});

test("fails without everything that was read before", async () => {
  window.project.syncMetadata.clear(null);
  window.goOffline();
  await expect(refresh()).rejects.toMatchObject({ kind: "offline" });
});
