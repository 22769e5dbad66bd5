/** The row of a language: progress ring, numbers and child rows. */
import { MarkdownString, ThemeIcon, TreeItemCollapsibleState, Uri } from "vscode";
import type { Language } from "../../api/response-schemas.ts";
import { localOnlyEntries } from "../../sync/count-pending-changes.ts";
import { issueCounts, projectIssues } from "../../sync/qa-issues.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { Text } from "../../model/translation-text.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pagedRows, type TreeNode, type TreeRows } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { escapeMarkdown } from "../../messages/escape-text.ts";
import { issueRow, keyRow, showTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { l10n } from "../../util/l10n.ts";
import { ROW_FILTERS } from "../../model/translation-editor-filters.ts";
import { collectInSlices, mapInSlices, yieldNow } from "../../util/event-loop.ts";
import {
  languageContent,
  type GroupName,
  type LanguageContent,
  type LanguageGroup,
  type RingShares,
} from "./language-content.ts";

/** Creates the row of a language. */
export function languageRow(open: OpenProject, language: Language): TreeNode {
  const id = `${open.id}/${language.locale}`;
  const content = (): LanguageContent =>
    languageContent(language, {
      issues: issueCounts(open, language),
      localOnly: open.activity.localOnly.get(language.locale) ?? 0,
      hasService: open.source.hasService,
      now: Date.now(),
    });
  return {
    id,
    commandOptions: { folder: open.root, locale: language.locale, locales: [language.locale] },
    item: () => {
      const { label, counts, contextValue, ring, groups, tooltipRows } = content();
      const { None, Collapsed } = TreeItemCollapsibleState;
      return {
        label,
        description: counts.join(" · "),
        iconPath: ringIcon(ring),
        contextValue,
        tooltip: tooltipOf(language, tooltipRows, open.source),
        accessibilityInformation: { label: [label, ...counts].join(", ") },
        collapsibleState: groups.length === 0 ? None : Collapsed,
      };
    },
    children: () => content().groups.map((group) => groupRow(open, language.locale, id, group)),
  };
}

function ringIcon(shares: RingShares): { light: Uri; dark: Uri } {
  const draw = (palette: typeof LIGHT): Uri =>
    Uri.parse(`data:image/svg+xml;base64,${Buffer.from(ringSvg(shares, palette)).toString("base64")}`);
  return { light: draw(LIGHT), dark: draw(DARK) };
}

function tooltipOf(
  { name, locale }: Language,
  rows: LanguageContent["tooltipRows"],
  { hasService }: OpenProject["source"],
): MarkdownString {
  const table = rows.map(([label, value]) => `| ${escapeMarkdown(label)} | ${escapeMarkdown(value)} |`);
  const from = hasService
    ? ""
    : `\n\n${escapeMarkdown(l10n.t("From the local files; you are not signed in."))}`;
  return new MarkdownString(
    `**${escapeMarkdown(name)}** (${escapeMarkdown(locale)})\n\n| | |\n|---|--:|\n${table.join("\n")}${from}`,
  );
}

function groupRow(
  open: OpenProject,
  locale: string,
  id: string,
  { name, label, icon }: LanguageGroup,
): TreeNode {
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
    children: () => groupKeys(open, locale, name, `${id}/${name}`),
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
      const entries = await localOnlyEntries(open, await open.local.loadTexts(), locale);
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
      return pagedRows(await projectIssues(open, locale), (issue, index) =>
        issueRow(open, issue, `${id}/${issue.hash}/${index}`, "key"),
      );
    case "translated": {
      const isTranslated = ({ hash }: ProjectKey) =>
        open.translations.get(locale, hash)?.isTranslated === true;
      return keyRows(await collectInSlices(open.keys.values(), isTranslated), translationOf);
    }
  }
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
