/**
 * Runs the noted jobs one after another. A job that a kill interrupted had written nothing (its write and its end
 * are one), so it simply runs again at the next start.
 */
import { timestamp, type Context } from "../context.ts";
import { Problem } from "../problem.ts";
import type { Connection } from "../store/store.ts";
import { failJob, JobFailure, type Progress } from "./jobs.ts";

/** Starts of one job, all of them cut off by the end of the process. */
const MAX_ATTEMPTS = 3;

export interface Task {
  readonly id: number;
  readonly type: string;
  /** As it was given to `addJob`. */
  readonly request: unknown;
  readonly startedAt: string;
  readonly stopping: AbortSignal;
  report(progress: Progress): void;
}

/** One kind of job. `run` ends the job itself, in the write of its work; `failed` adds to the write of a failure. */
export interface JobKind {
  readonly type: string;
  run(task: Task): Promise<void>;
  failed?(task: Task, failure: JobFailure, connection: Connection): void;
}

export class Runner {
  readonly #context: Context;
  readonly #kinds = new Map<string, JobKind>();
  readonly #progress = new Map<number, Progress>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(context: Context) {
    this.#context = context;
  }

  register(kind: JobKind): void {
    this.#kinds.set(kind.type, kind);
  }

  /** How far a running job is. */
  progress(id: number): Progress | undefined {
    return this.#progress.get(id);
  }

  /** Something was noted. */
  kick(): void {
    this.#again = true;
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      if (this.#again) this.kick();
    });
  }

  /** Lets the running job give up its unfinished write; it runs again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    this.#again = false;
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
    const kind = this.#kinds.get(type);
    try {
      await store.write(Number.POSITIVE_INFINITY, (connection) => {
        connection
          .sql("UPDATE jobs SET status = 'running', started_at = ?, attempts = attempts + 1 WHERE id = ?")
          .run(startedAt, id);
      });
      // What took the whole service down with it twice is not tried for ever.
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
