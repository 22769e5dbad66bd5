/**
 * A tree data provider that loads children on expansion, in pages and with a timeout; a failure becomes a row that retries
 * when it is clicked.
 */
import {
  EventEmitter,
  type TreeItem,
  type Event,
  type TreeDataProvider,
  type TreeView,
  window,
} from "vscode";
import { loadAgainCommand, rowAction } from "../../../commands/declarations/window-commands.ts";
import type { OptionsOf } from "../../../commands/define-command.ts";
import type { App, CommandWork } from "../../app.ts";
import { errorKindMessage, toFailure } from "../../../messages/error-messages.ts";
import { CommandError } from "../../../commands/command-types.ts";
import { raceWithAbort } from "../../abort-signals.ts";
import { l10n } from "../../../util/l10n.ts";
import type { RowContent } from "./row-content.ts";
import { treeItem } from "./tree-item.ts";
import { pagedRows, type TreeNode, type TreeRows } from "./tree-node.ts";
import { defineCommand } from "../../../commands/define-command.ts";

export const loadMoreCommand = defineCommand({
  id: "loadMore",
  title: "Show More",
  needs: "window",
  audience: "row",
  description: "Shows more rows.",
  options: rowAction,
});

const PAGE_SIZE = 100;
/** Loading children fails after this time. */
const TIMEOUT_MS = 30_000;

/** Registers the commands of "Try Again" and "Show More" rows, for all trees. */
export function registerTreeCommands(app: App): void {
  const act: CommandWork<typeof loadAgainCommand> = async (_app, options) => {
    options.act();
    return { outcome: "done" };
  };
  app.command(loadAgainCommand, act);
  app.command(loadMoreCommand, act);
}

/**
 * Registers a view and its tree. Failed nodes are loaded again after the next successful refresh of a project.
 *
 * @param titleOf returns the title, which VS Code shows in its own language otherwise
 * @param roots returns the top-level nodes
 */
export function createTreeView(
  app: App,
  id: string,
  titleOf: () => string,
  roots: () => readonly TreeNode[],
): { readonly tree: LazyTreeProvider; readonly view: TreeView<TreeNode> } {
  const tree = new LazyTreeProvider(roots);
  const view = window.createTreeView(id, { treeDataProvider: tree, showCollapseAll: true });
  view.title = titleOf();
  app.addDisposable(
    tree,
    view,
    app.store.subscribe(["settings"], () => {
      const title = titleOf();
      if (view.title === title) return;
      view.title = title;
      tree.redraw();
    }),
    app.projects.subscribe(["freshness"], ({ freshness }) => {
      if (freshness.kind === "fresh") tree.retryFailed();
    }),
  );
  return { tree, view };
}

class LazyTreeProvider implements TreeDataProvider<TreeNode> {
  readonly #roots: () => readonly TreeNode[];
  readonly #changed = new EventEmitter<void>();
  readonly #pages = new Map<string, number>();
  readonly #failed = new Map<string, unknown>();

  readonly onDidChangeTreeData: Event<void> = this.#changed.event;

  constructor(roots: () => readonly TreeNode[]) {
    this.#roots = roots;
  }

  /** Shows the tree again. Failed nodes are loaded again only after `retryFailed` or a click on their row. */
  redraw(): void {
    this.#changed.fire();
  }

  /** Loads failed nodes again. */
  retryFailed(): void {
    if (this.#failed.size === 0) return;
    this.#failed.clear();
    this.redraw();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  getTreeItem(node: TreeNode): TreeItem {
    return treeItem(node);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node === undefined) return [...this.#roots()];
    if (node.children === undefined) return [];
    // Loading it again here would loop, since a failure refreshes the tree.
    if (this.#failed.has(node.id)) return [this.#errorRow(node, this.#failed.get(node.id))];
    try {
      return this.#paged(node, await withTimeout(node.children()));
    } catch (error) {
      this.#failed.set(node.id, error);
      return [this.#errorRow(node, error)];
    }
  }

  #paged(node: TreeNode, rows: TreeRows): TreeNode[] {
    const pages = this.#pages.get(node.id) ?? 1;
    const shown = pages * PAGE_SIZE;
    const { total, first } = "total" in rows ? rows : pagedRows(rows, (row) => row);
    if (total <= shown) return [...first(shown)];
    const showMore = (): void => {
      this.#pages.set(node.id, pages + 1);
      this.#changed.fire();
    };
    return [
      ...first(shown),
      actionRow(`${node.id}/more`, showMore, {
        label: l10n.t("Show more ({0} left)", total - shown),
        icon: "ellipsis",
        click: loadMoreCommand,
      }),
    ];
  }

  #errorRow(node: TreeNode, error: unknown): TreeNode {
    const retry = (): void => {
      this.#failed.delete(node.id);
      this.#changed.fire();
    };
    return actionRow(`${node.id}/error`, retry, {
      label: toFailure(error).message,
      icon: { status: "error" },
      kind: "error",
      click: loadAgainCommand,
    });
  }
}

/** Creates a row that calls `act` when it is clicked. */
function actionRow(id: string, act: () => void, content: RowContent): TreeNode {
  const commandOptions: OptionsOf<typeof loadAgainCommand> = { act };
  return { id, commandOptions, content: () => content };
}

/** @throws {CommandError} `timeout` */
async function withTimeout<Value>(work: Value | Promise<Value>): Promise<Value> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await raceWithAbort(Promise.resolve(work), signal);
  } catch (error) {
    throw signal.aborted ? new CommandError("timeout", errorKindMessage("timeout")) : error;
  }
}
