/** QA issues of a project, from the cached translations. */
import type { Language, QaIssue } from "../api/response-schemas.ts";
import type { KeyName } from "../model/key-hash.ts";
import type { NamedKey } from "../database/key-name-repository.ts";
import type { Project } from "../database/project-state.ts";
import type { ProjectKey, ProjectRow } from "../database/records.ts";
import { checkTrailingLineBreaks } from "../model/trailing-line-break.ts";
import { isForms, type Text } from "../model/translation-text.ts";
import { TimeSlices } from "../util/event-loop.ts";

/** A QA issue with its key and language. */
export interface KeyIssue extends KeyName, QaIssue {
  readonly locale: string;
  readonly hash: string;
  readonly row: ProjectRow;
}

/** Numbers of the service's issues in a language. */
export interface IssueCounts {
  readonly errors: number;
  readonly warnings: number;
}

/**
 * Returns the numbers of issues that `projectIssues` lists: of a language that was read completely those of its
 * translations, also directly after an edit; of another one what the service counts, which are only errors.
 */
export function issueCounts(
  project: Pick<Project, "isComplete" | "translations">,
  { locale, qaErrors }: Pick<Language, "locale" | "qaErrors">,
): IssueCounts {
  if (!project.isComplete(locale)) return { errors: qaErrors, warnings: 0 };
  const { issues, errors } = project.translations.counts(locale);
  return { errors, warnings: issues - errors };
}

/**
 * Returns the service's issues of one language in its order of keys, letting other tasks run in between.
 * @param limit maximum number of issues
 */
export async function projectIssues(
  project: Project,
  locale: string,
  isWanted: (issue: KeyIssue) => boolean = () => true,
  limit = Infinity,
): Promise<KeyIssue[]> {
  const issues: KeyIssue[] = [];
  const slices = new TimeSlices();
  for (const row of project.translations.rows(locale, "issues")) {
    if (slices.isOver) await slices.next();
    const key = project.keys.get(row.hash);
    if (key === undefined) continue;
    for (const issue of row.issues) {
      const named = toKeyIssue(issue, key, locale, row);
      if (isWanted(named)) issues.push(named);
    }
    if (issues.length >= limit) return issues.slice(0, limit);
  }
  return issues;
}

/**
 * Returns the issues of one key: those of the service, and texts that end in a line break.
 * @param rows The key's translations by locale.
 */
export function keyIssues(
  key: NamedKey & Pick<ProjectKey, "text">,
  rows: ReadonlyMap<string, ProjectRow>,
): KeyIssue[] {
  return [...rows].flatMap(([locale, row]) =>
    rowIssues(row, key.text).map((issue) => toKeyIssue(issue, key, locale, row)),
  );
}

function toKeyIssue(
  issue: QaIssue,
  { hash, namespace, key, context }: NamedKey,
  locale: string,
  row: ProjectRow,
): KeyIssue {
  return { ...issue, locale, namespace, key, context, hash, row };
}

/** Returns the issues of one translation, as `keyIssues`. */
export function rowIssues(row: Pick<ProjectRow, "issues" | "text">, source: Text | null): readonly QaIssue[] {
  return [...row.issues, ...checkTrailingLineBreaks(source, row.text)];
}

/** Whether the issue has a suggested text that can be applied: in a plural text, to a form that the service names. */
export function hasSuggestion({ suggestion, form, row }: KeyIssue): boolean {
  if (row.text !== null && isForms(row.text) && !form) return false;
  return suggestion !== undefined && suggestion !== null && suggestion !== "";
}

/** Returns the text with the suggestion in place of the form that the issue is about. */
export function withSuggestion(text: Text | null, { suggestion, form }: QaIssue): Text {
  const value = suggestion ?? "";
  return text === null || !isForms(text) ? { value } : { forms: { ...text.forms, [form ?? ""]: value } };
}

/** Returns the languages with issues, by `issueCounts`; of languages that are read in part those that were read. */
export function localesWithIssues(project: Project): string[] {
  const counted = (project.stats?.languages ?? []).filter((language) => {
    const { errors, warnings } = issueCounts(project, language);
    return errors + warnings > 0;
  });
  const seen = project.loadedLocales().filter((locale) => project.translations.hasIssues(locale));
  return [...new Set([...counted.map(({ locale }) => locale), ...seen])];
}
