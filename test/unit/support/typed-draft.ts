/** Drafts as the translation editor keeps them while a person types. */
import type { TranslationDraft } from "../../../src/database/personal/translation-draft-repository.ts";

/** Returns a text that a person typed for a key, before it is known what it replaces. */
export const typedDraft = (locale: string, hash: string, value: string): TranslationDraft => ({
  locale,
  hash,
  text: { value },
  base: null,
  baseVersion: null,
  origin: "person",
  model: null,
  source: null,
});
