/** § Events: each event with its data, the signature, and repeated deliveries. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { EVENT_KINDS } from "../../../src/local-service/service-settings.ts";
import { LIMITS } from "../../../src/local-service/specification-decisions.ts";
import {
  startService,
  type RunningService,
  type ServiceOptions,
} from "../../../src/local-service/start-service.ts";
import { api, TIMESTAMP } from "../support/http.ts";
import { imported, Walk, type Job } from "../support/keys.ts";
import { NO_LIMITS } from "../support/local-service.ts";
import { temporaryFolder, temporaryReceiver } from "../support/temporary.ts";

afterEach(() => {
  vi.useRealTimers();
});

interface Hooks {
  readonly webhooks: readonly { url: string; secret: string; events: readonly string[] }[];
}

async function start(
  project: Hooks,
  timing: ServiceOptions["timing"] = {},
): Promise<{ walk: Walk; running: RunningService }> {
  const file = join(temporaryFolder(), "project.json");
  const shop = {
    slug: "shop",
    name: "Webshop",
    type: "laravel",
    sourceLocale: "en",
    languages: [
      { locale: "nl", name: "Nederlands" },
      { locale: "nl-BE", fallback: ["nl"] },
    ],
    limits: NO_LIMITS,
  };
  writeFileSync(file, JSON.stringify({ ...shop, ...project }));
  const running = await startService({ project: file, timing });
  onTestFinished(() => running.stop());
  return { walk: new Walk(api(running)), running };
}

const project = { slug: "shop", name: "Webshop" };

describe("events", () => {
  test("sends keys.synced with counts and without texts", async () => {
    const received = await temporaryReceiver("s3cret");
    const { walk } = await start({
      webhooks: [{ url: received.url, secret: "s3cret", events: EVENT_KINDS }],
    });
    await walk.sync([{ key: "very secret key", value: "very secret text" }]);
    await walk.sync([
      { key: "very secret key", value: "another text" },
      { key: "b", value: "2" },
    ]);
    await walk.sync([], [walk.hash("b")]);
    await walk.sync([{ key: "b", value: "2" }], [walk.hash("very secret key")]);
    // Neither a sync without changes nor one that only archives is reported.
    await walk.sync([{ key: "b", value: "2" }]);
    await walk.sync([], [walk.hash("b")]);
    await walk.sync([{ key: "c", value: "3" }]);
    const deliveries = await received.wait("keys.synced", 4);
    expect(deliveries.map((delivery) => delivery.data)).toEqual([
      { created: 1, updated: 0, restored: 0, archived: 0 },
      { created: 1, updated: 1, restored: 0, archived: 0 },
      { created: 0, updated: 0, restored: 1, archived: 1 },
      { created: 1, updated: 0, restored: 0, archived: 0 },
    ]);
    for (const delivery of deliveries) expect(delivery.project).toEqual(project);
    expect(new Set(deliveries.map((delivery) => delivery.id)).size).toBe(4);
    expect(JSON.stringify(received.deliveries)).not.toContain("secret");
    expect(received.faults).toEqual([]);
  });

  test("sends translations.updated at most once in five minutes, and language.completed on completion", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const received = await temporaryReceiver("s");
    const { walk } = await start({ webhooks: [{ url: received.url, secret: "s", events: EVENT_KINDS }] });
    await walk.sync([
      { key: "a", value: "1" },
      { key: "b", value: "2" },
    ]);
    await walk.write("nl", [{ key: "a", value: "Een" }]);
    const [first] = await received.wait("translations.updated");
    expect(first?.data).toEqual({
      contentVersion: expect.any(Number),
      since: expect.stringMatching(TIMESTAMP),
      languages: [{ locale: "nl", translated: 1, total: 2, percent: 50 }],
    });
    await walk.write("nl", [{ key: "b", value: "Twee" }]);
    const [completed] = await received.wait("language.completed");
    expect(completed?.data).toEqual({
      language: { locale: "nl", name: "Nederlands", translated: 2, total: 2 },
    });
    vi.setSystemTime(Date.now() + 4 * 60_000);
    await walk.write("nl", [{ key: "a", value: "Eén" }]);
    await walk.sync([{ key: "a", value: "1, changed" }]);
    await received.wait("keys.synced", 2);
    expect(received.deliveries.filter((delivery) => delivery.event === "translations.updated").length).toBe(
      1,
    );
    await walk.write("nl-BE", [{ key: "a", value: "Ein" }]);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await walk.write("nl-BE", [{ key: "b", value: "Zwo" }]);
    const [, second] = await received.wait("translations.updated", 2);
    // What was held back is told now.
    expect(JSON.stringify(second?.data)).toContain('"locale":"nl"');
    expect(JSON.stringify(second?.data)).toContain('"locale":"nl-BE"');
    expect(received.faults).toEqual([]);
  });

  test("sends language.completed once until the language is incomplete again", async () => {
    const received = await temporaryReceiver("s");
    const { walk } = await start({
      webhooks: [{ url: received.url, secret: "s", events: ["language.completed"] }],
    });
    await walk.sync([{ key: "a", value: "1" }]);
    await walk.write("nl", [{ key: "a", value: "Een" }]);
    await walk.write("nl", [{ key: "a", value: "Eén" }]);
    await walk.sync([{ key: "b", value: "2" }]);
    await walk.write("nl", [{ key: "b", value: "Twee" }]);
    const deliveries = await received.wait("language.completed", 2);
    expect(deliveries.map((delivery) => delivery.data)).toEqual([
      { language: { locale: "nl", name: "Nederlands", translated: 1, total: 1 } },
      { language: { locale: "nl", name: "Nederlands", translated: 2, total: 2 } },
    ]);
  });

  test("sends import.finished for successful and failed imports", async () => {
    const received = await temporaryReceiver("s");
    const { walk } = await start({
      webhooks: [{ url: received.url, secret: "s", events: ["import.finished"] }],
    });
    await walk.sync([{ key: "have", value: "Have :name" }]);
    const fields = { locale: "nl", format: "json_js", namespace: walk.namespace };
    const done = await imported(walk.api, { "nl.json": '{"have": "Heb", "fresh": "Nieuw"}' }, fields);
    const failed = await imported(walk.api, { "sheet.csv": "no,preset\r\na,b\r\n" });
    const deliveries = await received.wait("import.finished", 2);
    const of = (job: Job) => deliveries.find((delivery) => (delivery.data["job"] as Job).id === job.id)?.data;
    expect(of(done)).toEqual({
      job: { id: done.id, type: "import", status: "succeeded", error: null, finishedAt: done.finishedAt },
      import: {
        id: expect.anything(),
        locales: ["nl"],
        result: {
          newKeys: 1,
          newTranslations: 2,
          changedTranslations: 0,
          unchanged: 0,
          skipped: 0,
          placeholderErrors: 1,
        },
      },
    });
    expect(of(failed)).toMatchObject({
      job: { id: failed.id, type: "import", status: "failed", error: { code: "needs_mapping" } },
      import: { result: null },
    });
    // Only what it follows.
    expect(new Set(received.deliveries.map((delivery) => delivery.event))).toEqual(
      new Set(["import.finished"]),
    );
    expect(received.faults).toEqual([]);
  });

  test("sends ai_job.finished for a job that no endpoint returns", async () => {
    const received = await temporaryReceiver("s");
    const { walk, running } = await start({
      webhooks: [{ url: received.url, secret: "s", events: ["ai_job.finished"] }],
    });
    await walk.sync([
      { key: "a", value: "1" },
      { key: "b", value: "2" },
    ]);
    await walk.write("nl", [{ key: "a", value: "Een" }]);
    const id = await running.startAiJob({ locale: "nl-BE" });
    const [delivery] = await received.wait("ai_job.finished");
    expect(delivery?.data).toEqual({
      job: {
        id,
        locale: "nl-BE",
        status: "completed",
        mode: expect.any(String),
        scope: expect.any(String),
        error: null,
        totalItems: 2,
        translatedItems: 1,
        flaggedItems: 0,
        failedItems: 0,
        skippedItems: 1,
        startedAt: expect.stringMatching(TIMESTAMP),
        finishedAt: expect.stringMatching(TIMESTAMP),
      },
    });
    expect((await walk.api.request("GET", `/jobs/${id}`)).status).toBe(404);
    expect((await walk.row("nl-BE", "a")).value).toBe("Een");
  });
});

describe("delivery", () => {
  test("sends each webhook its events, signed with its secret", async () => {
    const [one, two] = [await temporaryReceiver("first"), await temporaryReceiver("second")];
    const { walk } = await start({
      webhooks: [
        { url: one.url, secret: "first", events: ["keys.synced"] },
        { url: two.url, secret: "second", events: ["keys.synced", "translations.updated"] },
      ],
    });
    await walk.sync([{ key: "a", value: "1" }]);
    await walk.write("nl", [{ key: "a", value: "Een" }]);
    await two.wait("translations.updated");
    await one.wait("keys.synced");
    expect([...one.faults, ...two.faults]).toEqual([]);
    expect(one.deliveries.map((delivery) => delivery.event)).toEqual(["keys.synced"]);
  });

  test("sends both deliveries to one URL with two secrets", async () => {
    const received = await temporaryReceiver("first");
    const { walk } = await start({
      webhooks: [
        { url: received.url, secret: "first", events: ["keys.synced"] },
        { url: received.url, secret: "second", events: ["language.completed"] },
      ],
    });
    await walk.sync([{ key: "a", value: "1" }]);
    await walk.write("nl", [{ key: "a", value: "Een" }]);
    await received.wait("keys.synced");
    await received.wait("language.completed");
    // Signed with the second secret, so not with the first.
    expect(received.faults.map((fault) => fault.split(" ")[0])).toEqual(["signature"]);
  });

  test("retries any response but 2xx with increasing delay and the same id; follows no redirects", async () => {
    const elsewhere = await temporaryReceiver("s");
    const answers = [
      { status: 500 },
      { status: 302, headers: { location: elsewhere.url } },
      { status: 404 },
      { status: 200 },
    ];
    const received = await temporaryReceiver("s", (index) => answers[index] ?? { status: 200 });
    const { walk } = await start(
      { webhooks: [{ url: received.url, secret: "s", events: ["keys.synced"] }] },
      { retryDelaysMs: [100, 300, 900] },
    );
    await walk.sync([{ key: "a", value: "1" }]);
    const deliveries = await received.wait("keys.synced", 4);
    expect(new Set(deliveries.map((delivery) => delivery.id)).size).toBe(1);
    const gaps = deliveries.slice(1).map((delivery, index) => delivery.at - (deliveries[index]?.at ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(95);
    expect(gaps[1]).toBeGreaterThanOrEqual(295);
    expect(gaps[2]).toBeGreaterThanOrEqual(895);
    // The next event finds nothing left of the first one.
    await walk.sync([{ key: "b", value: "2" }]);
    await received.wait("keys.synced", 5);
    expect([received.deliveries.length, elsewhere.deliveries.length]).toEqual([5, 0]);
    expect(received.faults).toEqual([]);
  });

  test("gives up after the last delay", async () => {
    const received = await temporaryReceiver("s", (index) => ({ status: index < 3 ? 500 : 200 }));
    const { walk } = await start(
      { webhooks: [{ url: received.url, secret: "s", events: ["keys.synced"] }] },
      { retryDelaysMs: [10, 20] },
    );
    await walk.sync([{ key: "a", value: "1" }]);
    const [first] = await received.wait("keys.synced", 3);
    await walk.sync([{ key: "b", value: "2" }]);
    const deliveries = await received.wait("keys.synced", 4);
    expect(deliveries.map((delivery) => delivery.id === first?.id)).toEqual([true, true, true, false]);
  });

  test("times out after five seconds and retries", async () => {
    expect(LIMITS.webhookAnswerMs).toBe(5_000);
    const received = await temporaryReceiver("s", (index) => (index === 0 ? null : { status: 200 }));
    const { walk } = await start(
      { webhooks: [{ url: received.url, secret: "s", events: ["keys.synced"] }] },
      { webhookAnswerMs: 300, retryDelaysMs: [10] },
    );
    await walk.sync([{ key: "a", value: "1" }]);
    const [first, second] = await received.wait("keys.synced", 2);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(200);
    expect(second?.id).toBe(first?.id);
  });

  test("does not delay responses because of a slow receiver", async () => {
    const received = await temporaryReceiver("s", () => null);
    const { walk } = await start(
      { webhooks: [{ url: received.url, secret: "s", events: ["keys.synced"] }] },
      { webhookAnswerMs: 3_600_000 },
    );
    // Waiting for the receiver would take an hour each.
    for (let i = 0; i < 10; i += 1) await walk.sync([{ key: `k${i}`, value: "1" }]);
    await received.wait("keys.synced");
  });
});
