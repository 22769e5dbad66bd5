/**
 * Sends translation files to the service and follows the job (§ POST /imports). It says beforehand what the service
 * cannot know by itself, and afterwards which file was refused; it reads no disk.
 */
import type { Client, RequestOptions } from "../api/client.ts";
import { MAX_UPLOAD_BYTES, type ImportFields, type ImportFile } from "../api/endpoints.ts";
import { isApiError, refusedFiles, type ApiError } from "../api/errors.ts";
import type { Job } from "../api/schemas.ts";
import { recogniseContent, recognisePath } from "../formats/recognise.ts";
import type { ImportSource } from "./import-uploads.ts";
import { beginningOf } from "../formats/translation-file.ts";
import type { Jobs } from "./jobs.ts";

/** What has to be asked before files can be sent. */
export interface ImportQuestions {
  /** Files whose path does not say the language. */
  readonly locale: readonly string[];
  /** Files of no known format, which the service would refuse unless it is forced. */
  readonly format: readonly string[];
}

/** Judges by path and content, as the service does (rule 1); spreadsheets and zips say their languages inside. */
export function importQuestions(files: readonly ImportSource[]): ImportQuestions {
  const locale: string[] = [];
  const format: string[] = [];
  for (const file of files) {
    if (file.place?.locale != null || /\.zip$/iu.test(file.path)) continue;
    // What the content contradicts is the service's to refuse.
    const recognised = recogniseContent(file.path, beginningOf(file.bytes)) ?? recognisePath(file.path);
    const known = file.place?.format ?? recognised?.format;
    if (known === undefined) format.push(file.path);
    else if ((recognised?.locale ?? null) === null && !SAYS_INSIDE.has(known)) locale.push(file.path);
  }
  return { locale, format };
}

/** Formats that name their language in the file, or hold only the source. */
const SAYS_INSIDE: ReadonlySet<string> = new Set(["csv", "xlsx", "pot", "xliff12", "xliff20", "po", "mo"]);

/** A file that the service refused (§ POST /imports rule 2), by its own name. */
export interface RefusedFile {
  readonly path: string;
  readonly messages: readonly string[];
}

export type ImportOutcome =
  | { readonly kind: "ended"; readonly job: Job }
  | { readonly kind: "vanished" | "unwatched"; readonly job: Job }
  /** The token was refused while the job was followed; the job goes on at the service. */
  | { readonly kind: "no_access"; readonly job: Job; readonly error: ApiError }
  /** Nothing was stored. */
  | { readonly kind: "refused"; readonly files: readonly RefusedFile[]; readonly error: unknown }
  | { readonly kind: "too_large"; readonly bytes: number };

export interface ImportDependencies {
  readonly client: Client;
  readonly jobs: Jobs;
}

export interface ImportRunOptions extends RequestOptions {
  readonly onUpload?: (sent: number, total: number) => void;
  /** The job runs from here on; an abort no longer takes anything back. */
  readonly onStarted?: (job: Job) => void;
  /** Nobody is to be told of the job's end but the caller. */
  readonly quiet?: boolean;
}

/**
 * Uploads and follows to the end. Never repeated by itself: a second import would be a second job. Throws ApiError, or
 * the signal's reason; after `onStarted` that means only that nobody waits any more, the job goes on and is followed.
 */
export async function runImport(
  dependencies: ImportDependencies,
  files: readonly ImportFile[],
  fields: ImportFields,
  options: ImportRunOptions = {},
): Promise<ImportOutcome> {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes > MAX_UPLOAD_BYTES) return { kind: "too_large", bytes };
  const { onStarted, quiet: _, ...request } = options;
  let job: Job;
  try {
    job = await dependencies.client.import(files, fields, request);
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
  return dependencies.jobs.follow(job, purpose, options.signal);
}

/** What a person can do about a failed import, by the job's error code; `other`: only the service's words help. */
export type ImportRemedy = "split" | "free-keys" | "save-preset" | "import-apart" | "check-archive" | "other";

/** "Complete list of job error codes: not shown", so an unknown one is `other`. */
export function importRemedy(code: string | undefined): ImportRemedy {
  switch (code) {
    case "too_many_lines":
      return "split";
    case "key_limit_reached":
      return "free-keys";
    case "needs_mapping":
      return "save-preset";
    case "keys_only_mixed":
      return "import-apart";
    case "zip_slip":
      return "check-archive";
    default:
      return "other";
  }
}
