/** The view "Activity": running and recent jobs, pauses, pending changes and results of finished commands. */
import { commandLink } from "../../vscode/commands/command-links.ts";
import { listJobsCommand, stopWatchingJobCommand } from "../../commands/declarations/sync-commands.ts";
import { ThemeIcon, MarkdownString } from "vscode";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { createTreeView, statusIcon, type TreeNode } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { signedInRows } from "../../vscode/ui/tree-view/project-rows.ts";
import { renameRow } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { l10n } from "../../util/l10n.ts";
import { activityRows, type ActivityTextRow } from "./activity-rows.ts";
import { registerPendingCounts } from "./watch-pending-changes.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { escapeMarkdown } from "../../messages/escape-text.ts";

/** Registers the view and the commands about jobs. */
export function registerActivityView(app: App): void {
  const { tree, view } = createTreeView(
    app,
    "projectTranslations.activity",
    () => l10n.t("Activity"),
    () => signedInRows(app.projects.all, (open) => projectRows(app, open)),
  );
  const draw = (): void => {
    tree.redraw();
    const isSignedIn = app.projects.all.some(({ source }) => source.isConnected);
    view.message = isSignedIn
      ? ""
      : l10n.t("Jobs and pending changes are listed here once you are signed in.");
  };
  draw();
  app.addDisposable(
    app.store.subscribe(
      [
        "settings",
        "projects",
        "results",
        "session",
        "stats",
        "freshness",
        "jobs",
        "activity",
        "pending",
        "drafts",
      ],
      draw,
    ),
  );
  app.command(listJobsCommand, listJobs);
  app.command(stopWatchingJobCommand, stopWatching);
  registerPendingCounts(app);
}

function projectRows(app: App, open: OpenProject): readonly TreeNode[] {
  const { jobs, activity, freshness } = open;
  const rows = activityRows({
    jobs,
    activity,
    freshness,
    results: app.results.of(open),
    canWrite: open.source.refusal === null,
    now: Date.now(),
  });
  return rows.map((row) => {
    const id = `${open.id}/${row.name}`;
    return row.kind === "rename" ? renameRow(open, row.rename, id) : toNode(open, row, id);
  });
}

function toNode({ root }: OpenProject, row: ActivityTextRow, id: string): TreeNode {
  const { label, description, icon, tooltip, contextValue, click, job } = row;
  const commandOptions = { folder: root, ...definedFields({ job }) };
  return {
    id,
    commandOptions,
    item: () => ({
      label,
      description,
      iconPath: typeof icon === "string" ? new ThemeIcon(icon) : statusIcon(icon.status),
      tooltip:
        tooltip.length === 1 ? tooltip[0] : new MarkdownString(tooltip.map(escapeMarkdown).join("\n\n")),
      ...definedFields({ contextValue }),
      ...(click !== undefined && { command: commandLink(click, { folder: root }, label) }),
    }),
  };
}

const listJobs: CommandWork<typeof listJobsCommand> = async (_app, _options, run) => {
  const { open } = run;
  return { outcome: "done", jobs: open.jobs.map(({ job }) => job) };
};

const stopWatching: CommandWork<typeof stopWatchingJobCommand> = async (_app, options, run) => {
  const { open } = run;
  if (options.job === undefined) return { outcome: "cancelled" };
  open.jobPoller.unwatch(options.job);
  return { outcome: "done" };
};
