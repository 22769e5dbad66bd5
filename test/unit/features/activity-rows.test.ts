/** The rows of Activity: what is pending, what a click on it runs, and what is left of it after that. */
import { describe, expect, test } from "vitest";
import {
  importLocalCommand,
  pullCommand,
  pushCommand,
} from "../../../src/commands/declarations/sync-commands.ts";
import { showDiagnosisCommand } from "../../../src/commands/declarations/window-commands.ts";
import { ApiError } from "../../../src/api/errors.ts";
import type { Activity, FollowedJob } from "../../../src/database/project-state.ts";
import {
  activityRows,
  type ActivityRow,
  type ActivityState,
} from "../../../src/features/activity-view/activity-rows.ts";
import type { RowKind } from "../../../src/commands/row-menus.ts";
import type { RowContent } from "../../../src/vscode/ui/tree-view/row-content.ts";

const NOW = Date.parse("2026-01-02T12:00:00Z");
const MINUTE_MS = 60_000;

const IDLE: Activity = {
  waiting: null,
  pushCounts: { new: 0, changed: 0, restored: 0 },
  sourceAtService: 0,
  pullCount: 0,
  uncounted: [],
  localOnly: new Map(),
  changedInFiles: new Map(),
  conflicts: 0,
  renames: [],
  incomplete: [],
  busyWith: null,
  listeningAt: null,
};

function rowsOf(activity: Partial<Activity>, state: Partial<ActivityState> = {}): readonly ActivityRow[] {
  return activityRows({
    activity: { ...IDLE, ...activity },
    jobs: [],
    results: [],
    freshness: { kind: "fresh", at: NOW - MINUTE_MS },
    canWrite: true,
    nameOf: ({ key }) => key,
    now: NOW,
    ...state,
  });
}

const labels = (rows: readonly ActivityRow[]): readonly string[] =>
  rows.map(({ content: { label, description = "" } }) =>
    description === "" ? label : `${label} | ${description}`,
  );
const named = (rows: readonly ActivityRow[], name: string): RowContent | undefined =>
  rows.find((row) => row.name === name)?.content;

const name = (key: string) => ({ namespace: "cart", key, context: null });
const CHECKED = "Checked for changes | 1 minute ago";

describe("pending changes", () => {
  test("are counted by what a push, an import and a pull would do", () => {
    const rows = rowsOf({
      pushCounts: { new: 2, changed: 1, restored: 4 },
      localOnly: new Map([
        ["nl", 2],
        ["fr", 1],
      ]),
      changedInFiles: new Map([["de", 1]]),
      conflicts: 2,
      sourceAtService: 1,
      pullCount: 3,
    });
    expect(labels(rows)).toEqual([
      "3 source texts to push | 2 new · 1 changed",
      "3 local translations are not on the service | nl, fr",
      "1 translation changed in your files | de",
      "2 texts changed here and on the service",
      "3 translations, 1 source text to pull",
      CHECKED,
    ]);
    expect(rows.map(({ content }) => content.icon)).toEqual([
      ...["cloud-upload", "file", "edit", "git-compare", "cloud-download", "history"],
    ]);
    expect(["local-only", "changed-in-files", "pull"].map((each) => named(rows, each)?.kind)).toEqual([
      "localOnly",
      "localOnly",
      undefined,
    ]);
    // Why a push does not send what the service has changed.
    expect(named(rows, "pull")?.tooltip).toEqual([
      "3 translations, 1 source text to pull",
      "A push leaves these source texts as they are; a pull takes them into your files.",
    ]);
    expect(named(rowsOf({ pullCount: 3 }), "pull")?.tooltip).toBeUndefined();
    // One of each.
    const one = { pushCounts: { new: 0, changed: 1, restored: 0 }, conflicts: 1, pullCount: 1 };
    expect(labels(rowsOf({ ...one, uncounted: ["de"] }))).toEqual([
      "1 source text to push | 1 changed",
      "1 text changed here and on the service",
      "1 translation to pull | not counted: de",
      CHECKED,
    ]);
    const clicks = Object.fromEntries(rows.map(({ name: each, content }) => [each, content.click]));
    expect(clicks).toMatchObject({
      push: pushCommand,
      "local-only": importLocalCommand,
      "changed-in-files": importLocalCommand,
      conflicts: pullCommand,
      pull: pullCommand,
    });
  });

  test("that need write access say so without it, where they are clicked, too", () => {
    const rows = rowsOf(
      { pushCounts: { new: 1, changed: 0, restored: 0 }, localOnly: new Map([["nl", 1]]), pullCount: 1 },
      { canWrite: false },
    );
    const shown = ["push", "local-only", "pull"].map((each) => named(rows, each));
    expect(shown.map((row) => row?.description)).toEqual([
      "1 new · needs a token with write access",
      "nl · needs a token with write access",
      undefined,
    ]);
    // These commands refuse to run without write access, and say why.
    expect(shown.map((row) => row?.click)).toEqual([pushCommand, importLocalCommand, pullCommand]);
  });

  test("end with nothing to push, as soon as nothing else is to be sent either", () => {
    const steps: readonly (readonly [Partial<Activity>, boolean])[] = [
      [{ changedInFiles: new Map([["nl", 1]]) }, false],
      [{ localOnly: new Map([["nl", 1]]) }, false],
      [{ conflicts: 1 }, false],
      [{ renames: [{ from: name("a"), to: name("b") }] }, false],
      [{ pushCounts: { new: 0, changed: 1, restored: 0 } }, false],
      // Not counted yet.
      [{ pushCounts: null }, false],
      // Archived keys are only restored if that is asked for.
      [{ pushCounts: { new: 0, changed: 0, restored: 2 } }, true],
      // A pull sends nothing.
      [{ pullCount: 2, sourceAtService: 1 }, true],
      [{}, true],
    ];
    for (const [activity, isEmpty] of steps)
      expect([activity, labels(rowsOf(activity)).includes("Nothing to push")]).toEqual([activity, isEmpty]);
  });

  test("are not shown as pulled or pullable before they were counted", () => {
    expect(named(rowsOf({ pullCount: null }), "pull")).toBeUndefined();
    expect(named(rowsOf({ pullCount: 0 }), "pull")).toBeUndefined();
    const partly = named(rowsOf({ pullCount: 2, uncounted: ["de", "pl"] }), "pull");
    expect([partly?.label, partly?.description]).toEqual(["2 translations to pull", "not counted: de, pl"]);
  });

  test("list each rename with both names, as a row of its own", () => {
    const renames = [
      { from: name("a"), to: name("b") },
      { from: { ...name("a"), namespace: "shop" }, to: name("d") },
    ];
    const rows = rowsOf({ renames }).filter((row) => row.name.startsWith("rename/"));
    expect(labels(rows)).toEqual(["Rename to b | a", "Rename to d | a"]);
    expect(rows.map(({ commandOptions }) => commandOptions)).toEqual(renames);
    expect(new Set(rows.map((row) => row.name)).size).toBe(2);
  });
});

test("shows why requests wait, what is read, and where webhooks are listened for, first", () => {
  const rows = rowsOf({
    waiting: { kind: "rate-limit", until: NOW },
    busyWith: "nl",
    listeningAt: "http://127.0.0.1:1234",
  });
  expect(rows.map((row) => row.name)).toEqual(["waiting", "busy", "webhooks", "push", "checked"]);
  expect(named(rows, "webhooks")).toMatchObject({
    kind: "webhooks",
    description: "http://127.0.0.1:1234",
  });
  expect(named(rows, "waiting")?.label).toBe("Paused: rate limit");
  expect(named(rows, "waiting")?.description).toMatch(/^until \d/u);
  expect(rows.map(({ content }) => content.icon)).toEqual([
    ...["watch", "loading~spin", "radio-tower", "check", "history"],
  ]);
  expect(named(rows, "busy")?.description).toBe("nl");
  expect(named(rowsOf({ waiting: { kind: "busy", reason: null, until: NOW } }), "waiting")?.label).toBe(
    "Waiting: the project is busy",
  );
});

test("names files that could not be read completely, the first ten with their problems", () => {
  const problem = (index: number) =>
    ({
      code: "syntax",
      path: `lang/en/${index}.php`,
      line: 3,
      column: 1,
      name: null,
    }) as unknown as Activity["incomplete"][number];
  const row = named(
    rowsOf({ incomplete: Array.from({ length: 12 }, (_, index) => problem(index)) }),
    "incomplete",
  );
  expect([row?.label, row?.description]).toEqual(["Not read completely: 12 files", "lang/en/0.php"]);
  expect(row?.click).toBe(showDiagnosisCommand);
  // Below the label.
  expect([row?.tooltip?.[0], row?.tooltip?.length, row?.tooltip?.at(-1)]).toEqual([row?.label, 12, "…"]);
  const tooltip = (count: number) =>
    named(rowsOf({ incomplete: Array.from({ length: count }, (_, index) => problem(index)) }), "incomplete")
      ?.tooltip;
  expect([tooltip(1)?.length, tooltip(10)?.length, tooltip(10)?.includes("…")]).toEqual([2, 11, false]);
});

describe("jobs", () => {
  const followed = (status: string, more: Partial<FollowedJob> = {}, job: object = {}): FollowedJob => ({
    job: {
      id: 7,
      status,
      progress: null,
      error: null,
      result: null,
      ...job,
    } as unknown as FollowedJob["job"],
    kind: "export",
    subject: ["app"],
    startedAt: NOW - MINUTE_MS,
    watching: true,
    ...more,
  });
  const jobRow = (job: FollowedJob) => named(rowsOf({}, { jobs: [job] }), "job/7");

  test("say why their state is not known while they run, and a click asks again", () => {
    const failure = "server_error";
    expect(jobRow(followed("running", { failure }))).toMatchObject({
      description: "The service failed. Try again later.",
      icon: { status: "warning" },
      kind: "runningJob",
      click: { id: "projectTranslations.refresh" },
    });
    expect(jobRow(followed("running"))?.click).toBeUndefined();
  });

  test("can be left while they run and are followed, and only then", () => {
    expect(jobRow(followed("running"))).toMatchObject({
      label: "Export: app",
      description: "running",
      kind: "runningJob",
      icon: "loading~spin",
    });
    expect(rowsOf({}, { jobs: [followed("running")] })[0]?.commandOptions).toEqual({ job: 7 });
    expect(jobRow(followed("running", { watching: false }))).toMatchObject({
      description: "no longer followed",
      kind: undefined,
      icon: "circle-slash",
    });
    // Why it was not known while it was followed does not matter any more.
    expect(jobRow(followed("running", { watching: false, failure: "server_error" }))?.description).toBe(
      "no longer followed",
    );
    expect(jobRow(followed("queued"))).toMatchObject({ description: "queued", kind: "runningJob" });
    const progress = { done: 1_500, total: 4_000 };
    expect(jobRow(followed("running", {}, { progress }))?.description).toBe("37% (1,500 of 4,000)");
    expect(jobRow(followed("succeeded"))).toMatchObject({
      description: "1 minute ago",
      kind: undefined,
      icon: { status: "passed" },
    });
  });

  test("say why they failed, and list what the service says of the result", () => {
    const error = { code: "too_many_lines", message: "Too many lines" };
    const failed = jobRow(followed("failed", { kind: "import" }, { error, result: { lines: 3, other: {} } }));
    expect(failed).toMatchObject({ label: "Import: app", icon: { status: "error" }, kind: undefined });
    expect(failed?.description).toBe("failed: more than 50,000 lines · 1 minute ago");
    expect(failed?.tooltip).toEqual(["app", "Job 7: failed", "too_many_lines: Too many lines", "lines: 3"]);
    const several = jobRow(
      followed("running", { subject: ["a.csv", "b.csv"] }, { result: { url: "https://x" } }),
    );
    expect([several?.label, several?.tooltip]).toEqual([
      "Export: a.csv, b.csv",
      ["a.csv, b.csv", "Job 7: running", "url: https://x"],
    ]);
  });
});

test("says of an import that is done what it changed, and of an export only when", () => {
  const job = (kind: "import" | "export"): FollowedJob =>
    ({
      job: {
        id: 7,
        status: "succeeded",
        error: null,
        progress: null,
        result: { newTranslations: 2, unchanged: 3 },
      },
      kind,
      subject: ["app"],
      startedAt: NOW - MINUTE_MS,
      watching: false,
    }) as unknown as FollowedJob;
  const description = (kind: "import" | "export") =>
    named(rowsOf({}, { jobs: [job(kind)] }), "job/7")?.description;
  expect(description("import")).toBe("2 new translations · 3 unchanged · 1 minute ago");
  expect(description("export")).toBe("1 minute ago");
});

test("lists results by kind, with the menu of the one that has it", () => {
  const sameMessage = [NOW - 1, NOW - 2].map((at) => ({ message: "Pushed", kind: "done" as const, at }));
  expect(rowsOf({}, { results: sameMessage }).map((row) => row.name)).toEqual([
    ...["push", `result/${NOW - 1}`, `result/${NOW - 2}`, "checked"],
  ]);
  const result = (kind: "done" | "partly" | "failed", at: number, context?: RowKind) => ({
    message: kind,
    kind,
    at,
    context,
  });
  const results = [result("done", NOW - 1, "pulled"), result("partly", NOW - 2), result("failed", NOW - 3)];
  const rows = rowsOf({}, { results }).filter((row) => row.name.startsWith("result/"));
  expect(rows.map(({ content: { label, icon, kind } }) => [label, icon, kind])).toEqual([
    ["done", { status: "passed" }, "pulled"],
    ["partly", { status: "warning" }, undefined],
    ["failed", { status: "error" }, undefined],
  ]);
});

test("lists what was done by its time, whatever it was, and what runs before what is pending", () => {
  const job = (id: number, status: string, startedAt: number): FollowedJob =>
    ({
      job: { id, status, progress: null, error: null, result: null },
      kind: "import",
      subject: [`file ${id}`],
      startedAt,
      watching: status === "running",
    }) as unknown as FollowedJob;
  const at = (minutes: number): number => NOW - minutes * MINUTE_MS;
  const rows = rowsOf(
    { pullCount: 1 },
    {
      jobs: [job(1, "running", at(9)), job(2, "succeeded", at(3)), job(3, "failed", at(7))],
      results: [
        { message: "pushed", kind: "done", at: at(2) },
        { message: "pulled", kind: "done", at: at(5) },
      ],
      freshness: { kind: "fresh", at: at(4) },
    },
  );
  expect(rows.map((row) => row.name)).toEqual([
    "job/1",
    "push",
    "pull",
    `result/${at(2)}`,
    "job/2",
    "checked",
    `result/${at(5)}`,
    "job/3",
  ]);
});

test("lists a check that failed now before what was done, one that was never made last, and a click checks again", () => {
  const results = [{ message: "pushed", kind: "done" as const, at: NOW - 1 }];
  const error = new ApiError("offline", "gone");
  const last = (freshness: ActivityState["freshness"]) => {
    const rows = rowsOf({}, { freshness, results }).slice(-2);
    const { click, icon, tooltip } = named(rows, "checked") ?? {};
    return [rows.map(({ name: each }) => each), icon, click?.id, tooltip];
  };
  const pushed = `result/${NOW - 1}`;
  const refresh = "projectTranslations.refresh";
  expect(last({ kind: "offline", at: NOW - MINUTE_MS, error })).toEqual([
    ["checked", pushed],
    "debug-disconnect",
    refresh,
    ["The service cannot be reached. Check the connection and the base URL, then try again."],
  ]);
  const refused = new ApiError("server_error", "500", { status: 500, endpoint: "GET /stats" });
  expect(last({ kind: "offline", at: null, error: refused })[1]).toBe("warning");
  expect(last({ kind: "never" })).toEqual([[pushed, "checked"], "history", refresh, undefined]);
  expect(last({ kind: "stored", at: NOW })[0]).toEqual(["checked", pushed]);
  expect(last({ kind: "stored", at: null })[0]).toEqual([pushed, "checked"]);
});

test("says when the service was last read, also after it could not be reached", () => {
  const last = (freshness: ActivityState["freshness"]) => labels(rowsOf({}, { freshness })).at(-1);
  expect(last({ kind: "never" })).toBe("Checked for changes | not yet");
  expect(last({ kind: "fresh", at: NOW - MINUTE_MS })).toBe(CHECKED);
  const gone = new ApiError("offline", "gone");
  expect(last({ kind: "offline", at: NOW - MINUTE_MS, error: gone })).toBe(
    "The service could not be reached | last 1 minute ago",
  );
  expect(last({ kind: "offline", at: null, error: gone })).toBe("The service could not be reached | not yet");
  // A service that answers is no connection that is missing.
  const broken = new ApiError("server_error", "500", { status: 500, endpoint: "GET /stats" });
  expect(last({ kind: "offline", at: NOW - MINUTE_MS, error: broken })).toBe(
    "The last check failed | last 1 minute ago",
  );
});
