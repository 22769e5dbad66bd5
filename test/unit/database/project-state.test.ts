/** Change events of a project's state, and its state after a reset. */
import { expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import type { ProjectChange } from "../../../src/database/project-changes.ts";
import { Project } from "../../../src/database/project-state.ts";
import { STATS } from "./two-languages.ts";

const FRESH = { kind: "fresh", at: 1 } as const;
const JOB = {
  job: {
    ...{ id: 1, type: "import", status: "running", createdAt: "2026-01-01T00:00:00Z", finishedAt: null },
    ...{ result: null, error: null },
  },
  ...{ kind: "import", subject: ["a"], startedAt: 1, watching: true },
};

function open() {
  const project = new Project("id", "label", new Database());
  const changes: ProjectChange[] = [];
  const subscription = project.onDidChange((change) => changes.push(change));
  return { project, subscription, told: () => changes.splice(0) };
}

test("reports each kind of change", () => {
  const { project, told } = open();
  const row = {
    from: { namespace: "*", key: "a", context: null },
    to: { namespace: "*", key: "b", context: null },
  };
  const changes: [() => void, ProjectChange][] = [
    [() => project.setSession({ kind: "signed-out" }), { session: true }],
    [() => project.setStats(STATS, FRESH), { stats: true }],
    [() => project.setStats(structuredClone(STATS), { kind: "fresh", at: 2 }), { checked: true }],
    [() => project.setStats(STATS, { kind: "offline", at: 2, error: "offline" }), { stats: true }],
    [() => project.keysChanged(), { keys: true }],
    [() => project.translationsChanged("nl"), { rows: ["nl"] }],
    [() => project.setJobs([JOB as never]), { jobs: true }],
    [() => project.setActivity({ waiting: { kind: "busy", reason: null, until: 1 } }), { activity: true }],
    [() => project.setActivity({ busyWith: "1/2" }), { activity: true }],
    [() => project.setActivity({ listeningAt: "http://127.0.0.1" }), { activity: true }],
    [() => project.setActivity({ pushCounts: { new: 1, changed: 0, restored: 0 } }), { activity: true }],
    [() => project.setActivity({ pullCount: 1 }), { activity: true }],
    [() => project.setActivity({ localOnly: new Map([["nl", 1]]) }), { activity: true, localOnly: true }],
    [() => project.setActivity({ renames: [row] }), { activity: true }],
    [() => project.notify({ search: true }), { search: true }],
    [() => project.notify({ drafts: true }), { drafts: true }],
    [() => project.notify({ local: true }), { local: true }],
    [() => project.showLocal(STATS, false, ["nl"]), { stats: true, rows: ["nl"] }],
    [() => project.showLocal(STATS, true, []), { rows: [], keys: true }],
  ];
  for (const [change, expected] of changes) {
    change();
    expect(told()).toEqual([expected]);
  }
});

test("reports cleared state as initial", () => {
  const { project, told } = open();
  const state = () => {
    const { isLocal, stats, freshness, jobs, activity } = project;
    return {
      ...{ isLocal, stats, freshness, jobs, activity },
      locales: project.loadedLocales(),
      sourceLocale: project.sourceLocale,
    };
  };
  const before = state();
  project.setSession({ kind: "signed-in", baseUrl: "x", slug: "s", name: "S", canWrite: true });
  project.showLocal(STATS, true, ["nl"]);
  project.setStats(STATS, FRESH);
  project.translationsChanged("fr");
  project.setJobs([JOB as never]);
  project.setActivity({ waiting: { kind: "busy", reason: null, until: 1 } });
  project.setActivity({ pushCounts: { new: 1, changed: 0, restored: 0 } });
  project.setActivity({ pullCount: 1 });
  project.setActivity({ localOnly: new Map([["nl", 1]]) });
  const from = { namespace: "*", key: "a", context: null };
  project.setActivity({ renames: [{ from, to: { ...from, key: "b" } }] });
  expect(state()).toMatchObject({ isLocal: true, locales: ["nl", "fr"], sourceLocale: "en" });
  told();
  const keys = project.keys;
  project.reset({ kind: "signed-out" });
  expect(state()).toEqual(before);
  expect(project.session).toEqual({ kind: "signed-out" });
  expect(project.keys).not.toBe(keys);
  expect(told()).toEqual([
    { session: true, stats: true, keys: true, rows: ["nl", "fr"], jobs: true, activity: true },
  ]);
});

test("isolates throwing listeners and skips unsubscribed ones", () => {
  const project = new Project("id", "label", new Database());
  let heard = 0;
  project.onDidChange(() => {
    throw new Error("mine");
  });
  const second = project.onDidChange(() => heard++);
  expect(() => project.keysChanged()).toThrow("a listener of the project threw an exception");
  expect(heard).toBe(1);
  second.dispose();
  expect(() => project.keysChanged()).toThrow();
  expect(heard).toBe(1);
});

test("knows missing rows only after the language was read completely", () => {
  const { project } = open();
  const cursor = {
    contentVersion: 1,
    counts: [],
    since: null,
    keysSince: null,
    fullReadAt: 0,
    differences: [],
  };
  const hash = "a".repeat(40);
  project.translations.put(
    "nl",
    [
      {
        ...{ hash, text: { value: "x" }, isTranslated: true, isOutdated: false, issues: [] },
        ...{ version: 1, updatedAt: null },
      },
    ],
    1,
  );
  expect(project.translation("nl", hash)).toBeUndefined();
  project.syncMetadata.setCursor(cursor, "nl");
  expect(project.isComplete("nl")).toBe(false);
  project.translationsChanged("nl");
  expect(project.translation("nl", hash)?.text).toEqual({ value: "x" });
  expect([project.isComplete("nl"), project.isComplete("fr")]).toEqual([true, false]);
});

test("shows what other windows read once, with their stats", () => {
  const { project, told } = open();
  const other = new Project("id", "label", project.database);
  const later = { ...STATS, contentVersion: 2 };
  project.translationsChanged("nl");
  told();
  project.showExternalChanges();
  expect(told()).toEqual([]);

  other.syncMetadata.stats = { stats: later, checkedAt: 1 };
  other.syncMetadata.nextRevision();
  const { keys } = project;
  project.showExternalChanges();
  expect(told()).toEqual([{ stats: true, keys: true, rows: ["nl"] }]);
  expect([project.stats, project.keys === keys]).toEqual([null, false]);
  project.showExternalChanges();
  expect(told()).toEqual([]);

  project.setStats(STATS, FRESH);
  other.syncMetadata.nextRevision();
  project.showExternalChanges();
  expect(project.stats).toEqual(later);
});

test("notifies other windows when a language was read completely", () => {
  const { project } = open();
  const other = new Project("id", "label", project.database);
  const cursor = {
    contentVersion: 1,
    counts: [],
    since: null,
    keysSince: null,
    fullReadAt: 0,
    differences: [],
  };
  project.syncMetadata.setCursor(cursor, "nl");
  expect([other.syncMetadata.hasExternalChanges(), other.syncMetadata.hasExternalChanges()]).toEqual([
    true,
    false,
  ]);
  expect(project.syncMetadata.hasExternalChanges()).toBe(false);
});
