/** The rows of a language and of its keys, and that their numbers are the same everywhere. */
import { describe, expect, test } from "vitest";
import type { Language, QaIssue } from "../../../src/api/response-schemas.ts";
import { Database } from "../../../src/database/database.ts";
import { Project } from "../../../src/database/project-state.ts";
import {
  languageContent,
  languageGroups,
  type LanguageState,
} from "../../../src/features/languages-view/language-content.ts";
import { progressRing } from "../../../src/features/languages-view/progress-ring.ts";
import { goToEntryCommand } from "../../../src/commands/declarations/key-commands.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { issueCounts, keyIssues, localesWithIssues, projectIssues } from "../../../src/sync/qa-issues.ts";
import { projectKeyLabel } from "../../../src/messages/labels.ts";
import {
  issueRowContent,
  issuesByKey,
  issuesOfKeyContent,
  keyRowContent,
  renameRowContent,
} from "../../../src/vscode/ui/tree-view/key-row-content.ts";
import { COMPLETE_CURSOR } from "../support/complete-cursor.ts";

const NOW = Date.parse("2026-01-02T12:00:00Z");
const DUTCH: Language = {
  locale: "nl",
  name: "Nederlands",
  isSource: false,
  totalKeys: 10,
  translated: 7,
  outdated: 2,
  qaErrors: 5,
  percent: 70,
  lastTranslatedAt: "2026-01-01T12:00:00Z",
};
const STATE: LanguageState = { issues: { errors: 1, warnings: 2 }, localOnly: 3, hasService: true, now: NOW };

const groupLabels = (language: Language, state: LanguageState): readonly string[] =>
  languageGroups(language, state).map(({ content }) => content.label);

describe("a language", () => {
  test("shows its numbers, and groups for what is to be done", () => {
    expect(languageContent(DUTCH, STATE)).toMatchObject({
      label: "Nederlands (nl)",
      kind: "language",
      description: "70% · 3 not on the service · 2 outdated · 1 QA error · 2 QA warnings · yesterday",
      spokenLabel:
        "Nederlands (nl), 70%, 3 not on the service, 2 outdated, 1 QA error, 2 QA warnings, yesterday",
      icon: progressRing({ translated: 0.7, outdated: 0.2, hasErrors: true }),
      children: "collapsed",
    });
    expect(groupLabels(DUTCH, STATE)).toEqual([
      "Untranslated (3)",
      "Local, not on the service (3)",
      "Outdated (2)",
      "QA issues (3)",
      "Translated (7)",
    ]);
    expect(
      languageGroups(DUTCH, STATE).map(({ filter, content }) => [filter, content.kind, content.icon]),
    ).toEqual([
      [["untranslated"], "group", "circle-slash"],
      [[], "localOnly", "file"],
      [["outdated"], "group", "history"],
      [["issues"], "group", "warning"],
      [[], "group", "check"],
    ]);
    // A screen reader says of which language, since other rows say the same.
    expect(languageGroups({ ...DUTCH, totalKeys: 2_007 }, STATE)[0]?.content).toEqual({
      label: "Untranslated (2,000)",
      icon: "circle-slash",
      kind: "group",
      tooltip: ["Untranslated (2,000)"],
      spokenLabel: "Untranslated (2,000), nl",
      children: "collapsed",
    });
  });

  test("has a row for each number in the tooltip", () => {
    const labels = (state: Partial<LanguageState>, changes: Partial<Language> = {}) =>
      languageContent({ ...DUTCH, ...changes }, { ...STATE, ...state }).tooltipTable?.map(([label]) => label);
    expect(labels({})?.slice(5)).toEqual(["QA warnings", "Last change"]);
    // Without what is zero or not known.
    expect(labels({ localOnly: 0, issues: { errors: 0, warnings: 0 } }, { lastTranslatedAt: null })).toEqual([
      "Translated",
      "Untranslated",
      "Outdated",
      "QA errors",
    ]);
    // More may be translated than there are keys, between two answers of the service.
    expect(languageContent({ ...DUTCH, totalKeys: 4 }, STATE).tooltipTable?.[1]).toEqual([
      "Untranslated",
      "0",
    ]);
    const numbers = { ...DUTCH, totalKeys: 20, outdated: 4 };
    const { tooltip, tooltipTable } = languageContent(numbers, { ...STATE, localOnly: 5 });
    expect(tooltip).toEqual(["Nederlands (nl)"]);
    expect(tooltipTable).toEqual([
      ["Translated", "7 of 20"],
      ["Untranslated", "13"],
      ["Local, not on the service", "5"],
      ["Outdated", "4"],
      ["QA errors", "1"],
      ["QA warnings", "2"],
      ["Last change", expect.stringMatching(/^Jan 1, 2026, /u)],
    ]);
  });

  test("has no groups, and no counts of zero", () => {
    const done = { ...DUTCH, translated: 10, outdated: 0, percent: 100, lastTranslatedAt: null };
    const state = { ...STATE, issues: { errors: 0, warnings: 0 }, localOnly: 0 };
    expect(languageContent(done, state)).toMatchObject({
      description: "100%",
      icon: progressRing({ translated: 1, outdated: 0, hasErrors: false }),
      children: "collapsed",
    });
    expect(groupLabels(done, state)).toEqual(["Translated (10)"]);
    const empty = { ...done, totalKeys: 0, translated: 0 };
    expect(groupLabels(empty, state)).toEqual([]);
    expect(languageContent(empty, state)).not.toHaveProperty("children");
    expect(languageContent(empty, state).icon).toEqual(
      progressRing({ translated: 0, outdated: 0, hasErrors: false }),
    );
  });

  test("of the source has all keys, and warnings alone are no errors", () => {
    const source = { ...DUTCH, isSource: true };
    const content = languageContent(source, STATE);
    expect([content.kind, content.description?.split(" · ")[0]]).toEqual([
      "sourceLanguage",
      "source, 10 keys",
    ]);
    expect(languageGroups(source, STATE)).toMatchObject([
      { name: "all", filter: [], content: { label: "All keys (10)", icon: "list-unordered", kind: "group" } },
    ]);
    const warned = { ...STATE, issues: { errors: 0, warnings: 2 } };
    expect(languageContent(DUTCH, warned).description).not.toContain("QA error");
    expect(languageContent(DUTCH, warned).icon).toEqual(
      progressRing({ translated: 0.7, outdated: 0.2, hasErrors: false }),
    );
    expect(groupLabels(DUTCH, warned)).toContain("QA issues (2)");
  });

  test("of local files has another menu", () => {
    const local = languageContent(DUTCH, { ...STATE, hasService: false });
    expect(local.kind).toBe("localLanguage");
    expect(local.tooltip).toEqual(["Nederlands (nl)", "From the local files; you are not signed in."]);
    expect(local.tooltipTable?.map(([label]) => label)).toContain("QA errors");
    expect(languageContent({ ...DUTCH, isSource: true }, { ...STATE, hasService: false }).kind).toBe(
      "localSourceLanguage",
    );
  });

  test("has a ring of at most all keys, and none of no keys", () => {
    const iconOf = (changes: Partial<Language>) => languageContent({ ...DUTCH, ...changes }, STATE).icon;
    // Keys may be archived between two answers of the service.
    expect(iconOf({ totalKeys: 4, translated: 6, outdated: 1 })).toEqual(
      progressRing({ translated: 1, outdated: 0.25, hasErrors: true }),
    );
    expect(iconOf({ totalKeys: 0, translated: 0, outdated: 0 })).toEqual(
      progressRing({ translated: 0, outdated: 0, hasErrors: true }),
    );
  });

  test("has a ring whose parts follow each other: up to date from the top on, then outdated, on what is missing", () => {
    const arcs = ({ light }: { readonly light: string }) =>
      Array.from(light.matchAll(/<circle[^>]*stroke="([^"]*)"[^>]*>/gu), ([circle, colour]) => [
        colour,
        /dasharray="([^"]*)"/u.exec(circle)?.[1],
        /rotate\((\S+)/u.exec(circle)?.[1],
      ]);
    const [green, yellow, grey] = ["#2f8132", "#bf8803", "#00000070"];
    const missing = [grey, undefined, undefined];
    // Three quarters are translated, one of which is outdated. Around the ring it is 36.13 long.
    expect(arcs(progressRing({ translated: 0.75, outdated: 0.25, hasErrors: false }))).toEqual([
      missing,
      [green, "18.06 36.13", "-90"],
      [yellow, "9.03 36.13", "90"],
    ]);
    expect(arcs(progressRing({ translated: 0.5, outdated: 0, hasErrors: true })).slice(0, 2)).toEqual([
      missing,
      [green, "18.06 36.13", "-90"],
    ]);
    // What is little can be seen.
    expect(arcs(progressRing({ translated: 0.01, outdated: 0, hasErrors: false }))[1]?.[1]).toBe(
      "1.08 36.13",
    );
    expect(arcs(progressRing({ translated: 0.25, outdated: 0.25, hasErrors: false }))).toEqual([
      missing,
      [yellow, "9.03 36.13", "-90"],
    ]);
    expect(arcs(progressRing({ translated: 1, outdated: 0, hasErrors: false }))[1]).toEqual([
      green,
      undefined,
      undefined,
    ]);
    const { light, dark } = progressRing({ translated: 1, outdated: 0, hasErrors: false });
    expect([light.includes("#89d185"), dark.includes("#89d185")]).toEqual([false, true]);
  });

  test("has a ring that is complete, incomplete, or has errors", () => {
    const shares = { translated: 1, outdated: 0, hasErrors: false };
    const parts = ({ light }: { readonly light: string }) => [
      /<path/u.test(light),
      /fill="#d1242f"/u.test(light),
    ];
    expect(parts(progressRing(shares))).toEqual([true, false]);
    expect(parts(progressRing({ ...shares, outdated: 0.1 }))).toEqual([false, false]);
    expect(parts(progressRing({ ...shares, hasErrors: true }))).toEqual([false, true]);
  });
});

const names = ["a", "b", "c"].map((key) => ({ namespace: "app", key, context: null }));
const [A, B, C] = names.map((name) => ({ ...name, hash: keyHash(name) })) as [Named, Named, Named];
type Named = (typeof names)[number] & { readonly hash: string };

const issue = (rule: string, level: string, more: Partial<QaIssue> = {}): QaIssue => ({
  rule,
  level,
  placeholder: null,
  form: null,
  suggestion: null,
  ...more,
});

/** A project whose Dutch is read: `a` has a warning, `b` two issues of which one is an error, `c` only a line break. */
function project(): Project {
  const opened = new Project("id", "label", new Database());
  opened.keys.put(
    [A, B, C].map((key) => ({
      ...key,
      isPlural: false,
      text: { value: "Text" },
      sourceHash: null,
      description: null,
      maxLength: null,
      tags: [],
      updatedAt: null,
    })),
    1,
  );
  put(opened, A, [issue("style", "warning")], "Tekst\n");
  put(opened, B, [issue("missing", "error", { placeholder: ":n" }), issue("style", "warning")]);
  put(opened, C, [], "Tekst\n");
  return opened;
}

/** Shows Dutch, as after all of its pages were read. */
function showDutch(opened: Project): void {
  opened.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  opened.showLanguage("nl");
}

function put({ translations }: Project, { hash }: Named, issues: readonly QaIssue[], value = "Tekst"): void {
  const row = { hash, text: { value }, isTranslated: true, isOutdated: false, version: 1, updatedAt: null };
  translations.put("nl", [{ ...row, issues }], 1);
}

describe("QA issues", () => {
  test("of a language that was not read are those that the service counts", () => {
    const opened = project();
    expect(issueCounts(opened, DUTCH)).toEqual({ errors: 5, warnings: 0 });
  });

  test("are as many as are listed, without line breaks at the end, which the service does not count", async () => {
    const opened = project();
    showDutch(opened);
    const counts = issueCounts(opened, DUTCH);
    const listed = await projectIssues(opened, "nl");
    expect(counts).toEqual({ errors: 1, warnings: 2 });
    expect(listed).toHaveLength(counts.errors + counts.warnings);
    expect(listed.filter(({ level }) => level === "error")).toHaveLength(counts.errors);
    expect(groupLabels(DUTCH, { ...STATE, issues: counts })).toContain(`QA issues (${listed.length})`);
    // Where one text is looked at, its line break is named.
    const text: Text = { value: "Text" };
    expect(keyIssues({ ...C, text }, opened.translationsOf(C.hash))).toHaveLength(1);
    // And then the error is corrected.
    put(opened, B, []);
    expect(issueCounts(opened, DUTCH)).toEqual({ errors: 0, warnings: 1 });
    expect(await projectIssues(opened, "nl")).toHaveLength(1);
    expect(localesWithIssues(opened)).toEqual(["nl"]);
  });

  test("are listed by key, keys with an error first", async () => {
    const groups = issuesByKey(await projectIssues(project(), "nl"));
    expect(groups.map((group) => group.map(({ key, rule }) => `${key} ${rule}`))).toEqual([
      ["b missing", "b style"],
      ["a style"],
    ]);
    // Whichever of its issues that is.
    const reversed = groups.toReversed().map((group) => group.toReversed());
    expect(issuesByKey(reversed.flat()).map(([each]) => each?.key)).toEqual(["b", "a"]);
    // A key of another namespace with the same name is another one.
    const [[first = expect.fail("there is an issue")] = []] = groups;
    const other = { ...first, namespace: "other", hash: keyHash({ ...first, namespace: "other" }) };
    expect(issuesByKey([first, other])).toEqual([[first], [other]]);
  });
});

describe("the row of a key", () => {
  const nameOf = (name: KeyName) => projectKeyLabel(undefined, name);
  const key = { ...A, text: { value: "Text" }, description: "On the button", maxLength: 20 };

  test("shows the text, and everything known in the tooltip", () => {
    const translation = { locale: "nl", text: { value: "Tekst" }, isLocalOnly: true };
    const shown = { value: "Tekst" };
    expect(keyRowContent(key, { nameOf, shown, source: "en", translation })).toEqual({
      label: "app.a",
      description: "Tekst",
      icon: "symbol-key",
      kind: "translation",
      tooltip: [
        "app.a",
        "en: Text",
        "nl: Tekst (local, not on the service)",
        "On the button",
        "at most 20 characters",
      ],
      click: goToEntryCommand,
    });
  });

  test("shows what is known of a key instead of its text, and an untranslated one as such", () => {
    const plain = { ...key, description: null, maxLength: null };
    const translation = { locale: "nl", text: null, isLocalOnly: false };
    const content = keyRowContent(plain, { nameOf, shown: "used twice", source: "en", translation });
    expect([content.description, content.tooltip]).toEqual(["used twice", ["app.a", "en: Text", "nl: –"]]);
    const source = keyRowContent(plain, { nameOf, shown: null, source: "en", translation: null });
    expect([source.tooltip, source.kind]).toEqual([["app.a", "en: Text"], "key"]);
  });

  test("of an issue begins with the message, and has a menu by what can be done", async () => {
    const opened = project();
    put(opened, A, [issue("missing", "error", { placeholder: ":n", suggestion: "Tekst :n" })]);
    const [found] = await projectIssues(opened, "nl");
    if (found === undefined) throw new Error("it has an issue");
    expect(issueRowContent(found, nameOf, "key")).toMatchObject({
      label: ":n is missing",
      description: "app.a",
      icon: { status: "error" },
      kind: "issueWithSuggestion",
      spokenLabel: "error: app.a: :n is missing",
      tooltip: ["app.a — nl", ":n is missing (missing)", "Tekst", "Suggestion: Tekst :n"],
    });
    const without = { ...found, level: "warning", suggestion: null };
    expect(issueRowContent(without, nameOf, "text")).toMatchObject({
      description: "Tekst",
      icon: { status: "warning" },
      kind: "issue",
      spokenLabel: "warning: app.a: :n is missing",
      tooltip: ["app.a — nl", ":n is missing (missing)", "Tekst"],
    });
  });

  test("of an issue of a plural form shows that form", async () => {
    const [found] = await projectIssues(project(), "nl");
    if (found === undefined) throw new Error("it has an issue");
    const forms: Text = { forms: { one: "Een", other: "Meer" } };
    const inForm = { ...found, form: "other", row: { ...found.row, text: forms } };
    expect(issueRowContent(inForm, nameOf, "text").description).toBe("Meer");
    const empty: Text = { forms: { one: "", other: "Meer" } };
    const inEmpty = { ...found, form: "one", row: { ...found.row, text: empty } };
    expect(issueRowContent(inEmpty, nameOf, "text").description).not.toContain("Meer");
    // One that the text does not have.
    expect(issueRowContent({ ...inForm, form: "few" }, nameOf, "text").description).toBe(
      "one: Een · other: Meer",
    );
  });

  test("of several issues counts them", async () => {
    const [issues = []] = issuesByKey(await projectIssues(project(), "nl"));
    expect(issuesOfKeyContent(B, issues, nameOf)).toMatchObject({
      label: "app.b",
      description: "2 QA issues",
      kind: "translation",
      tooltip: ["app.b", ":n is missing", expect.any(String)],
      children: "collapsed",
    });
  });

  test("of a rename says which name the service has", () => {
    expect(renameRowContent({ from: A, to: B }, nameOf)).toMatchObject({
      label: "Rename to app.b",
      description: "app.a",
      kind: "rename",
      tooltip: ["Rename to app.b", "app.a is app.b in your files, and not yet on the service."],
    });
  });
});
