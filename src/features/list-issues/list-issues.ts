/** List Issues: the QA issues of translations as plain data, for tasks and other extensions. Shows nothing. */
import { issuesOf } from "../../sync/qa-issues.ts";
import type { App, Run } from "../../vscode/app.ts";
import { chooseSignedIn, requireLanguage } from "../../vscode/command-requirements.ts";
import type { CommandResult, CommonOptions } from "../../vscode/command-result.ts";
import { ensureRefreshed } from "../../vscode/ensure-refreshed.ts";
import { l10n } from "../../vscode/l10n.ts";

export interface ListIssuesOptions extends CommonOptions {
  /** Only this language. */
  readonly locale?: string;
}

/** One issue of the contract; what the service leaves out is empty. */
export interface PlainIssue {
  readonly locale: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly rule: string;
  readonly level: string;
  readonly placeholder: string;
  readonly form: string;
  readonly suggestion: string;
}

/** Registers `projectTranslations.listIssues`. */
export function registerListIssues(app: App): void {
  app.command("projectTranslations.listIssues", l10n.t("List QA Issues"), (options: ListIssuesOptions, run) =>
    listIssues(app, options, run),
  );
}

async function listIssues(
  app: App,
  options: ListIssuesOptions,
  run: Run,
): Promise<CommandResult<{ readonly issues: readonly PlainIssue[] }>> {
  const chosen = await chooseSignedIn(app, options, "read");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  const { project } = open;
  const { locale } = options;
  run.report(l10n.t("Reading translations"));
  await ensureRefreshed(open, run.signal);
  const languages = project.stats?.languages ?? [];
  if (locale !== undefined) requireLanguage(open, locale);
  const refresher = await open.refresher;
  // `qaErrors` counts errors alone, so a language without any may still have warnings: all are read.
  const others = languages.filter((language) => !language.isSource).map((language) => language.locale);
  const wanted = locale === undefined ? others : [locale];
  for (const each of wanted) await refresher.ensureLocale(each, { priority: "person", signal: run.signal });
  const issues = wanted
    .flatMap((each) => issuesOf(project, each))
    .map((issue): PlainIssue => ({
      locale: issue.locale,
      namespace: issue.namespace,
      key: issue.key,
      context: issue.context,
      rule: issue.rule,
      level: issue.level,
      placeholder: issue.placeholder ?? "",
      form: issue.form ?? "",
      suggestion: issue.suggestion ?? "",
    }));
  return { outcome: "done", issues };
}
