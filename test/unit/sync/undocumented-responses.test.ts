/**
 * The product against another implementation of the API document than the local service: each gap of the document
 * filled otherwise, and what the user gets all the same. Here: signing in, refreshing, pushing.
 */
import { afterEach, describe, expect, test } from "vitest";
import { createClient } from "../../../src/api/client.ts";
import { setTranslation, updateKey } from "../../../src/sync/edit/send-translations.ts";
import { keyHash } from "../../../src/model/key-hash.ts";
import { sendPush } from "../../../src/sync/push/send-push.ts";
import { planPush, type LocalKey, type PushPlan } from "../../../src/sync/push/push-plan.ts";
import { fastClock, recordingLog } from "../support/node-platform.ts";
import type { Variant } from "../support/alternative-responses.ts";
import {
  hashOf,
  LOGOUT,
  openAlternativeProject,
  TITLE,
  type AlternativeProject,
} from "../support/alternative-project.ts";
import { AlternativeService } from "../support/alternative-service.ts";
import type { TestWindow } from "../support/test-window.ts";

let other: AlternativeProject;
let service: AlternativeService;

afterEach(() => other.close());

async function start(variant: Variant = {}): Promise<void> {
  other = await openAlternativeProject(variant);
  service = other.service;
}

/** A window that is up to date. */
async function opened(variant: Variant = {}): Promise<TestWindow> {
  await start(variant);
  const window = await other.open();
  await window.refresher.refresh();
  expect(window.project.freshness.kind).toBe("fresh");
  return window;
}

const local = (texts: Record<string, LocalKey["text"]>): LocalKey[] =>
  Object.entries(texts).map(([path, text]) => {
    const [namespace = "*", key = ""] = path.split(".");
    const name = { namespace, key, context: null };
    return { hash: keyHash(name), name, text, description: null, path: "lang/en/x.php" };
  });
const SAME = {
  "cart.title": { value: "Your cart / basket" },
  "cart.items": { forms: { other: "items", one: "item" } },
  "*.Log out": { value: "Log out" },
};

describe("signing in", () => {
  const client = (token: string) =>
    createClient({
      baseUrl: service.baseUrl,
      token,
      fetch,
      clock: fastClock(),
      log: recordingLog(),
      locale: () => "nl",
    });

  test.each<[string, unknown, { key: string; name: string }[]]>([
    ["an object of profiles", { app: { title: "The app" } }, [{ key: "app", name: "The app" }]],
    [
      "an object of names",
      { app: "The app", web: "Site" },
      [
        { key: "app", name: "The app" },
        { key: "web", name: "Site" },
      ],
    ],
    ["names alone", ["app"], [{ key: "app", name: "app" }]],
    ["an empty object of PHP", [], []],
    ["nothing that can be read", 7, []],
  ])("reads the project with %s", async (_, exportProfiles, expected) => {
    await start({ exportProfiles });
    const record = await client(AlternativeService.token).project();
    expect(record).toMatchObject({ slug: "shop", name: "Webshop" });
    expect(record.exportProfiles).toMatchObject(expected);
    expect(record.exportProfiles).toHaveLength(expected.length);
    expect((await client(AlternativeService.token).stats()).languages.map(({ locale }) => locale)).toEqual([
      "en",
      "nl",
      "fr",
    ]);
  });

  test.each([true, false])("detects write access, from the body first: %s", async (bodyFirst) => {
    await start({ validatesBodyFirst: bodyFirst });
    expect(await client(AlternativeService.token).probeWriteScope()).toBe(true);
    expect(await client(AlternativeService.readToken).probeWriteScope()).toBe(false);
    expect(service.content.keys.size).toBe(3);
  });
});

describe("refreshing", () => {
  const variants: [string, Variant][] = [
    ["as it is", {}],
    ["times in whole seconds", { times: "seconds" }],
    ["no times at all", { times: "null" }],
    ["changes requests for in whole seconds only", { updatedSince: "seconds" }],
    ["changes that cannot be requests for", { updatedSince: "refused" }],
    ["small pages", { pageSize: 1 }],
    [
      "issues of unknown rules",
      {
        issues: [
          { rule: "x.y", level: "nit", placeholder: null, form: null, suggestion: null, more: 1 },
          { rule: "z", level: "error" },
        ],
      },
    ],
  ];

  test.each(variants)(
    "%s: reads everything, a change, an archived key and a removed one",
    async (_, variant) => {
      const window = await opened(variant);
      const { project } = window;
      expect(project.keys.size).toBe(3);
      expect(project.keys.get(hashOf(TITLE))).toMatchObject({
        ...TITLE,
        text: { value: "Your cart / basket" },
      });
      expect(project.translation("nl", hashOf({ namespace: "cart", key: "items" }))?.text).toEqual({
        forms: { one: "ding", other: "dingen" },
      });
      expect(project.translation("nl", hashOf(LOGOUT))).toMatchObject({ text: null, isTranslated: false });

      service.content.translate("nl", hashOf(LOGOUT), "Afmelden");
      service.content.put({ key: "New" }, "New");
      await window.refresher.refresh();
      expect(project.keys.size).toBe(4);
      expect(project.translation("nl", hashOf(LOGOUT))?.text).toEqual({ value: "Afmelden" });

      service.content.advanceTime(60);
      await window.client.sync({ keys: [], archive: [hashOf(TITLE)] });
      await window.refresher.refresh();
      expect(project.keys.has(hashOf(TITLE))).toBe(false);
      expect(project.translation("nl", hashOf(TITLE))).toBeUndefined();

      service.content.remove(hashOf(LOGOUT));
      await window.refresher.refresh();
      expect([...project.keys.values()].map(({ key }) => key).toSorted()).toEqual(["New", "items"]);
      expect(project.freshness.kind).toBe("fresh");
    },
  );

  test("does not retry a refused timestamp format", async () => {
    const window = await opened({ updatedSince: "seconds" });
    for (let round = 0; round < 2; round++) {
      window.takeRequests();
      service.content.translate("nl", hashOf(LOGOUT), `Afmelden ${round}`);
      await window.refresher.refresh();
    }
    const since = window.takeRequests().filter((request) => request.includes("updatedSince="));
    expect(since.length).toBeGreaterThan(0);
    expect(since.every((request) => !request.includes("."))).toBe(true);
  });

  test("starts over when cursors expire", async () => {
    await start({ pageSize: 1 });
    service.content.expiringCursors = 1;
    const window = await other.open();
    await window.refresher.refresh();
    expect(window.project.freshness.kind).toBe("fresh");
    expect(window.project.keys.size).toBe(3);
  });

  test("detects changes although the content version stays or decreases", async () => {
    const window = await opened();
    service.content.isVersionFrozen = true;
    service.content.translate("nl", hashOf(LOGOUT), "Afmelden");
    await window.refresher.refresh();
    expect(window.project.translation("nl", hashOf(LOGOUT))?.text).toEqual({ value: "Afmelden" });
    service.content.contentVersion = 1;
    service.content.texts.get("nl")?.delete(hashOf(TITLE));
    await window.refresher.refresh();
    expect(window.project.translation("nl", hashOf(TITLE))?.text).toBeNull();
  });

  test("waits for a Retry-After date and for another writer", async () => {
    const window = await opened();
    service.rateLimitResponses = 1;
    service.busyResponses = 2;
    expect(await updateKey(window, TITLE, { maxLength: 20 })).toMatchObject({ maxLength: 20 });
  });

  test("does not undo edits and pushes made while pages are read", async () => {
    const window = await opened({ pageSize: 1 });
    const title = { ...SAME, "cart.title": { value: "Your basket" } };
    const edit = { name: LOGOUT, text: { value: "Afmelden" }, version: null };
    const done: string[] = [];
    // Each happens once, after the page of its key was answered and before the last one is.
    service.beforeResponse = async (request) => {
      if (!request.includes("cursor=") || request.includes("namespace=")) return;
      const kind = request.includes("/keys") ? "push" : "edit";
      if (done.includes(kind)) return;
      done.push(kind);
      if (kind === "edit") expect((await setTranslation(window, "nl", edit)).kind).toBe("done");
      else await sendPush(window, (await planPush(window, local(title))).items, []);
    };
    service.content.translate("nl", hashOf(TITLE), "Je kar");
    const before = service.content.keys.get(hashOf(TITLE));
    // The list is ordered by what came first, so the pushed key stands on the first page.
    expect([...service.content.keys.values()][0]).toBe(before);
    await window.refresher.refresh({ full: true });
    expect(done).toEqual(["push", "edit"]);
    expect(window.project.keys.get(hashOf(TITLE))?.text).toEqual({ value: "Your basket" });
    expect(window.project.translation("nl", hashOf(LOGOUT))?.text).toEqual({ value: "Afmelden" });
    expect(window.project.translation("nl", hashOf(TITLE))?.text).toEqual({ value: "Je kar" });
  });

  test("handles writes of others during a read with one more request", async () => {
    const window = await opened();
    const items = hashOf({ namespace: "cart", key: "items" });
    service.content.translate("nl", items, { one: "stuk", other: "stuks" });
    service.beforeResponse = async (request) => {
      if (request.includes("/translations/nl") && service.content.texts.get("nl")?.size === 2)
        service.content.translate("nl", hashOf(LOGOUT), "Afmelden");
    };
    window.takeRequests();
    await window.refresher.refresh();
    const requests = window.takeRequests();
    expect(requests.filter((request) => request.includes("/translations/"))).toHaveLength(1);
    expect(requests.filter((request) => request.includes("/stats"))).toHaveLength(2);
    expect(window.project.translation("nl", hashOf(LOGOUT))?.text).toEqual({ value: "Afmelden" });
  });

  test("requests again for a refresh right after another", async () => {
    const window = await opened();
    await window.refresher.refresh();
    service.content.put({ key: "New" }, "New");
    await window.refresher.refresh();
    expect(window.project.keys.size).toBe(4);
  });
});

describe("pushing", () => {
  const changed = { ...SAME, "cart.title": { value: "Your basket" }, "cart.new": { value: "New" } };
  const send = (window: TestWindow, plan: PushPlan) =>
    sendPush(
      window,
      plan.items.filter((item) => item.change !== "unchanged"),
      plan.archive,
    );

  test.each<"near" | "counts" | "unreadable">(["near", "counts", "unreadable"])(
    "works with a diff response %s",
    async (diff) => {
      const window = await opened({ diff });
      const plan = await planPush(window, local(changed));
      expect(plan.counts).toEqual({ new: 1, changed: 1, restored: 0, unchanged: 2, archive: 0 });
      const { result } = await send(window, plan);
      expect(result).toEqual({
        created: 1,
        updated: 1,
        restored: 0,
        unchanged: 0,
        archived: 0,
        rejected: [],
      });
      expect(service.content.keys.get(hashOf(TITLE))?.text).toBe("Your basket");
      await window.refresher.refresh();
      const again = await planPush(window, local(changed));
      expect(again.items.every((item) => item.change === "unchanged")).toBe(true);
    },
  );

  test("sends everything if the diff is unreadable and the cache is old", async () => {
    const window = await opened({ diff: "unreadable" });
    service.content.put({ namespace: "cart", key: "title" }, "A colleague's words");
    const plan = await planPush(window, local(SAME));
    expect(plan.items.map((item) => item.change)).toEqual(["unknown", "unknown", "unknown"]);
    expect((await send(window, plan)).result).toMatchObject({ updated: 1, unchanged: 2 });
    expect(window.project.activity.pushCounts).toEqual({ new: 0, changed: 0, restored: 0 });
  });

  test("archives missing keys even if pages expire and nothing else is sent", async () => {
    const window = await opened({ pageSize: 1 });
    service.content.expiringCursors = 1;
    const { "*.Log out": _, ...fewer } = SAME;
    const plan = await planPush(window, local(fewer), { archiveMissing: true });
    expect(plan.archive.map((key) => key.key)).toEqual(["Log out"]);
    const { result } = await send(window, plan);
    expect(result.archived).toBe(1);
    expect(window.project.keys.has(hashOf(LOGOUT))).toBe(false);
    const back = await planPush(window, local(SAME));
    expect(back.counts).toMatchObject({ restored: 1, unchanged: 2 });
  });

  test("reports unknown rejection reasons and continues", async () => {
    const window = await opened();
    const texts = { ...SAME, "cart.title": { value: "FORBIDDEN" }, "cart.new": { value: "New" } };
    const { result } = await send(window, await planPush(window, local(texts)));
    expect(result).toMatchObject({ created: 1, rejected: [{ hash: hashOf(TITLE), reason: "profanity" }] });
    expect(window.project.keys.get(hashOf(TITLE))?.text).toEqual({ value: "Your cart / basket" });
  });

  test("counts only what was sent before a failure", async () => {
    const window = await opened();
    const many = Object.fromEntries(
      Array.from({ length: 12_000 }, (_, index) => [`many.k${index}`, { value: "x" }]),
    );
    const plan = await planPush(window, local(many));
    const archive = [...window.project.keys.values()];
    const { client } = window;
    let requests = 0;
    const failing = {
      ...window,
      client: {
        ...client,
        sync: (...given: Parameters<typeof client.sync>) => {
          if (++requests === 2) throw new Error("gone");
          return client.sync(...given);
        },
      },
    };
    const twice = [
      ...archive,
      ...Array.from({ length: 6000 }, (_, index) => ({ ...archive[0]!, hash: `${index}` })),
    ];
    const done = await sendPush(failing, plan.items, twice);
    expect(done.failure).toMatchObject({ sent: 10_000, total: 18_003 });
    expect(window.project.keys.size).toBe(5000);
  });
});
