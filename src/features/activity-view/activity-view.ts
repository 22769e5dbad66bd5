/** The view "Activity": running and recent jobs, pauses, pending changes and results of finished commands. */
import { stopWatchingJobCommand } from "../../commands/declarations/sync-commands.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { createTreeView } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import type { TreeNode } from "../../vscode/ui/tree-view/tree-node.ts";
import { signedInRows } from "../../vscode/ui/tree-view/project-rows.ts";
import { l10n } from "../../util/l10n.ts";
import { activityRows } from "./activity-rows.ts";
import { registerPendingCounts } from "./watch-pending-changes.ts";
import { refusedSessionMessage } from "../../messages/error-messages.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import type { Job } from "../../api/response-schemas.ts";
import { defineCommand, resolvesWith } from "../../commands/define-command.ts";

export const listJobsCommand = defineCommand({
  id: "listJobs",
  title: "List Jobs",
  needs: "project",
  description: "The import and export jobs that were followed, newest first.",
  resolvesWith: resolvesWith<{ readonly jobs: readonly Job[] }>("`jobs`"),
});

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
    const { all } = app.projects;
    const isSignedIn = all.some(({ source }) => source.isConnected);
    view.message = isSignedIn
      ? ""
      : (refusedSessionMessage(all) ??
        l10n.t("Jobs and pending changes are listed here once you are signed in."));
  };
  draw();
  app.addDisposable(
    app.store.subscribe(
      ["settings", "projects", "results", "session", "freshness", "jobs", "activity", "pending"],
      draw,
    ),
  );
  app.command(listJobsCommand, listJobs);
  app.command(stopWatchingJobCommand, stopWatching);
  registerPendingCounts(app);
}

function projectRows(app: App, open: OpenProject): readonly TreeNode[] {
  const { root } = open;
  const { jobs, activity, freshness } = open.connection;
  const rows = activityRows({
    jobs,
    activity,
    freshness,
    results: app.results.of(open),
    canWrite: open.source.refusal === null,
    nameOf: (name) => projectKeyLabel(open, name),
    now: Date.now(),
  });
  return rows.map(({ name, content, commandOptions }) => ({
    id: `${open.id}/${name}`,
    content: () => content,
    commandOptions: { folder: root, ...commandOptions },
  }));
}

const listJobs: CommandWork<typeof listJobsCommand> = async (_app, _options, run) => {
  const { open } = run;
  return { outcome: "done", jobs: open.connection.jobs.map(({ job }) => job) };
};

const stopWatching: CommandWork<typeof stopWatchingJobCommand> = async (_app, options, run) => {
  const { open } = run;
  if (options.job === undefined) return { outcome: "cancelled" };
  open.connection.jobPoller.unwatch(options.job);
  return { outcome: "done" };
};
