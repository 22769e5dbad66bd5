/** Sends translation files to the service and follows the job (§ POST /imports). import-plan.ts plans the uploads. */
import type { Client, RequestOptions } from "../../api/client.ts";
import { MAX_UPLOAD_BYTES, type ImportFields, type ImportFile } from "../../api/endpoints.ts";
import { isApiError, refusedFiles } from "../../api/errors.ts";
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

/**
 * Uploads files and follows the job. Never retried, since a second import would be a second job.
 * @throws {ApiError} before `onStarted`; an abort rejects with the signal's reason. After `onStarted` the job
 * continues and is still followed.
 */
export async function runImport(
  { client, jobs }: { readonly client: Client; readonly jobs: Jobs },
  files: readonly ImportFile[],
  fields: ImportFields,
  options: ImportRunOptions = {},
): Promise<ImportOutcome> {
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
