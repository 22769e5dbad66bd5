/** Jobs that restarts interrupt, and writers that wait for each other. */
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { addJob, deleteExpired, type Job, JobRunner } from "../../../src/local-service/jobs.ts";
import type { Service } from "../../../src/local-service/service-context.ts";
import { completeSettings } from "../../../src/local-service/service-settings.ts";
import { Store } from "../../../src/local-service/store/store.ts";
import { start, temporaryFolder } from "./harness.ts";

afterEach(() => void vi.useRealTimers());

function openStore(): Store {
  const store = new Store(join(temporaryFolder(), "store.sqlite"));
  onTestFinished(() => store.close());
  return store;
}

function serviceOf(store: Store): Service {
  return {
    store,
    settings: completeSettings({}),
    timing: { translationsUpdatedMs: 0, webhookAnswerMs: 0, retryDelaysMs: [], lockWaitMs: 0 },
    cursorSecret: "",
    progress: new Map(),
    cancelledJobs: new Set(),
    recentExports: new Map(),
    log: () => undefined,
    now: () => Date.now(),
    monotonic: () => performance.now(),
  };
}

const stateOf = ({ reader }: Store, id: number) =>
  reader.get("SELECT status, attempts, error_code AS error FROM jobs WHERE id = ?", id);

/** Runs the job until it has begun, and then stops as a service does. */
async function interrupt(service: Service): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const run = async ({ stopping }: Job): Promise<void> => {
    begun.resolve();
    if (!stopping.aborted) await once(stopping, "abort");
    stopping.throwIfAborted();
  };
  const runner = new JobRunner(service, { import: { run } });
  runner.start();
  await begun.promise;
  await runner.stop();
}

/** Runs what is queued to its end. */
async function finish(service: Service): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const run = (job: Job): Promise<void> =>
    service.store.write((connection) => {
      job.succeed(connection, 1, {});
      ended.resolve();
    });
  const onFailure = (): void => ended.resolve();
  const runner = new JobRunner(service, { import: { run, onFailure } });
  runner.start();
  await ended.promise;
  await runner.stop();
}

test("a job runs again after any number of restarts, and has its files until it has ended", async () => {
  const service = serviceOf(openStore());
  const { store } = service;
  const id = await store.write((connection) => addJob(connection, "import", {}, Date.now()));
  const addUpload = "INSERT INTO uploads (job_id, position, name, bytes) VALUES (?, 0, 'en.json', x'00')";
  await store.write((connection) => connection.run(addUpload, id));
  const uploads = async () => {
    await store.write((connection) => deleteExpired(service, connection));
    return store.reader.all("SELECT job_id AS job FROM uploads");
  };
  for (let restart = 0; restart < 4; restart++) {
    await interrupt(service);
    expect(stateOf(store, id)).toEqual({ status: "running", attempts: 0, error: null });
    expect(await uploads()).toEqual([{ job: id }]);
  }
  await finish(service);
  expect(stateOf(store, id)).toMatchObject({ status: "succeeded", error: null });
  expect(await uploads()).toEqual([]);
});

test("a job that ended its process three times fails", async () => {
  const service = serviceOf(openStore());
  const { store } = service;
  const id = await store.write((connection) => addJob(connection, "import", {}, Date.now()));
  const crashed = (times: number) =>
    store.write((connection) => connection.run("UPDATE jobs SET status = 'running', attempts = ?", times));
  await crashed(2);
  await interrupt(service);
  expect(stateOf(store, id)).toMatchObject({ status: "running" });
  await crashed(3);
  await finish(service);
  expect(stateOf(store, id)).toMatchObject({ status: "failed", error: "internal_error" });
});

test("an interrupted change of the source language is forgotten if the settings are as before", async () => {
  const data = join(temporaryFolder(), "store.sqlite");
  const project = { languages: [{ locale: "nl" }] };
  const first = await start(project, { data });
  await first.data("POST", "/keys/sync", { keys: [{ key: "a", value: "A" }] });
  await first.stop();
  const file = new DatabaseSync(data);
  file.exec(
    `INSERT INTO jobs (type, status, request, created_at)
     VALUES ('source_language_change', 'running', '{}', '2026-01-01T00:00:00.000Z')`,
  );
  file.close();
  const second = await start(project, { data });
  const again = await second.data("POST", "/keys/sync", { keys: [{ key: "a", value: "A" }] });
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  await second.stop();
  const left = new DatabaseSync(data, { readOnly: true });
  onTestFinished(() => left.close());
  expect(left.prepare("SELECT type FROM jobs").all()).toEqual([]);
});

test("writers have their turn in order; who waits too long is refused, and takes no turn of another", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const store = openStore();
  const done: string[] = [];
  const gates = new Map(["first", "second"].map((name) => [name, Promise.withResolvers<void>()]));
  const write = (name: string, waitMs?: number): Promise<void> =>
    store.write(async () => {
      await gates.get(name)?.promise;
      done.push(name);
    }, waitMs);
  const first = write("first");
  const second = write("second", 100);
  const impatient = expect(write("impatient", 50)).rejects.toMatchObject({ status: 409 });
  const third = write("third");
  vi.advanceTimersByTime(60);
  await impatient;
  gates.get("first")?.resolve();
  await first;
  // The second has its turn, so that its time is no longer limited.
  vi.advanceTimersByTime(100);
  gates.get("second")?.resolve();
  await second;
  await third;
  expect(done).toEqual(["first", "second", "third"]);
});
