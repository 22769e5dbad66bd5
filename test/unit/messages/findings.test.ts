/** What is found to be wrong in a project: its code, its setting, its key and its sentence. */
import { expect, test } from "vitest";
import { describeFinding, type Finding } from "../../../src/messages/findings.ts";
import {
  isError,
  issueCountTexts,
  issueMessage,
  textProblems,
  unknownKeyMessage,
} from "../../../src/messages/issue-messages.ts";

const SPELLING = { namespaceSeparator: ":", unwrittenNamespaces: new Set<string>() };
const project = { ...SPELLING, source: { hasService: true } } as unknown as Parameters<
  typeof describeFinding
>[0];
const KEY = { namespace: "cart", key: "title", context: "menu" };
const issue = (rule: string, changes: object = {}) =>
  ({ rule, level: "error", placeholder: ":name", form: "", suggestion: "", ...changes }) as never;
const entry = { name: KEY, locale: "nl", text: { value: "Hallo" } } as never;
const keyIssue = (rule: string, changes: object = {}): Finding => {
  const whole = { ...KEY, locale: "nl", hash: "", row: { text: { value: "Hallo" } } };
  return { kind: "issue", inFile: true, issue: Object.assign(whole, issue(rule, changes)) };
};

const described = (finding: Finding, ...others: readonly Finding[]) => {
  const { message, ...rest } = describeFinding(project, finding, others);
  return { ...rest, message: message() };
};

test("issues of one text are one message, with the code of the first and the severity of QA issues", () => {
  const first = keyIssue("laravel.missing");
  expect(described(first, keyIssue("laravel.unexpected", { placeholder: ":naam" }))).toEqual({
    code: "laravel.missing",
    setting: "diagnostics.qaIssues",
    keys: [expect.objectContaining(KEY)],
    message: "cart:title (menu) (nl): :name is missing, :naam is unknown",
  });
  // Other kinds of findings are not among the issues of a text.
  const later = { kind: "missing", key: KEY, locales: ["nl"] } as const;
  expect(described(first, later).message).toBe("cart:title (menu) (nl): :name is missing");
  expect(described({ kind: "placeholder", issue: issue("laravel.type"), entry })).toEqual({
    code: "laravel.type",
    setting: "diagnostics.qaIssues",
    keys: [KEY],
    message: "cart:title (menu) (nl): :name has a different type than in the source text",
  });
});

test.each<[Finding, string, string, readonly object[], string]>([
  [
    { kind: "unknown", candidates: [KEY], written: "cart:titel", similar: "cart:title" },
    "unknown-key",
    "diagnostics.unknownKey",
    [KEY],
    "Unknown key “cart:titel”. Did you mean “cart:title”?",
  ],
  [
    { kind: "missing", key: KEY, locales: ["fr", "nl"] },
    "missing-translation",
    "diagnostics.missingTranslation",
    [KEY],
    "cart:title (menu) (fr, nl): untranslated",
  ],
  [
    { kind: "outdated", key: KEY, locales: ["nl"] },
    "outdated-translation",
    "diagnostics.missingTranslation",
    [KEY],
    "cart:title (menu) (nl): outdated, since the source text was changed",
  ],
  [
    { kind: "too-long", entry, length: 12, maxLength: 10 },
    "too-long",
    "diagnostics.qaIssues",
    [],
    "cart:title (menu) (nl): 12 of at most 10 characters",
  ],
  [
    { kind: "unpushed", change: "new", entry },
    "unpushed",
    "diagnostics.unknownKey",
    [],
    "“cart:title (menu)” is not pushed yet: the service does not have this key.",
  ],
  [
    { kind: "unpushed", change: "changed", entry },
    "unpushed",
    "diagnostics.unknownKey",
    [],
    "“cart:title (menu)” is not pushed yet: the service has another text.",
  ],
  [
    { kind: "unpushed", change: "archived", entry },
    "unpushed",
    "diagnostics.unknownKey",
    [],
    "“cart:title (menu)” is archived on the service.",
  ],
  [
    { kind: "file", problem: { code: "duplicate", path: "nl.php", line: 3, column: 5, name: KEY } as never },
    "duplicate",
    "diagnostics.qaIssues",
    [],
    "nl.php:3:5: cart:title (menu) appears more than once in the file",
  ],
])("%j has its code, setting, keys and message", (finding, code, setting, keys, message) => {
  expect(described(finding)).toEqual({ code, setting, keys, message });
});

test("an unknown key is missing in the files, and at the service if there is one", () => {
  expect(unknownKeyMessage("a", null, { hasService: true })).toBe(
    "Unknown key “a”: neither the service nor a translation file has it.",
  );
});

test.each([
  [issue("laravel.missing"), ":name is missing"],
  [issue("laravel.missing", { form: "one" }), ":name is missing (form “one”)"],
  [issue("laravel.missing", { form: null }), ":name is missing"],
  [issue("icu.syntax"), "the braces do not match"],
  [issue("later.rule"), "later.rule: :name"],
  [issue("later.rule", { placeholder: undefined }), "later.rule"],
  [
    issue("trailing-line-break", { placeholder: "" }),
    "ends in a line break that the source text does not have",
  ],
  ...(
    [
      ["format", "“{x” is not a valid placeholder"],
      ["argument", "“{x” is not a valid argument"],
      ["argument-style", "“{x” is not a valid argument"],
      ["options", "“{x” is not a valid argument"],
      ["argument-type", "“{x” is not a type of argument"],
      ["closing-brace", "the brace of “{x” is not closed"],
      ["duplicate-option", "“{x” appears twice"],
      ["missing-other", "“{x” has no “other”"],
      ["tag", "the tag “{x” is not closed, or has attributes"],
    ] as const
  ).map(
    ([kind, message]) => [issue("icu.syntax", { placeholder: "{x", syntax: { kind } }), message] as const,
  ),
] as const)("%j is said as “%s”", (given, message) => {
  expect(issueMessage(given)).toBe(message);
});

test("a long part of a text is cut in a message about it", () => {
  const saidOf = (placeholder: string) =>
    issueMessage(issue("icu.syntax", { placeholder, syntax: { kind: "format" } }));
  expect(saidOf("x".repeat(40))).toBe(`“${"x".repeat(40)}” is not a valid placeholder`);
  expect(saidOf("x".repeat(41))).toBe(`“${"x".repeat(40)}…” is not a valid placeholder`);
});

test("levels are counted apart, those without any not at all; an unknown level is a warning", () => {
  expect(issueCountTexts({ errors: 2, warnings: 1 })).toEqual(["2 QA errors", "1 QA warning"]);
  expect(issueCountTexts({ errors: 0, warnings: 0 })).toEqual([]);
  expect(["error", "warning", "later"].map((level) => isError({ level } as never))).toEqual([
    true,
    false,
    false,
  ]);
});

test("a wrong name is said once, of the form that has it", () => {
  const text = { forms: { one: "een :naam", other: ":naam en :name" } };
  const missing = issue("laravel.missing", { form: "one", suggestion: "een :name" });
  expect(textProblems(text, [missing])).toEqual([":name is missing (form “one”)", ":naam is unknown"]);
  const named = issue("laravel.unexpected", { form: "one", placeholder: ":naam" });
  expect(textProblems(text, [missing, named])).toEqual([
    ":name is missing (form “one”)",
    ":naam is unknown (form “one”)",
  ]);
  expect(textProblems(null, [missing])).toEqual([":name is missing (form “one”)"]);
});
