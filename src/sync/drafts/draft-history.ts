/**
 * Changes drafts with undo and redo. A draft stores the translation it was based on, so that a concurrent change of
 * that translation is a conflict.
 */
import type {
  DraftId,
  TranslationDraft,
  TranslationDraftRepository,
} from "../../database/personal/translation-draft-repository.ts";
import {
  areTextsEqual,
  isForms,
  isSameNormalized,
  isSameOrBothEmpty,
  toWellFormedText,
  withoutEmptyForms,
  type Text,
} from "../../model/translation-text.ts";

/** The current translation. `text: null`: there is none. */
export interface StoredText {
  readonly text: Text | null;
  readonly version: number | null;
}

/** A text to store as a draft. */
export interface StagedText extends DraftId {
  readonly text: Text;
  /** The text that the user changed, empty forms left out; default: the current one. */
  readonly before?: Text;
}

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
  /** Texts that are being saved: a draft that equals the stored text still is a change for them. */
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
  stage(texts: readonly StagedText[]): StagedEdit | null {
    return this.#change(texts, ({ locale, hash, text, before }) => {
      const stored = this.#stored(locale, hash);
      const isReplaced = before !== undefined && !isSameOrBothEmpty(stored.text, before);
      // The version of a text that was replaced since is not known.
      const base = isReplaced ? { text: before, version: null } : stored;
      return this.#createDraft({ locale, hash }, withoutEmptyForms(toWellFormedText(text)), base);
    });
  }

  /** Discards drafts; can be undone. */
  discard(ids: readonly DraftId[]): StagedEdit | null {
    return this.#change(ids, (id) => {
      const before = this.#drafts.get(id.locale, id.hash);
      // A draft in conflict is not written.
      if (before === undefined || !this.#inFlight.has(draftKey(id)) || this.isConflict(before))
        return undefined;
      return this.#createDraft(id, textOrEmpty(before.base, before.text));
    });
  }

  /** Resolves conflicts: bases the drafts on the current translation and source text. */
  keepMine(ids: readonly DraftId[]): StagedEdit | null {
    return this.#change(ids, ({ locale, hash }) => {
      const draft = this.#drafts.get(locale, hash);
      if (draft === undefined) return undefined;
      const { text, version } = this.#stored(locale, hash);
      if (isSameOrBothEmpty(text, draft.text)) return undefined;
      const current = this.isSourceChanged(draft) ? this.#createDraft(draft, draft.text) : draft;
      return current && { ...current, base: text, baseVersion: version };
    });
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

  /**
   * Removes saved drafts. Those that were edited during the save, in any window, are based on the text that was written,
   * also if somebody else has replaced it since; those that were based on another text meanwhile stay as they are.
   */
  markSaved(saved: readonly TranslationDraft[]): void {
    for (const id of saved) this.#inFlight.delete(draftKey(id));
    this.#put(
      saved.map((sent) => {
        const { locale, hash, text: written } = sent;
        const stored = this.#stored(locale, hash);
        // The version of a text that was replaced since is not known.
        const isReplaced = !isSameNormalized(stored.text, written);
        const after = isReplaced ? { text: written, version: null } : stored;
        this.#lastSaved.set(draftKey(sent), after);
        const draft = this.#drafts.get(locale, hash);
        if (draft === undefined) return [sent, undefined];
        const isSameText = areTextsEqual(draft.text, written);
        const isSameBase = draft.baseVersion === sent.baseVersion && isSameOrBothEmpty(draft.base, sent.base);
        if (isSameText && (isSameBase || !isReplaced)) return [draft, undefined];
        if (!isSameBase && !isSameOrBothEmpty(draft.base, written)) return [draft, draft];
        return [draft, { ...draft, base: after.text, baseVersion: after.version }];
      }),
    );
  }

  /** Discards all drafts; cannot be undone. */
  discardAll(): void {
    const all = [...this.#drafts.all()];
    for (const draft of all)
      this.#lastSaved.set(draftKey(draft), { text: draft.base, version: draft.baseVersion });
    this.#put(all.map((id) => [id, undefined]));
  }

  #change<Id extends DraftId>(
    ids: readonly Id[],
    draftAfter: (id: Id) => TranslationDraft | undefined,
  ): StagedEdit | null {
    const changes = ids.flatMap((id): DraftChange[] => {
      const before = this.#drafts.get(id.locale, id.hash);
      const after = draftAfter(id);
      const isUnchanged =
        before === undefined || after === undefined
          ? before === after
          : isSameOrBothEmpty(before.text, after.text) &&
            isSameOrBothEmpty(before.base, after.base) &&
            before.baseVersion === after.baseVersion &&
            before.origin === after.origin;
      const { locale, hash } = id;
      const lastSaved = this.#lastSaved.get(draftKey(id));
      return isUnchanged ? [] : [{ id: { locale, hash }, before, after, lastSaved }];
    });
    if (changes.length === 0) return null;
    this.#put(changes.map(({ id, after }) => [id, after]));
    const isUnsaved = ({ id, lastSaved }: DraftChange): boolean =>
      lastSaved === this.#lastSaved.get(draftKey(id)) && !this.#inFlight.has(draftKey(id));
    const restore = (to: "before" | "after", from: "before" | "after"): void => {
      const drafts = changes.map((change) => {
        const { [to]: draft, [from]: other, id } = change;
        if (isUnsaved(change)) return [id, draft] as const;
        const text = draft?.text ?? textOrEmpty(other?.base ?? null, other?.text);
        return [id, this.#createDraft(id, text, this.#lastSaved.get(draftKey(id)))] as const;
      });
      this.#put(drafts);
    };
    return { undo: () => restore("before", "after"), redo: () => restore("after", "before") };
  }

  /**
   * Returns the draft of a text; `undefined` if it equals the stored translation. Without a draft before, it is based on
   * `base`.
   */
  #createDraft(
    { locale, hash }: DraftId,
    text: Text,
    base = this.#stored(locale, hash),
  ): TranslationDraft | undefined {
    const isStored = isSameOrBothEmpty(this.#stored(locale, hash).text, text);
    if (isStored && !this.#inFlight.has(draftKey({ locale, hash }))) return undefined;
    const before = this.#drafts.get(locale, hash) ?? { base: base.text, baseVersion: base.version };
    const person = { origin: "person", model: null, source: null } as const;
    return { locale, hash, text, base: before.base, baseVersion: before.baseVersion, ...person };
  }

  #put(drafts: readonly (readonly [DraftId, TranslationDraft | undefined])[]): void {
    this.#drafts.put(drafts.flatMap(([, draft]) => draft ?? []));
    this.#drafts.remove(drafts.flatMap(([id, draft]) => (draft === undefined ? [id] : [])));
  }
}

/**
 * Returns whether the translation has changed since the draft was started, unless to the text of the draft. Version numbers
 * are not enough: they repeat after the service restored a backup.
 */
export function isTextChanged(
  { text, base, baseVersion }: Pick<TranslationDraft, "text" | "base" | "baseVersion">,
  stored: StoredText,
): boolean {
  if (isSameOrBothEmpty(stored.text, text)) return false;
  if (!isSameOrBothEmpty(stored.text, base)) return true;
  // There is no version of an empty text, of one in a file, and of one that was replaced while it was edited.
  return !isSameOrBothEmpty(base, null) && baseVersion !== null && stored.version !== baseVersion;
}

/** Returns whether the draft is a machine translation of another source text than the current one. */
export function isSourceChanged({ source }: Pick<TranslationDraft, "source">, current: Text | null): boolean {
  return source !== null && !isSameOrBothEmpty(current, source);
}

/** Returns the text, or an empty one of the same kind as `like`. */
function textOrEmpty(text: Text | null, like: Text | undefined): Text {
  if (text !== null) return text;
  return like !== undefined && isForms(like) ? { forms: {} } : { value: "" };
}

function draftKey({ locale, hash }: DraftId): string {
  return `${locale} ${hash}`;
}
