/**
 * Import: uploads translation files, follows the jobs and reports the results.
 */
import { formatInfoOf } from "../../model/file-formats.ts";
import type { OptionsOf } from "../../commands/define-command.ts";
import { importCommand, importLocalCommand } from "../../commands/declarations/sync-commands.ts";
import type { ImportFields } from "../../api/endpoints.ts";
import { detectFromPath } from "../../formats/detect-format.ts";
import type { App, CommandWork, SignedInProject } from "../../vscode/app.ts";
import { pickOneOrNone } from "../../vscode/ui/input/quick-pick.ts";
import { percentOf } from "../../messages/job-messages.ts";
import { refreshInBackground } from "../../vscode/projects/refresh-project.ts";
import { isAbortError } from "../../util/abort-error.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { errorKindMessage, toFailure } from "../../messages/error-messages.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { CommandError, type CommandRun, PartialResultError } from "../../commands/command-types.ts";
import { parseUrisOption } from "../../vscode/commands/command-options.ts";
import { l10n } from "../../util/l10n.ts";
import { findImportFiles, type FoundFile } from "../../operations/find-import-files.ts";
import {
  failedImportError,
  importResult,
  importUploads,
  type SentUpload,
  uploadImport,
  type UploadedImport,
} from "../../operations/upload-import.ts";
import { chooseImportFiles, promptForFields } from "./choose-import-files.ts";
import { fileNamesText } from "../../messages/sync/file-names.ts";
import { registerImportLocal } from "./import-local-translations.ts";
import { failureMessage, remainingText } from "../../messages/sync/import-messages.ts";
import { importEnded, openRefusedFile, remedyFor, showImported } from "./import-messages.ts";
import { type ImportUpload, groupIntoUploads } from "../../sync/import/import-plan.ts";

/** Registers `projectTranslations.import`. */
export function registerImport(app: App): void {
  app.command(importCommand, importFiles);
  registerImportLocal(app);
  app.addDisposable(app.projects.onDidEndJob(({ open, end }) => importEnded(app, open, end)));
}

type Upload = ImportUpload<FoundFile>;

const importFiles: CommandWork<typeof importCommand> = async (app, options, run) => {
  const { quiet } = run;
  const { open } = run;
  const chosenFiles = options.files ?? (quiet ? [] : await chooseImportFiles(open));
  if (chosenFiles === "local") return app.run(importLocalCommand, { folder: open.root });
  run.report(l10n.t("Reading the files"));
  const found = await findImportFiles(
    { root: open.root.fsPath, files: open.files, local: open.local },
    parseUrisOption(open, chosenFiles).map(({ fsPath }) => fsPath),
    run.signal,
  );
  run.pause();
  const { files, fields } = await promptForFields(open, found, importFields(options), quiet);
  const uploads = groupIntoUploads(files, fields);
  const sending = (upload: Upload, isFirst: boolean): Promise<SentUpload> =>
    send(app, run, upload, isFirst, run);
  const imported = await importUploads(run.connection, uploads, sending, run.signal).catch(
    (error: unknown) => {
      const cause = error instanceof PartialResultError ? error.cause : error;
      // A failed job has its own row in Activity.
      const hasJob = cause instanceof CommandError && cause.code === "job_failed";
      if (!hasJob && !isAbortError(cause)) app.results.add(open, toFailure(cause).message, "failed");
      if (error instanceof PartialResultError) app.results.add(open, error.message, "partly");
      throw error;
    },
  );
  const { done, isLeft, unsent } = imported;
  if (isLeft) {
    if (!quiet) void showInformation(remainingText(unsent));
    return { outcome: "cancelled", ...importResult(done) };
  }
  showImported(app, open, done, quiet);
  return { outcome: "done", ...importResult(done) };
};

/**
 * Sends one upload. `isFirst`: nothing was imported before.
 *
 * @throws {CommandError | ApiError}
 */
async function send(
  app: App,
  chosen: SignedInProject,
  { files, fields }: Upload,
  isFirst: boolean,
  run: CommandRun,
): Promise<SentUpload> {
  const { open } = chosen;
  const { kind, job } = await upload(chosen, { files, fields }, isFirst, run);
  if (kind === "left") return { kind, job };
  refreshInBackground(open);
  if (job.status === "succeeded") return { kind: "done", job };
  const code = job.error?.code;
  const parts = run.quiet ? [] : partsFor(code, files);
  if (parts.length > 1) {
    run.pause();
    const shouldSplit = await pickOneOrNone(failureMessage(job), l10n.t("Nothing was written."), [
      {
        label: `$(split-horizontal) ${l10n.t("Import in {0} Parts", parts.length)}`,
        detail: uploadsText(parts),
        value: true,
      },
      { label: `$(close) ${l10n.t("Cancel Import")}`, value: false },
    ]);
    if (shouldSplit === true) return { kind: "parts", parts: parts.map((part) => ({ files: part, fields })) };
  }
  throw failedImportError(job, remedyFor(app, code, open, files, fields));
}

/** Uploads the files and follows the job. */
async function upload(
  { connection, client }: SignedInProject,
  { files, fields }: Upload,
  isFirst: boolean,
  run: CommandRun,
): Promise<UploadedImport> {
  const uploading = l10n.t("Uploading {0}", fileNamesText(files));
  const importing = l10n.t("The service imports {0}", fileNamesText(files));
  let isStarted = false;
  run.report(uploading, 0);
  const listener = connection.onDidChange((table) => {
    const [latest] = connection.jobs;
    if (table !== "jobs" || !isStarted || latest?.kind !== "import") return;
    const { job, failure } = latest;
    const unknown =
      failure && l10n.t("{0}. Its progress is not known: {1}", importing, errorKindMessage(failure));
    run.report(unknown ?? importing, percentOf(job));
  });
  try {
    return await uploadImport(
      { client, jobs: connection.jobPoller },
      { files, fields },
      {
        signal: run.signal,
        quiet: run.quiet,
        isFirst,
        onUpload: (percent) => run.report(uploading, percent),
        onStarted: () => {
          isStarted = true;
          run.report(importing);
        },
        stepFor: (refused) => openRefusedFile(refused, files),
      },
    );
  } finally {
    listener.dispose();
  }
}

/** Splits the files to avoid a failure: by language or file for too many lines, spreadsheets separately. */
function partsFor(code: string | undefined, files: readonly FoundFile[]): FoundFile[][] {
  const isSpreadsheet = ({ path }: FoundFile): boolean =>
    formatInfoOf(detectFromPath(path)?.format ?? "")?.family === "spreadsheet";
  switch (code) {
    case "too_many_lines": {
      const byLocale = [...Map.groupBy(files, (file) => detectFromPath(file.path)?.locale ?? "").values()];
      return byLocale.length > 1 ? byLocale : files.map((file) => [file]);
    }
    case "keys_only_mixed":
      return [...Map.groupBy(files, (file) => (isSpreadsheet(file) ? file.path : "")).values()];
    default:
      return [];
  }
}

function uploadsText(parts: readonly (readonly FoundFile[])[]): string {
  return parts
    .slice(0, 6)
    .map(([first]) => detectFromPath(first?.path ?? "")?.locale ?? first?.path ?? "")
    .join(", ");
}

/** Returns the fields of the request that the options determine. */
function importFields(options: OptionsOf<typeof importCommand>): ImportFields {
  const { locale, format, namespace, overwrite, createUnknownKeys, tag } = options;
  return definedFields({ locale, format, namespace, overwrite, createUnknownKeys, tag });
}
