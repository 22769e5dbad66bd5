/** The key names of a project after one key was added, removed or renamed. */
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";

export class ChangedNames implements KeyNameQueries {
  readonly #before: KeyNameQueries;
  /** The hash of the removed key. */
  readonly #without: string | null;
  readonly #added: NamedKey;
  readonly #namespaces: readonly string[];

  /** `without`: the hash of the removed key; `added`: the new key. */
  constructor(before: KeyNameQueries, without: string | null, added: NamedKey) {
    this.#before = before;
    this.#without = without;
    this.#added = added;
    const all = new Set([...before.namespaces(), added.namespace]);
    this.#namespaces = [...all].filter((namespace) => this.hasPrefix(namespace, ""));
  }

  get(namespace: string, key: string, context: string | null = null): NamedKey | undefined {
    const added = this.#added;
    if (added.namespace === namespace && added.key === key && added.context === context) return added;
    const found = this.#before.get(namespace, key, context);
    return found?.hash === this.#without ? undefined : found;
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
    const added = this.#added;
    const found = this.#before
      .matching(namespace, prefix, suffix, limit + 2)
      .filter(({ hash }) => hash !== this.#without && hash !== added.hash);
    const isAmong =
      added.namespace === namespace &&
      added.key.length >= prefix.length + suffix.length &&
      added.key.startsWith(prefix) &&
      added.key.endsWith(suffix);
    if (isAmong) {
      const place = found.findIndex((other) => isBefore(added, other));
      found.splice(place === -1 ? found.length : place, 0, added);
    }
    return found.slice(0, limit);
  }
}

/** Compares names in sort order; a key without a context comes first. */
function isBefore(one: NamedKey, other: NamedKey): boolean {
  return one.key < other.key || (one.key === other.key && one.context === null);
}
