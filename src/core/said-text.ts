/** What a use of a key says, as one text; the same text always means the same. */
import type { SaidKey } from "./key-lookup.ts";

const UNIT = "\u001f";
const ITEM = "\u001e";

export function writeSaid({ used, namespaces, keyPrefix, context, dynamicContext }: SaidKey): string {
  const key = used.kind === "static" ? used.key : `${used.prefix}${ITEM}${used.suffix}`;
  const bound = namespaces === null ? "" : namespaces === "unknown" ? "?" : `=${namespaces.join(ITEM)}`;
  const kind = `${used.kind === "static" ? "s" : "p"}${dynamicContext === true ? "*" : ""}`;
  return [kind, key, bound, keyPrefix, context === null ? "" : `=${context}`].join(UNIT);
}

/** What `writeSaid` wrote. */
export function readSaid(text: string): SaidKey {
  const [kind = "", key = "", bound = "", keyPrefix = "", context = ""] = text.split(UNIT);
  const [prefix = "", suffix = ""] = key.split(ITEM);
  return {
    used: kind.startsWith("s") ? { kind: "static", key } : { kind: "pattern", prefix, suffix },
    namespaces: bound === "" ? null : bound === "?" ? "unknown" : bound.slice(1).split(ITEM),
    keyPrefix,
    context: context === "" ? null : context.slice(1),
    ...(kind.endsWith("*") ? { dynamicContext: true as const } : {}),
  };
}
