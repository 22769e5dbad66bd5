/**
 * Translations of a language model that the check refused, with the reason: for a person to write. Kept as long as the
 * window is.
 */
import type { DraftId } from "./translation-drafts.ts";

export interface RefusedTranslation extends DraftId {
  /** A sentence for people, or several. */
  readonly reason: string;
  /** Of the translation that stood there; `null`: none. Another one makes the refusal a thing of the past. */
  readonly version: number | null;
}

export class RefusedTranslations {
  readonly #all = new Map<string, RefusedTranslation>();

  get(locale: string, hash: string): RefusedTranslation | undefined {
    return this.#all.get(`${locale} ${hash}`);
  }

  all(): Iterable<RefusedTranslation> {
    return this.#all.values();
  }

  put(refused: RefusedTranslation): void {
    this.#all.set(`${refused.locale} ${refused.hash}`, refused);
  }

  remove({ locale, hash }: DraftId): void {
    this.#all.delete(`${locale} ${hash}`);
  }
}
