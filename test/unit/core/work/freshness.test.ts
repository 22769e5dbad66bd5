/** What a refresh may lean on and what not: other callers, other windows, and services that tell less than ours. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { setTranslations } from "../../../../src/core/edit.ts";
import { keyHash } from "../../../../src/core/identity.ts";
import { planPush, sendPush, type LocalKey } from "../../../../src/core/push.ts";
import { openShop, sourceKeys, type Shop } from "../../support/shop.ts";
import type { Between, TestWindow } from "../../support/window.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const push = async (window: TestWindow, keys: readonly LocalKey[]): Promise<void> => {
  await sendPush(window, (await planPush(window, keys)).items, []);
};

/** Enough keys in another namespace that reading everything costs three pages. */
const manyKeys = (window: TestWindow): LocalKey[] =>
  Array.from({ length: 2200 }, (_, index) => {
    const name = { namespace: "many", key: `key${index}`, context: null };
    const hash = keyHash(window.sha1, name);
    return { hash, name, text: { value: `Text ${index}` }, description: null, path: "lang/en/many.php" };
  });

const TITLE = { namespace: "cart", key: "title", context: null };

/** Holds requests until `open` is called; says when the first one stands at it. */
function gate(held: (asked: string) => boolean) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const between: Between = async (asked, pass, signal) => {
    if (held(asked)) {
      reach();
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener("abort", () => reject(signal.reason as Error)),
      );
      await Promise.race([opened, aborted]);
    }
    return pass();
  };
  return { between, open, reached };
}

test("two who ask at the same time share one reading; one who leaves does not end the other's", async () => {
  const { between, open, reached } = gate((asked) => asked === "GET /stats");
  const window = await shop.open("one", { between });
  const leaving = new AbortController();
  const first = window.refresher.refresh({ signal: leaving.signal });
  const second = window.refresher.refresh({ signal: new AbortController().signal });
  await reached;
  const reason = new Error("somebody closed it");
  leaving.abort(reason);
  await expect(first).rejects.toBe(reason);
  open();
  expect((await second)?.languages.length).toBe(3);
  expect(window.taken().filter((asked) => asked === "GET /stats")).toHaveLength(1);
  expect(window.project.freshness.kind).toBe("fresh");
});

test("when everybody has left, the reading ends and nothing is told as a failure", async () => {
  const { between, reached } = gate((asked) => asked.startsWith("GET /keys"));
  const window = await shop.open("one", { between });
  const leaving = new AbortController();
  const only = window.refresher.refresh({ signal: leaving.signal });
  await reached;
  leaving.abort(new Error("left"));
  await expect(only).rejects.toThrow("left");
  expect(window.log.lines.filter((line) => line.includes("Refresh failed"))).toEqual([]);
  expect(window.project.session.kind).toBe("signed-in");
});

test("a person's refresh sees what was written after an earlier one had asked", async () => {
  const { between, open, reached } = gate((asked) => asked.startsWith("GET /translations/nl"));
  const writer = await shop.open("two");
  await push(writer, await sourceKeys(writer));
  const window = await shop.open("one", { between });
  const early = window.refresher.refresh();
  await reached;
  await push(writer, [
    ...(await sourceKeys(writer)).map((key) => ({ ...key, text: { value: "Another text" } })),
  ]);
  const late = window.refresher.refresh({ priority: "person" });
  const later = window.refresher.refresh({ priority: "person" });
  open();
  await Promise.all([early, late, later]);
  expect(window.project.keys.get(keyHash(window.sha1, TITLE))?.text).toEqual({ value: "Another text" });
  expect(window.taken().filter((asked) => asked === "GET /stats")).toHaveLength(2);
});

test("what arrives after somebody signed out is neither shown nor stored", async () => {
  const filler = await shop.open("two");
  await push(filler, await sourceKeys(filler));
  const { between, open, reached } = gate((asked) => asked.startsWith("GET /keys"));
  const window = await shop.open("one", { between });
  const running = window.refresher.refresh();
  await reached;
  window.signOut();
  await window.refresher.saved();
  window.written.splice(0);
  open();
  expect(await running).toBeNull();
  await window.refresher.saved();
  expect(window.project.keys.size).toBe(0);
  expect(window.project.stats).toBeNull();
  expect(window.written).toEqual([]);
});

test("a language that cannot be read leaves the others readable", async () => {
  const between: Between = async (asked, pass) =>
    asked.startsWith("GET /translations/nl") ? Response.json({ data: [{ hash: 1 }] }) : pass();
  const window = await shop.open("one", { between });
  await window.refresher.ensureLocale("fr");
  expect(await window.refresher.refresh()).toBeNull();
  expect(window.project.freshness).toMatchObject({ kind: "offline", error: "bad_response" });
  expect(window.project.rows("fr")?.complete).toBe(true);
  expect(window.project.rows("nl")).toBeUndefined();
  expect(window.project.keysComplete).toBe(true);
});

test("outdated marks arrive though no change of a translation tells of them, by the namespace alone", async () => {
  // A service may count only a person's edit as "last change of the translation".
  const between: Between = async (asked, pass) => {
    const answer = await pass();
    const isChanges = asked.startsWith("GET /translations/nl") && asked.includes("updatedSince=");
    if (!isChanges) return answer;
    return Response.json({ data: [], meta: { nextCursor: null, limit: 1000 } });
  };
  const window = await shop.open("one", { between });
  await window.refresher.refresh();
  const keys = [...(await sourceKeys(window)), ...manyKeys(window)];
  await push(window, keys);
  await setTranslations(window, "nl", [{ name: TITLE, text: { value: "Je mandje" } }], "overwrite");
  await window.refresher.refresh({ priority: "person" });
  const hash = keyHash(window.sha1, TITLE);
  expect(window.project.rows("nl")?.rows.get(hash)).toMatchObject({ isTranslated: true, isOutdated: false });
  await push(
    window,
    keys.map((key) => (key.hash === hash ? { ...key, text: { value: "Your basket" } } : key)),
  );
  window.taken();
  await window.refresher.refresh({ priority: "person" });
  expect(window.project.rows("nl")?.rows.get(hash)?.isOutdated).toBe(true);
  const asked = window.taken().filter((each) => each.startsWith("GET /translations/nl"));
  expect(asked).toEqual([
    expect.stringContaining("updatedSince="),
    expect.stringContaining("namespace=cart"),
  ]);
});

test("one change right after a large push costs three requests, not everything again", async () => {
  const window = await shop.open();
  const keys = [...(await sourceKeys(window)), ...manyKeys(window)];
  await push(window, keys);
  await window.refresher.refresh();
  const writer = await shop.open("two");
  const hash = keyHash(window.sha1, TITLE);
  await push(
    writer,
    keys.map((key) => (key.hash === hash ? { ...key, text: { value: "Your basket" } } : key)),
  );
  window.taken();
  await window.refresher.refresh();
  expect(window.project.keys.get(hash)?.text).toEqual({ value: "Your basket" });
  expect(window.taken()).toEqual([
    "GET /stats",
    expect.stringMatching(/^GET \/keys\?.*updatedSince=/u),
    expect.stringMatching(/^GET \/translations\/nl\?.*updatedSince=/u),
  ]);
});

test("keys that somebody archived are found without reading all of them again", async () => {
  const window = await shop.open();
  await push(window, [...(await sourceKeys(window)), ...manyKeys(window)]);
  await window.refresher.refresh();
  const hash = keyHash(window.sha1, TITLE);
  await window.client.sync({ keys: [], archive: [hash] });
  window.taken();
  await window.refresher.refresh();
  expect(window.project.keys.has(hash)).toBe(false);
  expect(window.project.keys.size).toBe(2205);
  const asked = window.taken().filter((each) => each.startsWith("GET /keys"));
  expect(asked.every((each) => each.includes("updatedSince="))).toBe(true);
  expect(asked.at(-1)).toContain("archived=");
});

test("after a day everything is read again, but only when something moved", async () => {
  const first = await shop.open();
  await push(first, await sourceKeys(first));
  await first.refresher.refresh();
  await first.refresher.saved();
  const tomorrow = await shop.open("one", { ahead: 25 * 60 * 60 * 1000 });
  await tomorrow.refresher.refresh();
  expect(tomorrow.taken()).toEqual(["GET /stats"]);
  await setTranslations(tomorrow, "nl", [{ name: TITLE, text: { value: "Je mandje" } }], "overwrite");
  await tomorrow.refresher.refresh({ priority: "person" });
  const asked = tomorrow.taken().filter((each) => each.startsWith("GET /translations/nl"));
  expect(asked.at(-1)).not.toContain("updatedSince");
});

test("an older window's cache under newer numbers is brought up to date, not believed", async () => {
  const old = await shop.open("old");
  await push(old, await sourceKeys(old));
  await old.refresher.refresh();
  await old.refresher.saved();
  const keysOfThen = await old.store.read("keys");
  const changed = (await sourceKeys(old)).map((key) =>
    key.name.key === "title" ? { ...key, text: { value: "Your basket" } } : key,
  );
  await push(old, changed);
  const newer = await shop.open("new");
  await newer.refresher.refresh();
  await newer.refresher.saved();
  // The old window writes last.
  if (keysOfThen !== undefined) await newer.store.write("keys", keysOfThen);
  const next = await shop.open("next");
  await next.refresher.refresh();
  expect(next.project.keys.get(keyHash(next.sha1, TITLE))?.text).toEqual({ value: "Your basket" });
});
