/** The usage report of a project of which only the answers of its index are given. */
import { expect, test } from "vitest";
import type { ProjectKey } from "../../../../src/database/records.ts";
import type { KeyEvidence } from "../../../../src/workspace/usages/find-evidence.ts";
import {
  reportUsage,
  type UsageReportDependencies,
} from "../../../../src/workspace/usages/find-unused-keys.ts";
import { serializeKeyReference } from "../../../../src/workspace/usages/stored-key-references.ts";
import { createKeyNames } from "../../support/key-database.ts";
import { keyOf } from "../../support/source-folder.ts";

const projectKey = (name: string): ProjectKey => ({
  ...keyOf(name),
  isPlural: false,
  text: { value: "x" },
  description: null,
  maxLength: null,
  tags: [],
  sourceHash: null,
  updatedAt: null,
});

function given(
  names: readonly string[],
  more: Partial<UsageReportDependencies> = {},
): UsageReportDependencies {
  return {
    usages: { countsOf: () => new Map(), dynamicReferences: () => [], skippedFiles: () => [] },
    keys: { values: () => names.map(projectKey) },
    names: createKeyNames(names.map(keyOf)),
    lookup: { frameworks: new Set(["i18next"]) },
    keep: [],
    findOccurrences: () => Promise.resolve(new Map()),
    findEvidence: () => Promise.resolve(new Map()),
    others: [],
    ...more,
  };
}

const hashes = (keys: readonly ProjectKey[]): readonly string[] => keys.map(({ hash }) => hash);

test("every key is in one part of the report, however many there are", async () => {
  const names = Array.from({ length: 1_203 }, (_, index) => `*|k${index}`);
  const asked: number[] = [];
  const usages: UsageReportDependencies["usages"] = {
    countsOf: (all) => {
      asked.push(all.length);
      return new Map(all.filter((hash) => hash.endsWith("7")).map((hash) => [hash, 1]));
    },
    dynamicReferences: () => [],
    skippedFiles: () => [{ path: "a.ts", reason: "too-large" }],
  };
  const { used, unused, skippedFiles } = await reportUsage(given(names, { usages }));
  expect(asked).toEqual([500, 500, 203]);
  expect(hashes(used)).toEqual(names.filter((name) => name.endsWith("7")));
  expect(hashes(unused)).toEqual(names.filter((name) => !name.endsWith("7")));
  expect(skippedFiles).toEqual([{ path: "a.ts", reason: "too-large" }]);
});

const evidence = (kind: KeyEvidence["kind"], more: Partial<KeyEvidence> = {}): KeyEvidence => ({
  kind,
  pattern: "status.*",
  path: null,
  references: [1],
  words: [],
  ...more,
});

test("what is known of a key decides in the order of certainty", async () => {
  const names = ["built", "found", "mentioned", "open", "none", "unbound", "any", "gone"].map(
    (key) => `s|${key}`,
  );
  const found = new Map([
    ["s|built", evidence("built", { path: "list.ts", references: [1, 2] })],
    ["s|found", evidence("found", { path: "word.ts" })],
    ["s|mentioned", evidence("none", { references: [1, 3] })],
    ["s|open", evidence("open")],
    ["s|none", evidence("none")],
    ["s|any", evidence("none", { pattern: "*", references: [3] })],
  ]);
  const reference = serializeKeyReference({
    expression: { kind: "static", key: "unbound" },
    namespaces: "unknown",
    keyPrefix: "",
    context: null,
  });
  const searched: string[] = [];
  const report = await reportUsage(
    given(names, {
      usages: { countsOf: () => new Map(), dynamicReferences: () => [reference], skippedFiles: () => [] },
      findEvidence: () => Promise.resolve(found),
      findOccurrences: (all) => {
        searched.push(...all.map(({ name }) => name));
        const at = all.flatMap(({ name }, index) =>
          ["s:mentioned", "s.found", "s.built"].includes(name) ? [[index, "notes.md"] as const] : [],
        );
        return Promise.resolve(new Map(at));
      },
    }),
  );
  expect(hashes(report.used)).toEqual(["s|built"]);
  expect([...report.built]).toEqual([["s|built", { pattern: "status.*", path: "list.ts" }]]);
  expect(report.undeterminable.map(({ key, pattern, path }) => [key.key, pattern, path])).toEqual([
    ["found", "status.*", "word.ts"],
    ["mentioned", null, "notes.md"],
    ["open", "status.*", null],
    ["unbound", "*unbound", null],
  ]);
  expect(report.probablyUnused.map(({ key, pattern }) => [key.key, pattern])).toEqual([
    ["none", "status.*"],
    ["any", "*"],
  ]);
  expect(hashes(report.unused)).toEqual(["s|gone"]);
  // The built one is used.
  expect([...report.heldKeys]).toEqual([
    [1, 4],
    [3, 2],
  ]);
  expect(searched.slice(0, 3)).toEqual(["s.built", "s:built", "built"]);
});

test("a report that is no longer wanted ends with the reason", async () => {
  const stop = new AbortController();
  stop.abort(new Error("no longer"));
  await expect(reportUsage(given(["*|a"]), stop.signal)).rejects.toThrow("no longer");
  const later = new AbortController();
  const dependencies = given(["*|a"], {
    findEvidence: () => {
      later.abort(new Error("later"));
      return Promise.resolve(new Map());
    },
  });
  await expect(reportUsage(dependencies, later.signal)).rejects.toThrow("later");
});

test("keys of built-in framework groups, and texts that a framework shows, are used", async () => {
  const unused = async (
    framework: "laravel" | "symfony",
    names: readonly string[],
  ): Promise<readonly string[]> =>
    hashes((await reportUsage(given(names, { lookup: { frameworks: new Set([framework]) } }))).unused);
  const laravel = [
    "auth|failed",
    "*|auth.failed",
    "authors|failed",
    "*|author",
    "*|Forbidden",
    "shop|Forbidden",
  ];
  expect(await unused("laravel", laravel)).toEqual(["authors|failed", "*|author", "shop|Forbidden"]);
  const symfony = ["validators|a", "validators+intl-icu|a", "security.en|a", "auth|a"];
  expect(await unused("symfony", symfony)).toEqual(["auth|a"]);
});

test("keys that the project file keeps are used, however their names are written", async () => {
  const names = ["cart|title", "cart|form.save", "*|nav.open", "shop|nav.open", "shop|carts"];
  const kept = async (...keep: readonly string[]): Promise<readonly string[]> =>
    hashes((await reportUsage(given(names, { keep }))).used);
  expect(await kept()).toEqual([]);
  expect(await kept("cart.*")).toEqual(["cart|title", "cart|form.save"]);
  expect(await kept("cart:form.*", "nav.open")).toEqual(["cart|form.save", "*|nav.open"]);
});

test("keys that an installed package has are used, although no call of the code may mean them", async () => {
  const ofPackage = evidence("built", { pattern: "s.*", path: "vendor/s.php", references: [] });
  const findEvidence = () => Promise.resolve(new Map([["s|text", ofPackage]]));
  const { used, unused, built } = await reportUsage(given(["s|text", "s|other"], { findEvidence }));
  expect([hashes(used), hashes(unused)]).toEqual([["s|text"], ["s|other"]]);
  expect(built.get("s|text")).toEqual({ pattern: "s.*", path: "vendor/s.php" });
});
