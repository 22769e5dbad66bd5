/** Pushes to a real local service: plan, requests, and the cost of a second push. */
import { contentOfProject } from "../../../../src/database/sync-metadata-repository.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../../src/api/errors.ts";
import {
  agreeToMapping,
  checkMapping,
  isMappingAgreed,
} from "../../../../src/sync/push/key-mapping-check.ts";
import { sendPush } from "../../../../src/sync/push/send-push.ts";
import { planPush, type LocalKey, type PushPlan } from "../../../../src/sync/push/push-plan.ts";
import {
  retrySourceLanguageChange,
  sourceLocaleOf,
} from "../../../../src/sync/handle-source-language-change.ts";
import { unparsedRanges } from "../../../../src/workspace/local-files/local-file.ts";
import { fastClock, realClock, sha1 } from "../../support/node-platform.ts";
import {
  FEW_ITEMS,
  openFixtureProject,
  FIXTURE_PROJECT_FILE,
  sourceKeys,
  type FixtureProject,
} from "../../support/fixture-project.ts";
import type { Interceptor, TestWindow } from "../../support/test-window.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
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

test("pushes everything once, then needs one request to find no changes", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const plan = await push(window);
  expect(plan.counts).toEqual({ new: 6, changed: 0, restored: 0, unchanged: 0, archive: 0 });
  expect(window.project.keys.size).toBe(6);
  window.takeRequests();
  const again = await planPush(window, await sourceKeys(window));
  expect(again.counts).toEqual({ new: 0, changed: 0, restored: 0, unchanged: 6, archive: 0 });
  expect(window.takeRequests()).toEqual(["POST /keys/diff"]);
});

test("stores what the service accepted in turns of the event loop, however long a key takes to read", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const plan = await planPush(window, await sourceKeys(window));
  const { keys } = window.project;
  const read = keys.get.bind(keys);
  let turn = 0;
  const turns: number[] = [];
  const isDone = new AbortController();
  const count = (): void => {
    turn++;
    if (!isDone.signal.aborted) setImmediate(count);
  };
  count();
  vi.spyOn(keys, "get").mockImplementation((hash) => {
    for (const end = performance.now() + 6; performance.now() < end;);
    turns.push(turn);
    return read(hash);
  });
  await sendPush(window, plan.items, []);
  isDone.abort();
  expect(turns).toHaveLength(6);
  expect(new Set(turns).size).toBe(6);
});

test("distinguishes changed, missing and restored keys", async () => {
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

test("reports entries without text and does not send them", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const keys = await sourceKeys(window);
  const [first, second] = keys.map(({ hash }) => hash);
  const emptied = keys.map((key) => {
    if (key.hash === first) return { ...key, text: { value: "" } };
    return key.hash === second ? { ...key, text: { forms: { one: "", other: "" } } } : key;
  });
  const plan = await planPush(window, emptied);
  expect(plan.empty.map(({ hash }) => hash)).toEqual([first, second]);
  expect(plan.counts).toMatchObject({ new: keys.length - 2 });
  await sendPush(window, plan.items, []);
  await window.refresher.refresh({ full: true });
  expect(window.project.keys.size).toBe(keys.length - 2);
});

test("knows pushed keys at once, and keeps the service's version", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const described = async (description: string | null): Promise<LocalKey[]> =>
    (await sourceKeys(window)).map((key) => ({ ...key, description }));
  const descriptions = (): unknown[] => [
    ...new Set([...window.project.keys.values()].map((key) => key.description)),
  ];
  await sendPush(window, (await planPush(window, await described("On a button"))).items, []);
  expect(descriptions()).toEqual(["On a button"]);
  // A file without descriptions takes none away, nor does one with empty ones.
  for (const none of [null, ""]) {
    await sendPush(window, (await planPush(window, await described(none))).items, []);
    expect(descriptions()).toEqual(["On a button"]);
  }
  await window.refresher.refresh({ full: true });
  expect(descriptions()).toEqual(["On a button"]);
});

test("stores nothing after a sign-out during the push", async () => {
  let isSent = (): void => undefined;
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (asked === "POST /keys/sync") isSent();
    return answer;
  };
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const plan = await planPush(window, await sourceKeys(window));
  isSent = window.signOut;
  await sendPush(window, plan.items, []);
  expect([...window.project.keys.values()]).toEqual([]);
});

test("leaves out a key with half a surrogate pair, and sends the others", async () => {
  const window = await shop.open();
  const keys = await sourceKeys(window);
  const [first, ...others] = keys;
  if (first === undefined) throw new Error("no keys");
  const plan = await planPush(window, [{ ...first, text: { value: "Half \ud83d" } }, ...others]);
  expect(plan.malformed.map(({ hash }) => hash)).toEqual([first.hash]);
  const { result } = await sendPush(window, plan.items, []);
  expect(result.created).toBe(others.length);
  const missing = await planPush(window, [{ ...first, text: { value: "\udc00" } }, ...others], {
    archiveMissing: true,
  });
  expect(missing.archive).toEqual([]);
});

test("stores nothing in a cache that another window took over during the push", async () => {
  let isSent = (): void => undefined;
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (asked === "POST /keys/sync") isSent();
    return answer;
  };
  const window = await shop.open("one", { intercept });
  const { syncMetadata } = window.project;
  syncMetadata.content = contentOfProject("first");
  const plan = await planPush(window, await sourceKeys(window));
  isSent = () => {
    syncMetadata.clear(contentOfProject("first"));
    syncMetadata.content = contentOfProject("second");
  };
  await sendPush(window, plan.items, []);
  expect([...window.project.keys.values()]).toEqual([]);
});

test("archives nothing and lists no keys if a source file is unparsed", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  await push(window);
  await shop.write("lang/en/cart.php", "<?php return [");
  window.local.invalidate();
  const ranges = unparsedRanges(await window.local.load());
  window.takeRequests();
  const plan = await planPush(window, await sourceKeys(window), {
    archiveMissing: true,
    unparsedRanges: ranges,
  });
  expect([plan.archive, plan.unparsedRanges.map(({ path }) => path)]).toEqual([[], ["lang/en/cart.php"]]);
  expect(window.takeRequests()).toEqual(["POST /keys/diff"]);
});

test("predicts and rejects only the key that would change its plurality", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  await push(window);
  await window.refresher.refresh();
  const keys = (await sourceKeys(window)).map((key) =>
    key.name.key === "items" ? { ...key, text: { value: "things" } } : key,
  );
  const plan = await planPush(window, keys);
  expect(plan.items.filter((item) => item.pluralSwitch).map((item) => item.name.key)).toEqual(["items"]);
  const items = plan.items.find((item) => item.pluralSwitch);
  const agreed = () => window.project.agreedTexts.get("en", items?.hash ?? "");
  const before = agreed();
  const done = await sendPush(window, plan.items, []);
  expect(done.result.rejected).toEqual([{ hash: items?.hash, reason: "plural_changed" }]);
  // What was refused is not agreed on: otherwise the file's text would count as changed at the service, and be pulled.
  expect([before, agreed()]).toEqual([expect.any(String), before]);
  // Nor is it shown as what the service has.
  expect(window.project.keys.get(items?.hash ?? "")?.isPlural).toBe(true);
});

test("doubts a mapping that would duplicate the project and names a better one", async () => {
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
  const verdict = await checkMapping(
    { ...window, files: FIXTURE_PROJECT_FILE.files ?? [] },
    await sourceKeys(window),
  );
  expect(verdict).toMatchObject({ kind: "suspicious", known: 2, local: 6 });
  if (verdict.kind !== "suspicious") return;
  expect(verdict.alternatives[0]).toMatchObject({ code: "namespace-in-key", known: 6 });
});

test("does not confirm a mapping without the service's keys", async () => {
  const intercept: Interceptor = (asked, pass) =>
    asked.startsWith("GET /keys")
      ? Promise.resolve(Response.json({ message: "Down" }, { status: 500 }))
      : pass();
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const verdict = await checkMapping(
    { ...window, files: FIXTURE_PROJECT_FILE.files ?? [] },
    await sourceKeys(window),
  );
  expect(verdict).toEqual({ kind: "unknown" });
});

test("remembers the confirmation of a mapping, also after signing out", async () => {
  const window = await shop.open();
  const files = FIXTURE_PROJECT_FILE.files ?? [];
  expect(isMappingAgreed(window.project, files)).toBe(false);
  agreeToMapping(window.project, files);
  expect(isMappingAgreed(window.project, files)).toBe(true);
  expect(isMappingAgreed(window.project, files.slice(1))).toBe(false);
  window.signOut();
  expect(isMappingAgreed(window.project, files)).toBe(true);
});

test("does not count keys behind a syntax error or code as missing", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  await push(window);
  const text = await shop.read("lang/en/cart.php");
  const archiving = async (changed: string): Promise<PushPlan> => {
    await shop.write("lang/en/cart.php", changed);
    window.local.invalidate();
    const keys = await sourceKeys(window);
    const ranges = unparsedRanges(await window.local.load());
    return planPush(window, keys, { archiveMissing: true, unparsedRanges: ranges });
  };
  const merging = await archiving(text.replace("'total'", "<<<<<<< HEAD\n    'total'"));
  expect(merging).toMatchObject({ archive: [], unparsedRanges: [{ path: "lang/en/cart.php", line: 13 }] });

  const calling = text.replace(/'voucher' => \[[^\]]*\]/u, "'voucher' => vouchers()");
  expect(calling).not.toBe(text);
  const called = await archiving(calling.replace(/.*total.*\n/u, ""));
  expect(called.archive.map((key) => key.key)).toEqual(["total"]);
  expect(called.unparsedRanges).toEqual([]);
});

test("counts the effect of a request whose response was lost", async () => {
  let lost = 1;
  const intercept: Interceptor = async (asked, pass) => {
    const answer = await pass();
    if (asked !== "POST /keys/sync" || lost-- <= 0) return answer;
    throw new TypeError("fetch failed");
  };
  const filler = await shop.open("filler");
  const keys = await sourceKeys(filler);
  const [gone, old] = keys;
  await sendPush(filler, (await planPush(filler, keys.slice(0, 3))).items, []);
  const archived = [...filler.project.keys.values()].filter(({ hash }) => hash === gone?.hash);
  await sendPush(filler, [], archived);

  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const changed = keys.map((key) => (key.hash === old?.hash ? { ...key, text: { value: "Other" } } : key));
  const plan = await planPush(window, changed);
  expect(plan.counts).toEqual({ new: 3, changed: 1, restored: 1, unchanged: 1, archive: 0 });
  const third = [...window.project.keys.values()].filter(({ hash }) => hash === keys[2]?.hash);
  window.takeRequests();
  const { result } = await sendPush(
    window,
    plan.items.filter((item) => item.change !== "unchanged"),
    third,
  );
  expect(window.takeRequests()).toEqual(["POST /keys/sync", "POST /keys/sync"]);
  expect(result).toEqual({ created: 3, updated: 1, restored: 1, unchanged: 0, archived: 1, rejected: [] });
});

test("counts keys pushed by others meanwhile as unchanged", async () => {
  const other = await shop.open("other");
  const window = await shop.open();
  await window.refresher.refresh();
  const plan = await planPush(window, await sourceKeys(window));
  await push(other);
  const { result } = await sendPush(window, plan.items, []);
  expect(result).toMatchObject({ created: 0, unchanged: 6 });
});

test("writes nothing over the key limit and reports the numbers", async () => {
  const small = await openFixtureProject({ keyLimit: 3 });
  try {
    const window = await small.open();
    await window.refresher.refresh();
    const plan = await planPush(window, await sourceKeys(window));
    const error = await sendPush(window, plan.items, []).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ kind: "key_limit_reached", limit: 3, used: 0, requested: 6 });
    expect(window.project.keys.size).toBe(0);
  } finally {
    await small.close();
  }
});

test("sends keys in requests of the size that the service accepts", async () => {
  const window = await shop.open("one", { maxItems: FEW_ITEMS });
  await window.refresher.refresh();
  const keys = Array.from({ length: 120 }, (_, index) => {
    const name = { namespace: "many", key: `key${index}`, context: null };
    return {
      hash: sha1(`many\u001fkey${index}\u001f`),
      name,
      text: { value: `Text ${index}` },
      description: null,
      path: "lang/en/many.php",
    };
  });
  window.takeRequests();
  const plan = await planPush(window, keys);
  expect(plan.counts.new).toBe(120);
  const done = await sendPush(window, plan.items, []);
  expect(done.result.created).toBe(120);
  const requests = ["diff", "diff", "sync", "sync", "sync"].map((each) => `POST /keys/${each}`);
  expect(window.takeRequests()).toEqual(requests);
  // Also of keys that are archived, each of which is gone then.
  const archived = await sendPush(window, [], [...window.project.keys.values()]);
  expect([archived.result.archived, archived.left.archive, window.project.keys.size]).toEqual([120, [], 0]);
});

test("reports partial success when a later request fails, and completes on the next push", async () => {
  let syncs = 0;
  const intercept: Interceptor = (asked, pass) =>
    asked === "POST /keys/sync" && ++syncs === 2
      ? Promise.resolve(Response.json({ message: "No" }, { status: 403 }))
      : pass();
  const window = await shop.open("one", { intercept, maxItems: FEW_ITEMS });
  await window.refresher.refresh();
  const keys = Array.from({ length: 60 }, (_, index) => {
    const name = { namespace: "many", key: `key${index}`, context: null };
    const hash = sha1(`many\u001fkey${index}\u001f`);
    return { hash, name, text: { value: `Text ${index}` }, description: null, path: "lang/en/many.php" };
  });
  const plan = await planPush(window, keys);
  const done = await sendPush(window, plan.items, []);
  expect(done).toMatchObject({
    result: { created: 50 },
    failure: { sent: 50, total: 60, error: { kind: "forbidden" } },
  });
  expect(window.project.keys.size).toBe(50);
  expect(window.project.activity.pushCounts).toEqual({ new: 10, changed: 0, restored: 0 });
  const rest = await planPush(window, keys);
  expect(rest.counts).toMatchObject({ new: 10, unchanged: 50 });
});

test("names refused keys and their files", async () => {
  const intercept: Interceptor = (asked, pass) =>
    asked === "POST /keys/sync"
      ? Promise.resolve(
          Response.json({ message: "No", errors: { "keys.1.value": ["Too long."] } }, { status: 422 }),
        )
      : pass();
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const plan = await planPush(window, await sourceKeys(window));
  const error = await sendPush(window, plan.items, []).catch((thrown: unknown) => thrown);
  const [, second] = plan.items;
  expect(error).toMatchObject({
    kind: "invalid",
    items: [{ ...second?.name, file: second?.path, field: "value", messages: ["Too long."] }],
  });
});

test("names a key that cannot be compared", async () => {
  const intercept: Interceptor = (asked, pass) =>
    asked === "POST /keys/diff"
      ? Promise.resolve(
          Response.json({ message: "No", errors: { "keys.0.hash": ["Bad."] } }, { status: 422 }),
        )
      : pass();
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const keys = await sourceKeys(window);
  const error = await planPush(window, keys).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ items: [{ ...keys[0]?.name, file: keys[0]?.path, field: "hash" }] });
});

test("without a readable comparison, compares with the stored keys only if these are as new as the statistics", async () => {
  const intercept: Interceptor = (asked, pass) =>
    asked === "POST /keys/diff" ? Promise.resolve(Response.json({ data: { different: true } })) : pass();
  const writer = await shop.open("two");
  await writer.refresher.refresh();
  await push(writer);
  const window = await shop.open("one", { intercept });
  await window.refresher.refresh();
  const title = async (): Promise<string | undefined> => {
    const { items } = await planPush(window, await sourceKeys(window));
    return items.find(({ name }) => name.key === "title")?.change;
  };
  expect(await title()).toBe("unchanged");
  await writer.client.sync({ keys: [{ namespace: "cart", key: "title", value: "Their cart" }] });
  // A refresh reads the statistics first, and shows them before it has read the keys.
  window.project.setStats(await window.client.stats(), { kind: "fresh", at: 0 });
  expect(await title()).toBe("unknown");
  await window.refresher.refresh({ priority: "person" });
  expect(await title()).not.toBe("unchanged");
});

test("archives only the selected of the missing keys", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  await push(window);
  const [one, two, ...others] = await sourceKeys(window);
  const only = new Set([one?.hash ?? "", others[0]?.hash ?? ""]);
  const plan = await planPush(window, others, { archiveMissing: true, only });
  expect(plan.archive.map(({ hash }) => hash)).toEqual([one?.hash]);
  expect(plan.archive).not.toContainEqual(expect.objectContaining({ hash: two?.hash }));
});

describe("the source language", () => {
  /** Answers of `GET /stats` with this language as the source's. */
  const withSource = async (pass: () => Promise<Response>, locale: string): Promise<Response> => {
    const { data } = (await (await pass()).json()) as { data: { languages: { locale: string }[] } };
    const languages = data.languages.map((each) => ({ ...each, isSource: each.locale === locale }));
    return Response.json({ data: { ...data, languages } });
  };
  const CHANGING = Response.json({ message: "x", reason: "source_language_change" }, { status: 409 });

  test("is requested before each plan, which fails without it", async () => {
    let source = "en";
    const intercept: Interceptor = (asked, pass) =>
      asked === "GET /stats" && source !== "none" ? withSource(pass, source) : pass();
    const window = await shop.open("one", { intercept });
    expect(sourceLocaleOf(await window.refresher.refreshKeys())).toBe("en");
    source = "nl";
    const stats = await window.refresher.refreshKeys();
    expect(sourceLocaleOf(stats)).toBe("nl");
    expect((await window.local.reload()).sourceLocale).toBe("nl");
    expect(() => sourceLocaleOf({ ...stats, languages: [] })).toThrow("no language is the source");
    window.goOffline();
    source = "none";
    await expect(window.refresher.refreshKeys()).rejects.toMatchObject({ kind: "offline" });
  });

  test("stops the sync if it changed after the plan", async () => {
    let source = "en";
    const window = await shop.open("one", {
      intercept: (asked, pass) => (asked === "GET /stats" ? withSource(pass, source) : pass()),
    });
    const sourceLocale = sourceLocaleOf(await window.refresher.refreshKeys());
    const plan = await planPush(window, await sourceKeys(window), { sourceLocale });
    source = "nl";
    window.takeRequests();
    await expect(sendPush(window, plan.items, [], { sourceLocale })).rejects.toMatchObject({
      kind: "busy",
      reason: "source_language_change",
    });
    expect(window.takeRequests()).toEqual(["GET /stats"]);
  });

  test.each(["POST /keys/diff", "POST /keys/sync"])(
    "is planned anew after waiting for a change at %s",
    async (request) => {
      let source = "en";
      const intercept: Interceptor = (asked, pass) => {
        if (asked === "GET /stats") return withSource(pass, source);
        if (asked !== request || source === "nl") return pass();
        source = "nl";
        return Promise.resolve(CHANGING.clone());
      };
      const window = await shop.open("one", { intercept });
      const work = async (): Promise<string[]> => {
        const sourceLocale = sourceLocaleOf(await window.refresher.refreshKeys());
        await window.local.reload();
        const keys = await sourceKeys(window);
        const plan = await planPush(window, keys, { sourceLocale });
        await sendPush(window, plan.items, [], { sourceLocale });
        return keys.map(({ name }) => name.key);
      };
      const waits: unknown[] = [];
      const sent = await retrySourceLanguageChange(work, {
        clock: fastClock(),
        onWait: (wait) => waits.push(wait?.kind ?? null),
      });
      expect(sent).toContain("extra");
      expect(waits).toEqual(["busy", null]);
      const there = (await window.client.keys()).data.map(({ source: { value } }) => value);
      expect(there).toContain("Je mandje");
      expect(there).not.toContain("Your cart");
    },
  );
});

describe("first push of 11,000 keys, in three requests, within the rate limit", () => {
  const many = (length = 11_000): LocalKey[] =>
    Array.from({ length }, (_, index) => ({
      hash: sha1(`many\u001fkey${index}\u001f`),
      name: { namespace: "many", key: `key${index}`, context: null },
      text: { value: `Text ${index}` },
      description: null,
      path: "lang/en/many.php",
    }));

  test("is not read back, and no request is refused", async () => {
    const limited = await openFixtureProject({ limits: { perToken: 40, perAddress: 600 } });
    try {
      const statuses: number[] = [];
      const intercept: Interceptor = async (_, pass) => {
        const answer = await pass();
        statuses.push(answer.status);
        return answer;
      };
      const window = await limited.open("one", { intercept, clock: realClock() });
      const stats = await window.refresher.refreshKeys();
      const plan = await planPush(window, many(), { sourceLocale: "en" });
      const { storedAt } = await sendPush(window, plan.items, [], { sourceLocale: "en" });
      await window.refresher.applyPush(stats, plan.items.length, storedAt ?? "");
      window.takeRequests();
      expect(await window.refresher.refresh({ skipRunning: true })).not.toBeNull();
      expect(window.takeRequests()).toEqual([
        "GET /stats",
        expect.stringMatching(/^GET \/keys\?.*updatedSince=/u),
      ]);
      expect(window.project.keys.size).toBe(11_000);
      expect(window.project.isComplete("nl")).toBe(true);
      expect(new Set(statuses)).toEqual(new Set([200]));

      // What somebody else does afterwards is seen, in few requests.
      const writer = await limited.open("two");
      await writer.client.sync({ keys: [{ namespace: "many", key: "key7", value: "Another text" }] });
      await window.refresher.refresh({ priority: "person" });
      expect(window.project.keys.get(plan.items[7]?.hash ?? "")?.text).toEqual({ value: "Another text" });
      expect(window.takeRequests().length).toBeLessThan(5);
    } finally {
      await limited.close();
    }
  });

  test("is read back if somebody else changed another key meanwhile", async () => {
    const window = await shop.open("one", { maxItems: FEW_ITEMS });
    await push(window);
    await window.refresher.refresh();
    const stats = await window.refresher.refreshKeys();
    const plan = await planPush(window, [...(await sourceKeys(window)), ...many(30)]);
    const writer = await shop.open("two");
    await writer.client.sync({ keys: [{ namespace: "cart", key: "title", value: "Your basket" }] });
    const items = plan.items.filter(({ change }) => change === "new");
    await sendPush(window, items, []);
    await window.refresher.applyPush(stats, items.length, "2030-01-01T00:00:00Z");
    await window.refresher.refresh({ skipRunning: true });
    const title = plan.items.find(({ name }) => name.key === "title")?.hash ?? "";
    expect(window.project.keys.get(title)?.text).toEqual({ value: "Your basket" });
  });
});
