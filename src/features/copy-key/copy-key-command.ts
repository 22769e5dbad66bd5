/** Copies a key's name as it is written in code, or its text in a language. */
import { copyKeyCommand, copyTextCommand } from "../../commands/declarations/key-commands.ts";
import { env } from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import { isForms, type Text } from "../../model/translation-text.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { CommandError, type CommandResult } from "../../commands/command-types.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickKey } from "../../vscode/ui/input/pick-key.ts";
import { ensureTranslations } from "../../vscode/projects/refresh-project.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";

/** Registers `projectTranslations.copyKey` and `projectTranslations.copyText`. */
export function registerCopy(app: App): void {
  app.command(copyKeyCommand, copyKey);
  app.command(copyTextCommand, copyText);
}

const copyKey: CommandWork<typeof copyKeyCommand> = async (app, options, run) => {
  const { open } = run;
  const name = await pickKey(app, open, options, l10n.t("Copy which key?"));
  return copy(projectKeyLabel(open, { ...name, context: null }));
};

/** The default language is the source language. */
const copyText: CommandWork<typeof copyTextCommand> = async (app, options, run) => {
  const { open } = run;
  const name = await pickKey(app, open, options, l10n.t("Copy the text of which key?"));
  const locale = options.locale ?? open.sourceLocale ?? open.local.loaded?.sourceLocale ?? "";
  const isLanguage = open.stats?.languages.some((language) => language.locale === locale);
  if (isLanguage === true && open.source.savesTo(locale) === "service")
    await ensureTranslations(open, locale);
  const text = textOf(open, locale, keyHash(name));
  if (text === undefined)
    throw new CommandError(
      "not_found",
      l10n.t("{0} has no text in {1}.", projectKeyLabel(open, name), locale),
    );
  // One line for each plural form.
  return copy(isForms(text) ? Object.values(text.forms).join("\n") : text.value);
};

async function copy(text: string): Promise<CommandResult<{ readonly text: string }>> {
  await env.clipboard.writeText(text);
  return { outcome: "done", text };
}

/** Returns the service's text, else that of the local files. */
function textOf(open: OpenProject, locale: string, hash: string): Text | undefined {
  const known =
    locale === open.sourceLocale
      ? open.keys.get(hash)?.text
      : open.connection.translation(locale, hash)?.text;
  return known ?? open.local.loaded?.entries(locale).get(hash)?.text;
}
