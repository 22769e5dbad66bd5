/** What the views say of projects, issues and the usage report, and what is offered above the languages. */
import { describe, expect, test } from "vitest";
import type { Range } from "vscode";
import { ApiError } from "../../../src/api/errors.ts";
import {
  signInCommand,
  startLocalServiceCommand,
} from "../../../src/commands/declarations/session-commands.ts";
import { showMenuCommand } from "../../../src/commands/declarations/window-commands.ts";
import type { ProjectKey } from "../../../src/database/records.ts";
import { textSourceOf } from "../../../src/database/session/text-source.ts";
import type { Session } from "../../../src/database/session/session.ts";
import {
  issuesBadge,
  issuesMessage,
  languageWithIssuesContent,
} from "../../../src/features/issues-view/issues-content.ts";
import {
  decideWelcome,
  localServiceContent,
  originText,
  projectContent,
  signInContent,
  viewMessage,
  type ProjectViewState,
} from "../../../src/features/languages-view/project-content.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import {
  errorsContent,
  missingFilesContent,
  projectFileRows,
} from "../../../src/features/languages-view/project-file-rows.ts";
import { parseProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import { learnedFunctionContent } from "../../../src/features/languages-view/learned-functions.ts";
import {
  callLocationContent,
  openCallContent,
  reportGroups,
  skippedFileContent,
  usedText,
} from "../../../src/features/usage-report/report-content.ts";
import { reportMarkdown } from "../../../src/features/usage-report/report-markdown.ts";

const NOW = Date.parse("2026-01-02T12:00:00Z");
const MINUTE_MS = 60_000;
const SIGNED_IN: Session = { kind: "signed-in", canWrite: true } as Session;
const refusedSession = (reason: "archived" | "unauthorized"): Session => ({
  kind: "refused",
  baseUrl: "",
  reason,
});
const READ_ONLY: Session = { kind: "signed-in", canWrite: false } as Session;

function stateOf(
  session: Session,
  more: Partial<ProjectViewState> = {},
  areFilesShown = true,
): ProjectViewState {
  return {
    name: "Shop",
    label: "app",
    session,
    source: textSourceOf(session, areFilesShown, () => "en"),
    freshness: { kind: "fresh", at: NOW },
    now: NOW,
    ...more,
  };
}

describe("a project", () => {
  test("is named by where its numbers come from", () => {
    const origin = (session: Session, areFilesShown?: boolean) =>
      originText(stateOf(session, {}, areFilesShown));
    expect(origin(SIGNED_IN)).toBe("Shop");
    expect(origin(READ_ONLY)).toBe("Shop · read-only");
    expect(origin({ kind: "signed-out" })).toBe("local files");
    expect(origin({ kind: "untrusted" })).toBe("local files");
    expect(origin({ kind: "signed-out" }, false)).toBe("");
    expect(origin(refusedSession("archived"))).toBe("");
  });

  test("says why nothing is sent, and how old its numbers are while the service cannot be reached", () => {
    const error = new ApiError("offline", "gone");
    expect(viewMessage(stateOf({ kind: "untrusted" }))).toBe(
      "This folder is not trusted, so nothing is sent to the service.",
    );
    // Among several, where each has its row, it is that of the files.
    expect(projectContent(stateOf({ kind: "untrusted" })).description).toBe("local files");
    expect(viewMessage(stateOf(SIGNED_IN))).toBeNull();
    const at = NOW - MINUTE_MS;
    expect(viewMessage(stateOf(SIGNED_IN, { freshness: { kind: "offline", at, error } }))).toMatch(
      /^Not up to date: as of 1 minute ago\. /u,
    );
    const never = stateOf(SIGNED_IN, { freshness: { kind: "offline", at: null, error } });
    expect(viewMessage(never)).not.toContain("Not up to date");
    expect(projectContent(never).description).toBe(viewMessage(never));
    // And then somebody signs out, and the files are shown.
    const { source } = stateOf({ kind: "signed-out" });
    expect(viewMessage({ ...never, source })).toBeNull();
  });

  test("among several has its languages below it, or a click that signs in", () => {
    expect(projectContent(stateOf(SIGNED_IN))).toMatchObject({
      label: "app",
      description: "Shop",
      icon: "globe",
      kind: "project",
      children: "expanded",
    });
    expect(projectContent(stateOf(SIGNED_IN))).not.toHaveProperty("click");
    expect(projectContent(stateOf({ kind: "signed-out" }))).toMatchObject({
      description: "local files",
      icon: "folder",
      kind: "signedOutProject",
      children: "expanded",
    });
    const refused = projectContent(stateOf(refusedSession("unauthorized")));
    expect(refused).toMatchObject({
      label: "app",
      description: "token not accepted",
      icon: { status: "inactive" },
      kind: "signedOutProject",
      click: signInCommand,
    });
    expect(refused).not.toHaveProperty("children");
    expect(projectContent(stateOf(refusedSession("archived"))).description).toBe("archived");
    expect(projectContent(stateOf({ kind: "signed-out" }, {}, false)).description).toBe("signed out");
  });
});

describe("the welcome row", () => {
  const local = stateOf({ kind: "signed-out" });
  const shown = (projects: readonly ProjectViewState[], isServiceRunning = false, isClosed = false) =>
    decideWelcome(projects, { isServiceRunning, isClosed });

  test("offers to sign in where files are shown, until it is closed", () => {
    expect(shown([local])).toBe("sign-in");
    expect(shown([local, stateOf(SIGNED_IN)])).toBe("sign-in");
    expect(shown([local], false, true)).toBe("none");
    expect(shown([stateOf(SIGNED_IN)])).toBe("none");
    expect(shown([stateOf({ kind: "signed-out" }, {}, false)])).toBe("none");
  });

  test("offers the local service while that runs, also if it was closed, and nothing without trust", () => {
    expect(shown([local], true, true)).toBe("local-service");
    expect(shown([local, stateOf({ kind: "untrusted" })], true)).toBe("none");
  });
});

test("the rows that offer a service can be clicked, and the first can be closed", () => {
  expect(signInContent()).toMatchObject({
    label: "Connect to a translation service…",
    description: "sign in, or start one here",
    icon: "sign-in",
    kind: "welcome",
    click: showMenuCommand,
  });
  expect(localServiceContent()).toEqual({
    label: "Sign In to the Local Service",
    tooltip: ["The local service is running on this machine."],
    icon: "sign-in",
    click: startLocalServiceCommand,
  });
});

describe("QA Issues", () => {
  test("has the number of errors as badge, with that of warnings, and none without errors", () => {
    const counts = [
      { errors: 1, warnings: 2 },
      { errors: 2, warnings: 0 },
    ];
    expect(issuesBadge(counts)).toEqual({ value: 3, tooltip: "3 QA errors · 2 QA warnings" });
    expect(issuesBadge([{ errors: 0, warnings: 4 }])).toBeUndefined();
    expect(issuesBadge([])).toBeUndefined();
  });

  test("says that there are none only of projects that are known", () => {
    const stats = { contentVersion: 1, languages: [] };
    const session = SIGNED_IN;
    const known = { session, stats, source: { isKnown: true } };
    expect(issuesMessage([known], true)).toBe("No QA issues.");
    expect(issuesMessage([known], false)).toBe("");
    for (const unknown of [
      { session, stats: null, source: { isKnown: true } },
      { session, stats, source: { isKnown: false } },
    ])
      expect(issuesMessage([unknown], true)).toMatch(/^QA issues are listed here once/u);
    expect(issuesMessage([{ session, stats, source: { isKnown: false } }, known], true)).toBe(
      "No QA issues.",
    );
    const refused = (reason: "archived" | "unauthorized") =>
      issuesMessage([{ session: refusedSession(reason), stats, source: { isKnown: false } }], true);
    expect(refused("archived")).toMatch(/^The project is archived:/u);
    expect(refused("unauthorized")).toMatch(/^The service does not accept the token/u);
  });

  test("counts the issues of a language", () => {
    const dutch = { locale: "nl", name: "Nederlands" };
    expect(languageWithIssuesContent(dutch, { errors: 1, warnings: 2 })).toMatchObject({
      label: "Nederlands (nl)",
      description: "1 QA error · 2 QA warnings",
      icon: "globe",
      kind: "languageWithIssues",
      children: "collapsed",
    });
  });
});

describe("the usage report", () => {
  const key = (hash: string) => ({ hash }) as ProjectKey;
  const report = {
    used: [key("used")],
    built: new Map(),
    probablyUnused: [],
    heldKeys: new Map(),
    unused: [key("a"), key("b")],
    undeterminable: [],
    skippedFiles: [],
  };
  const location = (path: string, line: number) => ({ path, range: { start: { line } } as Range });
  const labels = (...args: Parameters<typeof reportGroups>) =>
    reportGroups(...args).map(({ content }) => content.label);

  test("lists calls first, and those groups without rows that answer a question", () => {
    const groups = ["Unused (2)", "Probably unused (0)", "May be used (0)", "Used (1)"];
    expect(labels(report, 0)).toEqual(groups);
    const skippedFiles = [{ path: "a.js", reason: "minified" }] as const;
    expect(labels({ ...report, skippedFiles }, 3)).toEqual([
      "Unresolved calls (3)",
      ...groups,
      "Files that were not searched (1)",
    ]);
    const kinds = reportGroups(report, 1).map(({ name, content }) => [name, content.kind, content.children]);
    expect(kinds.slice(0, 2)).toEqual([
      ["calls", undefined, "expanded"],
      ["unused", "unusedKeys", "collapsed"],
    ]);
  });

  test("shows the location of a call, or opens its locations", () => {
    const call = { key: "$x", text: "__($x)", count: 2 };
    const first = location("a.php", 4);
    const one = openCallContent({ ...call, locations: [first] });
    expect(one).toMatchObject({
      label: "__($x)",
      description: "may mean 2 keys · a.php:5",
      kind: "openCall",
    });
    expect(one).not.toHaveProperty("children");
    const several = openCallContent({ ...call, locations: [first, location("b.php", 0)] });
    expect(several).toMatchObject({ description: "may mean 2 keys · 2 calls", children: "collapsed" });
    expect(callLocationContent(first)).toMatchObject({ label: "a.php:5", kind: "openCall" });
  });

  test("has code with backticks in its document as it is", () => {
    const project = { label: "app", namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };
    const call = {
      key: "`a.${b}`",
      text: "t(`a.${b}`)",
      count: 2,
      locations: [location("a.ts", 4)] as const,
    };
    expect(reportMarkdown(project, { ...report, used: [], unused: [] }, [call])).toContain(
      "- `` t(`a.${b}`) `` (`a.ts:5`): may mean 2 keys",
    );
  });

  test("says how a key is used, and why a file was not searched", () => {
    expect(usedText(2, undefined)).toBe("used 2 times");
    expect(usedText(0, undefined)).toContain("used by the framework");
    expect(usedText(2, { pattern: "a.*", path: "a.ts" })).toBe("built by a.* with a word in a.ts");
    const reasons = ["minified", "too-large", "not-text", "unreadable", "failed", "outside"] as const;
    const rows = reasons.map((reason) => skippedFileContent({ path: "a.js", reason }));
    expect(rows.map(({ label, description }) => `${label}: ${description ?? ""}`)).toEqual([
      "a.js: minified",
      "a.js: too large",
      "a.js: not a text file",
      "a.js: cannot be read",
      "a.js: an error of Project Translations; report it with the file",
      "a.js: a link out of the project",
    ]);
  });
});

test("says how often a function of the project’s own was called", () => {
  const learned = { name: "tr", key: 0, calls: 12, known: 10 } as Parameters<
    typeof learnedFunctionContent
  >[0];
  expect(learnedFunctionContent(learned)).toMatchObject({
    label: "tr() is used as a translation function",
    description: "12 calls",
    tooltip: [
      "10 of 12 calls name a key. Add the function to project-translations.json, or refuse it there.",
    ],
    icon: "symbol-function",
    kind: "learnedFunction",
  });
});

describe("the project file", () => {
  test("is said to have errors, with each location and what becomes of it", () => {
    const of = (text: string) => errorsContent(parseProjectFile(text).errors);
    expect(of('{\n  "files": [{ "path": "a.json", "format": "yaml" }],\n  "preview": 5\n}')).toMatchObject({
      label: "Correct project-translations.json",
      description: "2 mistakes",
      tooltip: [
        "Correct project-translations.json",
        expect.stringMatching(/^project-translations\.json:\d:\d+: “.*” is left out$/u),
        expect.stringMatching(/^project-translations\.json:\d:\d+: “.*” is left out$/u),
      ],
    });
    expect(of('{ "files": [')).toMatchObject({
      tooltip: [
        "Correct project-translations.json",
        "project-translations.json:1:13: an error; the file may be misread from here on",
        ...[expect.anything()],
      ],
    });
  });

  test("is said to name files that do not exist only if nothing is shown, after the files were read", () => {
    const rowsOf = (session: Session, isLoaded: boolean, areFilesShown = false) =>
      projectFileRows({
        id: "one",
        content: { ...parseProjectFile('{ "files": [{ "path": "text/{locale}.json" }] }'), detected: [] },
        local: { loaded: isLoaded ? {} : null },
        source: textSourceOf(session, areFilesShown, () => "en"),
      } as unknown as OpenProject).map(({ id }) => id);
    const signedOut: Session = { kind: "signed-out" };
    expect(rowsOf(signedOut, true)).toEqual(["one/named-files"]);
    expect(rowsOf(signedOut, false)).toEqual([]);
    expect(rowsOf(signedOut, true, true)).toEqual([]);
    expect(rowsOf(SIGNED_IN, true)).toEqual([]);
    // Nothing is shown of a service that refuses the token or was not asked yet, whatever the files have.
    expect(rowsOf({ kind: "refused", baseUrl: "", reason: "unauthorized" }, true)).toEqual([]);
    expect(rowsOf({ kind: "unknown", isTokenStored: true }, true)).toEqual([]);
  });

  test("is said to name files that do not exist, and others can be named", () => {
    expect(missingFilesContent(["text/{locale}.json"])).toMatchObject({
      label: "Name the Files…",
      description: "no file at text/{locale}.json",
      click: { id: "projectTranslations.setUpProjectFile" },
    });
  });
});
