/** The status bar item in each state of a project. */
import { expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { textSourceOf } from "../../../src/database/session/text-source.ts";
import type { Activity, FollowedJob, Project } from "../../../src/database/project-state.ts";
import { statusContent, type StatusState } from "../../../src/features/status-bar/status-content.ts";

const NOW = Date.parse("2026-01-02T12:00:00Z");
const SIGNED_IN = {
  kind: "signed-in",
  baseUrl: "https://example.com",
  slug: "shop",
  name: "Shop",
  canWrite: true,
} as const;

const languages = [
  { locale: "en", isSource: true, percent: 100 },
  { locale: "nl", isSource: false, percent: 83 },
  { locale: "fr", isSource: false, percent: 7 },
];

const idle = (changes: Partial<Activity> = {}): Activity =>
  ({
    waiting: null,
    busyWith: null,
    pushCounts: null,
    pullCount: null,
    sourceAtService: 0,
    ...changes,
  }) as unknown as Activity;

const shown = (changes: Partial<StatusState> = {}, areFilesShown = false) =>
  statusContent({
    session: SIGNED_IN,
    source: textSourceOf(changes.session ?? SIGNED_IN, areFilesShown, () => "en"),
    stats: { languages } as unknown as Project["stats"],
    activity: idle(),
    jobs: [],
    freshness: { kind: "fresh", at: NOW },
    name: "Shop",
    now: NOW,
    monotonic: 1000,
    ...changes,
  });

test("shows nothing before the session is known", () => {
  expect(shown({ session: { kind: "unknown", isTokenStored: true } })).toBeUndefined();
});

test("shows what a person can do: trust, sign in, or work with the files", () => {
  expect(shown({ session: { kind: "untrusted" } })).toEqual({
    text: "$(workspace-untrusted) Translations",
    tooltip: "This folder is not trusted, so nothing is sent to the service.",
  });
  expect(shown({ session: { kind: "signed-out" } })).toEqual({
    text: "$(globe) Translations: sign in",
    tooltip: "You are not signed in. Click for options.",
  });
  expect(shown({ session: { kind: "signed-out" } }, true)).toEqual({
    text: "$(globe) Translations: local files",
    tooltip: "Local files; you are not signed in. Click for options. · nl 83% · fr 7%",
  });
});

test("says that nothing answered only if nothing did", () => {
  const after = (kind: "offline" | "server_error") =>
    shown({ freshness: { kind: "offline", at: null, error: new ApiError(kind, kind) } })?.text;
  expect(after("offline")).toBe("$(debug-disconnect) Shop");
  expect(after("server_error")).toBe("$(warning) Shop");
});

test("marks a refused token as an error, and an archived project as no error", () => {
  const rejected = (reason: "unauthorized" | "archived") =>
    shown({ session: { kind: "refused", baseUrl: "https://example.com", reason } });
  expect(rejected("unauthorized")).toEqual({
    text: "$(error) Translations: token not accepted",
    tooltip: "The service does not accept the token. Sign in with a new one.",
    isError: true,
  });
  expect(rejected("archived")).toEqual({
    text: "$(archive) Translations: archived",
    tooltip: expect.stringMatching(/archived/u),
  });
});

test("counts what is to be pushed and pulled; archived keys are neither", () => {
  const pushCounts = { new: 2, changed: 1, restored: 5 };
  expect(shown({ activity: idle({ pushCounts, pullCount: 1200, sourceAtService: 1 }) })).toEqual({
    text: "$(globe) Shop $(arrow-up)3 $(arrow-down)1,201",
    tooltip: "Shop · nl 83% · fr 7% · To push: 3 source texts · To pull: 1,200 translations, 1 source text",
  });
  const nothing = { new: 0, changed: 0, restored: 5 };
  expect(shown({ activity: idle({ pushCounts: nothing, pullCount: 0 }) })?.text).toBe("$(globe) Shop");
  expect(shown({ activity: idle() })?.text).toBe("$(globe) Shop");
});

test("counts down while requests wait, before anything else, and then shows jobs and what is read", () => {
  const job = (id: number, status = "running", watching = true, kind = "import"): FollowedJob =>
    ({
      job: { id, status, progress: kind === "import" ? { done: 1, total: 4 } : null },
      kind,
      subject: [`file ${id}`],
      startedAt: NOW,
      watching,
    }) as unknown as FollowedJob;
  const jobs = [job(1), job(2), job(3, "succeeded"), job(4, "running", false)];
  const waiting = { kind: "rate-limit", until: 9400 } as const;
  expect(shown({ jobs, activity: idle({ waiting, busyWith: "nl" }) })).toEqual({
    text: "$(sync~spin) Paused 9 s (rate limit)",
    tooltip: "Shop: rate limit reached. Continues automatically.",
    hasCountdown: true,
  });
  const busy = { kind: "busy", reason: null, until: 500 } as const;
  expect(shown({ activity: idle({ waiting: busy }) })).toEqual({
    text: "$(sync~spin) Project is busy, retrying in 0 s",
    tooltip: "Shop: someone else is writing. Retrying automatically.",
    hasCountdown: true,
  });
  expect(shown({ jobs, activity: idle({ busyWith: "nl" }) })).toEqual({
    text: "$(sync~spin) Import 25% +1",
    tooltip: "Shop: Import 25%: file 1",
  });
  expect(shown({ jobs: [job(5, "queued", true, "export"), jobs[2] as FollowedJob] })).toEqual({
    text: "$(sync~spin) Export",
    tooltip: "Shop: Export: file 5",
  });
  expect(shown({ jobs: jobs.slice(2), activity: idle({ busyWith: "nl" }) })).toEqual({
    text: "$(sync~spin) Shop nl",
    tooltip: "Shop: reading from the service",
  });
  expect(shown({ jobs: jobs.slice(2) })?.text).toBe("$(globe) Shop");
});

test("shows how old the data is when the service cannot be reached", () => {
  const error = new ApiError("offline", "no route");
  expect(shown({ freshness: { kind: "offline", at: NOW - 120_000, error } })).toEqual({
    text: "$(debug-disconnect) Shop · 2 minutes ago",
    tooltip: expect.stringMatching(/^Shop: The service cannot be reached\. /u),
  });
  // What is to be sent and fetched is not known to be right then.
  const pushCounts = { new: 2, changed: 0, restored: 0 };
  expect(
    shown({ freshness: { kind: "offline", at: null, error }, activity: idle({ pushCounts }) })?.text,
  ).toBe("$(debug-disconnect) Shop");
});

test("shows that a token may only read", () => {
  expect(shown({ session: { ...SIGNED_IN, canWrite: false } })).toEqual({
    text: "$(lock) Shop",
    tooltip: "Shop · read-only · nl 83% · fr 7%",
  });
});

test("escapes a name that looks like an icon", () => {
  const error = new ApiError("offline", "no route");
  for (const changes of [
    {},
    { activity: idle({ busyWith: "$(alert)" }) },
    { freshness: { kind: "offline", at: null, error } },
  ] as const)
    expect(shown({ name: "$(alert) Shop", ...changes })?.text).not.toContain("$(alert)");
});
