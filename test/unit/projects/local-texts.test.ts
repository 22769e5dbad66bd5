/** Which language the source texts of local files are in, and whose keys they are. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { Project } from "../../../src/database/project-state.ts";
import { CONTENT_OF_FILES } from "../../../src/database/sync-metadata-repository.ts";
import { createIndexing } from "../../../src/indexer/project-indexing.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { LocalTexts } from "../../../src/projects/local-texts.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";
import type { ProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import { projectFiles, temporaryFolder } from "../support/node-platform.ts";
import { NO_DETAILS } from "../workspace/local-files/local-project.ts";

let folder: string;
let remove: () => Promise<unknown>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  for (const locale of ["de", "en", "nl"]) write(`locales/${locale}.json`, '{ "a": "A" }');
});
afterEach(() => remove());

const FILES: ProjectFile["files"] = [{ path: "locales/{locale}.json", format: "json_js" }];

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

let chosen: string | null = null;

/** The texts of the folder, and what a person `chosen`. */
function open(isSignedIn: boolean, file: () => ProjectFile) {
  const database = new Database();
  const project = new Project("", "app", database);
  const indexing = createIndexing(database, folder);
  const texts = new LocalTexts({
    project,
    database,
    isSignedIn,
    files: projectFiles(folder),
    version: "1",
    file,
    scope: () => ({ exclude: [], otherProjects: [] }),
    search: createFolderSearch(folder),
    indexing: () => indexing,
    takeOver: () => indexing.serviceData.clear(project.syncMetadata.content, CONTENT_OF_FILES),
    chosenSource: () => chosen,
  });
  texts.configure();
  return { texts, project, database };
}

/** Returns the source language of a folder without a service. @param choice of a person */
async function sourceOf(more: Partial<ProjectFile>, choice: string | null): Promise<string> {
  chosen = choice;
  const { texts, database } = open(false, () => ({ files: FILES, ...more }));
  await texts.state?.load();
  expect(texts.entries.locales.toSorted()).toEqual(["de", "en", "nl"]);
  database.close();
  return texts.entries.sourceLocale;
}

test("the source language is that of the project file, else a person's choice, else that of a configuration, else English", async () => {
  expect(await sourceOf({}, null)).toBe("en");
  write("lingui.config.js", 'module.exports = { sourceLocale: "de", locales: ["de", "en", "nl"] };');
  expect(await sourceOf({}, null)).toBe("de");
  expect(await sourceOf({}, "nl")).toBe("nl");
  expect(await sourceOf({ sourceLocale: "en" }, "nl")).toBe("en");
});

test("another choice of the source language applies to files that were read with the one before", async () => {
  chosen = null;
  const { texts, project, database } = open(false, () => ({ files: FILES }));
  await texts.state?.load();
  expect([texts.entries.sourceLocale, project.sourceLocale]).toEqual(["en", "en"]);
  chosen = "nl";
  texts.configure();
  await texts.state?.load();
  expect([texts.entries.sourceLocale, project.sourceLocale]).toEqual(["nl", "nl"]);
  // Also where the files alone are read, of which there may be new languages.
  write("locales/fr.json", '{ "a": "A" }');
  texts.configure();
  await texts.entries.reload();
  expect([texts.entries.sourceLocale, texts.entries.locales]).toEqual(["nl", ["nl", "de", "en", "fr"]]);
  database.close();
});

test("the keys of the service decide which texts have forms, also those that come later", async () => {
  write("locales/nl.json", '{ "apples": "appels" }');
  const { texts, project, database } = open(true, () => ({
    files: [{ path: "locales/{locale}.json", format: "laravel_json" }],
  }));
  const name = { namespace: "*", key: "apples", context: null };
  const hash = keyHash(name);
  await texts.entries.load();
  expect(texts.entries.find(hash, "nl")?.text).toEqual({ value: "appels" });
  new KeyRepository(database).put([{ ...name, hash, isPlural: true, ...NO_DETAILS }], 1);
  project.changed("keys");
  await texts.entries.load();
  expect(texts.entries.find(hash, "nl")?.text).toEqual({ forms: { other: "appels" } });
  database.close();
});
