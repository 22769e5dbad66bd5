/** Jobs over reloads, windows, lost connections and people who leave, against a real local service. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Job } from "../../../../src/api/schemas.ts";
import { openShop, type Shop } from "../../support/shop.ts";
import type { Between, TestWindow } from "../../support/window.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

/** A service whose jobs run until somebody lets them end. */
function slowJobs() {
  let runs = true;
  const between: Between = async (asked, pass) => {
    const answer = await pass();
    if (!runs || !asked.startsWith("GET /jobs/") || answer.status !== 200) return answer;
    const { data } = (await answer.json()) as { data: Job };
    const running = { ...data, status: "running", result: null, error: null, finishedAt: null };
    return Response.json({ data: running });
  };
  return { between, end: () => (runs = false) };
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

const polls = (window: TestWindow): number =>
  window.requests.filter((asked) => asked.startsWith("GET /jobs/")).length;

/** Resolves when the window has asked so often. */
const polled = async (window: TestWindow, times: number): Promise<void> => {
  while (polls(window) < times) await new Promise((resolve) => setTimeout(resolve, 20));
};

test("of two windows one asks, and both see the end", async () => {
  const { between, end } = slowJobs();
  const one = await shop.open("one", { between });
  const two = await shop.open("two", { between });
  const job = await startJob(one);
  const following = one.jobs.follow(job, "import", ["lang/nl.json"]);
  await polled(one, 1);
  await two.jobs.resume();
  await polled(one, 4);
  expect(two.project.jobs).toMatchObject([{ subject: ["lang/nl.json"], watching: true }]);
  end();
  expect(await following).toMatchObject({ kind: "ended", job: { status: "succeeded" } });
  await until(two, () => two.project.jobs[0]?.job.status === "succeeded");
  expect(polls(two)).toBe(0);
});

test("when the window that asks is gone, another goes on", async () => {
  const { between, end } = slowJobs();
  const one = await shop.open("one", { between });
  const job = await startJob(one);
  void one.jobs.follow(job, "import", ["lang/nl.json"]);
  await polled(one, 1);
  one.jobs.dispose();
  await one.jobs.saved();
  const asked = polls(one);
  const two = await shop.open("two", { between, ahead: 15_000 });
  await two.jobs.resume();
  await polled(two, 1);
  end();
  await until(two, () => two.project.jobs[0]?.job.status === "succeeded");
  expect(polls(one)).toBe(asked);
});

test("who stops watching stops it in every window; the job itself goes on", async () => {
  const { between, end } = slowJobs();
  const one = await shop.open("one", { between });
  const two = await shop.open("two", { between });
  const job = await startJob(one);
  const following = one.jobs.follow(job, "import", ["lang/nl.json"]);
  await polled(one, 1);
  await two.jobs.resume();
  await two.jobs.unwatch(job.id);
  expect((await following).kind).toBe("unwatched");
  expect(two.project.jobs).toMatchObject([{ watching: false, job: { status: "running" } }]);
  const asked = polls(one);
  end();
  const reloaded = await shop.open("three");
  await reloaded.jobs.resume();
  expect(reloaded.project.jobs).toMatchObject([{ watching: false }]);
  expect(polls(one)).toBe(asked);
  expect((await one.client.job(job.id)).status).toBe("succeeded");

  // Who asks for it again wants to see it again.
  expect(await one.jobs.follow(job, "import", ["lang/nl.json"])).toMatchObject({ kind: "ended" });
});

test("who waits may leave; the job is followed on all the same", async () => {
  const { between, end } = slowJobs();
  const window = await shop.open("one", { between });
  const leaving = new AbortController();
  const following = window.jobs.follow(await startJob(window), "import", ["a"], leaving.signal);
  await polled(window, 1);
  leaving.abort(new Error("left"));
  await expect(following).rejects.toThrow("left");
  end();
  await until(window, () => window.project.jobs[0]?.job.status === "succeeded");
});

test("a job that the service knows no more is told so, and is asked for no more", async () => {
  const gone: Between = (asked, pass) =>
    asked.startsWith("GET /jobs/")
      ? Promise.resolve(Response.json({ message: "Unknown" }, { status: 404 }))
      : pass();
  const window = await shop.open("one", { between: gone });
  const end = await window.jobs.follow(await startJob(window), "import", ["a"]);
  expect(end.kind).toBe("vanished");
  expect(window.project.jobs).toMatchObject([{ watching: false }]);
  expect(polls(window)).toBe(1);
});

test("answers that cannot be read do not end the following", async () => {
  let bad = 2;
  const between: Between = (asked, pass) =>
    asked.startsWith("GET /jobs/") && bad-- > 0 ? Promise.resolve(Response.json({ data: {} })) : pass();
  const window = await shop.open("one", { between });
  const end = await window.jobs.follow(await startJob(window), "import", ["a"]);
  expect(end).toMatchObject({ kind: "ended", job: { status: "succeeded" } });
});

test("a damaged list begins anew, and twenty jobs are remembered, the newest first", async () => {
  const window = await shop.open();
  await window.store.write("jobs", new TextEncoder().encode('[{"job":'));
  await window.jobs.resume();
  expect(window.project.jobs).toEqual([]);
  const job = await startJob(window);
  const ended: Job = { ...job, status: "succeeded" };
  for (let index = 1; index <= 25; index++) {
    await window.jobs.follow({ ...ended, id: 1000 + index }, "export", [`profile ${index}`]);
    // Times on the clock tell which is newer.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(window.project.jobs).toHaveLength(20);
  expect(window.project.jobs[0]?.subject).toEqual(["profile 25"]);
  const reloaded = await shop.open("two");
  await reloaded.jobs.resume();
  expect(reloaded.project.jobs.map(({ subject }) => subject)).toEqual(
    window.project.jobs.map(({ subject }) => subject),
  );
});
