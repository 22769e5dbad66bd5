/** A push against a real local service: what is planned, what is sent, and what a second one costs. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiError } from "../../../../src/api/errors.ts";
import { checkMapping } from "../../../../src/core/mapping-guard.ts";
import { overLimit, planPush, sendPush, type PushPlan } from "../../../../src/core/push.ts";
import { unreadIn } from "../../../../src/core/unread.ts";
import { openShop, SHOP_FILE, sourceKeys, type Shop } from "../../support/shop.ts";
import type { Between, TestWindow } from "../../support/window.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const push = async (window: TestWindow): Promise<PushPlan> => {
  const plan = await planPush(window, await sourceKeys(window));
  await sendPush(
    window,
    plan.items.filter((item) => item.change !== "unchanged"),
    [],
  );
  return plan;
};

test("everything is new once; then nothing is, and that costs one request", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const plan = await push(window);
  expect(plan.counts).toEqual({ new: 6, changed: 0, restored: 0, unchanged: 0, archive: 0 });
  expect(window.project.keys.size).toBe(6);
  window.taken();
  const again = await planPush(window, await sourceKeys(window));
  expect(again.counts).toEqual({ new: 0, changed: 0, restored: 0, unchanged: 6, archive: 0 });
  expect(window.taken()).toEqual(["POST /keys/diff"]);
});

test("a changed text, a missing key and a restored one are told apart", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  await push(window);
  await window.refresher.refresh();
  const text = await shop.read("lang/en/cart.php");
  await shop.write("lang/en/cart.php", text.replace("Your cart", "Your basket").replace(/.*total.*\n/u, ""));
  window.local.invalidate();
  const plan = await planPush(window, await sourceKeys(window), { archiveMissing: true });
  expect(plan.counts).toEqual({ new: 0, changed: 1, restored: 0, unchanged: 4, archive: 1 });
  expect(plan.items.find((item) => item.change === "changed")?.service?.text).toEqual({ value: "Your cart" });
  expect(plan.archive.map((key) => key.key)).toEqual(["total"]);
  const done = await sendPush(
    window,
    plan.items.filter((item) => item.change === "changed"),
    plan.archive,
  );
  expect(done.result).toMatchObject({ updated: 1, archived: 1, rejected: [] });

  await shop.write("lang/en/cart.php", text);
  window.local.invalidate();
  const back = await planPush(window, await sourceKeys(window));
  expect(back.counts).toMatchObject({ changed: 1, restored: 1 });
});

test("a key that would switch between singular and plural is foretold and refused by itself", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  await push(window);
  await window.refresher.refresh();
  const keys = (await sourceKeys(window)).map((key) =>
    key.name.key === "items" ? { ...key, text: { value: "things" } } : key,
  );
  const plan = await planPush(window, keys);
  expect(plan.items.filter((item) => item.pluralSwitch).map((item) => item.name.key)).toEqual(["items"]);
  const done = await sendPush(window, plan.items, []);
  expect(done.result.rejected).toEqual([{ hash: expect.any(String), reason: "plural_changed" }]);
});

test("a mapping that would double the project is doubted, and the fitting one is named", async () => {
  const window = await shop.open();
  // Somebody filled the project with every group in the key.
  const names = [...(await sourceKeys(window)), ...Array.from({ length: 4 }, (_, index) => index)];
  const keys = names.map((key) =>
    typeof key === "number"
      ? { key: `other.${key}`, value: "x" }
      : {
          key: key.name.namespace === "*" ? key.name.key : `${key.name.namespace}.${key.name.key}`,
          value: "x",
        },
  );
  await window.client.sync({ keys });
  await window.refresher.refresh();
  const verdict = checkMapping({ ...window, files: SHOP_FILE.files ?? [] }, await sourceKeys(window));
  expect(verdict).toMatchObject({ kind: "suspicious", known: 2, local: 6 });
  if (verdict.kind !== "suspicious") return;
  expect(verdict.alternatives[0]).toMatchObject({ code: "namespace-in-key", known: 6 });
});

test("keys behind a mistake or a piece of code in a source file are not taken for missing", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  await push(window);
  const text = await shop.read("lang/en/cart.php");
  const archiving = async (changed: string): Promise<PushPlan> => {
    await shop.write("lang/en/cart.php", changed);
    window.local.invalidate();
    const keys = await sourceKeys(window);
    const unread = unreadIn(await window.local.load());
    return planPush(window, keys, { archiveMissing: true, unread });
  };
  const merging = await archiving(text.replace("'total'", "<<<<<<< HEAD\n    'total'"));
  expect(merging).toMatchObject({ archive: [], unread: [{ path: "lang/en/cart.php", line: 13 }] });

  const calling = text.replace(/'voucher' => \[[^\]]*\]/u, "'voucher' => vouchers()");
  expect(calling).not.toBe(text);
  const called = await archiving(calling.replace(/.*total.*\n/u, ""));
  expect(called.archive.map((key) => key.key)).toEqual(["total"]);
  expect(called.unread).toEqual([]);
});

test("over the key limit nothing is written, and the numbers are told", async () => {
  const small = await openShop({ keyLimit: 3 });
  try {
    const window = await small.open();
    await window.refresher.refresh();
    const plan = await planPush(window, await sourceKeys(window));
    const error = await sendPush(window, plan.items, []).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(overLimit(error)).toEqual({ limit: 3, used: 0, requested: 6 });
    expect(window.project.keys.size).toBe(0);
  } finally {
    await small.close();
  }
});

test("12,000 keys go in requests of 10,000 and 5,000", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = Array.from({ length: 12_000 }, (_, index) => {
    const name = { namespace: "many", key: `key${index}`, context: null };
    return {
      hash: window.sha1(`many\u001fkey${index}\u001f`),
      name,
      text: { value: `Text ${index}` },
      description: null,
      path: "lang/en/many.php",
    };
  });
  window.taken();
  const plan = await planPush(window, keys);
  expect(plan.counts.new).toBe(12_000);
  const done = await sendPush(window, plan.items, []);
  expect(done.result.created).toBe(12_000);
  expect(window.taken()).toEqual([
    "POST /keys/diff",
    "POST /keys/diff",
    "POST /keys/sync",
    "POST /keys/sync",
    "POST /keys/sync",
  ]);
});

test("when a later request fails, what was done is told and known, and pushing again does the rest", async () => {
  let syncs = 0;
  const between: Between = (asked, pass) =>
    asked === "POST /keys/sync" && ++syncs === 2
      ? Promise.resolve(Response.json({ message: "No" }, { status: 403 }))
      : pass();
  const window = await shop.open("one", { between });
  await window.refresher.refresh();
  const keys = Array.from({ length: 6000 }, (_, index) => {
    const name = { namespace: "many", key: `key${index}`, context: null };
    const hash = window.sha1(`many\u001fkey${index}\u001f`);
    return { hash, name, text: { value: `Text ${index}` }, description: null, path: "lang/en/many.php" };
  });
  const plan = await planPush(window, keys);
  const done = await sendPush(window, plan.items, []);
  expect(done).toMatchObject({
    result: { created: 5000 },
    failure: { sent: 5000, total: 6000, error: { kind: "forbidden" } },
  });
  expect(window.project.keys.size).toBe(5000);
  expect(window.project.pushCounts).toEqual({ new: 1000, changed: 0, restored: 0 });
  const rest = await planPush(window, keys);
  expect(rest.counts).toMatchObject({ new: 1000, unchanged: 5000 });
});
