/**
 * Find Unused Keys: reports used, unused and undeterminable keys as a view, as Markdown and as plain data. Unused keys can
 * be archived or, without a service, removed from the files.
 */
import * as vscode from "vscode";
import type { KeyName } from "../../model/key-hash.ts";
import type { ProjectKey } from "../../database/records.ts";
import { DEFAULT_INCLUDE } from "../../workspace/usages/source-files.ts";
import { reportUsage, type UsageReport } from "../../workspace/usages/find-unused-keys.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { branchOf } from "../../vscode/files/git-branch.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
  type CommandRun,
} from "../../vscode/commands/command-types.ts";
import { ensureRefreshed } from "../../vscode/projects/ensure-refreshed.ts";
import { l10n } from "../../vscode/l10n.ts";
import { reportMarkdown } from "./usage-report-markdown.ts";
import { removeUnused } from "./remove-unused-keys-command.ts";
import { ReportView, type ShownReport } from "./usage-report-view.ts";

/** A key of the command's result. */
interface PlainKey extends KeyName {
  readonly hash: string;
}

/** The result of `projectTranslations.findUnused`. */
interface PlainReport {
  readonly used: number;
  readonly unused: readonly PlainKey[];
  /** `pattern`: of the dynamic usage that may refer to the key; empty if the file `path` contains the name otherwise. */
  readonly undeterminable: readonly (PlainKey & { readonly pattern: string; readonly path: string | null })[];
}

/** Other text files that may contain key names. */
const TEXTS =
  "**/*.{html,htm,xhtml,twig,latte,tpl,svelte,hbs,ejs,erb,haml,slim,pug,njk,liquid,mustache,md,mdx,yml,yaml,neon,ini,toml,conf,properties,json,json5,jsonc,xml,xsl,graphql,gql,sql,rb,go,rs,java,kt,scala,cs,fs,swift,dart,py,ex,exs,lua,c,h,cpp,hpp,coffee,txt}";
/** Registers the command, its view and the view's actions. */
export function registerUsageReport(app: App): void {
  const view = new ReportView(app);
  app.addDisposable(view);
  app.command(
    "projectTranslations.findUnused",
    l10n.t("Find Unused Keys"),
    (_app, options: CommonOptions, run) => findUnused(app, view, options, run),
  );
  app.command("projectTranslations.showUsageReport", l10n.t("Show Usage Report"), () =>
    showMarkdown(app, view),
  );
  app.command(
    "projectTranslations.archiveUnused",
    l10n.t("Archive Unused Keys"),
    (_app, _options: CommonOptions, run) => archiveUnused(app, view, run),
  );
  app.command(
    "projectTranslations.removeUnused",
    l10n.t("Remove Unused Keys"),
    async (_app, _options: CommonOptions, run) =>
      removeUnused(app, view, await updatedReport(app, view, run), run),
  );
}

async function findUnused(
  app: App,
  view: ReportView,
  options: CommonOptions,
  run: CommandRun,
): Promise<CommandResult<PlainReport>> {
  const open = await app.projects.choose(options);
  const report = await makeReport(app, open, run);
  run.pause();
  if (options.confirm !== false) {
    view.show({ open, report });
    setContextKey("usageReport", true);
    await vscode.commands.executeCommand("projectTranslations.usage.focus");
  }
  return {
    outcome: "done",
    used: report.used.length,
    unused: report.unused.map(plain),
    undeterminable: report.undeterminable.map(({ key, pattern, path }) => ({
      ...plain(key),
      pattern: pattern ?? "",
      path,
    })),
  };
}

async function makeReport(app: App, open: OpenProject, run: CommandRun): Promise<UsageReport> {
  const { signal } = run;
  run.report(l10n.t("Reading keys"));
  await ensureRefreshed(open, signal);
  run.report(l10n.t("Searching the code"));
  const searchCode = async (): Promise<UsageReport> => {
    const [usages, translationFiles] = await Promise.all([
      app.usages.current(open, signal),
      open.local.paths(signal),
    ]);
    return reportUsage(
      {
        usages,
        keys: open.project.keys,
        names: open.keyNames,
        lookup: app.documentUsages.lookupOptions(open),
        keep: open.file.usage?.keep ?? [],
        findOccurrences: (names) =>
          app.usages.findOccurrences(open, names, [TEXTS, ...DEFAULT_INCLUDE], [...translationFiles], signal),
      },
      signal,
    );
  };
  return app.foregroundWork.run(searchCode());
}

async function showMarkdown(app: App, view: ReportView): Promise<CommandResult> {
  const { open, report } = shownIn(view);
  await app.virtualDocuments.open("usage-report.md", reportMarkdown(open.project.label, report));
  return { outcome: "done" };
}

/** Archives keys that are certainly unused. Asks for confirmation if the current branch is not the default branch. */
async function archiveUnused(app: App, view: ReportView, run: CommandRun): Promise<CommandResult> {
  const { open, report } = await updatedReport(app, view, run);
  run.pause();
  if (report.unused.length === 0) return { outcome: "unchanged" };
  const branch = await branchOf(open.root);
  if (branch !== null && !branch.isDefault) {
    const goOn = await pickOne(
      l10n.t("Archive keys from the branch {0}?", labelText(branch.name)),
      l10n.t("Other branches may still use these {0}.", formatCount.keys(report.unused.length)),
      [
        { label: l10n.t("Keep Them"), detail: l10n.t("Check again on the main branch."), value: false },
        {
          label: l10n.t("Choose Keys…"),
          detail: l10n.t("An archived key is left out of exports until someone pushes it again."),
          value: true,
        },
      ],
    );
    if (goOn !== true) return { outcome: "cancelled" };
  }
  const hashes = report.unused.map(({ hash }) => hash);
  const result = await vscode.commands.executeCommand<CommandResult>("projectTranslations.archive", {
    folder: open.root,
    hashes,
  });
  if (result.outcome === "done") view.forget((key) => open.project.keys.has(key.hash));
  return result;
}

/** Makes the shown report again: since then, code may have begun to use its keys. */
async function updatedReport(app: App, view: ReportView, run: CommandRun): Promise<ShownReport> {
  const { root } = shownIn(view).open;
  const open = await app.projects.choose({ folder: root });
  const shown = { open, report: await makeReport(app, open, run) };
  view.show(shown);
  return shown;
}

function shownIn(view: ReportView): ShownReport {
  if (view.shown !== null) return view.shown;
  throw new CommandError("not_found", l10n.t("There is no usage report yet. Run “Find Unused Keys” first."));
}

function plain({ hash, namespace, key, context }: ProjectKey): PlainKey {
  return { hash, namespace, key, context };
}
