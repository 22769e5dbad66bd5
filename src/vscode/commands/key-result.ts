/** Keys as commands return them: in the shape of the service (§ Key). */
import type { Key } from "../../api/response-schemas.ts";
import type { ProjectKey } from "../../database/records.ts";
import { isForms } from "../../model/translation-text.ts";

/** Converts an active key to the shape of the service. */
export function plainKey(key: ProjectKey): Key {
  const { text, tags, updatedAt, ...fields } = key;
  const source = text === null ? {} : isForms(text) ? { forms: { ...text.forms } } : { value: text.value };
  return { ...fields, source, tags: [...tags], archived: false, updatedAt };
}
