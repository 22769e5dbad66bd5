/** The row of a language: progress ring, numbers and child rows. */
import { MarkdownString, ThemeIcon, TreeItemCollapsibleState, Uri } from "vscode";
import type { Language } from "../../api/schemas.ts";
import { localOnlyEntries } from "../../sync/count-pending-changes.ts";
import { projectIssues } from "../../sync/qa-issues.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { Text } from "../../model/text.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../vscode/ui/text/counts.ts";
import { pagedRows, type TreeNode, type TreeRows } from "../../vscode/ui/tree/lazy-tree.ts";
import { escapeMarkdown } from "../../vscode/ui/text/markdown.ts";
import { relativeTime, formatDateTime, formatNumber } from "../../vscode/ui/text/error-messages.ts";
import { issueRow, keyRow, showTranslations } from "../../vscode/ui/tree/tree-rows.ts";
import { l10n } from "../../vscode/l10n.ts";
import { DARK, LIGHT, ringSvg, type RingShares } from "./progress-icon.ts";
import { GRID_FILTERS } from "../../model/grid-query.ts";
import { yieldNow } from "../../model/event-loop.ts";

/** Keys processed before yielding to the event loop; about 5 ms. */
const BATCH_SIZE = 2_000;

/** Creates the row of a language. */
export function languageRow(open: OpenProject, language: Language): TreeNode {
  const id = `${open.project.id}/${language.locale}`;
  const groups = groupsOf(open, language, id);
  return {
    id,
    commandOptions: { folder: open.root, locale: language.locale, locales: [language.locale] },
    item: () => {
      const isSame = language.name === language.locale || language.name === "";
      const label = isSame ? language.locale : `${language.name} (${language.locale})`;
      const { isLocal } = open.project;
      const localOnly = open.project.localOnly.get(language.locale) ?? 0;
      const facts = countTexts(language, localOnly);
      const { None, Collapsed } = TreeItemCollapsibleState;
      return {
        label,
        description: facts.join(" · "),
        iconPath: ring(language),
        contextValue: `${isLocal ? "local " : ""}${language.isSource ? "sourceLanguage" : "language"}`,
        tooltip: tooltipOf(language, localOnly, isLocal),
        accessibilityInformation: { label: [label, ...facts].join(", ") },
        collapsibleState: groups.length === 0 ? None : Collapsed,
      };
    },
    children: () => groups,
  };
}

/** Returns "87 %", "12 local only", "3 outdated", "2 QA errors", "2 days ago"; zero counts are omitted. */
function countTexts(language: Language, localOnly: number): string[] {
  const { percent, outdated, qaErrors, lastTranslatedAt, isSource, totalKeys } = language;
  const facts = isSource ? [l10n.t("source, {0}", formatCount.keys(totalKeys))] : [l10n.t("{0} %", percent)];
  if (localOnly > 0) facts.push(l10n.t("{0} local only", formatNumber(localOnly)));
  if (outdated > 0) facts.push(l10n.t("{0} outdated", formatNumber(outdated)));
  if (qaErrors > 0) facts.push(formatCount.qaErrors(qaErrors));
  const at = lastTranslatedAt === null ? Number.NaN : Date.parse(lastTranslatedAt);
  if (!Number.isNaN(at)) facts.push(relativeTime(at, Date.now()));
  return facts;
}

function sharesOf({ totalKeys, translated, outdated, qaErrors }: Language): RingShares {
  const share = (count: number): number => (totalKeys === 0 ? 0 : Math.min(1, count / totalKeys));
  return { translated: share(translated), outdated: share(outdated), hasErrors: qaErrors > 0 };
}

function ring(language: Language): { light: Uri; dark: Uri } {
  const shares = sharesOf(language);
  const draw = (palette: typeof LIGHT): Uri =>
    Uri.parse(`data:image/svg+xml;base64,${Buffer.from(ringSvg(shares, palette)).toString("base64")}`);
  return { light: draw(LIGHT), dark: draw(DARK) };
}

function tooltipOf(language: Language, localOnly: number, isLocal: boolean): MarkdownString {
  const { name, locale, totalKeys, translated, outdated, qaErrors, lastTranslatedAt } = language;
  const rows = [
    [l10n.t("Translated"), l10n.t("{0} of {1}", formatNumber(translated), formatNumber(totalKeys))],
    [l10n.t("Untranslated"), formatNumber(Math.max(0, totalKeys - translated))],
    ...(localOnly > 0 ? [[l10n.t("Local, not on the service"), formatNumber(localOnly)]] : []),
    [l10n.t("Outdated"), formatNumber(outdated)],
    ...(isLocal ? [] : [[l10n.t("QA errors"), formatNumber(qaErrors)]]),
  ];
  if (lastTranslatedAt !== null)
    rows.push([l10n.t("Last change"), formatDateTime(new Date(lastTranslatedAt))]);
  const table = rows.map(
    ([label, value]) => `| ${escapeMarkdown(label ?? "")} | ${escapeMarkdown(value ?? "")} |`,
  );
  const from = isLocal ? `\n\n${escapeMarkdown(l10n.t("From the local files; you are not signed in."))}` : "";
  return new MarkdownString(
    `**${escapeMarkdown(name)}** (${escapeMarkdown(locale)})\n\n| | |\n|---|--:|\n${table.join("\n")}${from}`,
  );
}

/** Returns the untranslated, outdated and QA rows; each loads the language when it is expanded. */
function groupsOf(open: OpenProject, language: Language, id: string): TreeNode[] {
  const { locale } = language;
  const groups: TreeNode[] = [];
  if (language.isSource) {
    if (language.totalKeys === 0) return [];
    const label = l10n.t("All keys ({0})", formatNumber(language.totalKeys));
    return [
      group(open, `${id}/all`, label, "list-unordered", locale, async () => {
        const keys: ProjectKey[] = [];
        for (const key of open.project.keys.values()) if (keys.push(key) % BATCH_SIZE === 0) await yieldNow();
        return pagedRows(keys, (key) => keyRow(open, key, locale, key.text, `${id}/all/${key.hash}`));
      }),
    ];
  }
  const untranslated = Math.max(0, language.totalKeys - language.translated);
  if (untranslated > 0) {
    const label = l10n.t("Untranslated ({0})", formatNumber(untranslated));
    groups.push(
      group(open, `${id}/untranslated`, label, "circle-slash", locale, async () => {
        await showTranslations(open, locale);
        const keys: ProjectKey[] = [];
        for (const batch of open.project.keys.untranslated(locale)) {
          keys.push(...batch);
          await yieldNow();
        }
        return pagedRows(keys, (key) =>
          keyRow(open, key, locale, key.text, `${id}/untranslated/${key.hash}`, "untranslated"),
        );
      }),
    );
  }
  const localOnly = open.project.localOnly.get(locale) ?? 0;
  if (localOnly > 0) {
    const label = l10n.t("Local, not on the service ({0})", formatNumber(localOnly));
    const options = { folder: open.root, locale };
    const children = async (): Promise<TreeRows> => {
      const { keys } = open.project;
      const found: { key: ProjectKey; text: Text }[] = [];
      for (const entry of localOnlyEntries(open.project, await open.local.load(), locale)) {
        const key = entry === null ? await yieldNow() : keys.get(entry.hash);
        if (entry !== null && key) found.push({ key, text: entry.text });
      }
      return pagedRows(found, ({ key, text }) => keyRow(open, key, locale, text, `${id}/local/${key.hash}`));
    };
    groups.push({
      ...group(open, `${id}/local`, label, "file", locale, children, "localOnly"),
      commandOptions: options,
    });
  }
  if (language.outdated > 0) {
    const label = l10n.t("Outdated ({0})", formatNumber(language.outdated));
    groups.push(
      group(open, `${id}/outdated`, label, "history", locale, async () => {
        await showTranslations(open, locale);
        const { keys, translations } = open.project;
        const outdated = [...translations.outdated(locale)].flatMap(({ hash, text }) => {
          const key = keys.get(hash);
          return key === undefined ? [] : [{ key, text }];
        });
        return pagedRows(outdated, ({ key, text }) =>
          keyRow(open, key, locale, text, `${id}/outdated/${key.hash}`, "outdated"),
        );
      }),
    );
  }
  const loaded = open.project.isComplete(locale) ? projectIssues(open.project, locale).length : 0;
  const issues = Math.max(loaded, language.qaErrors);
  if (issues > 0) {
    const label = l10n.t("QA issues ({0})", formatNumber(issues));
    groups.push(
      group(open, `${id}/issues`, label, "warning", locale, async () => {
        await showTranslations(open, locale);
        return pagedRows(projectIssues(open.project, locale), (issue, index) =>
          issueRow(open, issue, `${id}/issues/${issue.hash}/${index}`, "key"),
        );
      }),
    );
  }
  if (language.translated > 0) {
    const label = l10n.t("Translated ({0})", formatNumber(language.translated));
    groups.push(
      group(open, `${id}/translated`, label, "check", locale, async () => {
        await showTranslations(open, locale);
        const { keys, translations } = open.project;
        const found: ProjectKey[] = [];
        let seen = 0;
        for (const key of keys.values()) {
          if (++seen % BATCH_SIZE === 0) await yieldNow();
          if (translations.isTranslated(locale, key.hash) === true) found.push(key);
        }
        return pagedRows(found, (key) => {
          const text = translations.text(locale, key.hash) ?? null;
          return keyRow(open, key, locale, text, `${id}/translated/${key.hash}`);
        });
      }),
    );
  }
  return groups;
}

/** Creates a group row. The translation editor opens with the filter at the end of `id`, if it is one. */
function group(
  open: OpenProject,
  id: string,
  label: string,
  icon: string,
  locale: string,
  children: () => Promise<TreeRows>,
  contextValue = "group",
): TreeNode {
  return {
    id,
    commandOptions: {
      folder: open.root,
      locale,
      filter: GRID_FILTERS.filter((each) => id.endsWith(`/${each}`)),
    },
    item: () => ({
      label,
      iconPath: new ThemeIcon(icon),
      contextValue,
      accessibilityInformation: { label: `${label}, ${locale}` },
      collapsibleState: TreeItemCollapsibleState.Collapsed,
    }),
    children,
  };
}
