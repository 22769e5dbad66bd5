/**
 * Jobs (§ Job): queued in the store, run one after another. An interrupted job runs again at the next start: it has
 * written nothing, since its work and its end are one transaction, or, as an AI job, some keys that it then skips.
 */
import {
  JOB_TYPE_EXPORT,
  JOB_TYPE_IMPORT,
  RETENTION_DAYS,
  type JobErrorCode,
} from "./specification-decisions.ts";
import { timestamp, type Service } from "./service-context.ts";
import { messageText, type MessageLanguage, type MessageValues } from "./http/localised-messages.ts";
import type { Connection } from "./store/store.ts";

/** Why a job fails; any other exception is an `internal_error`. */
export class JobFailure extends Error {
  readonly code: JobErrorCode;
  readonly values: MessageValues;

  constructor(code: JobErrorCode, values: MessageValues = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

/** Adds a queued job, which runs after the commit, and returns its id. */
export function addJob(connection: Connection, type: string, request: object, now: number): number {
  const { lastInsertRowid } = connection.run(
    "INSERT INTO jobs (type, status, request, created_at) VALUES (?, 'queued', ?, ?)",
    type,
    JSON.stringify(request),
    timestamp(now),
  );
  return Number(lastInsertRowid);
}

/**
 * Marks a job as succeeded, in the same transaction as its work.
 * @param total all steps of its progress
 */
export function succeedJob(
  service: Service,
  connection: Connection,
  id: number,
  total: number,
  result: object,
): void {
  connection.runNamed(
    `UPDATE jobs SET status = 'succeeded', done = :total, total = :total, result = :result, finished_at = :at
     WHERE id = :id`,
    { total, result: JSON.stringify(result), at: timestamp(service.now()), id },
  );
}

/** The columns that are not shown as they are. */
interface JobRow {
  readonly status: string;
  readonly done: number | null;
  readonly total: number | null;
  readonly result: string | null;
  readonly code: JobErrorCode | null;
  readonly errorValues: string | null;
}

/** Returns a job as shown (§ Job): "for an import or export job …; other jobs give `404`" (`undefined`). */
export function jobRecord(
  service: Service,
  connection: Connection,
  id: number,
  messageLanguage: MessageLanguage,
): object | undefined {
  const row = connection.get<JobRow>(
    `SELECT id, type, status, done, total, result, error_code AS code, error_values AS errorValues,
     created_at AS createdAt, started_at AS startedAt, finished_at AS finishedAt
     FROM jobs WHERE id = ? AND type IN ('${JOB_TYPE_IMPORT}', '${JOB_TYPE_EXPORT}')`,
    id,
  );
  if (row === undefined) return undefined;
  const { done, total, result, code, errorValues, ...job } = row;
  const values = JSON.parse(errorValues ?? "{}") as MessageValues;
  const running = row.status === "running" ? service.progress.get(id) : undefined;
  return {
    ...job,
    progress: running ?? (total === null ? null : { done, total }),
    result: result === null ? null : (JSON.parse(result) as unknown),
    error: code && { code, message: messageText(messageLanguage, { code: `job_${code}`, values }) },
  };
}

/** Deletes ended jobs, their uploads and old deliveries after the retention time. */
export function deleteExpired(service: Service, connection: Connection): void {
  const before = timestamp(service.now() - RETENTION_DAYS * 86_400_000);
  connection.run("DELETE FROM jobs WHERE finished_at < ?", before);
  connection.run("DELETE FROM deliveries WHERE next_at IS NULL AND created_at < ?", before);
  connection.run(
    "DELETE FROM uploads WHERE job_id NOT IN (SELECT id FROM jobs WHERE status IN ('queued', 'running'))",
  );
}

/** Starts of one job that the end of the process interrupted. */
const MAX_ATTEMPTS = 3;

export interface Task {
  readonly id: number;
  /** As passed to `addJob`. */
  readonly request: unknown;
  readonly startedAt: string;
  readonly stopping: AbortSignal;
}

export interface JobKind {
  /** Does the work and marks the job as succeeded, in one transaction. */
  run(service: Service, task: Task): Promise<void>;
  /** Adds to the transaction of a failure. */
  failed?(service: Service, task: Task, failure: JobFailure, connection: Connection): void;
}

export class Runner {
  readonly #service: Service;
  readonly #kinds: Readonly<Record<string, JobKind>>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isRequested = false;

  /** @param kinds by job type */
  constructor(service: Service, kinds: Readonly<Record<string, JobKind>>) {
    this.#service = service;
    this.#kinds = kinds;
    service.store.onCommit(() => this.start());
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
    while (!this.#stopping.signal.aborted) {
      const row = this.#service.store.reader.get<{
        id: number;
        type: string;
        request: string;
        attempts: number;
      }>(
        "SELECT id, type, request, attempts FROM jobs WHERE status IN ('queued', 'running') ORDER BY id LIMIT 1",
      );
      if (row === undefined) return;
      await this.#runOne(row.id, row.type, JSON.parse(row.request), row.attempts);
    }
  }

  async #runOne(id: number, type: string, request: unknown, attempts: number): Promise<void> {
    const { store, progress, now, log } = this.#service;
    const startedAt = timestamp(now());
    const task: Task = { id, request, startedAt, stopping: this.#stopping.signal };
    const kind = this.#kinds[type];
    const update = (sql: string, ...values: (string | number)[]) =>
      store.write(Number.POSITIVE_INFINITY, (connection) => {
        connection.run(`UPDATE jobs SET ${sql} WHERE id = ?`, ...values, id);
      });
    try {
      await update("status = 'running', started_at = ?, attempts = attempts + 1", startedAt);
      // A job that repeatedly crashed the service is not tried again.
      if (attempts >= MAX_ATTEMPTS) throw new Error("interrupted too often");
      if (kind === undefined) throw new Error(`no such kind of job: ${type}`);
      await kind.run(this.#service, task);
    } catch (error) {
      if (task.stopping.aborted) {
        await update("attempts = 0");
        return;
      }
      const failure = error instanceof JobFailure ? error : new JobFailure("internal_error");
      if (failure !== error)
        log(`job ${id} (${type}): ${error instanceof Error ? error.stack : String(error)}`);
      await store.write(Number.POSITIVE_INFINITY, (connection) => {
        connection.run(
          "UPDATE jobs SET status = 'failed', error_code = ?, error_values = ?, finished_at = ? WHERE id = ?",
          failure.code,
          JSON.stringify(failure.values),
          timestamp(now()),
          id,
        );
        kind?.failed?.(this.#service, task, failure, connection);
      });
    } finally {
      progress.delete(id);
    }
  }
}
