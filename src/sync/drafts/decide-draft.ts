/**
 * Whether a draft may be saved, and what becomes of it when a person edits, discards or keeps it, and when it was saved. Pure
 * functions: `DraftHistory` and `save-drafts.ts` apply them. A draft is based on the translation that the person saw when it
 * was begun, also after further edits, so that what somebody else wrote since is a conflict.
 */
import type { DraftId, TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { TextEdit } from "../../model/text-edit.ts";
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

/** The texts that a draft is compared with. */
export interface CurrentTexts {
  readonly stored: StoredText;
  /** The source text that a machine translation would be made from; `null`: there is none. */
  readonly source: Text | null;
}

/** What is known of a cell when its draft changes. */
export interface CellState extends CurrentTexts {
  readonly draft: TranslationDraft | undefined;
  /** Whether the draft is being saved: then a text that equals the stored one still is a change. */
  readonly isInFlight: boolean;
}

/**
 * - `stale`: a machine translation of another source text than the current one;
 * - `conflict`: the translation has changed since the draft was begun, and to another text than the draft;
 * - `stored`: the translation is the draft already;
 * - `current`: it may be saved.
 */
export type DraftState = "stale" | "conflict" | "stored" | "current";

/**
 * Decides whether a draft may be saved. Version numbers are not enough: they repeat after the service restored a backup.
 */
export function draftState(
  { text, base, baseVersion, source }: Pick<TranslationDraft, "text" | "base" | "baseVersion" | "source">,
  current: CurrentTexts,
): DraftState {
  const { stored } = current;
  if (source !== null && !isSameOrBothEmpty(current.source, source)) return "stale";
  if (isSameOrBothEmpty(stored.text, text)) return "stored";
  if (!isSameOrBothEmpty(stored.text, base)) return "conflict";
  // There is no version of an empty text, of one in a file, and of one that was replaced while it was edited.
  const isSameVersion =
    isSameOrBothEmpty(base, null) || baseVersion === null || stored.version === baseVersion;
  return isSameVersion ? "current" : "conflict";
}

/** Whether a person has to look at a draft in this state before it is saved. */
export function isInConflict(state: DraftState): boolean {
  return state === "stale" || state === "conflict";
}

/** Returns the draft after a person's edit; an empty text clears the translation. `undefined`: nothing is unsaved. */
export function draftOfEdit(edit: TextEdit, state: CellState): TranslationDraft | undefined {
  const { before } = edit;
  const isReplaced = before !== undefined && !isSameOrBothEmpty(state.stored.text, before);
  // The version of a text that was replaced since is not known.
  const base = isReplaced ? { text: before, version: null } : state.stored;
  return draftOf(edit, withoutEmptyForms(toWellFormedText(edit.text)), state, base);
}

/** Returns the draft after a person discarded it: the text before, if its save may have written another one. */
export function draftOfDiscard(state: CellState): TranslationDraft | undefined {
  const { draft, isInFlight } = state;
  // A draft in conflict is not written.
  if (draft === undefined || !isInFlight || isInConflict(draftState(draft, state))) return undefined;
  return draftOf(draft, textOrEmpty(draft.base, draft.text), state);
}

/** Returns the draft after a person decided for it: based on the current translation and source text. */
export function draftOfKeepMine(state: CellState): TranslationDraft | undefined {
  const { draft, stored } = state;
  if (draft === undefined || isSameOrBothEmpty(stored.text, draft.text)) return undefined;
  const current = draftState(draft, state) === "stale" ? draftOf(draft, draft.text, state) : draft;
  return current && { ...current, base: stored.text, baseVersion: stored.version };
}

/** The draft on one side of an edit, and that on the other side. */
export interface UndoneEdit {
  readonly id: DraftId;
  readonly to: TranslationDraft | undefined;
  readonly from: TranslationDraft | undefined;
}

/**
 * Returns the draft after an undo or redo.
 * @param lastSaved the translation after a save or revert since the edit, which then is a new change of it; `null` if there
 * was none
 */
export function draftOfUndo(
  { id, to, from }: UndoneEdit,
  state: CellState,
  lastSaved: { readonly text: StoredText | undefined } | null,
): TranslationDraft | undefined {
  if (lastSaved === null) return to;
  return draftOf(id, to?.text ?? textOrEmpty(from?.base ?? null, from?.text), state, lastSaved.text);
}

/**
 * Returns the draft after the text `sent` was written, and what the translation then was. A draft that was edited during the
 * save, in any window, is based on the text that was written, also if somebody else has replaced it since; one that was
 * based on another text meanwhile stays as it is.
 */
export function draftAfterSave(
  sent: TranslationDraft,
  { stored, draft }: Pick<CellState, "stored" | "draft">,
): { readonly draft: TranslationDraft | undefined; readonly saved: StoredText } {
  const isReplaced = !isSameNormalized(stored.text, sent.text);
  // The version of a text that was replaced since is not known.
  const saved = isReplaced ? { text: sent.text, version: null } : { ...stored };
  if (draft === undefined) return { draft, saved };
  const isSameBase = draft.baseVersion === sent.baseVersion && isSameOrBothEmpty(draft.base, sent.base);
  if (areTextsEqual(draft.text, sent.text) && (isSameBase || !isReplaced)) return { draft: undefined, saved };
  if (!isSameBase && !isSameOrBothEmpty(draft.base, sent.text)) return { draft, saved };
  return { draft: { ...draft, base: saved.text, baseVersion: saved.version }, saved };
}

/** Returns whether a change leaves a draft as it is. */
export function isSameDraft(
  before: TranslationDraft | undefined,
  after: TranslationDraft | undefined,
): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    isSameOrBothEmpty(before.text, after.text) &&
    isSameOrBothEmpty(before.base, after.base) &&
    before.baseVersion === after.baseVersion &&
    before.origin === after.origin
  );
}

/**
 * Returns the version of the translation that a draft replaces when it is sent; `null`: there is none.
 * @param stored as it was last read, which is what the draft is based on
 */
export function replacedVersion(
  { base, baseVersion }: Pick<TranslationDraft, "base" | "baseVersion">,
  stored: StoredText,
): number | null {
  // Where only the text is known it is the current one, so its version is that.
  return isSameOrBothEmpty(base, null) ? baseVersion : (baseVersion ?? stored.version);
}

/**
 * Decides what became of a draft that the service did not write.
 * @param reason as the service gave it; empty without one: then it may have been written
 * @param current as it was read back; as it was known before if it could not be
 */
export function stateAfterSkip(
  draft: TranslationDraft,
  reason: string,
  current: CurrentTexts,
  isReadBack: boolean,
): Exclude<DraftState, "current"> | "unknown" | "refused" {
  const { text } = current.stored;
  // The service may normalise texts.
  const isWritten = reason === "" && isSameNormalized(text, draft.text);
  if (isWritten || isSameOrBothEmpty(text, draft.text)) return "stored";
  const state = draftState(draft, current);
  if (state !== "current") return state;
  // Neither the response nor what was read back says whether it was written.
  return reason === "" && !isReadBack ? "unknown" : "refused";
}

/** Returns the person's draft of a text. `base`: what it is based on if there is no draft yet. */
function draftOf(
  { locale, hash }: DraftId,
  text: Text,
  { stored, draft, isInFlight }: CellState,
  base: StoredText = stored,
): TranslationDraft | undefined {
  if (isSameOrBothEmpty(stored.text, text) && !isInFlight) return undefined;
  const { base: baseText, baseVersion } = draft ?? { base: base.text, baseVersion: base.version };
  return { locale, hash, text, base: baseText, baseVersion, origin: "person", model: null, source: null };
}

/** Returns the text, or an empty one of the same kind as `like`. */
function textOrEmpty(text: Text | null, like: Text | undefined): Text {
  if (text !== null) return text;
  return like !== undefined && isForms(like) ? { forms: {} } : { value: "" };
}
