/** Deliveries after a restart, and of jobs that only this program can start; the others: test/service/local/webhooks.test.ts. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_KINDS } from "../../../src/local-service/service-settings.ts";
import { temporaryReceiver } from "../../service/support/temporary.ts";
import { start, temporaryFolder, type Harness } from "./harness.ts";
import { waitUntil } from "../support/wait-until.ts";

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

test("delivers pending events after a restart", async () => {
  const folder = temporaryFolder();
  const { deliveries, webhook } = await receiver((index) => ({ status: index === 0 ? 503 : 204 }));
  const options = { data: join(folder, "store.sqlite"), timing: { retryDelaysMs: [700] } };
  const service = await start({ languages, webhooks: [webhook] }, options);
  await sync(service, "a");
  await waitUntil(() => deliveries.length === 1);
  await service.stop();
  await start({ languages, webhooks: [webhook] }, options);
  await waitUntil(() => deliveries.length === 2);
  expect(deliveries[1]).toEqual({ ...deliveries[0], at: expect.any(Number) });
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
  await waitUntil(() => deliveries.length === 3);
  const last = await service.startAiJob({ locale: "de" });
  await waitUntil(() => deliveries.length === 4);
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
