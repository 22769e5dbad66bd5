/** `import`: uploads translation files, and waits until the service has imported them. */
import { resolve } from "node:path";
import type { ImportFields } from "../api/endpoints.ts";
import { PartialResultError } from "../commands/command-types.ts";
import { importCommand } from "../commands/declarations/sync-commands.ts";
import { formatCount } from "../messages/counts-and-times.ts";
import { projectDisplayName } from "../messages/labels.ts";
import { fileNamesText } from "../messages/sync/file-names.ts";
import { importedMessage, unsentText } from "../messages/sync/import-messages.ts";
import { findImportFiles, requireImportFields, type FoundFile } from "../operations/find-import-files.ts";
import {
  failedImportError,
  importResult,
  importUploads,
  type SentUpload,
  uploadImport,
} from "../operations/upload-import.ts";
import { groupIntoUploads, type ImportUpload } from "../sync/import/import-plan.ts";
import { l10n } from "../util/l10n.ts";
import { CommandLineError, existingFolder } from "./arguments.ts";
import { programCommand } from "./command.ts";
import { runSyncCommand, SYNC_OPTIONS, SYNC_USAGE, type SyncReport, type SyncRun } from "./sync-command.ts";

export const importFiles = programCommand({
  operands: `FILE… ${SYNC_USAGE}`,
  options: { project: { type: "string", value: "FOLDER", default: "." }, ...SYNC_OPTIONS },
  from: {
    declaration: importCommand,
    names: ["locale", "format", "namespace", "overwrite", "createUnknownKeys", "tag"],
  },
  run: ({ operands, values, declared }, signal) => {
    if (operands.length === 0) throw new CommandLineError(l10n.t("Name the files or folders to import."));
    const paths = operands.map((path) => resolve(path));
    return runSyncCommand(existingFolder(values.project), values, { signal, needsWrite: true }, (run) =>
      importAll(run, paths, declared),
    );
  },
});

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
  const { done, isLeft, unsent } = await importUploads(
    project,
    pending,
    (upload, isFirst) => importUpload(run, upload, isFirst),
    signal,
  );
  const result = importResult(done);
  const ended = isLeft ? done.slice(0, -1) : done;
  const lines = ended.length === 0 ? [] : [importedMessage(projectDisplayName(project), ended)];
  if (isLeft) {
    const rest = [l10n.t("The import continues on the service."), unsentText(unsent)];
    throw new PartialResultError([...lines, ...rest].join(" ").trim(), result, signal.reason);
  }
  return { result: { outcome: "done", ...result }, lines, isOpen: false };
}

/** @throws {CommandError | ApiError} if the job failed */
async function importUpload(
  { service, progress, signal }: SyncRun,
  upload: ImportUpload<FoundFile>,
  isFirst: boolean,
): Promise<SentUpload> {
  const names = fileNamesText(upload.files);
  const { kind, job } = await uploadImport(service, upload, {
    signal,
    quiet: true,
    isFirst,
    onUpload: (percent) => progress.report(l10n.t("Uploading {0}", names), percent),
    onStarted: () => progress.report(l10n.t("The service imports {0}", names)),
  });
  if (kind === "left") return { kind, job };
  if (job.status !== "succeeded") throw failedImportError(job);
  return { kind: "done", job };
}

function describeUpload({ files, fields }: ImportUpload<FoundFile>): string {
  const { format, locale, namespace } = fields;
  const given = [format, locale, namespace].filter((each) => each !== undefined && each !== "");
  return [formatCount.files(files.length), ...given].join(" · ");
}
