/** Line breaks at the end of a translation, which are hardly ever seen, let alone meant. */
import type { PlaceholderIssue } from "./placeholder-checks.ts";
import { isForms, plainText, type Text } from "./translation-text.ts";

/** The rule of the issues, which only the extension reports. */
export const TRAILING_LINE_BREAK = "trailing-line-break";

/**
 * Returns the issues of the forms that end in a line break although the form of the source text does not. `form` is
 * empty for a singular text.
 */
export function checkTrailingLineBreaks(source: Text | null, translation: Text | null): PlaceholderIssue[] {
  if (source === null || translation === null) return [];
  const forms = isForms(translation) ? translation.forms : { "": translation.value };
  return Object.entries(forms).flatMap(([form, text]) => {
    const from = (isForms(source) ? source.forms[form] : undefined) ?? plainText(source);
    if (!endsInLineBreak(text) || endsInLineBreak(from)) return [];
    const suggestion = text.replace(/\s+$/u, "");
    return { rule: TRAILING_LINE_BREAK, level: "warning", placeholder: "", form, suggestion };
  });
}

function endsInLineBreak(text: string): boolean {
  return text.endsWith("\n") || text.endsWith("\r");
}
