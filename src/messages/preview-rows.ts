/** What a preview lists: rows below headings, and which of them are checked. */

/** A row: changes that are made if its box is checked. Labels are already escaped. */
export interface PreviewRow<Change> {
  /** The name of a codicon. */
  readonly icon: string;
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  /** One change, or those of a group, which may have rows of their own, too. */
  readonly changes: readonly Change[];
  /** Whether it is checked at first. */
  readonly isChecked: boolean;
  /** Whether the difference is not settled yet and may be settled in favour of the files: "Keep Mine". */
  readonly canKeep?: boolean;
  /** Whether both sides can be shown; default: yes. */
  readonly hasDifference?: boolean;
}

/** Rows below a heading. */
export interface PreviewSection<Change> {
  readonly heading: string;
  readonly rows: readonly PreviewRow<Change>[];
}

/** What the user chose. */
export interface PreviewChoice<Change> {
  /** In the order of the rows, each once. */
  readonly checked: readonly Change[];
  /** Conflicts that were settled in favour of the files; none of them is checked. */
  readonly kept: readonly Change[];
}
