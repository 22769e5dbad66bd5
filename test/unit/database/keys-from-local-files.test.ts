/** Keys and translations derived from local files while signed out, in a real database. */
import {
  CONTENT_OF_FILES,
  contentOfProject,
  type CacheContent,
} from "../../../src/database/sync-metadata-repository.ts";
import { beforeEach, expect, test } from "vitest";
import { translationsIn } from "../support/key-database.ts";
import {
  LocalKeys,
  type LocalKeysChange,
  type LocalTranslationsState,
} from "../../../src/database/keys-from-local-files.ts";
import { LocalFileRepository } from "../../../src/database/local-file-repository.ts";
import { Project } from "../../../src/database/project-state.ts";
import { LocalFileIndexer } from "../../../src/workspace/local-files/local-file-indexer.ts";
import { createLocalProject, type LocalProject } from "../workspace/local-files/local-project.ts";
import { waitUntil } from "../support/wait-until.ts";

const FILES = [{ path: "{locale}.json", format: "json_js" as const }];

let fixture: LocalProject;
let project: Project;

function open(files: Readonly<Record<string, string>>, layout: object = { files: FILES }): void {
  fixture = createLocalProject(files, layout);
  project = new Project("id", "label", fixture.database);
  setContent(CONTENT_OF_FILES);
}

function setContent(content: CacheContent): void {
  const state = "INSERT OR REPLACE INTO state (name, value) VALUES ('content', ?)";
  fixture.database.sql(state).run(JSON.stringify(content));
}

/** Reads the files and brings the tables up to them. */
async function update(signal?: AbortSignal): Promise<(LocalKeysChange & LocalTranslationsState) | null> {
  fixture.local.invalidate();
  const local = await fixture.local.load();
  const { sourceLocale, covered } = local;
  const locales = local.locales.filter((locale) => locale !== sourceLocale);
  const localKeys = new LocalKeys(fixture.database);
  const options = { sourceLocale, detectedSource: sourceLocale, locales, covered };
  const change = await localKeys.updateKeys(options, signal);
  const state = change && (await localKeys.updateTranslations(options, signal));
  if (change === null || state === null) return null;
  return { ...change, ...state };
}

/** Names, texts and what else is shown of the keys. */
const keys = (): unknown[] =>
  [...project.keys.values()].map(({ key, text, isPlural, description }) => {
    return [key, text, isPlural, ...(description === null ? [] : [description])];
  });
const translations = (locale: string): unknown[] =>
  translationsIn(project.database, locale).map(({ hash, text, isOutdated }) => {
    return [project.keys.get(hash)?.key, text, ...(isOutdated ? ["outdated"] : [])];
  });

beforeEach(() =>
  open({
    "en.json": '{"a": "A", "days_one": "day", "days_other": "days", "empty": ""}',
    "nl.json": '{"a": "Aa", "own": "Eigen", "empty": "Leeg"}',
    "fr.json": '{"a": ""}',
  }),
);

test("derives keys from the source language and translations from the others", async () => {
  expect(await update()).toEqual({
    keys: 4,
    withText: 2,
    sourceName: "English",
    languages: [
      { locale: "fr", name: "Français", translated: 0, outdated: 0 },
      { locale: "nl", name: "Nederlands", translated: 3, outdated: 0 },
    ],
    areKeysChanged: true,
    changedLocales: ["nl"],
  });
  expect(keys()).toEqual([
    ["a", { value: "A" }, false],
    ["days", { forms: { one: "day", other: "days" } }, true],
    ["empty", null, false],
    ["own", null, false],
  ]);
  expect(translations("nl")).toEqual([
    ["a", { value: "Aa" }],
    ["empty", { value: "Leeg" }],
    ["own", { value: "Eigen" }],
  ]);
  expect(translations("fr")).toEqual([]);
  expect([project.keysComplete, project.syncMetadata.hasCursor("nl")]).toEqual([true, true]);
});

test("reports changes and removes deleted keys", async () => {
  await update();
  expect(await update()).toMatchObject({ areKeysChanged: false, changedLocales: [] });
  fixture.files.put("fr.json", '{"a": "Un"}');
  expect(await update()).toMatchObject({ areKeysChanged: false, changedLocales: ["fr"] });
  fixture.files.put("fr.json", '{"a": "Deux"}');
  expect(await update()).toMatchObject({ areKeysChanged: false, changedLocales: ["fr"] });
  expect(translations("fr")).toEqual([["a", { value: "Deux" }]]);
  fixture.files.put("en.json", '{"a": "Other", "days_one": "day", "days_other": "days", "empty": ""}');
  expect(await update()).toMatchObject({ areKeysChanged: true, changedLocales: [] });
  fixture.files.put("en.json", '{"a": "Other"}');
  expect(await update()).toMatchObject({ keys: 3, withText: 1, areKeysChanged: true });
  expect(keys().map((key) => (key as unknown[])[0])).toEqual(["a", "empty", "own"]);
  fixture.files.put("nl.json", "{}");
  expect(await update()).toMatchObject({ keys: 1, areKeysChanged: true, changedLocales: ["nl"] });
  expect(translations("nl")).toEqual([]);
});

test("reports a removed translation of an existing key, which another language still has", async () => {
  fixture.files.put("fr.json", '{"a": "Un"}');
  await update();
  fixture.files.put("nl.json", '{"own": "Eigen", "empty": "Leeg"}');
  expect(await update()).toMatchObject({ keys: 4, areKeysChanged: false, changedLocales: ["nl"] });
  expect(translations("nl").map((each) => (each as unknown[])[0])).toEqual(["empty", "own"]);
});

test("reports that a key without a source text got plural forms, and lost them", async () => {
  await update();
  const isPlural = () => [...project.keys.values()].find(({ key }) => key === "own")?.isPlural;
  expect(isPlural()).toBe(false);
  fixture.files.put("nl.json", '{"a": "Aa", "own_one": "Eigen", "own_other": "Eigene", "empty": "Leeg"}');
  expect(await update()).toMatchObject({ keys: 4, areKeysChanged: true });
  expect(isPlural()).toBe(true);
  fixture.files.put("nl.json", '{"a": "Aa", "own": "Eigen", "empty": "Leeg"}');
  expect(await update()).toMatchObject({ keys: 4, areKeysChanged: true });
  expect(isPlural()).toBe(false);
});

test("reports a changed description", async () => {
  const po = (description: string, flag = ""): string =>
    `#. ${description}\n${flag}msgid "Save"\nmsgstr "Opslaan"\n`;
  open({ "nl.po": po("On a button") }, { files: [{ path: "{locale}.po", format: "po" }] });
  await update();
  fixture.files.put("nl.po", po("In a menu"));
  expect(await update()).toMatchObject({ areKeysChanged: true, changedLocales: [] });
  expect(keys()).toEqual([["Save", { value: "Save" }, false, "In a menu"]]);
  for (const length of [20, 30]) {
    fixture.files.put("nl.po", po("In a menu", `#, max-length:${length}\n`));
    expect(await update()).toMatchObject({ areKeysChanged: true, changedLocales: [] });
    expect([...project.keys.values()].map(({ maxLength }) => maxLength)).toEqual([length]);
  }
});

test("notifies other windows of changed keys and translations only", async () => {
  const other = new Project("id", "label", fixture.database);
  const hears = async (): Promise<boolean> => {
    await update();
    return other.syncMetadata.hasExternalChanges();
  };
  expect([await hears(), await hears()]).toEqual([true, false]);
  fixture.files.put("fr.json", '{"a": "Un"}');
  expect([await hears(), await hears()]).toEqual([true, false]);
  fixture.files.put("en.json", '{"a": "Other", "days_one": "day", "days_other": "days", "empty": ""}');
  expect([await hears(), await hears()]).toEqual([true, false]);
});

test("removes a language without files, with its translations", async () => {
  await update();
  fixture.files.remove("nl.json");
  expect(await update()).toMatchObject({
    languages: [{ locale: "fr", translated: 0, outdated: 0 }],
    changedLocales: ["nl"],
  });
  expect([translations("nl"), project.syncMetadata.hasCursor("nl")]).toEqual([[], false]);
  expect(project.syncMetadata.hasCursor("fr")).toBe(true);
});

test("derives keys without their translations", async () => {
  const { sourceLocale, covered } = await fixture.local.load();
  const options = { sourceLocale, detectedSource: sourceLocale, locales: ["fr", "nl"], covered };
  const localKeys = new LocalKeys(fixture.database);
  const change = await localKeys.updateKeys(options);
  expect(change).toMatchObject({ areKeysChanged: true });
  expect([keys().length, translations("nl")]).toEqual([4, []]);
  expect([project.keysComplete, project.syncMetadata.hasCursor("nl")]).toEqual([true, false]);
  expect(await localKeys.updateTranslations(options)).toMatchObject({ keys: 4, changedLocales: ["nl"] });
  expect(translations("nl")).toHaveLength(3);
});

test("deletes a translation whose name is gone since its key was deleted", async () => {
  await update();
  const stored = new LocalFileRepository(fixture.database);
  const { sourceLocale, covered } = await fixture.local.load();
  const options = { sourceLocale, detectedSource: sourceLocale, locales: ["fr", "nl"], covered };
  const localKeys = new LocalKeys(fixture.database);
  stored.removeFile("nl.json");
  expect(await localKeys.updateKeys(options)).toMatchObject({ keys: 3, areKeysChanged: true });
  expect(keys().map((key) => (key as unknown[])[0])).toEqual(["a", "days", "empty"]);
  await new LocalFileIndexer(fixture.database).removeReplaced();
  const { languages } = (await localKeys.updateTranslations(options)) ?? {};
  expect(languages?.map(({ locale, translated }) => [locale, translated])).toEqual([
    ["fr", 0],
    ["nl", 0],
  ]);
  expect(translations("nl")).toEqual([]);
});

test("deletes more translations than fit into one transaction, all after the last name", async () => {
  open({ "en.json": '{"a": "A"}', "nl.json": '{"a": "Aa"}' });
  await update();
  const { database } = fixture;
  database.transaction(() => {
    const put = database.sql(
      "INSERT INTO translations (locale, hash, text, is_translated, is_outdated, errors, revision) VALUES ('nl', ?, ?, 1, 0, 0, 0)",
    );
    for (let number = 0; number < 4_100; number++)
      put.run(`g${String(number).padStart(39, "0")}`, '{"value":"x"}');
  });
  fixture.files.put("nl.json", '{"a": "Bb"}');
  expect(await update()).toMatchObject({ languages: [{ translated: 1 }], changedLocales: ["nl"] });
  expect(translations("nl")).toEqual([["a", { value: "Bb" }]]);
});

test("keys have the contexts of their names", async () => {
  const save = (context: string, text: string): string => `${context}msgid "Save"\nmsgstr "${text}"\n`;
  const both = `${save("", "Opslaan")}\n${save('msgctxt "menu"\n', "Bewaren")}`;
  open({ "nl.po": both }, { files: [{ path: "{locale}.po", format: "po" }] });
  await update();
  const contexts = Array.from(project.keys.values(), ({ key, context }) => [key, context]);
  expect(contexts).toEqual([
    ["Save", null],
    ["Save", "menu"],
  ]);
  expect(translations("nl")).toEqual([
    ["Save", { value: "Opslaan" }],
    ["Save", { value: "Bewaren" }],
  ]);
});

test("takes the first translation with a text, in the order of the files, and no other on the next update", async () => {
  const files = [
    { path: "{locale}.json", format: "json_js" as const },
    { path: "more/{locale}.json", format: "json_js" as const },
  ];
  const texts = { "en.json": '{"a": "A", "b": "B"}', "nl.json": '{"a": "Een", "b": "Een"}' };
  open({ ...texts, "more/nl.json": '{"a": "", "b": ":\\"\\""}' }, { files });
  expect(await update()).toMatchObject({ languages: [{ locale: "nl", translated: 2 }] });
  expect(translations("nl")).toEqual([
    ["a", { value: "Een" }],
    ["b", { value: ':""' }],
  ]);
  expect(await update()).toMatchObject({ changedLocales: [] });
});

test("counts fuzzy translations as outdated", async () => {
  const po = (flag: string): string =>
    `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n#. On a button\n${flag}msgid "Save"\nmsgstr "Opslaan"\n`;
  open({ "nl.po": po("#, fuzzy\n") }, { files: [{ path: "{locale}.po", format: "po" }] });
  expect(await update()).toMatchObject({ languages: [{ locale: "nl", translated: 1, outdated: 1 }] });
  // No file of the source language says it, so that the msgid is the source text.
  expect(keys()).toEqual([["Save", { value: "Save" }, false, "On a button"]]);
  expect(translations("nl")).toEqual([["Save", { value: "Opslaan" }, "outdated"]]);
  fixture.files.put("nl.po", po(""));
  expect(await update()).toMatchObject({ languages: [{ locale: "nl", translated: 1, outdated: 0 }] });
  expect(translations("nl")).toEqual([["Save", { value: "Opslaan" }]]);
});

test("a text is checked again, alone, once it or its source text has changed", async () => {
  await update();
  const states = (): readonly string[] =>
    fixture.database.column(
      `SELECT key || ' ' || is_checked || ' ' || coalesce(issues, 'none') || ' ' || errors
       FROM translations JOIN keys USING (hash) WHERE locale = 'nl' ORDER BY key`,
    );
  const check = (): void =>
    fixture.database.write(
      "UPDATE translations SET is_checked = 1, issues = '[1]', issue_count = 1, errors = 1",
    );
  expect(states()).toEqual(["a 0 none 0", "empty 0 none 0", "own 0 none 0"]);
  check();
  fixture.files.put("nl.json", '{"a": "Bb", "own": "Eigen", "empty": "Leeg"}');
  await update();
  // Those of another text are not shown until then.
  expect(states()).toEqual(["a 0 none 0", "empty 1 [1] 1", "own 1 [1] 1"]);
  expect(project.translations.counts("nl")).toMatchObject({ issues: 2, errors: 2 });
  check();
  fixture.files.put(
    "en.json",
    '{"a": "A", "days_one": "day", "days_other": "days", "empty": "Not any more"}',
  );
  await update();
  expect(states()).toEqual(["a 1 [1] 1", "empty 0 [1] 1", "own 1 [1] 1"]);
});

test("uses the same precedence of files as everywhere", async () => {
  const files = [
    { path: "{locale}.json", format: "json_js" as const },
    { path: "more/{locale}.json", format: "json_js" as const },
  ];
  open(
    {
      "en.json": '{"a": "First"}',
      "more/en.json": '{"a": "Second"}',
      "nl.json": '{"a": "Eerste"}',
      "more/nl.json": '{"a": "Tweede"}',
    },
    { files },
  );
  expect(await update()).toMatchObject({ keys: 1 });
  const local = await fixture.local.load();
  const textsOf = (locale: string) => [...local.entries(locale).values()].map(({ text }) => text);
  expect([...project.keys.values()].map(({ text }) => text)).toEqual(textsOf("en"));
  expect(translationsIn(project.database, "nl").map(({ text }) => text)).toEqual(textsOf("nl"));
});

test("processes many keys in slices until aborted", async () => {
  const texts = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`key${index}`, `${index}`]));
  open({ "en.json": JSON.stringify(texts), "nl.json": JSON.stringify(texts) });
  expect(await update()).toMatchObject({ keys: 450, withText: 450, languages: [{ translated: 450 }] });
  expect(keys()).toHaveLength(450);
  fixture.files.put("nl.json", "{}");
  const controller = new AbortController();
  controller.abort(new Error("enough"));
  await expect(update(controller.signal)).rejects.toThrow("enough");
  // What was not finished is derived again.
  expect(await update()).toMatchObject({ keys: 450, languages: [{ translated: 0 }], changedLocales: ["nl"] });
});

test("derives the same files only once, also after a restart", async () => {
  const first = await update();
  const { database } = fixture;
  // Shows whether the rows are derived again.
  database.write("UPDATE keys SET description = 'unchanged'");
  database.write('UPDATE translations SET text = \'{"value":"unchanged"}\'');
  expect(await update()).toEqual({ ...first, areKeysChanged: false, changedLocales: [] });
  expect(keys()).toContainEqual(["a", { value: "A" }, false, "unchanged"]);
  expect(translations("nl")).toContainEqual(["a", { value: "unchanged" }]);
  fixture.files.put("fr.json", '{"a": "La"}');
  expect(await update()).toMatchObject({ areKeysChanged: true, changedLocales: ["fr", "nl"] });
  expect(keys()).toContainEqual(["a", { value: "A" }, false]);
  expect(translations("nl")).toContainEqual(["a", { value: "Aa" }]);
});

test("derives again after the tables were emptied, or derived by another window at the same time", async () => {
  const first = await update();
  project.syncMetadata.clear(CONTENT_OF_FILES);
  setContent(CONTENT_OF_FILES);
  expect(await update()).toEqual(first);
  fixture.files.put("nl.json", '{"a": "Eén"}');
  const basis = () => fixture.database.value("SELECT value FROM state WHERE name = 'local translations'");
  const before = basis();
  const updating = update();
  await waitUntil(() => ![before, ""].includes(basis()));
  fixture.database.write("UPDATE state SET value = 'of another window' WHERE name = 'local translations'");
  await updating;
  fixture.database.write('UPDATE translations SET text = \'{"value":"of the other window"}\'');
  await update();
  expect(translations("nl")).toEqual([["a", { value: "Eén" }]]);
});

test("says nothing of the files once the tables are those of a service, although the files are the same", async () => {
  expect(await update()).toMatchObject({ keys: 4 });
  setContent(contentOfProject("shop"));
  expect(await update()).toBeNull();
  setContent(CONTENT_OF_FILES);
  expect(await update()).toMatchObject({ keys: 4, areKeysChanged: false });
});

test("leaves a service project's tables alone, also after a sign-in meanwhile", async () => {
  setContent(contentOfProject("shop"));
  expect(await update()).toBeNull();
  expect([keys(), project.keysComplete]).toEqual([[], false]);
  setContent(CONTENT_OF_FILES);
  const updating = update();
  // The first transaction is over when the others get their turn.
  await new Promise((resolve) => setImmediate(resolve));
  setContent(contentOfProject("shop"));
  expect(await updating).toBeNull();
  expect(project.keysComplete).toBe(false);
});

test("has plural forms as its source text has, whatever a translation has, but the details that any file has", async () => {
  const files = {
    "en.po": 'msgid "a"\nmsgstr "A"\n\nmsgid "b"\nmsgstr ""\n\nmsgid "c"\nmsgstr "C"\n',
    "nl.po":
      'msgid "a"\nmsgid_plural "as"\nmsgstr[0] "Een"\nmsgstr[1] "Meer"\n\n' +
      '#. On a button\nmsgid "b"\nmsgstr "Bee"\n\n#, max-length:9\nmsgid "c"\nmsgstr "Cee"\n',
  };
  open(files, { files: [{ path: "{locale}.po", format: "po" }] });
  await update();
  expect(keys()).toEqual([
    ["a", { value: "A" }, false],
    ["b", { value: "b" }, false, "On a button"],
    ["c", { value: "C" }, false],
  ]);
  expect([...project.keys.values()].map(({ maxLength }) => maxLength)).toEqual([null, null, 9]);
});

test("notices a change of any of many files", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 501 }, (_, index) => [`${index}/en.json`, `{"k${index}": "text"}`]),
  );
  open(files, { files: [{ path: "{namespace}/{locale}.json", format: "json_js", namespace: "*" }] });
  expect(await update()).toMatchObject({ keys: 501, areKeysChanged: true });
  const last = String(fixture.database.value("SELECT path FROM local_files ORDER BY id DESC LIMIT 1"));
  fixture.files.put(last, '{"of the last file": "text"}');
  expect(await update()).toMatchObject({ keys: 501, areKeysChanged: true });
  fixture.files.put("500/en.json", '{"k500": "needle"}');
  expect(await update()).toMatchObject({ keys: 501, areKeysChanged: true });
  expect([...fixture.local.entriesContaining(["needle"])].flat().map(({ path }) => path)).toEqual([
    "500/en.json",
  ]);
  // Also of the first keys, after which no other one changes.
  fixture.files.put("0/en.json", '{"k0": "other"}');
  expect(await update()).toMatchObject({ keys: 501, areKeysChanged: true });
  fixture.files.put("0/en.json", "{}");
  expect(await update()).toMatchObject({ keys: 500, areKeysChanged: true });
  expect(await update()).toMatchObject({ keys: 500, areKeysChanged: false });
});
