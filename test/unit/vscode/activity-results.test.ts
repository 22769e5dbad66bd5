/** Results of commands are listed at once, and stored for the project that they belong to, also while it cannot be written. */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ActivityResults } from "../../../src/vscode/projects/activity-results.ts";
import { type CommandRunner } from "../support/command-runner.ts";
import { type FixtureProject } from "../support/fixture-project.ts";
import { openShop } from "../support/open-shop.ts";
import type { TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
let window: TestWindow;
let commands: CommandRunner;
let results: ActivityResults;
/** Whether nobody signed in to another project. */
let isSame: boolean;
beforeEach(async () => {
  ({ shop, window, commands } = await openShop([], { isPushed: false }));
  results = new ActivityResults();
  isSame = true;
  Object.assign(window.project, { mayStore: () => isSame });
});
afterEach(() => shop.close());

const messages = (list = results) => list.of(commands.open).map(({ message }) => message);
/** As another window of the project lists them. */
const stored = () => messages(new ActivityResults());

/** Runs work while another process writes to the cache. */
async function whileWritten(work: () => void): Promise<void> {
  const other = new DatabaseSync(window.database.path ?? "");
  other.exec("BEGIN IMMEDIATE");
  work();
  // Transactions that wait come in turn.
  const ended = window.database.transactionAsync(() => undefined);
  other.exec("COMMIT");
  other.close();
  await ended;
}

test("lists what is not stored yet, newest first, and stores it then", async () => {
  results.add(commands.open, "first");
  await window.yieldNow();
  await whileWritten(() => {
    results.add(commands.open, "second", "partly");
    expect(messages()).toEqual(["second", "first"]);
    expect(stored()).toEqual(["first"]);
  });
  expect(stored()).toEqual(["second", "first"]);
  expect(results.of(commands.open)).toMatchObject([{ kind: "partly" }, { kind: "done" }]);
});

test("stores nothing for a project that was signed in to before it could be stored", async () => {
  await whileWritten(() => {
    results.add(commands.open, "of the first project");
    isSame = false;
  });
  results.add(commands.open, "of the other project, which is open elsewhere");
  expect(messages()).not.toContain("of the other project, which is open elsewhere");
  await window.database.transactionAsync(() => undefined);
  expect(stored()).toEqual([]);
});

test("only the latest result of a kind has its menu, until that ends", async () => {
  for (const message of ["first", "second"]) results.add(commands.open, message, "done", "pulled");
  results.add(commands.open, "third");
  await window.yieldNow();
  const menus = () => results.of(commands.open).map(({ context }) => context);
  expect(menus()).toEqual([undefined, "pulled", undefined]);
  results.add(commands.open, "fourth", "done", "runningJob");
  await window.yieldNow();
  expect(menus()).toEqual(["runningJob", undefined, "pulled", undefined]);
  let changes = 0;
  results.onDidChange(() => (changes += 1));
  results.end(commands.open, "pulled");
  expect(changes).toBe(1);
  expect(menus()).toEqual(["runningJob", undefined, undefined, undefined]);
});

test("what cannot be stored stays listed in this window", async () => {
  vi.spyOn(window.database, "transactionAsync").mockRejectedValueOnce(new Error("full disk"));
  results.add(commands.open, "not stored", "failed");
  await window.yieldNow();
  results.add(commands.open, "stored");
  await window.database.transactionAsync(() => undefined);
  expect([messages(), stored()]).toEqual([["stored", "not stored"], ["stored"]]);
});
