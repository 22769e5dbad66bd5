/**
 * How code has to say a key at a certain place so that it is found there again: the other way round of
 * key-lookup.ts, which has the last word on every spelling.
 */
import { NO_NAMESPACE } from "./identity.ts";
import { lookUp, type LookupOptions, type SaidKey } from "./key-lookup.ts";
import type { AskedNames, NamedKey } from "./key-names.ts";

/** What the use would have to say to mean the key; `null`: nothing at that place means it. */
export function spellingOf(
  use: SaidKey,
  key: NamedKey,
  names: AskedNames,
  options: LookupOptions,
): string | null {
  for (const spelling of spellings(use, key, options)) {
    const found = lookUp({ ...use, used: { kind: "static", key: spelling } }, names, options);
    if (found.kind === "known" && found.key.hash === key.hash) return spelling;
  }
  return null;
}

/** The likeliest first; cheap, since most places take the first. */
function* spellings(use: SaidKey, key: NamedKey, options: LookupOptions): Generator<string> {
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
