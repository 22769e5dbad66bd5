/** The items of VS Code's trees for rows of views. */
import {
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItemCollapsibleState,
  Uri,
  type Command,
  type TreeItem,
} from "vscode";
import { escapeMarkdown, oneLine } from "../../../messages/escape-text.ts";
import { l10n } from "../../../util/l10n.ts";
import type { TreeNode } from "./tree-node.ts";
import { rowText, type RowContent, type RowIcon } from "./row-content.ts";

/** Returns the item of a row. */
export function treeItem(node: TreeNode): TreeItem {
  const content = node.content();
  const { label, description = "", icon, kind, spokenLabel } = content;
  const command = clickOf(node, content);
  return {
    id: node.id,
    // Labels may contain texts of the service and file names.
    label: oneLine(label),
    description: oneLine(description),
    iconPath: iconOf(icon),
    tooltip: tooltipOf(content),
    accessibilityInformation: { label: oneLine(spokenLabel ?? rowText(content)) },
    collapsibleState: collapsibleState(content),
    ...(kind !== undefined && { contextValue: kind }),
    ...(command !== undefined && { command }),
  };
}

function collapsibleState({ children }: RowContent): TreeItemCollapsibleState {
  if (children === undefined) return TreeItemCollapsibleState.None;
  return TreeItemCollapsibleState[children === "expanded" ? "Expanded" : "Collapsed"];
}

/** Returns what a click runs: a command with those of the row's options that it declares, or VS Code's for a file. */
function clickOf(
  { commandOptions = {}, opens }: TreeNode,
  { click, label }: RowContent,
): Command | undefined {
  if (opens !== undefined) {
    const { uri, selection } = opens;
    return { command: "vscode.open", title: l10n.t("Open"), arguments: [uri, { selection }] };
  }
  if (click === undefined) return undefined;
  const known = Object.entries(commandOptions).filter(([name]) => Object.hasOwn(click.options, name));
  return { command: click.id, title: label, arguments: [Object.fromEntries(known)] };
}

function tooltipOf(content: RowContent): string | MarkdownString {
  const { tooltip = [rowText(content)], tooltipTable = [] } = content;
  const [first = "", ...others] = tooltip;
  if (others.length === 0 && tooltipTable.length === 0) return oneLine(first);
  const cells = tooltipTable.map((row) => `| ${row.map(escapeMarkdown).join(" | ")} |`);
  const table = cells.length === 0 ? [] : [["| | |", "|---|--:|", ...cells].join("\n")];
  return new MarkdownString(
    [`**${escapeMarkdown(first)}**`, ...table, ...others.map(escapeMarkdown)].join("\n\n"),
  );
}

const STATUS_ICONS = {
  passed: ["pass", "testing.iconPassed"],
  warning: ["warning", "list.warningForeground"],
  error: ["error", "list.errorForeground"],
  inactive: ["plug", "disabledForeground"],
} as const;

function iconOf(icon: RowIcon): NonNullable<TreeItem["iconPath"]> {
  if (typeof icon === "string") return new ThemeIcon(icon);
  if ("status" in icon) {
    const [name, colour] = STATUS_ICONS[icon.status];
    return new ThemeIcon(name, new ThemeColor(colour));
  }
  return { light: svgUri(icon.light), dark: svgUri(icon.dark) };
}

function svgUri(svg: string): Uri {
  return Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`);
}
