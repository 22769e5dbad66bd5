/** Change events of a project's state, and its state after a reset. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { addRename, removeRename } from "../../../src/database/personal/pending-rename-repository.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { PERSONAL_SCHEMA } from "../../../src/database/personal/personal-schema.ts";
import { Project, projectKey, projectRow } from "../../../src/database/project-state.ts";
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
    [() => project.syncMetadata.setCursor(COMPLETE_CURSOR), ["keys"]],
    [() => project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl"), ["translations"]],
    [() => project.setJobs([JOB as never]), ["jobs"]],
    [() => project.setActivity({ waiting: { kind: "busy", reason: null, until: 1 } }), ["activity"]],
    [() => project.setActivity({ waiting: { kind: "busy", reason: null, until: 1 } }), []],
    [() => project.setActivity({ busyWith: "1/2", pullCount: null }), ["activity"]],
    [() => project.setActivity({ listeningAt: "http://127.0.0.1" }), ["activity"]],
    [() => project.setActivity({ pushCounts: { new: 1, changed: 0, restored: 0 } }), ["pending"]],
    [() => project.setActivity({ pullCount: 1, busyWith: null }), ["pending", "activity"]],
    [() => project.setActivity({ localOnly: new Map([["nl", 1]]) }), ["pending"]],
    [() => project.setActivity({ sourceAtService: 1 }), ["pending"]],
    [() => project.setActivity({ uncounted: ["nl"] }), ["pending"]],
    [() => project.setActivity({ changedInFiles: new Map([["nl", 1]]) }), ["pending"]],
    [() => project.setActivity({ conflicts: 1 }), ["pending"]],
    [() => project.setActivity({ incomplete: [{ path: "nl.json" } as never] }), ["pending"]],
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

  // Those of the last request that succeeded here are shown with the time of that.
  project.setStats(STATS, { kind: "offline", at: 1, error: "offline" });
  other.syncMetadata.nextRevision();
  project.showExternalChanges();
  expect(project.stats).toEqual(STATS);
});

test("shows the languages that the files have now", () => {
  const { project } = open();
  project.showLocal(STATS, true, ["nl"]);
  expect([project.loadedLocales(), project.source.isKnown]).toEqual([["nl"], true]);
  const languages = STATS.languages.map((each) => (each.isSource ? each : { ...each, locale: "fr" }));
  project.showLocal({ ...STATS, languages }, false, ["nl", "fr"]);
  expect(project.loadedLocales()).toEqual(["fr"]);
  project.showLocal(null, true, ["fr"]);
  expect([project.loadedLocales(), project.source.isKnown, project.sourceLocale]).toEqual([[], false, null]);
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

test("shows the translations of the languages that it keeps up to date, in all or in one", () => {
  const { project } = open();
  const hash = "a".repeat(40);
  const row = { isTranslated: true, isOutdated: false, issues: [], version: 1, updatedAt: null };
  for (const locale of ["nl", "fr", "de"]) {
    project.translations.put(locale, [{ ...row, hash, text: { value: locale } }], 1);
    if (locale !== "de") project.syncMetadata.setCursor(COMPLETE_CURSOR, locale);
  }
  for (const locale of ["nl", "de"]) project.showLanguage(locale);
  expect([...project.translationsOf(hash).keys()].toSorted()).toEqual(["de", "nl"]);
  expect([...project.translationsOf(hash, "de").keys()]).toEqual(["de"]);
  expect([project.translationsOf(hash, "fr").size, project.translation("fr", hash)]).toEqual([0, undefined]);
  // French is known, but not shown; German is shown, but not known.
  expect([...project.completeLocales()]).toEqual(["nl"]);
  expect(["nl", "fr", "de"].map((locale) => project.isComplete(locale))).toEqual([true, false, false]);
});

test("shows drafts and renames that another window stored, once", () => {
  const folder = mkdtempSync(join(tmpdir(), "project-state-"));
  const [mine, theirs] = [1, 2].map(
    () => new Database(join(folder, "personal.db"), undefined, undefined, PERSONAL_SCHEMA),
  ) as [Database, Database];
  const project = new Project("id", "label", new Database(), new PersonalData(mine));
  const told: StoreTable[] = [];
  project.onDidChange((table) => told.push(table));
  project.showExternalChanges();
  project.personal.set("jobs", []);
  project.showExternalChanges();
  expect(told).toEqual([]);
  new PersonalData(theirs).set("renames", []);
  project.showExternalChanges();
  project.showExternalChanges();
  expect(told).toEqual(["drafts", "renames"]);
  for (const each of [mine, theirs]) each.close();
  rmSync(folder, { recursive: true });
});

test("what was asked for before a sign-out, or for another project, may not be stored any more", () => {
  const { project } = open();
  const other = new Project("id", "label", project.database);
  const signedIn = { kind: "signed-in", baseUrl: "x", slug: "s", name: "S", canWrite: true } as const;
  project.setSession(signedIn);
  const first = project.sessionGuard();
  expect(first()).toBe(true);
  other.syncMetadata.content = { kind: "service", project: "shop" };
  const shop = project.sessionGuard();
  expect([first(), shop()]).toEqual([false, true]);
  project.setSession({ kind: "refused", baseUrl: "x", reason: "archived" });
  expect(shop()).toBe(true);
  other.syncMetadata.content = { kind: "service", project: "blog" };
  expect([shop(), project.sessionGuard()()]).toEqual([false, true]);
  other.syncMetadata.content = { kind: "service", project: "shop" };
  expect(shop()).toBe(true);
  project.setSession({ kind: "signed-out" });
  expect(shop()).toBe(false);
});

test("a reset keeps what the window does, and forgets what waits to be done", () => {
  const { project } = open();
  project.setActivity({ busyWith: "1/2", listeningAt: "http://127.0.0.1", conflicts: 1, sourceAtService: 2 });
  project.setActivity({ uncounted: ["nl"], changedInFiles: new Map([["nl", 1]]), pullCount: 3 });
  project.reset({ kind: "signed-out" });
  const { busyWith, listeningAt, conflicts, sourceAtService, uncounted, changedInFiles, pullCount } =
    project.activity;
  expect([busyWith, listeningAt]).toEqual(["1/2", "http://127.0.0.1"]);
  expect([conflicts, sourceAtService, uncounted, changedInFiles.size, pullCount]).toEqual([
    0,
    0,
    [],
    0,
    null,
  ]);
  const version = project.version("stats");
  project.dispose();
  project.changed("stats");
  expect(project.version("stats")).toBe(version);
});

test("keys and rows of the service have one text, or none", () => {
  const key = {
    hash: "a".repeat(40),
    namespace: "*",
    key: "a",
    context: null,
    isPlural: false,
    source: { value: "A", forms: null },
    sourceHash: null,
    description: null,
    maxLength: 9,
    tags: ["ui"],
    updatedAt: null,
    archived: false,
  };
  const textOf = (changes: object) => projectKey({ ...key, ...changes }).text;
  const forms = { one: "a", other: "b" };
  expect(textOf({})).toEqual({ value: "A" });
  expect(textOf({ source: { value: "", forms: null } })).toEqual({ value: "" });
  expect(textOf({ source: { value: null, forms: null } })).toBeNull();
  expect(textOf({ source: {} })).toBeNull();
  expect(textOf({ isPlural: true, source: { value: "A", forms } })).toEqual({ forms });
  expect(textOf({ isPlural: true, source: { value: "A", forms: {} } })).toBeNull();
  expect(textOf({ isPlural: true, source: { value: "A", forms: null } })).toBeNull();
  const { source: _, archived: __, ...fields } = key;
  expect(projectKey(key)).toEqual({ ...fields, text: { value: "A" } });
  expect([projectKey({ ...key, context: "" }), projectKey({ ...key, context: "b" })]).toEqual([
    expect.objectContaining({ context: null }),
    expect.objectContaining({ context: "b" }),
  ]);
  const row = { isTranslated: true, isOutdated: true, issues: [], version: 2, updatedAt: "2026" };
  type ApiRow = Parameters<typeof projectRow>[0];
  const given = { ...row, hash: key.hash, isPlural: false, value: "B", forms: null } as unknown as ApiRow;
  expect(projectRow(given)).toEqual({ ...row, hash: key.hash, text: { value: "B" } });
  expect(projectRow({ ...given, value: null }).text).toBeNull();
  expect(projectRow({ ...given, isPlural: true, forms }).text).toEqual({ forms });
});
