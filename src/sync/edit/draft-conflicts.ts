/** Decides whether a draft conflicts with a concurrent change of its translation or of its source text. */
import type { TranslationDraft } from "../../database/translation-draft-repository.ts";
import { areTextsEqual, isEmptyText, withoutEmptyForms, type Text } from "../../model/text.ts";

/** The current translation. `text: null`: there is none. */
export interface StoredText {
  readonly text: Text | null;
  readonly version: number | null;
}

/** Returns whether the translation has changed since the draft was started, unless to the text of the draft. */
export function isTranslationChanged(draft: TranslationDraft, stored: StoredText): boolean {
  const { text, base, baseVersion } = draft;
  if (
    isSameOrBothEmpty(stored.text, text) ||
    (isSameOrBothEmpty(stored.text, null) && isSameOrBothEmpty(base, null))
  )
    return false;
  return stored.version !== baseVersion || !isSameOrBothEmpty(stored.text, base);
}

/** Returns whether the draft is a machine translation of another source text than the current one. */
export function isSourceChanged({ source }: Pick<TranslationDraft, "source">, current: Text | null): boolean {
  return source !== null && !isSameOrBothEmpty(current, source);
}

/** Compares texts; an empty form counts as none, and an empty text as no text. */
export function isSameOrBothEmpty(a: Text | null, b: Text | null): boolean {
  const isSomething = (text: Text | null): text is Text => text !== null && !isEmptyText(text);
  if (!isSomething(a) || !isSomething(b)) return isSomething(a) === isSomething(b);
  return areTextsEqual(withoutEmptyForms(a), withoutEmptyForms(b));
}
