/** Rows of views, by project. */
import type { OpenProject } from "../../projects/open-project.ts";
import type { TreeNode } from "./tree-node.ts";

/** Returns the rows of the signed-in projects, grouped by project if the window has several. */
export function signedInRows(
  all: readonly OpenProject[],
  rowsOf: (open: OpenProject) => readonly TreeNode[],
): readonly TreeNode[] {
  const signedIn = all.filter(({ source }) => source.isConnected);
  return rowsByProject(signedIn, all.length === 1, rowsOf);
}

/** Returns the rows of the projects whose keys are known, of the service or of local files, grouped likewise. */
export function knownRows(
  all: readonly OpenProject[],
  rowsOf: (open: OpenProject) => readonly TreeNode[],
): readonly TreeNode[] {
  const known = all.filter(({ source }) => source.isKnown);
  return rowsByProject(known, all.length === 1, rowsOf);
}

function rowsByProject(
  projects: readonly OpenProject[],
  isOnly: boolean,
  rowsOf: (open: OpenProject) => readonly TreeNode[],
): readonly TreeNode[] {
  if (isOnly) return projects.flatMap(rowsOf);
  return projects.flatMap((open) => {
    const rows = rowsOf(open);
    return rows.length === 0 ? [] : [projectRow(open, rows)];
  });
}

function projectRow(open: OpenProject, rows: readonly TreeNode[]): TreeNode {
  return {
    id: open.id,
    commandOptions: { folder: open.root },
    content: () => ({ label: open.label, icon: "globe", children: "expanded" }),
    children: () => rows,
  };
}
