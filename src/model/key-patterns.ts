/** Key patterns of the project file (`validation.*`), where `*` matches any characters. */
import { NO_NAMESPACE, type KeyName } from "./key-identity.ts";

/**
 * Returns a predicate for names as code or a user writes them. It does not backtrack, since patterns come from the
 * repository and may be hostile.
 */
export function keyPatternMatcher(glob: string): (name: string) => boolean {
  const [first = "", ...rest] = glob.split(/\*+/u);
  const last = rest.pop();
  if (last === undefined) return (name) => name === glob;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}

/** Returns the ways to write a key together with its namespace. */
export function qualifiedNames({ namespace, key }: KeyName): readonly string[] {
  return namespace === NO_NAMESPACE ? [key] : [`${namespace}.${key}`, `${namespace}:${key}`];
}
