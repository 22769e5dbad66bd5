/**
 * Runs queued jobs one after another. An interrupted job has written nothing (its work and its end are one
 * transaction), so it runs again at the next start.
 */
import { timestamp, type ServiceContext } from "../service-context.ts";
import { Problem } from "../http/error-responses.ts";
import type { Connection } from "../store/store.ts";
import { failJob, JobFailure, type Progress } from "./job-store.ts";

/** Starts of one job that the end of the process interrupted. */
const MAX_ATTEMPTS = 3;

export interface Task {
  readonly id: number;
  readonly type: string;
  /** As passed to `addJob`. */
  readonly request: unknown;
  readonly startedAt: string;
  readonly stopping: AbortSignal;
  report(progress: Progress): void;
}

/**
 * A kind of job. `run` marks the job as succeeded in the transaction of its work; `failed` adds to the transaction of
 * a failure.
 */
export interface JobKind {
  readonly type: string;
  run(task: Task): Promise<void>;
  failed?(task: Task, failure: JobFailure, connection: Connection): void;
}

export class Runner {
  readonly #context: ServiceContext;
  readonly #kinds: readonly JobKind[];
  readonly #progress = new Map<number, Progress>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isRequested = false;

  constructor(context: ServiceContext, kinds: readonly JobKind[]) {
    this.#context = context;
    this.#kinds = kinds;
  }

  /** Returns the progress of a running job. */
  progress(id: number): Progress | undefined {
    return this.#progress.get(id);
  }

  /** Starts running the queue, if it is not running. */
  start(): void {
    this.#isRequested = true;
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      if (this.#isRequested) this.start();
    });
  }

  /** Aborts the running job, which runs again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    this.#isRequested = false;
    for (;;) {
      if (this.#stopping.signal.aborted) return;
      const row = this.#context.store.reader
        .sql(
          "SELECT id, type, request, attempts FROM jobs WHERE status IN ('queued', 'running') ORDER BY id LIMIT 1",
        )
        .get();
      if (row === undefined) return;
      const request: unknown = JSON.parse(String(row["request"]));
      await this.#runOne(Number(row["id"]), String(row["type"]), request, Number(row["attempts"]));
    }
  }

  async #runOne(id: number, type: string, request: unknown, attempts: number): Promise<void> {
    const { store } = this.#context;
    const startedAt = timestamp(this.#context.now());
    const task: Task = {
      id,
      type,
      request,
      startedAt,
      stopping: this.#stopping.signal,
      report: (progress) => this.#progress.set(id, progress),
    };
    const kind = this.#kinds.find((one) => one.type === type);
    try {
      await store.write(Number.POSITIVE_INFINITY, (connection) => {
        connection
          .sql("UPDATE jobs SET status = 'running', started_at = ?, attempts = attempts + 1 WHERE id = ?")
          .run(startedAt, id);
      });
      // A job that repeatedly crashed the service is not tried again.
      if (attempts >= MAX_ATTEMPTS) throw new Error("interrupted too often");
      if (kind === undefined) throw new Error(`no such kind of job: ${type}`);
      await kind.run(task);
    } catch (error) {
      if (this.#stopping.signal.aborted) {
        await store.write(Number.POSITIVE_INFINITY, (connection) => {
          connection.sql("UPDATE jobs SET attempts = 0 WHERE id = ?").run(id);
        });
        return;
      }
      const failure = error instanceof JobFailure ? error : new JobFailure("internal_error");
      if (failure !== error) this.#context.log(`job ${id} (${type}): ${describe(error)}`);
      await store.write(Number.POSITIVE_INFINITY, (connection) => {
        failJob(connection, id, failure, this.#context.now());
        kind?.failed?.(task, failure, connection);
      });
    } finally {
      this.#progress.delete(id);
    }
  }
}

function describe(error: unknown): string {
  if (error instanceof Problem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
