/** Key references as they are stored: as JSON, and resolved to the project's keys. */
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { ReferenceResolution } from "../../database/key-usage-repository.ts";
import {
  certainKeys,
  type KeyReference,
  type KeyResolutionOptions,
  resolveKey,
} from "./resolve-usage-to-key.ts";

type ReferenceTuple = readonly [
  key: string | readonly [prefix: string, suffix: string],
  namespaces: KeyReference["namespaces"],
  keyPrefix: string,
  context: string | null,
  /** What else the call has. */
  flags: readonly Flag[],
];

const FLAGS = [
  "dynamicContext",
  "plural",
  "ordinal",
  "openOptions",
  "isMessage",
  "isUncertain",
  "isLearned",
] as const;
type Flag = (typeof FLAGS)[number];

/** Equal references have equal texts. */
export function serializeKeyReference(reference: KeyReference): string {
  const { expression, namespaces, keyPrefix, context } = reference;
  const key =
    expression.kind === "static" ? expression.key : ([expression.prefix, expression.suffix] as const);
  const flags = FLAGS.filter((flag) => reference[flag] === true);
  return JSON.stringify([key, namespaces, keyPrefix, context, flags] satisfies ReferenceTuple);
}

export function parseKeyReference(text: string): KeyReference {
  const [key, namespaces, keyPrefix, context, flags] = JSON.parse(text) as ReferenceTuple;
  return {
    expression:
      typeof key === "string" ? { kind: "static", key } : { kind: "pattern", prefix: key[0], suffix: key[1] },
    namespaces,
    keyPrefix,
    context,
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
  };
}

/** A limit would make the remaining keys look unused. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Resolves a serialized reference to the project's keys: one, several, possibly some, or none. */
export function resolveStoredReference(
  text: string,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): ReferenceResolution {
  const reference = parseKeyReference(text);
  const found = resolveKey(reference, names, { ...options, patternLimit: NO_LIMIT });
  switch (found.kind) {
    case "known":
    case "intermediate":
      return { kind: "keys", hashes: hashesOf(certainKeys(found, reference, names, options)) };
    case "unknown":
      return { kind: "unknown", names: found.candidates };
    case "pattern":
    case "undeterminable": {
      const { prefix, suffix, matches } =
        found.kind === "pattern" ? found : { prefix: "", suffix: "", matches: [] };
      const start = reference.keyPrefix === "" ? "" : `${reference.keyPrefix}.`;
      return {
        kind: "pattern",
        prefix,
        suffix,
        pattern: `${start}${prefix}*${suffix}`,
        hashes: hashesOf(matches),
      };
    }
  }
}

function hashesOf(keys: readonly { readonly hash: string }[]): readonly string[] {
  return [...new Set(keys.map(({ hash }) => hash))];
}
