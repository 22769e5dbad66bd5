/** Sends translation files to the service and follows the job (§ POST /imports). import-plan.ts plans the uploads. */
import type { Client, RequestOptions } from "../../api/client.ts";
import { MAX_UPLOAD_BYTES, type ImportFields, type ImportFile } from "../../api/endpoints.ts";
import { isApiError, refusedFiles } from "../../api/errors.ts";
import type { Clock } from "../../model/platform.ts";
import type { Job } from "../../api/response-schemas.ts";
import type { JobEnd, Jobs } from "../poll-jobs.ts";

/** A file that the service refused (§ POST /imports rule 2). */
export interface RefusedFile {
  readonly path: string;
  readonly messages: readonly string[];
}

/** How an import ended. */
export type ImportOutcome =
  | JobEnd
  /**
   * The caller cancelled after the files were sent. The job is still followed: `null` if its response has not arrived
   * yet, and the service may not have accepted the files.
   */
  | { readonly kind: "left"; readonly job: Job | null }
  /** Nothing was stored. */
  | { readonly kind: "refused"; readonly files: readonly RefusedFile[]; readonly error: unknown }
  | { readonly kind: "too_large"; readonly bytes: number };

interface ImportRunOptions extends RequestOptions {
  readonly onUpload?: (sent: number, total: number) => void;
  /** Called when the job has started; an abort does not stop it any more. */
  readonly onStarted?: (job: Job) => void;
  /** Whether only the caller is notified of the job's end. */
  readonly quiet?: boolean;
}

/** Time that the response to a cancelled import is waited for, so that the caller can name the job. */
const CANCELLED_WAIT_MS = 10_000;

interface ImportDependencies {
  readonly client: Client;
  readonly jobs: Jobs;
  readonly clock: Clock;
}

/**
 * Uploads files and follows the job. Never retried, since a second import would be a second job.
 * @throws {ApiError} before `onStarted`; an abort before the files were sent rejects with the signal's reason. Later,
 * the job continues and is still followed.
 */
export async function runImport(
  dependencies: ImportDependencies,
  files: readonly ImportFile[],
  fields: ImportFields,
  options: ImportRunOptions = {},
): Promise<ImportOutcome> {
  const { signal } = options;
  let job: Job | null = null;
  const onStarted = (started: Job): void => {
    job = started;
    options.onStarted?.(started);
  };
  const running = sendAndFollow(dependencies, files, fields, { ...options, onStarted });
  if (signal === undefined) return running;
  try {
    return await Promise.race([running, waitAfterAbort(dependencies.clock, signal)]);
  } catch (error) {
    if (error === LEFT || (job !== null && signal.aborted)) return { kind: "left", job };
    throw error;
  }
}

const LEFT = new Error("The caller no longer waits");

/** Rejects with `LEFT` some time after the signal is aborted. */
async function waitAfterAbort(clock: Clock, signal: AbortSignal): Promise<never> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await clock.sleep(CANCELLED_WAIT_MS);
  throw LEFT;
}

async function sendAndFollow(
  { client, jobs }: ImportDependencies,
  files: readonly ImportFile[],
  fields: ImportFields,
  options: ImportRunOptions,
): Promise<Exclude<ImportOutcome, { readonly kind: "left" }>> {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes > MAX_UPLOAD_BYTES) return { kind: "too_large", bytes };
  const { onStarted, quiet: _, ...request } = options;
  let job: Job;
  try {
    job = await client.import(files, fields, request);
  } catch (error) {
    const refused = isApiError(error, "invalid") ? refusedFiles(error) : new Map<number, readonly string[]>();
    if (refused.size === 0) throw error;
    const named = [...refused].map(([index, messages]) => ({
      path: files[index]?.path ?? `#${index + 1}`,
      messages,
    }));
    return { kind: "refused", files: named, error };
  }
  onStarted?.(job);
  const subject = files.map((file) => file.path);
  const purpose = { kind: "import" as const, subject, quiet: options.quiet === true };
  return jobs.follow(job, purpose, options.signal);
}
