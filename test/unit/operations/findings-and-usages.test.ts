/** What is reported of a problem, and of a usage report. */
import { describe, expect, test } from "vitest";
import { Project } from "../../../src/database/project-state.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { findingsOfProblem, withoutIgnored } from "../../../src/operations/problem-findings.ts";
import { usageGroups } from "../../../src/operations/usage-groups.ts";
import type { ProjectProblem } from "../../../src/workspace/problems/project-problems.ts";
import type { IgnoreRule } from "../../../src/workspace/project-file/project-file.ts";
import { createKeyDatabase } from "../support/key-database.ts";

const TITLE = { namespace: "cart", key: "title", context: null };

describe("findings of a problem", () => {
  const key = { ...TITLE, hash: keyHash(TITLE), text: { value: "Your cart" } };
  const project = new Project("id", "shop", createKeyDatabase([key]));
  const place = { path: "src/a.ts", start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const findings = (problem: object, ignore?: readonly IgnoreRule[]) => {
    const file = ignore === undefined ? {} : { diagnostics: { ignore } };
    const found = { ...place, problem } as unknown as ProjectProblem;
    return findingsOfProblem({} as never, { project, file } as never, {} as never, found);
  };
  const file = {
    kind: "file",
    problem: { code: "duplicate", path: "src/a.ts", line: 1, column: 1, name: TITLE },
  };

  test("of a file are left out if a rule ignores them by code or path", () => {
    expect(findings(file)).toEqual([file]);
    expect(findings(file, [])).toEqual([file]);
    expect(findings(file, [{ code: "syntax" }, { path: "src/b.ts" }])).toEqual([file]);
    expect(findings(file, [{ code: "duplicate" }])).toEqual([]);
    expect(findings(file, [{ path: "src/a.ts" }])).toEqual([]);
  });

  test("of a key that misses translations are not looked at again", () => {
    const missing = { kind: "missing", key: TITLE, locales: ["nl"] };
    expect(findings(missing, [{ code: "missing-translation" }])).toEqual([missing]);
  });

  test("of a text are its issues in that language, by the service, without those that are ignored by key", () => {
    const issue = { rule: "laravel.missing", level: "error", placeholder: ":a" };
    const row = { hash: key.hash, text: { value: "Mandje" }, isTranslated: true, isOutdated: false };
    for (const locale of ["nl", "fr"]) project.showLanguage(locale);
    const issues = [issue, { ...issue, rule: "laravel.unexpected" }];
    project.translations.put("nl", [{ ...row, issues, version: 1, updatedAt: null }], 1);
    const problem = { kind: "issues", hash: key.hash, key: TITLE, locale: "nl" };
    const rules = (ignore?: readonly IgnoreRule[]) =>
      findings(problem, ignore).map((each) =>
        each.kind === "issue" ? [each.issue.rule, each.issue.locale, each.inFile] : each,
      );
    expect(rules()).toEqual([
      ["laravel.missing", "nl", true],
      ["laravel.unexpected", "nl", true],
    ]);
    expect(rules([{ code: "laravel.missing" }])).toEqual([["laravel.unexpected", "nl", true]]);
    expect(rules([{ key: "cart.title" }])).toEqual([]);
    expect(rules([{ key: "cart.other" }])).toHaveLength(2);
    expect(findings({ ...problem, locale: "fr" })).toEqual([]);
  });

  test("are ignored by other spellings of the key, too", () => {
    const missing = { kind: "missing", key: TITLE, locales: ["nl"] } as const;
    const checked = (key: string) => ({ project, file: { diagnostics: { ignore: [{ key }] } } });
    expect(withoutIgnored(checked("spelled"), "a.ts", ["spelled"], [missing])).toEqual([]);
    expect(withoutIgnored(checked("cart.title"), "a.ts", ["spelled"], [missing])).toEqual([]);
    expect(withoutIgnored(checked("other"), "a.ts", ["spelled"], [missing])).toEqual([missing]);
  });
});

test("a usage report has the names of keys by group, of used ones only the number", () => {
  const keyOf = (name: string) =>
    ({ ...TITLE, key: name, hash: name, text: { value: "a" }, tags: ["b"] }) as never;
  const named = (name: string) => ({ ...TITLE, key: name, hash: name });
  expect(
    usageGroups({
      used: [keyOf("a"), keyOf("b")],
      unused: [keyOf("c")],
      probablyUnused: [{ key: keyOf("d"), pattern: "d*" }],
      undeterminable: [
        { key: keyOf("e"), pattern: null, path: "e.ts" },
        { key: keyOf("f"), pattern: "f*", path: null },
      ],
    } as never),
  ).toEqual({
    used: 2,
    unused: [named("c")],
    probablyUnused: [{ ...named("d"), pattern: "d*" }],
    undeterminable: [
      { ...named("e"), pattern: "", path: "e.ts" },
      { ...named("f"), pattern: "f*", path: null },
    ],
  });
});
