/**
 * The arguments that VS Code passes to commands. What its menus, views and editors pass is recognised by its shape and
 * converted to options, of which a command gets those that it declares; anything else has to be an options object.
 */
import type { CommandDeclaration } from "../../commands/define-command.ts";
import type { UriOption } from "../../commands/option-schemas.ts";

/** A row of a view (`TreeNode`): the options for the commands in its menu, if it has any. */
interface TreeRow {
  readonly content: () => unknown;
  readonly commandOptions?: object;
}

/** What a call gives. */
export type CallArguments =
  | { readonly kind: "options"; readonly options: unknown }
  /** The row that the command was called from is being loaded again. */
  | { readonly kind: "missing-row" };

/**
 * Returns the options of a call:
 *
 * - the explorer passes the clicked file and all selected ones, an editor's title and context menu its file;
 * - a view passes its row, for its buttons the focused one, which they do not apply to. It passes nothing for a row that
 *   it is loading again, but always a second argument, the selection;
 * - a webview's context menu passes an object with the id of the webview;
 * - everything else (key bindings, links, code lenses, tasks, extensions) passes an options object, or nothing.
 */
export function readArguments(
  { options, inRowMenus }: CommandDeclaration,
  args: readonly unknown[],
): CallArguments {
  const pick = (given: object): CallArguments => {
    const known = Object.entries(given).filter(([name]) => Object.hasOwn(options, name));
    return { kind: "options", options: Object.fromEntries(known) };
  };
  const [first, second] = args;
  if (first === undefined || first === null) {
    return args.length > 1 && inRowMenus ? { kind: "missing-row" } : pick({});
  }
  if (isUri(first)) {
    const isSelection = Array.isArray(second) && second.length > 0 && second.every(isUri);
    return pick({ folder: first, files: isSelection ? second : [first] });
  }
  if (isRow(first)) return pick(inRowMenus ? (first.commandOptions ?? {}) : {});
  if (isWebviewContext(first)) return pick(first);
  return { kind: "options", options: first };
}

/** Whether it is a `Uri` of VS Code, and not its JSON form in an option. */
function isUri(value: unknown): value is UriOption {
  if (typeof value !== "object" || value === null || !("scheme" in value) || !("with" in value)) return false;
  return typeof value.scheme === "string" && typeof value.with === "function";
}

function isRow(value: unknown): value is TreeRow {
  return (
    typeof value === "object" && value !== null && "content" in value && typeof value.content === "function"
  );
}

function isWebviewContext(value: unknown): value is object {
  return typeof value === "object" && value !== null && "webview" in value;
}
