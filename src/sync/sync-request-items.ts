/** The items of `POST /keys/sync`. */
import type { Key, SyncKey } from "../api/response-schemas.ts";
import type { ProjectKey } from "../database/records.ts";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import { isEmptyText, type Text } from "../model/translation-text.ts";

/** Returns the item of a key; what is absent or empty is left out ("absent means `*`" for the namespace). */
export function syncKey(
  { namespace, key, context }: KeyName,
  text: Text,
  {
    description,
    maxLength,
    tags,
  }: Pick<ProjectKey, "description"> & Partial<Pick<ProjectKey, "maxLength" | "tags">>,
): SyncKey {
  return {
    key,
    ...(namespace === NO_NAMESPACE ? {} : { namespace }),
    ...(context === null || context === "" ? {} : { context }),
    ...text,
    ...(description === null ? {} : { description }),
    ...(maxLength == null ? {} : { maxLength }),
    ...(tags === undefined || tags.length === 0 ? {} : { tags: [...tags] }),
  };
}

/**
 * Returns the archived key with all its fields, so that it is restored unchanged; `null` if it has no source text, without
 * which it cannot be sent (§ Key states: "key sent again with its source text").
 */
export function restoredKey(archived: Key): SyncKey | null {
  const { isPlural, source } = archived;
  // A service may also send the member that the key does not use.
  const text: Text = isPlural ? { forms: source.forms ?? {} } : { value: source.value ?? "" };
  return isEmptyText(text) ? null : syncKey(archived, text, archived);
}
