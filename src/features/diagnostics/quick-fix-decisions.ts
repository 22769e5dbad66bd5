/** What quick fixes decide: the name of a new entry, and the keys of a rule. Knows nothing of VS Code. */
import type { KeyName } from "../../model/key-hash.ts";

/**
 * Returns the name that an unknown key gets in the translation files: one in a namespace of the project, if there is one.
 * @param prefersGroup whether a namespace is preferred to `*`
 */
export function nameOfEntry(
  candidates: readonly KeyName[],
  known: { readonly hasNamespace: (namespace: string) => boolean },
  prefersGroup: boolean,
): KeyName | undefined {
  const fitting = candidates.filter(({ namespace }) => known.hasNamespace(namespace));
  const inGroup = prefersGroup ? fitting.find(({ namespace }) => namespace !== "*") : undefined;
  return inGroup ?? fitting[0] ?? candidates[0];
}

/** Returns `cart.items.*` for `cart.items.one`; `undefined` for a sentence. */
export function groupOf(key: string): string | undefined {
  const end = Math.max(key.lastIndexOf("."), key.lastIndexOf(":"));
  return end <= 0 || /\s/.test(key) ? undefined : `${key.slice(0, end + 1)}*`;
}
