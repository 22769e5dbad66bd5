/** Which projects a window of several folders has while files come, go and change, and what each of them is asked for. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { WorkQueue } from "../../../src/util/work-queue.ts";
import type { App } from "../../../src/vscode/app.ts";
import { createApp } from "../../../src/vscode/create-app.ts";
import { editProjectFile } from "../../../src/vscode/projects/edit-project-file.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { createContext, createStored } from "../support/open-editor.ts";
import { changedFocus } from "../support/vscode/window.ts";
import {
  closeEditors,
  loseFileEvents,
  openFolders,
  pickInNextList,
  Range,
  setSetting,
  tellOfFile,
  trustGranted,
  Uri,
  window,
  workspace,
} from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const NAME = "project-translations.json";
const layout = (path: string): string =>
  JSON.stringify({ files: [{ path, format: "json_js" }], sourceLocale: "en" });
const FILES = {
  [`one/${NAME}`]: layout("{locale}.json"),
  "one/en.json": `{ "first": "1" }`,
  [`one/app/${NAME}`]: layout("{locale}.json"),
  "one/app/en.json": `{ "inner": "I" }`,
  [`two/${NAME}`]: layout("{locale}.json"),
  "two/en.json": `{ "second": "2" }`,
  "three/lib/a.ts": "",
  "three/notes.txt": "",
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: ReturnType<typeof createStored>;
let context: ReturnType<typeof createContext>;
let app: App;
const pathOf = (path: string): string => join(folder.path, path);
const uriOf = (path: string) => Uri.file(pathOf(path)) as never;
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(pathOf(path)), { recursive: true });
  await writeFile(pathOf(path), text);
}
/** Opens the window, which is told of files by the tests. */
function open(...folders: readonly string[]): void {
  openFolders(folders.map(pathOf));
  loseFileEvents();
  context = createContext(stored);
  app = createApp(context as never);
}
function close(): void {
  for (const each of context.subscriptions.toReversed()) each.dispose();
  openFolders([]);
  closeEditors();
}
beforeEach(async () => {
  folder = await temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) await write(path, text);
  stored = createStored(pathOf("storage"));
  open("one", "two", "three");
  await app.projects.ready;
});
afterEach(async () => {
  close();
  await folder.remove();
});

const names = (all = app.projects.all): readonly string[] =>
  all.map(({ root }) => root.fsPath.slice(folder.path.length + 1));
const projectIn = (path: string): OpenProject =>
  app.projects.all.find(({ root }) => root.fsPath === pathOf(path)) ?? expect.fail(`${path} is a project`);
const layoutOf = ({ file }: OpenProject): string | undefined => file.files?.[0]?.path;

test("project files come, change at the same time and go", async () => {
  expect(names()).toEqual(["one", "one/app", "two"]);
  expect(app.projects.all.map(({ session }) => session.kind)).toEqual(Array(3).fill("signed-out"));
  await write(`three/app/${NAME}`, layout("{locale}.json"));
  tellOfFile("created", pathOf(`three/app/${NAME}`));
  await waitUntil(() => app.projects.all.length === 4);
  expect(names()).toEqual(["one", "one/app", "three/app", "two"]);
  const [one, two] = [projectIn("one"), projectIn("two")];
  const read = [one, two].map(({ connection }) => vi.spyOn(connection, "filesChanged"));
  let told: readonly unknown[] = [];
  const listener = app.projects.onDidChange(() => (told = [one, two].map(layoutOf)));
  await write("one/texts/en.json", `{ "a": "A", "b": "B" }`);
  for (const path of ["one", "two"]) {
    await write(`${path}/${NAME}`, layout("texts/{locale}.json"));
    tellOfFile("changed", pathOf(`${path}/${NAME}`));
  }
  await waitUntil(() => told.every((path) => path === "texts/{locale}.json") && told.length === 2);
  // Whoever shows them does not wait for a command.
  expect(read.map(({ mock }) => mock.calls.length > 0)).toEqual([true, true]);
  listener.dispose();
  // Its files are read and followed.
  await waitUntil(() => one.keys.size === 2);
  await write("one/texts/en.json", `{ "a": "A", "b": "B", "c": "C" }`);
  tellOfFile("changed", pathOf("one/texts/en.json"));
  await waitUntil(() => one.keys.size === 3);
  await write(
    `three/app/${NAME}`,
    JSON.stringify({
      ...(JSON.parse(layout("{locale}.json")) as object),
      usage: { include: ["../lib/*.ts"] },
    }),
  );
  tellOfFile("changed", pathOf(`three/app/${NAME}`));
  await waitUntil(() => projectIn("three/app").code.folders.length === 1);
  // A command finds what is in a project file, also if no event told of it.
  const three = projectIn("three/app");
  await write(`three/app/${NAME}`, layout("{locale}.json"));
  let changes = 0;
  const counting = app.projects.onDidChange(() => (changes += 1));
  await app.projects.choose({ folder: three.root });
  expect([three.code.folders.length, changes]).toEqual([0, 1]);
  const reads = vi.spyOn(three.connection, "filesChanged");
  await app.projects.choose({ folder: three.root });
  expect([changes, reads.mock.calls.length]).toEqual([1, 0]);
  counting.dispose();
  // Each goes on with what it is.
  expect(projectIn("one") === one && projectIn("two") === two).toBe(true);
  await write(`two/${NAME}`, `{\n  "files": [{ "path": "{locale}.json", "format": "unknown" }]\n}`);
  const said = vi.spyOn(app.log, "warn");
  tellOfFile("changed", pathOf(`two/${NAME}`));
  await waitUntil(() => said.mock.calls.length > 0);
  expect(said.mock.calls[0]?.[0]).toMatch(/\/two\/project-translations\.json:2: files\.0\.format: ./u);
  for (const path of ["one/app", "three/app"]) {
    await rm(pathOf(`${path}/${NAME}`));
    tellOfFile("deleted", pathOf(`${path}/${NAME}`));
  }
  await waitUntil(() => app.projects.all.length === 2);
  expect(names()).toEqual(["one", "two"]);
});

test("a project file that changes while it is opened again counts for the command after that", async () => {
  close();
  open("one");
  await app.projects.ready;
  await Promise.all(app.projects.all.map((each) => each.loadLocal()));
  const runs = vi.spyOn(WorkQueue.prototype, "run");
  const token = Promise.withResolvers<undefined>();
  const tokens = vi.spyOn(stored.secrets, "get").mockReturnValueOnce(token.promise);
  const { files } = projectIn("one").file;
  await write(`one/${NAME}`, JSON.stringify({ files, baseUrl: "https://texts.example/v1" }));
  const first = app.projects.choose({ folder: uriOf("one") }).then(layoutOf);
  await waitUntil(() => tokens.mock.calls.length > 0);
  // All are looked for, and this one was read and waits for its turn, when it changes.
  const count = runs.mock.calls.length;
  setSetting("projectTranslations.refreshInterval", 600);
  await waitUntil(() => runs.mock.calls.length >= count + 2);
  await write(`one/${NAME}`, layout("other/{locale}.json"));
  const last = app.projects.choose({ folder: uriOf("one") }).then(layoutOf);
  await waitUntil(() => runs.mock.calls.length >= count + 3);
  token.resolve(undefined);
  expect([await first, await last]).toEqual(["{locale}.json", "other/{locale}.json"]);
});

test("the projects of the last time are there before the folders are searched, and go if they are none", async () => {
  // A person chose this folder, which has no texts, by a file in it.
  await app.projects.choose({ folder: uriOf("three/lib/a.ts") });
  expect(names()).toEqual(["one", "one/app", "three", "two"]);
  setSetting("projectTranslations.refreshInterval", 600);
  await waitUntil(() => (stored.workspaceState.get("projects") as readonly string[]).length === 4);
  openFolders(["one", "two", "three"].map(pathOf));
  await app.projects.ready;
  expect(names()).toEqual(["one", "one/app", "three", "two"]);
  close();
  const seen: string[] = [];
  open("one", "two", "three");
  app.projects.onDidChange(() => void seen.push(names().join()));
  await app.projects.ready;
  expect(seen).toEqual(["one,two", "one,one/app,three,two", "one,one/app,two"]);
  // Those of a folder that is not in the window any more are not opened, nor what a link leads to outside of it.
  close();
  await symlink(pathOf("one"), pathOf("two/link"));
  const roots = stored.workspaceState.get("projects") as readonly string[];
  await stored.workspaceState.update("projects", [...roots, String(uriOf("two/link"))]);
  // Nor a folder whose own project file is one outside of it.
  await mkdir(pathOf("four"));
  await symlink(pathOf(`one/${NAME}`), pathOf(`four/${NAME}`));
  open("two", "four");
  app.projects.onDidChange(() => void seen.push(names().join()));
  seen.length = 0;
  await app.projects.ready;
  expect(new Set(seen)).toEqual(new Set(["two"]));
  expect(names()).toEqual(["two"]);
  expect(stored.workspaceState.get("projects")).toEqual([projectIn("two").root.toString()]);
  // A folder without texts, in which somebody is signed in.
  close();
  const signedIn = { baseUrl: "https://texts.example/v1", over: null };
  await stored.workspaceState.update(`baseUrl.${String(uriOf("three"))}`, signedIn);
  open("two", "three");
  await app.projects.ready;
  expect(names()).toEqual(["three", "two"]);
  // The nearest one is known only then.
  close();
  open("one");
  expect(await app.projects.choose({ folder: uriOf("one/app/en.json") })).toBe(projectIn("one/app"));
});

test("a project is what settings, packages, configurations and the projects below it make of it", async () => {
  const [one, two] = [projectIn("one"), projectIn("two")];
  setSetting("files.exclude", { build: true });
  expect(one.scope).toEqual({ exclude: ["/build"], otherProjects: ["app"] });
  setSetting("files.exclude", undefined);
  const texts = () => one.files.find(["**/en.json"]);
  expect(await texts()).toEqual(["en.json"]);
  const asked = vi.spyOn(IndexerClient.prototype, "forProject");
  setSetting("projectTranslations.baseUrl", "https://texts.example/v1", 3, { folder: two.root });
  await waitUntil(() => two.baseUrl !== null);
  expect([one, two].map(({ baseUrl }) => baseUrl)).toEqual([null, "https://texts.example/v1"]);
  // A person waits for what it is asked first, and nobody for its problems.
  expect(asked.mock.calls.map(([, , priority]) => priority)).toEqual(
    expect.arrayContaining(["person", "background"]),
  );
  asked.mockRestore();
  setSetting("projectTranslations.baseUrl", "no address", 3, { folder: two.root });
  await waitUntil(() => two.baseUrl === null);
  // Both in one burst, of one of them.
  const [configured, configuredOther] = [one, two].map(({ connection }) =>
    vi.spyOn(connection, "invalidateConfiguration"),
  );
  const [changed, changedOther] = [one, two].map(({ connection }) => vi.spyOn(connection, "filesChanged"));
  tellOfFile("changed", pathOf("one/i18n/request.ts"));
  tellOfFile("changed", pathOf("one/en.json"));
  await waitUntil(() => configured?.mock.calls.length === 1 && changed?.mock.calls.length === 1);
  expect([configuredOther, changedOther].map((each) => each?.mock.calls)).toEqual([[], []]);
  // And of two of them.
  for (const path of ["one", "two"]) tellOfFile("changed", pathOf(`${path}/en.json`));
  await waitUntil(() => changed?.mock.calls.length === 2 && changedOther?.mock.calls.length === 1);
  vi.restoreAllMocks();
  // A package below the folder that uses the texts of another one there.
  await write(`three/app/${NAME}`, layout("{locale}.json"));
  await write("three/app/package.json", `{ "name": "texts" }`);
  tellOfFile("created", pathOf(`three/app/${NAME}`));
  await waitUntil(() => app.projects.all.length === 4);
  const folders = () => projectIn("three/app").code.folders.map(({ path }) => path);
  expect(folders()).toEqual([]);
  await write("three/tool/package.json", `{ "name": "tool", "dependencies": { "texts": "*" } }`);
  tellOfFile("created", pathOf("three/tool/package.json"));
  await waitUntil(() => folders().length > 0);
  expect(folders()).toEqual(["../tool"]);
  const { read: readManifests } = await projectIn("three/app").conventionFiles();
  const found = await readManifests(["package.json"], ["package.json"]);
  expect(found.map(({ path }) => path)).toEqual(["package.json", "../tool/package.json"]);
  // Code outside, and texts, are read as they are known.
  const known = { size: 9, modified: 9 };
  for (const path of ["../tool/package.json", "package.json"])
    expect(await projectIn("three/app").files.read(path, known)).toMatchObject({
      kind: "read",
      stamp: known,
    });
  // Files of a project that is none any more are those of the one around it again.
  const invalidated = vi.spyOn(one.local, "invalidate");
  const invalidatedOther = vi.spyOn(two.local, "invalidate");
  const read = vi.spyOn(one.connection, "filesChanged");
  await rm(pathOf(`one/app/${NAME}`));
  tellOfFile("deleted", pathOf(`one/app/${NAME}`));
  await waitUntil(() => read.mock.calls.length > 0);
  expect([names(), one.scope.otherProjects, invalidated.mock.calls]).toEqual([
    ["one", "three/app", "two"],
    [],
    [[]],
  ]);
  expect(invalidatedOther.mock.calls).toEqual([]);
  expect(await texts()).toEqual(["app/en.json", "en.json"]);
  // What is written to a project file counts at once.
  await editProjectFile(two, ["usage"], { keep: ["a"] });
  expect(two.file.usage?.keep).toEqual(["a"]);
});

test("a project that is gone by the time of a command is none, also in the folder of another one", async () => {
  const inner = projectIn("one/app");
  await app.projects.update(inner, projectIn("one"));
  await rm(pathOf(`one/app/${NAME}`));
  // What the framework of another one says may be in the same files.
  const configured = vi.spyOn(projectIn("one").connection, "invalidateConfiguration");
  await expect(app.projects.update(inner)).rejects.toMatchObject({
    code: "no_project",
    message: `No translation files were recognised in ${pathOf("one/app")}.`,
  });
  expect([names(), inner.connection.hasEnded]).toEqual([["one", "two"], true]);
  expect(configured.mock.calls).toHaveLength(1);
  await app.projects.update(projectIn("one"), projectIn("two"));
});

test("what is known of a project is that of its connection", async () => {
  const two = projectIn("two");
  const { signal } = new AbortController();
  const { connection } = two;
  const asked = [
    vi.spyOn(connection, "isComplete"),
    vi.spyOn(connection, "translationsOf"),
    vi.spyOn(connection, "loadLocal"),
    vi.spyOn(connection, "countPendingChanges"),
  ];
  two.isComplete("nl");
  two.translationsOf("hash", "nl");
  await two.loadLocal(signal);
  await two.countPendingChanges(signal).catch(() => undefined);
  for (const [index, args] of [["nl"], ["hash", "nl"], [signal], [signal]].entries())
    expect(asked[index]?.mock.calls).toContainEqual(args);
});

test("a project whose folder was closed stays closed when somebody signs out of it", async () => {
  const two = projectIn("two");
  openFolders([pathOf("one")]);
  await app.projects.ready;
  await app.projects.signOut(two);
  expect(names()).toEqual(["one", "one/app"]);
  expect(two.connection.hasEnded).toBe(true);
  const { database, personal } = two.connection;
  await two.connect({ baseUrl: null, saved: null, database, personal });
  expect(two.connection.hasEnded).toBe(true);
  // One that nobody is signed in to goes on.
  const one = projectIn("one");
  await app.projects.signOut(one);
  expect([one.connection.hasEnded, one.session.kind]).toEqual([false, "signed-out"]);
  // No project is left.
  openFolders([pathOf("three")]);
  await app.projects.ready;
  expect([names(), one.connection.hasEnded]).toEqual([[], true]);
});

test("a translation file that is opened makes its folder a project, also if nothing told of the file", async () => {
  await write("three/package.json", `{ "dependencies": { "i18next": "^23.0.0" } }`);
  await write("three/locales/en.json", `{ "a": "A" }`);
  await window.showTextDocument(uriOf("three/locales/en.json"));
  await waitUntil(() => app.projects.all.length === 4);
  const three = projectIn("three");
  expect(layoutOf(three)).toBe("locales/{locale}.json");
  // Without a project file the language that is chosen is that of this folder alone, on this machine.
  await write("three/locales/nl.json", `{ "a": "B" }`);
  await app.projects.setSourceLanguage(three, "nl");
  expect(three.sourceLocale).toBe("nl");
  const two = projectIn("two");
  await write("two/nl.json", `{ "second": "2" }`);
  await app.projects.setSourceLanguage(two, "nl");
  expect(two.file.sourceLocale).toBe("nl");
  const chosen = [three, two].map(({ root }) => stored.workspaceState.get(`source.${root.toString()}`));
  expect(chosen).toEqual(["nl", undefined]);
  // A project file that says nothing of layouts leaves them as they were recognised.
  await write(`three/${NAME}`, `{ "sourceLocale": "en" }`);
  await app.projects.choose({ folder: three.root });
  expect([layoutOf(three), three.file.sourceLocale]).toEqual(["locales/{locale}.json", "en"]);
});

test("the files of a project are watched until its layout is another one, or it is closed", async () => {
  const made = vi.spyOn(workspace, "createFileSystemWatcher");
  const stops: { readonly mock: { readonly calls: readonly unknown[] } }[][] = [];
  /** How often the watchers of each layout were stopped. */
  const stopped = () => stops.map((each) => [...new Set(each.map(({ mock }) => mock.calls.length))]);
  for (const path of ["texts/{locale}.json", "{locale}.json"]) {
    made.mockClear();
    await write(`two/${NAME}`, layout(path));
    await app.projects.choose({ folder: uriOf("two") });
    const watchers = made.mock.results.map(({ value }) => value as { dispose(): void });
    stops.push(watchers.map((watcher) => vi.spyOn(watcher, "dispose")));
  }
  expect(stopped()).toEqual([[1], [0]]);
  openFolders([pathOf("one")]);
  await app.projects.ready;
  expect(stopped()).toEqual([[1], [1]]);
});

test("what is typed into translation files is read after a burst, and other texts are not", async () => {
  const one = projectIn("one");
  await one.loadLocal();
  await write("one/notes.txt", "");
  const invalidated = vi.spyOn(one.local, "invalidate");
  const read = vi.spyOn(one.connection, "filesChanged");
  for (const path of ["one/notes.txt", "one/en.json"]) {
    const { document } = await window.showTextDocument(uriOf(path));
    expect(invalidated.mock.calls).toEqual([]);
    document.type(new Range(0, 0, 0, 0), " ");
  }
  expect([invalidated.mock.calls, read.mock.calls]).toEqual([[[["en.json"]]], []]);
  await waitUntil(() => read.mock.calls.length > 0);
  expect(read.mock.calls).toHaveLength(1);
});

test("a command is for the project of the active editor, else the last one, else one that is chosen", async () => {
  const { projects } = app;
  const changes: (string | undefined)[] = [];
  app.store.onDidChange((table) => {
    if (table === "active") changes.push(projects.active && names([projects.active]).join());
  });
  const chosen = async (options: object = {}, by?: "editor"): Promise<string> =>
    projects.choose({ confirm: false, ...options }, by).then(
      (each) => names([each]).join(),
      ({ code }: { readonly code: string }) => code,
    );
  expect([projects.active, await chosen()]).toEqual([undefined, "no_project"]);
  for (const path of ["one/en.json", "one/app/en.json", "one/app/en.json"])
    await window.showTextDocument(uriOf(path));
  expect([changes, await chosen(), await chosen({}, "editor")]).toEqual([
    ["one", "one/app"],
    "one/app",
    "one/app",
  ]);
  // A file of none of them, a text that is no file, and no editor.
  await window.showTextDocument(uriOf("three/notes.txt"));
  expect([await chosen(), await chosen({ folder: uriOf("two/en.json") })]).toEqual(["no_project", "two"]);
  await window.showTextDocument(Uri.from({ scheme: "untitled", path: "/report" }));
  expect(await chosen()).toBe("one/app");
  closeEditors();
  expect([await chosen(), await chosen({}, "editor")]).toEqual(["one/app", "no_project"]);
  pickInNextList((items) => {
    expect(items.map(({ label, description }) => [label, description])).toEqual(
      [
        ["one", "one"],
        [join("one", "app"), "one/app"],
        ["two", "two"],
      ].map(([label, path = ""]) => [label, pathOf(path)]),
    );
    return items[2];
  });
  expect(await chosen({ confirm: undefined }, "editor")).toBe("two");
  expect(changes).toHaveLength(2);
  // The last one counts no longer once its folder is gone.
  openFolders([pathOf("two")]);
  await projects.ready;
  expect([projects.active, await chosen()]).toEqual([projectIn("two"), "two"]);
});

test("each project is told of its own changes, and all of them of those of other windows", async () => {
  const told: string[] = [];
  const subscription = app.projects.subscribe(["drafts", "renames"], ({ label }, changed) => {
    told.push([label, ...changed].join(" "));
  });
  app.store.changed(projectIn("two"), "renames");
  app.store.changed(projectIn("one/app"), "jobs", "renames");
  await waitUntil(() => told.length === 2);
  expect(told).toEqual(["one/app renames", "two renames"]);
  subscription.dispose();
  const shown = app.projects.all.map(({ connection }) => vi.spyOn(connection, "showExternalChanges"));
  changedFocus.fire({ focused: false });
  expect(shown.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  changedFocus.fire({ focused: true });
  expect(shown.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
});

test("the conventions of a project are also those of the folders around it, up to that of the window", async () => {
  await write("one/package.json", `{ "name": "one" }`);
  await write("package.json", `{ "name": "outside" }`);
  const { above, name } = await projectIn("one/app").conventionFiles();
  expect([name, above.flat().map(({ text }) => text)]).toEqual(["app", [`{ "name": "one" }`]]);
});

test("a window that closes opens nothing more, and says nothing of it", async () => {
  const { projects, log } = app;
  const token = Promise.withResolvers<undefined>();
  vi.spyOn(stored.secrets, "get").mockReturnValueOnce(token.promise);
  await write(`two/${NAME}`, JSON.stringify({ baseUrl: "https://a.example" }));
  const tokens = vi.mocked(stored.secrets.get);
  const chosen = projects.choose({ folder: uriOf("two") });
  await waitUntil(() => tokens.mock.calls.length > 0);
  const said = vi.spyOn(log, "error");
  const connections = projects.all.map(({ connection }) => connection);
  const { all } = projects;
  const forgotten = vi.spyOn(app.store, "forget");
  close();
  expect(forgotten.mock.calls.map(([each]) => each)).toEqual(expect.arrayContaining([...all]));
  token.resolve(undefined);
  await expect(chosen).rejects.toThrow("The window is closing");
  expect([projects.all, said.mock.calls]).toEqual([[], []]);
  expect(connections.map(({ hasEnded }) => hasEnded)).toEqual([true, true, true]);
  open("one");
  await app.projects.ready;
});

test("a project that is closed while its last session still ends is not connected again", async () => {
  const two = projectIn("two");
  const before = two.connection;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  vi.spyOn(before, "ended", "get").mockReturnValue(ended);
  const { database, personal } = before;
  const connecting = two.connect({ baseUrl: null, saved: null, database, personal });
  two.dispose();
  end();
  await connecting;
  expect(two.connection).toBe(before);
});

test("what is read of projects is stored from when their folders are trusted", async () => {
  close();
  workspace.isTrusted = false;
  open("one", "two");
  await app.projects.ready;
  const areOnDisk = () => app.projects.all.map(({ connection }) => connection.database.isOnDisk);
  expect(areOnDisk()).toEqual([false, false, false]);
  workspace.isTrusted = true;
  trustGranted.fire();
  await waitUntil(() => areOnDisk().every(Boolean));
  expect(names()).toEqual(["one", "one/app", "two"]);
});
