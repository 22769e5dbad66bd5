/** The menu of the status bar item in each state. */
import { expect, test } from "vitest";
import type { FollowedJob } from "../../../src/database/project-state.ts";
import type { Session } from "../../../src/database/session/session.ts";
import { textSourceOf } from "../../../src/database/session/text-source.ts";
import { menuItems, type MenuItem, type MenuState } from "../../../src/features/status-bar/menu-items.ts";

const BASE_URL = "https://example.com/v1";
const SIGNED_IN: Session = {
  kind: "signed-in",
  baseUrl: BASE_URL,
  slug: "shop",
  name: "Shop",
  canWrite: true,
};

const idle = { pushCounts: null, pullCount: null, sourceAtService: 0 } as unknown as MenuState["activity"];

const itemsOf = (session: Session, changes: Partial<MenuState> = {}): readonly MenuItem[] =>
  menuItems({
    session,
    source: textSourceOf(session, false, () => "en"),
    activity: idle,
    jobs: [],
    isTrusted: true,
    areInlayHintsOn: true,
    inlayLanguage: "nl",
    ...changes,
  });
const withoutIcon = (label: string): string => label.replace(/^\$\([\w-]+\) /u, "");
const shown = (session: Session, changes: Partial<MenuState> = {}): readonly string[] =>
  itemsOf(session, changes).map(({ label, description }) =>
    [withoutIcon(label), description].filter(Boolean).join(": "),
  );

const job = (id: number, status: string, watching = true, name = `file ${id}`): FollowedJob =>
  ({
    job: { id, status },
    subject: [name, "more"],
    kind: "import",
    startedAt: 0,
    watching,
  }) as unknown as FollowedJob;
const JOBS = [job(1, "succeeded"), job(2, "running"), job(3, "running", false), job(4, "queued")];

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

/** What each item does: a command, or a view that is shown. */
const ACTIONS: Readonly<Record<string, string>> = {
  "Push…": "push",
  "Pull…": "pull",
  "Import Files…": "import",
  "Edit Translation…": "editTranslation",
  Refresh: "refresh",
  "Sign In…": "signIn",
  "Start Local Service…": "startLocalService",
  "Sign Out": "signOut",
  "Open Translation Editor": "openEditor",
  Languages: "view languages",
  "QA Issues": "view issues",
  Activity: "view activity",
  "Search Keys…": "searchKeys",
  "Find Unused Keys": "findUnused",
  "Hide Inline Translations": "toggleInlayHints",
  "Show Inline Translations": "toggleInlayHints",
  "Inline Language…": "chooseInlayLanguage",
  "Stop following file 2, more": "stopWatchingJob",
  "Stop following file 4, more": "stopWatchingJob",
  "Configure Project…": "setUpProjectFile",
  "Show Diagnostics": "showDiagnosis",
  Settings: "openSettings",
  Walkthrough: "openWalkthrough",
  "Manage Workspace Trust": "trust",
};

test("does what an item says, and nothing for a heading", () => {
  const seen = new Set<string>();
  for (const [session, changes] of STATES)
    for (const areInlayHintsOn of [true, false])
      for (const { label, action } of itemsOf(session, { areInlayHintsOn, jobs: JOBS, ...changes })) {
        const name = withoutIcon(label);
        if (name === "Show" || name === "Project") expect(action).toBeUndefined();
        else {
          const view = action?.kind === "view" ? `view ${action.view}` : action?.kind;
          const done = action?.kind === "command" ? action.command.id : view;
          expect(done?.replace("projectTranslations.", ""), name).toBe(ACTIONS[name]);
          seen.add(name);
        }
      }
  expect([...seen].toSorted()).toEqual(Object.keys(ACTIONS).toSorted());
});

test("has a sign-out wherever there is a token, and a sign-in wherever it is of no use", () => {
  const has = (label: string) =>
    STATES.map((state) => shown(...state).some((each) => each.startsWith(label)));
  expect(has("Start Local Service…: try everything without an account")).toEqual(has("Sign In…"));
  expect(has(`Sign Out: ${BASE_URL}`)).toEqual([true, true, false, false, false, false, false]);
  expect(has("Sign Out")).toEqual([true, true, false, false, true, true, false]);
  expect(has("Sign In…")).toEqual([false, false, true, true, true, true, false]);
  expect(has("Refresh")).toEqual([true, true, true, false, true, true, false]);
});

test("has an item for each job that this window follows, which leaves that job", () => {
  const left = itemsOf(SIGNED_IN, { jobs: JOBS }).filter(({ label }) => label.includes("Stop following"));
  expect(left.map(({ label, action }) => [withoutIcon(label), action])).toMatchObject([
    ["Stop following file 2, more", { options: { job: 2 } }],
    ["Stop following file 4, more", { options: { job: 4 } }],
  ]);
  // A name is one line, and no icon.
  const named = shown(SIGNED_IN, { jobs: [job(5, "running", true, "a\n$(alert).po")] });
  expect(named).toContain("Stop following a↵$\u2060(alert).po, more");
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
