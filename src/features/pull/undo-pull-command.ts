/** Shows and undoes the last pull of this window. */
import { Uri, workspace } from "vscode";
import { type PullDependencies, type PullPlan, undoPull } from "../../sync/pull/pull-plan.ts";
import type { App } from "../../vscode/app.ts";
import { projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../vscode/commands/command-types.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { l10n } from "../../vscode/l10n.ts";
import { amountText, showWritten } from "./pull-preview.ts";

/** The last pull that wrote files, by project, until it is undone. */
export type LastPulls = WeakMap<
  OpenProject,
  { readonly dependencies: Pick<PullDependencies, "files" | "project" | "place">; readonly plan: PullPlan }
>;

/** The `viewItem` of pull results in Activity. */
export const PULL_RESULT_CONTEXT = "pulled";

/** Registers `projectTranslations.undoPull` and `projectTranslations.showPulled`. */
export function registerUndoPull(app: App, pulled: LastPulls): void {
  app.command("projectTranslations.showPulled", l10n.t("Show Changes"), (_app, options: CommonOptions) =>
    show(app, pulled, options),
  );
  app.command("projectTranslations.undoPull", l10n.t("Undo Pull"), (_app, options: CommonOptions) =>
    undo(app, pulled, options),
  );
}

async function show(app: App, pulled: LastPulls, options: CommonOptions): Promise<CommandResult> {
  const open = await app.projects.choose(options);
  await showWritten(app, open, changedOf(requireLast(pulled, open).plan));
  return { outcome: "done" };
}

async function undo(app: App, pulled: LastPulls, options: CommonOptions): Promise<CommandResult> {
  const open = await app.projects.choose(options);
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
  if (options.confirm !== false) void showInformation(message);
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
