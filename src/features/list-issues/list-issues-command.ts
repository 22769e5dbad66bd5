/** List Issues: QA issues as plain data, for tasks and other extensions. */
import { projectIssues, type KeyIssue } from "../../sync/qa-issues.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { requireLanguage } from "../../vscode/commands/command-requirements.ts";
import { ensureRefreshed } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../util/l10n.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { defineCommand, resolvesWith } from "../../commands/define-command.ts";
import { LocaleSchema, option } from "../../commands/option-schemas.ts";

/** An issue of the command's result; fields that the service omits are empty. */
interface PlainIssue extends KeyName {
  readonly locale: string;
  readonly rule: string;
  readonly level: string;
  readonly placeholder: string;
  readonly form: string;
  readonly suggestion: string;
}

export const listIssuesCommand = defineCommand({
  id: "listIssues",
  title: "List QA Issues",
  needs: "signed-in",
  description: "The QA issues of the service.",
  options: { locale: option(LocaleSchema, "Only this language.") },
  resolvesWith: resolvesWith<{ readonly issues: readonly PlainIssue[] }>(
    "`issues: [{ locale, namespace, key, context, rule, level, placeholder, form, suggestion }]`",
  ),
});

/** Registers `projectTranslations.listIssues`. */
export function registerListIssues(app: App): void {
  app.command(listIssuesCommand, listIssues);
}

const listIssues: CommandWork<typeof listIssuesCommand> = async (_app, options, run) => {
  const { open } = run;
  const { locale } = options;
  run.report(l10n.t("Reading translations"));
  await ensureRefreshed(open, run.signal);
  if (locale !== undefined) requireLanguage(open, locale);
  const refresher = await open.refresher;
  // `qaErrors` counts only errors, so languages without errors may have warnings.
  const targets = (open.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  const wanted = locale === undefined ? targets.map((language) => language.locale) : [locale];
  for (const each of wanted) await refresher.ensureLocale(each, { priority: "person", signal: run.signal });
  const found: KeyIssue[] = [];
  for (const each of wanted) found.push(...(await projectIssues(open.connection, each)));
  const issues = found.map(
    ({ hash: _hash, row: _row, placeholder, form, suggestion, ...issue }): PlainIssue => ({
      ...issue,
      placeholder: placeholder ?? "",
      form: form ?? "",
      suggestion: suggestion ?? "",
    }),
  );
  return { outcome: "done", issues };
};
