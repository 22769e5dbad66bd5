/** Files of a folder, as the indexing process reads them. */
import { mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type FolderFiles, folderFiles } from "../../../../src/workspace/file-system/disk-files.ts";
import { createFolderSearch } from "../../../../src/workspace/project-detection/folder-search.ts";
import { walkFolder } from "../../../../src/workspace/file-system/walk-folder.ts";
import { temporaryFolder } from "../../support/node-platform.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let files: FolderFiles;

beforeEach(async () => {
  folder = await temporaryFolder();
  await put("app/lang/en.json");
  await put("outside/secret.json");
  files = folderFiles(at("app"));
});
afterEach(() => {
  vi.restoreAllMocks();
  return folder.remove();
});

const at = (path: string): string => join(folder.path, path);
async function put(path: string, text = '{ "a": "A" }'): Promise<void> {
  await mkdir(join(at(path), ".."), { recursive: true });
  await writeFile(at(path), text);
}

test("reads a file with the stamp of `stat`, and says whether another write may leave it", async () => {
  const state = files.stat("lang/en.json");
  expect(state).toMatchObject({ kind: "file", stamp: { size: 12 }, realPath: "lang/en.json" });
  await put("app/root.json");
  expect(files.stat("root.json")).toMatchObject({ kind: "file", realPath: "root.json" });
  const read = files.read("lang/en.json");
  expect(read).toMatchObject({ kind: "read", dirty: false, recent: true });
  expect(read.kind === "read" && new TextDecoder().decode(read.bytes)).toBe('{ "a": "A" }');
  expect(read.kind === "read" && state.kind === "file" && read.stamp).toEqual(
    state.kind === "file" && state.stamp,
  );
  // The time of the last change of the file's metadata is now.
  await utimes(at("app/lang/en.json"), 1_000_000_000, 1_000_000_000);
  expect(files.read("lang/en.json")).toMatchObject({ recent: true });
});

test("reads nothing outside of the folder", async () => {
  await symlink(at("outside/secret.json"), at("app/lang/nl.json"));
  await symlink(at("outside"), at("app/linked"));
  for (const path of ["lang/nl.json", "linked/secret.json", "../outside/secret.json"]) {
    expect(files.stat(path)).toEqual({ kind: "unreadable", reason: "outside" });
    expect(files.read(path)).toEqual({ kind: "unreadable", reason: "outside" });
  }
});

test("notices later that a folder leads out of the project by then", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(10_000);
  expect(files.read("lang/en.json")).toMatchObject({ kind: "read" });
  await put("outside/en.json");
  await rm(at("app/lang"), { recursive: true });
  await symlink(at("outside"), at("app/lang"));
  clock.mockReturnValue(11_001);
  expect(files.read("lang/en.json")).toEqual({ kind: "unreadable", reason: "outside" });
});

test("says why a file cannot be read", async () => {
  await symlink("nothing.json", at("app/lang/nl.json"));
  await symlink("de.json", at("app/lang/de.json"));
  await mkdir(at("app/lang/fr.json"));
  const states = ["nl", "de", "fr", "it"].map((locale) => files.read(`lang/${locale}.json`));
  expect(states).toEqual([
    { kind: "unreadable", reason: "broken_link" },
    { kind: "unreadable", reason: "broken_link" },
    { kind: "unreadable", reason: "not_a_file" },
    { kind: "missing" },
  ]);
  // A file where a folder was.
  expect(files.read("lang/en.json/cart.json")).toEqual({ kind: "missing" });
  expect(files.read(`lang/${"x".repeat(300)}.json`)).toEqual({ kind: "unreadable", reason: "failed" });
  await rm(at("app/lang"), { recursive: true });
  expect(files.stat("lang/en.json")).toEqual({ kind: "missing" });
});

test("resolves the path of a file behind links", async () => {
  await symlink("en.json", at("app/lang/en-GB.json"));
  await symlink("lang", at("app/locales"));
  expect(files.stat("lang/en-GB.json")).toMatchObject({ kind: "file", realPath: "lang/en.json" });
  expect(files.stat("locales/en.json")).toMatchObject({ kind: "file", realPath: "lang/en.json" });
});

test("a search leaves out folders of tools, excluded files, and other projects", async () => {
  await put("app/package.json");
  for (const path of ["node_modules/one", ".git", "build/deep", "packages/other", "packages/own"])
    await put(`app/${path}/package.json`);
  await put("app/packages/own/package.tmp");
  await symlink("package.json", at("app/packages/own/link.tmp"));
  const search = createFolderSearch(at("app"));
  const scope = { exclude: ["/build", "**/*.tmp"], otherProjects: ["packages/other"] };
  expect(await search.find(["**/package.json", "**/*.tmp"], scope)).toEqual([
    "package.json",
    "packages/own/package.json",
  ]);
});

test("a search follows a link to a folder, but not in circles", async () => {
  await symlink("lang", at("app/locales"));
  await symlink("..", at("app/lang/up"));
  await symlink(".", at("app/lang/same"));
  const search = createFolderSearch(at("app"));
  expect(await search.find(["**/*.json"], { exclude: [], otherProjects: [] })).toEqual([
    "lang/en.json",
    "locales/en.json",
  ]);
});

const ANY = { matches: () => true, mayContain: () => true };
const NOTHING_ELSE = { exclude: [], otherProjects: [] };

test("a search ends at its limit, and finds nothing in a folder that is gone", async () => {
  for (const locale of ["de", "fr", "nl"]) await put(`app/lang/${locale}.json`);
  expect((await walkFolder(at("app"), ANY, NOTHING_ELSE, undefined, 2)).files).toHaveLength(2);
  expect(await walkFolder(at("gone"), ANY, NOTHING_ELSE)).toEqual({ files: [], unreadable: [] });
});

test("a search in a folder that cannot be listed itself tells that", async () => {
  await symlink("loop", at("loop"));
  expect(await walkFolder(at("loop"), ANY, NOTHING_ELSE)).toEqual({
    files: [],
    unreadable: [{ path: ".", reason: "failed" }],
  });
});

test("a search tells links in circles, and enters no folder of tools at any depth", async () => {
  await symlink("round", at("app/lang/round"));
  await symlink("en.json", at("app/lang/fr.json"));
  const socket = createServer().listen(at("app/lang/socket.json"));
  onTestFinished(() => void socket.close());
  await once(socket, "listening");
  for (const name of ["node_modules", ".git", ".hg", ".svn"]) await put(`app/lang/${name}/x.json`);
  const { files: found, unreadable } = await walkFolder(at("app"), ANY, NOTHING_ELSE);
  expect(found.toSorted()).toEqual(["lang/en.json", "lang/fr.json"]);
  expect(unreadable).toEqual([{ path: "lang/round", reason: "broken_link" }]);
});

test("a search in a folder that is a link itself tells the same as in the folder", async () => {
  await symlink("nothing.json", at("app/lang/nl.json"));
  await symlink("lang", at("app/locales"));
  await symlink(at("app"), at("alias"));
  const inFolder = await walkFolder(at("app"), ANY, NOTHING_ELSE);
  expect(inFolder.unreadable.map(({ path }) => path).toSorted()).toEqual(["lang/nl.json", "locales/nl.json"]);
  expect(await walkFolder(at("alias"), ANY, NOTHING_ELSE)).toEqual(inFolder);
});

test("a search leaves out what one glob excludes, and what is too deep for globs", async () => {
  const deep = `${"d/".repeat(65)}x.json`;
  await put(`app/${deep}`);
  await put("app/old/x.json");
  const search = async (...exclude: string[]) =>
    (await walkFolder(at("app"), ANY, { exclude, otherProjects: [] })).files.toSorted();
  expect(await search()).toEqual([deep, "lang/en.json", "old/x.json"]);
  expect(await search("old")).toEqual(["lang/en.json"]);
});

test("a search looks into no folder behind a link that has nothing wanted", async () => {
  await put("outside/deep/a.json");
  await symlink("nothing.json", at("outside/deep/b.json"));
  await symlink(at("outside"), at("app/linked"));
  await symlink("nothing.json", at("app/lang/nl.json"));
  const looked: string[] = [];
  const filter = {
    matches: (path: string): boolean => (looked.push(path), path.endsWith(".json")),
    mayContain: (path: string): boolean => path === "lang",
  };
  expect(await walkFolder(at("app"), filter, NOTHING_ELSE)).toEqual({
    files: ["lang/en.json"],
    unreadable: [{ path: "lang/nl.json", reason: "broken_link" }],
  });
  expect(looked.toSorted()).toEqual(["lang/en.json", "lang/nl.json"]);
});

test("a folder whose files cannot be listed is told, and so is a link that cannot be followed", async () => {
  // Paths have at most 4,096 bytes: the folder is moved to where its own is longer.
  const names = Array.from({ length: 19 }, () => "d".repeat(200));
  await mkdir(at(join("deep", ...names)), { recursive: true });
  await mkdir(at(join("app", "e".repeat(250))));
  await rename(at("deep"), at(join("app", "e".repeat(250), "deep")));
  await symlink("x".repeat(300), at("app/lang/link.json"));
  const { files: found, unreadable } = await walkFolder(at("app"), ANY, NOTHING_ELSE);
  await rename(at(join("app", "e".repeat(250), "deep")), at("deep"));
  expect(found).toEqual(["lang/en.json"]);
  expect(unreadable.map(({ path, reason }) => `${path.slice(0, 14)} ${reason}`).toSorted()).toEqual([
    `${"e".repeat(14)} failed`,
    "lang/link.json failed",
  ]);
});

test("more than a thousand folders behind a link out of the folder are told, not looked at", async () => {
  await symlink(at("outside"), at("app/linked"));
  for (let number = 0; number < 1_001; number++) await mkdir(at(`outside/${number}`));
  await put("outside/1000/last.json");
  const { unreadable } = await walkFolder(at("app"), ANY, NOTHING_ELSE);
  expect(unreadable.map(({ reason }) => reason)).toEqual(["outside", "outside"]);
});

test("a search ends when it is aborted", async () => {
  await put("app/locales/nl.json");
  const abort = new AbortController();
  const matched: string[] = [];
  const filter = {
    matches: (path: string): boolean => {
      matched.push(path);
      abort.abort(new Error("enough"));
      return true;
    },
    mayContain: () => true,
  };
  const searching = walkFolder(at("app"), filter, { exclude: [], otherProjects: [] }, abort.signal);
  await expect(searching).rejects.toThrow("enough");
  expect(matched).toEqual(["lang/en.json"]);
});

test("the apps of a folder are recognised by its files", async () => {
  await put("app/package.json", '{ "dependencies": { "i18next": "1" } }');
  await put("app/lang/nl.json");
  const { apps } = await createFolderSearch(at("app")).detectApps({ exclude: [], otherProjects: [] });
  expect([...apps]).toEqual([["", [{ path: "lang/{locale}.json", format: expect.any(String) }]]]);
});
