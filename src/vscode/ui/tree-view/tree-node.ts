/** The rows of views, as a tree. */
import type { Range, Uri } from "vscode";
import type { RowContent } from "./row-content.ts";

/** One row. */
export interface TreeNode {
  /** Stable across refreshes, so that expansion and selection are preserved. */
  readonly id: string;
  /** Decides what is shown; called on every refresh, so it must be cheap. */
  readonly content: () => RowContent;
  /** Loads the children; may send requests. */
  readonly children?: () => TreeRows | Promise<TreeRows>;
  /** The options of the commands in its menu, and of the one that a click runs. */
  readonly commandOptions?: object;
  /** What a click opens in an editor, instead of running a command. */
  readonly opens?: { readonly uri: Uri; readonly selection?: Range };
}

/** A large list of which only the first `count` rows are created. */
interface PagedRows {
  readonly total: number;
  readonly first: (count: number) => readonly TreeNode[];
}

/** The children of a node. */
export type TreeRows = readonly TreeNode[] | PagedRows;

/** Returns rows for a large list; a row is created only when it is shown. */
export function pagedRows<Item>(
  items: readonly Item[],
  row: (item: Item, index: number) => TreeNode,
): PagedRows {
  return { total: items.length, first: (count) => items.slice(0, count).map(row) };
}
