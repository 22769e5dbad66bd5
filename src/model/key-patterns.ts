/** Keys by patterns as the project file has them (`validation.*`); `*` stands for anything. */
import { NO_NAMESPACE, type KeyName } from "./key-identity.ts";

/**
 * Says of a name, as code or a person writes it, whether the pattern means it. In time that grows with name and pattern
 * alone, not with what could be tried: a pattern is whoever's who wrote the repository.
 */
export function keyGlob(glob: string): (name: string) => boolean {
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

/** How a key is written where its namespace is said too. */
export function writtenNames({ namespace, key }: KeyName): readonly string[] {
  return namespace === NO_NAMESPACE ? [key] : [`${namespace}.${key}`, `${namespace}:${key}`];
}
