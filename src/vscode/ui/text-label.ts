/** A key's name, and a text of a key, on one line of a label. */
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { isForms, type Text } from "../../model/text.ts";
import { labelText, oneLine } from "../markdown.ts";

/** A key's name on one line: `namespace › key (context)`. */
export function keyLabel({ namespace, key, context }: KeyName): string {
  const prefix = namespace === NO_NAMESPACE ? "" : `${namespace} › `;
  return oneLine(`${prefix}${key}${context === null ? "" : ` (${context})`}`);
}

/** The value, or each form behind its category; empty for no text. */
export function textLabel(text: Text | null): string {
  if (text === null) return "";
  if (!isForms(text)) return labelText(text.value);
  return Object.entries(text.forms)
    .map(([category, form]) => `${category}: ${labelText(form)}`)
    .join(" · ");
}
