/** What an AI translation job writes, and its event. */
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AiRequest } from "../../../src/local-service/ai-translation-job.ts";
import type { ProjectFile } from "../../../src/local-service/service-settings.ts";
import { type Harness, start, temporaryFolder } from "./harness.ts";

const PROJECT: ProjectFile = {
  type: "laravel",
  languages: [
    { locale: "nl" },
    { locale: "fr" },
    { locale: "nl-BE", fallback: ["de", "fr", "nl"] },
    { locale: "en-GB", fallback: ["en"] },
  ],
  // Nobody listens there.
  webhooks: [{ url: "http://127.0.0.1:1/", secret: "s", events: ["ai_job.finished"] }],
};

interface World {
  readonly service: Harness;
  /** Runs a job to its end: how it ended, and its counters that are not zero. */
  readonly run: (request: AiRequest) => Promise<unknown>;
  readonly texts: (locale: string) => Promise<(readonly [string, string | null])[]>;
}

async function open(): Promise<World> {
  const data = join(temporaryFolder(), "store.sqlite");
  const service = await start(PROJECT, { data });
  return {
    service,
    run: async (request) => {
      const id = await service.startAiJob(request);
      const database = new DatabaseSync(data, { readOnly: true });
      const find = database.prepare(
        "SELECT body FROM deliveries WHERE event = 'ai_job.finished' AND body ->> '$.data.job.id' = ?",
      );
      let row: Record<string, unknown> | undefined;
      while ((row = find.get(id)) === undefined) await new Promise((resolve) => setImmediate(resolve));
      database.close();
      const { job } = (JSON.parse(row["body"] as string) as { data: { job: Record<string, unknown> } }).data;
      expect(job).toMatchObject({ id, locale: request.locale, mode: "fill_empty", scope: "untranslated" });
      const counters = Object.entries(job).filter(([name, count]) => name.endsWith("Items") && count !== 0);
      return [job["status"], job["error"], Object.fromEntries(counters)];
    },
    texts: async (locale) => {
      const rows = await service.data<{ key: string; value: string | null }[]>(
        "GET",
        `/translations/${locale}`,
      );
      return rows.map(({ key, value }) => [key, value] as const);
    },
  };
}

const sync = (service: Harness, keys: Readonly<Record<string, string>>): Promise<unknown> =>
  service.data("POST", "/keys/sync", { keys: Object.entries(keys).map(([key, value]) => ({ key, value })) });
const write = (service: Harness, locale: string, texts: Readonly<Record<string, string>>): Promise<unknown> =>
  service.data("PUT", `/translations/${locale}`, {
    translations: Object.entries(texts).map(([key, value]) => ({ key, value })),
  });

test("fills untranslated keys from the first fallback language with a text", async () => {
  const { service, run, texts } = await open();
  await sync(service, { a: "A", b: "B", c: "C", d: "D :name", own: "Own", gone: "Gone" });
  await write(service, "nl", { a: "A nl", b: "B nl", d: "D", own: "Eigen nl", gone: "Weg" });
  await write(service, "fr", { a: "A fr" });
  await write(service, "nl-BE", { own: "Eigen" });
  const keys = await service.data<{ key: string; hash: string }[]>("GET", "/keys");
  await service.data("POST", "/keys/sync", { archive: [keys.find(({ key }) => key === "gone")?.hash] });
  expect(await run({ locale: "nl-BE" })).toEqual([
    "completed",
    null,
    { totalItems: 4, translatedItems: 3, skippedItems: 1, flaggedItems: 1 },
  ]);
  expect(await texts("nl-BE")).toEqual([
    ["a", "A fr"],
    ["b", "B nl"],
    ["c", null],
    ["d", "D"],
    ["own", "Eigen"],
  ]);
  expect(await run({ locale: "nl-BE" })).toEqual(["completed", null, { totalItems: 1, skippedItems: 1 }]);
  expect(await run({ locale: "en-GB" })).toEqual(["completed", null, { totalItems: 5, translatedItems: 5 }]);
  expect((await texts("en-GB"))[3]).toEqual(["d", "D :name"]);
});

test.each([
  [0, ["budget_exceeded", null, {}], 0],
  [2, ["budget_exceeded", null, { totalItems: 2, translatedItems: 2 }], 2],
  [3, ["completed", null, { totalItems: 3, translatedItems: 3 }], 3],
])("respects a budget of %d texts", async (budget, expected, written) => {
  const { service, run, texts } = await open();
  await sync(service, { a: "A", b: "B", c: "C" });
  expect(await run({ locale: "en-GB", budget })).toEqual(expected);
  expect((await texts("en-GB")).filter(([, value]) => value !== null)).toHaveLength(written);
});

test("processes more keys than fit in one write", async () => {
  const { service, run } = await open();
  await sync(service, Object.fromEntries(Array.from({ length: 401 }, (_, index) => [`k${index}`, "Text"])));
  expect(await run({ locale: "en-GB" })).toEqual([
    "completed",
    null,
    { totalItems: 401, translatedItems: 401 },
  ]);
});

test.each(["de", "en", "xx"])("fails for %s, which is no target language", async (locale) => {
  const { service, run } = await open();
  await sync(service, { a: "A" });
  expect(await run({ locale })).toEqual(["failed", "unknown_locale", {}]);
});

test("stops when cancelled", async () => {
  const { service, run, texts } = await open();
  await sync(service, { a: "A" });
  // The next job's number: ids are counted up.
  service.cancelAiJob(1);
  expect(await run({ locale: "en-GB" })).toEqual(["cancelled", null, {}]);
  expect(await texts("en-GB")).toEqual([["a", null]]);
});

test("lets requests and a cancellation in between two writes", async () => {
  const { service, run } = await open();
  await sync(service, Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, "Text"])));
  // The job's number, as above.
  setImmediate(() => service.cancelAiJob(1));
  const [status, , counters] = (await run({ locale: "en-GB" })) as [string, null, { totalItems?: number }];
  expect(status).toBe("cancelled");
  expect(counters.totalItems ?? 0).toBeLessThan(2_000);
});
