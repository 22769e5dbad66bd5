/** Tree rows for keys and QA issues, shared by all views. */
import { goToEntryCommand } from "../../../commands/declarations/key-commands.ts";
import { commandLink } from "../../commands/command-links.ts";
import { MarkdownString, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import { hasSuggestion, type KeyIssue } from "../../../sync/qa-issues.ts";
import { keyHash, type KeyName } from "../../../model/key-hash.ts";
import type { ProjectKey } from "../../../database/records.ts";
import type { RowFilter } from "../../../model/translation-editor-filters.ts";
import { isForms, type Text } from "../../../model/translation-text.ts";
import { shownTranslation } from "../text/translation-states.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { isError, issueMessage } from "../messages/issue-messages.ts";
import { keyOptions } from "../input/pick-key.ts";
import { statusIcon, type TreeNode } from "./lazy-tree-provider.ts";
import { escapeMarkdown } from "../text/escape-text.ts";
import { projectKeyLabel, textLine } from "../text/labels.ts";
import { l10n } from "../../l10n.ts";

/**
 * Loads the translations of a language; if the request fails, a complete cache is sufficient.
 *
 * @throws {ApiError}
 */
export async function ensureTranslations(open: OpenProject, locale: string): Promise<void> {
  try {
    await (await open.refresher).ensureLocale(locale, { priority: "person" });
  } catch (error) {
    if (!open.project.isComplete(locale)) throw error;
  }
}

/**
 * Like `ensureTranslations`, for rows: a complete cache is shown at once and updated in the background, since VS Code
 * does not know the clicked row while the rows of its parent are loading.
 *
 * @throws {ApiError}
 */
export async function showTranslations(open: OpenProject, locale: string): Promise<void> {
  const { project } = open;
  // A failure redraws the rows; asking again here would loop.
  if (project.isComplete(locale) && project.freshness.kind === "offline") return;
  const loading = (await open.refresher).ensureLocale(locale, { priority: "person" });
  if (!project.isComplete(locale)) return loading;
  // The refresher reports it.
  loading.catch(() => undefined);
}

/** Returns the options of the commands in the menu of a row of a key in a language. */
export function rowOptions(open: OpenProject, name: KeyName, locale: string): object {
  return { ...keyOptions(open, name, locale), only: [keyHash(name)] };
}

/**
 * Creates the row of a key; clicking it opens the key's entry in the language.
 *
 * @param shown the text shown as description
 * @param filter of the translation editor when it is opened from the row
 */
export function keyRow(
  open: OpenProject,
  key: ProjectKey,
  locale: string,
  shown: Text | null,
  id: string,
  filter?: RowFilter,
): TreeNode {
  return {
    id,
    commandOptions: { ...rowOptions(open, key, locale), filter },
    item: () => {
      const item = new TreeItem(projectKeyLabel(open, key), TreeItemCollapsibleState.None);
      item.description = textLine(shown);
      item.tooltip = keyTooltip(open, key, locale);
      item.contextValue = "key";
      item.iconPath = new ThemeIcon("symbol-key");
      item.command = goToEntry(open, key, locale);
      return item;
    },
  };
}

/**
 * Creates the row of an issue; clicking it opens the key's entry in the language. The row begins with the message, since
 * long rows are truncated at the end; `label` says whether the description is the key or the text.
 */
export function issueRow(open: OpenProject, issue: KeyIssue, id: string, label: "key" | "issue"): TreeNode {
  const options = { ...rowOptions(open, issue, issue.locale), issue, filter: "issues" };
  const message = issueMessage(issue);
  return {
    id,
    commandOptions: options,
    item: () => {
      const item = new TreeItem(message, TreeItemCollapsibleState.None);
      item.description =
        label === "key" ? projectKeyLabel(open, issue) : textLine(textOfForm(issue.row.text, issue.form));
      item.tooltip = issueTooltip(open, issue);
      item.contextValue = hasSuggestion(issue) ? "issueWithSuggestion" : "issue";
      item.iconPath = statusIcon(isError(issue) ? "error" : "warning");
      item.command = goToEntry(open, issue, issue.locale);
      const level = isError(issue) ? l10n.t("error") : l10n.t("warning");
      item.accessibilityInformation = { label: `${level}: ${projectKeyLabel(open, issue)}: ${message}` };
      return item;
    },
  };
}

/** Returns the given plural form of a text, or the whole text if it has no such form. */
function textOfForm(text: Text | null, form: string | null | undefined): Text | null {
  if (text === null || !isForms(text) || form === undefined || form === null) return text;
  const value = text.forms[form];
  return value === undefined ? text : { value };
}

function goToEntry(open: OpenProject, name: KeyName, locale: string): TreeItem["command"] & object {
  return commandLink(goToEntryCommand, keyOptions(open, name, locale));
}

function keyTooltip(open: OpenProject, key: ProjectKey, locale: string): MarkdownString {
  const source = open.project.sourceLocale ?? "";
  const lines = [
    `**${escapeMarkdown(projectKeyLabel(open, key))}**`,
    `${escapeMarkdown(source)}: ${escapeMarkdown(textLine(key.text))}`,
  ];
  if (locale !== source) {
    const { text, isLocalOnly } = shownTranslation(open, key.hash, locale);
    const note = isLocalOnly ? ` (${l10n.t("local, not on the service")})` : "";
    lines.push(`${escapeMarkdown(locale)}: ${escapeMarkdown(textLine(text)) || "–"}${escapeMarkdown(note)}`);
  }
  if (key.description !== null) lines.push(escapeMarkdown(key.description));
  if (key.maxLength !== null) lines.push(escapeMarkdown(l10n.t("at most {0} characters", key.maxLength)));
  return new MarkdownString(lines.join("\n\n"));
}

function issueTooltip(open: OpenProject, issue: KeyIssue): MarkdownString {
  const lines = [
    `**${escapeMarkdown(projectKeyLabel(open, issue))}** — ${escapeMarkdown(issue.locale)}`,
    `${escapeMarkdown(issueMessage(issue))} (${escapeMarkdown(issue.rule)})`,
    escapeMarkdown(textLine(textOfForm(issue.row.text, issue.form))),
  ];
  if (hasSuggestion(issue))
    lines.push(`${escapeMarkdown(l10n.t("Suggestion:"))} ${escapeMarkdown(issue.suggestion ?? "")}`);
  return new MarkdownString(lines.join("\n\n"));
}
