/**
 * Jobs (§ Job): queued in the store and run one after another. An interrupted job runs again at the next start. It has
 * written nothing, since its work and its end are one transaction; an AI job skips the keys that it has translated.
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
  const sql = "INSERT INTO jobs (type, status, request, created_at) VALUES (?, 'queued', ?, ?)";
  return connection.run(sql, type, JSON.stringify(request), timestamp(now)).rowId;
}

/** The columns that are not returned as they are. */
interface JobColumns {
  readonly status: string;
  readonly done: number | null;
  readonly total: number | null;
  readonly result: string | null;
  readonly code: JobErrorCode | null;
  readonly errorValues: string | null;
}

/** Returns a job for a response (§ Job); `undefined` for `404`, also for jobs other than imports and exports. */
export function jobRecord(
  service: Service,
  connection: Connection,
  id: number,
  messageLanguage: MessageLanguage,
): object | undefined {
  const row = connection.get<JobColumns>(
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

/** A job that the end of the process interrupted this often has probably crashed it, so it fails. */
const MAX_ATTEMPTS = 3;

interface JobRow {
  readonly id: number;
  readonly type: string;
  readonly request: string;
  readonly attempts: number;
}

/** One run of a job. */
export class Job {
  readonly service: Service;
  readonly id: number;
  /** As passed to `addJob`. */
  readonly request: unknown;
  readonly startedAt: string;
  readonly stopping: AbortSignal;

  constructor(service: Service, row: JobRow, stopping: AbortSignal) {
    this.service = service;
    this.id = row.id;
    this.request = JSON.parse(row.request);
    this.startedAt = timestamp(service.now());
    this.stopping = stopping;
  }

  /** Sets the progress of the running job. */
  report(done: number, total: number): void {
    this.service.progress.set(this.id, { done, total });
  }

  /**
   * Marks the job as succeeded, in the same transaction as its work.
   * @param total number of steps of its progress
   */
  succeed(connection: Connection, total: number, result: object): void {
    connection.run(
      `UPDATE jobs SET status = 'succeeded', done = :total, total = :total, result = :result, finished_at = :now
       WHERE id = :id`,
      { total, result: JSON.stringify(result), now: timestamp(this.service.now()), id: this.id },
    );
  }
}

export interface JobHandler {
  /**
   * Does the work and marks the job as succeeded, in one transaction.
   * @throws {JobFailure}
   */
  run(job: Job): Promise<void>;
  /** Called in the transaction that marks the job as failed. */
  onFailure?(job: Job, failure: JobFailure, connection: Connection): void;
}

export class JobRunner {
  readonly #service: Service;
  readonly #handlers: Readonly<Record<string, JobHandler>>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isRequested = false;

  /** @param handlers by job type */
  constructor(service: Service, handlers: Readonly<Record<string, JobHandler>>) {
    this.#service = service;
    this.#handlers = handlers;
    service.store.onCommit(() => this.start());
  }

  /** Runs the queued jobs, unless they are being run. */
  start(): void {
    this.#isRequested = true;
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#runQueue()
      .catch((error: unknown) => {
        // The disk may be full: the next commit starts the queue again.
        this.#isRequested = false;
        this.#service.log(`jobs: ${String(error)}`);
      })
      .finally(() => {
        this.#running = undefined;
        if (this.#isRequested) this.start();
      });
  }

  /** Aborts the running job, which runs again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #runQueue(): Promise<void> {
    this.#isRequested = false;
    const sql =
      "SELECT id, type, request, attempts FROM jobs WHERE status IN ('queued', 'running') ORDER BY id LIMIT 1";
    while (!this.#stopping.signal.aborted) {
      const row = this.#service.store.reader.get<JobRow>(sql);
      if (row === undefined) return;
      await this.#runJob(row);
    }
  }

  async #runJob(row: JobRow): Promise<void> {
    const { store, progress, now, log } = this.#service;
    const job = new Job(this.#service, row, this.#stopping.signal);
    const handler = this.#handlers[row.type];
    try {
      const sql = "UPDATE jobs SET status = 'running', started_at = ?, attempts = attempts + 1 WHERE id = ?";
      await store.write((connection) => connection.run(sql, job.startedAt, job.id));
      if (row.attempts >= MAX_ATTEMPTS) throw new Error("interrupted too often");
      if (handler === undefined) throw new Error("unknown job type");
      await handler.run(job);
    } catch (error) {
      if (job.stopping.aborted) {
        const sql = "UPDATE jobs SET attempts = 0 WHERE id = ?";
        await store.write((connection) => connection.run(sql, job.id));
        return;
      }
      const failure = error instanceof JobFailure ? error : new JobFailure("internal_error");
      if (failure !== error)
        log(`job ${job.id} (${row.type}): ${error instanceof Error ? error.stack : String(error)}`);
      await store.write((connection) => {
        connection.run(
          "UPDATE jobs SET status = 'failed', error_code = ?, error_values = ?, finished_at = ? WHERE id = ?",
          failure.code,
          JSON.stringify(failure.values),
          timestamp(now()),
          job.id,
        );
        handler?.onFailure?.(job, failure, connection);
      });
    } finally {
      progress.delete(job.id);
    }
  }
}
