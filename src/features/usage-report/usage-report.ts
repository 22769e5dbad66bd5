/**
 * Find Unused Keys: which keys the code uses, which not, and of which nobody can say, as a view, as Markdown and as
 * plain data (R16). What is unused can be archived from there (N9).
 */
import * as vscode from "vscode";
import type { ProjectKey } from "../../core/project.ts";
import { DEFAULT_INCLUDE } from "../../core/usage-files.ts";
import { reportUsage, type UsageReport } from "../../core/usage-report.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { ask } from "../../host/ask.ts";
import { yieldNow } from "../../host/clock.ts";
import { setContextKey } from "../../host/context-keys.ts";
import { counted } from "../../host/counted.ts";
import { branchOf } from "../../host/git-branch.ts";
import { labelText } from "../../host/markdown.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { refreshed } from "../../host/refreshed.ts";
import { l10n } from "../../host/words.ts";
import { reportMarkdown } from "./markdown.ts";
import { ReportView, type ShownReport } from "./report-view.ts";

/** One key of the contract. */
interface PlainKey {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
}

/** What `projectTranslations.findUnused` resolves with. */
interface PlainReport {
  readonly used: number;
  readonly unused: readonly PlainKey[];
  /** `pattern`: what the code says of the key in part; empty where a file names it in another way, which is `path`. */
  readonly undeterminable: readonly (PlainKey & { readonly pattern: string; readonly path: string | null })[];
}

/** Files beside the code that may name a key. */
const TEXTS =
  "**/*.{html,htm,twig,svelte,hbs,ejs,njk,liquid,mustache,md,mdx,yml,yaml,json,xml,rb,go,java,kt,swift,dart,py,txt}";
/** Larger files are no text that anybody wrote. Bytes. */
const MOST_BYTES = 8 * 1024 * 1024;
/** One after the other, the way to the disk would take most of the time. */
const READS_AT_ONCE = 32;

/** Registers the command, its view, and the actions of the view. */
export function registerUsageReport(app: App): void {
  const view = new ReportView(app);
  app.own(view);
  app.command("projectTranslations.findUnused", l10n.t("Find Unused Keys"), (options: CommonOptions, run) =>
    findUnused(app, view, options, run),
  );
  app.command("projectTranslations.showUsageReport", l10n.t("Show Usage Report"), () =>
    showMarkdown(app, view),
  );
  app.command("projectTranslations.archiveUnused", l10n.t("Archive Unused Keys"), () => archiveUnused(view));
}

async function findUnused(
  app: App,
  view: ReportView,
  options: CommonOptions,
  run: Run,
): Promise<CommandResult<PlainReport>> {
  const chosen = await chooseSignedIn(app, options, "read");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  run.report(l10n.t("Reading keys"));
  await refreshed(open, run.signal);
  run.report(l10n.t("Searching the code"));
  const report = await makeReport(app, open, run.signal);
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

async function makeReport(app: App, open: OpenProject, signal: AbortSignal): Promise<UsageReport> {
  const index = await app.usages.ready(open, signal);
  const local = await open.local.load(signal);
  const own = new Set(local.files.map(({ place }) => place.path));
  const paths = async (): Promise<readonly string[]> => {
    const globs = [...(open.file.usage?.include ?? []), TEXTS, ...DEFAULT_INCLUDE];
    return (await index.findTexts(globs, signal)).filter((path) => !own.has(path));
  };
  const textAt = async (path: string): Promise<{ path: string; text: string } | null> => {
    const stamp = await open.files.stat(path);
    if (stamp === undefined || stamp.size > MOST_BYTES) return null;
    const content = await open.files.read(path, stamp);
    return content === undefined ? null : { path, text: new TextDecoder().decode(content.bytes) };
  };
  async function* texts(wanted: readonly string[]): AsyncGenerator<{ path: string; text: string }> {
    for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
      signal.throwIfAborted();
      const some = await Promise.all(wanted.slice(at, at + READS_AT_ONCE).map(textAt));
      for (const each of some) if (each !== null) yield each;
    }
  }
  return reportUsage(
    {
      index,
      keys: open.project.keys,
      frameworks: app.code.findOptions(open).frameworks,
      keep: open.file.usage?.keep ?? [],
      paths,
      texts,
      aside: app.usages.aside(open),
      yieldNow,
    },
    signal,
  );
}

async function showMarkdown(app: App, view: ReportView): Promise<CommandResult> {
  const { open, report } = shownIn(view);
  await app.texts.open("usage-report.md", reportMarkdown(open.project.label, report));
  return { outcome: "done" };
}

/** Only what is unused for certain; asked for first where the branch is not the one that everybody works from. */
async function archiveUnused(view: ReportView): Promise<CommandResult> {
  const { open, report } = shownIn(view);
  if (report.unused.length === 0) return { outcome: "unchanged" };
  const branch = await branchOf(open.root);
  if (branch !== null && !branch.isDefault) {
    const goOn = await ask(
      l10n.t("Archive keys from the branch {0}?", labelText(branch.name)),
      l10n.t("Other branches may still use these {0}.", counted.keys(report.unused.length)),
      [
        { label: l10n.t("Leave Them"), detail: l10n.t("Look again on the main branch."), value: false },
        {
          label: l10n.t("Choose Keys…"),
          detail: l10n.t("An archived key is in no export until somebody pushes it again."),
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

function shownIn(view: ReportView): ShownReport {
  if (view.shown !== null) return view.shown;
  throw new CommandError("not_found", l10n.t("There is no usage report yet. Run “Find Unused Keys” first."));
}

function plain({ hash, namespace, key, context }: ProjectKey): PlainKey {
  return { hash, namespace, key, context };
}
