/** List Issues: QA issues as plain data, for tasks and other extensions. */
import type { KeyName } from "../../model/key-hash.ts";
import { projectIssues } from "../../sync/qa-issues.ts";
import type { App, Command } from "../../vscode/app.ts";
import { chooseSignedIn, requireLanguage } from "../../vscode/commands/command-requirements.ts";
import type { CommonOptions } from "../../vscode/commands/command-types.ts";
import { ensureRefreshed } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../vscode/l10n.ts";

interface ListIssuesOptions extends CommonOptions {
  /** Only this language. */
  readonly locale?: string;
}

/** An issue of the command's result; fields that the service omits are empty. */
interface PlainIssue extends KeyName {
  readonly locale: string;
  readonly rule: string;
  readonly level: string;
  readonly placeholder: string;
  readonly form: string;
  readonly suggestion: string;
}

/** Registers `projectTranslations.listIssues`. */
export function registerListIssues(app: App): void {
  app.command("projectTranslations.listIssues", l10n.t("List QA Issues"), listIssues);
}

const listIssues: Command<ListIssuesOptions, { readonly issues: readonly PlainIssue[] }> = async (
  app,
  options,
  run,
) => {
  const { open } = await chooseSignedIn(app, options, "read");
  const { project } = open;
  const { locale } = options;
  run.report(l10n.t("Reading translations"));
  await ensureRefreshed(open, run.signal);
  if (locale !== undefined) requireLanguage(open, locale);
  const refresher = await open.refresher;
  // `qaErrors` counts only errors, so languages without errors may have warnings.
  const targets = (project.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  const wanted = locale === undefined ? targets.map((language) => language.locale) : [locale];
  for (const each of wanted) await refresher.ensureLocale(each, { priority: "person", signal: run.signal });
  const issues = wanted
    .flatMap((each) => projectIssues(project, each))
    .map(({ hash: _hash, row: _row, placeholder, form, suggestion, ...issue }): PlainIssue => ({
      ...issue,
      placeholder: placeholder ?? "",
      form: form ?? "",
      suggestion: suggestion ?? "",
    }));
  return { outcome: "done", issues };
};
