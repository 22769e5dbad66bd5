/** A push compares three sides of a source text: what was last agreed, the file, and the service. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SyncResult } from "../../../../src/api/response-schemas.ts";
import { PendingChangeQueries } from "../../../../src/database/pending-change-queries.ts";
import type { ProjectKey } from "../../../../src/database/records.ts";
import { contentOfProject } from "../../../../src/database/sync-metadata-repository.ts";
import { keyHash } from "../../../../src/model/key-hash.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { countPendingChanges } from "../../../../src/sync/count-pending-changes.ts";
import { overwritesService, planPush, type PushPlan } from "../../../../src/sync/push/push-plan.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import {
  FEW_ITEMS,
  openFixtureProject,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../../support/test-window.ts";

const ENGLISH = "lang/en/cart.php";
const cart = (key: string) => ({ namespace: "cart", key, context: null });

let shop: FixtureProject;
let window: TestWindow;
beforeEach(async () => {
  shop = await openFixtureProject();
  window = await shop.open();
  await push();
});
afterEach(() => shop.close());

async function plan(): Promise<PushPlan> {
  await window.refresher.refresh({ priority: "person" });
  await window.local.reload();
  return planPush(window, await sourceKeys(window));
}

/** Pushes as without a prompt: what somebody changed at the service is left. */
async function push(): Promise<PushPlan> {
  const planned = await plan();
  const items = planned.items.filter((item) => item.change !== "unchanged" && !overwritesService(item));
  await sendPush(window, items, []);
  return planned;
}

/** A source text that somebody else changed at the service. */
async function changeAtService(key: string, text: Text): Promise<void> {
  await window.client.sync({ keys: [{ namespace: "cart", key, ...text }], archive: [] }, {});
}

async function edit(before: string, after: string): Promise<void> {
  const text = await shop.read(ENGLISH);
  expect(text).toContain(before);
  await shop.write(ENGLISH, text.replace(before, after));
}

async function atService(key: string): Promise<unknown> {
  const { data } = await window.client.keys({ namespace: "cart" });
  return data.find((each) => each.key === key)?.source;
}

const sides = ({ items }: PushPlan): readonly string[] =>
  items.flatMap(({ name, change, side }) => (change === "unchanged" ? [] : `${name.key} ${change} ${side}`));

const counts = async () => {
  await window.refresher.refresh({ priority: "person" });
  const local = await window.local.reload();
  return countPendingChanges(window.project, local, new PendingChangeQueries(window.database));
};

/** Numbers of the plan, of Activity after it, and of the count from the database, which have to be the same. */
async function changedEverywhere(): Promise<readonly (number | undefined)[]> {
  const planned = await plan();
  const { toPush } = await counts();
  return [planned.counts.changed, window.project.activity.pushCounts?.changed, toPush?.changed];
}

test("a text changed at the service stays, and then a text changed in the file is pushed", async () => {
  await changeAtService("title", { value: "Your bag" });
  const planned = await push();
  expect(sides(planned)).toEqual(["title changed service"]);
  expect(planned.counts).toMatchObject({ changed: 0, new: 0 });
  expect(await atService("title")).toEqual({ value: "Your bag" });
  expect(await changedEverywhere()).toEqual([0, 0, 0]);
  expect(await counts()).toMatchObject({ sourceAtService: 1, conflicts: 0 });

  await edit("Voucher code", "Code of the voucher");
  expect(await changedEverywhere()).toEqual([1, 1, 1]);
  expect(sides(await push())).toEqual(["title changed service", "voucher.label changed file"]);
  expect(await atService("title")).toEqual({ value: "Your bag" });
  expect(await atService("voucher.label")).toEqual({ value: "Code of the voucher" });

  await edit("Your cart", "Your bag");
  expect(sides(await push())).toEqual([]);
  expect(await counts()).toMatchObject({ sourceAtService: 0, conflicts: 0 });
  await edit("Your bag", "Your sack");
  expect(sides(await push())).toEqual(["title changed file"]);
  expect(await atService("title")).toEqual({ value: "Your sack" });
});

test("a text changed on both sides is a conflict, and then either is taken", async () => {
  await changeAtService("title", { value: "Your bag" });
  await edit("Your cart", "Your basket");
  const planned = await push();
  expect(planned.items.find(({ name }) => name.key === "title")).toMatchObject({
    side: "both",
    text: { value: "Your basket" },
    service: { text: { value: "Your bag" } },
  });
  expect(await atService("title")).toEqual({ value: "Your bag" });
  expect(await changedEverywhere()).toEqual([0, 0, 0]);
  expect(await counts()).toMatchObject({ sourceAtService: 0, conflicts: 1 });

  // Checked in the preview, or named by its hash.
  await sendPush(
    window,
    planned.items.filter(({ side }) => side === "both"),
    [],
  );
  expect(await atService("title")).toEqual({ value: "Your basket" });
  expect(sides(await push())).toEqual([]);
  expect(await counts()).toMatchObject({ conflicts: 0 });

  await changeAtService("title", { value: "Your sack" });
  await edit("Your basket", "Your trolley");
  expect(sides(await push())).toEqual(["title changed both"]);
  await edit("Your trolley", "Your sack");
  expect(sides(await push())).toEqual([]);
  expect(await counts()).toMatchObject({ conflicts: 0, sourceAtService: 0 });
});

test("the count keeps its number when a text is sent that somebody changed at the service", async () => {
  await changeAtService("title", { value: "Your bag" });
  await edit("Voucher code", "Code");
  const planned = await plan();
  await sendPush(window, planned.items.filter(overwritesService), []);
  expect(window.project.activity.pushCounts?.changed).toBe(1);
  expect(await changedEverywhere()).toEqual([1, 1, 1]);
});

test("a text that is changed between the refresh and the comparison stays", async () => {
  await window.refresher.refresh({ priority: "person" });
  await window.local.reload();
  const keys = await sourceKeys(window);
  await changeAtService("title", { value: "Your bag" });
  expect(sides(await planPush(window, keys))).toEqual(["title changed service"]);
});

test("a text of which nothing was agreed is pushed", async () => {
  await window.project.agreedTexts.forget(["en"], [keyHash(cart("title"))]);
  await changeAtService("title", { value: "Your bag" });
  expect(sides(await push())).toEqual(["title changed unknown"]);
  expect(await atService("title")).toEqual({ value: "Your cart" });
});

test("more keys than one look-up has are compared", async () => {
  const entries = Array.from({ length: 2_500 }, (_, index) => `    'k${index}' => 'text ${index}',\n`);
  await edit("    'title'", `${entries.join("")}    'title'`);
  await push();
  const keys = Array.from({ length: 2_500 }, (_, index) => {
    return { namespace: "cart", key: `k${index}`, value: `theirs ${index}` };
  });
  await window.client.sync({ keys, archive: [] }, {});
  const planned = await plan();
  expect(planned.items.filter(({ side }) => side === "service")).toHaveLength(2_500);
  expect(planned.counts.changed).toBe(0);
});

test("what only the service has of a key stays", async () => {
  const hash = keyHash(cart("title"));
  const details = { maxLength: 20, tags: ["web"] };
  await window.client.updateKey(hash, details);
  await edit("Your cart", "Your basket");
  await push();
  const expected = { ...details, text: { value: "Your basket" } };
  expect(window.project.keys.get(hash)).toMatchObject(expected);
  await window.refresher.refresh({ full: true });
  expect(window.project.keys.get(hash)).toMatchObject(expected);
});

test("the keys are read back after one was restored, whose details only the service has", async () => {
  const storedAt = async (change: string): Promise<string | null> => {
    const items = (await plan()).items.filter((item) => item.change === change);
    expect(items).toHaveLength(1);
    return (await sendPush(window, items, [])).storedAt;
  };
  await edit("Voucher code", "Code");
  expect(await storedAt("changed")).toEqual(expect.any(String));
  const nothing = { new: 0, changed: 0, restored: 0 };
  expect(window.project.activity.pushCounts).toEqual(nothing);
  await window.client.sync({ keys: [], archive: [keyHash(cart("title"))] });
  expect(await storedAt("restored")).toBeNull();
  // What was sent is not counted any more.
  expect(window.project.activity.pushCounts).toEqual(nothing);
});

test("a key that was sent has another time of change if only its description changed", async () => {
  const hash = keyHash(cart("title"));
  const { keys, syncMetadata } = window.project;
  const earlier = "2020-01-01T00:00:00Z";
  const timeAfter = async (description: string | null): Promise<string | null | undefined> => {
    const known = keys.get(hash);
    if (known === undefined) throw new Error("no key");
    keys.put([{ ...known, updatedAt: earlier }], syncMetadata.nextRevision());
    const local = (await sourceKeys(window)).filter((key) => key.hash === hash);
    const { items } = await planPush(window, [{ ...(local[0] as (typeof local)[number]), description }]);
    await sendPush(window, items, []);
    return keys.get(hash)?.updatedAt;
  };
  expect(await timeAfter("On a button")).not.toBe(earlier);
  expect(await timeAfter(null)).toBe(earlier);
});

test("keys that a failed push did not archive any more stay, with what was agreed on", async () => {
  let refused = Infinity;
  let count = 0;
  const intercept: Interceptor = (asked, pass) =>
    asked === "POST /keys/sync" && ++count === refused
      ? Promise.resolve(Response.json({ message: "No" }, { status: 403 }))
      : pass();
  const few = await shop.open("few", { intercept, maxItems: FEW_ITEMS });
  await few.refresher.refresh();
  const names = Array.from({ length: 60 }, (_, index) => {
    return { namespace: "many", key: `key${index}`, context: null };
  });
  const local = names.map((name) => {
    const hash = keyHash(name);
    return { hash, name, text: { value: name.key }, description: null, path: "lang/en/many.php" };
  });
  await sendPush(few, (await planPush(few, local)).items, []);
  const { keys, agreedTexts } = few.project;
  const all = local.flatMap(({ hash }) => keys.get(hash) ?? []);
  refused = count + 2;
  const { left } = await sendPush(few, [], all);
  const hashes = left.archive.map(({ hash }) => hash);
  expect([all.length, hashes]).toEqual([60, local.slice(50).map(({ hash }) => hash)]);
  expect(local.filter(({ hash }) => keys.has(hash)).map(({ hash }) => hash)).toEqual(hashes);
  const agreed = agreedTexts.of(
    "en",
    local.map(({ hash }) => hash),
  );
  expect([...agreed.keys()].toSorted()).toEqual(hashes.toSorted());
  // And then all are archived, in as many requests.
  refused = Infinity;
  expect((await sendPush(few, [], all)).left.archive).toEqual([]);
  expect(local.filter(({ hash }) => keys.has(hash))).toEqual([]);
});

test("nothing about archived keys is stored in a cache that another window took over meanwhile", async () => {
  await window.client.sync({ keys: [], archive: [keyHash(cart("title"))] });
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (asked === "POST /keys/diff") {
      syncMetadata.clear(contentOfProject("first"));
      syncMetadata.content = contentOfProject("second");
    }
    return answer;
  };
  const taken = await shop.open("taken", { intercept });
  const { syncMetadata } = taken.project;
  syncMetadata.content = contentOfProject("first");
  expect(sides(await planPush(taken, await sourceKeys(taken)))).toContain("title restored none");
  expect(taken.database.column("SELECT hash FROM archived_keys")).toEqual([]);
});

describe("whether keys need to be read back", () => {
  const KEYS = ["title", "total"];
  const date = "Sat, 01 Jan 2022 00:00:07 GMT";
  const nothing = { created: 0, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };
  const rejected = [{ hash: "0".repeat(40), reason: "plural_changed" }];
  // Until the end of the second of the last answer.
  const known = "2022-01-01T00:00:07.999Z";

  test("is decided by the answer: not if it counts each key, and has a time", async () => {
    const answers: readonly [string, Partial<SyncResult>, string | null, Record<string, string>?][] = [
      ["each was created or changed", { created: 1, updated: 1, archived: 1 }, known],
      ["some were there already", { updated: 1, unchanged: 1, archived: 1 }, known],
      ["some were refused", { created: 1, rejected, archived: 1 }, known],
      ["too few", { created: 1, archived: 1 }, null],
      ["too many", { created: 2, updated: 1, archived: 1 }, null],
      ["one was restored, with details of its own", { created: 1, restored: 1, archived: 1 }, null],
      ["one was not archived", { created: 1, updated: 1 }, null],
      ["no time", { created: 1, updated: 1, archived: 1 }, null, {}],
      ["a time that is none", { created: 1, updated: 1, archived: 1 }, null, { date: "today" }],
    ];
    const { items } = await plan();
    const sent = items.filter(({ name }) => KEYS.includes(name.key));
    const archived = window.project.keys.get(keyHash(cart("voucher.label")));
    if (archived === undefined) throw new Error("no key");
    for (const [answer, result, expected, headers = { date }] of answers) {
      const client: TestWindow["client"] = {
        ...window.client,
        sync: async (_body, options) => {
          options?.onResponse?.({ headers: new Headers(headers), bytes: new Uint8Array() });
          return { ...nothing, ...result };
        },
      };
      const { storedAt } = await sendPush({ ...window, client }, sent, [archived]);
      expect(storedAt, answer).toBe(expected);
    }
  });

  test("is known since the last of several answers", async () => {
    const { items } = await plan();
    const sent = items.filter(({ name }) => KEYS.includes(name.key));
    const dates = ["Sat, 01 Jan 2022 00:00:03 GMT", date];
    const client: TestWindow["client"] = {
      ...window.client,
      maxItems: { ...window.client.maxItems, sync: 1 },
      sync: async (_body, options) => {
        options?.onResponse?.({
          headers: new Headers({ date: dates.shift() ?? "" }),
          bytes: new Uint8Array(),
        });
        return { ...nothing, unchanged: 1 };
      },
    };
    const steps: unknown[] = [];
    const onProgress = (done: number, total: number) => steps.push([done, total]);
    expect(await sendPush({ ...window, client }, sent, [], { onProgress })).toMatchObject({
      storedAt: known,
    });
    expect(steps).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });
});

test("names the key that cannot be archived", async () => {
  const intercept: Interceptor = (asked, pass) =>
    asked === "POST /keys/sync"
      ? Promise.resolve(
          Response.json({ message: "No", errors: { "archive.1.hash": ["Bad."] } }, { status: 422 }),
        )
      : pass();
  const refusing = await shop.open("refusing", { intercept });
  const { items } = await plan();
  const [first] = items;
  const archived = ["title", "total"].map((key) => ({
    ...cart(key),
    context: "menu",
    hash: keyHash(cart(key)),
  }));
  const error = await sendPush(refusing, first === undefined ? [] : [first], archived as ProjectKey[]).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    items: [{ ...cart("total"), context: "menu", field: "hash", messages: ["Bad."] }],
  });
});
