/** Serialises key references as JSON; equal references have equal texts. */
import type { KeyReference } from "./key-resolution.ts";

type StoredReference = readonly [
  key: string | readonly [prefix: string, suffix: string],
  namespaces: KeyReference["namespaces"],
  keyPrefix: string,
  context: string | null,
  dynamicContext: boolean,
];

export function serializeKeyReference(reference: KeyReference): string {
  const { used, namespaces, keyPrefix, context, dynamicContext = false } = reference;
  const key = used.kind === "static" ? used.key : ([used.prefix, used.suffix] as const);
  return JSON.stringify([key, namespaces, keyPrefix, context, dynamicContext] satisfies StoredReference);
}

/** Parses the result of `serializeKeyReference`. */
export function parseKeyReference(text: string): KeyReference {
  const [key, namespaces, keyPrefix, context, dynamicContext] = JSON.parse(text) as StoredReference;
  return {
    used:
      typeof key === "string" ? { kind: "static", key } : { kind: "pattern", prefix: key[0], suffix: key[1] },
    namespaces,
    keyPrefix,
    context,
    ...(dynamicContext ? { dynamicContext: true as const } : {}),
  };
}
