/** Jobs across reloads, windows, lost connections and sign-outs, against a real local service. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Job } from "../../../src/api/response-schemas.ts";
import { fastClock } from "../support/node-platform.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";
import { waitUntil } from "../support/wait-until.ts";
import type { Interceptor, TestWindow } from "../support/test-window.ts";
import { yieldNow } from "../../../src/util/event-loop.ts";

let shop: FixtureProject;
beforeEach(async () => {
  shop = await openFixtureProject();
});
afterEach(() => shop.close());

/** A service whose jobs run until somebody lets them end. */
function slowJobs() {
  let runs = true;
  const intercept: Interceptor = async (pollCount, pass) => {
    const answer = await pass();
    if (!runs || !pollCount.startsWith("GET /jobs/") || answer.status !== 200) return answer;
    const { data } = (await answer.json()) as { data: Job };
    const running = { ...data, status: "running", result: null, error: null, finishedAt: null };
    return Response.json({ data: running });
  };
  return { intercept, end: () => (runs = false) };
}

const startJob = (window: TestWindow): Promise<Job> =>
  window.client.import([{ path: "lang/nl.json", bytes: new TextEncoder().encode('{"Log out": "Uit"}') }], {});

/** Resolves when the project is so; a test that waits for ever fails by its time. */
const until = ({ project }: TestWindow, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      subscription.dispose();
      resolve();
    };
    const subscription = project.onDidChange(look);
    look();
  });

/** Windows of one machine, whose pauses pass a hundred times as fast. `ahead`: how much its clock is, in milliseconds. */
const open = (
  window = "one",
  { intercept, ahead = 0 }: { readonly intercept?: Interceptor; readonly ahead?: number } = {},
): Promise<TestWindow> => {
  const fast = fastClock();
  return shop.open(window, {
    machine: "one",
    clock: { ...fast, now: () => fast.now() + ahead },
    ...(intercept === undefined ? {} : { intercept }),
  });
};

/** What follows on the last answer has happened. */
async function settled(): Promise<void> {
  await yieldNow();
}

const polls = (window: TestWindow): number =>
  window.requests.filter((pollCount) => pollCount.startsWith("GET /jobs/")).length;

/** Resolves when the window has polled that many times. */
const polled = async (window: TestWindow, times: number): Promise<void> => {
  while (polls(window) < times) await new Promise((resolve) => setTimeout(resolve, 2));
};

test("polls in one of two windows and reports the end in both", async () => {
  const { intercept, end } = slowJobs();
  const one = await open("one", { intercept });
  const two = await open("two", { intercept });
  const job = await startJob(one);
  const following = one.jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] });
  await polled(one, 1);
  two.jobs.resume();
  await polled(one, 4);
  expect(two.project.jobs).toMatchObject([{ subject: ["lang/nl.json"], watching: true }]);
  end();
  expect(await following).toMatchObject({ kind: "ended", job: { status: "succeeded" } });
  await until(two, () => two.project.jobs[0]?.job.status === "succeeded");
  expect(polls(two)).toBe(0);
});

test("tells why a job cannot be polled, until it is again", async () => {
  const { intercept, end } = slowJobs();
  let hasFailed = false;
  const window = await open("one", {
    intercept: (line, pass, ...more) =>
      hasFailed && line.startsWith("GET /jobs/")
        ? Promise.resolve(Response.json({ message: "No." }, { status: 500 }))
        : intercept(line, pass, ...more),
  });
  void window.jobs.follow(await startJob(window), { kind: "import", subject: ["lang/nl.json"] });
  hasFailed = true;
  await until(window, () => window.project.jobs[0]?.failure === "server_error");
  hasFailed = false;
  window.jobs.pollNow();
  await until(window, () => window.project.jobs[0]?.failure === undefined);
  end();
  await until(window, () => window.project.jobs[0]?.job.status === "succeeded");
});

test("continues in another window when the polling one closes", async () => {
  const { intercept, end } = slowJobs();
  const one = await open("one", { intercept });
  const job = await startJob(one);
  void one.jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] });
  await polled(one, 1);
  one.jobs.dispose();
  const pollCount = polls(one);
  const two = await open("two", { intercept, ahead: 15_000 });
  two.jobs.resume();
  await polled(two, 1);
  end();
  await until(two, () => two.project.jobs[0]?.job.status === "succeeded");
  expect(polls(one)).toBe(pollCount);
});

test("polls a job although its lease was stored before the clock was set back", async () => {
  const { intercept, end } = slowJobs();
  const one = await open("one", { intercept, ahead: 3_600_000 });
  void one.jobs.follow(await startJob(one), { kind: "import", subject: ["lang/nl.json"] });
  await polled(one, 1);
  one.jobs.dispose();
  const two = await open("two", { intercept });
  two.jobs.resume();
  await polled(two, 1);
  end();
  await until(two, () => two.project.jobs[0]?.job.status === "succeeded");
});

test("remembers a job that was started after the clock was set back, among many", async () => {
  const before = await open("one", { ahead: 3_600_000 });
  for (let count = 0; count < 20; count++)
    await before.jobs.follow(await startJob(before), { kind: "import", subject: [] });
  const { intercept, end } = slowJobs();
  const one = await open("two", { intercept });
  const job = await startJob(one);
  const following = one.jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] });
  await polled(one, 1);
  expect(one.project.jobs[0]?.job.id).toBe(job.id);
  end();
  await following;
});

test("reports a job that ended after a reload, with its purpose", async () => {
  const { intercept, end } = slowJobs();
  const one = await open("one", { intercept });
  const job = await startJob(one);
  const request = { locales: ["nl"], missing: "omit", isChosen: true } as const;
  const purpose = { kind: "export", subject: ["app"], quiet: true, request } as const;
  void one.jobs.follow(job, purpose);
  await polled(one, 1);
  one.jobs.dispose();
  const reloaded = await open("two", { intercept, ahead: 15_000 });
  reloaded.jobs.resume();
  await polled(reloaded, 1);
  end();
  await until(reloaded, () => reloaded.project.jobs[0]?.job.status === "succeeded");
  await settled();
  expect(reloaded.unattended).toEqual([
    { kind: "ended", job: expect.objectContaining({ id: job.id, status: "succeeded" }), purpose },
  ]);
  expect(one.unattended).toEqual([]);

  // Once is enough.
  const again = await open("three", { ahead: 15_000 });
  again.jobs.resume();
  expect(again.unattended).toEqual([]);
});

test("resolves for waiters only", async () => {
  const { intercept, end } = slowJobs();
  const one = await open("one", { intercept });
  const two = await open("two", { intercept });
  const following = one.jobs.follow(await startJob(one), { kind: "import", subject: ["a"] });
  await polled(one, 1);
  two.jobs.resume();
  end();
  expect(await following).toMatchObject({ kind: "ended" });
  await until(two, () => two.project.jobs[0]?.job.status === "succeeded");
  expect([one.unattended, two.unattended]).toEqual([[], []]);
});

test("stops following in every window, without cancelling the job", async () => {
  const { intercept, end } = slowJobs();
  const one = await open("one", { intercept });
  const two = await open("two", { intercept });
  const job = await startJob(one);
  const following = one.jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] });
  await until(one, () => one.project.jobs[0]?.job.status === "running");
  two.jobs.resume();
  two.jobs.unwatch(job.id);
  expect((await following).kind).toBe("unwatched");
  expect(two.project.jobs).toMatchObject([{ watching: false, job: { status: "running" } }]);
  const pollCount = polls(one);
  end();
  const reloaded = await open("three");
  reloaded.jobs.resume();
  expect(reloaded.project.jobs).toMatchObject([{ watching: false }]);
  expect(polls(one)).toBe(pollCount);
  expect((await one.client.job(job.id)).status).toBe("succeeded");

  // Who asks for it again wants to see it again.
  expect(await one.jobs.follow(job, { kind: "import", subject: ["lang/nl.json"] })).toMatchObject({
    kind: "ended",
  });
  expect(one.project.jobs.map((each) => each.job.id)).toEqual([job.id]);
});

test("keeps following when a waiter aborts", async () => {
  const { intercept, end } = slowJobs();
  const window = await open("one", { intercept });
  const leaving = new AbortController();
  const purpose = { kind: "export", subject: ["app"], request: { locales: [] } } as const;
  const following = window.jobs.follow(await startJob(window), purpose, leaving.signal);
  await polled(window, 1);
  leaving.abort(new Error("left"));
  await expect(following).rejects.toThrow("left");
  end();
  await until(window, () => window.project.jobs[0]?.job.status === "succeeded");
  await settled();
  // Its end is reported, and nothing is fetched for a waiter that gave up.
  expect(window.unattended).toEqual([
    {
      kind: "ended",
      job: expect.objectContaining({ status: "succeeded" }),
      purpose: { kind: "export", subject: ["app"], quiet: false },
    },
  ]);
});

test("has one waiter for a job that is followed again after polling was stopped", async () => {
  const { intercept, end } = slowJobs();
  const window = await open("one", { intercept });
  const job = await startJob(window);
  const follow = () => window.jobs.follow(job, { kind: "import", subject: ["a"] });
  const before = follow();
  await polled(window, 1);
  window.jobs.dispose();
  const again = follow();
  expect(await before).toMatchObject({ kind: "unwatched" });
  await settled();
  end();
  expect(await again).toMatchObject({ kind: "ended" });
  expect(window.unattended).toEqual([]);
});

test("fetches nothing for a waiter that aborts during the last response", async () => {
  const leaving = new AbortController();
  const window = await open("one", {
    intercept: async (pollCount, pass) => {
      const answer = await pass();
      if (pollCount.startsWith("GET /jobs/")) {
        leaving.abort(new Error("left"));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return answer;
    },
  });
  const purpose = { kind: "export", subject: ["app"], request: { locales: [] } } as const;
  await expect(window.jobs.follow(await startJob(window), purpose, leaving.signal)).rejects.toThrow("left");
  await until(window, () => window.project.jobs[0]?.job.status === "succeeded");
  await settled();
  expect(window.unattended).toMatchObject([{ kind: "ended" }]);
  expect(window.unattended[0]?.purpose.request).toBeUndefined();
});

test("stops following although the end has just arrived", async () => {
  const window: TestWindow = await open("one", {
    intercept: async (asked, pass) => {
      const answer = await pass();
      if (!asked.startsWith("GET /jobs/")) return answer;
      const body: unknown = await answer.json();
      window.jobs.unwatch(Number(asked.slice("GET /jobs/".length)));
      return Response.json(body);
    },
  });
  const following = window.jobs.follow(await startJob(window), { kind: "import", subject: ["lang/nl.json"] });
  expect((await following).kind).toBe("unwatched");
  expect(window.project.jobs).toMatchObject([{ watching: false, job: { finishedAt: null } }]);
});

test("reports changes only", async () => {
  const { intercept, end } = slowJobs();
  const window = await open("one", { intercept });
  let notifications = 0;
  window.project.onDidChange((table) => table === "jobs" && notifications++);
  const following = window.jobs.follow(await startJob(window), { kind: "import", subject: ["a"] });
  await polled(window, 1);
  await until(window, () => window.project.jobs[0]?.job.status === "running");
  const before = notifications;
  await polled(window, 4);
  expect(notifications).toBe(before);
  end();
  expect(await following).toMatchObject({ kind: "ended" });
  expect(notifications).toBeGreaterThan(before);
});

test("reports a job unknown to the service and stops polling it", async () => {
  const gone: Interceptor = (pollCount, pass) =>
    pollCount.startsWith("GET /jobs/")
      ? Promise.resolve(Response.json({ message: "Unknown" }, { status: 404 }))
      : pass();
  const window = await open("one", { intercept: gone });
  const end = await window.jobs.follow(await startJob(window), { kind: "import", subject: ["a"] });
  expect(end.kind).toBe("vanished");
  expect(window.project.jobs).toMatchObject([{ watching: false }]);
  expect(polls(window)).toBe(1);
});

test("keeps following after unreadable responses", async () => {
  let bad = 2;
  const intercept: Interceptor = (pollCount, pass) =>
    pollCount.startsWith("GET /jobs/") && bad-- > 0 ? Promise.resolve(Response.json({ data: {} })) : pass();
  const window = await open("one", { intercept });
  const end = await window.jobs.follow(await startJob(window), { kind: "import", subject: ["a"] });
  expect(end).toMatchObject({ kind: "ended", job: { status: "succeeded" } });
});

test("starts over from a damaged list, and keeps the twenty newest jobs", async () => {
  const window = await open();
  window.project.personal.set("jobs", [{ job: {} }]);
  window.jobs.resume();
  expect(window.project.jobs).toEqual([]);
  const job = await startJob(window);
  const ended: Job = { ...job, status: "succeeded" };
  for (let index = 1; index <= 25; index++) {
    await window.jobs.follow(
      { ...ended, id: 1000 + index },
      { kind: "export", subject: [`profile ${index}`] },
    );
    // Times on the clock tell which is newer.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(window.project.jobs).toHaveLength(20);
  expect(window.project.jobs[0]?.subject).toEqual(["profile 25"]);
  const reloaded = await open("two");
  reloaded.jobs.resume();
  expect(reloaded.project.jobs.map(({ subject }) => subject)).toEqual(
    window.project.jobs.map(({ subject }) => subject),
  );
});

test.each([401, 403])("stops on a %i for the token, and continues with a new token", async (status) => {
  let isRefused = true;
  const refusing: Interceptor = (pollCount, pass) =>
    isRefused && pollCount.startsWith("GET /jobs/")
      ? Promise.resolve(Response.json({ message: "No" }, { status }))
      : pass();
  const window = await open("one", { intercept: refusing });
  const end = await window.jobs.follow(await startJob(window), { kind: "import", subject: ["a"] });
  expect(end).toMatchObject({ kind: "no_access", error: { status } });
  expect(polls(window)).toBe(1);
  expect(window.project.jobs).toMatchObject([{ watching: true }]);
  isRefused = false;
  window.jobs.resume();
  await until(window, () => window.project.jobs[0]?.job.status === "succeeded");
});

test("does not request an export later whose caller was told that the token is refused", async () => {
  let isRefused = true;
  const window = await open("one", {
    intercept: (request, pass) =>
      isRefused && request.startsWith("GET /jobs/")
        ? Promise.resolve(Response.json({ message: "No" }, { status: 401 }))
        : pass(),
  });
  const purpose = { kind: "export", subject: ["app"], request: { locales: ["nl"] } } as const;
  const end = await window.jobs.follow(await startJob(window), purpose);
  expect(end).toMatchObject({ kind: "no_access" });
  isRefused = false;
  window.jobs.resume();
  await waitUntil(() => window.unattended.length > 0);
  expect(window.unattended[0]?.purpose.request).toBeUndefined();
});

test("stops following after sign-out", async () => {
  const { intercept } = slowJobs();
  const window = await open("one", { intercept });
  const following = window.jobs.follow(await startJob(window), { kind: "import", subject: ["a"] });
  await polled(window, 1);
  window.signOut();
  expect(await following).toMatchObject({ kind: "no_access", error: { kind: "unauthorized" } });
});
