/** Shows and undoes the last pull of this window. */
import { Uri, workspace } from "vscode";
import { type PullDependencies, type PullPlan, undoPull } from "../../sync/pull/pull.ts";
import type { App } from "../../vscode/app.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { showInformation } from "../../vscode/notifications.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
} from "../../vscode/commands/command-result.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { l10n } from "../../vscode/l10n.ts";
import { amountText, showWritten } from "./changes.ts";

/** The last pull that wrote files, by project, until it is undone. */
export type LastPulls = WeakMap<
  OpenProject,
  { readonly dependencies: Pick<PullDependencies, "files" | "project" | "place">; readonly plan: PullPlan }
>;

/** The `viewItem` of pull results in Activity. */
export const PULL_RESULT_CONTEXT = "pulled";

/** Registers `projectTranslations.undoPull` and `projectTranslations.showPulled`. */
export function registerUndoPull(app: App, pulled: LastPulls): void {
  app.command<CommonOptions, object>(
    "projectTranslations.showPulled",
    l10n.t("Show Changes"),
    async (_app, options) => {
      const open = await app.projects.choose(options);
      const last = requireLast(pulled, open);
      await showWritten(app, open, changedOf(last.plan));
      return { outcome: "done" };
    },
  );
  app.command("projectTranslations.undoPull", l10n.t("Undo Pull"), async (_app, options: CommonOptions) => {
    const open = await app.projects.choose(options);
    return undo(app, pulled, open, options.confirm === false);
  });
}

async function undo(app: App, pulled: LastPulls, open: OpenProject, quiet: boolean): Promise<CommandResult> {
  const { dependencies, plan } = requireLast(pulled, open);
  const changed = changedOf(plan);
  const remove = async (path: string): Promise<void> =>
    workspace.fs.delete(Uri.joinPath(open.root, path), { useTrash: false });
  const outcome = await undoPull(dependencies, plan, remove);
  if (outcome.kind === "changed") {
    throw new CommandError(
      "file_changed",
      l10n.t(
        "The pull was not undone because these files have changed since: {0}.",
        outcome.paths.join(", "),
      ),
    );
  }
  pulled.delete(open);
  open.local.invalidate();
  open.project.localChanged();
  const message = l10n.t(
    "The pull from {0} was undone: {1}.",
    projectDisplayName(open),
    amountText(open, changed),
  );
  app.results.end(open, PULL_RESULT_CONTEXT);
  app.results.add(open, message);
  if (!quiet) void showInformation(message);
  return { outcome: "done" };
}

function changedOf({ files }: PullPlan) {
  return files.filter(({ change }) => change !== "unchanged");
}

function requireLast(pulled: LastPulls, open: OpenProject) {
  const last = pulled.get(open);
  if (last !== undefined) return last;
  throw new CommandError(
    "invalid",
    l10n.t("No pull in this window can be undone. Use your version control instead."),
    { reason: "no_pull" },
  );
}
