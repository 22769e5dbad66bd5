/** The row of a language: progress ring, numbers and child rows. */
import { MarkdownString, ThemeIcon, TreeItemCollapsibleState, Uri } from "vscode";
import type { Language } from "../../api/response-schemas.ts";
import { localOnlyEntries } from "../../sync/count-pending-changes.ts";
import { projectIssues } from "../../sync/qa-issues.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { Text } from "../../model/translation-text.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import {
  formatCount,
  relativeTime,
  formatDateTime,
  formatNumber,
} from "../../vscode/ui/text/counts-and-times.ts";
import { pagedRows, type TreeNode, type TreeRows } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { languageLabel } from "../../vscode/ui/text/labels.ts";
import { escapeMarkdown } from "../../vscode/ui/text/escape-text.ts";
import { issueRow, keyRow, showTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { l10n } from "../../vscode/l10n.ts";
import { ROW_FILTERS } from "../../model/translation-editor-filters.ts";
import { collectInSlices, mapInSlices, yieldNow } from "../../util/event-loop.ts";

/** Creates the row of a language. */
export function languageRow(open: OpenProject, language: Language): TreeNode {
  const id = `${open.project.id}/${language.locale}`;
  const groups = groupRows(open, language, id);
  return {
    id,
    commandOptions: { folder: open.root, locale: language.locale, locales: [language.locale] },
    item: () => {
      const label = languageLabel(language);
      const { isLocal } = open.project;
      const localOnly = open.project.activity.localOnly.get(language.locale) ?? 0;
      const counts = countTexts(language, localOnly);
      const { None, Collapsed } = TreeItemCollapsibleState;
      return {
        label,
        description: counts.join(" · "),
        iconPath: ring(language),
        contextValue: `${isLocal ? "local " : ""}${language.isSource ? "sourceLanguage" : "language"}`,
        tooltip: tooltipOf(language, localOnly, isLocal),
        accessibilityInformation: { label: [label, ...counts].join(", ") },
        collapsibleState: groups.length === 0 ? None : Collapsed,
      };
    },
    children: () => groups,
  };
}

/** Returns "87 %", "12 local only", "3 outdated", "2 QA errors", "2 days ago"; zero counts are omitted. */
function countTexts(language: Language, localOnly: number): string[] {
  const { percent, outdated, qaErrors, lastTranslatedAt, isSource, totalKeys } = language;
  const counts = isSource ? [l10n.t("source, {0}", formatCount.keys(totalKeys))] : [l10n.t("{0} %", percent)];
  if (localOnly > 0) counts.push(l10n.t("{0} local only", formatNumber(localOnly)));
  if (outdated > 0) counts.push(l10n.t("{0} outdated", formatNumber(outdated)));
  if (qaErrors > 0) counts.push(formatCount.qaErrors(qaErrors));
  const time = Date.parse(lastTranslatedAt ?? "");
  if (!Number.isNaN(time)) counts.push(relativeTime(time, Date.now()));
  return counts;
}

function ring({ totalKeys, translated, outdated, qaErrors }: Language): { light: Uri; dark: Uri } {
  const share = (count: number): number => (totalKeys === 0 ? 0 : Math.min(1, count / totalKeys));
  const shares = { translated: share(translated), outdated: share(outdated), hasErrors: qaErrors > 0 };
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

/** A group of keys or issues of a language. */
interface Group {
  /** Part of the row's id; the translation editor opens with this filter, if it is one. */
  readonly name: string;
  readonly label: (count: string) => string;
  readonly icon: string;
  readonly count: number;
  /** Loads the language. */
  readonly children: () => Promise<TreeRows>;
}

/** Returns the rows of the groups that are not empty. */
function groupRows(open: OpenProject, language: Language, id: string): TreeNode[] {
  const { locale, totalKeys, translated, outdated, qaErrors } = language;
  const { project } = open;
  const keyRows = (
    name: string,
    keys: readonly ProjectKey[],
    textOf: (key: ProjectKey) => Text | null | undefined,
  ): TreeRows => {
    const filter = ROW_FILTERS.find((each) => each === name);
    return pagedRows(keys, (key) =>
      keyRow(open, key, locale, textOf(key) ?? null, `${id}/${name}/${key.hash}`, filter),
    );
  };
  const translationOf = ({ hash }: ProjectKey) => project.translations.get(locale, hash)?.text;
  const loadedIssues = project.isComplete(locale) ? project.translations.counts(locale).issues : 0;
  const sourceGroups: readonly Group[] = [
    {
      name: "all",
      label: (count) => l10n.t("All keys ({0})", count),
      icon: "list-unordered",
      count: totalKeys,
      children: async () => keyRows("all", await collectInSlices(project.keys.values()), ({ text }) => text),
    },
  ];
  const targetGroups: readonly Group[] = [
    {
      name: "untranslated",
      label: (count) => l10n.t("Untranslated ({0})", count),
      icon: "circle-slash",
      count: totalKeys - translated,
      children: async () => {
        await showTranslations(open, locale);
        const keys: ProjectKey[] = [];
        for (const batch of project.keys.untranslated(locale)) {
          keys.push(...batch);
          await yieldNow();
        }
        return keyRows("untranslated", keys, ({ text }) => text);
      },
    },
    {
      name: "local",
      label: (count) => l10n.t("Local, not on the service ({0})", count),
      icon: "file",
      count: project.activity.localOnly.get(locale) ?? 0,
      children: async () => {
        const entries = await localOnlyEntries(project, await open.local.load(), locale);
        const texts = new Map(entries.map(({ hash, text }) => [hash, text]));
        const keys = Array.from(texts.keys(), (hash) => project.keys.get(hash) ?? []).flat();
        return keyRows("local", keys, ({ hash }) => texts.get(hash));
      },
    },
    {
      name: "outdated",
      label: (count) => l10n.t("Outdated ({0})", count),
      icon: "history",
      count: outdated,
      children: async () => {
        await showTranslations(open, locale);
        const outdatedRows = project.translations.rows(locale, "outdated");
        const keys = await mapInSlices(outdatedRows, ({ hash }) => project.keys.get(hash) ?? null);
        // Translations that are derived from files are stored in the order of their hashes.
        const sorted = project.isLocal ? keys.toSorted((a, b) => a.key.localeCompare(b.key)) : keys;
        return keyRows("outdated", sorted, translationOf);
      },
    },
    {
      name: "issues",
      label: (count) => l10n.t("QA issues ({0})", count),
      icon: "warning",
      count: Math.max(loadedIssues, qaErrors),
      children: async () => {
        await showTranslations(open, locale);
        return pagedRows(await projectIssues(project, locale), (issue, index) =>
          issueRow(open, issue, `${id}/issues/${issue.hash}/${index}`, "key"),
        );
      },
    },
    {
      name: "translated",
      label: (count) => l10n.t("Translated ({0})", count),
      icon: "check",
      count: translated,
      children: async () => {
        await showTranslations(open, locale);
        const isTranslated = ({ hash }: ProjectKey) =>
          project.translations.get(locale, hash)?.isTranslated === true;
        const keys = await collectInSlices(project.keys.values(), isTranslated);
        return keyRows("translated", keys, translationOf);
      },
    },
  ];
  const groups = language.isSource ? sourceGroups : targetGroups;
  return groups.filter(({ count }) => count > 0).map((group) => groupRow(open, locale, id, group));
}

function groupRow(
  open: OpenProject,
  locale: string,
  id: string,
  { name, label: labelOf, icon, count, children }: Group,
): TreeNode {
  const label = labelOf(formatNumber(count));
  return {
    id: `${id}/${name}`,
    commandOptions: { folder: open.root, locale, filter: ROW_FILTERS.filter((each) => each === name) },
    item: () => ({
      label,
      iconPath: new ThemeIcon(icon),
      contextValue: name === "local" ? "localOnly" : "group",
      accessibilityInformation: { label: `${label}, ${locale}` },
      collapsibleState: TreeItemCollapsibleState.Collapsed,
    }),
    children,
  };
}

/** The shares of a ring, from 0 to 1. */
interface RingShares {
  readonly translated: number;
  readonly outdated: number;
  readonly hasErrors: boolean;
}

/** VS Code's chart colours. An image cannot use theme colours, so there is one for light and one for dark themes. */
const LIGHT = { translated: "#2f8132", outdated: "#bf8803", missing: "#00000070", error: "#d1242f" };
const DARK = { translated: "#89d185", outdated: "#e2b93d", missing: "#ffffff66", error: "#f48771" };

const CENTRE = 8;
const RADIUS = 5.75;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** Returns the SVG of a ring of 16 by 16 pixels, clockwise from the top. */
function ringSvg({ translated, outdated, hasErrors }: RingShares, palette: typeof LIGHT): string {
  const upToDate = Math.max(0, translated - outdated);
  const arcs = [
    arc(palette.missing, 0, 1),
    arc(palette.translated, 0, upToDate),
    arc(palette.outdated, upToDate, outdated),
  ];
  const isComplete = translated >= 1 && outdated === 0 && !hasErrors;
  const dot = hasErrors ? `<circle cx="8" cy="8" r="2.25" fill="${palette.error}"/>` : "";
  const check = `<path d="M5.6 8.1l1.7 1.7 3.1-3.5" fill="none" stroke="${palette.translated}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${arcs.join("")}${isComplete ? check : dot}</svg>`;
}

/** Returns an arc. A share above zero is drawn with a visible minimum length. */
function arc(colour: string, from: number, share: number): string {
  if (share <= 0) return "";
  const length = Math.min(1, Math.max(share, 0.03)) * CIRCUMFERENCE;
  const attributes = `cx="${CENTRE}" cy="${CENTRE}" r="${RADIUS}" fill="none" stroke="${colour}" stroke-width="2.5"`;
  if (share >= 1) return `<circle ${attributes}/>`;
  const rotation = `transform="rotate(${round(from * 360 - 90)} ${CENTRE} ${CENTRE})"`;
  return `<circle ${attributes} stroke-dasharray="${round(length)} ${round(CIRCUMFERENCE)}" ${rotation}/>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
