/** The listed QA issues, and texts with a suggestion applied. */
import { describe, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { Project } from "../../../src/database/project-state.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { COMPLETE_CURSOR } from "../support/complete-cursor.ts";
import {
  hasSuggestion,
  issueCounts,
  withSuggestion,
  projectIssues,
  type KeyIssue,
  keyIssues,
  localesWithIssues,
} from "../../../src/sync/qa-issues.ts";

const NAMES = ["a", "b", "gone"].map((key) => ({ namespace: "app", key, context: null }));
const [A, B, GONE] = NAMES.map((name) => ({ ...name, hash: keyHash(name) })) as [Key, Key, Key];
type Key = (typeof NAMES)[number] & { readonly hash: string };

const issue = (rule: string) => ({ rule, level: "error", placeholder: null, form: null, suggestion: null });

/** Dutch has two issues of `a` and one of a key that is gone, French one of `b`; German is not loaded. */
function open(): Project {
  const project = new Project("id", "label", new Database());
  project.keys.put(
    [A, B].map((key) => ({
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
  const row = ({ hash }: Key, ...rules: readonly string[]) => ({
    hash,
    text: { value: "Tekst" },
    isTranslated: true,
    isOutdated: false,
    version: 1,
    updatedAt: null,
    issues: rules.map(issue),
  });
  project.translations.put("nl", [row(GONE, "missing"), row(A, "missing", "unknown"), row(B)], 1);
  project.translations.put("fr", [row(B, "wrong")], 1);
  project.translations.put("de", [row(A, "wrong")], 1);
  project.showLanguage("nl");
  project.showLanguage("fr");
  return project;
}

const summaries = (issues: readonly KeyIssue[]): unknown[] =>
  issues.map(({ locale, namespace, key, context, hash, rule, row }) => {
    expect([namespace, context, row.hash]).toEqual(["app", null, hash]);
    return [locale, key, rule];
  });

test("lists the issues of existing keys in a language", async () => {
  const project = open();
  const dutch = [
    ["nl", "a", "missing"],
    ["nl", "a", "unknown"],
  ];
  expect(summaries(await projectIssues(project, "nl"))).toEqual(dutch);
  expect(summaries(await projectIssues(project, "de"))).toEqual([["de", "a", "wrong"]]);
  const isUnknown = ({ rule }: KeyIssue): boolean => rule === "unknown";
  expect(summaries(await projectIssues(project, "nl", isUnknown))).toEqual(dutch.slice(1));
  expect(summaries(await projectIssues(project, "nl", () => true, 1))).toEqual(dutch.slice(0, 1));
});

test("lists the issues of a key's translations", () => {
  const project = open();
  project.showLanguage("de");
  expect(summaries(keyIssues({ ...A, text: null }, project.translationsOf(A.hash)))).toEqual([
    ["de", "a", "wrong"],
    ["nl", "a", "missing"],
    ["nl", "a", "unknown"],
  ]);
  expect(keyIssues({ ...B, text: null }, new Map())).toEqual([]);
  // Beside those of the service, a line break at the end that the source text does not have.
  const [row] = project.translationsOf(A.hash, "de").values();
  if (row === undefined) throw new Error("no row");
  const rows = new Map([["de", { ...row, text: { value: "Text\n" } }]]);
  const rules = (text: Text) => keyIssues({ ...A, text }, rows).map(({ rule }) => rule);
  expect(rules({ value: "Text\n" })).toEqual(["wrong"]);
  expect(rules({ value: "Text" })).toEqual(["wrong", "trailing-line-break"]);
});

test("counts the issues of a language that was read, and else the service's errors", () => {
  const project = open();
  const counts = (locale: string) => issueCounts(project, { locale, qaErrors: 7 });
  const [first] = project.translations.rows("nl", "issues");
  if (first === undefined) throw new Error("no issues");
  project.translations.put("nl", [{ ...first, issues: [{ ...issue("tone"), level: "warning" }] }], 2);
  expect(counts("nl")).toEqual({ errors: 7, warnings: 0 });
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "nl");
  expect(counts("nl")).toEqual({ errors: 2, warnings: 1 });
});

test("lists languages with issues by the service's counts and the cached rows", () => {
  const project = open();
  project.showLanguage("es");
  expect(localesWithIssues(project)).toEqual(["nl", "fr"]);
  const language = (locale: string, qaErrors: number) => ({
    locale,
    name: locale,
    isSource: false,
    totalKeys: 2,
    translated: 1,
    outdated: 0,
    qaErrors,
    percent: 50,
    lastTranslatedAt: null,
  });
  const languages = [language("de", 1), language("nl", 2), language("es", 0)];
  project.setStats({ contentVersion: 1, languages }, { kind: "fresh", at: 1 });
  expect(localesWithIssues(project)).toEqual(["de", "nl", "fr"]);
  // Warnings, which the service does not count, of a language that was read.
  const [row] = project.translations.rows("fr", "issues");
  if (row === undefined) throw new Error("no issues");
  project.translations.put("fr", [{ ...row, issues: [{ ...issue("tone"), level: "warning" }] }], 2);
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "fr");
  const french = [language("fr", 0), language("de", 1)];
  project.setStats({ contentVersion: 2, languages: french }, { kind: "fresh", at: 1 });
  expect(localesWithIssues(project)).toEqual(["fr", "de", "nl"]);
});

describe("suggestions", () => {
  test.each<[string, Text | null, string | null, Text]>([
    ["is the whole text", { value: "Tekst" }, null, { value: "new" }],
    ["is the text where none is known", null, null, { value: "new" }],
    [
      "takes the place of its form alone",
      { forms: { one: "een", other: "meer" } },
      "other",
      { forms: { one: "een", other: "new" } },
    ],
  ])("%s", async (_, text, form, expected) => {
    const [first] = await projectIssues(open(), "nl");
    if (first === undefined) throw new Error("no issue");
    expect(withSuggestion(text, { ...first, suggestion: "new", form })).toEqual(expected);
  });

  test.each<[string, Text | null, string | null | undefined, string | null, boolean]>([
    ["are there for a text", { value: "Tekst" }, null, "new", true],
    ["are there for a form", { forms: { other: "meer" } }, "other", "new", true],
    ["are there for a missing form", { forms: { other: "meer" } }, "one", "new", true],
    ["are absent if null", { value: "Tekst" }, null, null, false],
    ["are absent if empty", { value: "Tekst" }, null, "", false],
    [
      "are absent if the service does not say for which form",
      { forms: { other: "meer" } },
      null,
      "new",
      false,
    ],
    ["are absent if the form is omitted", { forms: { other: "meer" } }, undefined, "new", false],
    ["are absent if the form is empty", { forms: { other: "meer" } }, "", "new", false],
  ])("%s", async (_, text, form, suggestion, expected) => {
    const [first] = await projectIssues(open(), "nl");
    if (first === undefined) throw new Error("no issue");
    expect(hasSuggestion({ ...first, suggestion, form, row: { ...first.row, text } })).toBe(expected);
  });
});
