/** What a stored reference means among the project's keys: one, several, perhaps some, or none of them. */
import type { KeyNameQueries } from "../../database/key-names.ts";
import type { ReferenceMeaning } from "../../database/usage-repository.ts";
import { inAnyDomain, type KeyReference, type KeyResolutionOptions, resolveKey } from "./key-resolution.ts";

/** Every key that a pattern covers counts, or it would be taken for unused. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

export function meaningOf(
  reference: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): ReferenceMeaning {
  const { keyPrefix, dynamicContext } = reference;
  const found = resolveKey(reference, names, { ...options, patternLimit: NO_LIMIT });
  switch (found.kind) {
    case "known": {
      const { namespace, key } = found.key;
      // `t("friend", { context: x })` uses every `friend_…` too.
      const variants = dynamicContext === true ? names.matching(namespace, `${key}_`, "", NO_LIMIT) : [];
      const keys = [found.key, ...variants, ...inAnyDomain(reference, names, options)];
      return { kind: "keys", hashes: hashesOf(keys) };
    }
    case "intermediate":
      return { kind: "keys", hashes: hashesOf(names.matching(found.namespace, found.prefix, "", NO_LIMIT)) };
    case "pattern":
      return patternOf(keyPrefix, found.prefix, found.suffix, hashesOf(found.matches));
    case "undeterminable":
      return patternOf(keyPrefix, "", "", []);
    case "unknown":
      return { kind: "unknown", names: found.candidates };
  }
}

function patternOf(
  keyPrefix: string,
  prefix: string,
  suffix: string,
  hashes: readonly string[],
): ReferenceMeaning {
  const pattern = `${keyPrefix === "" ? "" : `${keyPrefix}.`}${prefix}*${suffix}`;
  return { kind: "pattern", prefix, suffix, pattern, hashes };
}

function hashesOf(keys: readonly { readonly hash: string }[]): readonly string[] {
  return [...new Set(keys.map(({ hash }) => hash))];
}
