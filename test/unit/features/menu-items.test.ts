/** The menu of the status bar item in each state. */
import { expect, test } from "vitest";
import type { FollowedJob } from "../../../src/database/project-state.ts";
import type { Session } from "../../../src/database/session/session.ts";
import { textSourceOf } from "../../../src/database/session/text-source.ts";
import { menuItems, type MenuState } from "../../../src/features/status-bar/menu-items.ts";

const BASE_URL = "https://example.com/v1";
const SIGNED_IN: Session = {
  kind: "signed-in",
  baseUrl: BASE_URL,
  slug: "shop",
  name: "Shop",
  canWrite: true,
};

const idle = { pushCounts: null, pullCount: null, sourceAtService: 0 } as unknown as MenuState["activity"];

const shown = (session: Session, changes: Partial<MenuState> = {}): readonly string[] =>
  menuItems({
    session,
    source: textSourceOf(session, false, () => "en"),
    activity: idle,
    jobs: [],
    isTrusted: true,
    areInlayHintsOn: true,
    inlayLanguage: "nl",
    ...changes,
  }).map(({ label, description }) =>
    [label.replace(/^\$\([\w-]+\) /u, ""), description].filter(Boolean).join(": "),
  );

const STATES: readonly (readonly [Session, Partial<MenuState>])[] = [
  [SIGNED_IN, {}],
  [{ ...SIGNED_IN, canWrite: false }, {}],
  [{ kind: "signed-out" }, { source: textSourceOf({ kind: "signed-out" }, true, () => "en") }],
  [{ kind: "signed-out" }, {}],
  [{ kind: "refused", baseUrl: BASE_URL, reason: "unauthorized" }, {}],
  [{ kind: "refused", baseUrl: BASE_URL, reason: "archived" }, {}],
  [{ kind: "untrusted" }, { isTrusted: false }],
];

test("has the translation editor and the inline translations in every state", () => {
  for (const [session, changes] of STATES) {
    const labels = shown(session, changes);
    for (const label of [
      ...["Open Translation Editor", "Hide Inline Translations", "Inline Language…: nl"],
      ...["Configure Project…", "Show Diagnostics", "Settings", "Walkthrough"],
    ])
      expect(labels, JSON.stringify(session)).toContain(label);
    expect(new Set(labels).size).toBe(labels.length);
  }
  expect(shown(SIGNED_IN, { areInlayHintsOn: false })).toContain("Show Inline Translations");
});

test("has a sign-out wherever there is a token, and a sign-in wherever it is of no use", () => {
  const has = (label: string) =>
    STATES.map((state) => shown(...state).some((each) => each.startsWith(label)));
  expect(has("Sign Out")).toEqual([true, true, false, false, true, true, false]);
  expect(has("Sign In…")).toEqual([false, false, true, true, true, true, false]);
  expect(has("Refresh")).toEqual([true, true, true, false, true, true, false]);
});

test("has an item for each job that this window follows, which leaves that job", () => {
  const job = (id: number, status: string, watching = true): FollowedJob =>
    ({
      job: { id, status },
      subject: [`file ${id}`, "more"],
      kind: "import",
      startedAt: 0,
      watching,
    }) as unknown as FollowedJob;
  const jobs = [job(1, "succeeded"), job(2, "running"), job(3, "running", false), job(4, "queued")];
  expect(shown(SIGNED_IN, { jobs }).filter((label) => label.startsWith("Stop following"))).toEqual([
    "Stop following file 2, more",
    "Stop following file 4, more",
  ]);
  const state = {
    session: SIGNED_IN,
    source: textSourceOf(SIGNED_IN, false, () => "en"),
    activity: idle,
    jobs,
    isTrusted: true,
    areInlayHintsOn: true,
    inlayLanguage: "",
  };
  expect(
    menuItems(state).flatMap(({ action }) => (action?.kind === "command" ? (action.options ?? []) : [])),
  ).toEqual([{ job: 2 }, { job: 4 }]);
});

test("says what needs write access, and how much there is to push and pull", () => {
  const activity = { pushCounts: { new: 2, changed: 1, restored: 4 }, pullCount: 3, sourceAtService: 2 };
  const labels = shown(SIGNED_IN, { activity: { ...idle, ...activity } });
  expect(labels.slice(0, 2)).toEqual(["Push…: 3 source texts", "Pull…: 3 translations, 2 source texts"]);
  expect(shown({ ...SIGNED_IN, canWrite: false }).slice(0, 4)).toEqual([
    "Push…: needs a token with write access",
    "Pull…",
    "Import Files…: needs a token with write access",
    "Edit Translation…: needs a token with write access",
  ]);
  // Also where there is something to push.
  const readOnly = shown({ ...SIGNED_IN, canWrite: false }, { activity: { ...idle, ...activity } });
  expect(readOnly.slice(0, 2)).toEqual([
    "Push…: needs a token with write access",
    "Pull…: 3 translations, 2 source texts",
  ]);
});
