/** How long a text is, for `maxLength` (§ Key). The document does not say what is counted; here code points are. */
import { isForms, type Text } from "./text.ts";

/** Code points of a value. */
export function lengthOf(value: string): number {
  return Array.from(value).length;
}

/** Code points of the value, or of the longest form. */
export function textLength(text: Text): number {
  return isForms(text) ? Math.max(0, ...Object.values(text.forms).map(lengthOf)) : lengthOf(text.value);
}
