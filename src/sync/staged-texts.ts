/**
 * Texts that a person changes before they are saved: each change becomes a draft and can be taken back and made again. A
 * draft knows the translation that it was begun on, so that what somebody else writes meanwhile is a conflict.
 */
import type { DraftId, TranslationDraft, TranslationDrafts } from "../database/translation-drafts.ts";
import { isEmptyText, isForms, sameText, wellFormed, type Text } from "../model/text.ts";

/** A translation as it is known now. `text: null`: there is none. */
export interface StoredText {
  readonly text: Text | null;
  readonly version: number | null;
}

/** A text to stage. */
export interface StagedText extends DraftId {
  readonly text: Text;
}

/** A change of some texts, done already. */
export interface StagedEdit {
  readonly undo: () => void;
  readonly redo: () => void;
}

/** What an edit did to one text. */
interface Step {
  readonly id: DraftId;
  readonly before: TranslationDraft | undefined;
  readonly after: TranslationDraft | undefined;
  /** How often the text had been saved or given up by then. */
  readonly saves: number;
}

/** Drafts of one transaction. */
const BATCH_SIZE = 1_000;

export class StagedTexts {
  readonly #drafts: TranslationDrafts;
  readonly #stored: (locale: string, hash: string) => StoredText;
  readonly #sourceOf: (hash: string) => Text | null;
  /** Texts that are being written: whoever changes one to what stands there yet means what comes after that. */
  readonly #onTheirWay = new Set<string>();
  /** How often the draft of a text was saved or given up. */
  readonly #saves = new Map<string, number>();

  /** `sourceOf`: the source text of a key as it is now. */
  constructor(
    drafts: TranslationDrafts,
    stored: (locale: string, hash: string) => StoredText,
    sourceOf: (hash: string) => Text | null,
  ) {
    this.#drafts = drafts;
    this.#stored = stored;
    this.#sourceOf = sourceOf;
  }

  /** Stages texts of a person; an empty one clears the translation. `null`: nothing changes. */
  stage(texts: readonly StagedText[]): StagedEdit | null {
    return this.#do(texts, (each) => this.#draftOf({ ...each, text: wellFormed(each.text) }));
  }

  /** Gives up the drafts. */
  discard(ids: readonly DraftId[]): StagedEdit | null {
    return this.#do(ids, (id) => {
      const before = this.#drafts.get(id.locale, id.hash);
      if (before === undefined || !this.#onTheirWay.has(keyOf(id))) return undefined;
      return this.#draftOf({ ...id, text: textOf(before.base, before.text) });
    });
  }

  /** The drafts are to be written over what stands there now, and as translations of the source text as it is now. */
  keepMine(ids: readonly DraftId[]): StagedEdit | null {
    return this.#do(ids, ({ locale, hash }) => {
      const draft = this.#drafts.get(locale, hash);
      if (draft === undefined) return undefined;
      const { text, version } = this.#stored(locale, hash);
      if (isSame(text, draft.text)) return undefined;
      const kept = this.isSourceChanged(draft) ? this.#draftOf({ locale, hash, text: draft.text }) : draft;
      return kept && { ...kept, base: text, baseVersion: version };
    });
  }

  /** Whether the translation, or what a machine translated, is another one than the draft was begun on. */
  isConflict(draft: TranslationDraft): boolean {
    if (this.isSourceChanged(draft)) return true;
    const { locale, hash, text, base, baseVersion } = draft;
    const stored = this.#stored(locale, hash);
    if (isSame(stored.text, text) || (isSame(stored.text, null) && isSame(base, null))) return false;
    return stored.version !== baseVersion || !isSame(stored.text, base);
  }

  /** Whether the draft is a machine's, of a source text that is not the key's any more. */
  isSourceChanged({ hash, source }: Pick<TranslationDraft, "hash" | "source">): boolean {
    return source !== null && !isSame(this.#sourceOf(hash), source);
  }

  /** These drafts are about to be written: until they are settled, or all is at an end. */
  begin(drafts: readonly TranslationDraft[]): void {
    for (const id of drafts) this.#onTheirWay.add(keyOf(id));
  }

  /** Nothing is on its way any more. */
  end(): void {
    this.#onTheirWay.clear();
  }

  /** These drafts are written: what is there now is what an undo, and what was typed meanwhile, begin from. */
  settle(saved: readonly TranslationDraft[]): void {
    for (const id of saved) this.#onTheirWay.delete(keyOf(id));
    this.#put(
      saved.map(({ locale, hash, text: written }) => {
        this.#countSave({ locale, hash });
        const now = this.#drafts.get(locale, hash);
        if (now === undefined || sameText(now.text, written)) return [{ locale, hash }, undefined];
        const { text, version } = this.#stored(locale, hash);
        return [now, { ...now, base: text, baseVersion: version }];
      }),
    );
  }

  /** Gives up all drafts for good. */
  revert(): void {
    const all = [...this.#drafts.all()];
    for (const id of all) this.#countSave(id);
    this.#put(all.map((id) => [id, undefined]));
  }

  #do<Id extends DraftId>(
    ids: readonly Id[],
    change: (id: Id) => TranslationDraft | undefined,
  ): StagedEdit | null {
    const steps = ids.flatMap((id): Step[] => {
      const before = this.#drafts.get(id.locale, id.hash);
      const after = change(id);
      const isUnchanged =
        before === undefined || after === undefined
          ? before === after
          : isSame(before.text, after.text) &&
            isSame(before.base, after.base) &&
            before.baseVersion === after.baseVersion &&
            before.origin === after.origin;
      const { locale, hash } = id;
      return isUnchanged ? [] : [{ id: { locale, hash }, before, after, saves: this.#savesOf(id) }];
    });
    if (steps.length === 0) return null;
    this.#put(steps.map(({ id, after }) => [id, after]));
    const back = ({ id, before, after }: Step): TranslationDraft | undefined =>
      this.#draftOf({ ...id, text: before?.text ?? textOf(after?.base ?? null, after?.text) });
    const again = ({ id, before, after }: Step): TranslationDraft | undefined =>
      this.#draftOf({ ...id, text: after?.text ?? textOf(before?.base ?? null, before?.text) });
    const isUnsaved = ({ id, saves }: Step): boolean =>
      saves === this.#savesOf(id) && !this.#onTheirWay.has(keyOf(id));
    return {
      undo: () => this.#put(steps.map((step) => [step.id, isUnsaved(step) ? step.before : back(step)])),
      redo: () => this.#put(steps.map((step) => [step.id, isUnsaved(step) ? step.after : again(step)])),
    };
  }

  /** The draft of a text; `undefined`: it is what stands there already. */
  #draftOf({ locale, hash, text }: StagedText): TranslationDraft | undefined {
    const stored = this.#stored(locale, hash);
    const before = this.#drafts.get(locale, hash);
    const base = before === undefined ? stored.text : before.base;
    const baseVersion = before === undefined ? stored.version : before.baseVersion;
    if (isSame(stored.text, text) && !this.#onTheirWay.has(keyOf({ locale, hash }))) return undefined;
    return { locale, hash, text, base, baseVersion, origin: "person", model: null, source: null };
  }

  #put(drafts: readonly (readonly [DraftId, TranslationDraft | undefined])[]): void {
    for (let start = 0; start < drafts.length; start += BATCH_SIZE) {
      const batch = drafts.slice(start, start + BATCH_SIZE);
      this.#drafts.put(batch.flatMap(([, draft]) => draft ?? []));
      this.#drafts.remove(batch.flatMap(([id, draft]) => (draft === undefined ? [id] : [])));
    }
  }

  #countSave(id: DraftId): void {
    this.#saves.set(keyOf(id), this.#savesOf(id) + 1);
  }

  #savesOf(id: DraftId): number {
    return this.#saves.get(keyOf(id)) ?? 0;
  }
}

/** Nothing there is as good as an empty text. */
export function isSame(stored: Text | null, text: Text | null): boolean {
  if (stored === null || text === null)
    return (stored === null || isEmptyText(stored)) && (text === null || isEmptyText(text));
  return sameText(stored, text) || (isEmptyText(stored) && isEmptyText(text));
}

/** An empty text of the same kind where there is none. */
function textOf(text: Text | null, like: Text | undefined): Text {
  if (text !== null) return text;
  return like !== undefined && isForms(like) ? { forms: {} } : { value: "" };
}

function keyOf({ locale, hash }: DraftId): string {
  return `${locale} ${hash}`;
}
