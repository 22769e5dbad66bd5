/** Sends the files of one upload, follows its job, and says why it failed. */
import type { Client } from "../api/client.ts";
import { mayHaveBeenExecuted } from "../api/errors.ts";
import type { Job } from "../api/response-schemas.ts";
import { clock } from "../api/system-clock.ts";
import { CommandError, type NextAction } from "../commands/command-types.ts";
import { toFailure } from "../messages/error-messages.ts";
import {
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
import { tooLargeError } from "./find-import-files.ts";

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
      throw new CommandError(error.kind, unansweredMessage(files), definedFields({ status: error.status }));
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
