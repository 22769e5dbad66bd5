/** What reads local files writes nothing to the cache itself: it would have to wait for the indexing process. */
import { CONTENT_OF_FILES } from "../../../../src/database/sync-metadata-repository.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../../src/database/database.ts";
import { Project } from "../../../../src/database/project-state.ts";
import { createIndexing } from "../../../../src/indexer/project-indexing.ts";
import { LocalEntries, type LocalLayout } from "../../../../src/workspace/local-files/local-entries.ts";
import { LocalOnlyState } from "../../../../src/workspace/local-files/local-only-state.ts";
import { projectFiles, temporaryFolder } from "../../support/node-platform.ts";

const LAYOUT: LocalLayout = {
  files: [{ path: "locales/{locale}.json", format: "json_js" }],
  locales: {},
  sourceLocale: null,
  serviceLocales: [],
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let host: Database;
let indexer: Database;

beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "app", "locales"), { recursive: true });
  host = new Database(join(folder.path, "project.db"));
  indexer = new Database(join(folder.path, "project.db"));
});
afterEach(async () => {
  host.close();
  indexer.close();
  await folder.remove();
});

const pathOf = (locale: string): string => join(folder.path, "app", "locales", `${locale}.json`);

test("the indexing process writes everything while nobody is signed in", async () => {
  for (const locale of ["en", "nl", "fr"]) await writeFile(pathOf(locale), `{ "a": "A ${locale}" }`);
  const { changes } = host;
  const project = new Project("id", "label", host);
  const indexing = createIndexing(indexer, join(folder.path, "app"));
  const files = projectFiles(join(folder.path, "app"));
  const local = new LocalEntries({
    database: host,
    version: "1",
    files,
    keysVersion: () => 0,
    indexing: () => indexing.localFiles,
  });
  local.configure(LAYOUT);
  const state = new LocalOnlyState({
    project,
    local,
    indexing: () => indexing.localKeys,
    takeOver: () => indexing.serviceData.clear(project.syncMetadata.content, CONTENT_OF_FILES),
    chosenSource: () => null,
    configuredLanguages: async () => [],
    onSourceLanguage: (sourceLocale) => local.configure({ ...LAYOUT, sourceLocale }),
  });
  const shown = (): unknown => project.stats?.languages.map(({ locale, translated }) => [locale, translated]);
  await state.load();
  expect([project.syncMetadata.content, shown()]).toEqual([
    CONTENT_OF_FILES,
    [
      ["en", 1],
      ["fr", 1],
      ["nl", 1],
    ],
  ]);

  // One is deleted, one cannot be read any more.
  await rm(pathOf("fr"));
  await rm(pathOf("nl"));
  await mkdir(pathOf("nl"));
  local.invalidate(["locales/fr.json", "locales/nl.json"]);
  await state.load();
  expect([local.locales, project.syncMetadata.local?.counts.languages]).toEqual([
    ["en", "nl"],
    [{ locale: "nl", name: "Nederlands", translated: 0, outdated: 0 }],
  ]);
  expect(host.changes).toBe(changes);
});
