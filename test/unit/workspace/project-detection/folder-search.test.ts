/** Apps that are detected in a folder on disk. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFolderSearch } from "../../../../src/workspace/project-detection/folder-search.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "folder-search-"))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const apps = async (...exclude: readonly string[]): Promise<readonly string[]> => {
  const found = await createFolderSearch(folder).detectApps({ exclude, otherProjects: [] });
  return [...found.apps.keys()].sort();
};

test.each(["package.json", "composer.json"])(
  "a package with a %s that a link shows a second time is one app",
  async (manifest) => {
    for (const app of ["server", "webapp"]) {
      write(`${app}/${manifest}`, "{}");
      write(`${app}/locales/en.json`, '{ "title": "Boards" }');
      write(`${app}/locales/nl.json`, '{ "title": "Borden" }');
    }
    mkdirSync(join(folder, "linux"));
    symlinkSync("../webapp", join(folder, "linux", "webapp"));
    expect(await apps()).toEqual(["server", "webapp"]);
    // Where only the link is of the project, it is the app.
    expect(await apps("/webapp")).toEqual(["linux/webapp", "server"]);
  },
);

test("an app may have the texts of another folder by a link", async () => {
  write("texts/en.json", '{ "title": "Boards" }');
  write("texts/nl.json", '{ "title": "Borden" }');
  for (const app of ["server", "webapp"]) {
    write(`${app}/package.json`, "{}");
    symlinkSync("../texts", join(folder, app, "locales"));
  }
  expect(await apps()).toEqual(["", "server", "webapp"]);
});

test("reads the first files that match, and none that is larger than any manifest", async () => {
  write("a/package.json", " ".repeat(1024 * 1024 + 1));
  write("e/package.json", " ".repeat(1024 * 1024));
  for (const path of ["b/package.json", "c/package.json", "d/package.json"]) write(path, path);
  const read = async (limit: number): Promise<readonly string[]> => {
    const scope = { exclude: ["c/"], otherProjects: [] };
    const files = await createFolderSearch(folder).read(["**/package.json"], scope, limit);
    return files.map(({ path, text }) => (path === text ? path : `${path} ${text.length}`));
  };
  expect(await read(9)).toEqual(["b/package.json", "d/package.json", "e/package.json 1048576"]);
  expect(await read(2)).toEqual(["b/package.json"]);
});

test("finds paths in their order, and names the files that were read to detect apps", async () => {
  for (const path of ["b/en.json", "a/z.json", "a.json", "c.json", "Z.json", "a/b/c.json"]) write(path, "{}");
  const scope = { exclude: [], otherProjects: ["a/b"] };
  const search = createFolderSearch(folder);
  expect(await search.find(["**/*.json"], scope)).toEqual([
    "Z.json",
    "a.json",
    "a/z.json",
    "b/en.json",
    "c.json",
  ]);
  expect(await search.find(["*.json"], scope)).toEqual(["Z.json", "a.json", "c.json"]);
  const texts = '{ "title": "Boards" }';
  for (const path of [
    "web/locales/nl.json",
    "web/locales/en.json",
    "app/locales/en.json",
    "app/locales/nl.json",
  ])
    write(path, texts);
  write("web/package.json", "{}");
  write("app/package.json", "{}");
  // Texts may be larger than any manifest.
  write("big/package.json", "{}");
  write("big/locales/en.json", JSON.stringify({ title: "x".repeat(1024 * 1024) }));
  const { read, apps: detected } = await search.detectApps({ exclude: [], otherProjects: [] });
  expect(read).toEqual(["app/locales/en.json", "big/locales/en.json", "web/locales/en.json"]);
  expect([...detected.keys()].sort()).toEqual(["app", "big", "web"]);
});
