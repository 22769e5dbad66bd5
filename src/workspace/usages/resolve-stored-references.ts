/** Resolves a stored reference to the project's keys: one, several, possibly some, or none. */
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { ReferenceResolution } from "../../database/usage-repository.ts";
import {
  inAnyDomain,
  type KeyReference,
  type KeyResolutionOptions,
  resolveKey,
} from "./resolve-usage-to-key.ts";

/** A limit would make the remaining keys look unused. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

export function resolveReference(
  reference: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): ReferenceResolution {
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
): ReferenceResolution {
  const pattern = `${keyPrefix === "" ? "" : `${keyPrefix}.`}${prefix}*${suffix}`;
  return { kind: "pattern", prefix, suffix, pattern, hashes };
}

function hashesOf(keys: readonly { readonly hash: string }[]): readonly string[] {
  return [...new Set(keys.map(({ hash }) => hash))];
}
