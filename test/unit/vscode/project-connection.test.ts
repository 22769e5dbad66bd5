/** What a project's folder is connected to: when it is searched, read and stored, while it is read, ended and taken over. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Language } from "../../../src/api/response-schemas.ts";
import { contentOfProject } from "../../../src/database/sync-metadata-repository.ts";
import { KnownProjects, personalProject } from "../../../src/database/personal/known-projects.ts";
import { Database } from "../../../src/database/database.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { Store, type ChangedTables, type StoreTable } from "../../../src/database/store.ts";
import { createIndexing, type ProjectIndexing } from "../../../src/indexer/project-indexing.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { Refresher } from "../../../src/sync/refresh/refresh.ts";
import type { SavedToken } from "../../../src/sync/session/token-storage.ts";
import { RequestPriority } from "../../../src/util/priority.ts";
import { ProjectConnection } from "../../../src/vscode/projects/project-connection.ts";
import { projectFolderName } from "../../../src/vscode/projects/project-databases.ts";
import { projectFiles, recordingLog, temporaryFolder } from "../support/node-platform.ts";
import { addKeys } from "../support/key-database.ts";
import { createContext, createStored } from "../support/open-editor.ts";
import { Uri, workspace } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A store whose subscribers are called at once. */
class PromptStore extends Store<object> {
  readonly #renders: {
    readonly tables: ReadonlySet<StoreTable>;
    readonly render: (all: ChangedTables<object>) => void;
  }[] = [];

  override subscribe(tables: readonly StoreTable[], render: (all: ChangedTables<object>) => void) {
    const subscriber = { tables: new Set(tables), render };
    this.#renders.push(subscriber);
    return { dispose: () => void this.#renders.splice(this.#renders.indexOf(subscriber), 1) };
  }

  override changed(project: object | null, ...tables: readonly StoreTable[]): void {
    super.changed(project, ...tables);
    for (const table of tables)
      for (const { tables: those, render } of [...this.#renders])
        if (those.has(table) && project !== null) render(new Map([[project, new Set([table])]]));
  }
}

const FILES = { "en/shop.json": `{ "name": "Shop" }`, "nl/shop.json": `{ "name": "Winkel" }` };
const LAYOUT = { files: [{ path: "{locale}/{namespace}.json", format: "json_js" as const }] };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let log: ReturnType<typeof recordingLog>;
let store: PromptStore;
let owner: object;
/** What indexing was asked for, and by whom. */
let asked: string[];
/** Replaces functions of the indexing process. */
let replaced: { -readonly [Subject in keyof ProjectIndexing]?: Partial<ProjectIndexing[Subject]> };
let connection: ProjectConnection;
let finished: string[];
/** The source language that was chosen, and what the configuration of the framework says. */
let chosen: string | null;
let configurations: number;

beforeEach(async () => {
  folder = await temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  log = recordingLog();
  store = new PromptStore();
  owner = {};
  asked = [];
  replaced = {};
  finished = [];
  chosen = null;
  configurations = 0;
});
afterEach(async () => {
  workspace.isTrusted = true;
  connection.dispose();
  store.dispose();
  connection.database.close();
  connection.personal.database.close();
  await folder.remove();
});

const nameOf = (priority: unknown): string =>
  priority instanceof RequestPriority ? priority.value : String(priority);

const BASE_URL = "https://texts.example/v1";
const LANGUAGE: Language = {
  locale: "en",
  name: "",
  isSource: false,
  totalKeys: 1,
  translated: 1,
  outdated: 0,
  qaErrors: 0,
  percent: 100,
  lastTranslatedAt: null,
};
const NAME = { namespace: "shop", key: "name", context: null };
const OTHERS_KEY = { ...NAME, hash: keyHash(NAME) };
const SAVED: SavedToken = {
  baseUrl: BASE_URL,
  token: "secret-of-the-shop",
  slug: "shop",
  name: "Shop",
  canWrite: true,
  projectId: "7",
};

/** @param baseUrl that of the folder @param saved the token of who is signed in there */
function connect(baseUrl: string | null = null, saved: SavedToken | null = null): ProjectConnection {
  const database = new Database();
  const indexing = createIndexing(database, folder.path);
  /** Functions that say what they were called for. */
  const listening = (subject: string, functions: object, priority: unknown): object =>
    new Proxy(functions, {
      get: (target, name) => {
        const own = Reflect.get(replaced, subject) as object | undefined;
        const call = (Reflect.get(own ?? {}, name) ?? Reflect.get(target, name)) as (
          ...args: readonly unknown[]
        ) => unknown;
        return (...args: readonly unknown[]) => {
          asked.push(`${subject}.${String(name)} ${nameOf(priority)}`);
          return call.apply(target, [...args]);
        };
      },
    });
  connection = new ProjectConnection(
    {
      context: createContext(createStored(`${folder.path}-storage`)) as never,
      log: { ...log, redact: () => undefined } as never,
      root: Uri.file(folder.path),
      label: "Shop",
      store,
      owner,
      files: projectFiles(folder.path),
      file: () => LAYOUT,
      scope: () => ({ exclude: [], otherProjects: [] }),
      search: {
        read: async () => {
          configurations += 1;
          return [];
        },
      },
      formatAt: () => undefined,
      indexing: (_database, priority) =>
        Object.fromEntries(
          Object.entries(indexing).map(([subject, functions]: [string, object]) => [
            subject,
            listening(subject, functions, priority),
          ]),
        ) as unknown as ProjectIndexing,
      finishWriting: async (storage) => void finished.push(storage.path),
      onUnattendedEnd: () => undefined,
      chosenSource: () => chosen,
      update: async () => undefined,
    },
    {
      baseUrl,
      saved,
      database,
      personal: new PersonalData(undefined, saved === null ? undefined : personalProject(SAVED.baseUrl, "7")),
    },
  );
  return connection;
}
const searched = (): number => asked.filter((each) => each.startsWith("search.update")).length;
/** Lets what waits for nothing but earlier work end. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Reads the files again with this function, which gets the one that reads them. */
function readWith(
  load: (read: () => Promise<never>, part: string, onProgress: (progress: never) => void) => Promise<never>,
): void {
  const { localFiles } = createIndexing(connection.database, folder.path);
  replaced.localFiles = {
    load: (request, onProgress, signal) =>
      load(() => localFiles.load(request, onProgress, signal) as Promise<never>, request.part, onProgress),
  };
}
const write = (path: string, text: string): Promise<void> => writeFile(join(folder.path, path), text);

test("an address to which nobody is signed in does not make the files those of a service", async () => {
  connect(BASE_URL);
  expect([connection.session, connection.source.hasService, connection.projectId]).toEqual([
    { kind: "unknown", isTokenStored: false },
    false,
    null,
  ]);
  expect(() => connection.client()).toThrow("You are not signed in to “Shop”. Sign in first.");
  await connection.loadLocal();
  expect([connection.session.kind, connection.keys.size]).toEqual(["signed-out", 1]);
  // Its cache is that of this address.
  expect(connection.id).toBe(projectFolderName(Uri.file(folder.path), BASE_URL));
  workspace.isTrusted = false;
  expect(() => connection.client()).toThrow(expect.objectContaining({ code: "untrusted" }));
});

test("the search index follows what is written: not while files are read, but when that ends", async () => {
  const reading = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  connect();
  const isUpToDate = vi.spyOn(connection.keySearch, "isUpToDate", "get").mockReturnValue(true);
  await connection.loadLocal();
  await settled();
  readWith(async (read, _part, onProgress) => {
    onProgress({ path: "en/shop.json" } as never);
    begun.resolve();
    await reading.promise;
    return read();
  });
  connection.local.invalidate();
  isUpToDate.mockReturnValue(false);
  const before = [searched(), store.version(owner, "search")];
  const startReading = vi.spyOn(store, "startReading");
  const loaded = connection.local.loadTexts();
  await begun.promise;
  // What is shown is drawn less often meanwhile.
  expect(startReading.mock.calls).toHaveLength(1);
  store.changed(owner, "keys");
  await settled();
  expect([searched(), store.version(owner, "search")]).toEqual(before);
  reading.resolve();
  await loaded;
  await waitUntil(() => store.version(owner, "search") > (before[1] ?? 0));
});

test("another project does not update it, and a failure is said, unless the window is closed", async () => {
  connect();
  const isUpToDate = vi.spyOn(connection.keySearch, "isUpToDate", "get").mockReturnValue(true);
  await connection.loadLocal();
  await settled();
  isUpToDate.mockReturnValue(false);
  const before = searched();
  store.changed({}, "keys");
  await settled();
  expect(searched()).toBe(before);
  replaced.search = { update: () => Promise.reject(new Error("no disk")) };
  store.changed(owner, "translations");
  await waitUntil(() => log.lines.length > 0);
  expect([searched(), log.lines.map((line) => line.split(" Error")[0])]).toEqual([
    before + 1,
    ["The search index could not be updated"],
  ]);
  const failing = Promise.withResolvers<void>();
  replaced.search = { update: () => failing.promise };
  store.changed(owner, "keys");
  await waitUntil(() => searched() === before + 2);
  connection.dispose();
  failing.reject(new Error("closed"));
  store.changed(owner, "keys");
  await settled();
  expect([searched(), log.lines.length]).toEqual([before + 2, 1]);
});

test("writes of an earlier window are completed in folders that are trusted only", async () => {
  workspace.isTrusted = false;
  connect();
  await connection.ready;
  expect([finished, connection.session.kind]).toEqual([[], "untrusted"]);
  workspace.isTrusted = true;
  connection.dispose();
  connect();
  await connection.ready;
  expect(finished).toEqual([join(`${folder.path}-storage`, "projects", connection.id)]);
  // Then files are read, whoever asks for them.
  await waitUntil(() => connection.keys.size === 1);
});

test("the keys of the source files are shown before other languages are read", async () => {
  const others = Promise.withResolvers<void>();
  connect();
  readWith(async (read, part) => {
    if (part === "others") await others.promise;
    return read();
  });
  await connection.ready;
  await connection.sourceKeysShown();
  expect([connection.keys.size, connection.isComplete("nl")]).toEqual([1, false]);
  others.resolve();
  await connection.loadLocal();
  expect([connection.keys.size, connection.isComplete("nl")]).toEqual([1, true]);
});

test("a command that needs keys alone does not wait for translations, which then are shown", async () => {
  connect();
  await connection.loadLocal();
  await write("nl/shop.json", `{ "name": "Zaak" }`);
  await write("en/shop.json", `{ "name": "Shop", "more": "More" }`);
  for (const read of [connection.loadLocal.bind(connection), connection.loadLocalKeys.bind(connection)])
    await expect(read(AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
  const shown = Promise.withResolvers<void>();
  const { localKeys } = createIndexing(connection.database, folder.path);
  replaced.localKeys = {
    updateTranslations: async (options, signal) => {
      await shown.promise;
      return localKeys.updateTranslations(options, signal);
    },
  };
  connection.local.invalidate();
  asked.length = 0;
  await connection.loadLocalKeys();
  expect(connection.keys.size).toBe(2);
  // A person waits for the files, and nobody for what is shown of them.
  expect(asked).toContain("localFiles.load person");
  shown.resolve();
  const hash = keyHash(NAME);
  await waitUntil(() => connection.translation("nl", hash)?.text !== undefined);
  await waitUntil(() => JSON.stringify(connection.translation("nl", hash)?.text).includes("Zaak"));
});

test("files that have changed are read in the background, and counted as changed", async () => {
  connect();
  await connection.loadLocal();
  await write("en/shop.json", `{ "name": "Shop", "more": "More" }`);
  connection.local.invalidate();
  asked.length = 0;
  const version = store.version(owner, "files");
  connection.filesChanged();
  await waitUntil(() => connection.keys.size === 2);
  expect(asked.filter((each) => each.startsWith("localFiles.load"))).not.toContain("localFiles.load person");
  expect(store.version(owner, "files")).toBeGreaterThan(version);
  // The configuration of the framework is read again only if it may be another one.
  const before = configurations;
  connection.filesChanged();
  await connection.loadLocal();
  expect(configurations).toBe(before);
  connection.invalidateConfiguration();
  await waitUntil(() => configurations === before + 1);
  connection.local.invalidate();
  asked.length = 0;
  await connection.loadLocal();
  expect(asked).toContain("localFiles.load person");
});

test("files that cannot be shown are named in the log, and nobody waits for them for ever", async () => {
  connect();
  readWith(() => Promise.reject(new Error("full disk")));
  connection.local.invalidate();
  connection.filesChanged();
  await connection.sourceKeysShown();
  expect(new Set(log.lines.map((line) => line.split(" Error")[0]))).toEqual(
    new Set(["The local files could not be shown"]),
  );
  await expect(connection.loadLocal()).rejects.toThrow("full disk");
});

test("what is cached belongs to the project that stored it, and not to what ended or was replaced", async () => {
  connect();
  connection.syncMetadata.clear(null, contentOfProject("6"));
  expect(connection.mayStore()).toBe(true);
  // Without a service it is emptied when files are read, for which a session does not wait.
  await connection.ready;
  expect(connection.syncMetadata.content).toEqual(contentOfProject("6"));
  await connection.loadLocal();
  expect([connection.mayStore(), connection.hasEnded, connection.ended]).toEqual([true, false, null]);
  connection.dispose();
  expect([connection.mayStore(), connection.hasEnded]).toEqual([false, true]);
});

test("files that are still being read when the connection ends are not shown any more", async () => {
  const [begun, reading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  connect();
  readWith(async (read) => {
    const outcome = await read();
    begun.resolve();
    await reading.promise;
    return outcome;
  });
  const loading = connection.loadLocal();
  await begun.promise;
  connection.dispose();
  reading.resolve();
  await expect(loading).rejects.toMatchObject({ name: "AbortError" });
  await settled();
  expect(connection.keys.size).toBe(0);
});

test("a job is followed no longer than its connection, and whoever waits for it is told at once", async () => {
  connect();
  await connection.ready;
  const times = { createdAt: null, startedAt: null, finishedAt: null };
  const job = { id: 7, type: "import", status: "running", progress: null, ...times } as const;
  const following = connection.jobPoller.follow(job as never, { kind: "import", subject: ["nl.json"] });
  connection.dispose();
  expect(await following).toMatchObject({ kind: "unwatched", job: { id: 7 } });
});

test("after a disk error the files are read into memory, and shown at once", async () => {
  connect();
  await connection.loadLocal();
  connection.syncMetadata.clear(connection.syncMetadata.content);
  expect(connection.keys.size).toBe(0);
  const versions = () => (["keys", "translations"] as const).map((table) => store.version(owner, table));
  const before = versions();
  connection.reload();
  await settled();
  versions().forEach((version, index) => expect(version).toBeGreaterThan(before[index] ?? 0));
  await waitUntil(() => connection.keys.size === 1);
});

test("texts are checked and searched for a person, problems found in the background", async () => {
  connect();
  const isUpToDate = vi.spyOn(connection.keySearch, "isUpToDate", "get").mockReturnValue(true);
  await connection.loadLocal();
  await settled();
  await connection.queries.search(["shop"]);
  expect(asked).toContain("queries.search person");
  const searches = store.version(owner, "search");
  await connection.indexTexts();
  expect(store.version(owner, "search")).toBe(searches);
  isUpToDate.mockReturnValue(false);
  asked.length = 0;
  await connection.indexTexts();
  expect(asked).toEqual(["search.update person"]);
  expect(store.version(owner, "search")).toBe(searches + 1);
  const external = vi.spyOn(connection.syncMetadata, "hasExternalChanges");
  for (const [changed, counted] of [
    [[], 0],
    [["nl"], 1],
  ] as const) {
    replaced.problems = { check: async () => changed };
    const before = store.version(owner, "translations");
    external.mockClear();
    await connection.checkTexts([]);
    expect(store.version(owner, "translations") - before).toBe(counted);
    // What was written is no change of another window.
    expect(external.mock.calls).toHaveLength(counted);
  }
  expect(asked).toContain("problems.check background");
});

test("a project of the service takes over the cache, and leaves nothing in it when it ends", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed"));
  connect(BASE_URL, SAVED);
  const { syncMetadata, personal } = connection;
  expect(connection.mayStore()).toBe(true);
  syncMetadata.clear(null, contentOfProject("6"));
  addKeys(connection.database, [OTHERS_KEY]);
  const known = (slug: string) => new KnownProjects(personal.database).withSlug(BASE_URL, slug);
  const keysOf = () => new KnownProjects(personal.database).keys(personal.project);
  connection.storeKnownProject();
  expect([known("shop").map(({ id, name }) => [id, name]), keysOf()]).toEqual([[["7", "Shop"]], []]);
  expect([connection.session, connection.source.hasService, connection.mayStore()]).toEqual([
    { kind: "unknown", isTokenStored: true },
    true,
    false,
  ]);
  // Files are read when somebody asks for them.
  const version = store.version(owner, "files");
  connection.filesChanged();
  expect(store.version(owner, "files")).toBe(version + 1);
  // Another window takes it over at the same time.
  replaced.serviceData = {
    clear: async () => {
      delete replaced.serviceData;
      syncMetadata.clear(contentOfProject("6"), contentOfProject("5"));
    },
  };
  const resumed = vi.spyOn(connection.jobPoller, "resume");
  await connection.sourceKeysShown();
  // That does not wait for anything, since its keys are not those of files.
  expect(connection.session.kind).toBe("unknown");
  await connection.ready;
  expect([syncMetadata.content, connection.session.kind, connection.mayStore()]).toEqual([
    contentOfProject("7"),
    "signed-in",
    true,
  ]);
  const complete = vi.spyOn(connection, "keysComplete", "get").mockReturnValue(true);
  const left = AbortSignal.abort(new Error("left"));
  await expect(connection.countPendingChanges(left)).rejects.toThrow("left");
  complete.mockRestore();
  expect([connection.client().baseUrl, connection.keys.size, syncMetadata.hasExternalChanges()]).toEqual([
    BASE_URL,
    0,
    false,
  ]);
  await connection.updateRecord({ slug: "store", name: "Store", exportProfiles: [] });
  expect(connection.session).toMatchObject({ kind: "signed-in", slug: "store", name: "Store" });
  expect(known("store").map(({ id, name }) => [id, name])).toEqual([["7", "Store"]]);
  // Jobs are followed with a token that is accepted.
  expect(resumed).toHaveBeenCalled();
  resumed.mockClear();
  connection.setSession({ kind: "refused", baseUrl: BASE_URL, reason: "unauthorized" });
  expect(resumed).not.toHaveBeenCalled();
  expect(() => connection.client()).toThrow(
    expect.objectContaining({
      code: "unauthorized",
      message: expect.stringMatching(/^The service does not accept the token/u) as string,
    }),
  );
  connection.retrySession();
  expect(resumed).toHaveBeenCalled();
  const client = connection.client();
  const stopped = [await connection.refresher, connection.jobPoller].map((each) => vi.spyOn(each, "dispose"));
  addKeys(connection.database, [OTHERS_KEY]);
  const ended = connection.end();
  expect([connection.hasEnded, connection.ended === ended, connection.mayStore()]).toEqual([
    true,
    true,
    false,
  ]);
  expect(connection.end()).toBe(ended);
  await ended;
  expect([syncMetadata.content, connection.session.kind, keysOf()]).toEqual([
    null,
    "signed-out",
    [OTHERS_KEY.hash],
  ]);
  expect(() => connection.client()).toThrow("not signed in");
  // Nor does anything go on that has begun.
  expect(stopped.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  const requests = fetched.mock.calls.length;
  await expect(client.stats()).rejects.toMatchObject({ kind: "unauthorized" });
  expect(fetched.mock.calls).toHaveLength(requests);
});

test("what a window knows of its project is stored when it is closed, and nothing is sent from then on", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed"));
  connect(BASE_URL, SAVED);
  const { personal, syncMetadata } = connection;
  syncMetadata.clear(null, contentOfProject("7"));
  const languages = ["en", "nl"].map((locale) => ({ ...LANGUAGE, locale, isSource: locale === "nl" }));
  syncMetadata.stats = { stats: { contentVersion: 3, languages }, checkedAt: 1 };
  const opened = vi.spyOn(Refresher, "open");
  await connection.ready;
  expect(await connection.refresher).toBe(await connection.refresher);
  // What is stored is shown, whoever asks for it.
  await waitUntil(() => connection.stats?.contentVersion === 3);
  // The languages that hovers show are read first.
  expect(opened.mock.calls.map(([{ preview }]) => preview())).toEqual([["nl", "en"]]);
  connection.setSession({ kind: "refused", baseUrl: BASE_URL, reason: "unauthorized" });
  // A refresh that the service answers after all.
  opened.mock.calls[0]?.[0].onAccepted?.();
  const client = connection.client();
  addKeys(connection.database, [OTHERS_KEY]);
  connection.dispose();
  expect(new KnownProjects(personal.database).keys(personal.project)).toEqual([OTHERS_KEY.hash]);
  const requests = fetched.mock.calls.length;
  await expect(client.stats()).rejects.toMatchObject({ kind: "unauthorized" });
  expect(fetched.mock.calls).toHaveLength(requests);
});
