/** Which translations of a language model become drafts, and which of them are saved. Knows nothing of VS Code. */
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { TranslationResult } from "../../machine-translation/translate-texts.ts";
import { areTextsEqual, type Text } from "../../model/translation-text.ts";

/** The translation that a text had when it was sent to the model. */
export interface TranslationBase {
  readonly text: Text | null;
  readonly version: number | null;
}

/** The results of a model, by what is done with them. */
export interface StagingDecision {
  readonly drafts: readonly TranslationDraft[];
  /** The user edited these texts while the model was working. */
  readonly typed: readonly TranslationResult[];
  readonly rejected: readonly (TranslationResult & { readonly kind: "rejected" })[];
}

type CurrentDraft = (locale: string, hash: string) => Pick<TranslationDraft, "origin" | "text"> | undefined;

/** Decides what is done with the results. `draftOf`: the current draft. */
export function decideStaging(
  results: readonly TranslationResult[],
  {
    locale,
    model,
    bases,
    draftOf,
  }: {
    readonly locale: string;
    readonly model: string;
    readonly bases: ReadonlyMap<string, TranslationBase>;
    readonly draftOf: CurrentDraft;
  },
): StagingDecision {
  const drafts: TranslationDraft[] = [];
  const typed: TranslationResult[] = [];
  const rejected: (TranslationResult & { readonly kind: "rejected" })[] = [];
  for (const result of results) {
    const { hash, source } = result.text;
    if (result.kind === "rejected") rejected.push(result);
    else if (draftOf(locale, hash)?.origin === "person") typed.push(result);
    else {
      // The base of an incomplete plural text is set, too, although it counts as untranslated.
      const { text: base, version: baseVersion } = bases.get(hash) ?? { text: null, version: null };
      const draft = { locale, hash, text: result.translation, base, baseVersion };
      drafts.push({ ...draft, origin: "machine", model, source });
    }
  }
  return { drafts, typed, rejected };
}

/** Decides which of the staged drafts are saved: not those that the user has changed or discarded since. */
export function decideSaving(
  staged: readonly TranslationDraft[],
  draftOf: CurrentDraft,
): { readonly saved: readonly TranslationDraft[]; readonly typed: readonly TranslationDraft[] } {
  const saved: TranslationDraft[] = [];
  const typed: TranslationDraft[] = [];
  for (const draft of staged) {
    const current = draftOf(draft.locale, draft.hash);
    if (current?.origin === "person") typed.push(draft);
    else if (current !== undefined && areTextsEqual(current.text, draft.text)) saved.push(draft);
  }
  return { saved, typed };
}
