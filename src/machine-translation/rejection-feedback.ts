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

/** What is wrong and what to do, by kind of reason. `{where}`: the plural form. */
const SENTENCES: Readonly<Record<RejectionReason["kind"], string>> = {
  "source-changed": "The source text was changed in the meantime. Read it again.",
  "no-source": "The key has no source text.",
  singular: 'Plural forms are needed: give "forms".',
  plural: 'The text has no plural forms: give "text".',
  categories: "The plural forms are not those of the language.",
  empty: "The translation is empty{where}.",
  placeholders: "The placeholders differ from the source text{where}.",
  markup: "The markup differs from the source text{where}.",
  "markup-order": "Tags are not closed in order{where}.",
  syntax:
    "Braces do not match, or an ICU argument has other branches than it should{where}. Put no apostrophe right before a placeholder.",
  parts: "The parts separated by | differ from those of the source text{where}.",
  "too-long": "The translation has {length} characters{where}; {maxLength} are allowed. Make it shorter.",
  "source-repeated": "The source text is repeated{where}. Translate it.",
  characters:
    "Control characters, or line breaks that the source text does not have, are in the translation{where}.",
  blanks: "The blanks at the ends, or the number of line breaks, differ from the source text{where}.",
  "not-only-text": "Give the translation alone, without a fence, quotation marks or words about it{where}.",
  unreadable: "The answer was not one JSON object with items.",
  missing: "The answer had no item with this id and a text.",
  ambiguous: "The answer had several items with this id.",
  "other-key":
    'The item with this id had the "key" of another item. Copy "id" and "key" of the item that you translate.',
  marks: "Marks such as ⟦1⟧ were changed, or are those of another item.",
};

/** Returns a sentence for a reason, with what to do. */
export function describeRejection(reason: RejectionReason): string {
  const where = "form" in reason && reason.form !== null ? ` in the form "${reason.form}"` : "";
  let sentence = SENTENCES[reason.kind].replace("{where}", () => where);
  if (reason.kind === "too-long")
    sentence = sentence.replace("{length}", `${reason.length}`).replace("{maxLength}", `${reason.maxLength}`);
  if (!("unexpected" in reason)) return sentence;
  const surplus = reason.kind === "categories" ? "Not wanted" : "Too many";
  return sentence + formatList("Missing", reason.missing) + formatList(surplus, reason.unexpected);
}

/** Returns ` Missing: :name.`, or an empty string without values. */
function formatList(label: string, values: readonly string[]): string {
  return values.length === 0 ? "" : ` ${label}: ${values.join(", ")}.`;
}
