/**
 * A tree view whose rows are read when somebody opens them: page by page, never loading without an end, and with a row
 * that says what went wrong and tries again. What the rows are is each view's own.
 */
import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  type Event,
  type TreeDataProvider,
} from "vscode";
import type { App } from "../app.ts";
import { oneLine } from "../markdown.ts";
import { failureOf } from "./error-messages.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../command-result.ts";
import { l10n } from "../l10n.ts";

/** One row. `commandOptions` are what menu commands on it are called with. */
export interface TreeNode {
  /** The same row has the same id, so that it stays open and selected when the tree is drawn anew. */
  readonly id: string;
  /** Drawn each time; cheap. */
  readonly item: () => TreeItem;
  /** What it opens into; may ask the service. */
  readonly children?: () => TreeRows | Promise<TreeRows>;
  readonly commandOptions?: object;
}

/** Few rows, or many of which only those that are shown are made. */
export type TreeRows =
  | readonly TreeNode[]
  | { readonly total: number; readonly first: (count: number) => readonly TreeNode[] };

/** Rows for many things, made as far as they are shown. */
export function pagedRows<Thing>(
  things: readonly Thing[],
  row: (thing: Thing, index: number) => TreeNode,
): TreeRows {
  return { total: things.length, first: (count) => things.slice(0, count).map(row) };
}

/** Rows at a time. */
const PAGE = 100;
/** A row that has not opened by then says so. Milliseconds. */
const TIMEOUT_MS = 30_000;
/** Changes that come together draw once. Milliseconds. */
const DEBOUNCE_MS = 60;

/** What the inner commands of a row are given. */
interface Action {
  readonly act: () => void;
}

/** Registers the commands behind "Try Again" and "Show More" rows, for all trees. */
export function registerTreeCommands(app: App): void {
  const act = async (options: CommonOptions & Partial<Action>): Promise<CommandResult> => {
    options.act?.();
    return { outcome: "done" };
  };
  app.command("projectTranslations.loadAgain", l10n.t("Try Again"), act);
  app.command("projectTranslations.loadMore", l10n.t("Show More"), act);
}

export class LazyTree implements TreeDataProvider<TreeNode> {
  readonly #roots: () => readonly TreeNode[];
  readonly #changed = new EventEmitter<void>();
  readonly #pages = new Map<string, number>();
  readonly #failed = new Map<string, unknown>();
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData: Event<void> = this.#changed.event;

  constructor(roots: () => readonly TreeNode[]) {
    this.#roots = roots;
  }

  /** Draws the tree anew, once for many calls. What failed to load waits for `forgetFailures` or its own row. */
  redraw(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, DEBOUNCE_MS);
  }

  /** Rows that could not be loaded are tried again with the next drawing. */
  forgetFailures(): void {
    this.#failed.clear();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  getTreeItem(node: TreeNode): TreeItem {
    const item = node.item();
    item.id = node.id;
    // Whoever made the row: words of the service and names of files stand in it as they are told, and harm nobody.
    if (typeof item.label === "string") item.label = oneLine(item.label);
    if (typeof item.description === "string") item.description = oneLine(item.description);
    if (typeof item.tooltip === "string") item.tooltip = oneLine(item.tooltip);
    return item;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node === undefined) return [...this.#roots()];
    if (node.children === undefined) return [];
    // Not loaded again by itself: the failure redraws the tree, which would load again without an end.
    if (this.#failed.has(node.id)) return [this.#errorRow(node, this.#failed.get(node.id))];
    try {
      return this.#paged(node, await inTime(node.children()));
    } catch (error) {
      this.#failed.set(node.id, error);
      return [this.#errorRow(node, error)];
    }
  }

  #paged(node: TreeNode, rows: TreeRows): TreeNode[] {
    const shown = (this.#pages.get(node.id) ?? 1) * PAGE;
    const total = "total" in rows ? rows.total : rows.length;
    const page = "total" in rows ? rows.first(shown) : rows.slice(0, shown);
    if (total <= shown) return [...page];
    const act = (): void => {
      this.#pages.set(node.id, shown / PAGE + 1);
      this.#changed.fire();
    };
    return [...page, moreRow(`${node.id}/more`, total - shown, act)];
  }

  #errorRow(node: TreeNode, error: unknown): TreeNode {
    const { message } = failureOf(error);
    const act = (): void => {
      this.#failed.delete(node.id);
      this.#changed.fire();
    };
    const options: Action = { act };
    return {
      id: `${node.id}/error`,
      commandOptions: options,
      item: () => {
        const item = new TreeItem(message);
        item.iconPath = new ThemeIcon("error", new ThemeColor("list.errorForeground"));
        item.contextValue = "error";
        item.tooltip = message;
        item.command = {
          command: "projectTranslations.loadAgain",
          title: l10n.t("Try Again"),
          arguments: [options],
        };
        return item;
      },
    };
  }
}

function moreRow(id: string, left: number, act: () => void): TreeNode {
  const options: Action = { act };
  return {
    id,
    commandOptions: options,
    item: () => {
      const item = new TreeItem(l10n.t("Show more ({0} left)", left), TreeItemCollapsibleState.None);
      item.iconPath = new ThemeIcon("ellipsis");
      item.command = {
        command: "projectTranslations.loadMore",
        title: l10n.t("Show More"),
        arguments: [options],
      };
      return item;
    },
  };
}

async function inTime<Value>(work: Value | Promise<Value>): Promise<Value> {
  if (!(work instanceof Promise)) return work;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new CommandError("timeout", l10n.t("The service did not answer in time. Try again."))),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
