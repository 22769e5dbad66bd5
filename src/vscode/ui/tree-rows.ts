/** Rows for keys and their QA issues, alike in every tree. */
import { MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from "vscode";
import type { IssueOfKey } from "../../sync/qa-issues.ts";
import { keyHash, type KeyName } from "../../model/key-identity.ts";
import type { ProjectKey } from "../../database/project-records.ts";
import type { GridFilter } from "../../model/grid-query.ts";
import { isForms, type Text } from "../../model/text.ts";
import { localOnlyText } from "../projects/local-texts.ts";
import type { OpenProject } from "../projects/project-handle.ts";
import { isError, issueMessage } from "./issue-messages.ts";
import type { TreeNode } from "./lazy-tree.ts";
import { escapeMarkdown, oneLine } from "../markdown.ts";
import { labelIn } from "./text-label.ts";
import { l10n } from "../l10n.ts";

/** Reads the translations of a language; where the service cannot be asked, those that are known do. Throws ApiError. */
export async function readTranslations(open: OpenProject, locale: string): Promise<void> {
  try {
    await (await open.refresher).ensureLocale(locale, { priority: "person" });
  } catch (error) {
    if (!open.project.isComplete(locale)) throw error;
  }
}

/** A text on one line; of plural forms the first and the last are told apart by their categories. */
export function textLine(text: Text | null): string {
  if (text === null) return "";
  if (!isForms(text)) return oneLine(text.value);
  return oneLine(
    Object.entries(text.forms)
      .map(([category, form]) => `${category}: ${form}`)
      .join(" · "),
  );
}

/** Options of commands that are about a key in a language. */
export function keyOptions(open: OpenProject, name: KeyName, locale: string): object {
  const { namespace, key, context } = name;
  const only = [keyHash(name)];
  return { folder: open.root, namespace, key, ...(context === null ? {} : { context }), locale, only };
}

/**
 * A row of a key; a click goes to its entry in the language. `shown` stands behind the name; the translation editor opens
 * with `filter`.
 */
export function keyRow(
  open: OpenProject,
  key: ProjectKey,
  locale: string,
  shown: Text | null,
  id: string,
  filter?: GridFilter,
): TreeNode {
  return {
    id,
    commandOptions: { ...keyOptions(open, key, locale), filter },
    item: () => {
      const item = new TreeItem(labelIn(open, key), TreeItemCollapsibleState.None);
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
 * A row of one issue; a click goes to the key's entry in the language. What is wrong stands first, since the end of a row is
 * cut; `label`: what is said beside it.
 */
export function issueRow(open: OpenProject, issue: IssueOfKey, id: string, label: "key" | "issue"): TreeNode {
  const options = { ...keyOptions(open, issue, issue.locale), issue, filter: "issues" };
  const message = issueMessage(issue);
  return {
    id,
    commandOptions: options,
    item: () => {
      const item = new TreeItem(message, TreeItemCollapsibleState.None);
      item.description =
        label === "key" ? labelIn(open, issue) : textLine(formOf(issue.row.text, issue.form));
      item.tooltip = issueTooltip(open, issue);
      item.contextValue = hasSuggestion(issue) ? "issueWithSuggestion" : "issue";
      item.iconPath = isError(issue)
        ? new ThemeIcon("error", new ThemeColor("list.errorForeground"))
        : new ThemeIcon("warning", new ThemeColor("list.warningForeground"));
      item.command = goToEntry(open, issue, issue.locale);
      const level = isError(issue) ? l10n.t("error") : l10n.t("warning");
      item.accessibilityInformation = { label: `${level}: ${labelIn(open, issue)}: ${message}` };
      return item;
    },
  };
}

/** Whether the service says how the text should be. */
export function hasSuggestion({ suggestion }: IssueOfKey): boolean {
  return suggestion !== undefined && suggestion !== null && suggestion !== "";
}

/** The one form that an issue is about, else the whole text. */
export function formOf(text: Text | null, form: string | null | undefined): Text | null {
  if (text === null || !isForms(text) || form === undefined || form === null) return text;
  const value = text.forms[form];
  return value === undefined ? text : { value };
}

function goToEntry(open: OpenProject, name: KeyName, locale: string): TreeItem["command"] & object {
  const argument = keyOptions(open, name, locale);
  return { command: "projectTranslations.goToEntry", title: l10n.t("Go to Entry"), arguments: [argument] };
}

function keyTooltip(open: OpenProject, key: ProjectKey, locale: string): MarkdownString {
  const row = open.project.translation(locale, key.hash);
  const source = open.project.sourceLocale ?? "";
  const lines = [
    `**${escapeMarkdown(labelIn(open, key))}**`,
    `${escapeMarkdown(source)}: ${escapeMarkdown(textLine(key.text))}`,
  ];
  if (locale !== source) {
    const local = row?.text ? undefined : localOnlyText(open, locale, key.hash);
    const mark = local === undefined ? "" : ` (${escapeMarkdown(l10n.t("local, not on the service"))})`;
    const text = escapeMarkdown(textLine(local ?? row?.text ?? null)) || "–";
    lines.push(`${escapeMarkdown(locale)}: ${text}${mark}`);
  }
  if (key.description !== null) lines.push(escapeMarkdown(key.description));
  if (key.maxLength !== null) lines.push(escapeMarkdown(l10n.t("at most {0} characters", key.maxLength)));
  return new MarkdownString(lines.join("\n\n"));
}

function issueTooltip(open: OpenProject, issue: IssueOfKey): MarkdownString {
  const lines = [
    `**${escapeMarkdown(labelIn(open, issue))}** — ${escapeMarkdown(issue.locale)}`,
    `${escapeMarkdown(issueMessage(issue))} (${escapeMarkdown(issue.rule)})`,
    escapeMarkdown(textLine(formOf(issue.row.text, issue.form))),
  ];
  if (hasSuggestion(issue))
    lines.push(`${escapeMarkdown(l10n.t("Suggestion:"))} ${escapeMarkdown(issue.suggestion ?? "")}`);
  return new MarkdownString(lines.join("\n\n"));
}
