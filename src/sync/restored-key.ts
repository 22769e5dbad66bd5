/** The item of `POST /keys/sync` that restores an archived key. */
import type { Key, SyncKey } from "../api/schemas.ts";
import { NO_NAMESPACE } from "../model/key-identity.ts";
import { isEmptyText, type Text } from "../model/text.ts";

/**
 * Returns the archived key with all its fields, so that it is restored unchanged; `null` if it has no source text, without
 * which it cannot be sent (§ Key states: "key sent again with its source text").
 */
export function restoredKey(archived: Key): SyncKey | null {
  const { namespace, key, context, isPlural, source, description, maxLength, tags } = archived;
  // A service may also send the member that the key does not use.
  const text: Text = isPlural ? { forms: source.forms ?? {} } : { value: source.value ?? "" };
  if (isEmptyText(text)) return null;
  return {
    key,
    ...(namespace === NO_NAMESPACE ? {} : { namespace }),
    ...(context === null || context === "" ? {} : { context }),
    ...text,
    ...(description === null ? {} : { description }),
    ...(maxLength === null ? {} : { maxLength }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}
