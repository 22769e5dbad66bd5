/**
 * Import: sends translation files to the service, follows the job to its end, and tells what came of it and what to do
 * when it failed.
 */
import type * as vscode from "vscode";
import { isApiError } from "../../api/errors.ts";
import type { ImportFields } from "../../api/contract.ts";
import { FORMAT_NAMES, type FormatName, type Job } from "../../api/schemas.ts";
import { recognisePath } from "../../core/formats/recognise.ts";
import { importRemedy, runImport, type ImportOutcome } from "../../core/import.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { ask } from "../../host/ask.ts";
import { chooseSignedIn, nameOf, type Chosen } from "../../host/needs.ts";
import { showInformation } from "../../host/notifications.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { raced } from "../../host/raced.ts";
import { uriOf } from "../../host/uri-of.ts";
import { l10n } from "../../host/words.ts";
import { findImportFiles, tooLarge, type FoundFile } from "./import-files.ts";
import { askFields, type GivenFields } from "./import-questions.ts";
import { chooseImportFiles } from "./import-picker.ts";
import { refusal, stepFor } from "./import-steps.ts";
import { doneWords, failureWords, lostWords, whatWords } from "./import-words.ts";

/** Options of `projectTranslations.import`. */
export interface ImportOptions extends CommonOptions, GivenFields {
  /** Paths (relative ones: to the project's root) or Uris of files and folders. */
  readonly files?: unknown;
}

/** Registers `projectTranslations.import`. */
export function registerImport(app: App): void {
  app.command("projectTranslations.import", l10n.t("Import"), (options: ImportOptions, run) =>
    importFiles(app, options, run),
  );
}

async function importFiles(
  app: App,
  options: ImportOptions,
  run: Run,
): Promise<CommandResult<{ readonly job: Job }>> {
  const quiet = options.confirm === false;
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  const uris = urisOf(open, options.files) ?? (quiet ? [] : await chooseImportFiles(open));
  if (uris === undefined) return { outcome: "cancelled" };
  run.report(l10n.t("Reading the files"));
  const files = await findImportFiles(open, uris, run.signal);
  run.pause();
  const answered = await askFields(open, files, givenOf(options), quiet);
  if (answered === undefined) return { outcome: "cancelled" };
  const job = await send(app, chosen, answered.files, answered.fields, { quiet, run });
  return job === null ? { outcome: "cancelled" } : { outcome: "done", job };
}

/** Sends one import, and where a failure has a way around, the parts of it. `null`: nobody waits any more. */
async function send(
  app: App,
  chosen: Chosen,
  files: readonly FoundFile[],
  fields: ImportFields,
  how: { readonly quiet: boolean; readonly run: Run },
): Promise<Job | null> {
  const { open } = chosen;
  const { quiet, run } = how;
  const outcome = await upload(chosen, files, fields, run);
  if (outcome === "left") {
    if (!quiet) {
      void showInformation(l10n.t("The import goes on at the service; the Activity view follows it."));
    }
    return null;
  }
  switch (outcome.kind) {
    case "too_large":
      throw tooLarge(outcome.bytes);
    case "refused":
      throw refusal(outcome.files, files);
    case "unwatched":
      return null;
    case "vanished":
      throw new CommandError(
        "job_failed",
        l10n.t("The service does not know the import any more. Look at its pages."),
      );
    case "ended":
      break;
  }
  const { job } = outcome;
  void open.refresher.then((refresher) => refresher.refresh({ priority: "person" }));
  if (job.status === "succeeded") {
    const words = doneWords(nameOf(open), whatWords(files), job);
    app.log.info(words);
    app.results.add(open, words);
    if (!quiet) void showInformation(words);
    return job;
  }
  const code = job.error?.code;
  const words = failureWords(job);
  app.results.add(open, words, "failed");
  const parts = quiet ? [] : partsFor(code, files);
  if (parts.length > 1) {
    run.pause();
    const answer = await ask(words, l10n.t("Nothing was written."), [
      {
        label: `$(split-horizontal) ${l10n.t("Import in {0} Parts", parts.length)}`,
        detail: partWords(parts),
        value: true,
      },
      { label: `$(close) ${l10n.t("Leave It")}`, value: false },
    ]);
    if (answer === true) {
      let last: Job | null = null;
      for (const part of parts) {
        last = await send(app, chosen, part, fields, how);
        if (last === null) return null;
      }
      return last;
    }
  }
  const step = stepFor(code, open, files, fields);
  throw new CommandError("job_failed", words, code === undefined ? {} : { reason: code }, step);
}

/** Uploads and follows. `left`: somebody cancelled after the upload, when nothing can be taken back any more. */
async function upload(
  { open, client }: Chosen,
  files: readonly FoundFile[],
  fields: ImportFields,
  run: Run,
): Promise<ImportOutcome | "left"> {
  let started = false;
  /** The service has all of it, as far as can be told from here. */
  let isSent = false;
  const words = l10n.t("Uploading {0}", whatWords(files));
  run.report(words, 0);
  const importing = l10n.t("The service imports {0}", whatWords(files));
  const listener = open.project.onDidChange(({ jobs }) => {
    const [latest] = open.project.jobs;
    if (jobs !== true || !started || latest?.kind !== "import") return;
    const { progress } = latest.job;
    if (progress !== null && progress.total > 0)
      run.report(importing, (100 * progress.done) / progress.total);
  });
  try {
    const plain = files.map(({ path, bytes }) => ({ path, bytes }));
    const running = runImport({ client, jobs: open.jobs }, plain, fields, {
      signal: run.signal,
      priority: "person",
      onUpload: (sent, total) => {
        isSent = sent === total;
        if (!started) run.report(words, (100 * sent) / total);
      },
      onStarted: () => {
        started = true;
        run.report(importing);
      },
    });
    return await raced(running, run.signal);
  } catch (error) {
    if (started && run.signal.aborted) return "left";
    if (!started && isSent && (isApiError(error, "offline") || isApiError(error, "timeout"))) {
      throw new CommandError(error.kind, lostWords(files));
    }
    throw error;
  } finally {
    listener.dispose();
  }
}

/** The parts that a failure goes away with: too many lines by language or by file, spreadsheets by themselves. */
function partsFor(code: string | undefined, files: readonly FoundFile[]): FoundFile[][] {
  const formatOf = (file: FoundFile): string => recognisePath(file.path)?.format ?? "";
  switch (importRemedy(code)) {
    case "split": {
      const byLocale = [...Map.groupBy(files, (file) => recognisePath(file.path)?.locale ?? "").values()];
      return byLocale.length > 1 ? byLocale : files.map((file) => [file]);
    }
    case "import-apart":
      return [
        ...Map.groupBy(files, (file) => (["csv", "xlsx"].includes(formatOf(file)) ? file.path : "")).values(),
      ];
    case "free-keys":
    case "save-preset":
    case "check-archive":
    case "other":
      return [];
  }
}

function partWords(parts: readonly (readonly FoundFile[])[]): string {
  return parts
    .slice(0, 6)
    .map(([first]) => recognisePath(first?.path ?? "")?.locale ?? first?.path ?? "")
    .join(", ");
}

/** The places of the options; `undefined`: they name none. Throws CommandError for what is no place. */
function urisOf(open: OpenProject, files: unknown): vscode.Uri[] | undefined {
  if (files === undefined || files === null) return undefined;
  const list: readonly unknown[] = Array.isArray(files) ? files : [files];
  return list.map((file) => {
    const uri = uriOf(file, open.root);
    if (uri !== undefined) return uri;
    throw new CommandError("invalid", l10n.t("“files” holds something that is no path and no Uri."));
  });
}

function givenOf({
  locale,
  format,
  namespace,
  overwrite,
  createUnknownKeys,
  tag,
}: ImportOptions): GivenFields {
  if (format !== undefined && !isFormat(format)) {
    throw new CommandError("invalid", l10n.t("“format” is one of {0}.", FORMAT_NAMES.join(", ")));
  }
  return {
    ...(locale === undefined ? {} : { locale }),
    ...(format === undefined ? {} : { format }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(overwrite === undefined ? {} : { overwrite }),
    ...(createUnknownKeys === undefined ? {} : { createUnknownKeys }),
    ...(tag === undefined ? {} : { tag }),
  };
}

function isFormat(name: unknown): name is FormatName {
  return (FORMAT_NAMES as readonly unknown[]).includes(name);
}
