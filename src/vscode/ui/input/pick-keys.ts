/** A quick pick of keys that a command is about to change. */
import { NO_NAMESPACE, type KeyName } from "../../../model/key-hash.ts";
import { plainText, type Text } from "../../../model/translation-text.ts";
import { labelText } from "../text/escape-text.ts";
import { pickMany } from "./quick-pick.ts";

/**
 * Returns the keys that stay checked.
 *
 * @param icon of every row
 * @param isChecked whether the rows are checked initially
 * @throws {CommandError} `cancelled` if the list was dismissed.
 */
export function pickKeys<Key extends KeyName & { readonly text: Text | null }>(
  title: string,
  placeholder: string,
  icon: string,
  keys: readonly Key[],
  isChecked = true,
): Promise<Key[]> {
  const items = keys.map((key) => ({
    label: `$(${icon}) ${labelText(key.context === null ? key.key : `${key.key} (${key.context})`)}`,
    description: key.namespace === NO_NAMESPACE ? "" : labelText(key.namespace),
    detail: labelText(plainText(key.text)),
    picked: isChecked,
    value: key,
  }));
  return pickMany(title, placeholder, items);
}
