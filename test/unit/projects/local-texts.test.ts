/** Which language the source texts of local files are in, and whose keys they are. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { Project } from "../../../src/database/project-state.ts";
import { createIndexing } from "../../../src/indexer/project-indexing.ts";
import { LocalTexts } from "../../../src/projects/local-texts.ts";
import { createFolderSearch } from "../../../src/workspace/project-detection/folder-search.ts";
import type { ProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import { projectFiles, temporaryFolder } from "../support/node-platform.ts";

let folder: string;
let remove: () => Promise<unknown>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  for (const locale of ["de", "en", "nl"]) write(`locales/${locale}.json`, '{ "a": "A" }');
});
afterEach(() => remove());

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Returns the source language of a folder without a service. @param chosen by a person */
async function sourceOf(more: Partial<ProjectFile>, chosen: string | null): Promise<string> {
  const database = new Database();
  const project = new Project("", "app", database);
  const indexing = createIndexing(database, folder);
  const texts = new LocalTexts({
    project,
    database,
    isSignedIn: false,
    files: projectFiles(folder),
    version: "1",
    file: () => ({ files: [{ path: "locales/{locale}.json", format: "json_js" }], ...more }),
    scope: () => ({ exclude: [], otherProjects: [] }),
    search: createFolderSearch(folder),
    indexing: () => indexing,
    takeOver: () => Promise.resolve(),
    chosenSource: () => chosen,
  });
  texts.configure();
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
