/** What is wrong in the files of a project: which entries and usages, and that a text of the service is none of a file. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { QaIssue } from "../../../src/api/response-schemas.ts";
import { Database } from "../../../src/database/database.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { UsageRepository } from "../../../src/database/key-usage-repository.ts";
import { LocalChecks } from "../../../src/database/local-checks.ts";
import { type LocalEntry, LocalFileRepository } from "../../../src/database/local-file-repository.ts";
import { ProblemQueries } from "../../../src/database/problem-queries.ts";
import {
  CONTENT_OF_FILES,
  contentOfProject,
  SyncMetadataRepository,
} from "../../../src/database/sync-metadata-repository.ts";
import { TranslationRepository } from "../../../src/database/translation-repository.ts";
import type { FileTranslation } from "../../../src/model/placeholder-families.ts";
import type { Text } from "../../../src/model/translation-text.ts";

let database: Database;
let problems: ProblemQueries;
beforeEach(() => {
  database = new Database();
  problems = new ProblemQueries(database);
});
afterEach(() => database.close());

const issueOf = (level: "error" | "warning", placeholder = ":a"): QaIssue => {
  return { rule: "laravel.missing", level, placeholder, form: "", suggestion: null };
};

interface FileChanges {
  readonly modified?: number;
  readonly rank?: number;
  readonly family?: "gettext";
  readonly texts?: Readonly<Record<string, number>>;
  readonly problems?: readonly string[];
  /** Keys that it has once more. */
  readonly again?: readonly string[];
  readonly details?: Pick<LocalEntry["entry"], "isFuzzy" | "formatFlags" | "source">;
}

/** Stores a file of a language whose keys are letters, which are their own hashes. */
function write(
  path: string,
  locale: string,
  texts: Readonly<Record<string, string>>,
  changes: FileChanges = {},
): void {
  const { modified = 1, rank = 0, problems: found = [], details, again = [] } = changes;
  const stamp = { size: 1, modified };
  const file = {
    path,
    rank,
    family: changes.family ?? null,
    keyPrefix: "",
    stamp,
    dirty: false,
    recent: false,
    readConditions: "",
  };
  const all = [...Object.entries(texts), ...again.map((hash) => [hash, "again"] as const)];
  const entries = all.map(([hash, value], index): LocalEntry => {
    const name = { namespace: "*", key: hash, context: null };
    const said = { text: { value }, description: null };
    const spans = {
      keySpan: { start: index, end: index },
      valueSpan: { start: index * 10, end: index * 10 + 5 },
    };
    const entry = { key: hash, context: null, namespace: null, locale: null, readOnly: null, source: null };
    return { name, hash, ...said, path, locale, entry: { ...entry, ...said, ...spans, ...details } };
  });
  new LocalFileRepository(database).putFile(
    file,
    {
      locales: new Map([[locale, null]]),
      namespaces: [],
      keyNamespaces: [],
      problems: found.map((message) => {
        return { code: "syntax", path, message, span: null, line: 1, column: 1, name: null };
      }),
      texts: { [locale]: entries.length },
      sourceNamespaces: [],
    },
    entries,
  );
}

function putKeys(texts: Readonly<Record<string, string | null>>, revision = 1): void {
  const none = {
    isPlural: false,
    sourceHash: null,
    description: null,
    maxLength: null,
    tags: [],
    updatedAt: null,
  };
  new KeyRepository(database).put(
    Object.entries(texts).map(([hash, value]) => {
      const text = value === null ? null : { value };
      return { ...none, hash, namespace: "*", key: hash, context: null, text };
    }),
    revision,
  );
}

interface Translated {
  readonly issues?: readonly QaIssue[];
  readonly isTranslated?: boolean;
}

function translate(
  hash: string,
  value: string | null,
  { issues = [], isTranslated = true }: Translated = {},
): void {
  const text = value === null ? null : { value };
  const row = { hash, text, isTranslated, isOutdated: false, issues, version: null, updatedAt: null };
  new TranslationRepository(database).put("nl", [row], 1);
}

const places = (found: readonly { readonly path: string; readonly span: { readonly start: number } }[]) =>
  found.map(({ path, span }) => `${path} ${span.start}`);

test("an entry has the issues of its own text, not those of a text that the service has", () => {
  putKeys({ a: "A :a", b: "B\n", c: "C", d: "D", e: "E", g: "G", h: "H" });
  write("nl.json", "nl", { a: "a", b: "b", c: "c\n", d: "mine", e: "e", g: "g\n", h: "h\r" });
  const issue = issueOf("error");
  translate("a", "a", { issues: [issue] });
  translate("b", "b");
  translate("c", "c\n");
  translate("d", "theirs", { issues: [issue] });
  translate("e", "e");
  translate("f", "f", { issues: [issue] });
  translate("g", "g\n", { issues: [issue] });
  translate("h", "h\r");
  const found = problems.entriesWithIssues("nl", 10);
  expect(found.map(({ hash, locale, issues }) => [hash, locale, issues.map(({ rule }) => rule)])).toEqual([
    ["a", "nl", ["laravel.missing"]],
    ["g", "nl", ["laravel.missing", expect.any(String)]],
    ["c", "nl", [expect.any(String)]],
    ["h", "nl", [expect.any(String)]],
  ]);
  expect([found[0]?.key, found[0]?.span, found[0]?.path]).toEqual(["a", { start: 0, end: 5 }, "nl.json"]);
  expect(problems.entriesWithIssues("fr", 10)).toEqual([]);
  // As many as are asked for: those of the files are read instead.
  const hashes = (limit: number): readonly string[] =>
    problems.entriesWithIssues("nl", limit).map(({ hash }) => hash);
  expect([hashes(2), hashes(5)]).toEqual([
    ["a", "c"],
    ["a", "c", "g", "h"],
  ]);
  new LocalFileRepository(database).removeFile("nl.json");
  expect([hashes(2), hashes(10)]).toEqual([[], []]);
});

test("of too many, those in the files that changed last are found, each key at its first entry", () => {
  putKeys({ a: "A", b: "B", c: "C", d: null, e: "" });
  write("1-old.json", "en", { b: "B", a: "A" }, { modified: 5 });
  write("2-new.json", "en", { c: "C", a: "again", d: "D", e: "E" }, { modified: 9, again: ["c"] });
  const missing = (limit: number) => places(problems.untranslated("nl", "en", limit));
  // Keys without a source text are not missing.
  expect(missing(9)).toEqual(["1-old.json 10", "1-old.json 0", "2-new.json 0"]);
  expect(problems.untranslated("nl", "en", 9)[1]).toEqual({
    hash: "b",
    namespace: "*",
    key: "b",
    context: null,
    locale: "nl",
    path: "1-old.json",
    modified: 5,
    span: { start: 0, end: 5 },
  });
  expect(missing(3)).toEqual(["2-new.json 0", "1-old.json 0", "1-old.json 10"]);
  expect(missing(1)).toEqual(["2-new.json 0"]);
  translate("c", "c");
  translate("b", "b", { isTranslated: false });
  expect(missing(9)).toEqual(["1-old.json 10", "1-old.json 0"]);
  expect(["a", "b", "c"].map((hash) => problems.isTranslated("nl", hash))).toEqual([false, false, true]);
  expect(problems.isTranslated("fr", "c")).toBe(false);
});

test("files are in the order of their changes, those that were just written first, and say what they are", () => {
  write("b.json", "nl", { a: "a" }, { modified: 5, problems: ["one", "two"] });
  write("a.json", "nl", {}, { modified: 5, problems: ["three"] });
  write("new.json", "nl", {}, { modified: -1, problems: ["four"] });
  write("fine.json", "nl", {}, { modified: 7 });
  const found = problems.filesWithProblems(9);
  expect(found.map(({ path, modified, problems: own }) => [path, modified, own.length])).toEqual([
    ["new.json", Infinity, 1],
    ["a.json", 5, 1],
    ["b.json", 5, 2],
  ]);
  expect(problems.filesWithProblems(1)).toEqual([found[0]]);
  expect(["b.json", "new.json", "nowhere.json"].map((path) => problems.modified(path))).toEqual([
    5,
    Infinity,
    0,
  ]);
  expect(["a", "b"].map((hash) => problems.hasEntry(hash))).toEqual([true, false]);
  new LocalFileRepository(database).removeFile("b.json");
  expect([problems.hasEntry("a"), problems.modified("b.json")]).toEqual([false, 0]);
  expect(problems.filesWithProblems(9).map(({ path }) => path)).toEqual(["new.json", "a.json"]);
});

test("usages of names that no key has are found where files changed last, and then by place", () => {
  const usages = new UsageRepository(database);
  const put = (path: string, modified: number, ...found: readonly (readonly [string, number])[]): void =>
    usages.putFile(
      path,
      { size: 1, modified },
      null,
      found.map(([reference, start]) => ({ reference, isDynamic: false, span: { start, end: start + 3 } })),
      [],
      (reference) =>
        reference === "known"
          ? { kind: "keys", hashes: ["a"] }
          : {
              kind: "unknown",
              names: ["*", "shop"].map((namespace) => ({ namespace, key: reference, context: null })),
            },
    );
  put("b.ts", 5, ["gone", 9], ["known", 20], ["lost", 2]);
  put("a.ts", 5, ["gone", 4]);
  put("new.ts", -1, ["lost", 7]);
  put("c.ts", 8, ["gone", 1]);
  const found = problems.unknownUsages(9);
  expect(places(found)).toEqual(["new.ts 7", "c.ts 1", "a.ts 4", "b.ts 2", "b.ts 9"]);
  expect(found[3]).toEqual({ path: "b.ts", modified: 5, span: { start: 2, end: 5 }, reference: "lost" });
  expect(places(problems.unknownUsages(2))).toEqual(["new.ts 7", "c.ts 1"]);
});

test("texts of files are checked once, with what their files say, and again by other rules", () => {
  const metadata = new SyncMetadataRepository(database);
  metadata.content = CONTENT_OF_FILES;
  putKeys({ a: "A :a", b: "B" }, 0);
  // An earlier version of a file says nothing any more.
  write("first.json", "nl", { a: "earlier" });
  write(
    "first.json",
    "nl",
    { elsewhere: "first", a: "a" },
    { details: { isFuzzy: true, formatFlags: ["c"], source: { value: "own" } } },
  );
  write(
    "second.json",
    "nl",
    { a: "other", b: "b" },
    { family: "gettext", details: { formatFlags: ["php"], source: null } },
  );
  // That of another language says nothing of these texts.
  write("0.json", "en", { a: "A :a", b: "B" });
  const insert = `INSERT INTO translations (locale, hash, text, is_translated, is_outdated, errors, is_checked, revision)
    VALUES ('nl', ?, ?, 1, 0, 0, 0, 0)`;
  for (const [hash, value] of [
    ["a", "a"],
    ["b", "b"],
    ["gone", "x"],
  ] as const)
    database.write(insert, hash, JSON.stringify({ value } satisfies Text));
  const checks = new LocalChecks(database);
  const seen: FileTranslation[] = [];
  const run = (issues: (text: FileTranslation) => readonly QaIssue[]): readonly string[] => {
    const changed = new Set<string>();
    let last: number | null = 0;
    while (last !== null) {
      last = checks.checkBatch(
        last,
        (text) => {
          seen.push(text);
          return issues(text);
        },
        changed,
      );
    }
    return [...changed];
  };
  const wrong = ({ source }: FileTranslation): readonly QaIssue[] =>
    JSON.stringify(source).includes(":a")
      ? [issueOf("error"), issueOf("warning", ":b"), issueOf("warning", ":c")]
      : [];
  expect(run(wrong)).toEqual(["nl"]);
  expect(seen.splice(0)).toEqual([
    {
      locale: "nl",
      text: { value: "a" },
      source: { value: "A :a" },
      ownSource: { value: "own" },
      formatFlags: ["c"],
      isFuzzy: true,
      path: "first.json",
      family: null,
    },
    {
      locale: "nl",
      text: { value: "b" },
      source: { value: "B" },
      ownSource: null,
      formatFlags: ["php"],
      isFuzzy: false,
      path: "second.json",
      family: "gettext",
    },
  ]);
  const translations = new TranslationRepository(database);
  expect(translations.counts("nl")).toMatchObject({ issues: 3, errors: 1 });
  expect([run(wrong), seen]).toEqual([[], []]);
  expect([...checks.expire("rules")]).toHaveLength(1);
  expect([run(wrong), seen.splice(0).length]).toEqual([[], 2]);
  expect([...checks.expire("rules")]).toEqual([]);
  expect([run(wrong), seen.length]).toEqual([[], 0]);
  void [...checks.expire("other rules")];
  expect(run(() => [])).toEqual(["nl"]);
  expect(translations.counts("nl")).toMatchObject({ issues: 0, errors: 0 });
  // A text that no file has any more has no issues either.
  void [...checks.expire("rules")];
  expect(run(wrong)).toEqual(["nl"]);
  new LocalFileRepository(database).removeFile("first.json");
  new LocalFileRepository(database).removeFile("second.json");
  void [...checks.expire("other rules")];
  expect(run(wrong)).toEqual(["nl"]);
  expect(translations.get("nl", "a")?.issues).toEqual([]);
  // Another window shows each change.
  const other = new SyncMetadataRepository(database);
  const isHeard = [1, 2, 3].map((time) => {
    if (time < 3) checks.countRevision();
    return other.hasExternalChanges();
  });
  expect(isHeard).toEqual([true, true, false]);
});

test("texts of the service are not checked here, also after a sign-in between two batches", () => {
  const metadata = new SyncMetadataRepository(database);
  metadata.content = CONTENT_OF_FILES;
  const checks = new LocalChecks(database);
  translate("a", "a");
  expect(checks.areOfFiles).toBe(true);
  // Those that have a revision are as the service checked them.
  void [...checks.expire("rules")];
  expect(database.number("SELECT count(*) FROM translations WHERE is_checked = 0")).toBe(0);
  database.write("UPDATE translations SET is_checked = 0, revision = 0");
  metadata.content = contentOfProject("shop");
  expect(checks.areOfFiles).toBe(false);
  const never = (): never => {
    throw new Error("checked");
  };
  expect(checks.checkBatch(0, never, new Set())).toBeNull();
  expect(database.number("SELECT count(*) FROM translations WHERE is_checked = 0")).toBe(1);
});
