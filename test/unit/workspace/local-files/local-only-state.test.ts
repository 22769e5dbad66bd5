/** The state of a project that is signed out, from the first load to a restart. */
import { CONTENT_OF_FILES, contentOfProject } from "../../../../src/database/sync-metadata-repository.ts";
import { beforeEach, expect, test, vi } from "vitest";
import { LocalKeys, type LocalKeysOptions } from "../../../../src/database/keys-from-local-files.ts";
import type { StoreTable } from "../../../../src/database/store.ts";
import { Project } from "../../../../src/database/project-state.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { LocalOnlyState } from "../../../../src/workspace/local-files/local-only-state.ts";
import { type LocalProject, createLocalProject } from "./local-project.ts";
import { COMPLETE_CURSOR } from "../../support/complete-cursor.ts";
import { waitUntil } from "../../support/wait-until.ts";

const JSON_FILES: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];

let fixture: LocalProject;
let project: Project;
let state: LocalOnlyState;
let layout: readonly FilesEntry[];
let chosen: string | null;
let configured: readonly string[] | Promise<never>;
/** How often the configuration was asked for, and what the tables were brought up to. */
let asked: number;
let updates: LocalKeysOptions[];
/** The languages that the files were to be read with. */
let sources: string[];
let changes: StoreTable[];
/** The changed tables, once each. */
const tables = (): readonly StoreTable[] => [...new Set(changes)].sort();
/** What happens once the entries were indexed. */
let onIndexed: () => unknown;
/** What happens once the keys were stored. */
let onKeysStored: () => Promise<unknown>;
/** Before files are read. */
let beforeReading: (paths: readonly string[]) => Promise<void>;
/** Before the translations are derived. */
let beforeTranslations: Promise<void>;

function open(texts: Readonly<Record<string, string>>, files = JSON_FILES): void {
  layout = files;
  beforeReading = async () => undefined;
  fixture = createLocalProject(texts, { files }, (indexing) => {
    const readFiles = indexing.readFiles.bind(indexing);
    return async (filesToRead, signal) => {
      await beforeReading(filesToRead.map(({ location }) => location.path));
      return readFiles(filesToRead, signal);
    };
  });
  chosen = null;
  configured = [];
  asked = 0;
  updates = [];
  sources = [];
  onIndexed = () => undefined;
  onKeysStored = () => Promise.resolve();
  beforeTranslations = Promise.resolve();
  restart();
}

/** As after a start of the editor: what the database holds is all that is known. */
function restart(): void {
  project = new Project("id", "label", fixture.database);
  changes = [];
  project.onDidChange((table) => changes.push(table));
  const keys = new LocalKeys(fixture.database);
  state = new LocalOnlyState({
    project,
    local: fixture.local,
    indexing: () => ({
      updateKeys: async (options, signal) => {
        const stored = await keys.updateKeys(options, signal);
        await onKeysStored();
        return stored;
      },
      updateTranslations: async (options, signal) => {
        updates.push(options);
        await beforeTranslations;
        const indexed = await keys.updateTranslations(options, signal);
        await onIndexed();
        return indexed;
      },
    }),
    takeOver: async () => project.syncMetadata.clear(project.syncMetadata.content, CONTENT_OF_FILES),
    chosenSource: () => chosen,
    configuredLanguages: async () => {
      asked++;
      return configured;
    },
    onSourceLanguage: (sourceLocale) => {
      sources.push(sourceLocale);
      fixture.local.configure({ files: layout, locales: {}, sourceLocale, serviceLocales: [] });
    },
  });
}

async function update(): Promise<void> {
  fixture.local.invalidate();
  await state.load();
}

const texts = (): unknown[] => [...project.keys.values()].map(({ key, text }) => [key, text]);
const languages = (): unknown[] =>
  project.stats?.languages.map(({ locale, totalKeys, translated, outdated, percent }) => {
    return [locale, translated, outdated, totalKeys, percent];
  }) ?? [];

beforeEach(() => open({ "en.json": '{"a": "A", "b": "B", "c": "C"}', "nl.json": '{"a": "Aa", "b": "Bé"}' }));

test("lists the languages with their progress", async () => {
  expect([state.sourceLocale, project.source.isKnown]).toEqual([null, false]);
  await update();
  expect([state.sourceLocale, project.source.isKnown, project.sourceLocale]).toEqual(["en", true, "en"]);
  expect(project.stats).toEqual({
    contentVersion: 0,
    languages: [
      {
        locale: "en",
        name: "English",
        isSource: true,
        totalKeys: 3,
        translated: 3,
        outdated: 0,
        qaErrors: 0,
        percent: 100,
        lastTranslatedAt: null,
      },
      {
        locale: "nl",
        name: "Nederlands",
        isSource: false,
        totalKeys: 3,
        translated: 2,
        outdated: 0,
        qaErrors: 0,
        percent: 66,
        lastTranslatedAt: null,
      },
    ],
  });
  expect(project.loadedLocales()).toEqual(["nl"]);
  expect(tables()).toEqual(["keys", "stats", "translations"]);
});

test("indexes and reports only changed files", async () => {
  await update();
  changes = [];
  await state.load();
  await update();
  expect([updates.length, changes, asked]).toEqual([1, [], 1]);
  fixture.files.put("nl.json", '{"a": "Aa", "b": "Bé", "c": "Cé"}');
  await update();
  expect(tables()).toEqual(["stats", "translations"]);
  expect(languages()).toEqual([
    ["en", 3, 0, 3, 100],
    ["nl", 3, 0, 3, 100],
  ]);
  changes = [];
  fixture.files.put("en.json", '{"a": "Another", "b": "B", "c": "C"}');
  await update();
  // Its translations have to be checked again.
  expect(tables()).toEqual(["keys", "translations"]);
  changes = [];
  fixture.files.put("nl.json", '{"a": "Iets anders", "b": "Bé", "c": "Cé"}');
  await update();
  expect(tables()).toEqual(["translations"]);
});

test("counts translations that are marked as unfinished as outdated", async () => {
  const message = (id: string, text: string): string => `msgid "${id}"\nmsgstr "${text}"\n`;
  const nl = [message("a", "Aa"), `#, fuzzy\n${message("b", "Bé")}`, message("c", "")].join("\n");
  open({ "nl.po": nl }, [{ path: "{locale}.po", format: "po" }]);
  await update();
  expect(languages()).toEqual([
    ["en", 3, 0, 3, 100],
    ["nl", 2, 1, 3, 66],
  ]);
});

test("reads each file once where some files have their source texts, by their paths", async () => {
  open({ "nl.po": 'msgid "Save"\nmsgstr "Opslaan"\n', "nl.json": '{"a": "Aa"}' }, [
    { path: "{locale}.po", format: "po" },
    ...JSON_FILES,
  ]);
  await update();
  expect([state.sourceLocale, fixture.files.reads.toSorted()]).toEqual(["en", ["nl.json", "nl.po"]]);
});

test("shows the keys before the files of other languages are read, and each state once", async () => {
  fixture.onPartlyRead = async () => {
    await state.showKeys();
    expect(fixture.files.reads).toEqual(["en.json"]);
    expect(languages()).toEqual([["en", 3, 0, 3, 100]]);
    expect(texts()).toContainEqual(["a", { value: "A" }]);
  };
  await update();
  expect(languages()).toEqual([
    ["en", 3, 0, 3, 100],
    ["nl", 2, 0, 3, 66],
  ]);
  await Promise.all([state.showRead(), state.showRead(), state.load()]);
  expect([changes.filter((table) => table === "stats").length, updates.length]).toEqual([2, 1]);
});

test("keeps the translations that were shown while the files of the source language are read again", async () => {
  await update();
  const before = languages();
  fixture.onPartlyRead = async () => {
    await state.showKeys();
    expect(texts()).toContainEqual(["c", { value: "Changed" }]);
    expect([languages(), project.loadedLocales()]).toEqual([before, ["nl"]]);
    const [{ hash } = { hash: "" }] = project.keys.values();
    expect(project.translation("nl", hash)?.text).toEqual({ value: "Aa" });
  };
  changes = [];
  fixture.files.put("en.json", '{"a": "A", "b": "B", "c": "Changed"}');
  await update();
  expect(tables()).toEqual(["keys"]);
});

test("updates the keys while translations are still being derived, and shows no language without them", async () => {
  let derive = (): void => undefined;
  beforeTranslations = new Promise((resolve) => (derive = resolve));
  const updating = update();
  await state.loadKeys();
  expect([texts().length, project.keysComplete]).toEqual([3, true]);
  expect(tables()).toEqual(["keys", "stats", "translations"]);
  expect([languages(), project.loadedLocales()]).toEqual([[["en", 3, 0, 3, 100]], []]);
  fixture.files.put("en.json", '{"a": "A", "new": "New"}');
  fixture.local.invalidate();
  await state.loadKeys();
  expect(texts()).toEqual([
    ["a", { value: "A" }],
    ["b", null],
    ["new", { value: "New" }],
  ]);
  expect(languages()).toEqual([["en", 2, 0, 3, 66]]);
  derive();
  await updating;
  await state.showRead();
  expect(languages()).toEqual([
    ["en", 2, 0, 3, 66],
    ["nl", 2, 0, 3, 66],
  ]);
});

test("stores the keys of files that are read while those of others are being stored", async () => {
  await update();
  const changeWhileStoring = (path: string, text: string): void => {
    onKeysStored = () => {
      onKeysStored = () => Promise.resolve();
      fixture.files.put(path, text);
      fixture.local.invalidate();
      return fixture.local.loadTexts();
    };
  };
  changeWhileStoring("en.json", '{"a": "A", "last": "Last"}');
  fixture.files.put("en.json", '{"a": "A", "first": "First"}');
  await update();
  await state.load();
  expect(texts()).toContainEqual(["last", { value: "Last" }]);
  // The keys changed although what was read last has none of them.
  changes = [];
  changeWhileStoring("nl.json", '{"a": "Aaa"}');
  fixture.files.put("en.json", '{"a": "A", "last": "Another"}');
  await update();
  expect(tables()).toEqual(["keys", "stats", "translations"]);
});

test("stores the translations of files that are read while those of others are being stored", async () => {
  await update();
  onIndexed = () => {
    onIndexed = () => undefined;
    fixture.files.put("nl.json", '{"a": "Last"}');
    fixture.local.invalidate();
    return fixture.local.loadTexts();
  };
  fixture.files.put("nl.json", '{"a": "First"}');
  await update();
  await state.load();
  const hash = [...project.keys.values()].find(({ key }) => key === "a")?.hash ?? "";
  expect(project.translation("nl", hash)?.text).toEqual({ value: "Last" });
});

test("reads the files once, with the source language of the configuration", async () => {
  open({ "en-GB.json": '{"a": "A"}', "en-US.json": '{"a": "A"}', "nl.json": "{}" });
  configured = ["en-US"];
  await update();
  expect(state.sourceLocale).toBe("en-US");
  expect(fixture.files.reads.toSorted()).toEqual(["en-GB.json", "en-US.json", "nl.json"]);
});

test("shows nothing while there are no texts", async () => {
  await update();
  fixture.files.remove("en.json");
  fixture.files.remove("nl.json");
  await update();
  expect([project.stats, project.source.isKnown, project.loadedLocales(), texts()]).toEqual([
    null,
    false,
    [],
    [],
  ]);
  restart();
  expect(project.source.isKnown).toBe(false);
  changes = [];
  fixture.files.put("nl.json", '{"a": "Aa"}');
  await update();
  expect([languages(), texts()]).toEqual([[["nl", 1, 0, 1, 100]], [["a", { value: "Aa" }]]]);
  expect(tables()).toEqual(["keys", "stats", "translations"]);
});

test("uses the chosen source language, else the configured, else the detected one", async () => {
  await update();
  expect(languages()).toEqual([
    ["en", 3, 0, 3, 100],
    ["nl", 2, 0, 3, 66],
  ]);
  configured = ["nl"];
  await update();
  expect(state.sourceLocale).toBe("en");
  state.invalidateConfiguration();
  await update();
  expect([state.sourceLocale, asked]).toEqual(["nl", 2]);
  expect(languages()).toEqual([
    ["nl", 2, 0, 3, 66],
    ["en", 3, 0, 3, 100],
  ]);
  expect(texts()).toEqual([
    ["a", { value: "Aa" }],
    ["b", { value: "Bé" }],
    ["c", null],
  ]);
  chosen = "en";
  expect(state.sourceLocale).toBe("en");
  await update();
  expect(texts()[0]).toEqual(["a", { value: "A" }]);
  chosen = null;
  await update();
  expect(texts()[0]).toEqual(["a", { value: "Aa" }]);
  await update();
  expect(sources).toEqual(["nl", "en", "nl"]);
});

test.each<[string, FilesEntry[], Record<string, string>, string, string?]>([
  [
    "texts that are their own source",
    [{ path: "{locale}.po", format: "po" }],
    { "nl.po": 'msgid "Save"\nmsgstr "Opslaan"\n', "fr.po": 'msgid "Save"\nmsgstr "Sauver"\n' },
    "en",
  ],
  [
    "texts of which some are their own source",
    [{ path: "{locale}.po", format: "po" }, ...JSON_FILES],
    { "nl.po": 'msgid "Save"\nmsgstr "Opslaan"\n', "nl.json": '{"a": "Aa"}' },
    "en",
  ],
  [
    "a file whose path names no language, which the configuration does",
    [{ path: "source.json", format: "json_js" }, ...JSON_FILES],
    { "source.json": '{"a": "A"}', "nl.json": '{"a": "Aa", "b": "Bé"}' },
    "fr",
    "fr",
  ],
  [
    "files of which none is of the configured language",
    [...JSON_FILES],
    { "de.json": '{"a": "A"}', "nl.json": '{"a": "Aa", "b": "Bé"}' },
    "nl",
    "fr",
  ],
  [
    "an empty catalogue",
    [{ path: "{locale}.po", format: "po" }, ...JSON_FILES],
    { "fr.po": "", "nl.json": '{"a": "Aa"}' },
    "nl",
  ],
  [
    "a file of one language whose path does not name it",
    [{ path: "source.json", format: "json_js" }, ...JSON_FILES],
    { "source.json": '{"a": "A", "b": "B"}', "nl.json": '{"a": "Aa"}' },
    "en",
  ],
  [
    "files with empty texts for what is missing",
    [...JSON_FILES],
    { "nl.json": '{"a": "Aa"}', "en.json": '{"a": ""}' },
    "nl",
  ],
  [
    "plural forms that are empty",
    [{ path: "{locale}.json", format: "json_js" }],
    { "nl.json": '{"a_one": "Aa", "a_other": "Bé"}', "fr.json": '{"a_one": "", "a_other": ""}' },
    "nl",
  ],
  [
    "texts in several files of each language",
    [{ path: "{locale}/{namespace}.json", format: "json_js" }],
    { "nl/a.json": '{"a": "A", "b": "B"}', "nl/b.json": '{"c": "C"}', "fr/a.json": '{"a": "A", "b": "B"}' },
    "nl",
  ],
  [
    "a sheet with a column for each language",
    [{ path: "texts.csv", format: "csv" }],
    { "texts.csv": "key,nl,fr\na,Aa,Un\nb,Bé,\n" },
    "nl",
  ],
])("the source language of %s", async (_, files, contents, source, language) => {
  open(contents, files);
  if (language !== undefined) configured = [language];
  await update();
  expect(state.sourceLocale).toBe(source);
  sources = [];
  await update();
  expect([state.sourceLocale, sources]).toEqual([source, []]);
});

test("shows the last state after a restart before reading files", async () => {
  configured = ["nl"];
  await update();
  const before = languages();
  fixture.files.reads.length = 0;
  restart();
  expect([project.source.isKnown, state.sourceLocale, languages()]).toEqual([true, "nl", before]);
  expect([texts().length, project.loadedLocales(), fixture.files.reads]).toEqual([3, ["en"], []]);
  expect(tables()).toEqual(["stats", "translations"]);
  changes = [];
  await update();
  expect(changes).toEqual([]);
});

test("a source language that a person chose is not the detected one after a restart", async () => {
  chosen = "nl";
  await update();
  restart();
  expect(state.sourceLocale).toBe("nl");
  chosen = null;
  expect(state.sourceLocale).toBe("en");
});

test("says that keys are new to a window that was closed before their translations were derived", async () => {
  await update();
  fixture.database.sql("DELETE FROM state WHERE name = 'local'").run();
  restart();
  expect(project.source.isKnown).toBe(false);
  await update();
  expect(tables()).toEqual(["keys", "stats", "translations"]);
});

test("does not read files by the keys of an ended session", async () => {
  project.syncMetadata.content = contentOfProject("shop");
  fixture.setKnown({ a: true });
  restart();
  await update();
  expect(texts()[0]).toEqual(["a", { value: "A" }]);
});

test("removes the data of an ended session, but not that of a new one", async () => {
  project.syncMetadata.content = contentOfProject("shop");
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "de");
  project.syncMetadata.stats = { stats: { contentVersion: 7, languages: [] }, checkedAt: 1 };
  restart();
  expect(project.source.isKnown).toBe(false);
  await update();
  expect([project.syncMetadata.content, project.syncMetadata.hasCursor("de")]).toEqual([
    CONTENT_OF_FILES,
    false,
  ]);
  expect(project.syncMetadata.stats).toBeNull();

  // Somebody signed in in another window.
  project.syncMetadata.clear(CONTENT_OF_FILES);
  project.syncMetadata.content = contentOfProject("shop");
  project.syncMetadata.setCursor(COMPLETE_CURSOR, "de");
  fixture.files.put("nl.json", '{"a": "Other"}');
  await update();
  expect([project.syncMetadata.content, project.syncMetadata.hasCursor("de"), updates.length]).toEqual([
    contentOfProject("shop"),
    true,
    1,
  ]);

  state.reset();
  await update();
  expect([project.syncMetadata.content, project.syncMetadata.hasCursor("de")]).toEqual([
    CONTENT_OF_FILES,
    false,
  ]);
  expect(languages()).toEqual([
    ["en", 3, 0, 3, 100],
    ["nl", 1, 0, 3, 33],
  ]);
});

test("fills another database from unchanged files", async () => {
  await update();
  project.syncMetadata.clear(CONTENT_OF_FILES);
  expect(texts()).toEqual([]);
  state.reset();
  await update();
  expect(texts()).toHaveLength(3);
  const [{ hash } = { hash: "" }] = project.keys.values();
  expect(project.translation("nl", hash)?.text).toEqual({ value: "Aa" });
});

test("shows no older counts than those of the translations", async () => {
  await update();
  fixture.files.put("nl.json", '{"a": "Aa", "b": "Bé", "c": "Cé"}');
  await update();
  changes = [];
  await state.showKeys();
  expect([languages()[1], changes]).toEqual([["nl", 3, 0, 3, 100], []]);
});

test("says that keys changed if they did before files of another language, and translations are still derived", async () => {
  await update();
  const show = vi.spyOn(project, "showLocal");
  const derived = Promise.withResolvers<void>();
  beforeTranslations = derived.promise;
  fixture.files.put("en.json", '{"a": "Another", "b": "B", "c": "C"}');
  const updating = update();
  await waitUntil(() => updates.length === 2);
  fixture.files.put("nl.json", '{"a": "Ander"}');
  fixture.local.invalidate();
  await state.loadKeys();
  derived.resolve();
  await updating;
  expect(show.mock.calls.map(([, areKeysChanged]) => areKeysChanged)).toEqual([true, false]);
});

test("discards the index when someone signs in meanwhile", async () => {
  await update();
  changes = [];
  fixture.files.put("nl.json", "{}");
  onIndexed = () => state.dispose();
  await update();
  expect([changes.includes("stats"), languages()[1]]).toEqual([false, ["nl", 2, 0, 3, 66]]);
  await update();
  expect(updates).toHaveLength(2);
});

test("reads an unreadable configuration again next time", async () => {
  configured = Promise.reject(new Error("the disk is busy"));
  await expect(update()).rejects.toThrow("the disk is busy");
  configured = ["nl"];
  await update();
  expect(state.sourceLocale).toBe("nl");
});
