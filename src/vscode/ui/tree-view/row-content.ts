/** What a row of a view shows and offers. Knows nothing of VS Code. */
import type { CommandDeclaration } from "../../../commands/define-command.ts";
import type { RowKind } from "../../../commands/row-menus.ts";

/** The name of a codicon, a status, or an SVG for light and dark themes. */
export type RowIcon =
  | string
  | { readonly status: "passed" | "warning" | "error" | "inactive" }
  | { readonly light: string; readonly dark: string };

/** The content of a row. Nothing in it is escaped. */
export interface RowContent {
  readonly label: string;
  /** Follows the label. */
  readonly description?: string;
  readonly icon: RowIcon;
  /** What its menu offers (`ROW_MENUS`); without a kind: nothing. */
  readonly kind?: RowKind | undefined;
  /** Paragraphs, the first of several in bold; default: label and description. */
  readonly tooltip?: readonly string[];
  /** Labels and values below the first paragraph of the tooltip. */
  readonly tooltipTable?: readonly (readonly [label: string, value: string])[];
  /** What a screen reader says; default: label and description. */
  readonly spokenLabel?: string;
  /** The command that a click runs with the row's options. */
  readonly click?: CommandDeclaration | undefined;
  /** How the rows below it are at first; default: there are none. */
  readonly children?: "collapsed" | "expanded";
}

/** Returns label and description on a line. */
export function rowText({ label, description = "" }: RowContent): string {
  return description === "" ? label : `${label}, ${description}`;
}
