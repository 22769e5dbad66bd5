/** Find Uses: the usages of a key in all source files, from the usage index. */
import { findUsesCommand } from "../../commands/declarations/key-commands.ts";
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { pickKey } from "../../vscode/ui/input/pick-key.ts";
import { labelText } from "../../messages/escape-text.ts";
import { showInformation } from "../../vscode/notifications.ts";
import {
  locateUsages,
  locateUsagesElsewhere,
  type UsageWithCode,
} from "../../vscode/ui/documents/usage-locations.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { ensureKeys } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../util/l10n.ts";

/** Registers `projectTranslations.findUses`. */
export function registerFindUsages(app: App): void {
  app.command(findUsesCommand, findUsages);
}

const findUsages: CommandWork<typeof findUsesCommand> = async (app, options, run) => {
  const { open } = run;
  const name = await pickKey(app, open, options, l10n.t("Find references to which key?"));
  run.report(l10n.t("Searching the code"));
  // Usages are resolved against the names of all keys.
  await open.local.reloadTexts(run.signal);
  await ensureKeys(open, run.signal);
  const usages = await app.usages.reload(open, run.signal);
  const found = await locateUsages(open, usages, keyHash(name), name);
  for (const [other, indexed] of await app.usages.reloadOthers(open, run.signal))
    found.push(...(await locateUsagesElsewhere(open, other, indexed, name)));
  run.pause();
  if (!run.quiet) await showUsages(labelText(projectKeyLabel(open, name)), found);
  const uses = found.map(({ path, line, character, pattern }) => ({ path, line, character, pattern }));
  return { outcome: "done", uses };
};

/** Opens a single usage; shows several in a list with a preview. */
async function showUsages(key: string, found: readonly UsageWithCode[]): Promise<void> {
  const [only] = found;
  if (only === undefined) {
    void showInformation(l10n.t("The code does not use {0}.", key));
    return;
  }
  const reveal = ({ uri, range }: UsageWithCode, options: vscode.TextDocumentShowOptions = {}) =>
    vscode.window.showTextDocument(uri, { ...options, selection: range });
  if (found.length === 1) {
    await reveal(only);
    return;
  }
  const items = found.map((usage) => ({
    label: `$(file-code) ${usage.path}:${usage.line + 1}`,
    description: usage.pattern === null ? "" : l10n.t("may be used by {0}", labelText(usage.pattern)),
    detail: labelText(usage.code),
    usage,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t("{0} to {1}", formatCount.references(found.length), key),
    matchOnDetail: true,
    onDidSelectItem: ({ usage }: (typeof items)[number]) =>
      reveal(usage, { preview: true, preserveFocus: true }),
  });
  if (picked !== undefined) await reveal(picked.usage);
}
