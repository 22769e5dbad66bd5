/** How often views are rendered while the files of a project on disk are read: once a second, and never twice for one state. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { LocalKeys } from "../../../../src/database/keys-from-local-files.ts";
import { PersonalData } from "../../../../src/database/personal/personal-data.ts";
import { Project } from "../../../../src/database/project-state.ts";
import { Store } from "../../../../src/database/store.ts";
import { CONTENT_OF_FILES } from "../../../../src/database/sync-metadata-repository.ts";
import { folderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import { LocalEntries } from "../../../../src/workspace/local-files/local-entries.ts";
import { createLocalFileIndexing } from "../../../../src/workspace/local-files/local-file-loader.ts";
import { LocalOnlyState } from "../../../../src/workspace/local-files/local-only-state.ts";
import { projectFiles, temporaryFolder } from "../../support/node-platform.ts";

const LOCALES = [
  "en",
  ...Array.from({ length: 20 }, (_, index) => `de-${String.fromCodePoint(65 + index)}A`),
];
const FILES = [{ path: "{locale}.json", format: "json_js" as const }];
/** How long it takes to read a file. */
const READ_MS = 400;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: Store<object>;
let project: Project;
let local: LocalEntries;
let state: LocalOnlyState;
let isReading: boolean;
/** What is shown, when, and whether files were being read. */
let renders: { readonly time: number; readonly shown: string; readonly isReading: boolean }[];

const put = (locale: string, texts: Readonly<Record<string, string>>): Promise<void> =>
  writeFile(join(folder.path, "app", `${locale}.json`), JSON.stringify(texts));

/** Everything that views and counts show. */
const shownNow = (): string =>
  JSON.stringify([
    project.stats,
    [...project.keys.values()].map(({ hash, text }) => [hash, text]),
    LOCALES.map((locale) => [...project.translations.rows(locale, "outdated")].length),
    project.database.all("SELECT locale, hash, text FROM translations ORDER BY locale, hash"),
    [local.locales, local.sizes, local.incomplete],
  ]);

beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "app"));
  for (const locale of LOCALES) await put(locale, { a: `A ${locale}`, b: `B ${locale}` });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const database = new Database(join(folder.path, "cache.sqlite"));
  store = new Store();
  project = new Project("id", "App", database, new PersonalData(), store);
  const onDisk = folderFiles(join(folder.path, "app"));
  const indexing = createLocalFileIndexing(database, {
    ...onDisk,
    read: (path) => {
      vi.advanceTimersByTime(READ_MS);
      const content = onDisk.read(path);
      // As of files whose last change is so long ago that their stamps are certain.
      return content.kind === "read" ? { ...content, recent: false } : content;
    },
  });
  isReading = false;
  local = new LocalEntries({
    database,
    version: "1",
    keysVersion: () => 0,
    indexing: () => indexing,
    files: projectFiles(join(folder.path, "app")),
    onReading: (reading) => {
      isReading = reading;
      project.setReading(reading);
    },
    onChanged: () => project.changed("files"),
    onPartlyRead: () => state.showKeys("background"),
  });
  const keys = new LocalKeys(database);
  state = new LocalOnlyState({
    project,
    local,
    indexing: () => keys,
    takeOver: async () => project.syncMetadata.clear(project.syncMetadata.content, CONTENT_OF_FILES),
    chosenSource: () => "en",
    configuredLanguages: () => Promise.resolve([]),
    onSourceLanguage: (sourceLocale) =>
      local.configure({ files: FILES, locales: {}, sourceLocale, serviceLocales: [] }),
  });
  local.configure({ files: FILES, locales: {}, sourceLocale: "en", serviceLocales: [] });
  renders = [];
  store.subscribe(["stats", "keys", "translations", "files", "freshness", "drafts"], () =>
    renders.push({ time: performance.now(), shown: shownNow(), isReading }),
  );
});
afterEach(async () => {
  vi.useRealTimers();
  store.dispose();
  project.database.close();
  await folder.remove();
});

function expectOncePerState(): void {
  for (const [index, { time, shown, isReading }] of renders.entries()) {
    const before = renders[index - 1];
    if (before === undefined) continue;
    expect(shown, `render ${index}`).not.toBe(before.shown);
    if (isReading) expect(time - before.time, `render ${index}`).toBeGreaterThanOrEqual(1_000);
  }
}

test("when the folder is opened, and then when files change", async () => {
  await state.load();
  vi.advanceTimersByTime(5_000);
  expect(renders.at(-1)?.shown).toBe(shownNow());
  expect(renders.length).toBeGreaterThanOrEqual(2);
  expectOncePerState();
  const count = renders.length;
  local.invalidate();
  await state.load();
  vi.advanceTimersByTime(5_000);
  expect(renders).toHaveLength(count);
  for (const locale of ["en", ...LOCALES.slice(3, 9)]) await put(locale, { a: `Other ${locale}`, c: "C" });
  local.invalidate();
  await state.load();
  vi.advanceTimersByTime(5_000);
  expect(renders.length).toBeGreaterThan(count);
  expect(renders.at(-1)?.shown).toBe(shownNow());
  expectOncePerState();
});
