/** Sends the files of one upload, follows its job, and says why it failed. */
import type { Client } from "../api/client.ts";
import { mayHaveBeenExecuted } from "../api/errors.ts";
import type { Job } from "../api/response-schemas.ts";
import { clock } from "../api/system-clock.ts";
import { CommandError, type NextAction } from "../commands/command-types.ts";
import type { ImportResult } from "../commands/declarations/sync-commands.ts";
import type { Project } from "../database/project-state.ts";
import { partialResultError, toFailure } from "../messages/error-messages.ts";
import { projectDisplayName } from "../messages/labels.ts";
import {
  failureMessage,
  importedMessage,
  refusedFilesError,
  sentMessage,
  unansweredMessage,
  vanishedJobMessage,
} from "../messages/sync/import-messages.ts";
import type { ImportSource, ImportUpload } from "../sync/import/import-plan.ts";
import { runImport, type RefusedFile } from "../sync/import/send-import.ts";
import type { Jobs } from "../sync/poll-jobs.ts";
import { definedFields } from "../util/defined-fields.ts";
import { l10n } from "../util/l10n.ts";
import { type FoundFile, tooLargeError } from "./find-import-files.ts";

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Whether nothing may be shown, also when the job ends later. */
  readonly quiet: boolean;
  /** Whether nothing was imported before. */
  readonly isFirst: boolean;
  /** Called with the percentage that was sent, until the service has the upload. */
  readonly onUpload: (percent: number) => void;
  readonly onStarted: () => void;
  /** Returns what is offered for refused files. */
  readonly stepFor?: (refused: readonly RefusedFile[]) => NextAction;
}

/** An upload that the service has; its job may have failed. `left`: it continues, and nobody waits for it. */
export interface UploadedImport {
  readonly kind: "ended" | "left";
  readonly job: Job;
}

/** @throws {CommandError | ApiError} if it has no job, or what became of that cannot be told */
export async function uploadImport(
  service: { readonly client: Client; readonly jobs: Jobs },
  { files, fields }: ImportUpload<ImportSource>,
  { signal, quiet, isFirst, onUpload, onStarted, stepFor }: UploadOptions,
): Promise<UploadedImport> {
  let isStarted = false;
  /** Whether the request was sent completely. */
  let isSent = false;
  const uploaded = files.map(({ path, bytes }) => ({ path, bytes }));
  const outcome = await runImport({ ...service, clock }, uploaded, fields, {
    signal,
    priority: "person",
    quiet,
    onUpload: (sent, total) => {
      isSent = sent === total;
      if (!isStarted) onUpload((100 * sent) / total);
    },
    onStarted: () => {
      isStarted = true;
      onStarted();
    },
  }).catch((error: unknown) => {
    if (!isStarted && isSent && mayHaveBeenExecuted(error))
      throw new CommandError(
        error.kind,
        unansweredMessage(files, error),
        definedFields({ status: error.status }),
      );
    throw error;
  });
  switch (outcome.kind) {
    case "too_large":
      throw tooLargeError(outcome.bytes);
    case "refused":
      throw refusedFilesError(outcome.files, isFirst, stepFor?.(outcome.files));
    case "left":
      if (outcome.job === null) throw new CommandError("cancelled", sentMessage(files));
      return { kind: "left", job: outcome.job };
    case "unwatched":
      return { kind: "left", job: outcome.job };
    case "no_access": {
      const { code, message, ...details } = toFailure(outcome.error);
      const text = l10n.t("The import continues on the service, but can no longer be followed: {0}", message);
      throw new CommandError(code, text, details);
    }
    case "vanished":
      throw new CommandError("job_failed", vanishedJobMessage());
    case "ended":
      return { kind: "ended", job: outcome.job };
  }
}

export type SentUpload =
  /** `left`: nobody waits for the job any more, which continues. */
  | { readonly kind: "done" | "left"; readonly job: Job }
  /** The job failed and is to be repeated in these parts. */
  | { readonly kind: "parts"; readonly parts: readonly ImportUpload<FoundFile>[] };

/** The uploads that the service has imported. */
export interface ImportedFiles {
  readonly done: readonly { readonly files: readonly FoundFile[]; readonly job: Job }[];
  /** Whether the last job continues; then `unsent` are the files that were not uploaded. */
  readonly isLeft: boolean;
  readonly unsent: readonly FoundFile[];
}

/**
 * Sends uploads one after the other.
 * @param send `isFirst`: nothing was imported before
 * @throws {PartialResultError} after a failure, if something was imported before
 */
export async function importUploads(
  project: Pick<Project, "session" | "label">,
  uploads: readonly ImportUpload<FoundFile>[],
  send: (upload: ImportUpload<FoundFile>, isFirst: boolean) => Promise<SentUpload>,
  signal: AbortSignal,
): Promise<ImportedFiles> {
  const pending = [...uploads];
  const done: { readonly files: readonly FoundFile[]; readonly job: Job }[] = [];
  for (let upload = pending.shift(); upload !== undefined; upload = pending.shift()) {
    try {
      signal.throwIfAborted();
      const sent = await send(upload, done.length === 0);
      if (sent.kind === "parts") {
        pending.unshift(...sent.parts);
        continue;
      }
      done.push({ files: upload.files, job: sent.job });
      if (sent.kind === "left") return { done, isLeft: true, unsent: pending.flatMap(({ files }) => files) };
    } catch (error) {
      if (done.length === 0) throw error;
      const rest = [upload, ...pending].flatMap(({ files }) => files).length;
      const message = importedMessage(projectDisplayName(project), done);
      throw partialResultError(message, rest, importResult(done), error);
    }
  }
  return { done, isLeft: false, unsent: [] };
}

/** Returns the fields of an import's result. */
export function importResult(done: readonly { readonly job: Job }[]): ImportResult {
  const jobs = done.map(({ job }) => job);
  const job = jobs.at(-1);
  if (job === undefined) throw new Error("an import without an upload");
  return { job, jobs };
}

/** Returns the error of a job that failed. @param step what may mend it */
export function failedImportError(job: Job, step?: NextAction): CommandError {
  const details = definedFields({ reason: job.error?.code });
  return new CommandError("job_failed", failureMessage(job), details, step);
}
