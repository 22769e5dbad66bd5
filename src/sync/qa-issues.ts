/** The QA issues of a project, from the rows that are loaded; it fetches nothing. */
import type { QaIssue } from "../api/schemas.ts";
import type { KeyName } from "../model/key-identity.ts";
import type { NamedKey } from "../database/key-names.ts";
import type { Project } from "../database/project-state.ts";
import type { ProjectRow } from "../database/project-records.ts";
import { isForms, type Text } from "../model/text.ts";

/** One issue with the key and language it is about. */
export interface IssueOfKey extends KeyName, QaIssue {
  readonly locale: string;
  readonly hash: string;
  readonly row: ProjectRow;
}

/** Issues of one language, or of all loaded ones, in the order of the service's languages and keys. */
export function issuesOf(project: Project, locale?: string): IssueOfKey[] {
  const issues: IssueOfKey[] = [];
  for (const each of locale === undefined ? project.loadedLocales() : [locale]) {
    for (const row of project.translations.withIssues(each)) {
      const key = project.keys.get(row.hash);
      if (key === undefined) continue;
      const { namespace, key: name, context, hash } = key;
      for (const issue of row.issues)
        issues.push({ ...issue, locale: each, namespace, key: name, context, hash, row });
    }
  }
  return issues;
}

/** Issues of one key. `rows`: its translations by locale. */
export function issuesOfKey(
  { hash, namespace, key, context }: NamedKey,
  rows: ReadonlyMap<string, ProjectRow>,
): IssueOfKey[] {
  return [...rows].flatMap(([locale, row]) =>
    (row.issues ?? []).map((issue) => ({ ...issue, locale, namespace, key, context, hash, row })),
  );
}

/** The whole text with the suggestion in the place of the form that the issue is about. */
export function fixedText({ suggestion, form, row }: IssueOfKey): Text {
  const text = suggestion ?? "";
  if (row.text === null || !isForms(row.text)) return { value: text };
  return { forms: { ...row.text.forms, [form ?? ""]: text } };
}

/** Languages that have QA errors by the service's count; their rows may not be loaded yet. */
export function localesWithIssues(project: Project): string[] {
  const counted = (project.stats?.languages ?? []).filter((language) => language.qaErrors > 0);
  const seen = project.loadedLocales().filter((locale) => project.translations.hasIssues(locale));
  return [...new Set([...counted.map((language) => language.locale), ...seen])];
}
