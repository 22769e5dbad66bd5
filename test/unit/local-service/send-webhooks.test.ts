/** Deliveries to a real receiver: signature, retries with the same id, timeout, redirects. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { EVENT_KINDS } from "../../../src/local-service/service-settings.ts";
import { temporaryReceiver } from "../../service/support/temporary.ts";
import { start, temporaryFolder, type Harness } from "./harness.ts";

const SECRET = "s3cret";

async function receiver(answer?: Parameters<typeof temporaryReceiver>[1]) {
  const started = await temporaryReceiver(SECRET, answer);
  return { ...started, webhook: { url: started.url, secret: SECRET, events: [...EVENT_KINDS] } };
}

const languages = [{ locale: "nl" }, { locale: "de", fallback: ["nl"] }];
const sync = async (service: Harness, ...keys: string[]): Promise<unknown> =>
  service.data("POST", "/keys/sync", { keys: keys.map((key) => ({ key, value: key })) });
const translate = async (service: Harness, locale: string, key: string, value: string): Promise<unknown> =>
  service.data("PUT", `/translations/${locale}`, { translations: [{ key, value }] });

test("signs timestamp and raw body, and sends no texts", async () => {
  const { deliveries, faults, webhook } = await receiver();
  const service = await start({ slug: "shop", name: "Shop", languages, webhooks: [webhook] });
  await sync(service, "secret text");
  await vi.waitUntil(() => deliveries.length === 1);
  expect(deliveries[0]).toMatchObject({
    event: "keys.synced",
    project: { slug: "shop", name: "Shop" },
    data: { created: 1, updated: 0, restored: 0, archived: 0 },
  });
  expect(JSON.stringify(deliveries)).not.toContain("secret text");
  expect(faults).toEqual([]);
});

test("sends no event for a sync without changes or with archiving only", async () => {
  const { deliveries, webhook } = await receiver();
  const service = await start({ languages, webhooks: [webhook] });
  await sync(service, "a");
  await sync(service, "a");
  const [key] = await service.data<{ hash: string }[]>("GET", "/keys");
  await service.data("POST", "/keys/sync", { archive: [key?.hash] });
  await sync(service, "a");
  await vi.waitUntil(() => deliveries.length === 2);
  expect(deliveries.map(({ data }) => data)).toEqual([
    { created: 1, updated: 0, restored: 0, archived: 0 },
    { created: 0, updated: 0, restored: 1, archived: 0 },
  ]);
});

test("retries anything but 2xx with the same id and increasing delays, then gives up", async () => {
  const { deliveries, webhook } = await receiver((index) => ({
    status: [500, 300][index] ?? 302,
    headers: { location: "/elsewhere" },
  }));
  const timing = { retryDelaysMs: [100, 400] };
  const service = await start({ languages, webhooks: [webhook] }, { timing });
  await sync(service, "a");
  await vi.waitUntil(() => deliveries.length === 3, { timeout: 5_000 });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(deliveries.length).toBe(3);
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(1);
  const [first, second, third] = deliveries.map(({ at }) => at);
  expect(second! - first!).toBeGreaterThanOrEqual(95);
  expect(third! - second!).toBeGreaterThanOrEqual(395);
});

test("times out and retries a slow receiver", async () => {
  const { deliveries, webhook } = await receiver((index) => (index > 0 ? { status: 200 } : null));
  const service = await start(
    { languages, webhooks: [webhook] },
    { timing: { webhookAnswerMs: 150, retryDelaysMs: [50] } },
  );
  await sync(service, "a");
  await vi.waitUntil(() => deliveries.length === 2, { timeout: 5_000 });
  expect(service.logged.join("\n")).toMatch(/TimeoutError/u);
  expect(service.logged.join("\n")).not.toContain(SECRET);
});

test("delivers pending events after a restart", async () => {
  const folder = temporaryFolder();
  const { deliveries, webhook } = await receiver((index) => ({ status: index === 0 ? 503 : 204 }));
  const options = { data: join(folder, "store.sqlite"), timing: { retryDelaysMs: [700] } };
  const service = await start({ languages, webhooks: [webhook] }, options);
  await sync(service, "a");
  await vi.waitUntil(() => deliveries.length === 1);
  await service.stop();
  await start({ languages, webhooks: [webhook] }, options);
  await vi.waitUntil(() => deliveries.length === 2, { timeout: 5_000 });
  expect(deliveries[1]).toEqual({ ...deliveries[0], at: expect.any(Number) });
});

test("reports changed translations at once, then throttles", async () => {
  const { deliveries, webhook } = await receiver();
  const hook = { ...webhook, events: ["translations.updated" as const] };
  const service = await start({ languages, webhooks: [hook] }, { timing: { translationsUpdatedMs: 700 } });
  await sync(service, "a", "b");
  await translate(service, "nl", "a", "A");
  await vi.waitUntil(() => deliveries.length === 1);
  await translate(service, "nl", "b", "B");
  await translate(service, "de", "a", "A");
  await vi.waitUntil(() => deliveries.length === 2, { timeout: 5_000 });
  // By the service's own clock: how long a delivery travels is another matter.
  const [told, toldAgain] = deliveries.map(({ createdAt }) => Date.parse(createdAt));
  expect(toldAgain! - told!).toBeGreaterThanOrEqual(700);
  expect(deliveries.map(({ data }) => data["languages"])).toEqual([
    [{ locale: "nl", translated: 1, total: 2, percent: 50 }],
    [
      { locale: "nl", translated: 2, total: 2, percent: 100 },
      { locale: "de", translated: 1, total: 2, percent: 50 },
    ],
  ]);
  const [first, second] = deliveries.map(({ data }) => data);
  expect(Number(second?.["contentVersion"])).toBe(Number(first?.["contentVersion"]) + 2);
  expect(Date.parse(String(second?.["since"]))).toBeGreaterThan(Date.parse(String(first?.["since"])));
});

test("reports a completed language once until it is incomplete again", async () => {
  const { deliveries, webhook } = await receiver();
  const hook = { ...webhook, events: ["language.completed" as const] };
  const service = await start({ languages, webhooks: [hook] });
  await sync(service, "a");
  await translate(service, "nl", "a", "A");
  await translate(service, "nl", "a", "AA");
  await sync(service, "b");
  await translate(service, "nl", "b", "B");
  await vi.waitUntil(() => deliveries.length === 2);
  expect(deliveries.map(({ data }) => data)).toEqual([
    { language: { locale: "nl", name: "Nederlands", translated: 1, total: 1 } },
    { language: { locale: "nl", name: "Nederlands", translated: 2, total: 2 } },
  ]);
});

test("reports the counters of an import, or its error code", async () => {
  const { deliveries, webhook } = await receiver();
  const hook = { ...webhook, events: ["import.finished" as const] };
  const service = await start({ languages, webhooks: [hook], keyLimit: 1 });
  await service.upload({ "en.json": '{"a": "A"}', "nl.json": '{"a": "a"}' });
  await vi.waitUntil(() => deliveries.length === 1, { timeout: 5_000 });
  expect(deliveries[0]!.data).toMatchObject({
    job: { type: "import", status: "succeeded", error: null },
    import: {
      locales: ["en", "nl"],
      result: {
        newKeys: 1,
        newTranslations: 2,
        changedTranslations: 0,
        unchanged: 0,
        skipped: 0,
        placeholderErrors: 0,
      },
    },
  });
  await service.upload({ "en.json": '{"b": "B"}' });
  await vi.waitUntil(() => deliveries.length === 2, { timeout: 5_000 });
  expect(deliveries[1]!.data).toMatchObject({
    job: { status: "failed", error: { code: "key_limit_reached" } },
    import: { locales: ["en"], result: null },
  });
});

test("reports each of the four results of an AI job", async () => {
  const { deliveries, webhook } = await receiver();
  const hook = { ...webhook, events: ["ai_job.finished" as const] };
  const service = await start({ type: "laravel", languages, webhooks: [hook] });
  await service.data("POST", "/keys/sync", {
    keys: [
      { key: "a", value: "A" },
      { key: "b", value: ":b" },
      { key: "c", value: "C" },
    ],
  });
  await translate(service, "nl", "a", "a");
  await translate(service, "nl", "b", "b");
  await service.startAiJob({ locale: "xx" });
  await service.startAiJob({ locale: "de", budget: 1 });
  const cancelled = await service.startAiJob({ locale: "de" });
  service.cancelAiJob(cancelled);
  await vi.waitUntil(() => deliveries.length === 3, { timeout: 5_000 });
  const last = await service.startAiJob({ locale: "de" });
  await vi.waitUntil(() => deliveries.length === 4, { timeout: 5_000 });
  const jobs = deliveries.map(({ data }) => data["job"] as Record<string, unknown>);
  expect(jobs.map((job) => job["status"])).toEqual(["failed", "budget_exceeded", "cancelled", "completed"]);
  expect(jobs[3]).toMatchObject({
    id: last,
    locale: "de",
    translatedItems: 1,
    flaggedItems: 1,
    skippedItems: 1,
    error: null,
  });
  expect((await service.call("GET", `/jobs/${last}`)).status).toBe(404);
  const rows = await service.data<{ value: string | null }[]>("GET", "/translations/de");
  expect(rows.map((row) => row.value)).toEqual(["a", "b", null]);
});
