/** What is looked for in a project, by what is known of it and its settings. */
import { expect, test } from "vitest";
import type { Project } from "../../../../src/database/project-state.ts";
import {
  problemsRequestOf,
  type ProblemsRequestOptions,
} from "../../../../src/workspace/problems/problems-request.ts";
import { isReported } from "../../../../src/workspace/problems/project-problems.ts";

/** A project that is known completely, of which only the files are. */
const project = (more: object = {}): Project =>
  ({
    keysComplete: true,
    source: { hasService: false, isKnown: true },
    freshness: { kind: "never" },
    sourceLocale: "en",
    loadedLocales: () => ["nl", "en", "de"],
    completeLocales: () => new Set(["nl"]),
    ...more,
  }) as unknown as Project;
const AT_SERVICE = { source: { hasService: true, isKnown: true }, freshness: { kind: "fresh" } };

const ON = {
  "diagnostics.unknownKey": "error",
  "diagnostics.missingTranslation": "information",
  "diagnostics.qaIssues": "warning",
};
const OPTIONS: ProblemsRequestOptions = {
  project: project(),
  local: {
    sourceLocale: "fr",
    namespaces: new Set(["cart"]),
    unreadNamespaces: new Set(["mail"]),
    loaded: { locales: [] } as never,
  },
  file: {},
  lookup: { frameworks: new Set(["laravel"]) },
  areUsagesComplete: true,
  severities: ON,
  limit: 7,
};

test("translations that are missing are those of languages that are known completely", () => {
  const files = [{ path: "{locale}.json", format: "json_js" as const }];
  const ignore = [{ key: "a" }];
  expect(problemsRequestOf({ ...OPTIONS, file: { files, diagnostics: { ignore } } })).toEqual({
    lookup: OPTIONS.lookup,
    unknown: { keys: true, messages: false },
    missing: ["nl"],
    issues: ["nl", "de"],
    files: true,
    sourceLocale: "en",
    localNamespaces: new Set(["cart"]),
    unreadNamespaces: new Set(["mail"]),
    layout: files,
    ignore,
    limit: 7,
  });
});

test("the source language is that of the files until the service’s is known", () => {
  const unknown = project({ sourceLocale: null, loadedLocales: () => ["fr", "nl"] });
  expect(problemsRequestOf({ ...OPTIONS, project: unknown })).toMatchObject({
    sourceLocale: "fr",
    issues: ["nl"],
    layout: [],
    ignore: [],
  });
});

test.each<[keyof typeof ON, object]>([
  ["diagnostics.unknownKey", { unknown: { keys: false, messages: false } }],
  ["diagnostics.missingTranslation", { missing: [] }],
  ["diagnostics.qaIssues", { issues: [], files: false }],
])("nothing is looked for that %s switches off", (setting, without) => {
  const atService = { ...OPTIONS, project: project(AT_SERVICE) };
  const all = problemsRequestOf(atService);
  expect(all).toMatchObject({
    unknown: { keys: true, messages: true },
    missing: ["nl"],
    issues: ["nl", "de"],
    files: true,
  });
  const severities = { ...ON, [setting]: "off" };
  expect(problemsRequestOf({ ...atService, severities })).toEqual({ ...all, ...without });
});

test("texts are unknown keys only where the service’s are known", () => {
  const gettext = { ...OPTIONS, lookup: { frameworks: new Set(["gettext"] as const) } };
  const unknown = (options: ProblemsRequestOptions) => problemsRequestOf(options).unknown;
  expect(unknown(gettext)).toEqual({ keys: false, messages: false });
  expect(unknown({ ...gettext, project: project(AT_SERVICE) })).toEqual({ keys: true, messages: true });
  expect(unknown({ ...OPTIONS, areUsagesComplete: false })).toEqual({ keys: false, messages: false });
});

test("problems that keep a file from being read as it is meant are reported, other values are not", () => {
  const codes = [
    "syntax",
    "duplicate",
    "elsewhere",
    "format",
    "encoding",
    "too_large",
    "unreadable",
  ] as const;
  const others = ["type", "expression", "locale", "unsupported"] as const;
  const where = { path: "a", message: "", span: null, line: null, column: null, name: null };
  expect([...codes, ...others].filter((code) => isReported({ ...where, code }))).toEqual(codes);
});
