/** Go to Entry: opens the local translation file of a key at its value. */
import { goToEntryCommand } from "../../commands/declarations/key-commands.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { LocalEntry, LocalTexts } from "../../workspace/local-files/local-entries.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { pickKey } from "../../vscode/ui/input/pick-key.ts";
import { CommandError } from "../../commands/command-types.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { revealEntry } from "../../vscode/ui/documents/reveal-entry.ts";
import { l10n } from "../../util/l10n.ts";

/** Registers `projectTranslations.goToEntry`. */
export function registerGoToEntry(app: App): void {
  app.command(goToEntryCommand, goToEntry);
}

/** The default language is the source language. */
const goToEntry: CommandWork<typeof goToEntryCommand> = async (app, options, run) => {
  const { open } = run;
  const name = await pickKey(app, open, options, l10n.t("Go to the entry of which key?"));
  const entry = findEntry(await open.local.loadTexts(), keyHash(name), options.locale);
  if (entry === undefined) {
    throw new CommandError(
      "not_found",
      l10n.t(
        "{0} is not in any translation file of this project. Pull first, or add it to a file.",
        projectKeyLabel(open, name),
      ),
    );
  }
  if (!run.quiet) await revealEntry(open, entry);
  return { outcome: "done", file: entry.path };
};

/** Returns the entry in the requested language, else in the source language, else in any. */
function findEntry(local: LocalTexts, hash: string, locale: string | undefined): LocalEntry | undefined {
  for (const each of [locale ?? [], local.sourceLocale, ...local.locales].flat()) {
    const entry = local.entries(each).get(hash);
    if (entry !== undefined) return entry;
  }
  return undefined;
}
