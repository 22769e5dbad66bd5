/** Changes the drafts of a project, with undo and redo. What becomes of a draft is decided in `decide-draft.ts`. */
import type {
  DraftId,
  TranslationDraft,
  TranslationDraftRepository,
} from "../../database/personal/translation-draft-repository.ts";
import type { TextEdit } from "../../model/text-edit.ts";
import type { Text } from "../../model/translation-text.ts";
import {
  draftAfterSave,
  draftOfDiscard,
  draftOfEdit,
  draftOfKeepMine,
  draftOfUndo,
  isSameDraft,
  isSourceChanged,
  isTextChanged,
  type CellState,
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
  readonly #stored: (locale: string, hash: string) => StoredText;
  readonly #currentSource: (hash: string) => Text | null;
  /** The drafts that are being saved. */
  readonly #inFlight = new Set<string>();
  /**
   * The translations after the last save or revert, by `draftKey`. Undo and redo of earlier edits are based on them, so
   * that a write by somebody else since then is a conflict.
   */
  readonly #lastSaved = new Map<string, StoredText>();

  /**
   * @param stored returns the current translation
   * @param currentSource returns the current source text of a key
   */
  constructor(
    drafts: TranslationDraftRepository,
    stored: (locale: string, hash: string) => StoredText,
    currentSource: (hash: string) => Text | null,
  ) {
    this.#drafts = drafts;
    this.#stored = stored;
    this.#currentSource = currentSource;
  }

  /** Stores a user's texts as drafts; an empty one clears the translation. `null` if nothing changes. */
  stage(edits: readonly TextEdit[]): StagedEdit | null {
    return this.#change(edits, draftOfEdit);
  }

  /** Discards drafts; can be undone. */
  discard(ids: readonly DraftId[]): StagedEdit | null {
    return this.#change(ids, (_, state) =>
      draftOfDiscard(state, state.draft !== undefined && this.isConflict(state.draft)),
    );
  }

  /** Resolves conflicts: bases the drafts on the current translation and source text. */
  keepMine(ids: readonly DraftId[]): StagedEdit | null {
    return this.#change(ids, ({ hash }, state) => draftOfKeepMine(state, this.#currentSource(hash)));
  }

  /**
   * Returns whether the translation has changed since the draft was started, unless to the text of the draft, or the
   * source of a machine translation has.
   */
  isConflict(draft: TranslationDraft): boolean {
    return this.isSourceChanged(draft) || isTextChanged(draft, this.#stored(draft.locale, draft.hash));
  }

  /** Returns whether the draft is a machine translation of a source text that has changed. */
  isSourceChanged(draft: Pick<TranslationDraft, "hash" | "source">): boolean {
    return isSourceChanged(draft, this.#currentSource(draft.hash));
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
        const after = draftAfterSave(sent, this.#stateOf(sent));
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

  #stateOf(id: DraftId): CellState {
    return {
      stored: this.#stored(id.locale, id.hash),
      draft: this.#drafts.get(id.locale, id.hash),
      isInFlight: this.#inFlight.has(draftKey(id)),
    };
  }

  #change<Id extends DraftId>(
    ids: readonly Id[],
    decide: (id: Id, state: CellState) => TranslationDraft | undefined,
  ): StagedEdit | null {
    const changes = ids.flatMap((id): DraftChange[] => {
      const state = this.#stateOf(id);
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
        const state = this.#stateOf(id);
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
