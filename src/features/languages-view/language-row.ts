/** The row of a language, and the rows of its keys and issues. */
import type { Language } from "../../api/response-schemas.ts";
import { localOnlyEntries } from "../../sync/count-pending-changes.ts";
import { issueCounts, projectIssues } from "../../sync/qa-issues.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { Text } from "../../model/translation-text.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pagedRows, type TreeNode, type TreeRows } from "../../vscode/ui/tree-view/tree-node.ts";
import { issueRow, keyRow, showTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { ROW_FILTERS } from "../../model/translation-editor-filters.ts";
import { collectInSlices, mapInSlices, yieldNow } from "../../util/event-loop.ts";
import { languageContent, languageGroups, type GroupName, type LanguageState } from "./language-content.ts";

/** Returns the row of a language. */
export function languageRow(open: OpenProject, language: Language): TreeNode {
  const { locale } = language;
  const id = `${open.id}/${locale}`;
  const state = (): LanguageState => ({
    issues: issueCounts(open, language),
    localOnly: open.connection.activity.localOnly.get(locale) ?? 0,
    hasService: open.source.hasService,
    now: Date.now(),
  });
  return {
    id,
    commandOptions: { folder: open.root, locale, locales: [locale] },
    content: () => languageContent(language, state()),
    children: () =>
      languageGroups(language, state()).map(({ name, filter, content }) => ({
        id: `${id}/${name}`,
        commandOptions: { folder: open.root, locale, filter },
        content: () => content,
        children: () => groupKeys(open, locale, name, `${id}/${name}`),
      })),
  };
}

/** Loads the language and returns the rows of a group. */
async function groupKeys(open: OpenProject, locale: string, group: GroupName, id: string): Promise<TreeRows> {
  const filter = ROW_FILTERS.find((each) => each === group);
  const keyRows = (
    keys: readonly ProjectKey[],
    textOf: (key: ProjectKey) => Text | null | undefined,
  ): TreeRows =>
    pagedRows(keys, (key) => keyRow(open, key, locale, textOf(key) ?? null, `${id}/${key.hash}`, filter));
  const translationOf = ({ hash }: ProjectKey) => open.translations.get(locale, hash)?.text;
  switch (group) {
    case "all":
      return keyRows(await collectInSlices(open.keys.values()), ({ text }) => text);
    case "local": {
      const entries = await localOnlyEntries(open.connection, await open.local.loadTexts(), locale);
      const texts = new Map(entries.map(({ hash, text }) => [hash, text]));
      const keys = Array.from(texts.keys(), (hash) => open.keys.get(hash) ?? []).flat();
      return keyRows(keys, ({ hash }) => texts.get(hash));
    }
    case "untranslated":
    case "outdated":
    case "issues":
    case "translated":
      break;
  }
  await showTranslations(open, locale);
  switch (group) {
    case "untranslated": {
      const keys: ProjectKey[] = [];
      for (const batch of open.keys.untranslated(locale)) {
        keys.push(...batch);
        await yieldNow();
      }
      return keyRows(keys, ({ text }) => text);
    }
    case "outdated": {
      const outdatedRows = open.translations.rows(locale, "outdated");
      const keys = await mapInSlices(outdatedRows, ({ hash }) => open.keys.get(hash) ?? null);
      // Translations that are derived from files are stored in the order of their hashes.
      const sorted = open.source.hasService ? keys : keys.toSorted((a, b) => a.key.localeCompare(b.key));
      return keyRows(sorted, translationOf);
    }
    case "issues":
      return pagedRows(await projectIssues(open.connection, locale), (issue, index) =>
        issueRow(open, issue, `${id}/${issue.hash}/${index}`, "key"),
      );
    case "translated": {
      const isTranslated = ({ hash }: ProjectKey) =>
        open.translations.get(locale, hash)?.isTranslated === true;
      return keyRows(await collectInSlices(open.keys.values(), isTranslated), translationOf);
    }
  }
}
