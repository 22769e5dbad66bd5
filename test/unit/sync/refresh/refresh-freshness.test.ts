/** When a refresh may rely on earlier reads: other callers, other windows, and services that report less. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { translationsIn } from "../../support/key-database.ts";
import { setTranslation, setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush, type LocalKey } from "../../../../src/sync/push/push-plan.ts";
import {
  FEW_ITEMS,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../../support/test-window.ts";
import { realClock } from "../../support/node-platform.ts";
import { yieldNow } from "../../../../src/util/event-loop.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

const push = async (window: TestWindow, keys: readonly LocalKey[]): Promise<void> => {
  await sendPush(window, (await planPush(window, keys)).items, []);
};

/** Keys in another namespace: with `FEW_ITEMS`, enough that reading everything costs three pages. */
const manyKeys = (length = 22): LocalKey[] =>
  Array.from({ length }, (_, index) => {
    const name = { namespace: "many", key: `key${index}`, context: null };
    const hash = keyHash(name);
    return { hash, name, text: { value: `Text ${index}` }, description: null, path: "lang/en/many.php" };
  });

const TITLE = { namespace: "cart", key: "title", context: null };
const LOG_OUT = { namespace: "*", key: "Log out", context: null };

/** Holds requests until `open` is called; says when the first one stands at it. */
function gate(held: (requests: string) => boolean) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const intercept: Interceptor = async (requests, pass, signal) => {
    if (held(requests)) {
      reach();
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason as Error)),
      );
      await Promise.race([opened, aborted]);
    }
    return pass();
  };
  return { intercept, open, reached };
}

test("shares one read between concurrent callers, unharmed by an abort", async () => {
  const { intercept, open, reached } = gate((requests) => requests === "GET /stats");
  const window = await shop.open("one", { intercept });
  const leaving = new AbortController();
  const first = window.refresher.refresh({ signal: leaving.signal });
  const second = window.refresher.refresh({ signal: new AbortController().signal });
  await reached;
  const reason = new Error("somebody closed it");
  leaving.abort(reason);
  await expect(first).rejects.toBe(reason);
  open();
  expect((await second)?.languages.length).toBe(3);
  expect(window.takeRequests().filter((requests) => requests === "GET /stats")).toHaveLength(1);
  expect(window.project.freshness.kind).toBe("fresh");
});

test("aborts the read with its last caller, without reporting a failure, and the next one reads anew", async () => {
  const { intercept, open, reached } = gate((requests) => requests.startsWith("GET /keys"));
  const window = await shop.open("one", { intercept });
  const leaving = new AbortController();
  const only = window.refresher.refresh({ signal: leaving.signal });
  await reached;
  leaving.abort(new Error("left"));
  const next = window.refresher.refresh();
  open();
  await expect(only).rejects.toThrow("left");
  expect(await next).not.toBeNull();
  expect(window.log.lines.filter((line) => line.includes("Refresh failed"))).toEqual([]);
  expect(window.project.session.kind).toBe("signed-in");
});

test("sees writes made after the request of an earlier refresh", async () => {
  const { intercept, open, reached } = gate((requests) => requests.startsWith("GET /translations/nl"));
  const writer = await shop.open("two");
  await push(writer, await sourceKeys(writer));
  await setTranslations(writer, "nl", [{ name: TITLE, text: { value: "Je mandje" } }], "overwrite");
  const window = await shop.open("one", { intercept });
  const early = window.refresher.refresh();
  await reached;
  await push(writer, [
    ...(await sourceKeys(writer)).map((key) => ({ ...key, text: { value: "Another text" } })),
  ]);
  const late = window.refresher.refresh({ priority: "person" });
  const later = window.refresher.refresh({ priority: "person" });
  open();
  await Promise.all([early, late, later]);
  expect(window.project.keys.get(keyHash(TITLE))?.text).toEqual({ value: "Another text" });
  const keyRequests = window.takeRequests().filter((requests) => requests.startsWith("GET /keys"));
  expect(keyRequests.filter((requests) => !requests.includes("archived"))).toHaveLength(2);
});

test("discards keys and rows that arrive after sign-out", async () => {
  const filler = await shop.open("two");
  await push(filler, await sourceKeys(filler));
  const { intercept, open, reached } = gate((requests) => requests.startsWith("GET /keys"));
  const window = await shop.open("one", { intercept });
  const running = window.refresher.refresh();
  await reached;
  window.signOut();
  open();
  expect(await running).toBeNull();
  expect(window.project.keys.size).toBe(0);
  expect(window.project.stats).toBeNull();
  expect(window.project.keysComplete).toBe(false);
});

test("discards stats that arrive after sign-out and rejects waiters", async () => {
  const { intercept, open, reached } = gate((requests) => requests === "GET /stats");
  const window = await shop.open("one", { intercept });
  const reading = window.refresher.refreshKeys();
  const refused = expect(reading).rejects.toMatchObject({ kind: "unauthorized" });
  await reached;
  window.signOut();
  open();
  await refused;
  expect([window.project.stats, window.project.freshness.kind]).toEqual([null, "never"]);
});

test("reports unreadable keys but returns the stats", async () => {
  const intercept: Interceptor = async (requests, pass) =>
    requests.startsWith("GET /keys") ? Response.json({ data: [{ hash: 1 }] }) : pass();
  const window = await shop.open("one", { intercept });
  const stats = await window.refresher.refreshKeys();
  expect(stats.languages.length).toBe(3);
  expect(window.project.stats).toEqual(stats);
  expect(window.project.freshness).toMatchObject({ kind: "offline", error: { kind: "bad_response" } });
});

test("that the caller does not wait for the keys is no failure", async () => {
  const { intercept, reached } = gate((requests) => requests.startsWith("GET /keys"));
  const window = await shop.open("one", { intercept });
  const leaving = new AbortController();
  const reading = window.refresher.refreshKeys({ signal: leaving.signal });
  await reached;
  const reason = new Error("left");
  leaving.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(window.project.freshness.kind).toBe("fresh");
});

test("discards keys that arrive after sign-out without a failure", async () => {
  const filler = await shop.open("two");
  await push(filler, await sourceKeys(filler));
  const { intercept, open, reached } = gate((requests) => requests.startsWith("GET /keys"));
  const window = await shop.open("one", { intercept });
  const reading = window.refresher.refreshKeys();
  await reached;
  window.signOut();
  open();
  await reading;
  expect([window.project.keys.size, window.project.freshness.kind]).toEqual([0, "never"]);
});

test("stores nothing after the window closes", async () => {
  const filler = await shop.open("two");
  await push(filler, await sourceKeys(filler));
  const { intercept, open, reached } = gate((requests) => requests.startsWith("GET /keys"));
  const window = await shop.open("one", { intercept });
  const reading = Promise.all([window.refresher.refresh(), window.refresher.refresh({ skipRunning: true })]);
  await reached;
  window.refresher.dispose();
  open();
  expect(await reading).toEqual([null, null]);
  expect(window.project.keys.size).toBe(0);
  expect(window.takeRequests().filter((requests) => requests === "GET /stats")).toHaveLength(1);
  expect(window.log.lines.filter((line) => line.includes("Refresh failed"))).toEqual([]);
});

test("requests again after a queued refresh", async () => {
  const window = await shop.open("one");
  await Promise.all([window.refresher.refresh(), window.refresher.refresh({ skipRunning: true })]);
  window.takeRequests();
  expect(await window.refresher.refresh()).not.toBeNull();
  expect(window.takeRequests()).toEqual(["GET /stats"]);
});

test("reads the other languages if one is unreadable", async () => {
  const intercept: Interceptor = async (requests, pass) =>
    requests.startsWith("GET /translations/nl") ? Response.json({ data: [{ hash: 1 }] }) : pass();
  const writer = await shop.open("two");
  await push(writer, await sourceKeys(writer));
  await setTranslations(writer, "nl", [{ name: TITLE, text: { value: "Je mandje" } }], "overwrite");
  const window = await shop.open("one", { intercept });
  await window.refresher.ensureLocale("fr");
  expect(await window.refresher.refresh()).toBeNull();
  expect(window.project.freshness).toMatchObject({ kind: "offline", error: { kind: "bad_response" } });
  expect(window.project.isComplete("fr")).toBe(true);
  expect(window.project.loadedLocales()).not.toContain("nl");
  expect(window.project.keysComplete).toBe(true);
});

test("stores no row of a language that this window does not read, since nothing would keep it up to date", async () => {
  const window = await shop.open("one");
  await window.refresher.ensureLocale("nl");
  await push(window, await sourceKeys(window));
  const titleIn = (locale: string) => window.project.translations.get(locale, keyHash(TITLE))?.text;
  for (const locale of ["nl", "fr"])
    await setTranslation(window, locale, { name: TITLE, text: { value: `Of ${locale}` } });
  expect([titleIn("nl"), titleIn("fr")]).toEqual([{ value: "Of nl" }, undefined]);
  await window.refresher.ensureLocale("fr");
  await window.refresher.refresh();
  expect(titleIn("fr")).toEqual({ value: "Of fr" });
});

test.each([
  ["by namespace", [TITLE], 22, ["namespace=cart"]],
  ["in each of several namespaces", [TITLE, LOG_OUT], 52, ["namespace=*", "namespace=cart"]],
  ["in the whole language, of which it is most", [manyKeys(1)[0]?.name ?? TITLE], 22, ["?", "?", "?"]],
])("finds outdated flags %s, although no translation changed", async (_, names, count, reads) => {
  // A service may count only a person's edit as "last change of the translation".
  const intercept: Interceptor = async (requests, pass) => {
    const answer = await pass();
    const isChanges = requests.startsWith("GET /translations/nl") && requests.includes("updatedSince=");
    if (!isChanges) return answer;
    return Response.json({ data: [], meta: { nextCursor: null, limit: 1000 } });
  };
  const window = await shop.open("one", { intercept, maxItems: FEW_ITEMS });
  await window.refresher.refresh();
  const keys = [...(await sourceKeys(window)), ...manyKeys(count)];
  await push(window, keys);
  const edits = names.map((name) => ({ name, text: { value: "Vertaald" } }));
  await setTranslations(window, "nl", edits, "overwrite");
  await window.refresher.refresh({ priority: "person" });
  const hashes = names.map(keyHash);
  const areOutdated = () => hashes.map((hash) => window.project.translation("nl", hash)?.isOutdated);
  expect(areOutdated()).toEqual(names.map(() => false));
  await push(
    window,
    keys.map((key) => (hashes.includes(key.hash) ? { ...key, text: { value: "Changed" } } : key)),
  );
  window.takeRequests();
  await window.refresher.refresh({ priority: "person" });
  expect(areOutdated()).toEqual(names.map(() => true));
  const requests = window.takeRequests().filter((each) => each.startsWith("GET /translations/nl"));
  const [changes, ...others] = requests;
  expect(changes).toContain("updatedSince=");
  expect(others.toSorted()).toEqual(reads.map((read) => expect.stringContaining(read)));
  if (reads.includes("?")) expect(requests.join()).not.toContain("namespace=");
});

test("finds a translation that is wrong now by the number of errors alone, although no change is listed", async () => {
  const intercept: Interceptor = (requests, pass) =>
    requests.startsWith("GET /translations/nl") && requests.includes("updatedSince=")
      ? Promise.resolve(Response.json({ data: [], meta: { nextCursor: null, limit: 1000 } }))
      : pass();
  const window = await shop.open("one", { intercept });
  await push(window, await sourceKeys(window));
  const name = { namespace: "cart", key: "total", context: null };
  const say = (value: string) => setTranslations(window, "nl", [{ name, text: { value } }], "overwrite");
  await say("Samen: :amount");
  await window.refresher.refresh({ priority: "person" });
  await say("Samen");
  await window.refresher.refresh({ priority: "person" });
  const row = window.project.translation("nl", keyHash(name));
  expect([row?.text, row?.issues.length]).toEqual([{ value: "Samen" }, 1]);
});

test("needs three requests for a change right after a large push", async () => {
  const window = await shop.open();
  const keys = [...(await sourceKeys(window)), ...manyKeys(2_200)];
  await push(window, keys);
  await window.refresher.refresh();
  const writer = await shop.open("two");
  const hash = keyHash(TITLE);
  await push(
    writer,
    keys.map((key) => (key.hash === hash ? { ...key, text: { value: "Your basket" } } : key)),
  );
  window.takeRequests();
  await window.refresher.refresh();
  expect(window.project.keys.get(hash)?.text).toEqual({ value: "Your basket" });
  expect(window.takeRequests()).toEqual([
    "GET /stats",
    expect.stringMatching(/^GET \/keys\?.*updatedSince=/u),
    expect.stringMatching(/^GET \/translations\/nl\?.*updatedSince=/u),
  ]);
});

test("finds archived keys without reading all keys", async () => {
  const window = await shop.open("one", { maxItems: FEW_ITEMS });
  await push(window, [...(await sourceKeys(window)), ...manyKeys()]);
  await window.refresher.refresh();
  const hash = keyHash(TITLE);
  await window.client.sync({ keys: [], archive: [hash] });
  window.takeRequests();
  await window.refresher.refresh();
  expect(window.project.keys.has(hash)).toBe(false);
  expect(window.project.keys.size).toBe(27);
  const requests = window.takeRequests().filter((each) => each.startsWith("GET /keys"));
  expect(requests.every((each) => each.includes("updatedSince="))).toBe(true);
  expect(requests.at(-1)).toContain("archived=");
});

test("notices keys archived and created during a full read", async () => {
  const writer = await shop.open("two", { maxItems: FEW_ITEMS });
  await push(writer, [...(await sourceKeys(writer)), ...manyKeys()]);
  const { intercept, open, reached } = gate((requests) => /^GET \/keys\?.*cursor=/u.test(requests));
  const window = await shop.open("one", { intercept, maxItems: FEW_ITEMS });
  const reading = window.refresher.refresh();
  await reached;
  const archived = keyHash({ namespace: "many", key: "key0", context: null });
  const created = keyHash({ namespace: "many", key: "a", context: null });
  await writer.client.sync({ keys: [{ namespace: "many", key: "a", value: "New" }], archive: [archived] });
  open();
  await reading;
  expect(window.project.keys.has(archived)).toBe(false);
  expect(window.project.keys.has(created)).toBe(true);
  expect(window.project.keys.size).toBe(28);
  // All keys were read once.
  const begun = window.takeRequests().filter((each) => each.startsWith("GET /keys?"));
  expect(begun.filter((each) => !/cursor=|updatedSince=|archived=/u.test(each))).toHaveLength(1);
});

test.each([
  ["in number", "totalKeys", ["GET /stats", "GET /keys?limit=1000"]],
  ["only in their issues, which the service may count otherwise", "qaErrors", ["GET /stats"]],
] as const)(
  "reads again what differs %s from the service's counts on a manual refresh",
  async (_, name, reads) => {
    const intercept: Interceptor = async (requests, pass) => {
      const answer = await pass();
      if (requests !== "GET /stats") return answer;
      const { data } = (await answer.json()) as { data: { languages: Record<typeof name, number>[] } };
      const languages = data.languages.map((each) => ({ ...each, [name]: each[name] - 1 }));
      return Response.json({ data: { ...data, languages } });
    };
    const window = await shop.open("one", { intercept });
    await push(window, await sourceKeys(window));
    await window.refresher.refresh({ full: true });
    window.takeRequests();
    await window.refresher.refresh({ priority: "person" });
    expect(window.takeRequests()).toEqual(["GET /stats"]);
    await window.refresher.refresh({ priority: "person", full: "where-different" });
    const again = window.takeRequests();
    expect(again.slice(0, 2)).toEqual(reads);
    // Which keys were archived is known since the first read.
    expect(again.filter((request) => request.includes("archived="))).toEqual([]);
  },
);

test("reads everything for a caller that asked for that, although a later one did not", async () => {
  const window = await shop.open();
  await push(window, await sourceKeys(window));
  await setTranslation(window, "nl", { name: TITLE, text: { value: "Je mandje" } });
  await window.refresher.refresh();
  window.takeRequests();
  await Promise.all([
    window.refresher.refresh({ full: true }),
    window.refresher.refresh({ full: "where-different" }),
    window.refresher.refresh({ priority: "person" }),
  ]);
  const requests = window.takeRequests();
  expect(requests.filter((each) => each === "GET /stats")).toHaveLength(1);
  expect(requests).toEqual(
    expect.arrayContaining(["GET /keys?limit=1000", "GET /translations/nl?limit=1000"]),
  );
});

test("raises the priority of a background refresh when a person joins", async () => {
  const writer = await shop.open("two", { maxItems: FEW_ITEMS });
  await push(writer, [...(await sourceKeys(writer)), ...manyKeys()]);
  const intercept: Interceptor = async (_, pass) => {
    const { body, status } = await pass();
    return new Response(body, {
      status,
      headers: { "X-RateLimit-Limit": "120", "X-RateLimit-Remaining": "15" },
    });
  };
  // Whatever is held back waits for ever.
  const sleep = (_: number, signal?: AbortSignal): Promise<void> =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  const window = await shop.open("one", { intercept, clock: { ...realClock(), sleep }, maxItems: FEW_ITEMS });
  const background = window.refresher.refresh();
  while (window.client.rateLimiter.budget.heldUntil === null) await yieldNow();
  expect(window.takeRequests()).toEqual(["GET /stats"]);
  await window.refresher.refresh({ priority: "person" });
  expect(await background).not.toBeNull();
  expect(window.project.keys.size).toBe(28);
});

test("reads everything again after a day, but only if something changed", async () => {
  const first = await shop.open();
  await push(first, await sourceKeys(first));
  await first.refresher.refresh();
  const tomorrow = await shop.open("one", { clockAheadMs: 25 * 60 * 60 * 1000 });
  await tomorrow.refresher.refresh();
  expect(tomorrow.takeRequests()).toEqual(["GET /stats"]);
  await setTranslations(tomorrow, "nl", [{ name: TITLE, text: { value: "Je mandje" } }], "overwrite");
  await tomorrow.refresher.refresh({ priority: "person" });
  const requests = tomorrow.takeRequests().filter((each) => each.startsWith("GET /translations/nl"));
  expect(requests.at(-1)).not.toContain("updatedSince");
});

test("continues after an archived project is restored", async () => {
  let status = 403;
  const intercept: Interceptor = (_, pass) =>
    status === 200 ? pass() : Promise.resolve(Response.json({ message: "No" }, { status }));
  const window = await shop.open("one", { intercept });
  expect(await window.refresher.refresh()).toBeNull();
  expect(window.project.session).toMatchObject({ kind: "refused", reason: "archived" });
  status = 200;
  expect(await window.refresher.refresh()).not.toBeNull();
  expect(window.project.session.kind).toBe("signed-in");
  expect(window.project.keysComplete).toBe(true);
});

test("reports a token revoked while the project is archived", async () => {
  let status = 403;
  const intercept: Interceptor = () => Promise.resolve(Response.json({ message: "No" }, { status }));
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  status = 401;
  await window.refresher.refresh();
  expect(window.project.session).toMatchObject({ kind: "refused", reason: "unauthorized" });
});

test("reads everything again after the service was restored from a backup", async () => {
  const filler = await shop.open("two");
  await push(filler, await sourceKeys(filler));
  let restored = false;
  const intercept: Interceptor = async (requests, pass) => {
    const answer = await pass();
    if (!restored || answer.status !== 200) return answer;
    const body = (await answer.json()) as { data: unknown };
    if (requests.startsWith("GET /stats")) {
      const stats = body.data as { contentVersion: number };
      stats.contentVersion -= 1;
    } else if (requests.startsWith("GET /keys")) {
      const keys = body.data as { namespace: string; key: string; source: { value: string | null } }[];
      const isTitle = (key: (typeof keys)[number]): boolean =>
        key.namespace === TITLE.namespace && key.key === TITLE.key;
      if (requests.includes("updatedSince")) body.data = keys.filter((key) => !isTitle(key));
      else for (const key of keys.filter(isTitle)) key.source.value = "Of the backup";
    }
    return Response.json(body, { headers: { date: answer.headers.get("date") ?? "" } });
  };
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const title = () => window.project.keys.get(keyHash(TITLE))?.text;
  expect(title()).toEqual({ value: expect.any(String) as string });
  restored = true;
  expect(await window.refresher.refresh()).not.toBeNull();
  expect(title()).toEqual({ value: "Of the backup" });
});

test("discards rows that arrive just after sign-out", async () => {
  const filler = await shop.open("two");
  await push(filler, await sourceKeys(filler));
  await setTranslations(filler, "nl", [{ name: TITLE, text: { value: "Je mandje" } }], "overwrite");
  let signOut = (): void => undefined;
  const intercept: Interceptor = async (requests, pass) => {
    const answer = await pass();
    // The last page is there; nothing of it has been taken yet.
    if (requests.startsWith("GET /translations/")) signOut();
    return answer;
  };
  const window = await shop.open("one", { intercept });
  signOut = window.signOut;
  expect(await window.refresher.refresh()).toBeNull();
  expect(window.requests.some((requests) => requests.startsWith("GET /translations/nl"))).toBe(true);
  expect(window.project.loadedLocales()).toEqual([]);
  expect(translationsIn(window.project.database, "nl")).toEqual([]);
});

test("discards changed rows that arrive just after sign-out", async () => {
  const filler = await shop.open("two");
  await push(filler, await sourceKeys(filler));
  let signOut = (): void => undefined;
  const intercept: Interceptor = async (requests, pass) => {
    const answer = await pass();
    if (requests.startsWith("GET /translations/")) signOut();
    return answer;
  };
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  expect(window.project.isComplete("nl")).toBe(true);
  await setTranslations(filler, "nl", [{ name: TITLE, text: { value: "Een ander" } }], "overwrite");
  signOut = window.signOut;
  expect(await window.refresher.refresh()).toBeNull();
  expect(window.project.loadedLocales()).toEqual([]);
  expect(translationsIn(window.project.database, "nl")).toEqual([]);
});

test("refreshes for a caller after others that were to wait for the same refresh have left", async () => {
  const { intercept, open, reached } = gate((requests) => requests === "GET /stats");
  const window = await shop.open("one", { intercept });
  const running = window.refresher.refresh();
  await reached;
  const leaving = new AbortController();
  const left = window.refresher.refresh({ skipRunning: true, signal: leaving.signal });
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  const next = window.refresher.refresh({ skipRunning: true });
  open();
  expect(await running).not.toBeNull();
  expect(await next).not.toBeNull();
  expect(window.takeRequests().filter((each) => each === "GET /stats").length).toBeGreaterThan(1);
});

test("writes nothing to the database when nothing has changed", async () => {
  const window = await shop.open("one");
  await push(window, await sourceKeys(window));
  await window.refresher.refresh();
  const { changes } = window.project.database;
  expect(await window.refresher.refresh()).not.toBeNull();
  expect(window.project.database.changes).toBe(changes);
});

test("stores when it was complete, also offline, and over no later time of another window", async () => {
  const window = await shop.open("one");
  await push(window, await sourceKeys(window));
  await window.refresher.refresh();
  const before = window.project.syncMetadata.stats?.checkedAt ?? 0;
  const other = await shop.open("two", { machine: "one" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await window.refresher.refresh();
  expect(window.project.syncMetadata.stats?.checkedAt).toBe(before);
  window.goOffline();
  await window.refresher.refresh();
  window.refresher.storeCheckedAt();
  const stored = window.project.syncMetadata.stats?.checkedAt ?? 0;
  expect(stored).toBeGreaterThan(before);
  const { changes } = window.project.database;
  window.refresher.storeCheckedAt();
  expect(window.project.database.changes).toBe(changes);
  expect(window.project.freshness).toMatchObject({ kind: "offline", at: stored });
  expect(other.project.freshness).toEqual({ kind: "stored", at: before });
  other.refresher.storeCheckedAt();
  expect(other.project.syncMetadata.stats?.checkedAt).toBe(stored);
  other.goOffline();
  await other.refresher.refresh();
  expect(other.project.freshness).toMatchObject({ kind: "offline", at: stored });
});

test("stores no time before the first complete refresh, and nothing after sign-out", async () => {
  const { intercept, reached } = gate((requests) => requests.startsWith("GET /keys"));
  const window = await shop.open("one", { intercept });
  const leaving = new AbortController();
  const running = window.refresher.refresh({ signal: leaving.signal });
  await reached;
  expect(window.project.freshness.kind).toBe("fresh");
  window.refresher.storeCheckedAt();
  expect(window.project.syncMetadata.stats?.checkedAt).toBeNull();
  leaving.abort(new Error("left"));
  await expect(running).rejects.toThrow("left");
  window.signOut();
  window.refresher.storeCheckedAt();
  expect(window.project.syncMetadata.stats).toBeNull();
});

test("tells no time of a complete refresh whose data is gone", async () => {
  let isUnreadable = false;
  const intercept: Interceptor = async (requests, pass) =>
    isUnreadable && requests.startsWith("GET /keys") ? Response.json({ data: [{ hash: 1 }] }) : pass();
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  expect(window.project.syncMetadata.stats?.checkedAt).toEqual(expect.any(Number));
  window.project.syncMetadata.clear(null);
  isUnreadable = true;
  await window.refresher.refresh();
  expect(window.project.freshness).toMatchObject({ kind: "offline", at: null });
});

test("sends no request for a language that the service no longer has", async () => {
  const window = await shop.open("one");
  await window.refresher.refresh();
  window.takeRequests();
  await window.refresher.ensureLocale("de");
  expect(window.takeRequests()).toEqual([]);
  // An earlier window may have read it.
  window.project.showLanguage("de");
  await window.refresher.refresh();
  expect([window.takeRequests(), window.project.freshness.kind]).toEqual([["GET /stats"], "fresh"]);
});
