/**
 * No statement may take longer the larger a project is, unless it is on the list below. Every statement of the source
 * code is run on filled databases, and its query plan is read. A new statement that nothing here runs fails the test.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Database, type Statement } from "../../../src/database/database.ts";
import { KeySearch } from "../../../src/database/full-text-search.ts";
import { FileWordRepository } from "../../../src/database/file-word-repository.ts";
import { KeyNames } from "../../../src/database/key-name-repository.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { UsageRepository, type ReferenceResolution } from "../../../src/database/key-usage-repository.ts";
import { LocalChecks } from "../../../src/database/local-checks.ts";
import { ProblemQueries } from "../../../src/database/problem-queries.ts";
import { LocalKeys } from "../../../src/database/keys-from-local-files.ts";
import { LocalFileRepository } from "../../../src/database/local-file-repository.ts";
import { PendingChangeQueries } from "../../../src/database/pending-change-queries.ts";
import { AgreedTextRepository } from "../../../src/database/personal/agreed-text-repository.ts";
import { KnownProjects, personalProject } from "../../../src/database/personal/known-projects.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { PERSONAL_SCHEMA } from "../../../src/database/personal/personal-schema.ts";
import { RejectedTranslationRepository } from "../../../src/database/personal/rejected-machine-translation-repository.ts";
import { TranslationDraftRepository } from "../../../src/database/personal/translation-draft-repository.ts";
import { UnsavedInputRepository } from "../../../src/database/personal/unsaved-input-repository.ts";
import type { ProjectKey, ProjectRow } from "../../../src/database/records.ts";
import {
  SyncMetadataRepository,
  CONTENT_OF_FILES,
  contentOfProject,
} from "../../../src/database/sync-metadata-repository.ts";
import {
  DatabaseQueries,
  keysWithSourceText,
  TranslationEditorQueries,
} from "../../../src/database/translation-editor-queries.ts";
import { TranslationRepository } from "../../../src/database/translation-repository.ts";
import { SearchIndex } from "../../../src/database/update-search-index.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { ALL_ROWS, ROW_FILTERS, ROW_SORT_ORDERS } from "../../../src/model/translation-editor-filters.ts";
import type { Text } from "../../../src/model/translation-text.ts";
import { EXCEPTIONS } from "./query-plan-exceptions.ts";
import { COMPLETE_CURSOR } from "../support/complete-cursor.ts";

const source = join(import.meta.dirname, "../../../src");
/** Tables whose rows are few in every project. */
const SMALL_TABLES = new Set([
  "projects",
  "state",
  "sync_cursors",
  "key_counts",
  "translation_counts",
  "unsaved_input",
  "json_each",
  "json_tree",
  "sqlite_schema",
]);
/**
 * Columns with few rows for each value, whatever the size of the project. `file`: the usages of one source file; a project
 * may have all its texts in one translation file (`GROWS_WITH_FILE`).
 */
const SELECTIVE =
  /\b(?:hash|rowid|id|name|path|reference|file|position|number|key|owner)=\?|\browid>\? AND rowid<\?|\bname>\? AND name<\?|\b(?:hash|key|position|id)>\? AND (?:hash|key|position|id)<\?/u;
/** The table of which one file may have most rows. */
const GROWS_WITH_FILE = "local_entries";

class RecordingDatabase extends Database {
  readonly statements = new Set<string>();

  override sql(text: string): Statement {
    this.statements.add(text);
    return super.sql(text);
  }
}

/** Runs every method of every repository. */
async function runEverything(): Promise<readonly RecordingDatabase[]> {
  const cache = new RecordingDatabase();
  const personalDatabase = new RecordingDatabase(undefined, undefined, undefined, PERSONAL_SCHEMA);
  await fillAndQuery(cache, personalDatabase);
  return [cache, personalDatabase];
}

const COUNT = 1_200;
const LOCALES = ["nl", "de"] as const;
const nameOf = (index: number) => ({
  namespace: `part${index % 7}`,
  key: `group.key_${index}`,
  context: index % 9 === 0 ? "menu" : null,
});
const hashOf = (index: number): string => keyHash(nameOf(index));
const keyOf = (index: number): ProjectKey => ({
  ...nameOf(index),
  hash: hashOf(index),
  isPlural: index % 10 === 0,
  text: { value: `Text ${index} of the shop` },
  sourceHash: null,
  description: null,
  maxLength: null,
  tags: index % 5 === 0 ? ["head"] : [],
  updatedAt: "2026-01-01T00:00:00Z",
});
const rowOf = (index: number): ProjectRow => ({
  hash: hashOf(index),
  text: { value: `Tekst ${index} van de winkel${index === 7 ? "\n" : ""}` },
  isTranslated: index % 3 !== 0,
  isOutdated: index % 11 === 0,
  issues: [],
  version: 1,
  updatedAt: "2026-01-01T00:00:00Z",
});

async function fillAndQuery(cache: RecordingDatabase, personalDatabase: RecordingDatabase): Promise<void> {
  const indexes = Array.from({ length: COUNT }, (_, index) => index);
  const hash = hashOf(1);
  const keys = new KeyRepository(cache);
  const translations = new TranslationRepository(cache);
  const metadata = new SyncMetadataRepository(cache);
  metadata.content = contentOfProject("https://service.example shop");
  for (let start = 0; start < COUNT; start += 1_000)
    keys.put(indexes.slice(start, start + 1_000).map(keyOf), metadata.nextRevision());
  for (const locale of LOCALES) {
    metadata.setCursor(COMPLETE_CURSOR, locale);
    translations.put(locale, indexes.slice(0, 1_000).map(rowOf), 1);
  }
  storeFiles(cache);
  storeUsages(new UsageRepository(cache));
  await new SearchIndex(cache).update();

  void [keys.size, keys.get(hash), keys.has(hash), keys.isPlural(hash), keys.text(hash), keys.latestChange()];
  void [keys.previousText(hash), keys.countChangedAfter("2025", 5), keys.namespacesChangedAfter("2025", 5)];
  for (const all of [keys.values(), keys.names(), keys.pluralKeys(), keys.untranslated("nl")]) void [...all];
  void [...keys.setArchived([hashOf(5)], [hashOf(6)])];
  void [...keys.remove([hashOf(COUNT - 1)], 99), ...keys.removeBefore(0)];
  void [translations.get("nl", hash), translations.forKey(hash, LOCALES), translations.counts("nl")];
  for (const filter of ["outdated", "issues"] as const) void [...translations.rows("nl", filter)];
  void [...translations.containing(["@:", "$t("])];
  void [translations.hasIssues("nl"), translations.latestChange("nl")];
  void [translations.countChangedAfter("nl", "2025", 5), ...translations.removeBefore("de", 1)];
  void [metadata.cursor(), metadata.hasCursor("nl"), metadata.stats, metadata.hasExternalChanges()];
  void [metadata.local, metadata.locales()];
  queryNamesAndSearch(cache, hash);
  queryUsages(new UsageRepository(cache), hash);
  storeWords(cache);
  queryFiles(cache, hash);
  const personal = new PersonalData(personalDatabase, "project");
  const drafts = new TranslationDraftRepository(personal, cache);
  const rejected = new RejectedTranslationRepository(personal, cache);
  await usePersonalData(personal, drafts, rejected, cache, hash);
  const whole = new DatabaseQueries(cache);
  await queryEditor(new TranslationEditorQueries(cache, whole, drafts, rejected));
  await keysWithSourceText({ database: cache, queries: whole }, { value: "Text" }, "en");
  const targets = [{ locale: "nl", namespaces: [], state: "complete" }] as const;
  const scope = {
    personal: { project: "project", path: personalDatabase.path },
    sourceLocale: "en",
    covered: [],
    targets,
  };
  await new PendingChangeQueries(cache, personalDatabase).count(scope);
  void cache.changes;
  void cache.dataVersion;
  metadata.clear(metadata.content);
  metadata.content = CONTENT_OF_FILES;
  const localKeys = new LocalKeys(cache);
  const options = { sourceLocale: "en", detectedSource: "en", covered: [] };
  const update = async (locales: readonly string[]): Promise<void> => {
    await localKeys.updateKeys({ ...options, locales });
    await localKeys.updateTranslations({ ...options, locales });
  };
  await update(["nl", "de"]);
  findProblems(cache);
  const files = new LocalFileRepository(cache);
  for (const path of ["locales/nl.po", "copy/nl.po"]) files.removeFile(path);
  cache.sql("UPDATE keys SET text = NULL WHERE hash = ?").run(hashOf(1));
  await update(["de"]);
  keys.put([{ ...keyOf(COUNT), hash: keyHash(nameOf(COUNT)) }], metadata.nextRevision());
  await update([]);
}

/** What the indexing process looks for after the derivation from local files. */
function findProblems(cache: Database): void {
  const checks = new LocalChecks(cache);
  void [checks.areOfFiles, ...checks.expire("rules")];
  const issue = { rule: "laravel.missing", level: "error", placeholder: ":a", form: "", suggestion: "" };
  checks.checkBatch(0, () => [issue], new Set());
  checks.countRevision();
  const problems = new ProblemQueries(cache);
  void [problems.unknownUsages(5), problems.untranslated("nl", "en", 5), problems.hasEntry(hashOf(1))];
  void [problems.entriesWithIssues("nl", 5), problems.filesWithProblems(5), problems.modified("a.json")];
  void problems.isTranslated("nl", hashOf(1));
}

function queryNamesAndSearch(cache: Database, hash: string): void {
  const names = new KeyNames(cache);
  const { namespace, key } = nameOf(1);
  void [names.get(namespace, key), names.withAnyContext(namespace, key), names.namespaces()];
  void [names.hasNamespace(namespace), names.matching(namespace, "group.", "1", 5)];
  const search = new KeySearch(cache);
  void [search.isUpToDate, search.similarNames(key), search.similarTexts("Text 1 of the shop", 5)];
  for (const words of [
    [],
    ["t"],
    ["te"],
    ["text"],
    ["tekst"],
    ["group.key"],
    ["Text", "shop"],
    ["tekst", "é"],
  ])
    void [...search.find({ words, locales: ["nl"] }, 10), search.hashes(words)];
  void hash;
}

function storeUsages(usages: UsageRepository): void {
  const resolutions: readonly ReferenceResolution[] = [
    { kind: "keys", hashes: [hashOf(1)] },
    { kind: "pattern", hashes: [hashOf(2)], prefix: "group.", suffix: "", pattern: "group.*" },
    { kind: "unknown", names: [{ namespace: "*", key: "nowhere", context: null }] },
  ];
  for (let file = 0; file < 300; file++) {
    const found = resolutions.map((_, index) => ({
      reference: JSON.stringify({ file, index }),
      isDynamic: index === 1,
      span: { start: index, end: index + 1 },
    }));
    const resolve = (reference: string): ReferenceResolution =>
      resolutions[(JSON.parse(reference) as { index: number }).index] ?? { kind: "unknown", names: [] };
    const stamp = { size: 1, modified: 1 };
    usages.putFile(`src/file${file}.ts`, stamp, null, found, [["f", 0, [`a${file}`]]], resolve, {
      values: "[]",
      dependencies: [`src/module${file}`],
    });
  }
}

function queryUsages(usages: UsageRepository, hash: string): void {
  const name = { namespace: "*", key: "nowhere", context: null };
  void [usages.usagesOf(hash), usages.referencesOf(hash), usages.patterns()];
  void [usages.countUsages(hash), usages.countsOf([hash]), usages.usagesOfName(name)];
  void [usages.countUsagesOfName(name), usages.dynamicReferences(), usages.skippedFiles(), ...usages.paths()];
  void usages.fileStamps();
  void [usages.keyNamesFingerprint(), usages.fingerprint("scanner"), usages.literalCallsFingerprint()];
  usages.setLearnedFunctions([]);
  void [usages.literalCallsAfter(0, 3), usages.countKeys(), usages.learnedFunctions()];
  void [usages.importsOf("src/file1.ts"), usages.dependentsOf("src/module1"), usages.dependencies()];
  void usages.keysWithoutUsage();
  for (const reference of usages.openReferences()) void usages.keysOfReference(reference.id);
  for (const pattern of [
    ...usages.patternsOf(hashOf(2)),
    ...usages.patterns(),
    ...usages.unmatchedPatterns(),
  ])
    void usages.usagesOfPattern(pattern);
  for (const reference of usages.referencesAfter(0, 3))
    usages.setResolution(reference, { kind: "keys", hashes: [hashOf(3)] });
  usages.setFingerprint("scanner", "1");
  usages.deleteFile("src/file0.ts");
  usages.expireFiles();
}

function storeWords(cache: Database): void {
  const words = new FileWordRepository(cache);
  for (const path of ["config/app.php", "config/old.php"])
    words.put(path, { size: 1, modified: 1 }, ["paid"]);
  words.delete("config/old.php");
  void [words.stamps(), words.after("", 3)];
  words.prepare("other");
}

function storeFiles(cache: Database, folder = "locales", first = 0): void {
  const files = new LocalFileRepository(cache);
  for (const locale of ["en", ...LOCALES]) {
    const path = `${folder}/${locale}.po`;
    const file = {
      path,
      rank: 0,
      family: "gettext",
      keyPrefix: "",
      stamp: { size: 1, modified: 1 },
      dirty: false,
      recent: false,
      readConditions: "",
    } as const;
    files.transaction(() => {
      const id = files.beginFile(file);
      const entries = Array.from({ length: 900 }, (_, index) => {
        const text: Text = index % 20 === 0 ? { forms: { one: "1", other: "2" } } : { value: `${index}` };
        const name = nameOf(first + index);
        const span = { start: index, end: index + 1 };
        const entry = {
          key: name.key,
          context: name.context,
          namespace: null,
          locale: null,
          text,
          description: null,
          source: locale === "nl" ? text : null,
          keySpan: span,
          valueSpan: span,
          readOnly: null,
        };
        return { name, hash: keyHash(name), text, description: null, path, locale, entry };
      });
      files.addEntries(id, 0, entries);
      const details = {
        locales: new Map([[locale, null]]),
        namespaces: [],
        keyNamespaces: [],
        problems: [],
        texts: { [locale]: 900 },
        sourceNamespaces: [],
      };
      files.completeFile(id, file, details, entries.length);
    });
    const none = { namespaces: [], keyNamespaces: [], problems: [], texts: {}, sourceNamespaces: [] };
    files.putFile({ ...file, path: `empty/${path}` }, { ...none, locales: new Map([[locale, null]]) }, []);
  }
}

function queryFiles(cache: Database, hash: string): void {
  const files = new LocalFileRepository(cache);
  const path = "locales/nl.po";
  void [...files.fileVersions(), files.file(1), files.fileAt(path), files.hasFile(path)];
  void [...files.files(), ...files.entriesOf(path), ...files.entriesIn("nl"), ...files.sourceEntries([])];
  storeFiles(cache, "copy");
  storeFiles(cache, "local-only", 2 * COUNT);
  void [
    ...files.entriesContaining(["$t("]),
    ...files.duplicateEntries(),
    ...files.pluralKeys(),
    ...files.pluralKeys("nl"),
  ];
  void [
    files.find(hash, "nl"),
    files.findSource(hash, []),
    files.entryAt(path, 3),
    files.isPlural(hash, "nl"),
  ];
  void [files.entryInRange(path, { start: 1, end: 2 }), files.pathsOfKey(hash, false)];
  void [files.hasKeyStart(path, "group"), files.namespacesIn(path)];
  files.removeFile("locales/de.po");
  const replaced = files.findReplaced(() => false);
  expect(replaced).toBeDefined();
  if (replaced !== undefined) for (let batch = 0; batch < 5; batch++) files.removeReplaced(replaced);
  files.abandonFile(-1);
}

async function usePersonalData(
  personal: PersonalData,
  drafts: TranslationDraftRepository,
  rejected: RejectedTranslationRepository,
  cache: Database,
  hash: string,
): Promise<void> {
  const text = { value: "Tekst" };
  drafts.put(
    Array.from({ length: 1_500 }, (_, index) => ({
      locale: "nl",
      hash: hashOf(index),
      text,
      base: null,
      baseVersion: null,
      origin: "person",
      model: null,
      source: null,
    })),
  );
  void [drafts.get("nl", hash), drafts.forKey(hash, LOCALES), drafts.count(), drafts.hashes()];
  void [drafts.mayConflict("en"), drafts.locales(), ...drafts.all()];
  drafts.remove([{ locale: "nl", hash }]);
  const source = keyOf(1).text ?? text;
  rejected.put({ locale: "nl", hash, reason: "too long", source, version: 1 });
  void [rejected.reason("nl", hash), rejected.count(), rejected.hashes()];
  rejected.remove({ locale: "nl", hash });
  const input = new UnsavedInputRepository(personal);
  input.put("name", 1);
  void input.get("name");
  input.remove("name");
  personal.set("pulls", {});
  void personal.get("pulls", v.object({}));
  const agreed = new AgreedTextRepository(personal);
  const texts = [{ locale: "nl", hash, fingerprint: "1" }];
  void [agreed.get("nl", hash), agreed.of("nl", [hash])];
  await agreed.store(texts);
  agreed.rename(["nl"], hash, hashOf(2));
  await agreed.storeUnlessChanged([{ locale: "nl", hash, fingerprint: "2", before: "1" }]);
  await agreed.undo([{ locale: "nl", hash, fingerprint: "2", before: "1" }]);
  await agreed.undo(texts.map((text) => ({ ...text, before: null })));
  await agreed.forget(["nl"], [hash]);
  const known = new KnownProjects(personal.database);
  known.put("https://service.example", { id: "1", slug: "shop", name: "Shop" });
  known.storeKeys("project", cache);
  void [known.withSlug("https://service.example", "shop"), known.keys("project"), known.keptDrafts("other")];
  known.moveDrafts("project", "other");
  const local = "http://127.0.0.1:1/v1";
  const ofLocal = { database: personal.database, project: personalProject(local, "1") };
  await new AgreedTextRepository(ofLocal).store(texts);
  await known.moveBaseUrl(local, "http://127.0.0.1:2/v1");
}

async function queryEditor(queries: TranslationEditorQueries): Promise<void> {
  const context = {
    sourceLocale: "en",
    locales: ["en", ...LOCALES],
    localSource: () => ({ value: "Other" }),
    agreedSource: () => undefined,
    conflicts: () => [],
    unused: async () => [],
  };
  void [queries.namespaces(), queries.tags()];
  for (const isServiceKnown of [true, false]) {
    for (const sort of ROW_SORT_ORDERS)
      await queries.find({ ...ALL_ROWS, sort }, { ...context, isServiceKnown });
    for (const filter of ROW_FILTERS)
      await queries.find({ ...ALL_ROWS, filters: [filter] }, { ...context, isServiceKnown });
    for (const search of ["group tekst", "nothing"])
      await queries.find({ ...ALL_ROWS, search }, { ...context, isServiceKnown });
  }
}

/** Returns what a statement reads more of in a larger project; empty if nothing. */
function growingParts(database: Database, text: string): string[] {
  if (/^\s*(?:PRAGMA|DROP|CREATE|INSERT INTO (\w+) \(\1)/u.test(text)) return [];
  const plan = database.sql(`EXPLAIN QUERY PLAN ${text}`).all() as { readonly detail: string }[];
  const details = plan.map(({ detail }) => detail);
  const tables = new Map<string, string>();
  for (const [, table = "", alias] of text.matchAll(
    /\b(?:FROM|JOIN|INTO|UPDATE|,)\s+(?=(\w+)(?:\s+(?:AS\s+)?(\w+))?)/gu,
  )) {
    // Columns are separated by commas, too.
    if (!GROWING.has(table)) continue;
    tables.set(table, table);
    if (alias !== undefined) tables.set(alias, table);
  }
  const isLimited = /\bLIMIT\b/u.test(text);
  const isSorted = details.some((detail) => detail.startsWith("USE TEMP B-TREE FOR ORDER BY"));
  // The first or last entry of an index.
  if (
    /^SELECT (?:min|max)\(\w+\) FROM \w+(?: WHERE \w+ = \?)?$/u.test(text.trim()) &&
    details.length === 1 &&
    details[0]?.startsWith("SEARCH") === true
  )
    return [];
  const isUnfiltered = !/\bWHERE\b/u.test(text);
  return details.filter((detail) => {
    const [, how = "", name = ""] = /^(SCAN|SEARCH) (\w+)/u.exec(detail) ?? [];
    if (how === "" || !GROWING.has(tables.get(name) ?? name)) return false;
    if (/VIRTUAL TABLE INDEX \d+:.*[M=]/u.test(detail)) return !isLimited;
    const isOfFile = (tables.get(name) ?? name) === GROWS_WITH_FILE;
    if (how === "SEARCH" && SELECTIVE.test(isOfFile ? detail.replaceAll("file=?", "") : detail)) return false;
    if (how === "SCAN" && isUnfiltered && isLimited && !isSorted) return false;
    // Whether there is any row.
    if (how === "SCAN" && new RegExp(String.raw`EXISTS \(SELECT 1 FROM ${name}\)`, "u").test(text))
      return false;
    return !(how === "SEARCH" && isLimited && !isSorted && />\?|<\?/u.test(detail));
  });
}

let GROWING: ReadonlySet<string>;

test("no statement takes longer the larger the project is", async () => {
  const databases = await runEverything();
  GROWING = new Set(
    databases
      .flatMap((database) => database.column("SELECT name FROM sqlite_schema WHERE type = 'table'"))
      .filter((name) => !SMALL_TABLES.has(name)),
  );
  const found = databases.flatMap((database) =>
    [...database.statements].flatMap((text) =>
      growingParts(database, text).map((part) => `${part} IN ${text.replaceAll(/\s+/gu, " ")}`),
    ),
  );
  const unexpected = found.filter((each) => !EXCEPTIONS.some(({ statement }) => each.includes(statement)));
  expect(unexpected).toEqual([]);
  const unused = EXCEPTIONS.filter(({ statement }) => !found.some((each) => each.includes(statement)));
  expect(unused).toEqual([]);
});

const SQL =
  /\b(?:SELECT|FROM|WHERE|ORDER BY|GROUP BY|JOIN|INTO|VALUES|EXISTS|LIMIT|AND|IS NOT NULL)\b|[=<>] ?\?/u;

/** Returns the literals of a source file that look like parts of SQL, each as its fixed parts. */
function sqlLiterals(code: string): string[][] {
  const literals: string[][] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, value, quasis } = node as {
      type?: string;
      value?: unknown;
      quasis?: { value: { cooked: string } }[];
    };
    const parts =
      type === "StringLiteral"
        ? [String(value)]
        : type === "TemplateLiteral"
          ? (quasis ?? []).map((each) => each.value.cooked)
          : [];
    if (SQL.test(parts.join(" ? "))) literals.push(parts);
    for (const [name, child] of Object.entries(node))
      if (name !== "loc" && !/Comments$/u.test(name)) visit(child);
  };
  visit(parse(code, { sourceType: "module", plugins: ["typescript"] }).program);
  return literals;
}

test("every statement of the source code is run", async () => {
  const databases = await runEverything();
  const statements = databases.flatMap((database) => [...database.statements]);
  const paths = readdirSync(join(source, "database"), { recursive: true, encoding: "utf8" }).filter(
    // Caches of earlier versions are read once.
    (path) => path.endsWith(".ts") && !/schema|database\.ts|recovery|import-earlier-data/u.test(path),
  );
  const missing = paths.flatMap((path) =>
    sqlLiterals(readFileSync(join(source, "database", path), "utf8"))
      .filter((parts) => !statements.some((text) => containsInOrder(text, parts)))
      .map((parts) => `${path}: ${parts.join("${…}")}`),
  );
  expect(missing).toEqual([]);
});

function containsInOrder(text: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

test("only the database's folder has statements", () => {
  const isStatement = /^\s*(?:SELECT|INSERT INTO|INSERT OR|UPDATE \w+ SET|DELETE FROM)\s/u;
  // Parsing every file takes seconds.
  const mayBegin = /["'`]\s*(?:\\[nrt]\s*)*(?:SELECT|INSERT|UPDATE|DELETE)\b/u;
  const others = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !/^(?:database|local-service)\b/u.test(path),
  );
  const found = others.filter((path) => {
    const code = readFileSync(join(source, path), "utf8");
    return mayBegin.test(code) && sqlLiterals(code).some(([first = ""]) => isStatement.test(first));
  });
  expect(found).toEqual([]);
});

test("statements of the indexing process are not called anywhere else", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !/^(?:database|local-service)\b/u.test(path),
  );
  for (const { statement, calls } of EXCEPTIONS) {
    if (calls === undefined) continue;
    const callers = files.filter((path) => calls.pattern.test(readFileSync(join(source, path), "utf8")));
    expect(callers, statement).toEqual(calls.in);
  }
});
