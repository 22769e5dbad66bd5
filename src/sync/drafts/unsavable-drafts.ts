/** Drafts that cannot be saved, and why. */
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";

/** What is known of the keys and languages of drafts. */
export interface DraftContext {
  /** Whether the project no longer has the language. */
  isRemoved(locale: string): boolean;
  hasKey(hash: string): boolean;
  /** Whether all keys were read. */
  readonly areKeysKnown: boolean;
  /** Returns the name of a key that may not be there any more, as far as it is known. */
  nameOf(hash: string): KeyName | undefined;
  /** As in `LocalEntries`. */
  readonly unreadNamespaces: ReadonlySet<string> | "any";
}

/** Drafts that cannot be saved. */
export interface UnsavableDrafts {
  /** Their keys or languages no longer exist. */
  readonly deleted: readonly TranslationDraft[];
  /** Their keys may be in source files that cannot be read now. */
  readonly unread: readonly TranslationDraft[];
}

/** Returns the drafts that cannot be saved. */
export function unsavableDrafts(drafts: Iterable<TranslationDraft>, context: DraftContext): UnsavableDrafts {
  const { areKeysKnown, unreadNamespaces } = context;
  const mayBeUnread = (hash: string): boolean => {
    if (unreadNamespaces === "any") return true;
    const name = context.nameOf(hash);
    return name === undefined ? unreadNamespaces.size > 0 : unreadNamespaces.has(name.namespace);
  };
  const deleted: TranslationDraft[] = [];
  const unread: TranslationDraft[] = [];
  for (const draft of drafts) {
    if (context.isRemoved(draft.locale)) deleted.push(draft);
    else if (areKeysKnown && !context.hasKey(draft.hash))
      (mayBeUnread(draft.hash) ? unread : deleted).push(draft);
  }
  return { deleted, unread };
}
