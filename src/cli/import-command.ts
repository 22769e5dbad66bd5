/** `import`: uploads translation files, and waits until the service has imported them. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ImportFields } from "../api/endpoints.ts";
import type { Job } from "../api/response-schemas.ts";
import { CommandError } from "../commands/command-types.ts";
import type { ImportResult } from "../commands/declarations/sync-commands.ts";
import { formatCount } from "../messages/counts-and-times.ts";
import { partialResultError } from "../messages/error-messages.ts";
import { projectDisplayName } from "../messages/labels.ts";
import { fileNamesText } from "../messages/sync/file-names.ts";
import { failureMessage, importedMessage } from "../messages/sync/import-messages.ts";
import { findImportFiles, requireImportFields, type FoundFile } from "../operations/find-import-files.ts";
import { uploadImport } from "../operations/upload-import.ts";
import { FORMAT_NAMES } from "../model/file-formats.ts";
import { groupIntoUploads, type ImportUpload } from "../sync/import/import-plan.ts";
import { definedFields } from "../util/defined-fields.ts";
import { l10n } from "../util/l10n.ts";
import { CommandLineError, existingFolder, oneOf } from "./arguments.ts";
import { runSyncCommand, SYNC_OPTIONS, SYNC_USAGE, type SyncReport, type SyncRun } from "./sync-command.ts";

export const IMPORT_USAGE = `import FILE… [--project FOLDER] [--locale LOCALE] [--format FORMAT] [--namespace NAME]
    [--overwrite] [--no-new-keys] [--tag TAG] ${SYNC_USAGE}`;

/** Returns the exit code. */
export async function importFiles(args: readonly string[], signal: AbortSignal): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...SYNC_OPTIONS,
      project: { type: "string", default: "." },
      locale: { type: "string" },
      format: { type: "string" },
      namespace: { type: "string" },
      overwrite: { type: "boolean", default: false },
      "no-new-keys": { type: "boolean", default: false },
      tag: { type: "string" },
    },
  });
  if (positionals.length === 0) throw new CommandLineError(l10n.t("Name the files or folders to import."));
  const { locale, namespace, tag, overwrite } = values;
  const format = values.format === undefined ? undefined : oneOf("--format", values.format, FORMAT_NAMES);
  const createUnknownKeys = !values["no-new-keys"];
  const fields = definedFields({ locale, format, namespace, overwrite, createUnknownKeys, tag });
  const paths = positionals.map((path) => resolve(path));
  return runSyncCommand(existingFolder(values.project), values, { signal, needsWrite: true }, (run) =>
    importAll(run, paths, fields),
  );
}

async function importAll(run: SyncRun, paths: readonly string[], given: ImportFields): Promise<SyncReport> {
  const { open, isDryRun, progress, signal } = run;
  const { project } = open;
  progress.report(l10n.t("Reading the files"));
  await project.local.reload(signal);
  const source = { root: open.root, files: open.files, local: project.local };
  const files = await findImportFiles(source, paths, signal);
  requireImportFields(files, given);
  const pending = groupIntoUploads(files, given);
  if (isDryRun) {
    const lines = pending.flatMap((upload) => [
      describeUpload(upload),
      ...upload.files.map(({ path }) => `  ${path}`),
    ]);
    return {
      result: {
        outcome: "done",
        uploads: pending.map((upload) => ({
          files: upload.files.map(({ path }) => path),
          fields: upload.fields,
        })),
      },
      lines,
      isOpen: true,
    };
  }
  const done: { readonly files: readonly FoundFile[]; readonly job: Job }[] = [];
  for (const upload of pending) {
    try {
      signal.throwIfAborted();
      const job = await importUpload(run, upload, done.length === 0);
      done.push({ files: upload.files, job });
    } catch (error) {
      if (done.length === 0) throw error;
      const rest = files.length - done.flatMap((each) => each.files).length;
      throw partialResultError(
        importedMessage(projectDisplayName(project), done),
        rest,
        resultOf(done),
        error,
      );
    }
  }
  return {
    result: { outcome: "done", ...resultOf(done) },
    lines: [importedMessage(projectDisplayName(project), done)],
    isOpen: false,
  };
}

/** @throws {CommandError | ApiError} if the job failed, or was not waited for */
async function importUpload(
  { service, progress, signal }: SyncRun,
  upload: ImportUpload<FoundFile>,
  isFirst: boolean,
): Promise<Job> {
  const names = fileNamesText(upload.files);
  const { kind, job } = await uploadImport(service, upload, {
    signal,
    quiet: true,
    isFirst,
    onUpload: (percent) => progress.report(l10n.t("Uploading {0}", names), percent),
    onStarted: () => progress.report(l10n.t("The service imports {0}", names)),
  });
  if (kind === "left") throw new CommandError("cancelled", l10n.t("The import continues on the service."));
  if (job.status !== "succeeded")
    throw new CommandError("job_failed", failureMessage(job), definedFields({ reason: job.error?.code }));
  return job;
}

function describeUpload({ files, fields }: ImportUpload<FoundFile>): string {
  const { format, locale, namespace } = fields;
  const given = [format, locale, namespace].filter((each) => each !== undefined && each !== "");
  return [formatCount.files(files.length), ...given].join(" · ");
}

function resultOf(done: readonly { readonly job: Job }[]): ImportResult {
  const jobs = done.map(({ job }) => job);
  const job = jobs.at(-1);
  if (job === undefined) throw new Error("an import without an upload");
  return { job, jobs };
}
