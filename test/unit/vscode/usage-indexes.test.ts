/** When the code of projects is indexed, again or no longer, and what is known of it meanwhile. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { currentPriority, type Priority, type RequestPriority } from "../../../src/util/priority.ts";
import { UsageIndexes } from "../../../src/vscode/usages/usage-indexes.ts";
import { recordingLog } from "../support/node-platform.ts";
import { EventEmitter, Range, tellOfFile, TextDocument, Uri, workspace } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

/** What the indexing process is asked, as `update shop`, with the options; answered at once unless it is held back. */
let asked: string[];
let options: Record<string, unknown>[];
let unsaved: ReadonlyMap<string, string>[];
let signals: AbortSignal[];
let priorities: (Priority | RequestPriority)[];
let held: Promise<void> | null;
let failure: Error | null;
/** What is detected of each project now: functions, other options of scans, and those of lookups. */
let functions: readonly string[];
let detected: object;
let resolved: object;
const log = recordingLog();

type Project = ReturnType<typeof projectAt>;
let all: Project[];
let indexes: UsageIndexes;
const changedProjects = new EventEmitter<void>();
const changedOptions = new EventEmitter<Project>();
let keysChanged: (open: Project) => void;
/** The projects that were read from disk again, and whose learned functions were. */
let updated: Project[][];
let learned: Project[];
/** What searches for names were given. */
let searches: unknown[][];
let changed: string[];
/** Until what projects use is detected. */
let ready: Promise<void>;

function projectAt(name: string, ...codeFolders: readonly string[]) {
  const root = Uri.file(`/projects/${name}`);
  const database = new Database();
  const codePath = ({ path }: Uri): string | null => {
    const outside = codeFolders.find(
      (folder) => path.startsWith(`/projects/${folder}/`) || path === `/projects/${folder}`,
    );
    if (path.startsWith(`${root.path}/`)) return path.slice(root.path.length + 1);
    return outside === undefined ? null : `..${path.slice("/projects".length)}`;
  };
  return {
    name,
    root,
    file: { usage: { exclude: ["own/"] } },
    scope: { exclude: ["dist/"], otherProjects: [] },
    code: {
      folders: codeFolders.map((folder) => ({ uri: Uri.file(`/projects/${folder}`), path: `../${folder}` })),
    },
    codePath,
    keys: { has: () => false },
    /** Those of these frameworks, by default of all. */
    pluralRules: [] as readonly string[],
    ready: Promise.resolve(),
    refresher: Promise.resolve({}),
    source: { hasService: false },
    connection: { database, sourceKeysShown: async () => undefined },
  };
}

beforeEach(() => {
  [asked, options, unsaved, signals, updated, learned, changed] = [[], [], [], [], [], [], []];
  [priorities, ready] = [[], Promise.resolve()];
  [held, failure, functions, searches] = [null, null, [], []];
  [detected, resolved] = [{}, {}];
  log.lines.length = 0;
  all = [projectAt("shop", "tools")];
  const usagesOf = (open: Project, priority: Priority | RequestPriority) => {
    const ask = async (what: string, given: unknown, texts: unknown, signal: unknown): Promise<void> => {
      asked.push(`${what} ${open.name}`);
      options.push(given as Record<string, unknown>);
      unsaved.push(texts as ReadonlyMap<string, string>);
      signals.push(signal as AbortSignal);
      priorities.push(priority);
      await held;
      (signal as AbortSignal).throwIfAborted();
      if (what !== "resolve" && failure !== null) throw failure;
    };
    return {
      update: (given: unknown, texts: unknown, signal: unknown) => ask("update", given, texts, signal),
      updateFiles: (paths: readonly string[], given: unknown, texts: unknown, signal: unknown) =>
        ask(`files ${paths.join()} of`, given, texts, signal),
      resolve: (lookup: unknown, signal: unknown) => ask("resolve", lookup, null, signal),
      learn: (given: unknown, texts: unknown, signal: unknown) => ask("learn", given, texts, signal),
      findOccurrences: async (...args: unknown[]) => void searches.push(args),
      findEvidence: async (...args: unknown[]) => void searches.push(args),
    };
  };
  // The index that is built some time after the start would hide an event that nobody follows.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  indexes = new UsageIndexes({
    projects: {
      get all() {
        return all;
      },
      onDidChange: changedProjects.event,
      subscribe: (_tables: unknown, update: typeof keysChanged) => {
        keysChanged = update;
        return { dispose: () => undefined };
      },
      update: async (...projects: Project[]) => void updated.push(projects),
      of: (uri: Uri) => all.find((each) => each.codePath(uri) !== null),
    },
    documentUsages: {
      ready: () => ready,
      onDidChange: changedOptions.event,
      configuredOptions: ({ name }: Project) => ({
        name,
        frameworks: new Set(),
        functions: functions.map((name) => ({ name })),
        ...detected,
      }),
      lookupOptions: ({ pluralRules }: Project) => ({ frameworks: new Set(pluralRules), ...resolved }),
      readLearnedFunctions: (open: Project) => void learned.push(open),
    },
    indexerClient: {
      forProject: (database: Database, path: string, priority: Priority | RequestPriority) => {
        const open = all.find((each) => each.root.path === path && each.connection.database === database);
        if (open === undefined) throw new Error(`${path} is a project`);
        return { usages: usagesOf(open, priority) };
      },
    },
    log,
  } as never);
  vi.useRealTimers();
  indexes.onDidChange((open) => void changed.push((open as unknown as Project).name));
});
afterEach(() => {
  indexes.dispose();
  workspace.workspaceFolders = undefined;
  workspace.textDocuments = [];
});

const shop = () => all[0] as never;
const updates = () => asked.filter((each) => each.startsWith("update"));
/** Holds what is asked from now on back, until the function is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return () => {
    held = null;
    resolve();
  };
}

test("a project is complete once all its files were indexed, and the window once all projects are", async () => {
  all.push(projectAt("web"));
  const release = hold();
  const loading = indexes.load(shop());
  await waitUntil(() => asked.length > 0);
  expect([indexes.isComplete(shop()), indexes.areAllComplete()]).toEqual([false, false]);
  release();
  await loading;
  expect([indexes.isComplete(shop()), indexes.areAllComplete()]).toEqual([true, false]);
  await indexes.load(all[1] as never);
  expect(indexes.areAllComplete()).toBe(true);
  expect(updates()).toEqual(["update shop", "update web"]);
  expect(learned.map(({ name }) => name)).toEqual(changed);
});

test("what was indexed is not indexed again, and its usages are resolved for the keys of now", async () => {
  const first = await indexes.load(shop());
  expect(await indexes.load(shop())).toBe(first);
  expect(asked).toEqual(["update shop", "resolve shop", "resolve shop"]);
  expect(indexes.of(shop())).toBe(first);
});

test("files that could not be indexed are not complete, that is logged, and the next one who asks starts over", async () => {
  failure = new Error("full disk");
  await expect(indexes.load(shop())).rejects.toThrow("full disk");
  expect(indexes.isComplete(shop())).toBe(false);
  expect(log.lines).toContain("The source files could not be searched: Error: full disk");
  failure = null;
  await indexes.load(shop());
  expect([updates().length, indexes.isComplete(shop())]).toEqual([2, true]);
});

test("a caller that is cancelled does not wait, and what it asked for goes on", async () => {
  const abort = new AbortController();
  const release = hold();
  const loading = indexes.load(shop(), abort.signal);
  await waitUntil(() => asked.length > 0);
  abort.abort(new Error("left"));
  await expect(loading).rejects.toThrow("left");
  release();
  await indexes.load(shop());
  expect(updates()).toHaveLength(1);
});

test("the disk is checked again on request, after the projects; while it is checked, once more after that", async () => {
  await indexes.load(shop());
  await indexes.reload(shop());
  expect(updated).toEqual([[all[0]]]);
  expect(updates()).toHaveLength(2);
  const release = hold();
  const first = indexes.reload(shop());
  await waitUntil(() => updates().length === 3);
  const second = indexes.reload(shop());
  await new Promise((resolve) => setTimeout(resolve));
  expect(updates()).toHaveLength(3);
  release();
  await Promise.all([first, second]);
  expect(updates()).toHaveLength(4);
  // Nor does it fail with what was under way.
  failure = new Error("full disk");
  vi.spyOn(log, "warn").mockImplementationOnce(() => void (failure = null));
  const releaseFailing = hold();
  const failing = indexes.reload(shop()).catch((error: Error) => error.message);
  await waitUntil(() => updates().length === 5);
  const third = indexes.reload(shop());
  releaseFailing();
  expect(await failing).toBe("full disk");
  expect(await third).toBe(indexes.of(shop()));
  expect(updates()).toHaveLength(6);
});

test.each<[string, () => Promise<unknown>]>([
  ["for all files as they are on disk", () => indexes.reload(shop())],
  ["for what was indexed", () => indexes.load(shop())],
])("what is indexed in the background is a person's once one waits %s", async (_, wait) => {
  const release = hold();
  changedProjects.fire();
  await waitUntil(() => asked.length === 1);
  const current = () => priorities.map((each) => currentPriority(each));
  expect(current()).toEqual(["background"]);
  const waiting = wait();
  await waitUntil(() => current()[0] === "person");
  release();
  await waiting;
});

test("the other projects of the window are checked, too: those of other folders are read from disk before", async () => {
  all.push(projectAt("web"), projectAt("site"));
  workspace.workspaceFolders = ["shop", "web", "site"].map((name) => ({
    uri: Uri.file(`/projects/${name}`),
    name,
  }));
  const others = await indexes.reloadOthers(shop());
  workspace.workspaceFolders = undefined;
  expect([...others.keys()]).toEqual(all.slice(1));
  expect(updated).toEqual([all.slice(1)]);
  expect(updates()).toEqual(["update web", "update site"]);
  // Those of the same folder were read with it; all files are checked again.
  updated = [];
  await indexes.reloadOthers(shop());
  expect(updated).toEqual([[]]);
  expect(updates().slice(2)).toEqual(["update web", "update site"]);
});

test("what is under way ends with the window", async () => {
  const release = hold();
  const loading = indexes.load(shop());
  await waitUntil(() => asked.length === 1);
  indexes.dispose();
  expect(signals[0]?.aborted).toBe(true);
  release();
  await expect(loading).rejects.toBe(signals[0]?.reason);
  expect(log.lines).toEqual([]);
});

test("other options index anew, in place of what is under way, of which nothing is used", async () => {
  const release = hold();
  const loading = indexes.load(shop());
  await waitUntil(() => asked.length === 1);
  const before = indexes.of(shop());
  functions = ["say"];
  const [, first] = [release(), signals[0]];
  await loading;
  expect(first?.aborted).toBe(true);
  expect(updates()).toHaveLength(2);
  expect(await indexes.load(shop())).not.toBe(before);
  expect(options.at(-1)).toBeDefined();
  // Also if they are known before that has ended, which the new ones wait for.
  await indexes.reload(shop());
  const releaseNext = hold();
  const next = indexes.reload(shop());
  await waitUntil(() => updates().length === 4);
  functions = ["say", "tell"];
  keysChanged(shop());
  expect(signals.at(-1)?.aborted).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(updates()).toHaveLength(4);
  releaseNext();
  expect(await next).toBe(indexes.of(shop()));
  expect([updates().length, log.lines]).toEqual([5, []]);
});

test("what a project uses is detected before anybody gets its usages", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  ready = promise;
  const loading = indexes.load(shop());
  changedProjects.fire();
  await new Promise((done) => setTimeout(done));
  expect(asked).toEqual([]);
  functions = ["say"];
  resolve();
  await loading;
  expect(updates()).toHaveLength(1);
  const abort = new AbortController();
  ready = new Promise(() => undefined);
  const left = indexes.load(shop(), abort.signal);
  abort.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
});

test("whatever decides which usages are found indexes anew, and the order of frameworks does not", async () => {
  const [open] = all;
  if (open === undefined) throw new Error("there is one");
  const { exclude } = open.file.usage;
  const changes: readonly (() => unknown)[] = [
    () => (detected = { frameworks: new Set(["vue", "react"]) }),
    () => (detected = { ...detected, domains: new Set(["shop", "admin"]) }),
    () => (detected = { ...detected, nsMode: "fallback" }),
    () => (detected = { ...detected, macros: ["t"] }),
    () => (resolved = { defaultNamespace: "common" }),
    () => (open.scope = { ...open.scope, exclude: ["out/"] }),
    () => Object.assign(open.file, { usage: { exclude, include: ["app/"] } }),
    () => Object.assign(open.file, { usage: { exclude: ["old/"], include: ["app/"] } }),
    () => Object.assign(open.file.usage, { ignoredFunctions: ["say"] }),
    () => (open.code = projectAt("shop", "tools", "web").code),
    () => (all = [...all, projectAt("shop/blog")]),
  ];
  await indexes.load(shop());
  for (const [number, change] of changes.entries()) {
    change();
    await indexes.load(shop());
    expect(updates(), String(change)).toHaveLength(number + 2);
  }
  detected = { ...detected, frameworks: new Set(["react", "vue"]), domains: new Set(["admin", "shop"]) };
  await indexes.load(shop());
  expect(updates()).toHaveLength(changes.length + 1);
});

test("a database that was emptied is indexed anew", async () => {
  await indexes.load(shop());
  const [open] = all;
  if (open === undefined) throw new Error("there is one");
  open.connection.database = new Database();
  expect(indexes.isComplete(shop())).toBe(true);
  await indexes.load(shop());
  expect(updates()).toHaveLength(2);
});

test("code of other packages is the project's, that of other projects is not, nor what it excludes", async () => {
  all.push(projectAt("shop/blog", "shop/lib"), projectAt("web"));
  await indexes.load(all[1] as never);
  expect(options[0]).toMatchObject({ find: { name: "shop/blog" }, codeFolders: ["../shop/lib"] });
  options = [];
  await indexes.load(shop());
  expect(options[0]).toMatchObject({
    codeFolders: ["../tools"],
    otherProjects: ["blog", "lib"],
    exclude: ["dist/", "own/"],
  });
});

test("unsaved texts of the project's code are indexed in place of files", async () => {
  for (const [path, isTyped] of [
    ["/projects/shop/a.ts", true],
    ["/projects/shop/saved.ts", false],
    ["/projects/tools/b.ts", true],
    ["/projects/web/c.ts", true],
  ] as const) {
    const document = new TextDocument(Uri.file(path), "");
    if (isTyped) document.type(new Range(0, 0, 0, 0), `typed in ${path}`);
    workspace.textDocuments.push(document);
  }
  await indexes.load(shop());
  expect([...(unsaved[0] ?? [])]).toEqual([
    ["a.ts", "typed in /projects/shop/a.ts"],
    ["../tools/b.ts", "typed in /projects/tools/b.ts"],
  ]);
});

test("keys that change resolve usages again, and learn from them once all were indexed", async () => {
  keysChanged(shop());
  await new Promise((resolve) => setTimeout(resolve));
  // Nobody has asked for them yet.
  expect(asked).toEqual([]);
  const release = hold();
  const loading = indexes.load(shop());
  await waitUntil(() => asked.length > 0);
  keysChanged(shop());
  release();
  await loading;
  await waitUntil(() => asked.length === 4);
  expect(asked.toSorted()).toEqual(["learn shop", "resolve shop", "resolve shop", "update shop"]);
  changed.length = 0;
  keysChanged(shop());
  await waitUntil(() => changed.length > 0);
  expect(asked.slice(4)).toEqual(["resolve shop", "learn shop"]);
  // Of options that are others by now, everything is indexed again.
  functions = ["say"];
  keysChanged(shop());
  await waitUntil(() => updates().length === 2);
});

test("before all files were indexed there is nothing to learn from", async () => {
  failure = new Error("full disk");
  await expect(indexes.load(shop())).rejects.toThrow("full disk");
  changed.length = 0;
  keysChanged(shop());
  await waitUntil(() => changed.length > 0);
  expect(asked.filter((each) => each.startsWith("learn"))).toEqual([]);
});

test("a project is indexed when it appears or its options change, and no longer when it is gone", async () => {
  changedProjects.fire();
  await waitUntil(() => indexes.isComplete(shop()));
  expect(updates()).toEqual(["update shop"]);
  functions = ["say"];
  const [open] = all;
  if (open === undefined) throw new Error("there is one");
  const release = hold();
  changedOptions.fire(open);
  await waitUntil(() => updates().length === 2);
  // Until then keys without usages are not unused.
  expect(indexes.isComplete(shop())).toBe(false);
  all = [projectAt("web")];
  changedProjects.fire();
  expect(signals.at(-1)?.aborted).toBe(true);
  release();
  await waitUntil(() => updates().length === 3);
  expect([updates().at(-1), indexes.isComplete(open as never)]).toEqual(["update web", false]);
  // What ended because of that is not worth a warning.
  await waitUntil(() => indexes.areAllComplete());
  expect(log.lines).toEqual([]);
  const [web] = all;
  all = [];
  changedProjects.fire();
  expect(indexes.isComplete(web as never)).toBe(false);
});

test("a project that is signed in is indexed after its keys were read, also if they could not be", async () => {
  const [open] = all;
  if (open === undefined) throw new Error("there is one");
  const { promise, reject } = Promise.withResolvers<object>();
  const keys = Promise.withResolvers<undefined>();
  const gone = projectAt("gone");
  Object.assign(open.connection, { sourceKeysShown: () => keys.promise });
  all.push(gone);
  Object.assign(gone.connection, { sourceKeysShown: () => keys.promise });
  changedProjects.fire();
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual([]);
  Object.assign(open, { source: { hasService: true }, refresher: promise });
  keys.resolve(undefined);
  // Nor one that is no longer there by then.
  all.pop();
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual([]);
  reject(new Error("offline"));
  await waitUntil(() => indexes.isComplete(shop()));
  expect(asked).toEqual(["update shop"]);
});

test("usages are counted in all projects: those of a key by its hash, of one that nobody pushed by its name", async () => {
  all.push({ ...projectAt("web"), pluralRules: ["laravel"] });
  const name = { namespace: "cart", key: "title", context: null };
  const hash = keyHash(name);
  const counts = (own: object, other: object): void => {
    Object.assign(indexes.of(shop()), own);
    Object.assign(indexes.of(all[1] as never), other);
  };
  counts(
    { countUsages: (each: string) => (each === hash ? 2 : 0), countUsagesOfName: () => 3 },
    { countUsages: () => 100, countUsagesOfName: ({ key }: { key: string }) => (key === "title" ? 4 : 0) },
  );
  expect(indexes.countUsages(shop(), hash, name)).toBe(7);
  Object.assign(all[0] ?? {}, { keys: { has: () => true } });
  expect(indexes.countUsages(shop(), hash, name)).toBe(6);
  // A plural form is looked up by the rules of the code that may do it.
  const form = { ...name, key: "title_other" };
  expect(indexes.countUsages(shop(), hash, form)).toBe(2);
  all[1] = { ...projectAt("web"), pluralRules: ["i18next"] };
  counts({}, { countUsagesOfName: ({ key }: { key: string }) => (key === "title" ? 4 : 0) });
  expect(indexes.countUsages(shop(), hash, form)).toBe(6);
});

test("files that change in a burst are searched again at once, each with its project, and none of packages", async () => {
  all.push(projectAt("web"), projectAt("site"));
  workspace.workspaceFolders = [{ uri: Uri.file("/projects"), name: "projects" }];
  const change = async (...paths: readonly string[]): Promise<readonly string[]> => {
    asked = [];
    vi.useFakeTimers();
    for (const path of paths) tellOfFile("changed", `/projects/${path}`);
    // As long as a burst.
    vi.advanceTimersByTime(400);
    vi.useRealTimers();
    await new Promise((resolve) => setTimeout(resolve));
    return asked;
  };
  // Before they are indexed as a whole.
  expect(await change("shop/a.ts")).toEqual([]);
  for (const open of all) await indexes.load(open as never);
  changed = [];
  const burst = ["shop/a.ts", "web/b.ts", "shop/a.ts", "tools/c.ts", "shop/node_modules/d.ts"];
  expect(await change(...burst, "web/.git/e.ts", "elsewhere/f.ts")).toEqual([
    "files a.ts,../tools/c.ts of shop",
    "files b.ts of web",
  ]);
  expect(changed).toEqual(["shop", "web"]);
  failure = new Error("full disk");
  await change("shop/a.ts");
  expect(log.lines).toEqual(["1 changed files could not be searched: Error: full disk"]);
});

test("files are searched for names with what is typed in them", async () => {
  const document = new TextDocument(Uri.file("/projects/shop/a.ts"), "");
  document.type(new Range(0, 0, 0, 0), "typed");
  workspace.textDocuments.push(document);
  const { signal } = new AbortController();
  await indexes.findOccurrences(shop(), [], ["locales/en.json"], signal);
  await indexes.findEvidence(shop(), [], signal);
  const typed = new Map([["a.ts", "typed"]]);
  expect(searches.map((args) => args.slice(-4))).toEqual([
    [["locales/en.json"], new Set(), typed, signal],
    [{ frameworks: new Set() }, [], typed, signal],
  ]);
});
