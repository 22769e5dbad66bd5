/** Excerpts of long texts for the preview of a replacement. */

/** Code points. */
const MAX_LENGTH = 200;
/** Code points shown before the first difference. */
const CONTEXT_LENGTH = 40;

/** Returns the texts before and after a replacement, from shortly before the first difference on. */
export function matchExcerpt(
  before: string,
  after: string,
): { readonly before: string; readonly after: string } {
  const [from, to] = [Array.from(before), Array.from(after)];
  const first = from.findIndex((character, at) => character !== to[at]);
  // Without a difference the text was only extended.
  const start = Math.max(0, (first === -1 ? from.length : first) - CONTEXT_LENGTH);
  const shown = (text: readonly string[]): string => {
    const part = text.slice(start, start + MAX_LENGTH).join("");
    return `${start > 0 ? "…" : ""}${part}${text.length > start + MAX_LENGTH ? "…" : ""}`;
  };
  return { before: shown(from), after: shown(to) };
}
