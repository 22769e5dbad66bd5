/** The text of a cell in parts: its value or its plural forms, as they are edited and replaced. */
import { codePointCount, isForms, plainText, type Text } from "../../model/translation-text.ts";
import type { Cell } from "./editor-protocol.ts";

/** The text of a cell: the value, or the forms by category. */
export type Parts = Cell["parts"];

/** Returns the parts of a cell with the complete text of its details. */
export function completeParts(cell: Cell, text: Text | null): Parts {
  if (!cell.isTruncated || text === null) return cell.parts;
  return cell.parts.map(({ category, text: truncated }) => ({
    category,
    text: "value" in text ? text.value : ((category === null ? truncated : text.forms[category]) ?? ""),
  }));
}

/** Returns the text of the parts, without empty forms. */
export function textOf(parts: Parts): Text {
  const [first] = parts;
  if (first?.category === null) return { value: first.text };
  const filled = parts.filter(({ text }) => text !== "");
  return { forms: Object.fromEntries(filled.map(({ category, text }) => [category ?? "", text])) };
}

/** Returns the parts with this text in the first one. */
export function withFirstText(parts: Parts, text: string): Parts {
  const [first, ...others] = parts;
  return first === undefined ? parts : [{ ...first, text }, ...others];
}

/** Returns the parts with another text: a part for which it has none stays. */
export function withText(parts: Parts, text: Text): Parts {
  return parts.map((part) => ({ ...part, text: formOf(text, part.category) || part.text }));
}

/** Returns the parts with the source text: its own form of each category, or else its last one. */
export function withSource(parts: Parts, source: Text): Parts {
  return parts.map((part) => ({
    ...part,
    text: (formOf(source, part.category) ?? plainText(source)) || part.text,
  }));
}

/** Returns the parts with a suggestion for one form. `form`: its category; a value has none. */
export function withSuggestion(parts: Parts, suggestion: string, form: string | null): Parts {
  return parts.map((part) =>
    part.category === null || part.category === form ? { ...part, text: suggestion } : part,
  );
}

/** Returns the form of a plural text, or the value of a singular one. */
function formOf(text: Text, category: string | null): string | undefined {
  return isForms(text) ? text.forms[category ?? ""] : text.value;
}

/** Returns how many characters each part can still have; negative if one has too many. */
export function charactersLeft(parts: Parts, maxLength: number): number {
  return maxLength - Math.max(...parts.map(({ text }) => codePointCount(text)));
}

/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns whether a placeholder may be displayed in reversed order: a text box cannot isolate parts of its text without
 * control characters, so the text is repeated below the box.
 */
export function mayReversePlaceholders(text: string, placeholders: readonly string[]): boolean {
  return RIGHT_TO_LEFT.test(text) && placeholders.some((each) => text.includes(each));
}
