/** Rows of views that show what is at the service. */
import { ThemeIcon, TreeItemCollapsibleState } from "vscode";
import type { OpenProject } from "../../projects/open-project.ts";
import type { TreeNode } from "./lazy-tree-provider.ts";

/** Returns the rows of the signed-in projects, grouped by project if the window has several. */
export function signedInRows(
  all: readonly OpenProject[],
  rowsOf: (open: OpenProject) => readonly TreeNode[],
): readonly TreeNode[] {
  const signedIn = all.filter(({ session }) => session.kind === "signed-in");
  if (all.length === 1) return signedIn.flatMap(rowsOf);
  return signedIn.flatMap((open) => {
    const rows = rowsOf(open);
    return rows.length === 0 ? [] : [projectRow(open, rows)];
  });
}

function projectRow(open: OpenProject, rows: readonly TreeNode[]): TreeNode {
  return {
    id: open.id,
    commandOptions: { folder: open.root },
    item: () => ({
      label: open.label,
      iconPath: new ThemeIcon("globe"),
      collapsibleState: TreeItemCollapsibleState.Expanded,
    }),
    children: () => rows,
  };
}
