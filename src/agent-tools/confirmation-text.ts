/** What a person reads before they agree to a call. */
import { formatNumber } from "../messages/counts-and-times.ts";
import { escapeMarkdown } from "../messages/escape-text.ts";
import { l10n } from "../util/l10n.ts";
import type { Confirmation } from "./tool.ts";

/** Lines that are shown. */
const MAX_LINES = 10;

function shownLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [l10n.t("and {0} more", formatNumber(more))] : [])];
}

/** Returns the note with the first lines and the number of others, as Markdown that shows texts as they are. */
export function confirmationMarkdown({ note, lines }: Pick<Confirmation, "note" | "lines">): string {
  return [escapeMarkdown(note), "", ...shownLines(lines).map((line) => `- ${escapeMarkdown(line)}`)].join(
    "\n",
  );
}

/** Returns the title, the note and the first lines as plain text. */
export function confirmationText({ title, note, lines }: Confirmation): string {
  return [title, note, ...shownLines(lines).map((line) => `- ${line}`)].join("\n");
}
