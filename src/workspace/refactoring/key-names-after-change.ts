/** The key names of a project after keys were added, removed or renamed. */
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";

export class ChangedNames implements KeyNameQueries {
  readonly #before: KeyNameQueries;
  readonly #removed: ReadonlySet<string>;
  readonly #added: readonly NamedKey[];
  readonly #namespaces: readonly string[];

  /** @param removed hashes of the removed keys */
  constructor(before: KeyNameQueries, removed: Iterable<string>, added: readonly NamedKey[]) {
    this.#before = before;
    this.#removed = new Set([...removed, ...added.map(({ hash }) => hash)]);
    this.#added = added;
    const namespaces = new Set([...before.namespaces(), ...added.map(({ namespace }) => namespace)]);
    this.#namespaces = [...namespaces].filter((namespace) => this.hasPrefix(namespace, ""));
  }

  get(namespace: string, key: string, context: string | null = null): NamedKey | undefined {
    const added = this.#added.find(
      (each) => each.namespace === namespace && each.key === key && each.context === context,
    );
    if (added !== undefined) return added;
    const found = this.#before.get(namespace, key, context);
    return found === undefined || this.#removed.has(found.hash) ? undefined : found;
  }

  withAnyContext(namespace: string, key: string): NamedKey | undefined {
    // A name sorts before longer names that start with it.
    const [first] = this.matching(namespace, key, "", 1);
    return first?.key === key ? first : undefined;
  }

  hasNamespace(namespace: string): boolean {
    return this.#namespaces.includes(namespace);
  }

  namespaces(): readonly string[] {
    return this.#namespaces;
  }

  hasPrefix(namespace: string, prefix: string): boolean {
    return this.matching(namespace, prefix, "", 1).length > 0;
  }

  matching(namespace: string, prefix: string, suffix: string, limit: number): readonly NamedKey[] {
    const found = this.#before
      .matching(namespace, prefix, suffix, limit + this.#removed.size)
      .filter(({ hash }) => !this.#removed.has(hash));
    const added = this.#added.filter(
      (each) =>
        each.namespace === namespace &&
        each.key.length >= prefix.length + suffix.length &&
        each.key.startsWith(prefix) &&
        each.key.endsWith(suffix),
    );
    if (added.length > 0) found.push(...added);
    return (added.length > 0 ? found.sort(compareNames) : found).slice(0, limit);
  }
}

/** Compares names in sort order; a key without a context comes first. */
function compareNames(one: NamedKey, other: NamedKey): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return Number(one.context !== null) - Number(other.context !== null);
}
