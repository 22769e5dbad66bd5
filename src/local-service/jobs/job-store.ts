/** Jobs in the store (§ Job): adding, completing and reading them. `job-runner.ts` runs them. */
import {
  JOB_TYPE_EXPORT,
  JOB_TYPE_IMPORT,
  RETENTION_DAYS,
  type JobErrorCode,
} from "../specification-decisions.ts";
import { timestamp, type ServiceContext } from "../service-context.ts";
import {
  isMessageCode,
  messageText,
  type MessageValues,
  type MessageLanguage,
} from "../http/localised-messages.ts";
import { numberOrNull, textOrNull, type SqlRow } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";

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

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Adds a queued job and returns its id. */
export function addJob(connection: Connection, type: string, request: object, now: number): number {
  return Number(
    connection
      .sql("INSERT INTO jobs (type, status, request, created_at) VALUES (?, 'queued', ?, ?)")
      .run(type, JSON.stringify(request), timestamp(now)).lastInsertRowid,
  );
}

/** Marks a job as succeeded, in the same transaction as its work. */
export function succeedJob(
  connection: Connection,
  id: number,
  progress: Progress,
  result: object,
  now: number,
): void {
  connection
    .sql(
      "UPDATE jobs SET status = 'succeeded', done = ?, total = ?, result = ?, finished_at = ? WHERE id = ?",
    )
    .run(progress.done, progress.total, JSON.stringify(result), timestamp(now), id);
}

export function failJob(connection: Connection, id: number, failure: JobFailure, now: number): void {
  connection
    .sql("UPDATE jobs SET status = 'failed', error_code = ?, error_values = ?, finished_at = ? WHERE id = ?")
    .run(failure.code, JSON.stringify(failure.values), timestamp(now), id);
}

/**
 * Returns a job as shown (§ Job): "for an import or export job …; other jobs give `404`" (`undefined`).
 * @param progress of a running job
 */
export function jobRecord(
  connection: Connection,
  id: number,
  progress: Progress | undefined,
  messageLanguage: MessageLanguage,
): object | undefined {
  const row = connection
    .sql(
      `SELECT id, type, status, done, total, result, error_code, error_values, created_at, started_at, finished_at
       FROM jobs WHERE id = ? AND type IN ('${JOB_TYPE_IMPORT}', '${JOB_TYPE_EXPORT}')`,
    )
    .get(id);
  if (row === undefined) return undefined;
  const total = numberOrNull(row["total"]);
  const stored = total === null ? null : { done: numberOrNull(row["done"]) ?? 0, total };
  return {
    id,
    type: row["type"],
    status: row["status"],
    progress: row["status"] === "running" ? (progress ?? stored) : stored,
    result: typeof row["result"] === "string" ? JSON.parse(row["result"]) : null,
    error: jobError(row, messageLanguage),
    createdAt: row["created_at"],
    startedAt: textOrNull(row["started_at"]),
    finishedAt: textOrNull(row["finished_at"]),
  };
}

function jobError(row: SqlRow, messageLanguage: MessageLanguage): { code: string; message: string } | null {
  const code = textOrNull(row["error_code"]);
  if (code === null) return null;
  const word = `job_${code}`;
  const values = JSON.parse(textOrNull(row["error_values"]) ?? "{}") as MessageValues;
  return { code, message: isMessageCode(word) ? messageText(messageLanguage, { code: word, values }) : code };
}

/** Deletes ended jobs, their uploads and old deliveries after the retention time. */
export function deleteExpired(context: ServiceContext, connection: Connection): void {
  const before = timestamp(context.now() - RETENTION_DAYS * 86_400_000);
  connection.sql("DELETE FROM jobs WHERE finished_at < ?").run(before);
  connection.sql("DELETE FROM deliveries WHERE next_at IS NULL AND created_at < ?").run(before);
  connection
    .sql(
      "DELETE FROM uploads WHERE job_id NOT IN (SELECT id FROM jobs WHERE status IN ('queued', 'running'))",
    )
    .run();
}
