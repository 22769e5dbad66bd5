/** Explains to a language model, in English, why a translation was rejected. */
import type { TranslationProblem } from "./validate-translation.ts";

/** Why there is no translation: the response has none for the text, or the validation rejected it. */
export type RejectionReason =
  | TranslationProblem
  /**
   * The response was not JSON (`unreadable`); it had no item with that id (`missing`), several different ones
   * (`ambiguous`), or one with the name of another key (`other-key`); or placeholder marks were changed (`marks`).
   */
  | { readonly kind: "unreadable" | "missing" | "ambiguous" | "other-key" | "marks" };

/** Returns one sentence for a reason, with what to do. */
export function describeRejection(reason: RejectionReason): string {
  const where = "form" in reason && reason.form !== null ? ` in the form "${reason.form}"` : "";
  switch (reason.kind) {
    case "source-changed":
      return "The source text was changed in the meantime. Read it again.";
    case "no-source":
      return "The key has no source text.";
    case "singular":
      return 'Plural forms are needed: give "forms".';
    case "plural":
      return 'The text has no plural forms: give "text".';
    case "categories":
      return `The plural forms are not those of the language.${formatList("Missing", reason.missing)}${formatList("Not wanted", reason.unexpected)}`;
    case "empty":
      return `The translation is empty${where}.`;
    case "placeholders":
      return `The placeholders differ from the source text${where}.${formatList("Missing", reason.missing)}${formatList("Too many", reason.unexpected)}`;
    case "markup":
      return `The markup differs from the source text${where}.${formatList("Missing", reason.missing)}${formatList("Too many", reason.unexpected)}`;
    case "markup-order":
      return `Tags are not closed in order${where}.`;
    case "syntax":
      return `Braces do not match, or an ICU argument has other branches than it should${where}. Put no apostrophe right before a placeholder.`;
    case "parts":
      return `The parts separated by | differ from those of the source text${where}.`;
    case "too-long":
      return `The translation has ${reason.length} characters${where}; ${reason.maxLength} are allowed. Make it shorter.`;
    case "source-repeated":
      return `The source text is repeated${where}. Translate it.`;
    case "characters":
      return `Control characters, or line breaks that the source text does not have, are in the translation${where}.`;
    case "blanks":
      return `The blanks at the ends, or the number of line breaks, differ from the source text${where}.`;
    case "not-only-text":
      return `Give the translation alone, without a fence, quotation marks or words about it${where}.`;
    case "unreadable":
      return "The answer was not one JSON object with items.";
    case "missing":
      return "The answer had no item with this id and a text.";
    case "ambiguous":
      return "The answer had several items with this id.";
    case "other-key":
      return 'The item with this id had the "key" of another item. Copy "id" and "key" of the item that you translate.';
    case "marks":
      return "Marks such as ⟦1⟧ were changed, or are those of another item.";
  }
}

/** Returns ` Missing: :name.`, or an empty string without values. */
function formatList(label: string, values: readonly string[]): string {
  return values.length === 0 ? "" : ` ${label}: ${values.join(", ")}.`;
}
