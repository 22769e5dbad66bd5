/** A quick pick of keys that a command is about to change. */
import { NO_NAMESPACE } from "../../../model/key-hash.ts";
import { plainText } from "../../../model/translation-text.ts";
import type { ProjectKey } from "../../../database/records.ts";
import { labelText } from "../text/escape-text.ts";
import { pickMany } from "./quick-pick.ts";

/** Returns the keys that stay checked; `undefined` if the list was dismissed. `icon`: of every row. */
export function pickKeys(
  title: string,
  placeholder: string,
  icon: string,
  keys: readonly ProjectKey[],
): Promise<ProjectKey[] | undefined> {
  const items = keys.map((key) => ({
    label: `$(${icon}) ${labelText(key.key)}`,
    description: key.namespace === NO_NAMESPACE ? "" : labelText(key.namespace),
    detail: labelText(plainText(key.text)),
    picked: true,
    value: key,
  }));
  return pickMany(title, placeholder, items);
}
