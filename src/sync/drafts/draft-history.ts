/** Changes the drafts of a project, with undo and redo. What becomes of a draft is decided in `decide-draft.ts`. */
import type {
  DraftId,
  TranslationDraft,
  TranslationDraftRepository,
} from "../../database/personal/translation-draft-repository.ts";
import type { TextEdit } from "../../model/text-edit.ts";
import {
  draftAfterSave,
  draftOfDiscard,
  draftOfEdit,
  draftOfKeepMine,
  draftOfUndo,
  draftState,
  isSameDraft,
  type CellState,
  type CurrentTexts,
  type DraftState,
  type StoredText,
} from "./decide-draft.ts";

/** An applied change of some drafts. */
export interface StagedEdit {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** The change of one draft. */
interface DraftChange {
  readonly id: DraftId;
  readonly before: TranslationDraft | undefined;
  readonly after: TranslationDraft | undefined;
  /** The last saved or reverted translation at that time; another object after each save. */
  readonly lastSaved: StoredText | undefined;
}

/** The drafts of a project and their changes. */
export class DraftHistory {
  readonly #drafts: TranslationDraftRepository;
  readonly #currentTexts: (id: DraftId) => CurrentTexts;
  /** The drafts that are being saved. */
  readonly #inFlight = new Set<string>();
  /**
   * The translations after the last save or revert, by `draftKey`. Undo and redo of earlier edits are based on them, so
   * that a write by somebody else since then is a conflict.
   */
  readonly #lastSaved = new Map<string, StoredText>();

  /** @param currentTexts returns what a draft is compared with */
  constructor(drafts: TranslationDraftRepository, currentTexts: (id: DraftId) => CurrentTexts) {
    this.#drafts = drafts;
    this.#currentTexts = currentTexts;
  }

  /** Stores a user's texts as drafts; an empty one clears the translation. `null` if nothing changes. */
  stage(edits: readonly TextEdit[]): StagedEdit | null {
    return this.#change(edits, draftOfEdit);
  }

  /** Discards drafts; can be undone. */
  discard(ids: readonly DraftId[]): StagedEdit | null {
    return this.#change(ids, (_, state) => draftOfDiscard(state));
  }

  /** Resolves conflicts: bases the drafts on the current translation and source text. */
  keepMine(ids: readonly DraftId[]): StagedEdit | null {
    return this.#change(ids, (_, state) => draftOfKeepMine(state));
  }

  /** Returns whether a draft may be saved. */
  stateOf(draft: TranslationDraft): DraftState {
    return draftState(draft, this.#currentTexts(draft));
  }

  /** Marks drafts as being saved, until `markSaved` or `endSave`. */
  beginSave(drafts: readonly TranslationDraft[]): void {
    for (const id of drafts) this.#inFlight.add(draftKey(id));
  }

  /** Ends a save. */
  endSave(): void {
    this.#inFlight.clear();
  }

  /** Removes saved drafts, except for those that were changed during the save. */
  markSaved(saved: readonly TranslationDraft[]): void {
    for (const id of saved) this.#inFlight.delete(draftKey(id));
    this.#drafts.set(
      saved.map((sent) => {
        const after = draftAfterSave(sent, this.#cellOf(sent));
        this.#lastSaved.set(draftKey(sent), after.saved);
        return [sent, after.draft];
      }),
    );
  }

  /** Discards all drafts, and returns them. */
  discardAll(): readonly TranslationDraft[] {
    const all = [...this.#drafts.all()];
    for (const draft of all)
      this.#lastSaved.set(draftKey(draft), { text: draft.base, version: draft.baseVersion });
    this.#drafts.set(all.map((id) => [id, undefined]));
    return all;
  }

  /** Restores discarded drafts, except for those of texts that have newer ones. */
  restore(drafts: readonly TranslationDraft[]): void {
    const missing = drafts.filter(({ locale, hash }) => this.#drafts.get(locale, hash) === undefined);
    this.#drafts.set(missing.map((draft) => [draft, draft]));
  }

  #cellOf(id: DraftId): CellState {
    return {
      ...this.#currentTexts(id),
      draft: this.#drafts.get(id.locale, id.hash),
      isInFlight: this.#inFlight.has(draftKey(id)),
    };
  }

  #change<Id extends DraftId>(
    ids: readonly Id[],
    decide: (id: Id, state: CellState) => TranslationDraft | undefined,
  ): StagedEdit | null {
    const changes = ids.flatMap((id): DraftChange[] => {
      const state = this.#cellOf(id);
      const { draft: before } = state;
      const after = decide(id, state);
      const { locale, hash } = id;
      const lastSaved = this.#lastSaved.get(draftKey(id));
      return isSameDraft(before, after) ? [] : [{ id: { locale, hash }, before, after, lastSaved }];
    });
    if (changes.length === 0) return null;
    this.#drafts.set(changes.map(({ id, after }) => [id, after]));
    const restore = (to: "before" | "after", from: "before" | "after"): void => {
      const drafts = changes.map(({ id, lastSaved, ...change }) => {
        const state = this.#cellOf(id);
        const current = this.#lastSaved.get(draftKey(id));
        const isUnsaved = lastSaved === current && !state.isInFlight;
        const undone = { id, to: change[to], from: change[from] };
        return [id, draftOfUndo(undone, state, isUnsaved ? null : { text: current })] as const;
      });
      this.#drafts.set(drafts);
    };
    return { undo: () => restore("before", "after"), redo: () => restore("after", "before") };
  }
}

function draftKey({ locale, hash }: DraftId): string {
  return `${locale} ${hash}`;
}
