/** When jobs are polled, and by which of several windows, with simulated time. */
import { afterEach, expect, test } from "vitest";
import { createClient } from "../../../src/api/client.ts";
import type { Job } from "../../../src/api/response-schemas.ts";
import { Database } from "../../../src/database/database.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { Project } from "../../../src/database/project-state.ts";
import { Jobs } from "../../../src/sync/poll-jobs.ts";
import { FakeClock, nextMacrotask } from "../support/fake-clock.ts";
import { realClock, recordingLog } from "../support/node-platform.ts";

const JOB: Job = {
  id: 7,
  type: "import",
  status: "running",
  progress: null,
  result: null,
  error: null,
  createdAt: "2026-01-01T00:00:00Z",
  startedAt: null,
  finishedAt: null,
};
const PURPOSE = { kind: "import", subject: ["nl.json"] } as const;
const SECOND = 1000;

const windows: Jobs[] = [];
afterEach(() => {
  for (const each of windows.splice(0)) each.dispose();
});

/** Windows of one machine; `answer` is what the service says to a poll. */
function machine() {
  const clock = new FakeClock();
  const database = new Database();
  const personal = new PersonalData();
  const log = recordingLog();
  const state = { answer: (id: number): Response => Response.json({ data: { ...JOB, id } }) };
  const open = (window: string) => {
    /** Seconds since the last poll, or the start. */
    const gaps: number[] = [];
    let last = clock.now();
    const client = createClient({
      baseUrl: "http://127.0.0.1:1/v1",
      token: "ptr_x",
      log,
      locale: () => "en",
      clock: realClock(),
      fetch: async (input) => {
        gaps.push((clock.now() - last) / SECOND);
        last = clock.now();
        return state.answer(
          Number(
            String(input instanceof Request ? input.url : input)
              .split("/")
              .at(-1),
          ),
        );
      },
    });
    const project = new Project("test", "Test", database, personal);
    const jobs = new Jobs({
      project,
      client: () => client,
      clock,
      log,
      window,
      onUnattendedEnd: () => undefined,
    });
    windows.push(jobs);
    return { jobs, gaps, project };
  };
  /** Moves time on in small steps, so that answers arrive in between. */
  const pass = async (seconds: number): Promise<void> => {
    await nextMacrotask();
    for (let passed = 0; passed < seconds; passed += 0.5) {
      const { pendingCount } = clock;
      await clock.advance(SECOND / 2);
      // Whoever woke up asks, and sleeps again unless the job has ended.
      for (let waits = 0; clock.pendingCount < pendingCount && waits < 30; waits++)
        await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return { open, pass, state };
}

test("polls after two seconds, then less often, finally every five seconds", async () => {
  const { open, pass } = machine();
  const { jobs, gaps } = open("one");
  void jobs.follow(JOB, PURPOSE);
  await pass(60);
  expect(gaps[0]).toBe(2);
  expect(gaps.at(-1)).toBe(5);
  expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
  expect(gaps.length).toBeGreaterThan(11);
});

test("backs off to once a minute while the service does not answer", async () => {
  const { open, pass, state } = machine();
  const { jobs, gaps } = open("one");
  const other = open("two");
  void jobs.follow(JOB, PURPOSE);
  other.jobs.resume();
  const { answer } = state;
  state.answer = () => Response.json({ data: {} });
  await pass(600);
  expect(gaps.slice(0, 7)).toEqual([2, 4, 8, 16, 32, 60, 60]);
  state.answer = answer;
  gaps.length = 0;
  await pass(120);
  expect(gaps.slice(1).every((gap) => gap <= 5)).toBe(true);
  expect(gaps.length).toBeGreaterThan(10);
  // Its turn is kept for it over every pause.
  expect(other.gaps).toEqual([]);
});

test("takes over from a closed window after a few seconds", async () => {
  const { open, pass } = machine();
  const one = open("one");
  const two = open("two");
  void one.jobs.follow(JOB, PURPOSE);
  two.jobs.resume();
  await pass(30);
  one.jobs.dispose();
  const polls = one.gaps.length;
  expect(two.gaps).toEqual([]);
  await pass(16);
  expect(two.gaps.length).toBeGreaterThan(0);
  expect(two.gaps[0]).toBeGreaterThan(34);
  expect(one.gaps).toHaveLength(polls);
});

test("polls at once on a notification, even if another window is polling", async () => {
  const { open, pass } = machine();
  const one = open("one");
  const two = open("two");
  void one.jobs.follow(JOB, PURPOSE);
  two.jobs.resume();
  await pass(30);
  const polls = one.gaps.length;
  two.jobs.pollNow(JOB.id);
  one.jobs.pollNow(JOB.id + 1);
  await pass(0.5);
  expect(two.gaps).toHaveLength(1);
  expect(one.gaps.length - polls).toBeLessThan(2);
});

test("does not follow a job twice, nor an ended or abandoned one", async () => {
  const { open, pass, state } = machine();
  const { jobs, gaps, project } = open("one");
  void jobs.follow(JOB, PURPOSE);
  jobs.resume();
  jobs.resume();
  await pass(2);
  expect(gaps).toHaveLength(1);
  jobs.unwatch(JOB.id);
  jobs.resume();
  await pass(20);
  expect(gaps).toHaveLength(1);
  expect(project.jobs).toMatchObject([{ watching: false, job: { status: "running" } }]);

  const following = jobs.follow({ ...JOB, id: 8 }, PURPOSE);
  state.answer = () => Response.json({ data: { ...JOB, id: 8, status: "failed" } });
  await pass(2);
  expect(await following).toMatchObject({ kind: "ended", job: { status: "failed" } });
  jobs.resume();
  await pass(20);
  expect(gaps).toHaveLength(2);
  expect(project.jobs.map(({ job, watching }) => [job.id, job.status, watching])).toEqual([
    [8, "failed", false],
    [7, "running", false],
  ]);
});

test("continues following after a reload", async () => {
  const { open, pass } = machine();
  const { jobs, gaps } = open("one");
  void jobs.follow(JOB, PURPOSE);
  await pass(2);
  jobs.dispose();
  await pass(20);
  expect(gaps).toHaveLength(1);
  jobs.resume();
  await pass(2);
  expect(gaps).toHaveLength(2);
});

test("keeps following the other jobs when one ends, which the window reports", async () => {
  const { open, pass, state } = machine();
  const one = open("one");
  const two = open("two");
  void one.jobs.follow(JOB, PURPOSE);
  void one.jobs.follow({ ...JOB, id: 8 }, PURPOSE);
  two.jobs.resume();
  await pass(10);
  one.jobs.unwatch(8);
  await pass(10);
  const statuses = () => two.project.jobs.map(({ job, watching }) => [job.id, job.status, watching]);
  expect(statuses()).toContainEqual([8, "running", false]);
  expect(statuses()).toContainEqual([7, "running", true]);
  state.answer = (id) => Response.json({ data: { ...JOB, id, status: "succeeded" } });
  await pass(10);
  expect(statuses()).toContainEqual([7, "succeeded", false]);
  expect(two.gaps).toEqual([]);
});
