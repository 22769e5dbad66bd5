/** What an edit of one translation writes, and what it is based on, from step to step. Knows nothing of VS Code. */
import { areTextsEqual, isEmptyText, type Text } from "../../model/translation-text.ts";

/** A typed text that was not written yet, and the translation it was based on. */
export interface TypedText {
  readonly text: Text;
  readonly base: Text | null;
  readonly version: number | null;
}

/** An edit between its steps. */
export interface EditState {
  /** The text that is shown in the prompt; `null`: none yet. */
  readonly mine: Text | null;
  /** The translation that the edit would replace, and its version; `null` without one. */
  readonly base: Text | null;
  readonly version: number | null;
  /** The text to write without a prompt. */
  readonly toWrite: Text | undefined;
  /** Whether the user has chosen to replace the translation of somebody else. */
  readonly isOverwriting: boolean;
}

/** A translation as it was read. */
type KnownTranslation = { readonly text: Text | null; readonly version: number | null };

/**
 * Begins an edit: with the given text, else one that was typed earlier and not saved, else the current translation. What was
 * typed earlier keeps its base, so that a change since then is a conflict.
 *
 * @param version of the translation that the given text is based on; with it the text is written without a prompt
 */
export function beginEdit(
  row: KnownTranslation | undefined,
  given: Text | undefined,
  version: number | null | undefined,
  typedBefore: TypedText | undefined,
): EditState {
  const typed = given === undefined ? typedBefore : undefined;
  return {
    mine: given ?? typed?.text ?? row?.text ?? null,
    base: typed === undefined ? (row?.text ?? null) : typed.base,
    version: typed === undefined ? (version === undefined ? (row?.version ?? null) : version) : typed.version,
    toWrite: version === undefined ? undefined : given,
    isOverwriting: false,
  };
}

/** Whether there is nothing to write. */
export function isUnchanged({ base, version, isOverwriting }: EditState, mine: Text): boolean {
  if (isOverwriting) return false;
  return base === null ? version === null && isEmptyText(mine) : areTextsEqual(base, mine);
}

/** Goes on after a conflict: on the translation of somebody else, writing mine, or asking again. */
export function afterConflict(mine: Text, theirs: KnownTranslation, decision: "mine" | "edit"): EditState {
  const { text: base, version } = theirs;
  const isOverwriting = decision === "mine";
  return { mine, base, version, toWrite: isOverwriting ? mine : undefined, isOverwriting };
}
