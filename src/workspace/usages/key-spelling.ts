/**
 * How code has to say a key at a certain place so that it is found there again: the other way round of
 * key-resolution.ts, which has the last word on every spelling.
 */
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import { resolveName, type KeyResolutionOptions, type KeyReference } from "./key-resolution.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-names.ts";

/** What the use would have to say to mean the key; `null`: nothing at that place means it. */
export function spellingOf(
  use: KeyReference,
  key: NamedKey,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): string | null {
  for (const spelling of spellings(use, key, options)) {
    if (resolveName(use, spelling, names, options)?.hash === key.hash) return spelling;
  }
  return null;
}

/** The likeliest first; cheap, since most places take the first. */
function* spellings(use: KeyReference, key: NamedKey, options: KeyResolutionOptions): Generator<string> {
  const { keyPrefix, namespaces } = use;
  const separator = options.keySeparator ?? ".";
  const prefix = `${keyPrefix}${separator === false ? "" : separator}`;
  const isBound = Array.isArray(namespaces) && namespaces.includes(key.namespace);
  const isPlain = key.namespace === NO_NAMESPACE;
  if (keyPrefix !== "") {
    // next-intl's namespace may be a path that begins with the service's own.
    for (const path of isPlain ? [key.key] : [key.key, `${key.namespace}.${key.key}`]) {
      if (path.startsWith(prefix) && path.length > prefix.length) yield path.slice(prefix.length);
    }
    // The prefix is put before whatever is said, so nothing else can be.
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
