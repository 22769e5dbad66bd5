/** Length of texts for `maxLength` (§ Key), in code points; the document does not specify the unit. */
import { isForms, type Text } from "./text.ts";

/** Returns the number of code points. */
export function codePointCount(value: string): number {
  return Array.from(value).length;
}

/** Returns the code points of the value, or of the longest form. */
export function textLength(text: Text): number {
  return isForms(text)
    ? Math.max(0, ...Object.values(text.forms).map(codePointCount))
    : codePointCount(text.value);
}
