/** A text of a key on one line of a label. */
import { isForms, type Text } from "../core/text.ts";
import { labelText } from "./markdown.ts";

/** The value, or each form behind its category; empty for no text. */
export function textLabel(text: Text | null): string {
  if (text === null) return "";
  if (!isForms(text)) return labelText(text.value);
  return Object.entries(text.forms)
    .map(([category, form]) => `${category}: ${labelText(form)}`)
    .join(" · ");
}
