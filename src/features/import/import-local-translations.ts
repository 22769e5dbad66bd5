/**
 * Import Local Translations: imports translations that exist only in local files, for the languages that the user checks.
 * Never replaces translations of the service and never creates keys.
 */
import { importLocalCommand, importCommand } from "../../commands/declarations/sync-commands.ts";
import * as vscode from "vscode";
import { localOnlyEntries } from "../../sync/count-pending-changes.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { chooseSignedIn, projectDisplayName } from "../../vscode/commands/command-requirements.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { showInformation } from "../../vscode/notifications.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { l10n } from "../../vscode/l10n.ts";
import { firstPathsText } from "./choose-import-files.ts";

/** The local-only translations of a language. */
interface LocalOnly {
  readonly locale: string;
  readonly count: number;
  readonly paths: readonly string[];
}

/** Registers `projectTranslations.importLocal`. */
export function registerImportLocal(app: App): void {
  app.command(importLocalCommand, importLocal);
}

const importLocal: CommandWork<typeof importLocalCommand> = async (app, options, run) => {
  const { open } = await chooseSignedIn(app, options, "write");
  run.report(l10n.t("Reading the files"));
  const found = await findLocalOnly(open, options.locale, run.signal);
  const total = found.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) {
    if (!run.quiet)
      void showInformation(
        l10n.t("Every local translation is on the service: {0}.", projectDisplayName(open)),
      );
    return { outcome: "unchanged" };
  }
  run.pause();
  const chosen = run.quiet ? found : await chooseLanguages(total, found);
  if (chosen.length === 0) return { outcome: "cancelled" };
  const paths = new Set(chosen.flatMap((each) => each.paths));
  return app.run(importCommand, {
    folder: open.root,
    files: Array.from(paths, (path) => vscode.Uri.joinPath(open.root, path)),
    overwrite: false,
    createUnknownKeys: false,
    confirm: !run.quiet,
  });
};

async function findLocalOnly(
  open: OpenProject,
  only: string | undefined,
  signal: AbortSignal,
): Promise<LocalOnly[]> {
  const local = await open.local.reload(signal);
  const found: LocalOnly[] = [];
  for (const locale of local.locales) {
    if (only !== undefined && locale !== only) continue;
    const entries = await localOnlyEntries(open.project, local, locale);
    signal.throwIfAborted();
    const paths = new Set(entries.map(({ path }) => path));
    if (entries.length > 0) found.push({ locale, count: entries.length, paths: [...paths].sort() });
  }
  return found;
}

function chooseLanguages(total: number, found: readonly LocalOnly[]): Promise<LocalOnly[]> {
  return pickMany(
    formatCount.localTranslations(total),
    l10n.t("Selected languages are imported; existing texts are kept"),
    found.map((each) => ({
      label: labelText(each.locale),
      description: formatCount.translations(each.count),
      detail: labelText(firstPathsText(each.paths)),
      picked: true,
      value: each,
    })),
  );
}
