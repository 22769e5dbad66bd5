/** The view "Usage" with the last usage report; visible once there is a report. */
import * as vscode from "vscode";
import type { SkipReason } from "../../database/key-usage-repository.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type {
  BuiltKey,
  ProbablyUnusedKey,
  UndeterminableKey,
  UsageReport,
} from "../../workspace/usages/find-unused-keys.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import {
  createTreeView,
  pagedRows,
  type TreeNode,
  type TreeRows,
} from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { keyRow } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { l10n } from "../../util/l10n.ts";
import { type OpenCall, openCallRow, placeText } from "./open-calls.ts";
import { withoutRemovedKeys } from "./report-decisions.ts";
import { escapeMarkdown, oneLine } from "../../messages/escape-text.ts";
import { type KeySpelling, projectKeyLabel } from "../../messages/labels.ts";

/** A report and its project. */
export interface ShownReport {
  readonly open: OpenProject;
  readonly report: UsageReport;
  /** The calls that hold keys open. */
  readonly calls: readonly OpenCall[];
}

export class ReportView {
  readonly #treeView: ReturnType<typeof createTreeView>;
  shown: ShownReport | null = null;

  constructor(app: App) {
    this.#treeView = createTreeView(
      app,
      "projectTranslations.usage",
      () => l10n.t("Usage"),
      () => (this.shown === null ? [] : groupRows(app, this.shown)),
    );
  }

  show(shown: ShownReport): void {
    this.shown = shown;
    this.#treeView.view.message = l10n.t("{0} are used.", formatCount.keys(shown.report.used.length));
    this.#treeView.tree.redraw();
  }

  /** Removes keys that were archived or removed. */
  dropRemovedKeys(): void {
    if (this.shown === null) return;
    const { open, report, calls } = this.shown;
    this.show({ open, report: withoutRemovedKeys(report, open.keys), calls });
  }
}

function groupRows(app: App, { open, report, calls }: ShownReport): readonly TreeNode[] {
  const { used, built, unused, probablyUnused, undeterminable, skippedFiles } = report;
  const usages = app.usages.of(open);
  const row = (key: ProjectKey, description: string | null = null): TreeNode =>
    keyRow(open, key, open.sourceLocale ?? "", description ?? key.text, `usage/${key.hash}`);
  const usedRow = (key: ProjectKey): TreeNode => {
    const list = built.get(key.hash);
    if (list !== undefined) return row(key, builtText(list));
    const count = usages.countUsages(key.hash);
    return row(
      key,
      count === 0 ? l10n.t("used by the framework, a text or “usage.keep”") : formatCount.usages(count),
    );
  };
  const callsLabel = l10n.t("Unresolved calls ({0})", calls.length);
  const callRows = () => pagedRows(calls, (call) => openCallRow(open, call));
  const skippedLabel = l10n.t("Files that were not searched ({0})", skippedFiles.length);
  const skippedRows = () =>
    pagedRows(skippedFiles, ({ path, reason }) => fileRow(open, path, skipReasonText(reason)));
  return [
    // First, since each decision about a call decides about many keys.
    ...(calls.length > 0 ? [groupRow("open", callsLabel, "code", callRows, undefined, true)] : []),
    groupRow(
      "unused",
      l10n.t("Unused ({0})", unused.length),
      "circle-slash",
      () => pagedRows(unused, (key) => row(key)),
      { folder: open.root, filter: "unused" },
    ),
    groupRow(
      "probablyUnused",
      l10n.t("Probably unused ({0})", probablyUnused.length),
      "circle-large-outline",
      () => pagedRows(probablyUnused, (each) => row(each.key, probablyUnusedReason(each))),
    ),
    groupRow("undeterminable", l10n.t("May be used ({0})", undeterminable.length), "question", () =>
      pagedRows(undeterminable, (each) => row(each.key, undeterminableReason(each))),
    ),
    groupRow("used", l10n.t("Used ({0})", used.length), "check", () => pagedRows(used, usedRow)),
    ...(skippedFiles.length > 0 ? [groupRow("left-out", skippedLabel, "file", skippedRows)] : []),
  ];
}

/** Creates the row of a file; clicking it opens the file. */
function fileRow(open: OpenProject, path: string, description: string): TreeNode {
  const uri = vscode.Uri.joinPath(open.root, path);
  return {
    id: `usage/file/${path}`,
    item: () => ({
      label: path,
      description,
      iconPath: new vscode.ThemeIcon("file-code"),
      command: { command: "vscode.open", title: l10n.t("Open"), arguments: [uri] },
    }),
  };
}

function groupRow(
  id: string,
  label: string,
  icon: string,
  children: () => TreeRows,
  commandOptions?: object,
  isExpanded = false,
): TreeNode {
  return {
    id,
    children,
    ...(commandOptions && { commandOptions }),
    item: () => ({
      label,
      iconPath: new vscode.ThemeIcon(icon),
      collapsibleState: vscode.TreeItemCollapsibleState[isExpanded ? "Expanded" : "Collapsed"],
      ...(commandOptions && { contextValue: "group" }),
    }),
  };
}

/** Returns the report; empty sections are omitted. */
export function reportMarkdown(
  open: KeySpelling & Pick<OpenProject, "label">,
  report: UsageReport,
  calls: readonly OpenCall[],
): string {
  const nameOf = (key: KeyName): string => code(projectKeyLabel(open, key));
  const { used, unused, probablyUnused, undeterminable, skippedFiles } = report;
  const parts = [
    `# ${l10n.t("Usage of keys: {0}", escapeMarkdown(open.label))}`,
    l10n.t(
      "{0} used, {1} unused, {2} probably unused, {3} that may be used.",
      formatCount.keys(used.length),
      formatNumber(unused.length),
      formatNumber(probablyUnused.length),
      formatNumber(undeterminable.length),
    ),
  ];
  const list = (heading: string, lines: readonly string[]): void => {
    if (lines.length > 0) parts.push(`## ${heading}`, lines.map((line) => `- ${line}`).join("\n"));
  };
  list(
    l10n.t("Unresolved calls"),
    calls.map(({ text, places, count }) => {
      const where = places.map((place) => code(placeText(place))).join(", ");
      return `${code(text)} (${where}): ${l10n.t("may mean {0}", formatCount.keys(count))}`;
    }),
  );
  list(
    l10n.t("Unused"),
    unused.map((key) => nameOf(key)),
  );
  list(
    l10n.t("Probably unused"),
    probablyUnused.map((each) => `${nameOf(each.key)}: ${probablyUnusedReason(each, code)}`),
  );
  list(
    l10n.t("May be used"),
    undeterminable.map((each) => `${nameOf(each.key)}: ${undeterminableReason(each, code)}`),
  );
  list(
    l10n.t("Files that were not searched"),
    skippedFiles.map(({ path, reason }) => `${code(path)} (${skipReasonText(reason)})`),
  );
  return `${parts.join("\n\n")}\n`;
}

/** Returns why a file was not searched. */
function skipReasonText(reason: SkipReason): string {
  switch (reason) {
    case "minified":
      return l10n.t("minified");
    case "too-large":
      return l10n.t("too large");
    case "not-text":
      return l10n.t("not a text file");
    case "unreadable":
      return l10n.t("cannot be read");
    case "outside":
      return l10n.t("a link out of the project");
  }
}

/** Formats as inline code with a delimiter that does not occur in the text. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const pad = longest > 0 ? " " : "";
  const fence = "`".repeat(longest + 1);
  return `${fence}${pad}${oneLine(text)}${pad}${fence}`;
}

/** Returns why it cannot be determined whether the key is used. `format`: of the path or the pattern. */
function undeterminableReason(
  { pattern, path }: UndeterminableKey,
  format = (text: string): string => text,
): string {
  if (pattern === null) return l10n.t("named in {0}", format(path ?? ""));
  return path === null
    ? l10n.t("may be used by {0}", format(pattern))
    : l10n.t("may be used by {0}, with a word in {1}", format(pattern), format(path));
}

/** Returns why the key is probably unused. `format`: of the pattern. */
function probablyUnusedReason(
  { pattern }: ProbablyUnusedKey,
  format = (text: string): string => text,
): string {
  return l10n.t("only {0} could use it, and no file has the rest of its name", format(pattern));
}

function builtText({ pattern, path }: BuiltKey): string {
  return l10n.t("built by {0} with a word in {1}", pattern, path);
}
