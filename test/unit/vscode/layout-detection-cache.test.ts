/** When the layouts of a folder are detected, again or not, and which are used until then. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONFIGURATION_GLOBS } from "../../../src/workspace/project-detection/configuration-globs.ts";
import { LayoutDetectionCache } from "../../../src/vscode/projects/layout-detection-cache.ts";
import { recordingLog } from "../support/node-platform.ts";
import { setSetting, tellOfFile, Uri, workspace } from "../support/vscode-stub.ts";

const FOLDER = Uri.file("/projects/shop");
const entry = (path: string) => ({ path, format: "json_js" });
/** What is found in the folder, by the paths of its apps, and the state of what decides about that. */
let apps: ReadonlyMap<string, readonly object[]>;
let state: string;
let failure: Error | null;
/** What a detection waits for. */
let held: Promise<void> | null;
let detections: number;
/** What was not searched, and what the state was of. */
let excluded: readonly string[];
let decided: readonly object[];
let stored: Map<string, unknown>;
/** The files of projects that are known. */
let known: readonly string[];
/** Work that waits for the end of a burst. */
let waiting: Map<string, () => Promise<void>>;
let changes: number;
let cache: LayoutDetectionCache;
const log = recordingLog();

const search = {
  detectApps: async ({ exclude }: { readonly exclude: readonly string[] }) => {
    detections += 1;
    await held;
    if (failure !== null) throw failure;
    excluded = exclude;
    return { apps, read: [{ path: "nuxt.config.ts", text: "" }] };
  },
  projectState: async (...decisive: readonly object[]) => {
    decided = decisive;
    return state;
  },
};
function open(): LayoutDetectionCache {
  const opened = new LayoutDetectionCache({
    log,
    storage: {
      get: (name: string) => stored.get(name),
      update: async (name: string, value: unknown) => void stored.set(name, value),
    },
    search: () => search,
    isKnown: ({ path }: Uri) => known.includes(path),
    debounce: (name: string, work: () => Promise<void>) => void waiting.set(name, work),
  } as never);
  opened.onDidChange(() => (changes += 1));
  return opened;
}
/** The burst ends. */
async function pass(): Promise<void> {
  const all = [...waiting.values()];
  waiting.clear();
  for (const work of all) await work();
}
beforeEach(() => {
  workspace.workspaceFolders = [{ uri: FOLDER, name: "shop" }];
  apps = new Map([["", [entry("locales/{locale}.json")]]]);
  [state, failure, held, detections, changes, known] = ["1", null, null, 0, 0, []];
  [stored, waiting] = [new Map(), new Map()];
  log.lines.length = 0;
  cache = open();
});
afterEach(() => {
  cache.dispose();
  workspace.workspaceFolders = undefined;
});

const of = async (path = "/projects/shop") =>
  (await cache.of(Uri.file(path) as never)).map((each) => (each as { readonly path: string }).path);
const typed = (path: string): void => cache.opened(Uri.file(path));

test("a folder is searched once, and its layouts are remembered for the next window, which searches again", async () => {
  expect([await of(), await of(), detections]).toEqual([
    ["locales/{locale}.json"],
    ["locales/{locale}.json"],
    1,
  ]);
  expect(await of("/elsewhere")).toEqual([]);
  cache.dispose();
  apps = new Map([["", [entry("texts/{locale}.json")]]]);
  cache = open();
  // At once, before anything was searched.
  expect([await of(), detections]).toEqual([["locales/{locale}.json"], 1]);
  expect([...(await cache.appsIn(FOLDER as never)).keys()]).toEqual([""]);
  expect([await of(), detections]).toEqual([["texts/{locale}.json"], 2]);
  // The next window begins with what was found last.
  cache.dispose();
  cache = open();
  expect([await of(), detections]).toEqual([["texts/{locale}.json"], 2]);
});

test("a translation file that is opened during the first search is searched for after it", async () => {
  let end = (): void => undefined;
  held = new Promise((resolve) => (end = resolve));
  const first = cache.appsIn(FOLDER);
  typed("/projects/shop/texts/en.json");
  end();
  await first;
  apps = new Map([["", [entry("texts/{locale}.json")]]]);
  await pass();
  expect([await of(), detections, changes]).toEqual([["texts/{locale}.json"], 2, 1]);
});

test("an app has the layouts of its folder", async () => {
  apps = new Map([
    ["packages/web", [entry("web/{locale}.json")]],
    ["packages/api", [entry("api/{locale}.json")]],
  ]);
  expect(await of("/projects/shop/packages/web")).toEqual(["web/{locale}.json"]);
  expect(await of("/projects/shop/packages/api/")).toEqual(["api/{locale}.json"]);
  expect(await of("/projects/shop/packages/none")).toEqual([]);
});

test("what the window hides is not searched, and what decided is checked again", async () => {
  setSetting("files.exclude", { build: true });
  await of();
  await cache.update(FOLDER);
  setSetting("files.exclude", undefined);
  expect(excluded).toEqual(["/build"]);
  expect(decided).toMatchObject([
    { read: [{ path: "nuxt.config.ts" }], configurations: CONFIGURATION_GLOBS },
    { exclude: ["/build"], otherProjects: [] },
  ]);
});

test("a folder that cannot be searched has none, which is logged", async () => {
  failure = new Error("full disk");
  expect(await of()).toEqual([]);
  expect(log.lines).toEqual(["The layouts of file:///projects/shop could not be detected: Error: full disk"]);
});

test("is searched again on request only if what decides has changed on disk", async () => {
  await of();
  expect([await cache.update(FOLDER as never), detections]).toEqual([true, 2]);
  expect([await cache.update(FOLDER as never), detections]).toEqual([false, 2]);
  state = "2";
  apps = new Map([["", [entry("texts/{locale}.json")]]]);
  expect([await cache.update(FOLDER as never), await of()]).toEqual([true, ["texts/{locale}.json"]]);
  expect([await cache.update(FOLDER as never), detections]).toEqual([false, 3]);
});

test("one that was not searched yet is not searched because of that, and its state is known then", async () => {
  expect([await cache.update(FOLDER as never), await cache.update(FOLDER as never), detections]).toEqual([
    true,
    false,
    0,
  ]);
});

test("an opened file that may be a translation searches again, once, and others are told of other layouts", async () => {
  typed("/projects/shop/texts/nl.json");
  await pass();
  // Nobody has asked for the layouts yet.
  expect(detections).toBe(0);
  await of();
  apps = new Map([["", [entry("locales/{locale}.json"), entry("texts/{locale}.json")]]]);
  for (const path of ["/projects/shop/src/a.ts", "/elsewhere/nl.json"]) typed(path);
  await pass();
  expect(detections).toBe(1);
  for (const path of ["/projects/shop/texts/en.json", "/projects/shop/texts/de.json"]) typed(path);
  await pass();
  expect([detections, changes, await of()]).toEqual([2, 1, ["locales/{locale}.json", "texts/{locale}.json"]]);
  // Those were seen, and a new one leads to the same layouts.
  typed("/projects/shop/texts/en.json");
  await pass();
  expect(detections).toBe(2);
  typed("/projects/shop/texts/fr.json");
  await pass();
  expect([detections, changes]).toEqual([3, 1]);
  known = ["/projects/shop/texts/it.json", "/projects/shop/texts/it.ts"];
  typed("/projects/shop/texts/it.json");
  await pass();
  expect(detections).toBe(3);
  // One with code may take texts of other files in by now.
  typed("/projects/shop/texts/it.ts");
  await pass();
  expect(detections).toBe(4);
});

test.each(["package.json", "po/nl.po", "locales/app.nl.ts", "texts/nl.json"])(
  "%s is searched for as soon as it is there, until the window is closed",
  async (path) => {
    // What is looked for is what a layout may be made of.
    const isLayout = path !== "package.json";
    await of();
    tellOfFile("created", `/projects/shop/${path}`);
    const { size } = waiting;
    waiting.clear();
    cache.dispose();
    tellOfFile("created", `/projects/shop/${path}`);
    expect([size, waiting.size]).toEqual([isLayout ? 1 : 0, 0]);
  },
);

test("each folder of the window is searched by itself", async () => {
  const other = Uri.file("/projects/blog");
  workspace.workspaceFolders = [FOLDER, other].map((uri) => ({ uri, name: "" }));
  await of();
  await of("/projects/blog");
  expect(detections).toBe(2);
  for (const folder of ["shop", "blog"]) typed(`/projects/${folder}/texts/nl.json`);
  await pass();
  expect(detections).toBe(4);
  expect(await Promise.all([cache.update(other as never), cache.update(FOLDER as never)])).toEqual([
    true,
    true,
  ]);
  expect([...stored.keys()]).toEqual(["layouts.file:///projects/shop", "layouts.file:///projects/blog"]);
});
