/** In which order the drafts of several languages are saved, which cannot be, and when the rest is not tried. */
import { isApiError } from "../../api/errors.ts";
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";

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

/**
 * Returns whether the languages after this failure are not tried: requests would fail as well, unless the service refused
 * this language or its content.
 */
export function endsSave(error: unknown, isAtService: boolean): boolean {
  return isAtService && !isApiError(error, "not_found") && !isApiError(error, "invalid");
}
