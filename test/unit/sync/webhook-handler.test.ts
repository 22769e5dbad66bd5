/** The effects of webhooks: once per delivery, only for this project, with few requests. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AiJob, Delivery } from "../../../src/api/webhook-verification.ts";
import { Jobs } from "../../../src/sync/poll-jobs.ts";
import type { Clock } from "../../../src/model/platform.ts";
import type { Refresher, RefreshOptions } from "../../../src/sync/refresh/refresh.ts";
import { WebhookHandler } from "../../../src/sync/webhook-handler.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import { realClock } from "../support/node-platform.ts";
import type { Interceptor, TestWindow } from "../support/test-window.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

const NOTHING: Delivery = {
  id: "1",
  event: "keys.synced",
  slug: "test",
  contentVersion: null,
  jobId: null,
  aiJob: null,
  completed: null,
};

function handlerOf(window: TestWindow, refresher: Pick<Refresher, "refresh"> = window.refresher) {
  const aiJobs: AiJob[] = [];
  const completed: string[] = [];
  const renamed: string[] = [];
  const handler = new WebhookHandler({
    project: window.project,
    jobs: window.jobs,
    client: () => window.client,
    onRenamed: ({ slug }) => renamed.push(slug),
    refresher: async () => refresher as Refresher,
    onAiJob: (job) => aiJobs.push(job),
    onCompleted: ({ locale }) => completed.push(locale),
  });
  return { handler, aiJobs, completed, renamed };
}

const signIn = ({ project, client: { baseUrl } }: TestWindow, slug: string): void =>
  project.setSession({ kind: "signed-in", baseUrl, slug, name: "Shop", canWrite: true });

test("handles a delivery once", async () => {
  const { handler } = handlerOf(await shop.open());
  expect(handler.accept(NOTHING)).toBe("new");
  expect(handler.accept(NOTHING)).toBe("again");
  for (let id = 2; id < 1010; id++) expect(handler.accept({ ...NOTHING, id: String(id) })).toBe("new");
  // The thousand newest are remembered.
  for (const id of ["1009", "10"]) expect(handler.accept({ ...NOTHING, id })).toBe("again");
  expect(handler.accept({ ...NOTHING, id: "9" })).toBe("new");
});

test("ignores and reports a delivery for another project", async () => {
  const window = await shop.open();
  signIn(window, "shop");
  const { handler, completed, renamed } = handlerOf(window);
  const delivery = { ...NOTHING, slug: "other", completed: { locale: "nl", name: "Dutch" } };
  expect(await handler.process(delivery)).toBe("other");
  expect([completed, renamed, window.requests]).toEqual([[], [], ["GET /project"]]);
});

test("accepts the project's new slug", async () => {
  const window = await shop.open();
  signIn(window, "shop-before-it-was-renamed");
  const { handler, completed, renamed } = handlerOf(window);
  const delivery = { ...NOTHING, slug: "shop", completed: { locale: "nl", name: "Dutch" } };
  expect(await handler.process(delivery)).toBe("done");
  expect([completed, renamed]).toEqual([["nl"], ["shop"]]);
  expect(window.project.freshness.kind).toBe("fresh");
});

test("accepts a delivery if the slug is unknown or the service is offline", async () => {
  const withoutSlug: Interceptor = (requestCount, pass) =>
    requestCount === "GET /project" ? Promise.resolve(Response.json({ data: { name: "Shop" } })) : pass();
  for (const [known, intercept] of [
    ["", undefined],
    ["shop", withoutSlug],
    ["shop", (() => Promise.resolve(Response.json({}, { status: 401 }))) satisfies Interceptor],
  ] as const) {
    const window = await shop.open("one", intercept === undefined ? {} : { intercept });
    signIn(window, known);
    const { handler, completed, renamed } = handlerOf(window);
    const delivery = { ...NOTHING, slug: "own", completed: { locale: "nl", name: "Dutch" } };
    expect(await handler.process(delivery)).toBe("done");
    expect([completed, renamed]).toEqual([["nl"], []]);
  }
});

test("refreshes what changed, without requests for what is known", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const { handler } = handlerOf(window);
  const requestCount = window.requests.length;
  const contentVersion = window.project.stats?.contentVersion ?? null;
  await handler.process({ ...NOTHING, event: "translations.updated", contentVersion });
  expect(window.requests.length).toBe(requestCount);
  const { client } = await shop.open("colleague");
  await client.sync({ keys: [{ key: "new", value: "New" }] });
  await handler.process(NOTHING);
  expect([...window.project.keys.values()].map(({ key }) => key)).toContain("new");
});

test("refreshes at once, as for a person: not after what runs in the background", async () => {
  const asked: unknown[] = [];
  const refresh = (options?: RefreshOptions) => Promise.resolve((asked.push(options), null));
  await handlerOf(await shop.open(), { refresh }).handler.process(NOTHING);
  expect(asked).toEqual([{ priority: "person" }]);
});

test("refreshes again if the changes of a known version could not be read", async () => {
  let isFailing = true;
  const intercept: Interceptor = (request, pass) =>
    isFailing && request.startsWith("GET /keys")
      ? Promise.resolve(Response.json({ message: "x" }, { status: 500 }))
      : pass();
  const window = await shop.open("one", { intercept });
  const { client } = await shop.open("colleague");
  await client.sync({ keys: [{ key: "new", value: "New" }] });
  await window.refresher.refresh();
  const contentVersion = window.project.stats?.contentVersion ?? null;
  expect(contentVersion).toBe((await client.stats()).contentVersion);
  isFailing = false;
  await handlerOf(window).handler.process({ ...NOTHING, event: "translations.updated", contentVersion });
  expect([...window.project.keys.values()].map(({ key }) => key)).toContain("new");
});

test("polls a followed job as soon as its end is delivered", async () => {
  const window = await shop.open();
  const job = await window.client.import(
    [{ path: "lang/nl.json", bytes: new TextEncoder().encode('{"Log out": "Uit"}') }],
    {},
  );
  // Pauses never end by themselves; each time one begins, a delivery arrives.
  const clock: Clock = {
    ...realClock(),
    sleep: (_, signal) => {
      setTimeout(() => void handler.process({ ...NOTHING, event: "import.finished", jobId: job.id }), 10);
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    },
  };
  const { project, log, client } = window;
  const jobs = new Jobs({
    project,
    client: () => client,
    clock,
    log,
    window: "one",
    onUnattendedEnd: () => undefined,
  });
  const { handler } = handlerOf({ ...window, jobs });
  expect(await jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] })).toMatchObject({
    kind: "ended",
    job: { status: "succeeded" },
  });
});

test("passes on data that no endpoint returns", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const { handler, aiJobs, completed } = handlerOf(window);
  const aiJob: AiJob = {
    locale: "nl",
    status: "completed",
    totalItems: 3,
    translatedItems: 3,
    flaggedItems: 0,
    failedItems: 0,
  };
  await handler.process({ ...NOTHING, event: "ai_job.finished", aiJob });
  await handler.process({
    ...NOTHING,
    event: "language.completed",
    completed: { locale: "nl", name: "Dutch" },
  });
  expect([aiJobs, completed]).toEqual([[aiJob], ["nl"]]);
});

test("keeps the newest state for deliveries out of order, with one request for an old one", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const { handler } = handlerOf(window);
  const { client } = await shop.open("colleague");
  await client.sync({ keys: [{ key: "first", value: "First" }] });
  const older = (await client.stats()).contentVersion;
  await client.sync({ keys: [{ key: "second", value: "Second" }] });
  const newer = (await client.stats()).contentVersion;
  const event = "translations.updated";
  await handler.process({ ...NOTHING, id: "b", event, contentVersion: newer });
  const keys = (): string[] => Array.from(window.project.keys.values(), ({ key }) => key);
  expect(keys()).toEqual(expect.arrayContaining(["first", "second"]));
  expect(window.project.stats?.contentVersion).toBe(newer);
  const requestCount = window.requests.length;
  await handler.process({ ...NOTHING, id: "a", event, contentVersion: older });
  expect(window.requests.length - requestCount).toBe(1);
  expect(window.project.stats?.contentVersion).toBe(newer);
  expect(keys()).toEqual(expect.arrayContaining(["first", "second"]));
});
