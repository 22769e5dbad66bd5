/** Writes of translations as commands for tasks and other extensions: they ask nothing and solve no conflict. */
import type { WriteMode } from "../../api/contract.ts";
import type { Row } from "../../api/schemas.ts";
import { setTranslation, setTranslations, type EditNeeds, type TranslationEdit } from "../../core/edit.ts";
import type { Forms } from "../../core/text.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { keyOfOptions, type KeyOptions } from "../../host/choose-key.ts";
import { sha1 } from "../../host/clock.ts";
import { givenText } from "../../host/given-text.ts";
import { chooseSignedIn, type Chosen } from "../../host/needs.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { counted } from "../../host/counted.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.setTranslation`; without `version` whatever is there is replaced. */
export interface SetTranslationOptions extends KeyOptions {
  readonly locale?: string;
  readonly value?: string;
  readonly forms?: Forms;
  readonly version?: number | null;
}

export interface SetTranslationFields {
  readonly row: Row;
  /** Of a conflict: what stands there now. */
  readonly theirs?: Row;
}

/** Options of `projectTranslations.setTranslations`. */
export interface SetTranslationsOptions extends CommonOptions {
  readonly locale?: string;
  readonly items?: readonly (Omit<SetTranslationOptions, "locale" | "folder" | "confirm"> | null)[];
  readonly mode?: WriteMode;
}

export interface SetTranslationsFields {
  readonly written: number;
  readonly skipped: readonly {
    readonly namespace: string;
    readonly key: string;
    readonly context: string | null;
    readonly reason: string;
  }[];
}

/** The work of `projectTranslations.setTranslation`. */
export async function writeOne(
  app: App,
  options: SetTranslationOptions,
  run: Run,
): Promise<CommandResult<SetTranslationFields>> {
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const edit = editOf(options);
  const locale = localeOf(options, chosen.open);
  run.report(l10n.t("Writing the translation"));
  const outcome = await setTranslation(await editNeeds(chosen), locale, edit, { signal: run.signal });
  switch (outcome.kind) {
    case "done":
    case "unchanged":
      return { outcome: outcome.kind, row: outcome.row };
    case "conflict":
      return { outcome: "conflict", row: outcome.theirs, theirs: outcome.theirs };
    case "skipped":
      throw skippedError(edit.name.key, outcome.reason);
    case "unknown_key":
      throw unknownKey(edit.name.key);
  }
}

/** The work of `projectTranslations.setTranslations`. */
export async function writeMany(
  app: App,
  options: SetTranslationsOptions,
  run: Run,
): Promise<CommandResult<SetTranslationsFields>> {
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { mode = "overwrite", items } = options;
  if (!Array.isArray(items)) throw new CommandError("invalid", l10n.t("“items” is missing."));
  if (mode !== "overwrite" && mode !== "fill_empty") {
    throw new CommandError("invalid", l10n.t("“mode” is “overwrite” or “fill_empty”."));
  }
  const locale = localeOf(options, chosen.open);
  const edits = items.map((item: SetTranslationOptions | null) => editOf(item ?? {}));
  if (edits.length === 0) return { outcome: "unchanged", written: 0, skipped: [] };
  const words = l10n.t("Writing {0}", counted.translations(edits.length));
  run.report(words, 0);
  const { written, skipped, failure } = await setTranslations(await editNeeds(chosen), locale, edits, mode, {
    signal: run.signal,
    onProgress: (done, total) => run.report(words, (100 * done) / total),
  });
  if (failure !== null) {
    // The error tells why it went no further; this, how far it went.
    app.results.add(chosen.open, l10n.t("{0} written.", counted.translations(written)), "partly");
    throw failure.error;
  }
  return {
    outcome: written === 0 ? "unchanged" : "done",
    written,
    skipped: skipped.map(({ name, reason }) => ({ ...name, reason })),
  };
}

/** What core/edit.ts needs of a signed-in project. */
export async function editNeeds({ open, client }: Chosen): Promise<EditNeeds> {
  return { client, project: open.project, refresher: await open.refresher, sha1 };
}

/** § PUT /translations: the reasons of `skipped` are not shown, so the service's word stands in the sentence. */
export function skippedError(key: string, reason: string): CommandError {
  return new CommandError(
    "invalid",
    l10n.t("The service did not write {0}: {1}.", key, reason === "" ? l10n.t("it said no reason") : reason),
    reason === "" ? {} : { reason },
  );
}

/** The service has no such key. */
export function unknownKey(key: string): CommandError {
  return new CommandError("not_found", l10n.t("The service does not know the key {0}. Push it first.", key));
}

function editOf(options: SetTranslationOptions): TranslationEdit {
  const name = keyOfOptions(options);
  const text = givenText(options);
  if (name === undefined) throw new CommandError("invalid", l10n.t("No key is named."));
  if (text === undefined) throw new CommandError("invalid", l10n.t("No text is given."));
  return { name, text, ...(options.version === undefined ? {} : { version: options.version }) };
}

function localeOf({ locale }: { readonly locale?: string }, open: OpenProject): string {
  if (typeof locale !== "string" || locale === "")
    throw new CommandError("invalid", l10n.t("No language is named."));
  const languages = open.project.stats?.languages ?? [];
  if (languages.length > 0 && !languages.some((language) => language.locale === locale)) {
    throw new CommandError("not_found", l10n.t("The project has no language {0}.", locale));
  }
  return locale;
}
