/** The view "Usage" with the last usage report; visible once there is a report. */
import * as vscode from "vscode";
import type { SkippedFile } from "../../database/key-usage-repository.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { Text } from "../../model/translation-text.ts";
import type { UsageReport } from "../../workspace/usages/find-unused-keys.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { createTreeView } from "../../vscode/ui/tree-view/lazy-tree-provider.ts";
import { pagedRows, type TreeNode, type TreeRows } from "../../vscode/ui/tree-view/tree-node.ts";
import { keyRow } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { l10n } from "../../util/l10n.ts";
import type { OpenCall } from "./open-call-decisions.ts";
import { openCallRow } from "./open-calls.ts";
import {
  probablyUnusedReason,
  reportGroups,
  skippedFileContent,
  undeterminableReason,
  usedText,
  type ReportGroupName,
} from "./report-content.ts";
import { withoutRemovedKeys } from "./report-decisions.ts";

/** A report and its project. */
export interface ShownReport {
  readonly open: OpenProject;
  /** Whether the keys are those of a service. */
  readonly hasService: boolean;
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
    setContextKey("usageReport", true);
    this.#treeView.view.message = l10n.t("In use: {0}", formatCount.keys(shown.report.used.length));
    this.#treeView.tree.redraw();
  }

  /** Hides the report. */
  hide(): void {
    this.shown = null;
    this.#treeView.tree.redraw();
    setContextKey("usageReport", false);
  }

  /** Removes keys that were archived or removed. */
  dropRemovedKeys(): void {
    if (this.shown === null) return;
    const { open, report } = this.shown;
    this.show({ ...this.shown, report: withoutRemovedKeys(report, open.keys) });
  }
}

function groupRows(app: App, { open, report, calls }: ShownReport): readonly TreeNode[] {
  const { used, built, unused, probablyUnused, undeterminable, skippedFiles } = report;
  const usages = app.usages.of(open);
  const row = (key: ProjectKey, shown: Text | string | null): TreeNode =>
    keyRow(open, key, open.sourceLocale ?? "", shown, `usage/${key.hash}`);
  const rows: Readonly<Record<ReportGroupName, () => TreeRows>> = {
    calls: () => pagedRows(calls, (call) => openCallRow(open, call)),
    unused: () => pagedRows(unused, (key) => row(key, key.text)),
    probablyUnused: () => pagedRows(probablyUnused, (each) => row(each.key, probablyUnusedReason(each))),
    undeterminable: () => pagedRows(undeterminable, (each) => row(each.key, undeterminableReason(each))),
    used: () =>
      pagedRows(used, (key) => row(key, usedText(usages.countUsages(key.hash), built.get(key.hash)))),
    skippedFiles: () => pagedRows(skippedFiles, (file) => skippedFileRow(open, file)),
  };
  return reportGroups(report, calls.length).map(({ name, content }) => ({
    id: name,
    content: () => content,
    children: rows[name],
    ...(name === "unused" && { commandOptions: { folder: open.root, filter: "unused" } }),
  }));
}

/** Returns the row of a file; clicking it opens the file. */
function skippedFileRow({ root }: OpenProject, file: SkippedFile): TreeNode {
  return {
    id: `usage/file/${file.path}`,
    content: () => skippedFileContent(file),
    opens: { uri: vscode.Uri.joinPath(root, file.path) },
  };
}
