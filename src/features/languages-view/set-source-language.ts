/** Set as Source Language: sets the source language of a project without a service. */
import type { App } from "../../vscode/app.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
} from "../../vscode/commands/command-result.ts";
import { l10n } from "../../vscode/l10n.ts";

interface SourceLanguageOptions extends CommonOptions {
  readonly locale?: string;
}

/** Registers `projectTranslations.setSourceLanguage`. */
export function registerSourceLanguage(app: App): void {
  app.command("projectTranslations.setSourceLanguage", l10n.t("Set as Source Language"), setSourceLanguage);
}

async function setSourceLanguage(
  app: App,
  options: SourceLanguageOptions,
): Promise<CommandResult<{ readonly locale: string }>> {
  const open = await app.projects.choose(options);
  const { locale } = options;
  if (!open.project.isLocal)
    throw new CommandError("invalid", l10n.t("The source language is set on the service."));
  if (locale === undefined || !open.local.locales.includes(locale))
    throw new CommandError("not_found", l10n.t("There are no translation files for {0}.", locale ?? ""));
  if (open.project.sourceLocale === locale) return { outcome: "unchanged", locale };
  await app.projects.setSourceLanguage(open, locale);
  return { outcome: "done", locale };
}
