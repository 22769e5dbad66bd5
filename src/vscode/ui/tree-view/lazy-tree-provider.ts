/**
 * A tree data provider that loads children on expansion, in pages and with a timeout; a failure becomes a row that retries
 * when it is clicked.
 */
import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeItem,
  type Event,
  type TreeDataProvider,
  type TreeView,
  window,
} from "vscode";
import { loadAgainCommand, loadMoreCommand } from "../../../commands/declarations/window-commands.ts";
import type { OptionsOf } from "../../../commands/define-command.ts";
import type { App, CommandWork } from "../../app.ts";
import { oneLine } from "../../../messages/escape-text.ts";
import { errorKindMessage, toFailure } from "../../../messages/error-messages.ts";
import { commandLink } from "../../commands/command-links.ts";
import { CommandError } from "../../../commands/command-types.ts";
import { raceWithAbort } from "../../abort-signals.ts";
import { l10n } from "../../../util/l10n.ts";

/** The properties of a tree item; VS Code does not need an instance of its class. */
export type ItemProperties = Pick<TreeItem, keyof TreeItem>;

/** One tree item. `commandOptions` are the options for its context menu commands. */
export interface TreeNode {
  /** Stable across refreshes, so that expansion and selection are preserved. */
  readonly id: string;
  /** Creates the item; called on every refresh, so it must be cheap. */
  readonly item: () => ItemProperties;
  /** Loads the children; may send requests. */
  readonly children?: () => TreeRows | Promise<TreeRows>;
  readonly commandOptions?: object;
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

const STATUS_ICONS = {
  passed: ["pass", "testing.iconPassed"],
  warning: ["warning", "list.warningForeground"],
  error: ["error", "list.errorForeground"],
} as const;

/** Returns the coloured icon of a row. */
export function statusIcon(status: keyof typeof STATUS_ICONS): ThemeIcon {
  const [icon, colour] = STATUS_ICONS[status];
  return new ThemeIcon(icon, new ThemeColor(colour));
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

  getTreeItem(node: TreeNode): ItemProperties {
    const item = node.item();
    item.id = node.id;
    // Labels may contain texts of the service and file names.
    if (typeof item.label === "string") item.label = oneLine(item.label);
    if (typeof item.description === "string") item.description = oneLine(item.description);
    if (typeof item.tooltip === "string") item.tooltip = oneLine(item.tooltip);
    return item;
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
    const label = l10n.t("Show more ({0} left)", total - shown);
    const more = { label, iconPath: new ThemeIcon("ellipsis") };
    return [...first(shown), actionRow(`${node.id}/more`, loadMoreCommand, showMore, more)];
  }

  #errorRow(node: TreeNode, error: unknown): TreeNode {
    const { message } = toFailure(error);
    const retry = (): void => {
      this.#failed.delete(node.id);
      this.#changed.fire();
    };
    return actionRow(`${node.id}/error`, loadAgainCommand, retry, {
      label: message,
      iconPath: statusIcon("error"),
      contextValue: "error",
      tooltip: message,
    });
  }
}

/** Creates a row that calls `act` when it is clicked. */
function actionRow(
  id: string,
  command: typeof loadAgainCommand,
  act: () => void,
  item: ItemProperties,
): TreeNode {
  const options: OptionsOf<typeof command> = { act };
  return {
    id,
    commandOptions: options,
    item: () => ({ ...item, command: commandLink(command, options) }),
  };
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
