/** What calls in code say of keys. */
import type { KeyReference } from "../../../../src/workspace/usages/resolve-usage-to-key.ts";

/** What a call says of a key, or of one with an open part: `status.…`. */
export function referenceTo(key: string, more: Partial<KeyReference> = {}): KeyReference {
  const [prefix = "", suffix] = key.split("…");
  const expression =
    suffix === undefined
      ? ({ kind: "static", key } as const)
      : ({ kind: "pattern", prefix, suffix } as const);
  return { expression, namespaces: null, keyPrefix: "", context: null, ...more };
}
