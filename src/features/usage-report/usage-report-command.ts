/**
 * Find Unused Keys: reports used, unused, probably unused and undeterminable keys as a view, as Markdown and as plain data. Unused keys can
 * be archived or, without a service, removed from the files.
 */
import { usageGroups } from "../../operations/usage-groups.ts";
import {
  findUnusedCommand,
  removeUnusedCommand,
  archiveCommand,
} from "../../commands/declarations/key-commands.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { App, CommandWork, Granted } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { branchOf } from "../../vscode/files/git-branch.ts";
import { labelText } from "../../messages/escape-text.ts";
import { CommandError, type CommandRun } from "../../commands/command-types.ts";
import { ensureKeysRefreshed } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../util/l10n.ts";
import { showView } from "../../vscode/ui/tree-view/show-view.ts";
import { decideRemoval, keysToArchive } from "./report-decisions.ts";
import { keysInFiles, NOTHING_REMOVED, removeFromFiles } from "./remove-from-files.ts";
import { openCallsOf, registerOpenCalls } from "./open-calls.ts";
import { reportMarkdown } from "./report-markdown.ts";
import { ReportView, type ShownReport } from "./usage-report-view.ts";
import { pickKeys } from "../../vscode/ui/input/pick-keys.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import type { SyncResult } from "../../api/response-schemas.ts";
import { defineCommand, resolvesWith } from "../../commands/define-command.ts";

export const showUsageReportCommand = defineCommand({
  id: "showUsageReport",
  title: "Show Usage Report",
  needs: "project",
  audience: "person",
  description: "Shows the last report as Markdown.",
});

export const archiveUnusedCommand = defineCommand({
  id: "archiveUnused",
  title: "Archive Unused Keys",
  needs: "write-access",
  audience: "person",
  description: "Archives unused keys of the last report; probably unused ones only if they are checked.",
  resolvesWith: resolvesWith<{ readonly result?: SyncResult }>("`result`"),
});

/** Registers the command, its view and the view's actions. */
export function registerUsageReport(app: App): void {
  const view = new ReportView(app);
  app.addDisposable(
    app.store.subscribe(["projects", "session"], () => {
      if (view.shown !== null && isOutOfPlace(app, view.shown)) view.hide();
    }),
  );
  app.command(findUnusedCommand, findUnused(view));
  const chooseReported = (): Promise<OpenProject> =>
    app.projects.choose({ folder: shownReport(view).open.root });
  const showReport: CommandWork<typeof showUsageReportCommand> = async () => {
    const { open, report, calls } = shownReport(view);
    await app.virtualDocuments.open("usage-report.md", reportMarkdown(open, report, calls));
    return { outcome: "done" };
  };
  app.command(showUsageReportCommand, showReport, chooseReported);
  registerOpenCalls(app, async (_app, run) => {
    if (view.shown?.open === run.open) await updatedReport(app, view, run);
  });
  app.command(archiveUnusedCommand, archiveUnused(view), chooseReported);
  app.command(removeUnusedCommand, removeUnused(view), (options) =>
    options.hashes === undefined ? chooseReported() : app.projects.choose(options),
  );
}

/** Whether the project is closed, or its report has the keys of files while there is a service now, or the other way round. */
function isOutOfPlace({ projects }: App, { open, hasService }: ShownReport): boolean {
  return !projects.all.includes(open) || hasService !== open.source.hasService;
}

const findUnused =
  (view: ReportView): CommandWork<typeof findUnusedCommand> =>
  async (app, _options, run) => {
    const { open } = run;
    const shown = await makeReport(app, open, run);
    const { report } = shown;
    run.pause();
    if (!run.quiet) {
      view.show(shown);
      await showView("usage");
    }
    return { outcome: "done", ...usageGroups(report) };
  };

async function makeReport(app: App, open: OpenProject, run: CommandRun): Promise<ShownReport> {
  const { signal } = run;
  run.report(l10n.t("Reading keys"));
  await ensureKeysRefreshed(open, signal);
  const { report, choices } = await app.usageReports.make(open, signal, () =>
    run.report(l10n.t("Searching the code")),
  );
  const calls = await openCallsOf(open, app.usages.of(open), report, choices);
  return { open, hasService: open.source.hasService, report, calls };
}

/** Archives unused keys, and probably unused ones that are chosen. Asks for confirmation if the current branch is not the default branch. */
const archiveUnused =
  (view: ReportView): CommandWork<typeof archiveUnusedCommand> =>
  async (app, _options, run) => {
    const { open, report } = await updatedReport(app, view, run);
    run.pause();
    const { keys: unused, offered } = keysToArchive(report, run.quiet);
    if (unused.length + offered.length === 0) return { outcome: "unchanged" };
    const branch = await branchOf(open.root);
    if (branch !== null && !branch.isDefault) {
      const shouldArchive = await pickOne(
        l10n.t("Archive keys from the branch {0}?", labelText(branch.name)),
        l10n.t("Other branches may still use these {0}.", formatCount.keys(unused.length + offered.length)),
        [
          { label: l10n.t("Keep Them"), detail: l10n.t("Check again on the main branch."), value: false },
          {
            label: l10n.t("Choose Keys…"),
            detail: l10n.t("An archived key is left out of exports until someone pushes it again."),
            value: true,
          },
        ],
      );
      if (!shouldArchive) return { outcome: "cancelled" };
    }
    const hashesOf = (keys: readonly ProjectKey[]): string[] => keys.map(({ hash }) => hash);
    const chosen = { hashes: hashesOf(unused), alsoOffer: hashesOf(offered) };
    const result = await app.run(archiveCommand, { folder: open.root, ...chosen });
    if (result.outcome === "done") view.dropRemovedKeys();
    return result;
  };

/** Makes the shown report again: code may have begun to use its keys in the meantime. */
async function updatedReport(
  app: App,
  view: ReportView,
  run: CommandRun & Granted<"project">,
): Promise<ShownReport> {
  const { open } = run;
  const shown = await makeReport(app, open, run);
  view.show(shown);
  return shown;
}

function shownReport(view: ReportView): ShownReport {
  if (view.shown !== null) return view.shown;
  throw new CommandError("not_found", l10n.t("There is no usage report yet. Run “Find Unused Keys” first."));
}

/**
 * Removes unused keys, and probably unused ones that are chosen, from the local files of all languages, after a preview. Can
 * be undone, since there is no archive without a service.
 */
const removeUnused =
  (view: ReportView): CommandWork<typeof removeUnusedCommand> =>
  async (app, options, run) => {
    if (options.hashes !== undefined) {
      const { open } = run;
      return removeFromFiles(app, open, await keysInFiles(open, options.hashes, run), run);
    }
    const { open, report } = await updatedReport(app, view, run);
    const decision = decideRemoval(report, run.quiet);
    if (decision.kind === "nothing") return NOTHING_REMOVED;
    if (decision.kind === "unsupported")
      throw new CommandError(
        "invalid",
        l10n.t(
          "The code uses none of the keys, so nothing was removed: how this app names its keys may not be supported.",
        ),
      );
    const keys = run.quiet
      ? decision.keys
      : await pickKeys(app, open, [...decision.keys, ...decision.offered], {
          titleOf: (count) => l10n.t("Remove {0} from the translation files?", count),
          emptyTitle: l10n.t("Select keys to remove"),
          placeholder: l10n.t("Selected keys are removed in all languages, after a review"),
          icon: "trash",
          unchecked: {
            heading: l10n.t("Probably unused"),
            hashes: new Set(decision.offered.map(({ hash }) => hash)),
          },
        });
    const removed = await removeFromFiles(app, open, keys, run);
    view.dropRemovedKeys();
    return removed;
  };
