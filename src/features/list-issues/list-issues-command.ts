/** List Issues: QA issues as plain data, for tasks and other extensions. */
import { listIssuesCommand, type PlainIssue } from "../../commands/declarations/text-commands.ts";
import { projectIssues, type KeyIssue } from "../../sync/qa-issues.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { requireLanguage } from "../../vscode/commands/command-requirements.ts";
import { ensureRefreshed } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../util/l10n.ts";

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
