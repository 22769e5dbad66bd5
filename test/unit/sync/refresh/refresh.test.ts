/** Refreshes with few requests, against a real local service and a database on disk. */
import { writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { translationsIn } from "../../support/key-database.ts";
import type { StoreTable } from "../../../../src/database/store.ts";
import { Project } from "../../../../src/database/project-state.ts";
import { Refresher } from "../../../../src/sync/refresh/refresh.ts";
import { setTranslation } from "../../../../src/sync/edit/send-translations.ts";
import { startService, type RunningService } from "../../../../src/local-service/start-service.ts";
import { fastClock, temporaryFolder } from "../../support/node-platform.ts";
import { openWindow, type TestWindow } from "../../support/test-window.ts";

let service: RunningService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  service = await startService({ demo: true });
  folder = await temporaryFolder();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const open = (name: string): Promise<TestWindow> =>
  openWindow({ baseUrl: service.baseUrl, token: service.token, folder: `${folder.path}/${name}` });

test("reads keys and preview languages in the first window, and needs one request in the next", async () => {
  const first = await open("a");
  const stats = await first.refresher.refresh();
  expect(first.project.freshness.kind).toBe("fresh");
  expect(first.project.keys.size).toBe(stats?.languages[0]?.totalKeys);
  expect(first.project.loadedLocales().toSorted()).toEqual(["fr", "nl"]);
  const requests = first.takeRequests();
  expect(requests[0]).toBe("GET /stats");
  // The keys, those that are archived, and two languages.
  expect(requests).toHaveLength(5);

  const second = await open("a");
  expect(second.project.keys.size).toBe(first.project.keys.size);
  const rows = ({ project }: typeof first) => translationsIn(project.database, "nl");
  expect(rows(second)).toHaveLength(first.project.keys.size);
  expect(rows(second)).toEqual(rows(first));
  await second.refresher.refresh();
  expect(second.takeRequests()).toEqual(["GET /stats"]);
});

test("does not wait for another process that writes to the cache, but stores everything after it", async () => {
  const window = await open("locked");
  const { database, project, refresher } = window;
  const lock = new DatabaseSync(database.path);
  const waits = vi.spyOn(Atomics, "wait");
  const release = async (): Promise<void> => {
    lock.exec("BEGIN IMMEDIATE");
    await wait(150);
    lock.exec("COMMIT");
  };
  const [stats] = await Promise.all([refresher.refresh(), release()]);
  expect(project.keys.size).toBe(stats?.languages[0]?.totalKeys);
  expect(translationsIn(database, "nl")).toHaveLength(project.keys.size);
  const [key] = project.keys.values();
  const row = key && project.translation("nl", key.hash);
  if (key === undefined || row === undefined) throw new Error("there is no translation");
  await Promise.all([
    refresher.applyRows("nl", [{ ...row, version: 99, text: { value: "tegelijk" } }]),
    refresher.applyKey({ ...key, description: "changed meanwhile" }),
    release(),
  ]);
  expect(project.translation("nl", key.hash)?.text).toEqual({ value: "tegelijk" });
  expect(project.keys.get(key.hash)?.description).toBe("changed meanwhile");
  lock.exec("BEGIN IMMEDIATE");
  refresher.storeCheckedAt();
  lock.exec("COMMIT");
  expect(waits).not.toHaveBeenCalled();
  waits.mockRestore();
  lock.close();
});

test("shows complete cached data before any request", async () => {
  const shown = async (name: string) => {
    const window = await open(name);
    const changes: StoreTable[] = [];
    const { database, log } = window;
    const again = new Project("test", "Test", database);
    again.onDidChange((table) => changes.push(table));
    await Refresher.open({
      project: again,
      client: () => null,
      onAccepted: () => undefined,
      preview: () => ["en", "nl"],
      clock: fastClock(),
      log,
    });
    const { freshness } = again;
    return { window, changes, locales: again.loadedLocales(), freshness };
  };
  const empty = await shown("stored");
  expect([empty.changes, empty.locales, empty.freshness]).toEqual([[], [], { kind: "never" }]);
  await empty.window.refresher.refresh();
  const { changes, locales, freshness, window } = await shown("stored");
  expect(changes).toEqual(["stats", "freshness", "keys", "translations"]);
  expect(locales).toEqual(["nl"]);
  expect(freshness).toMatchObject({ kind: "stored" });
  expect(window.takeRequests()).toEqual([]);
});

test("requests changes since the last timestamp", async () => {
  const window = await open("b");
  await window.refresher.refresh();
  const other = await open("b2");
  await other.refresher.refresh();
  const key = [...window.project.keys.values()].find((each) => !each.isPlural);
  if (key === undefined) throw new Error("the demo has singular keys");
  const written = await setTranslation(other, "nl", {
    name: key,
    text: { value: "Nieuwe tekst van een collega" },
  });
  expect(written.kind).toBe("done");
  window.takeRequests();
  const last = window.project.translations.latestChange("nl") ?? "";
  let sessions = 0;
  window.project.onDidChange((table) => table === "session" && sessions++);

  await window.refresher.refresh();

  // Who was signed in all the while is not signed in anew.
  expect(sessions).toBe(0);
  expect(window.project.translation("nl", key.hash)?.text).toEqual({
    value: "Nieuwe tekst van een collega",
  });
  const requests = window.takeRequests();
  expect(requests.filter((each) => each.includes("/translations/nl"))).toHaveLength(1);
  const request = requests.find((each) => each.includes("/translations/nl")) ?? "";
  const since = new URLSearchParams(request.slice(request.indexOf("?"))).get("updatedSince") ?? "";
  // A write that was begun before another may be seen after it.
  expect(Date.parse(since)).toBeLessThanOrEqual(Date.parse(last) - 2_000);
});

test("removes archived keys, although no change lists them", async () => {
  const window = await open("c");
  await window.refresher.refresh();
  const hash = [...window.project.keys.names()][0]?.hash ?? "";
  await window.client.sync({ keys: [], archive: [hash] });
  await window.refresher.refresh();
  expect(window.project.keys.has(hash)).toBe(false);
  expect(window.project.translation("nl", hash)).toBeUndefined();
});

test("uses the cache while offline and reports its age", async () => {
  const online = await open("d");
  await online.refresher.refresh();
  const window = await open("d");
  window.goOffline();
  expect(await window.refresher.refresh()).toBeNull();
  expect(window.project.keys.size).toBeGreaterThan(0);
  expect(window.project.freshness).toMatchObject({
    kind: "offline",
    at: expect.any(Number),
    error: { kind: "offline" },
  });
});

test("reads a language when it is opened", async () => {
  const window = await open("e");
  await window.refresher.refresh();
  window.takeRequests();
  await window.refresher.ensureLocale("pl");
  expect(window.project.isComplete("pl")).toBe(true);
  expect(window.takeRequests().every((each) => each.includes("/translations/pl"))).toBe(true);
  await window.refresher.ensureLocale("pl");
  expect(window.takeRequests()).toEqual([]);
  // And as it was read then, where the token is refused meanwhile.
  const { database, log } = window;
  const project = new Project("test", "Test", database);
  const refused = { project, client: () => null, preview: () => [], clock: fastClock(), log };
  const refresher = await Refresher.open(refused);
  expect(project.isComplete("pl")).toBe(false);
  await refresher.ensureLocale("pl");
  expect(project.isComplete("pl")).toBe(true);
});

test("reports an unreadable language and the age of its cached rows", async () => {
  const window = await open("e2");
  await window.refresher.refresh();
  window.goOffline();
  await expect(window.refresher.ensureLocale("pl")).rejects.toMatchObject({ kind: "offline" });
  expect(window.project.freshness).toMatchObject({ kind: "offline", error: { kind: "offline" } });
  expect(window.project.isComplete("pl")).toBe(false);
  expect(window.project.session.kind).toBe("signed-in");
});

test("shows what another window read without a request, once", async () => {
  const one = await open("two windows");
  const two = await open("two windows");
  await one.refresher.refresh();
  const changes: StoreTable[] = [];
  two.project.onDidChange((table) => changes.push(table));
  two.project.showExternalChanges();
  two.project.showExternalChanges();
  expect(changes).toEqual(["stats", "keys", "translations"]);
  expect(two.project.keys.size).toBe(one.project.keys.size);
  expect(two.project.keysComplete).toBe(true);
  await two.refresher.refresh();
  expect([two.takeRequests(), two.project.isComplete("nl")]).toEqual([["GET /stats"], true]);
});

test("starts over with a damaged database", async () => {
  const window = await open("f");
  await window.refresher.refresh();
  const size = window.project.keys.size;
  window.database.close();
  await writeFile(`${folder.path}/f/project.db`, "half a line, and no database at all");
  const again = await open("f");
  expect(again.project.keys.size).toBe(0);
  await again.refresher.refresh();
  expect(again.project.keys.size).toBe(size);
});

test("ends the session on a refused token, without a trace of it in the log or on disk", async () => {
  const window = await openWindow({
    baseUrl: service.baseUrl,
    token: "ptw_nobody-knows-this-token",
    folder: `${folder.path}/g`,
  });
  await window.refresher.refresh();
  expect(window.project.session).toMatchObject({ kind: "refused", reason: "unauthorized" });
  expect(window.log.lines.join("\n")).not.toContain("nobody-knows");
});
