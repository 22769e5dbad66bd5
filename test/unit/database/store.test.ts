/** What is shown is rendered soon after a change of a table, less often while files are read, never twice for one state. */
import { beforeEach, expect, test, vi } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { Project } from "../../../src/database/project-state.ts";
import { Store, type StoreTable } from "../../../src/database/store.ts";
import { COMPLETE_CURSOR } from "../support/complete-cursor.ts";
import { STATS } from "./two-languages.ts";

let store: Store<object>;
let errors: unknown[];
let project: Project;

const openProject = (id: string, database = new Database()): Project =>
  new Project(id, id, database, new PersonalData(), store);

beforeEach(() => {
  vi.useFakeTimers();
  errors = [];
  store = new Store((error) => errors.push(error));
  project = openProject("one");
});

const nameOf = (owner: object | null): string => (owner as Project).id;

/** Records what a subscriber is called with. */
function record(...tables: readonly StoreTable[]): { take(): (readonly [string, ...StoreTable[]])[][] } {
  const calls: (readonly [string, ...StoreTable[]])[][] = [];
  store.subscribe(tables, (changed) =>
    calls.push(Array.from(changed, ([each, names]) => [nameOf(each), ...names] as const)),
  );
  return { take: () => calls.splice(0) };
}

test("changes are rendered together, soon, and once", () => {
  const shown = record("keys", "translations", "session");
  const other = record("jobs");
  for (let time = 0; time < 3; time++) project.changed("keys", "translations");
  expect(shown.take()).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(shown.take()).toEqual([[["one", "keys", "translations"]]]);
  vi.advanceTimersByTime(5_000);
  expect([shown.take(), other.take()]).toEqual([[], []]);
});

test("subscribers that take long are called in turns of the event loop, each for the latest state", async () => {
  vi.useRealTimers();
  const called: string[] = [];
  const work = (name: string): void => {
    called.push(name);
    for (const end = performance.now() + 6; performance.now() < end;);
  };
  store.subscribe(["keys"], () => {
    work("one");
    // Runs before the next turn.
    queueMicrotask(() => {
      two.dispose();
      project.changed("jobs");
    });
  });
  const two = store.subscribe(["keys"], () => work("two"));
  const last = new Promise<void>((resolve) => {
    store.subscribe(["keys", "jobs"], (changed) => {
      work(`three: ${[...(changed.get(project) ?? [])].join(", ")}`);
      resolve();
    });
  });
  project.changed("keys");
  await last;
  expect(called).toEqual(["one", "three: keys, jobs"]);
});

test("a subscriber hears of each project, and of the window", () => {
  const two = openProject("two");
  const shown = record("keys", "settings");
  project.changed("keys");
  two.changed("keys");
  project.changed("search");
  vi.advanceTimersByTime(50);
  expect(shown.take()).toEqual([
    [
      ["one", "keys"],
      ["two", "keys"],
    ],
  ]);
  store.changed(null, "settings");
  vi.advanceTimersByTime(250);
  expect(shown.take()).toEqual([[]]);
  expect([project.version("keys"), two.version("keys"), two.version("search")]).toEqual([1, 1, 0]);
});

test("continuous changes are rendered four times a second, while files are read once a second", () => {
  const shown = record("keys");
  const changeFor = (seconds: number): number => {
    for (let time = 0; time < seconds * 100; time++) {
      vi.advanceTimersByTime(10);
      project.changed("keys");
    }
    return shown.take().length;
  };
  const calls = changeFor(5);
  expect(calls).toBeGreaterThanOrEqual(19);
  expect(calls).toBeLessThanOrEqual(21);
  const endReading = project.startReading();
  project.setReading(true);
  expect(changeFor(5)).toBe(5);
  endReading();
  endReading();
  // The files are still being read.
  expect(changeFor(5)).toBe(5);
  project.setReading(false);
  expect(changeFor(5)).toBeGreaterThanOrEqual(19);
});

test("a project that is closed while its files are read slows no other one down", () => {
  const two = openProject("two");
  const shown = record("keys");
  for (let time = 0; time < 2; time++) project.setReading(true);
  project.dispose();
  two.changed("keys");
  vi.advanceTimersByTime(50);
  two.changed("keys");
  vi.advanceTimersByTime(250);
  expect(shown.take()).toHaveLength(2);
});

test("the last changes are rendered when the reading ends", () => {
  const shown = record("keys");
  project.setReading(true);
  project.changed("keys");
  vi.advanceTimersByTime(50);
  project.changed("keys");
  vi.advanceTimersByTime(100);
  expect(shown.take()).toHaveLength(1);
  project.setReading(false);
  vi.advanceTimersByTime(50);
  expect(shown.take()).toHaveLength(1);
  vi.advanceTimersByTime(5_000);
  expect(shown.take()).toEqual([]);
});

test("what a person did is rendered soon while files are read, with what was held back", () => {
  const shown = record("keys", "drafts");
  project.setReading(true);
  project.changed("keys");
  vi.advanceTimersByTime(50);
  shown.take();
  project.changed("keys");
  vi.advanceTimersByTime(100);
  expect(shown.take()).toEqual([]);
  project.changed("drafts");
  vi.advanceTimersByTime(50);
  expect(shown.take()).toEqual([[["one", "keys", "drafts"]]]);
});

test("a change during rendering is rendered again", () => {
  let renders = 0;
  store.subscribe(["keys"], () => {
    if (++renders === 1) project.changed("keys");
  });
  project.changed("keys");
  vi.advanceTimersByTime(5_000);
  expect(renders).toBe(2);
});

test("a closed project and a disposed subscriber are called no more", () => {
  const shown = record("keys");
  let renders = 0;
  const subscription = store.subscribe(["keys"], () => renders++);
  project.changed("keys");
  project.dispose();
  subscription.dispose();
  vi.advanceTimersByTime(5_000);
  expect([shown.take(), renders]).toEqual([[[]], 0]);
});

test("an exception of one subscriber or listener does not affect the others", () => {
  const mine = new Error("mine");
  const fail = (): never => {
    throw mine;
  };
  store.subscribe(["keys"], fail);
  const heard: StoreTable[] = [];
  project.onDidChange(fail);
  project.onDidChange((table) => heard.push(table));
  const shown = record("keys");
  project.changed("keys");
  vi.advanceTimersByTime(50);
  expect([shown.take().length, heard, errors]).toEqual([1, ["keys"], [mine, mine]]);
});

test("a transaction counts the tables that it has changed, once it is committed", () => {
  const heard: StoreTable[] = [];
  project.onDidChange((table) => heard.push(table));
  const { database } = project;
  const version = database.version("translations");
  const row = {
    hash: "a".repeat(40),
    text: { value: "x" },
    isTranslated: true,
    isOutdated: false,
    issues: [],
    version: 1,
    updatedAt: null,
  };
  database.transaction(() => {
    project.translations.put("nl", [row], 2);
    project.translations.put("nl", [{ ...row, hash: "b".repeat(40) }], 2);
    expect(heard).toEqual([]);
  });
  expect(heard.splice(0)).toEqual(["translations"]);
  expect([project.version("translations"), database.version("translations") === version]).toEqual([1, false]);
  expect(() =>
    database.transaction(() => {
      project.translations.put("nl", [{ ...row, hash: "c".repeat(40) }], 2);
      throw new Error("undone");
    }),
  ).toThrow("undone");
  // Older than what is stored, so that nothing changes.
  project.translations.put("nl", [{ ...row, version: 0 }], 1);
  expect([heard, project.version("translations"), project.version("keys")]).toEqual([[], 1, 0]);
  const draft = { locale: "nl", hash: row.hash, text: { value: "y" }, base: null, baseVersion: null };
  project.drafts.put([{ ...draft, origin: "person", model: null, source: null }]);
  project.syncMetadata.set("results", []);
  expect(heard.splice(0)).toEqual(["drafts"]);
  const rejected = { locale: "nl", hash: row.hash, reason: "Too long.", source: { value: "x" }, version: 1 };
  project.rejectedTranslations.put(rejected);
  expect(heard.splice(0)).toEqual(["drafts"]);
  project.rejectedTranslations.remove(rejected);
  project.drafts.remove([draft]);
  expect(heard.splice(0)).toEqual(["drafts", "drafts"]);
  for (const locale of ["nl", undefined]) project.syncMetadata.setCursor(COMPLETE_CURSOR, locale);
  expect(heard).toEqual(["translations", "keys"]);
});

test("of two projects with one database, both are changed, until they are closed", () => {
  const again = openProject("again", project.database);
  const heard: string[] = [];
  store.onDidChange((table, changed) => heard.push(`${nameOf(changed)} ${table}`));
  const remove = (): void => project.database.transaction(() => project.database.count("keys"));
  remove();
  expect(heard.splice(0)).toEqual(["one keys", "again keys"]);
  project.dispose();
  remove();
  expect(heard).toEqual(["again keys"]);
  again.dispose();
});

test("a listener that is disposed of hears no more, and the others do", () => {
  const heard: string[] = [];
  const subscriptions = ["a", "b", "c"].map((name) =>
    store.onDidChange((table) => heard.push(`${name} ${table}`)),
  );
  subscriptions[1]?.dispose();
  project.changed("keys");
  expect(heard.splice(0)).toEqual(["a keys", "c keys"]);
  store.dispose();
  project.changed("keys");
  vi.advanceTimersByTime(5_000);
  expect(heard).toEqual([]);
});

test("nothing is rendered twice for the same state", () => {
  const activity = { busyWith: "1/2", localOnly: new Map([["nl", 1]]) };
  project.showLocal(STATS, true, ["nl"]);
  project.setActivity(activity);
  const heard: StoreTable[] = [];
  project.onDidChange((table) => heard.push(table));
  project.showLocal(structuredClone(STATS), false, []);
  project.setActivity(structuredClone(activity));
  expect(heard).toEqual([]);
  project.setActivity({ busyWith: "1/2", localOnly: new Map([["nl", 2]]) });
  project.showLocal(null, false, []);
  expect(heard).toEqual(["pending", "stats", "translations"]);
});
