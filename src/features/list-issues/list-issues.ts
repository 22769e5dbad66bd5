/** List issues: the QA issues of one language or all as plain data, for tasks and other extensions. */
import { issuesOf, localesWithIssues } from "../../core/issues.ts";
import type { App } from "../../host/app.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import type { CommandResult, CommonOptions } from "../../host/outcome.ts";
import { l10n } from "../../host/words.ts";

export interface ListedIssue {
  readonly locale: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly rule: string;
  readonly level: string;
  readonly placeholder: string | null;
  readonly form: string | null;
  readonly suggestion: string | null;
}

/** Registers `projectTranslations.listIssues`. */
export function registerListIssues(app: App): void {
  app.command(
    "projectTranslations.listIssues",
    l10n.t("List issues"),
    async (
      options: CommonOptions & { readonly locale?: string },
      run,
    ): Promise<CommandResult<{ issues: ListedIssue[] }>> => {
      const chosen = await chooseSignedIn(app, options, "read");
      if (chosen === undefined) return { outcome: "cancelled" };
      const { project } = chosen.open;
      const refresher = await chosen.open.refresher;
      const asking = { priority: "person" as const, signal: run.signal };
      await refresher.refresh(asking);
      const locales = options.locale === undefined ? localesWithIssues(project) : [options.locale];
      for (const locale of locales) {
        run.report(l10n.t("Reading {0}", locale));
        await refresher.ensureLocale(locale, asking);
      }
      const issues = locales
        .flatMap((locale) => issuesOf(project, locale))
        .map((issue) => ({
          locale: issue.locale,
          namespace: issue.namespace,
          key: issue.key,
          context: issue.context,
          rule: issue.rule,
          level: issue.level,
          placeholder: issue.placeholder ?? null,
          form: issue.form ?? null,
          suggestion: issue.suggestion ?? null,
        }));
      return { outcome: "done", issues };
    },
  );
}
