/** Commands that write translations, for tasks and other extensions. They do not prompt or resolve conflicts. */
import type { WriteMode } from "../../api/endpoints.ts";
import type { Row } from "../../api/response-schemas.ts";
import {
  setTranslation,
  setTranslations,
  type SetTranslationResult,
  type TranslationEdit,
} from "../../sync/edit/send-translations.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { definedFields } from "../../util/defined-fields.ts";
import type { App, Command } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { keyFromOptions, type TextOptions, unknownKeyError } from "../../vscode/ui/input/pick-key.ts";
import { parseTextOption } from "../../vscode/commands/command-options.ts";
import {
  chooseSignedIn,
  editDependencies,
  requireLanguage,
} from "../../vscode/commands/command-requirements.ts";
import { reportPartialResult } from "../../vscode/commands/report-result.ts";
import { skipReason } from "../../vscode/ui/messages/error-messages.ts";
import { CommandError, type CommonOptions } from "../../vscode/commands/command-types.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.setTranslation`; without `version` the current text is overwritten. */
interface SetTranslationOptions extends TextOptions {
  readonly version?: number | null;
}

interface SetTranslationFields {
  readonly row: Row;
  /** The current row, if there is a conflict. */
  readonly theirs?: Row;
}

/** Options of `projectTranslations.setTranslations`. */
interface SetTranslationsOptions extends CommonOptions {
  readonly locale?: string;
  readonly items?: readonly (Omit<SetTranslationOptions, "locale" | "folder" | "confirm"> | null)[];
  readonly mode?: WriteMode;
}

interface SetTranslationsFields {
  readonly written: number;
  readonly skipped: readonly (KeyName & { readonly reason: string })[];
}

/** Implements `projectTranslations.setTranslation`. */
export const writeTranslation: Command<SetTranslationOptions, SetTranslationFields> = async (
  app,
  options,
  run,
) => {
  const chosen = await chooseSignedIn(app, options, "write");
  const edit = parseEdit(options);
  const locale = parseLocale(options, chosen.open);
  run.report(l10n.t("Writing the translation"));
  const outcome = await setTranslation(await editDependencies(chosen), locale, edit, { signal: run.signal });
  logReadBackError(app, outcome);
  switch (outcome.kind) {
    case "done":
    case "unchanged":
      return { outcome: outcome.kind, row: outcome.row };
    case "conflict":
      return { outcome: "conflict", row: outcome.theirs, theirs: outcome.theirs };
    case "skipped":
      throw skippedError(edit.name.key, outcome.reason);
    case "unknown_key":
      throw unknownKeyError(edit.name.key);
  }
};

/** Logs why a translation that was written could not be read back. */
export function logReadBackError(app: App, outcome: SetTranslationResult): void {
  if (outcome.kind !== "done" || outcome.readBackError === undefined) return;
  app.log.error("A translation was written but could not be read back", outcome.readBackError);
}

/** Implements `projectTranslations.setTranslations`. */
export const writeTranslations: Command<SetTranslationsOptions, SetTranslationsFields> = async (
  app,
  options,
  run,
) => {
  const chosen = await chooseSignedIn(app, options, "write");
  const { mode = "overwrite", items } = options;
  if (!Array.isArray(items)) throw new CommandError("invalid", l10n.t("“items” is missing."));
  if (mode !== "overwrite" && mode !== "fill_empty") {
    throw new CommandError("invalid", l10n.t("“mode” is “overwrite” or “fill_empty”."));
  }
  const locale = parseLocale(options, chosen.open);
  const edits = items.map((item: SetTranslationOptions | null) => parseEdit(item ?? {}));
  if (edits.length === 0) return { outcome: "unchanged", written: 0, skipped: [] };
  const message = l10n.t("Writing {0}", formatCount.translations(edits.length));
  run.report(message, 0);
  const { written, skipped, failure } = await setTranslations(
    await editDependencies(chosen),
    locale,
    edits,
    mode,
    { signal: run.signal, onProgress: (done, total) => run.report(message, (100 * done) / total) },
  );
  const fields = { written, skipped: skipped.map(({ name, reason }) => ({ ...name, reason })) };
  if (failure !== null) {
    const { error, sent, total } = failure;
    const done = l10n.t("{0} written.", formatCount.translations(written));
    throw reportPartialResult(app, chosen.open, done, total - sent, fields, error);
  }
  return { outcome: written === 0 ? "unchanged" : "done", ...fields };
};

/** Returns the error for a translation that the service skipped. */
export function skippedError(key: string, reason: string): CommandError {
  return new CommandError(
    "invalid",
    l10n.t("The service did not write {0}: {1}.", key, skipReason(reason)),
    definedFields({ reason: reason || undefined }),
  );
}

function parseEdit(options: SetTranslationOptions): TranslationEdit {
  const name = keyFromOptions(options);
  const text = parseTextOption(options);
  if (name === undefined) throw new CommandError("invalid", l10n.t("No key was given."));
  if (text === undefined) throw new CommandError("invalid", l10n.t("No text was given."));
  return { name, text, ...definedFields({ version: options.version }) };
}

function parseLocale({ locale }: { readonly locale?: string }, open: OpenProject): string {
  if (typeof locale !== "string" || locale === "")
    throw new CommandError("invalid", l10n.t("No language was given."));
  requireLanguage(open, locale);
  return locale;
}
