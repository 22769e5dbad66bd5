/** A window that signs in, out and in again: what is kept, read and said of the project by then. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startService, type RunningService } from "../../../src/local-service/start-service.ts";
import { keyHash, type KeyName } from "../../../src/model/key-hash.ts";
import type { App } from "../../../src/vscode/app.ts";
import { createApp } from "../../../src/vscode/create-app.ts";
import { verifyToken } from "../../../src/vscode/create-api-client.ts";
import { localText } from "../../../src/vscode/files/local-texts.ts";
import { ActivityResults } from "../../../src/vscode/projects/activity-results.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import { addKeys } from "../support/key-database.ts";
import { SHOP } from "../support/fixture-project.ts";
import { temporaryFolder } from "../support/node-platform.ts";
import { createContext, createStored } from "../support/open-editor.ts";
import { closeEditors, loseFileEvents, openFolders, setSetting } from "../support/vscode-stub.ts";
import { waitUntil } from "../support/wait-until.ts";

const FILES = {
  "package.json": `{ "dependencies": { "i18next": "^23.0.0" } }`,
  "project-translations.json": JSON.stringify({
    files: [{ path: "{locale}/{namespace}.json", format: "json_js" }],
  }),
  "en/shop.json": `{ "name": "Shop" }`,
  "nl/shop.json": `{ "name": "Winkel" }`,
};
const NAME: KeyName = { namespace: "shop", key: "name", context: null };
const HASH = keyHash(NAME);

let outside: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningService;
beforeAll(async () => {
  outside = await temporaryFolder();
  const project = join(outside.path, "service.json");
  const languages = [{ locale: "en", name: "English" }];
  await writeFile(project, JSON.stringify({ ...SHOP, type: "i18next", sourceLocale: "nl", languages }));
  service = await startService({ project });
  await request("POST", "/keys/sync", { keys: [{ ...NAME, value: "Winkel" }], archive: [] });
});
afterAll(async () => {
  await service.stop();
  await outside.remove();
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let context: ReturnType<typeof createContext>;
let app: App;
beforeEach(async () => {
  folder = await temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) await write(path, text);
  openFolders([folder.path]);
  context = createContext(createStored(`${folder.path}-storage`));
  app = createApp(context as never);
  await app.projects.ready;
  await app.documentUsages.ready(shop());
  await shop().loadLocal();
});
afterEach(async () => {
  for (const each of context.subscriptions.toReversed()) each.dispose();
  openFolders([]);
  closeEditors();
  await folder.remove();
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder.path, path)), { recursive: true });
  await writeFile(join(folder.path, path), text);
}
async function request(method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" };
  const response = await fetch(`${service.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
}
const shop = (of = app): OpenProject => of.projects.all[0] ?? expect.fail("there is a project");
/** Signs in, by default to the project of the service. */
async function signIn(record?: { readonly slug: string; readonly name: string }, of = app): Promise<void> {
  const { signal } = new AbortController();
  const { baseUrl, token, readToken } = service;
  const verified = await verifyToken(baseUrl, record === undefined ? token : readToken, app.log, { signal });
  const other = { ...verified, record: { ...verified.record, ...record } };
  await of.projects.signIn(shop(of), record === undefined ? verified : other, async () => false);
}
const refresh = async () => (await shop().refresher).refresh({ priority: "person" });
/** The names by which the project is known in the session. */
const names = (): readonly unknown[] => {
  const { session } = shop();
  return session.kind === "signed-in" ? [session.slug, session.name] : [session.kind];
};

test("after a sign-in keys are written as before, and files are read in the source language of the service", async () => {
  expect([shop().namespaceSeparator, shop().sourceLocale]).toEqual([":", "en"]);
  const { unwrittenNamespaces } = shop();
  expect(unwrittenNamespaces).not.toEqual(new Set());
  expect(localText(shop(), HASH)).toEqual({ value: "Shop" });
  const changed = new Set<string>();
  app.store.onDidChange((table) => void changed.add(table));
  const told: string[] = [];
  app.projects.onDidChange(() => void told.push(shop().freshness.kind));
  const before = Date.now();
  await signIn();
  expect(told.at(-1)).toBe("fresh");
  const { freshness } = shop();
  expect(freshness.kind === "fresh" && freshness.at >= before).toBe(true);
  expect([...changed]).toEqual(
    expect.arrayContaining(["session", "keys", "translations", "stats", "drafts"]),
  );
  expect([shop().namespaceSeparator, shop().sourceLocale, shop().freshness.kind]).toEqual([
    ":",
    "nl",
    "fresh",
  ]);
  expect(shop().unwrittenNamespaces).toEqual(unwrittenNamespaces);
  await shop().local.loadTexts();
  expect(localText(shop(), HASH)).toEqual({ value: "Winkel" });
  await app.projects.signOut(shop());
  expect([shop().namespaceSeparator, ...names()]).toEqual([":", "signed-out"]);
  await shop().loadLocal();
  expect(localText(shop(), HASH)).toEqual({ value: "Shop" });
});

test("after a disk error what the service has is read into memory, and a reload of the files changes nothing", async () => {
  await signIn();
  await refresh();
  const { database } = shop().connection;
  expect(shop().keys.get(HASH)?.text).toEqual({ value: "Winkel" });
  database.sql("PRAGMA query_only = ON").run();
  app.results.add(shop(), "Done.");
  await waitUntil(() => !database.isOnDisk);
  await waitUntil(() => shop().keys.get(HASH)?.text !== undefined);
  expect(shop().keys.get(HASH)?.text).toEqual({ value: "Winkel" });
  await shop().loadLocal();
  expect(shop().keys.size).toBe(1);
});

test("a project that is renamed is known by its new name, also after the next sign-in", async () => {
  await signIn();
  const { connection } = shop();
  await connection.updateRecord({ slug: "store", name: "Store", exportProfiles: [] });
  expect(names()).toEqual(["store", "Store"]);
  expect(shop().connection).toBe(connection);
  const { projectId } = connection;
  await app.projects.signOut(shop());
  expect(shop().connection).not.toBe(connection);
  // By its keys and its slug, whichever token it is.
  await signIn({ slug: "store", name: "Store" });
  expect([shop().connection.projectId, names()]).toEqual([projectId, ["store", "Store"]]);
  // Nothing is signed in to any more.
  await connection.updateRecord({ slug: "old", name: "Old", exportProfiles: [] });
  expect(names()).toEqual(["store", "Store"]);
});

test("a token of another project at the same address takes the place of all that was known", async () => {
  await signIn();
  await refresh();
  const first = shop().connection;
  first.drafts.put([
    {
      locale: "en",
      hash: HASH,
      text: { value: "Store" },
      base: null,
      baseVersion: null,
      origin: "person",
      model: null,
      source: null,
    },
  ]);
  app.results.add(shop(), "Done in the shop.");
  await signIn({ slug: "blog", name: "Blog" });
  const second = shop().connection;
  expect([second === first, second.projectId === first.projectId, first.hasEnded]).toEqual([
    false,
    false,
    true,
  ]);
  expect([names(), shop().connection.drafts.get("en", HASH), app.results.of(shop())]).toEqual([
    ["blog", "Blog"],
    undefined,
    [],
  ]);
  // What is still under way for the first one stores nothing here.
  expect([first.mayStore(), second.mayStore()]).toEqual([false, true]);
  await signIn();
  expect(names()).toEqual(["shop", "Shop"]);
  expect(shop().connection.drafts.get("en", HASH)?.text).toEqual({ value: "Store" });
});

test("a token of a project without the keys that are known by now is of another one of the same name", async () => {
  await signIn();
  await refresh();
  const { projectId, database } = shop().connection;
  const others = ["a", "b", "c", "d", "e", "f"].map((key) => ({ ...NAME, key }));
  addKeys(
    database,
    others.map((name) => ({ ...name, hash: keyHash(name) })),
  );
  await signIn({ slug: "shop", name: "Shop" });
  expect([names(), shop().connection.projectId === projectId]).toEqual([["shop", "Shop"], false]);
});

test("nothing is stored among what another window has of another project at the same address", async () => {
  await signIn();
  await refresh();
  const { connection } = shop();
  const stored = createContext(createStored(`${folder.path}-storage`));
  const other = createApp(stored as never);
  await other.projects.ready;
  await signIn({ slug: "blog", name: "Blog" }, other);
  expect([connection.hasEnded, connection.mayStore(), shop(other).connection.mayStore()]).toEqual([
    false,
    false,
    true,
  ]);
  app.results.add(shop(), "Done in the shop.");
  other.results.add(shop(other), "Done in the blog.");
  // What is stored.
  const results = new ActivityResults().of(shop(other));
  expect(results.map(({ message }) => message)).toEqual(["Done in the blog."]);
  // Nor the time of its last refresh, when that window closes.
  const { syncMetadata } = shop(other).connection;
  syncMetadata.stats = { stats: { contentVersion: 1, languages: [] }, checkedAt: 5 };
  connection.dispose();
  expect(syncMetadata.stats).toMatchObject({ checkedAt: 5 });
  for (const each of stored.subscriptions.toReversed()) each.dispose();
});

test("another address in the project file ends what is under way, and what was read is there when it goes", async () => {
  await signIn();
  await refresh();
  const first = shop().connection;
  expect([first.hasEnded, first.mayStore()]).toEqual([false, true]);
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed"));
  const { files } = JSON.parse(FILES["project-translations.json"]) as { readonly files: object };
  await write("project-translations.json", JSON.stringify({ files, baseUrl: "http://127.0.0.1:1/v1" }));
  await waitUntil(() => shop().connection !== first);
  await shop().ready;
  expect([first.hasEnded, first.mayStore(), names()]).toEqual([true, false, ["signed-out"]]);
  expect(() => first.client()).toThrow("not signed in");
  await shop().loadLocal();
  expect(shop().keys.get(HASH)?.text).toEqual({ value: "Shop" });
  await write("project-translations.json", FILES["project-translations.json"]);
  await waitUntil(() => shop().connection.projectId === first.projectId);
  await shop().refresher;
  expect(shop().keys.get(HASH)?.text).toEqual({ value: "Winkel" });
});

test("a sign-in elsewhere than at the address of the project file counts until that is another one", async () => {
  const withAddress = async (port: number): Promise<void> => {
    const { files } = JSON.parse(FILES["project-translations.json"]) as { readonly files: object };
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    await write("project-translations.json", JSON.stringify({ files, baseUrl }));
    await waitUntil(() => shop().file.baseUrl === baseUrl);
  };
  setSetting("projectTranslations.baseUrl", "http://127.0.0.1:3/v1");
  await waitUntil(() => shop().baseUrl === "http://127.0.0.1:3/v1");
  await signIn();
  expect(shop().baseUrl).toBe(service.baseUrl);
  await app.projects.signOut(shop());
  expect(shop().baseUrl).toBe("http://127.0.0.1:3/v1");
  await withAddress(1);
  await waitUntil(() => shop().baseUrl === "http://127.0.0.1:1/v1");
  await signIn();
  expect([names(), shop().baseUrl]).toEqual([["shop", "Shop"], service.baseUrl]);
  await withAddress(2);
  await waitUntil(() => shop().baseUrl === "http://127.0.0.1:2/v1");
  await withAddress(1);
  await waitUntil(() => shop().baseUrl === service.baseUrl);
  // Nor does it count where the file has none any more.
  await write("project-translations.json", FILES["project-translations.json"]);
  await waitUntil(() => shop().baseUrl === "http://127.0.0.1:3/v1");
});

test("jobs of an earlier window are those of their project, as soon as somebody is signed in to it again", async () => {
  await signIn();
  const job = {
    id: 7,
    type: "import",
    status: "succeeded",
    progress: null,
    createdAt: null,
    startedAt: null,
    finishedAt: null,
  };
  const followed = { job, kind: "import", subject: ["nl.json"], startedAt: 1, watching: true, lease: null };
  shop().personal.set("jobs", [followed]);
  const ids = () => shop().connection.jobs.map(({ job: { id } }) => id);
  expect(ids()).toEqual([]);
  await app.projects.signOut(shop());
  expect(ids()).toEqual([]);
  await signIn({ slug: "blog", name: "Blog" });
  expect(ids()).toEqual([]);
  await signIn();
  expect(ids()).toEqual([7]);
});

test("the source language that is chosen counts at once", async () => {
  expect(shop().sourceLocale).toBe("en");
  await app.projects.setSourceLanguage(shop(), "nl");
  expect([shop().sourceLocale, shop().keys.get(HASH)?.text]).toEqual(["nl", { value: "Winkel" }]);
});

test("what became of a write whose answer cannot be read is read back", async () => {
  await signIn();
  await refresh();
  await (await shop().refresher).ensureLocale("en", { priority: "person" });
  const text = () => shop().connection.translation("en", HASH)?.text ?? null;
  expect(text()).toBeNull();
  const { fetch: send } = globalThis;
  let writes = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const response = await send(input, init);
    if (init?.method !== "PUT") return response;
    writes += 1;
    return new Response("{", { headers: { "content-type": "application/json" } });
  });
  const item = { ...NAME, hash: HASH, value: "Store" };
  await expect(shop().client().writeTranslations("en", [item], "overwrite")).rejects.toMatchObject({
    kind: "bad_response",
  });
  await waitUntil(() => text() !== null);
  expect([writes, text()]).toEqual([1, { value: "Store" }]);
});

test("what is written is shown at once, also where no event tells of files", async () => {
  loseFileEvents();
  const read = vi.spyOn(shop().connection, "filesChanged");
  const before = new TextEncoder().encode(FILES["en/shop.json"]);
  const after = new TextEncoder().encode(`{ "name": "Shop", "more": "More" }`);
  expect(await shop().files.write([{ path: "en/shop.json", before, after }])).toEqual({ kind: "written" });
  expect(read.mock.calls).toHaveLength(1);
  await waitUntil(() => shop().keys.size === 2);
  // Nor of a file that is deleted before anybody has told of it.
  const created = new TextEncoder().encode(`{ "title": "Cart" }`);
  await shop().files.write([{ path: "en/cart.json", before: undefined, after: created }]);
  await waitUntil(() => shop().keys.size === 3);
  await rm(join(folder.path, "en/cart.json"));
  await waitUntil(() => shop().keys.size === 2);
});
