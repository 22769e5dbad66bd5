/** A key's name, and a text of a key, on one line of a label. */
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { isForms, type Text } from "../../model/text.ts";
import type { OpenProject } from "../projects/project-handle.ts";
import { labelText, oneLine } from "../markdown.ts";

/** A key's name on one line, as code says it: `namespace.key (context)`. `separator`: the project's `namespaceSeparator`. */
export function keyLabel({ namespace, key, context }: KeyName, separator = "."): string {
  const prefix = namespace === NO_NAMESPACE ? "" : `${namespace}${separator}`;
  return oneLine(`${prefix}${key}${context === null ? "" : ` (${context})`}`);
}

/** The same in the words of the project's code. */
export function labelIn({ project }: OpenProject, name: KeyName): string {
  return keyLabel(name, project.namespaceSeparator);
}

/** The value, or each form behind its category; empty for no text. */
export function textLabel(text: Text | null): string {
  if (text === null) return "";
  if (!isForms(text)) return labelText(text.value);
  return Object.entries(text.forms)
    .map(([category, form]) => `${category}: ${labelText(form)}`)
    .join(" · ");
}
