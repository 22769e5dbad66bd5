/** Dynamic usages that may refer to any key of a scope, beyond those that patterns match. */
import { keySeparatorOf } from "../../frameworks/key-candidates.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import {
  basesOf,
  isGettextOnly,
  type KeyReference,
  type KeyResolutionOptions,
  mayHaveVariants,
  scopeOfDynamicCall,
} from "./resolve-usage-to-key.ts";

/** The pattern of a usage that may refer to any key. */
export const ANY_KEY = "*";

/**
 * Returns a function that finds a dynamic usage of a key beyond those that patterns match (a call without any literal
 * part of the key, or of a translator whose namespace and prefix are unknown) and returns its pattern.
 * @param references key references of the code, of every kind
 */
export function dynamicUsageMatcher(
  references: Iterable<KeyReference>,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): (key: KeyName) => string | undefined {
  /** Whether a call without any literal part may use any key. */
  let isAnyKey = false;
  /** Prefixes of the keys that such calls may use, by namespace. */
  const prefixesByNamespace = new Map<string, Set<string>>();
  /** Keys that may follow any prefix, and the literal parts of such keys by pattern. */
  const unboundKeys = new Set<string>();
  /** Those of them that may have variants. */
  const unboundBases = new Set<string>();
  const unboundParts = new Map<string, { readonly prefix: string; readonly suffix: string }>();
  for (const usage of references) {
    const { expression, namespaces } = usage;
    if (expression.kind === "static") {
      if (namespaces !== "unknown") continue;
      unboundKeys.add(expression.key);
      if (mayHaveVariants(usage)) unboundBases.add(expression.key);
    } else if (expression.prefix + expression.suffix === "") {
      const scope = scopeOfDynamicCall(usage, names, options);
      if (scope === null) isAnyKey = true;
      for (const [namespace, prefix] of scope ?? [])
        getOrCreate(prefixesByNamespace, namespace, () => new Set()).add(prefix);
    } else if (namespaces === "unknown") {
      unboundParts.set(`${expression.prefix}${ANY_KEY}${expression.suffix}`, expression);
    }
  }
  // Without a separator keys have no prefix, nor do gettext's texts.
  const separator = isGettextOnly(options) ? "" : keySeparatorOf(options);
  return ({ namespace, key }) => {
    for (const prefix of prefixesByNamespace.get(namespace) ?? []) {
      if (key.startsWith(prefix)) return `${prefix}${ANY_KEY}`;
    }
    const parts = separator === "" ? [key] : key.split(separator);
    // The key itself, and what follows each of its prefixes.
    const rests = parts.map((_, index) => parts.slice(index).join(separator));
    const isBase = (name: string): boolean => unboundBases.has(name);
    const unbound = rests.find((rest) => unboundKeys.has(rest) || basesOf(rest, options).some(isBase));
    if (unbound !== undefined) return `${ANY_KEY}${unbound}`;
    for (const [pattern, { prefix, suffix }] of unboundParts) {
      if (!key.endsWith(suffix) || key.length < prefix.length + suffix.length) continue;
      if (rests.some((rest) => rest.startsWith(prefix))) return pattern;
    }
    return isAnyKey ? ANY_KEY : undefined;
  };
}
