/** The rows of a language and of its keys, and that their numbers are the same everywhere. */
import { describe, expect, test } from "vitest";
import type { Language, QaIssue } from "../../../src/api/response-schemas.ts";
import { Database } from "../../../src/database/database.ts";
import { Project } from "../../../src/database/project-state.ts";
import {
  languageContent,
  type LanguageState,
} from "../../../src/features/languages-view/language-content.ts";
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

describe("a language", () => {
  test("shows its numbers, and groups for what is to be done", () => {
    const { label, counts, groups, ring, contextValue } = languageContent(DUTCH, STATE);
    expect([label, contextValue]).toEqual(["Nederlands (nl)", "language"]);
    expect(counts).toEqual([
      "70%",
      "3 not on the service",
      "2 outdated",
      "1 QA error",
      "2 QA warnings",
      "yesterday",
    ]);
    expect(groups.map((group) => group.label)).toEqual([
      "Untranslated (3)",
      "Local, not on the service (3)",
      "Outdated (2)",
      "QA issues (3)",
      "Translated (7)",
    ]);
    expect(ring).toEqual({ translated: 0.7, outdated: 0.2, hasErrors: true });
  });

  test("has a row for each number in the tooltip", () => {
    expect(languageContent(DUTCH, STATE).tooltipRows.slice(0, 5)).toEqual([
      ["Translated", "7 of 10"],
      ["Untranslated", "3"],
      ["Local, not on the service", "3"],
      ["Outdated", "2"],
      ["QA errors", "1"],
    ]);
  });

  test("has no groups, and no counts of zero", () => {
    const done = { ...DUTCH, translated: 10, outdated: 0, percent: 100, lastTranslatedAt: null };
    const state = { ...STATE, issues: { errors: 0, warnings: 0 }, localOnly: 0 };
    const { counts, groups, ring } = languageContent(done, state);
    expect([counts, groups.map(({ name }) => name)]).toEqual([["100%"], ["translated"]]);
    expect(ring.hasErrors).toBe(false);
    const empty = languageContent({ ...done, totalKeys: 0, translated: 0 }, state);
    expect([empty.groups, empty.ring.translated]).toEqual([[], 0]);
  });

  test("of the source has all keys, and warnings alone are no errors", () => {
    const source = languageContent({ ...DUTCH, isSource: true }, STATE);
    expect([source.contextValue, source.groups.map(({ label }) => label)]).toEqual([
      "sourceLanguage",
      ["All keys (10)"],
    ]);
    expect(source.counts[0]).toBe("source, 10 keys");
    const warned = languageContent(DUTCH, { ...STATE, issues: { errors: 0, warnings: 2 } });
    expect(warned.counts).not.toContain("0 QA errors");
    expect([
      warned.ring.hasErrors,
      warned.groups.map(({ label }) => label).includes("QA issues (2)"),
    ]).toEqual([false, true]);
  });

  test("of local files has another menu", () => {
    const local = languageContent(DUTCH, { ...STATE, hasService: false });
    expect(local.contextValue).toBe("local language");
    expect(local.tooltipRows.map(([label]) => label)).toContain("QA errors");
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
    const { groups } = languageContent(DUTCH, { ...STATE, issues: counts });
    expect(groups.find(({ name }) => name === "issues")?.label).toBe(`QA issues (${listed.length})`);
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
      contextValue: "key",
      tooltip: [
        "app.a",
        "en: Text",
        "nl: Tekst (local, not on the service)",
        "On the button",
        "at most 20 characters",
      ],
      spokenLabel: "app.a, Tekst",
    });
  });

  test("shows what is known of a key instead of its text, and an untranslated one as such", () => {
    const plain = { ...key, description: null, maxLength: null };
    const translation = { locale: "nl", text: null, isLocalOnly: false };
    const content = keyRowContent(plain, { nameOf, shown: "used twice", source: "en", translation });
    expect([content.description, content.tooltip]).toEqual(["used twice", ["app.a", "en: Text", "nl: –"]]);
    const source = keyRowContent(plain, { nameOf, shown: null, source: "en", translation: null });
    expect([source.tooltip, source.spokenLabel]).toEqual([["app.a", "en: Text"], "app.a"]);
  });

  test("of an issue begins with the message, and has a menu by what can be done", async () => {
    const opened = project();
    put(opened, A, [issue("missing", "error", { placeholder: ":n", suggestion: "Tekst :n" })]);
    const [found] = await projectIssues(opened, "nl");
    if (found === undefined) throw new Error("it has an issue");
    expect(issueRowContent(found, nameOf, "key")).toMatchObject({
      label: ":n is missing",
      description: "app.a",
      icon: "error",
      contextValue: "issueWithSuggestion",
      spokenLabel: "error: app.a: :n is missing",
      tooltip: ["app.a — nl", ":n is missing (missing)", "Tekst", "Suggestion: Tekst :n"],
    });
    const without = { ...found, level: "warning", suggestion: null };
    expect(issueRowContent(without, nameOf, "text")).toMatchObject({
      description: "Tekst",
      icon: "warning",
      contextValue: "issue",
      spokenLabel: "warning: app.a: :n is missing",
    });
  });

  test("of an issue of a plural form shows that form", async () => {
    const [found] = await projectIssues(project(), "nl");
    if (found === undefined) throw new Error("it has an issue");
    const forms: Text = { forms: { one: "Een", other: "Meer" } };
    const inForm = { ...found, form: "other", row: { ...found.row, text: forms } };
    expect(issueRowContent(inForm, nameOf, "text").description).toBe("Meer");
  });

  test("of several issues counts them", async () => {
    const [issues = []] = issuesByKey(await projectIssues(project(), "nl"));
    expect(issuesOfKeyContent(B, issues, nameOf)).toMatchObject({
      label: "app.b",
      description: "2 QA issues",
      contextValue: "key",
      spokenLabel: "app.b, 2 QA issues",
    });
  });

  test("of a rename says which name the service has", () => {
    expect(renameRowContent({ from: A, to: B }, nameOf)).toMatchObject({
      label: "Rename to app.b",
      description: "app.a",
      contextValue: "rename",
      tooltip: ["Rename to app.b", "app.a is app.b in your files, and not yet on the service."],
    });
  });
});
