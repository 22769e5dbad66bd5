/** What one read or push stores while another one is under way. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { keyHash } from "../../../../src/model/key-hash.ts";
import { setTranslations } from "../../../../src/sync/edit/send-translations.ts";
import { planPush } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import {
  FEW_ITEMS,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import { realClock } from "../../support/node-platform.ts";
import type { Interceptor, TestWindow } from "../../support/test-window.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

const TITLE = { namespace: "cart", key: "title", context: null };
const push = async (window: TestWindow): Promise<void> => {
  await sendPush(window, (await planPush(window, await sourceKeys(window))).items, []);
};

test("a second caller reads what changed since the first one read, once that is known", async () => {
  const writer = await shop.open("two");
  await push(writer);
  const say = (value: string) =>
    setTranslations(writer, "fr", [{ name: TITLE, text: { value } }], "overwrite");
  await say("Panier");
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const intercept: Interceptor = async (request, pass) => {
    const answer = await pass();
    if (request.startsWith("GET /translations/fr")) {
      answered.resolve();
      await released.promise;
    }
    return answer;
  };
  const window = await shop.open("one", { intercept });
  const before = await window.refresher.refresh();
  if (before === null) throw new Error("not refreshed");
  const first = window.refresher.ensureLocale("fr");
  await answered.promise;
  const second = window.refresher.ensureLocale("fr");
  await say("Votre panier");
  // The counts are the same.
  const { contentVersion } = await window.client.stats();
  window.project.setStats({ ...before, contentVersion }, { kind: "fresh", at: 0 });
  released.resolve();
  await Promise.all([first, second]);
  expect(window.project.translation("fr", keyHash(TITLE))?.text).toEqual({ value: "Votre panier" });
});

test("a language is read for a caller after the one that it was being read for has left", async () => {
  const writer = await shop.open("two");
  await push(writer);
  await setTranslations(writer, "fr", [{ name: TITLE, text: { value: "Panier" } }], "overwrite");
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const intercept: Interceptor = async (request, pass) => {
    if (request.startsWith("GET /translations/fr")) {
      reached.resolve();
      await released.promise;
    }
    return pass();
  };
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const leaving = new AbortController();
  const first = window.refresher.ensureLocale("fr", { signal: leaving.signal });
  await reached.promise;
  leaving.abort(new Error("left"));
  const second = window.refresher.ensureLocale("fr");
  released.resolve();
  await expect(first).rejects.toThrow("left");
  await second;
  expect(window.project.translation("fr", keyHash(TITLE))?.text).toEqual({ value: "Panier" });
});

test("what is read is stored as a whole or read again, if the cache has to continue in memory meanwhile", async () => {
  const writer = await shop.open("two");
  await push(writer);
  let onPage = (): void => undefined;
  const intercept: Interceptor = (request, pass) => {
    if (request.includes("cursor=")) onPage();
    return pass();
  };
  const window = await shop.open("one", { intercept, maxItems: { ...FEW_ITEMS, page: 2 } });
  onPage = () => window.project.database.continueInMemory(new Error("the disk is full"));
  expect(await window.refresher.refresh()).toBeNull();
  expect([window.project.keysComplete, window.project.freshness.kind]).toEqual([false, "fresh"]);
  expect(await window.refresher.refresh()).not.toBeNull();
  expect(window.project.keys.size).toBe(6);
});

test("moves the cursor past a push, unless a refresh stored another one meanwhile", async () => {
  let whileWaiting = (): void => undefined;
  const real = realClock();
  // A push waits for the end of the second.
  const sleep = (pause: number, signal?: AbortSignal): Promise<void> =>
    pause === 1_000 ? Promise.resolve(whileWaiting()) : real.sleep(pause, signal);
  const clock = { ...real, sleep };
  const window = await shop.open("one", { clock });
  await push(window);
  const stats = await window.refresher.refresh();
  const { syncMetadata } = window.project;
  const cursor = syncMetadata.cursor();
  if (stats === null || cursor === null) throw new Error("not refreshed");
  const storedAt = "2030-01-01T00:00:00Z";
  const apply = (): Promise<void> => window.refresher.applyPush(stats, 1_000_000, storedAt);
  // What others changed before the push has not been read.
  await window.refresher.applyPush(
    { ...stats, contentVersion: stats.contentVersion + 1 },
    1_000_000,
    storedAt,
  );
  expect(syncMetadata.cursor()).toEqual(cursor);
  const later = { ...cursor, contentVersion: cursor.contentVersion + 1 };
  whileWaiting = () => syncMetadata.setCursor(later);
  await apply();
  expect(syncMetadata.cursor()).toEqual(later);
  syncMetadata.setCursor(cursor);
  const asNew = { ...cursor, since: "2029-01-01T00:00:00Z" };
  whileWaiting = () => syncMetadata.setCursor(asNew);
  await apply();
  expect(syncMetadata.cursor()).toEqual(asNew);
  syncMetadata.setCursor(cursor);
  whileWaiting = () => undefined;
  await apply();
  expect(syncMetadata.cursor()).toEqual({ ...cursor, since: storedAt });
});
