/** What a preview lists: rows below headings, and which of them are checked. */
import type { KeyName } from "../model/key-hash.ts";
import type { Text } from "../model/translation-text.ts";
import { labelText } from "./escape-text.ts";
import { projectKeyLabel, textLabel, type KeySpelling } from "./labels.ts";

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

/** The row of one text; nothing in it is escaped. */
interface TextRow<Change> extends Pick<PreviewRow<Change>, "icon" | "isChecked" | "canKeep"> {
  readonly name: KeyName;
  /** Follow the name: the language, the file, a short text. */
  readonly notes?: readonly string[];
  /** The text, or what changes of it, below the name. */
  readonly detail?: string;
}

/** Returns the row of a change of one text. */
export function textRow<Change>(
  project: KeySpelling,
  change: Change,
  { name, notes = [], detail, ...row }: TextRow<Change>,
): PreviewRow<Change> {
  return {
    ...row,
    label: labelText(projectKeyLabel(project, name)),
    description: notes.map(labelText).join(" · "),
    ...(detail !== undefined && { detail: labelText(detail) }),
    changes: [change],
  };
}

/** Returns the text that replaces another one, after it; only the text if there is no other. */
export function replacedText(before: Text | null, after: Text | null): string {
  return before === null ? textLabel(after) : `${textLabel(before)} → ${textLabel(after)}`;
}
