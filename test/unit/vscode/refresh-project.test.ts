/** Refreshes before a command: a complete cache is enough while the service cannot be reached, not with a refused token. */
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  ensureKeys,
  ensureKeysRefreshed,
  ensureRefreshed,
  refreshInBackground,
  reloadFiles,
} from "../../../src/vscode/projects/refresh-project.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { openShop } from "../support/open-shop.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import type { TestWindow } from "../support/test-window.ts";
import { waitUntil } from "../support/wait-until.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
/** What the service answers instead; `null`: as it does. */
let status: number | null;
/** Whether the service answers nothing. */
let held: boolean;
beforeEach(async () => {
  [status, held] = [null, false];
  ({ shop, window, commands } = await openShop([], {
    intercept: (_request, forward, signal) =>
      held
        ? untilAborted(signal)
        : status === null
          ? forward()
          : Promise.resolve(Response.json({ message: "No." }, { status })),
  }));
  await refresh();
});
afterEach(() => shop.close());

const untilAborted = (signal: AbortSignal | undefined): Promise<Response> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
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

test("a person who leaves waits no longer for the service", async () => {
  const leaving = new AbortController();
  held = true;
  const refreshing = ensureRefreshed(commands.open, leaving.signal);
  leaving.abort(new Error("left"));
  await expect(refreshing).rejects.toThrow("left");
  window.project.syncMetadata.clear(null);
  const reading = new AbortController();
  const ensuring = ensureKeys(commands.open, reading.signal);
  reading.abort(new Error("left, too"));
  await expect(ensuring).rejects.toThrow("left, too");
});

test("fails without everything that was read before", async () => {
  window.project.syncMetadata.clear(null);
  window.goOffline();
  await expect(refresh()).rejects.toMatchObject({ kind: "offline" });
});

/** The calls of a project whose texts come from its files, or from a service, too. */
function callsOf(hasService: boolean) {
  const called: string[] = [];
  const note = (name: string) => async () => void called.push(name);
  const refresh = async () => void called.push("refresh");
  const connection = {
    source: { hasService },
    freshness: { kind: "fresh" },
    loadLocal: note("files"),
    loadLocalKeys: note("keys of files"),
    refresher: Promise.resolve({ refresh }),
  };
  const local = { reload: note("reload") };
  const open = { ...connection, connection, local, keysComplete: true } as unknown as OpenProject;
  return { open, called };
}

test.each([
  [true, ["refresh"], ["refresh"], ["files"], []],
  [false, ["files"], ["keys of files"], ["files"], ["reload", "files"]],
] as const)(
  "what is read with a service or without: %s",
  async (hasService, all, keys, ensured, reloaded) => {
    const { signal } = new AbortController();
    for (const [read, expected] of [
      [ensureRefreshed, all],
      [ensureKeysRefreshed, keys],
      [ensureKeys, ensured],
      [reloadFiles, reloaded],
    ] as const) {
      const { open, called } = callsOf(hasService);
      await read(open, signal);
      expect(called).toEqual(expected);
    }
  },
);

test("a refresh in the background is not waited for, and its failure is no error", async () => {
  window.goOffline();
  expect(refreshInBackground(commands.open)).toBeUndefined();
  await waitUntil(() => window.project.freshness.kind === "offline");
});
