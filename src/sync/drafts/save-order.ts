/** In which order the drafts of several languages are saved, and when the rest is not tried. */
import { isApiError } from "../../api/errors.ts";
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";

/** Where the drafts are saved. */
export interface SaveTargets {
  /** Returns whether the texts of the language are at the service and not in local files. */
  isAtService(locale: string): boolean;
  /** Returns whether the key and the language of a draft still exist. */
  isSavable(draft: TranslationDraft): boolean;
}

/** Groups the drafts by language, local files first. Those whose key or language no longer exists are left out. */
export function saveOrder(
  drafts: readonly TranslationDraft[],
  targets: SaveTargets,
): readonly (readonly [string, readonly TranslationDraft[]])[] {
  const savable = drafts.filter((draft) => targets.isSavable(draft));
  const rank = (locale: string): number => Number(targets.isAtService(locale));
  return [...Map.groupBy(savable, ({ locale }) => locale)].sort(([a], [b]) => rank(a) - rank(b));
}

/**
 * Returns whether the languages after this failure are not tried: requests would fail as well, unless the service refused
 * this language or its content.
 */
export function endsSave(error: unknown, isAtService: boolean): boolean {
  return isAtService && !isApiError(error, "not_found") && !isApiError(error, "invalid");
}
