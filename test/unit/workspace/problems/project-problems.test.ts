/** The problems of all files of a project on a real disk, without a sign-in. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import {
  CONTENT_OF_FILES,
  contentOfProject,
  SyncMetadataRepository,
} from "../../../../src/database/sync-metadata-repository.ts";
import { afterEach, expect, test } from "vitest";
import { LocalKeys } from "../../../../src/database/keys-from-local-files.ts";
import type { Database } from "../../../../src/database/database.ts";
import { SearchIndex } from "../../../../src/database/update-search-index.ts";
import { TranslationRepository } from "../../../../src/database/translation-repository.ts";
import { folderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import { LocalEntries } from "../../../../src/workspace/local-files/local-entries.ts";
import { createLocalFileIndexing } from "../../../../src/workspace/local-files/local-file-loader.ts";
import {
  ProjectProblems,
  type ProblemsRequest,
} from "../../../../src/workspace/problems/project-problems.ts";
import { sourceFilesOf } from "../../../../src/workspace/usages/list-source-files.ts";
import { UsageIndexer } from "../../../../src/workspace/usages/usage-indexer.ts";
import { projectFiles } from "../../support/node-platform.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";

const LAYOUT = [
  { path: "lang/{locale}.json", format: "json_js" as const },
  { path: "more/{locale}.json", format: "json_js" as const },
];
const OPTIONS = usageOptions("i18next");

let folder: SourceFolder;
let database: Database;
let local: LocalEntries;

function open(files: Readonly<Record<string, string>>): void {
  folder = new SourceFolder(files);
  ({ database } = folder.open());
  const onDisk = folderFiles(folder.root);
  const fileIndexing = createLocalFileIndexing(database, onDisk);
  local = new LocalEntries({
    database,
    version: "1",
    files: projectFiles(folder.root),
    keysVersion: () => 0,
    indexing: () => fileIndexing,
  });
  local.configure({ files: LAYOUT, locales: {}, sourceLocale: "en", serviceLocales: [] });
  const putContent = "INSERT OR REPLACE INTO state (name, value) VALUES ('content', ?)";
  database.sql(putContent).run(JSON.stringify(CONTENT_OF_FILES));
}

afterEach(() => folder.dispose());

/** Reads all files. */
async function index(): Promise<void> {
  local.invalidate();
  const { sourceLocale, locales, covered } = await local.load();
  const others = locales.filter((locale) => locale !== sourceLocale);
  const options = { sourceLocale, detectedSource: sourceLocale, locales: others, covered };
  const keys = new LocalKeys(database);
  await keys.updateKeys(options);
  await keys.updateTranslations(options);
  await new SearchIndex(database).update();
  await new UsageIndexer(database, sourceFilesOf(folder.root)).update(OPTIONS, NO_TEXTS);
}

const REQUEST: ProblemsRequest = {
  lookup: OPTIONS.lookup,
  unknown: { keys: true, messages: false },
  missing: ["nl"],
  issues: ["nl"],
  files: true,
  sourceLocale: "en",
  localNamespaces: new Set(),
  unreadNamespaces: new Set(),
  layout: LAYOUT,
  ignore: [],
  limit: 100,
};

const problems = (): ProjectProblems =>
  new ProjectProblems(database, folderFiles(folder.root), sourceFilesOf(folder.root));

async function found(request: Partial<ProblemsRequest> = {}): Promise<readonly string[]> {
  const all = await problems().find({ ...REQUEST, ...request });
  return all.map(({ path, start, end, problem }) => {
    const what =
      problem.kind === "unknown"
        ? `${problem.written} → ${problem.similar ?? "?"}`
        : problem.kind === "missing"
          ? `${problem.key.key} ${problem.locales.join()}`
          : problem.kind === "file"
            ? `${problem.problem.code} ${problem.problem.name?.key ?? ""}`
            : `${problem.key.key} ${problem.locale}`;
    return `${path}:${start.line + 1}:${start.character + 1}-${end.character + 1} ${problem.kind} ${what}`;
  });
}

const issues = (): readonly string[] =>
  [...new TranslationRepository(database).rows("nl", "issues")].flatMap((row) =>
    row.issues.map(({ rule, placeholder }) => `${rule} ${placeholder ?? ""}`),
  );

const FILES = {
  "lang/en.json": '{\n  "nav": { "account": "Hello {{name}}", "home": "Home" }\n}\n',
  "lang/nl.json": '{\n  "nav": { "account": "Hallo {{naam}}" }\n}\n',
  "src/a.ts": 't("nav.home");\n  t("nav.acount");\nt("nav." + x);\n',
  "src/b.ts": '// project-translations-ignore-next-line\nt("nowhere");\nt("elsewhere.at.all");\n',
};

test("unknown keys, wrong placeholders and missing entries are found in all files", async () => {
  open(FILES);
  await index();
  expect(await problems().check(["double-braces"])).toEqual(["nl"]);
  expect((await found()).toSorted()).toEqual([
    "lang/en.json:2:49-55 missing nav.home nl",
    "lang/nl.json:2:23-39 issues nav.account nl",
    "src/a.ts:2:6-16 unknown nav.acount → nav.account",
    "src/b.ts:3:4-20 unknown elsewhere.at.all → ?",
  ]);
});

test("only what is asked for is found, and nothing that is ignored", async () => {
  open(FILES);
  await index();
  await problems().check(["double-braces"]);
  const nothing = { unknown: { keys: false, messages: false }, missing: [], issues: [] };
  expect(await found(nothing)).toEqual([]);
  expect(await found({ ...nothing, issues: ["nl"] })).toHaveLength(1);
  const unknown = { ...nothing, unknown: { keys: true, messages: false } };
  // By its name in the code, or with a namespace that it may be in.
  for (const key of ["elsewhere.at.all", "translation.elsewhere.at.all"])
    expect(await found({ ...unknown, ignore: [{ key }] })).toEqual([
      "src/a.ts:2:6-16 unknown nav.acount → nav.account",
    ]);
  const ignore = [{ code: "unknown-key", path: "src/**" }, { key: "nav.account" }];
  expect(await found({ ignore })).toEqual(["lang/en.json:2:49-55 missing nav.home nl"]);
  expect(await found({ ignore: [...ignore, { code: "missing-translation" }] })).toEqual([]);
  // Others take the place of those that are ignored.
  for (const key of ["nav.acount", "elsewhere.at.all"])
    expect(await found({ ...unknown, limit: 1, ignore: [{ key }] })).toHaveLength(1);
});

test("messages that no file has are unknown only where messages are asked for", async () => {
  const code = 'import { useExtracted } from "next-intl";\nconst t = useExtracted();\nt("Nowhere");\n';
  open({ "lang/en.json": '{ "home": "Home" }', "src/a.tsx": code });
  await index();
  const nextIntl = usageOptions("next-intl");
  await new UsageIndexer(database, sourceFilesOf(folder.root)).update(nextIntl, NO_TEXTS);
  const unknown = async (keys: boolean, messages: boolean): Promise<readonly string[]> =>
    found({ lookup: nextIntl.lookup, unknown: { keys, messages }, missing: [], issues: [] });
  expect(await unknown(true, false)).toEqual([]);
  expect(await unknown(false, true)).toEqual(["src/a.tsx:3:4-11 unknown Nowhere → ?"]);
});

test("a key that may stand in a source file that could not be read is not unknown", async () => {
  open(FILES);
  await index();
  const unknown = async (unreadNamespaces: ProblemsRequest["unreadNamespaces"]): Promise<number> =>
    (await found({ missing: [], issues: [], unreadNamespaces })).length;
  expect(await unknown(new Set(["other"]))).toBe(2);
  expect(await unknown(new Set(["*"]))).toBe(0);
  expect(await unknown("any")).toBe(0);
});

test("an unknown key is ignored by its name as it is written behind a prefix, and by its whole name", async () => {
  const code = 'const { t } = useTranslation(undefined, { keyPrefix: "nav" });\nt("acount");\n';
  open({ ...FILES, "src/a.ts": code, "src/b.ts": "" });
  await index();
  const rest = { missing: [], issues: [] };
  expect(await found(rest)).toEqual(["src/a.ts:2:4-10 unknown acount → account"]);
  for (const key of ["acount", "nav.acount"]) expect(await found({ ...rest, ignore: [{ key }] })).toEqual([]);
  expect(await found({ ...rest, ignore: [{ key: "nav" }] })).toHaveLength(1);
});

test("places are counted in the encoding that the file names", async () => {
  const po = `msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "été"\nmsgstr "été"\n`;
  const layout = [...LAYOUT, { path: "po/{locale}.po", format: "po" as const }];
  open({ "lang/en.json": "{}", "lang/nl.json": "{}", "po/en.po": "" });
  folder.write("po/en.po", new Uint8Array(Buffer.from(po, "latin1")));
  local.configure({ files: layout, locales: {}, sourceLocale: "en", serviceLocales: [] });
  await index();
  expect(await found({ layout, issues: [] })).toEqual(["po/en.po:5:8-13 missing été nl"]);
});

test("code is read as it is searched, and translation files as they are on disk", async () => {
  open(FILES);
  await index();
  const [files, sources] = [folderFiles(folder.root), sourceFilesOf(folder.root)];
  const only = (ending: string) => (path: string) =>
    path.endsWith(ending) ? files.read(path) : { kind: "missing" as const };
  const paths = async (code: string, texts: string): Promise<readonly string[]> => {
    const readers = [
      { ...files, read: only(texts) },
      { ...sources, read: only(code) },
    ] as never[];
    const all = await new ProjectProblems(database, readers[0] as never, readers[1] as never).find(REQUEST);
    return [...new Set(all.map(({ path }) => path))].sort();
  };
  expect(await paths(".ts", ".json")).toEqual(["lang/en.json", "src/a.ts", "src/b.ts"]);
  expect(await paths(".json", ".ts")).toEqual([]);
});

test("the newest files are first, and the number of problems is bounded", async () => {
  open(FILES);
  folder.write("lang/nl.json", FILES["lang/nl.json"]);
  await index();
  await problems().check(["double-braces"]);
  const paths = (await found()).map((problem) => problem.split(":")[0]);
  expect(paths).toEqual(["src/a.ts", "src/b.ts", "lang/nl.json", "lang/en.json"]);
  expect(await found({ limit: 2 })).toHaveLength(2);
});

test("malformed files and duplicate entries are found", async () => {
  open({
    "lang/en.json": '{ "home": "Home",\n  "home": "House" }\n',
    "lang/nl.json": '{ "home": "Huis",\n  "end\n',
    "lang/de.json": new TextDecoder("latin1").decode(Uint8Array.of(0xff, 0xfe, 0x00)),
    // The app reads these itself.
    "lang/fr.json": '{ "home": "Accueil", "size": 1 }',
  });
  await index();
  const nothing = { unknown: { keys: false, messages: false }, missing: [], issues: [] };
  const inFiles = await found(nothing);
  expect(inFiles.toSorted()).toEqual([
    "lang/de.json:1:2-2 file encoding ",
    "lang/en.json:1:3-17 file duplicate home",
    "lang/nl.json:2:3-7 file syntax ",
  ]);
  expect(await found({ ...nothing, files: false })).toEqual([]);
  expect(await found({ ...nothing, ignore: [{ code: "syntax", path: "lang/nl.json" }] })).toEqual(
    inFiles.filter((each) => !each.startsWith("lang/nl.json")),
  );
});

test("an entry that is in two files of a language is found where problems of the language are looked for", async () => {
  open({
    "lang/en.json": '{ "home": "Home" }',
    "lang/nl.json": '{ "home": "Huis" }',
    "more/nl.json": '{ "home": "Thuis" }',
  });
  await index();
  const nothing = { unknown: { keys: false, messages: false }, missing: [], issues: [] };
  expect(await found(nothing)).toEqual([]);
  expect(await found({ ...nothing, issues: ["nl"] })).toEqual(["more/nl.json:1:4-8 file elsewhere home"]);
});

test("an entry that is in another file, too, is found where that file belongs by its time", async () => {
  open({ "lang/en.json": '{ "home": "Home", "home": "Home" }', "more/en.json": '{ "home": "Home" }' });
  await index();
  const paths = async (): Promise<readonly string[]> =>
    (await problems().find(REQUEST)).map(({ path }) => path);
  const later = Date.now() / 1000;
  for (const [seconds, newest, other] of [
    [10, "more/en.json", "lang/en.json"],
    [20, "lang/en.json", "more/en.json"],
  ] as const) {
    utimesSync(join(folder.root, newest), later + seconds, later + seconds);
    await index();
    expect([...new Set(await paths())]).toEqual([newest, other]);
  }
});

test("problems of files that changed at the same time are in the order of their paths and places", async () => {
  open({
    "more/en.json": '{ "z": "Z" }',
    "lang/en.json": '{ "b": "B",\n  "a": "A", "a": "Aa",\n  "c": "C" }',
    "lang/nl.json": "{}",
  });
  const later = Date.now() / 1000 + 10;
  for (const path of ["more/en.json", "lang/en.json"]) utimesSync(join(folder.root, path), later, later);
  await index();
  expect((await found({ issues: [] })).map((each) => each.replace(/:\d+-\d+/u, ""))).toEqual([
    "lang/en.json:1 missing b nl",
    "lang/en.json:2 file duplicate a",
    "lang/en.json:2 missing a nl",
    "lang/en.json:3 missing c nl",
    "more/en.json:1 missing z nl",
  ]);
});

test("a missing translation names all its languages, whatever the number of problems is", async () => {
  open({
    "lang/en.json": '{ "a": "A", "b": "B" }',
    "lang/nl.json": "{}",
    "lang/de.json": '{ "a": "A", "b": "B" }',
    "more/en.json": '{ "c": "C" }',
  });
  const later = Date.now() / 1000 + 10;
  utimesSync(join(folder.root, "more/en.json"), later, later);
  await index();
  const missing = async (limit: number): Promise<readonly string[]> =>
    (await found({ missing: ["de", "nl"], limit })).map((each) => each.split(" missing ")[1] ?? "");
  expect(await missing(100)).toEqual(["c de,nl", "a nl", "b nl"]);
  expect(await missing(2)).toEqual(["c de,nl", "a nl"]);
  folder.write("lang/de.json", '{ "a": "A" }');
  await index();
  const rest = { missing: ["de", "nl"], limit: 2, ignore: [{ key: "a" }] };
  const found2 = (await found(rest)).map((each) => each.split(" missing ")[1] ?? "");
  expect(found2).toEqual(["c de,nl", "b de,nl"]);
});

test("a missing translation names no language that has it, also if that has too many others", async () => {
  open({
    "lang/en.json": '{ "a": "A", "b": "B", "c": "C" }',
    "lang/de.json": '{ "a": "A", "b": "B" }',
    "lang/fr.json": '{ "c": "C" }',
    "lang/nl.json": "{}",
  });
  await index();
  const request = { missing: ["de", "fr", "nl"], issues: [], limit: 2, ignore: [{ key: "a" }] };
  expect((await found(request)).map((each) => each.split(" missing ")[1])).toEqual(["b fr,nl", "c de,nl"]);
});

test("of more than are asked for, those in the files that changed last are found", async () => {
  const texts = (...keys: readonly string[]): string =>
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, `${key} {{n}}`])));
  const wrong = (...keys: readonly string[]): string => texts(...keys).replaceAll("{{n}}", "{{m}}");
  open({
    "lang/en.json": texts("a", "b", "twice", "x", "y"),
    "more/en.json": texts("c", "twice", "z"),
    "lang/nl.json": wrong("x", "y"),
    "more/nl.json": wrong("z"),
  });
  const later = Date.now() / 1000;
  const newest = async (folderName: string, seconds: number): Promise<readonly string[]> => {
    for (const locale of ["en", "nl"])
      utimesSync(join(folder.root, folderName, `${locale}.json`), later + seconds, later + seconds);
    await index();
    await problems().check(["double-braces"]);
    const rest = { unknown: { keys: false, messages: false }, files: false, limit: 1 };
    const parts = [
      { missing: ["nl"], issues: [] },
      { missing: [], issues: ["nl"] },
    ];
    const all = await Promise.all(parts.map((part) => found({ ...rest, ...part })));
    return all.flat().map((each) => each.replace(/:\S+/u, ""));
  };
  expect(await newest("lang", 10)).toEqual(["lang/en.json missing a nl", "lang/nl.json issues x nl"]);
  expect(await newest("more", 20)).toEqual(["more/en.json missing c nl", "more/nl.json issues z nl"]);
  // The first entry of the key that is there twice is in the other file.
  expect(await found({ missing: ["nl"], issues: [], files: false, limit: 2 })).toEqual([
    "more/en.json:1:6-15 missing c nl",
    "lang/en.json:1:6-15 missing a nl",
  ]);
  expect(await newest("lang", 30)).toEqual(["lang/en.json missing a nl", "lang/nl.json issues x nl"]);
});

test("texts are checked again when they, their source texts or the rules change", async () => {
  open(FILES);
  await index();
  expect(issues()).toEqual([]);
  const otherWindow = new SyncMetadataRepository(database);
  await problems().check(["double-braces"]);
  expect(issues()).toEqual(["i18next.missing {{name}}"]);
  expect(otherWindow.hasExternalChanges()).toBe(true);
  expect(await problems().check(["double-braces"])).toEqual([]);
  expect(otherWindow.hasExternalChanges()).toBe(false);
  folder.write("lang/en.json", '{ "nav": { "account": "Hi {{naam}}", "home": "Home" } }');
  await index();
  expect(await problems().check(["double-braces"])).toEqual(["nl"]);
  expect(issues()).toEqual([]);
  folder.write("lang/nl.json", '{ "nav": { "account": "Hallo", "home": "{naam}" } }');
  await index();
  expect(await problems().check(["double-braces"])).toEqual(["nl"]);
  expect(issues()).toEqual(["i18next.missing {{naam}}"]);
  await problems().check(["braces"]);
  expect(issues()).toEqual(["icu.unexpected {naam}"]);
  expect(new TranslationRepository(database).counts("nl")).toMatchObject({ issues: 1, errors: 1 });
});

test("issues of each language that is asked for are found", async () => {
  const wrong = '{ "a": "{{m}}" }';
  open({
    "lang/en.json": '{ "a": "{{n}}" }',
    "lang/nl.json": wrong,
    "lang/de.json": wrong,
    "lang/fr.json": wrong,
  });
  await index();
  expect((await problems().check(["double-braces"])).toSorted()).toEqual(["de", "fr", "nl"]);
  const languages = async (...locales: readonly string[]): Promise<readonly string[]> =>
    (await found({ issues: locales, files: false })).map((each) => each.slice(-2)).toSorted();
  expect(await languages("de", "nl")).toEqual(["de", "nl"]);
  expect(await languages("fr")).toEqual(["fr"]);
});

test("issues are ignored where rules name each of them", async () => {
  open({ "lang/en.json": '{ "a": "Hi {name} {{n}}" }', "lang/nl.json": '{ "a": "Dag" }' });
  await index();
  await problems().check(["braces", "double-braces"]);
  expect(issues().toSorted()).toEqual(["i18next.missing {{n}}", "icu.missing {name}"]);
  const count = async (...codes: readonly string[]): Promise<number> =>
    (await found({ ignore: codes.map((code) => ({ code })) })).length;
  expect([await count(), await count("icu.missing"), await count("i18next.missing")]).toEqual([1, 1, 1]);
  expect(await count("icu.missing", "i18next.missing")).toBe(0);
});

test("a name that an entry of a file has is not unknown, also if the service does not have the key", async () => {
  open({ "lang/en.json": "{}", "lang/nl.json": '{ "only": "x" }', "src/a.ts": 't("only");\nt("nowhere");' });
  await index();
  database.sql("DELETE FROM keys").run();
  await new UsageIndexer(database, sourceFilesOf(folder.root)).update(OPTIONS, NO_TEXTS);
  expect(await found()).toEqual(["src/a.ts:2:4-11 unknown nowhere → ?"]);
});

test("translations of the service keep the issues that it found", async () => {
  open(FILES);
  await index();
  await problems().check(["double-braces"]);
  const before = issues();
  expect(before).toHaveLength(1);
  const putContent = "INSERT OR REPLACE INTO state (name, value) VALUES ('content', ?)";
  database.sql(putContent).run(JSON.stringify(contentOfProject("shop")));
  for (const family of ["double-braces", "braces"] as const) {
    expect(await problems().check([family])).toEqual([]);
    expect(issues()).toEqual(before);
  }
  // Nor are they checked once more when the files are read again.
  database.sql(putContent).run(JSON.stringify(CONTENT_OF_FILES));
  expect(await problems().check(["double-braces"])).toEqual([]);
});
