/** Serialises key references as JSON; equal references have equal texts. */
import type { KeyReference } from "./resolve-usage-to-key.ts";

type StoredReference = readonly [
  key: string | readonly [prefix: string, suffix: string],
  namespaces: KeyReference["namespaces"],
  keyPrefix: string,
  context: string | null,
  dynamicContext: boolean,
];

export function serializeKeyReference(reference: KeyReference): string {
  const { expression, namespaces, keyPrefix, context, dynamicContext = false } = reference;
  const key =
    expression.kind === "static" ? expression.key : ([expression.prefix, expression.suffix] as const);
  return JSON.stringify([key, namespaces, keyPrefix, context, dynamicContext] satisfies StoredReference);
}

/** Parses the result of `serializeKeyReference`. */
export function parseKeyReference(text: string): KeyReference {
  const [key, namespaces, keyPrefix, context, dynamicContext] = JSON.parse(text) as StoredReference;
  return {
    expression:
      typeof key === "string" ? { kind: "static", key } : { kind: "pattern", prefix: key[0], suffix: key[1] },
    namespaces,
    keyPrefix,
    context,
    ...(dynamicContext ? { dynamicContext: true as const } : {}),
  };
}
