/** What a webhook sets in motion: once for each delivery, for this project alone, and for as few requests as it can. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AiJob, Delivery } from "../../../src/api/webhook-verification.ts";
import { Jobs } from "../../../src/sync/follow-jobs.ts";
import type { Clock } from "../../../src/model/platform.ts";
import { WebhookHandler } from "../../../src/sync/webhook-handler.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
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

function handlerOf(window: TestWindow) {
  const aiJobs: AiJob[] = [];
  const completed: string[] = [];
  const renamed: string[] = [];
  const handler = new WebhookHandler({
    project: window.project,
    jobs: window.jobs,
    client: () => window.client,
    onRenamed: ({ slug }) => renamed.push(slug),
    refresher: async () => window.refresher,
    onAiJob: (job) => aiJobs.push(job),
    onCompleted: ({ locale }) => completed.push(locale),
  });
  return { handler, aiJobs, completed, renamed };
}

const signIn = ({ project, client: { baseUrl } }: TestWindow, slug: string): void =>
  project.setSession({ kind: "signed-in", baseUrl, slug, name: "Shop", canWrite: true });

test("a delivery counts once", async () => {
  const { handler } = handlerOf(await shop.open());
  expect(handler.accept(NOTHING)).toBe("new");
  expect(handler.accept(NOTHING)).toBe("again");
  for (let id = 2; id < 1010; id++) expect(handler.accept({ ...NOTHING, id: String(id) })).toBe("new");
  expect(handler.accept({ ...NOTHING, id: "1009" })).toBe("again");
});

test("a delivery of another project changes nothing, and is reported as such", async () => {
  const window = await shop.open();
  signIn(window, "shop");
  const { handler, completed, renamed } = handlerOf(window);
  const delivery = { ...NOTHING, slug: "other", completed: { locale: "nl", name: "Dutch" } };
  expect(await handler.process(delivery)).toBe("other");
  expect([completed, renamed, window.requests]).toEqual([[], [], ["GET /project"]]);
});

test("a delivery under the slug that the project has now counts, though it had another one before", async () => {
  const window = await shop.open();
  signIn(window, "shop-before-it-was-renamed");
  const { handler, completed, renamed } = handlerOf(window);
  const delivery = { ...NOTHING, slug: "shop", completed: { locale: "nl", name: "Dutch" } };
  expect(await handler.process(delivery)).toBe("done");
  expect([completed, renamed]).toEqual([["nl"], ["shop"]]);
  expect(window.project.freshness.kind).toBe("fresh");
});

test("where the service does not tell the slug, or cannot be asked, a delivery counts", async () => {
  const withoutSlug: Interceptor = (asked, pass) =>
    asked === "GET /project" ? Promise.resolve(Response.json({ data: { name: "Shop" } })) : pass();
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

test("what changed is read again; what this window knows costs nothing", async () => {
  const window = await shop.open();
  await window.refresher.refresh();
  const { handler } = handlerOf(window);
  const asked = window.requests.length;
  const contentVersion = window.project.stats?.contentVersion ?? null;
  await handler.process({ ...NOTHING, event: "translations.updated", contentVersion });
  expect(window.requests.length).toBe(asked);
  const { client } = await shop.open("colleague");
  await client.sync({ keys: [{ key: "new", value: "New" }] });
  await handler.process(NOTHING);
  expect([...window.project.keys.values()].map(({ key }) => key)).toContain("new");
});

test("a followed job is asked as soon as its end is delivered, however long the pause", async () => {
  const window = await shop.open();
  const job = await window.client.import(
    [{ path: "lang/nl.json", bytes: new TextEncoder().encode('{"Log out": "Uit"}') }],
    {},
  );
  // Pauses never end by themselves; each time one begins, a delivery arrives.
  const clock: Clock = {
    now: () => Date.now(),
    sleep: (_, signal) => {
      setTimeout(() => void handler.process({ ...NOTHING, event: "import.finished", jobId: job.id }), 10);
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    },
  };
  const { project, log, client } = window;
  const jobs = new Jobs({
    ...{ project, client: () => client, clock, log, window: "one" },
    onUnattendedEnd: () => undefined,
  });
  const { handler } = handlerOf({ ...window, jobs });
  expect(await jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] })).toMatchObject({
    kind: "ended",
    job: { status: "succeeded" },
  });
});

test("what no endpoint shows is passed on", async () => {
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

test("deliveries in another order than what they tell leave the window at the newest, and an old one costs one request", async () => {
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
  const asked = window.requests.length;
  await handler.process({ ...NOTHING, id: "a", event, contentVersion: older });
  expect(window.requests.length - asked).toBe(1);
  expect(window.project.stats?.contentVersion).toBe(newer);
  expect(keys()).toEqual(expect.arrayContaining(["first", "second"]));
});
