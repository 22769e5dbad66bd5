/** Change events of a project's state, and its state after a reset. */
import { expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { addRename, removeRename } from "../../../src/database/personal/pending-rename-repository.ts";
import { Project } from "../../../src/database/project-state.ts";
import type { StoreTable } from "../../../src/database/store.ts";
import { STATS } from "./two-languages.ts";
import { COMPLETE_CURSOR } from "../support/complete-cursor.ts";

const FRESH = { kind: "fresh", at: 1 } as const;
const JOB = {
  job: {
    id: 1,
    type: "import",
    status: "running",
    createdAt: "2026-01-01T00:00:00Z",
    finishedAt: null,
    result: null,
    error: null,
  },
  kind: "import",
  subject: ["a"],
  startedAt: 1,
  watching: true,
};

function open() {
  const project = new Project("id", "label", new Database());
  const changes: StoreTable[] = [];
  project.onDidChange((table) => changes.push(table));
  return { project, told: () => changes.splice(0) };
}

test("counts each kind of change", () => {
  const { project, told } = open();
  const row = {
    from: { namespace: "*", key: "a", context: null },
    to: { namespace: "*", key: "b", context: null },
  };
  const changes: [() => void, StoreTable[]][] = [
    [() => project.setSession({ kind: "signed-out" }), ["session"]],
    [() => project.setStats(STATS, FRESH), ["stats", "freshness"]],
    [() => project.setStats(structuredClone(STATS), { kind: "fresh", at: 2 }), ["freshness"]],
    [() => project.setStats(STATS, { kind: "offline", at: 2, error: "offline" }), ["stats", "freshness"]],
    [() => project.showLanguage("nl"), ["translations"]],
    [() => project.showLanguage("nl"), []],
    [() => project.setJobs([JOB as never]), ["jobs"]],
    [() => project.setActivity({ waiting: { kind: "busy", reason: null, until: 1 } }), ["activity"]],
    [() => project.setActivity({ waiting: { kind: "busy", reason: null, until: 1 } }), []],
    [() => project.setActivity({ busyWith: "1/2", pullCount: null }), ["activity"]],
    [() => project.setActivity({ listeningAt: "http://127.0.0.1" }), ["activity"]],
    [() => project.setActivity({ pushCounts: { new: 1, changed: 0, restored: 0 } }), ["pending"]],
    [() => project.setActivity({ pullCount: 1, busyWith: null }), ["pending", "activity"]],
    [() => project.setActivity({ localOnly: new Map([["nl", 1]]) }), ["pending"]],
    [() => project.setActivity({ renames: [row] }), ["pending"]],
    [() => project.changed("search", "files"), ["search", "files"]],
    [() => addRename(project, row.from, row.to), ["renames"]],
    [() => removeRename(project, row.from), ["renames"]],
    [() => project.showLocal(STATS, false, ["nl"]), ["stats", "translations"]],
    [() => project.showLocal(STATS, true, []), ["keys"]],
  ];
  for (const [change, expected] of changes) {
    change();
    expect(told()).toEqual(expected);
  }
});

test("reports cleared state as initial", () => {
  const { project, told } = open();
  const state = () => {
    const { source, stats, freshness, jobs, activity } = project;
    return {
      isKnown: source.isKnown,
      stats,
      freshness,
      jobs,
      activity,
      locales: project.loadedLocales(),
      sourceLocale: project.sourceLocale,
    };
  };
  const before = state();
  project.setSession({ kind: "signed-in", baseUrl: "x", slug: "s", name: "S", canWrite: true });
  project.showLocal(STATS, true, ["nl"]);
  project.setStats(STATS, FRESH);
  project.showLanguage("fr");
  project.setJobs([JOB as never]);
  project.setActivity({ waiting: { kind: "busy", reason: null, until: 1 } });
  project.setActivity({ pushCounts: { new: 1, changed: 0, restored: 0 } });
  project.setActivity({ pullCount: 1 });
  project.setActivity({ localOnly: new Map([["nl", 1]]) });
  const from = { namespace: "*", key: "a", context: null };
  project.setActivity({ renames: [{ from, to: { ...from, key: "b" } }] });
  expect(state()).toMatchObject({ isKnown: true, locales: ["nl", "fr"], sourceLocale: "en" });
  told();
  project.reset({ kind: "signed-out" });
  expect(state()).toEqual(before);
  expect(project.session).toEqual({ kind: "signed-out" });
  expect(told().sort()).toEqual([
    ...["activity", "freshness", "jobs", "keys", "pending", "session", "stats", "translations"],
  ]);
});

test("knows missing rows only after the language was read completely", () => {
  const { project } = open();
  const hash = "a".repeat(40);
  project.translations.put(
    "nl",
    [
      {
        hash,
        text: { value: "x" },
        isTranslated: true,
        isOutdated: false,
        issues: [],
        version: 1,
        updatedAt: null,
      },
    ],
    1,
  );
  expect(project.translation("nl", hash)).toBeUndefined();
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  expect(project.isComplete("nl")).toBe(false);
  project.showLanguage("nl");
  expect(project.translation("nl", hash)?.text).toEqual({ value: "x" });
  expect([project.isComplete("nl"), project.isComplete("fr")]).toEqual([true, false]);
});

test("shows what other windows read once, with their stats", () => {
  const { project, told } = open();
  const other = new Project("id", "label", project.database);
  const later = { ...STATS, contentVersion: 2 };
  project.showLanguage("nl");
  told();
  project.showExternalChanges();
  expect(told()).toEqual([]);

  other.syncMetadata.stats = { stats: later, checkedAt: 1 };
  other.syncMetadata.nextRevision();
  told();
  project.showExternalChanges();
  expect(told()).toEqual(["stats", "keys", "translations"]);
  expect(project.stats).toBeNull();
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
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  expect([other.syncMetadata.hasExternalChanges(), other.syncMetadata.hasExternalChanges()]).toEqual([
    true,
    false,
  ]);
  expect(project.syncMetadata.hasExternalChanges()).toBe(false);
});
