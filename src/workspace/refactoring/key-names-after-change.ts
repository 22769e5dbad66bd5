/** The key names of a project after one key was added, removed or renamed. */
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";

export class ChangedNames implements KeyNameQueries {
  readonly #before: KeyNameQueries;
  readonly #removedHash: string | null;
  readonly #added: NamedKey;
  readonly #namespaces: readonly string[];

  /** @param removedHash hash of the removed key; `null`: none is removed */
  constructor(before: KeyNameQueries, removedHash: string | null, added: NamedKey) {
    this.#before = before;
    this.#removedHash = removedHash;
    this.#added = added;
    const namespaces = new Set([...before.namespaces(), added.namespace]);
    this.#namespaces = [...namespaces].filter((namespace) => this.hasPrefix(namespace, ""));
  }

  get(namespace: string, key: string, context: string | null = null): NamedKey | undefined {
    const added = this.#added;
    if (added.namespace === namespace && added.key === key && added.context === context) return added;
    const found = this.#before.get(namespace, key, context);
    return found?.hash === this.#removedHash ? undefined : found;
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
      .filter(({ hash }) => hash !== this.#removedHash && hash !== added.hash);
    const isMatch =
      added.namespace === namespace &&
      added.key.length >= prefix.length + suffix.length &&
      added.key.startsWith(prefix) &&
      added.key.endsWith(suffix);
    if (isMatch) {
      const index = found.findIndex((other) => isBefore(added, other));
      found.splice(index === -1 ? found.length : index, 0, added);
    }
    return found.slice(0, limit);
  }
}

/** Compares names in sort order; a key without a context comes first. */
function isBefore(one: NamedKey, other: NamedKey): boolean {
  return one.key < other.key || (one.key === other.key && one.context === null);
}
