/**
 * Determines how code must write a key at a location so that it resolves to it: the inverse of key-resolution.ts,
 * which verifies every spelling.
 */
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import { resolveName, type KeyResolutionOptions, type KeyReference } from "./key-resolution.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";

/** Returns the text that makes the usage refer to the key; `null` if none does. */
export function spellingOf(
  usage: KeyReference,
  key: NamedKey,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): string | null {
  for (const spelling of spellings(usage, key, options)) {
    if (resolveName(usage, spelling, names, options)?.hash === key.hash) return spelling;
  }
  return null;
}

/** Yields the likeliest spelling first, which is usually the right one. */
function* spellings(usage: KeyReference, key: NamedKey, options: KeyResolutionOptions): Generator<string> {
  const { keyPrefix, namespaces } = usage;
  const separator = options.keySeparator ?? ".";
  const prefix = `${keyPrefix}${separator === false ? "" : separator}`;
  const isBound = Array.isArray(namespaces) && namespaces.includes(key.namespace);
  const isPlain = key.namespace === NO_NAMESPACE;
  if (keyPrefix !== "") {
    // next-intl's namespace may be a path that starts with the service's own.
    for (const path of isPlain ? [key.key] : [key.key, `${key.namespace}.${key.key}`]) {
      if (path.startsWith(prefix) && path.length > prefix.length) yield path.slice(prefix.length);
    }
    // The prefix precedes every key, so there are no other spellings.
    return;
  }
  if (Array.isArray(namespaces) && isPlain) {
    for (const namespace of namespaces) {
      const start = `${namespace}${separator === false ? "" : separator}`;
      if (key.key.startsWith(start) && key.key.length > start.length) yield key.key.slice(start.length);
    }
  }
  if (isBound || isPlain) yield key.key;
  if (isPlain) return;
  const colon = options.namespaceSeparator ?? ":";
  const named = colon === false ? [] : [`${key.namespace}${colon}${key.key}`];
  const dotted = `${key.namespace}.${key.key}`;
  if (options.frameworks.has("i18next")) yield* [...(isBound ? [] : [key.key]), ...named, dotted];
  else yield* [dotted, ...(isBound ? [] : [key.key]), ...named];
}
