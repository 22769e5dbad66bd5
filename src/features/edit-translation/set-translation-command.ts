/** Commands that write translations, for tasks and other extensions. They do not prompt or resolve conflicts. */
import type {
  setTranslationCommand,
  setTranslationsCommand,
} from "../../commands/declarations/text-commands.ts";
import type { OptionsOf } from "../../commands/define-command.ts";
import type { TranslationEdit } from "../../api/batches.ts";
import {
  setTranslation,
  setTranslations,
  type SetTranslationResult,
} from "../../sync/edit/send-translations.ts";
import { definedFields } from "../../util/defined-fields.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { keyFromOptions, unknownKeyError } from "../../vscode/ui/input/pick-key.ts";
import { parseTextOption } from "../../vscode/commands/command-options.ts";
import { editDependencies, requireLanguage } from "../../vscode/commands/command-requirements.ts";
import { reportPartialResult } from "../../vscode/commands/report-result.ts";
import { skipReason } from "../../messages/error-messages.ts";
import { CommandError } from "../../commands/command-types.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { type KeySpelling, projectKeyLabel } from "../../messages/labels.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { l10n } from "../../util/l10n.ts";

/** Implements `projectTranslations.setTranslation`. */
export const writeTranslation: CommandWork<typeof setTranslationCommand> = async (app, options, run) => {
  const { locale } = options;
  const edit = editOf(options);
  requireLanguage(run.open, locale);
  run.report(l10n.t("Writing the translation"));
  const outcome = await setTranslation(await editDependencies(run), locale, edit, { signal: run.signal });
  logReadBackError(app, outcome);
  switch (outcome.kind) {
    case "done":
    case "unchanged":
      return { outcome: outcome.kind, row: outcome.row };
    case "conflict":
      return { outcome: "conflict", row: outcome.theirs, theirs: outcome.theirs };
    case "skipped":
      throw skippedError(run.open, edit.name, outcome.reason);
    case "unknown_key":
      throw unknownKeyError(run.open, edit.name);
  }
};

/** Logs why a translation that was written could not be read back. */
export function logReadBackError(app: App, outcome: SetTranslationResult): void {
  if (outcome.kind !== "done" || outcome.readBackError === undefined) return;
  app.log.error("A translation was written but could not be read back", outcome.readBackError);
}

/** Implements `projectTranslations.setTranslations`. */
export const writeTranslations: CommandWork<typeof setTranslationsCommand> = async (app, options, run) => {
  const { mode = "overwrite", items, locale } = options;
  requireLanguage(run.open, locale);
  const edits = items.map(editOf);
  if (edits.length === 0) return { outcome: "unchanged", written: 0, skipped: [] };
  const message = l10n.t("Writing {0}", formatCount.translations(edits.length));
  run.report(message, 0);
  const { written, skipped, failure } = await setTranslations(
    await editDependencies(run),
    locale,
    edits,
    mode,
    { signal: run.signal, onProgress: (done, total) => run.report(message, (100 * done) / total) },
  );
  const fields = { written, skipped: skipped.map(({ name, reason }) => ({ ...name, reason })) };
  if (failure !== null) {
    const { error, sent, total } = failure;
    const done = l10n.t("{0} written.", formatCount.translations(written));
    throw reportPartialResult(app, run.open, done, total - sent, fields, error);
  }
  return { outcome: written === 0 ? "unchanged" : "done", ...fields };
};

/** Returns the error for a translation that the service skipped. */
export function skippedError(project: KeySpelling, name: KeyName, reason: string): CommandError {
  return new CommandError(
    "invalid",
    l10n.t("The service did not write {0}: {1}.", projectKeyLabel(project, name), skipReason(reason)),
    definedFields({ reason: reason || undefined }),
  );
}

function editOf({
  version,
  ...options
}: OptionsOf<typeof setTranslationsCommand>["items"][number]): TranslationEdit {
  const name = keyFromOptions(options);
  const text = parseTextOption(options);
  // The declarations require both.
  if (name === undefined || text === undefined) throw new Error("options that were not checked");
  return { name, text, ...definedFields({ version }) };
}
