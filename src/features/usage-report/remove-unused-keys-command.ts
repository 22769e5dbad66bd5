/**
 * Remove Unused Keys: removes keys without usages from the local files of all languages, after a preview. Can be undone,
 * since there is no archive without a service.
 */
import * as vscode from "vscode";
import type { FileWrite } from "../../model/platform.ts";
import type { LocalChange } from "../../workspace/local-files/local-entries.ts";
import type { App } from "../../vscode/app.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { offerActions, showInformation } from "../../vscode/notifications.ts";
import { CommandError, type CommandResult, type CommandRun } from "../../vscode/commands/command-types.ts";
import { documentOfFile } from "../../vscode/ui/documents/file-documents.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { pickKeys } from "../../vscode/ui/input/pick-keys.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { ReportView, ShownReport } from "./usage-report-view.ts";
import { fileChangedError } from "../../vscode/files/write-error-messages.ts";

/** The result of the command. */
export interface RemovedFields {
  /** Number of removed keys. */
  readonly removed: number;
  /** Relative to the project's root. */
  readonly files: readonly string[];
}

const NOTHING = { outcome: "unchanged", removed: 0, files: [] } as const;

/** Removes keys that are certainly unused. */
export async function removeUnused(
  app: App,
  view: ReportView,
  { open, report }: ShownReport,
  run: CommandRun,
): Promise<CommandResult<RemovedFields>> {
  if (report.unused.length === 0) return NOTHING;
  if (report.used.length === 0)
    throw new CommandError(
      "invalid",
      l10n.t(
        "The code uses none of the keys, so nothing was removed: how this app names its keys may not be supported.",
      ),
    );
  const { quiet } = run;
  const keys = quiet
    ? report.unused
    : await pickKeys(
        l10n.t("Remove {0} from the translation files?", formatCount.keys(report.unused.length)),
        l10n.t(
          "Selected keys are removed in all languages. You can review the changes before anything is written.",
        ),
        "trash",
        report.unused,
      );
  if (keys === undefined) return { outcome: "cancelled" };
  if (keys.length === 0) return NOTHING;
  run.report(l10n.t("Reading files"));
  const local = await open.local.reload(run.signal);
  const changes = keys.flatMap(({ hash, namespace, key, context }): LocalChange[] =>
    local.locales
      .filter((locale) => local.entries(locale).has(hash))
      .map((locale) => ({ name: { namespace, key, context }, locale, text: null })),
  );
  const { writes, refused } = await open.local.planEdit(changes, run.signal);
  run.pause();
  if (writes.length === 0 && refused.length > 0)
    throw new CommandError(
      "invalid",
      l10n.t("These files cannot be changed: {0}.", [...new Set(refused.map(({ path }) => path))].join(", ")),
    );
  if (writes.length === 0) return NOTHING;
  if (!quiet && !(await confirm(app, open, keys.length, writes))) return { outcome: "cancelled" };
  await write(open, writes);
  await open.updateLocal();
  const message = l10n.t(
    "Removed {0} from {1}.",
    formatCount.keys(keys.length),
    formatCount.files(writes.length),
  );
  app.results.add(open, message, refused.length === 0 ? "done" : "partly");
  view.forget(({ hash }) => open.project.keys.has(hash));
  if (!quiet) offerUndo(open, message, writes);
  return { outcome: "done", removed: keys.length, files: writes.map(({ path }) => path) };
}

/** Asks for confirmation; the diffs can be viewed first. */
async function confirm(
  app: App,
  open: OpenProject,
  count: number,
  writes: readonly FileWrite[],
): Promise<boolean> {
  const title = l10n.t("Remove {0} from {1}", formatCount.keys(count), formatCount.files(writes.length));
  for (;;) {
    const answer = await pickOne(title, l10n.t("Nothing is written before you agree."), [
      { label: `$(diff-multiple) ${l10n.t("Show All Differences")}`, value: "show" },
      {
        label: `$(trash) ${l10n.t("Remove")}`,
        description: labelText(writes.map(({ path }) => path).join(", ")),
        value: "remove",
      },
    ] as const);
    if (answer !== "show") {
      // The previewed change was cancelled or is applied now.
      void app.virtualDocuments.closeDifferences(title);
      return answer === "remove";
    }
    const files = writes.map(async ({ path, before, after }) => ({
      file: vscode.Uri.joinPath(open.root, path),
      before: before && (await documentOfFile(open, path, before)),
      after: await documentOfFile(open, path, after),
    }));
    await app.virtualDocuments.diffAll(title, await Promise.all(files));
  }
}

async function write(open: OpenProject, writes: readonly FileWrite[]): Promise<void> {
  const outcome = await open.files.write(writes);
  if (outcome.kind === "changed") throw fileChangedError(outcome.paths);
}

function offerUndo(open: OpenProject, message: string, writes: readonly FileWrite[]): void {
  const act = async (): Promise<void> => {
    const back = writes.flatMap(({ path, before, after }) =>
      before === undefined ? [] : [{ path, before: after, after: before }],
    );
    try {
      await write(open, back);
    } catch (error) {
      void showInformation(error instanceof Error ? error.message : String(error));
    }
  };
  offerActions(showInformation, message, { label: l10n.t("Undo"), act });
}
