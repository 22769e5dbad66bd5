/** The text of a cell: its parts by plural category, pasted text, and excerpts of a replacement. */
import { neededCategories } from "../../model/plural-categories.ts";
import { isEmptyText, isForms, type Text } from "../../model/translation-text.ts";
import type { Cell } from "../../webview/translation-editor/editor-protocol.ts";

/** Returns the value, or the forms of the language's categories and others that are not empty. */
export function toParts(text: Text | null, locale: string, isPlural: boolean): Cell["parts"] {
  const known = text !== null && isEmptyText(text) ? null : text;
  if (known !== null && !isForms(known)) return [{ category: null, text: known.value }];
  if (known === null && !isPlural) return [{ category: null, text: "" }];
  const forms = known?.forms ?? {};
  const filled = Object.keys(forms).filter((category) => forms[category] !== "");
  const categories = new Set([...neededCategories(locale), ...filled]);
  return [...categories].map((category) => ({ category, text: forms[category] ?? "" }));
}

/**
 * Parses the text of a spreadsheet cell; `null` if it does not have one line per form.
 * @param current the text that it replaces
 */
export function parseClipboardText(
  copied: string,
  current: Text | null,
  locale: string,
  isPlural: boolean,
): Text | null {
  if (!isPlural) return { value: copied };
  if (copied === "") return { forms: {} };
  const parts = toParts(current !== null && isForms(current) ? current : null, locale, true);
  const lines = copied.split(/\r?\n/u);
  if (lines.length !== parts.length) return null;
  return { forms: Object.fromEntries(parts.map(({ category }, index) => [category, lines[index] ?? ""])) };
}

/** Code points. */
const MAX_EXCERPT_LENGTH = 200;
/** Code points shown before the first difference. */
const CONTEXT_LENGTH = 40;

/** Returns the texts before and after a replacement, from shortly before the first difference on. */
export function matchExcerpt(
  before: string,
  after: string,
): { readonly before: string; readonly after: string } {
  const [from, to] = [Array.from(before), Array.from(after)];
  const first = from.findIndex((character, index) => character !== to[index]);
  // Without a difference the text was only extended.
  const start = Math.max(0, (first === -1 ? from.length : first) - CONTEXT_LENGTH);
  const end = start + MAX_EXCERPT_LENGTH;
  const excerpt = (text: readonly string[]): string =>
    `${start > 0 ? "…" : ""}${text.slice(start, end).join("")}${text.length > end ? "…" : ""}`;
  return { before: excerpt(from), after: excerpt(to) };
}
