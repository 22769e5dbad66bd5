/**
 * The preview of a pull: the files that would change, and the texts that stay as they are, each with a diff and a check
 * box.
 */
import { importLocalCommand } from "../../commands/declarations/sync-commands.ts";
import { keepLocalTexts, type PullChoice, type PullFile, type PullPlan } from "../../sync/pull/pull-plan.ts";
import { changedFilesOf } from "../../sync/pull/write-pull.ts";
import type { App, ConnectedProject } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { fileDiff } from "../../vscode/ui/documents/translation-file-content.ts";
import type { PreviewRow } from "../../messages/preview-rows.ts";
import {
  showPreview,
  textDifference,
  type Difference,
  type PreviewButton,
} from "../../vscode/ui/preview/show-preview.ts";
import { projectKeyLabel, projectDisplayName } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import {
  chosenChanges,
  hasSendable,
  isFile,
  pullChangeId,
  pullPlaceholder,
  pullSections,
  pullTitle,
  type PullChange,
} from "../../messages/sync/pull-rows.ts";

/**
 * Returns what the user checked.
 *
 * @throws {CommandError} `cancelled`
 */
export async function previewPull(
  app: App,
  { open, connection }: ConnectedProject,
  plan: PullPlan,
): Promise<PullChoice> {
  const name = projectDisplayName(open);
  const differencesTitle = l10n.t("Pull from {0}", name);
  const changed = changedFilesOf(plan);
  const send: PreviewButton<PullChange> = {
    icon: "cloud-upload",
    tooltip: l10n.t("Import Local Translations…"),
    kind: "leave",
    act: async (choice) => {
      await keepLocalTexts({ project: connection }, plan, chosenChanges(choice).kept);
      void app.run(importLocalCommand, { folder: open.root });
    },
  };
  const allDifferences: PreviewButton<PullChange> = {
    icon: "diff-multiple",
    tooltip: l10n.t("Show All Differences"),
    kind: "act",
    act: () => showAll(app, open, differencesTitle, changed, "before"),
  };
  const choice = await showPreview<PullChange>(app, {
    idOf: pullChangeId,
    sections: pullSections(open, plan),
    titleOf: (checked) => pullTitle(open, name, checked),
    placeholder: pullPlaceholder(plan),
    differenceOf: (row) => differenceOf(open, row),
    keepMine: (kept) => pullSections(open, plan, kept),
    buttons: (kept) => [
      ...(open.source.refusal === null && hasSendable(open, plan, kept) ? [send] : []),
      ...(changed.length > 0 ? [allDifferences] : []),
    ],
    differencesTitle,
  });
  return chosenChanges(choice);
}

/** Returns both sides of a file or a text. */
async function differenceOf(open: OpenProject, { changes }: PreviewRow<PullChange>): Promise<Difference> {
  const [change] = changes;
  if (change === undefined) throw new Error("a row has a change");
  const title = l10n.t("{0}: local ↔ service", change.path);
  if (isFile(change)) {
    const { before = { name: change.path, text: "" }, after } = await fileDiff(open, change, "before");
    return { title, before, after };
  }
  return textDifference(title, projectKeyLabel(open, change.name), change.ours, change.theirs);
}

/** Shows the changes of a pull that was written: each file before and after. */
export function showWritten(app: App, open: OpenProject, files: readonly PullFile[]): Promise<void> {
  return showAll(app, open, l10n.t("Pulled from {0}", projectDisplayName(open)), files, "after");
}

async function showAll(
  app: App,
  open: OpenProject,
  title: string,
  files: readonly PullFile[],
  onDisk: "before" | "after",
): Promise<void> {
  const diffs = await Promise.all(files.map((file) => fileDiff(open, file, onDisk)));
  await app.virtualDocuments.diffAll(title, diffs);
}
