/** Keys by patterns as the project file has them (`validation.*`); `*` stands for anything. */
import { NO_NAMESPACE, type KeyName } from "./identity.ts";

/** Says of a name, as code or a person writes it, whether the pattern means it. */
export function keyGlob(glob: string): (name: string) => boolean {
  const pattern = glob.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(/\*+/g, ".*");
  const regexp = new RegExp(`^${pattern}$`, "su");
  return (name) => regexp.test(name);
}

/** How a key is written where its namespace is said too. */
export function writtenNames({ namespace, key }: KeyName): readonly string[] {
  return namespace === NO_NAMESPACE ? [key] : [`${namespace}.${key}`, `${namespace}:${key}`];
}
