/**
 * The names of a project's keys as they will be after one of them was added, taken out or renamed: what is asked of them
 * before it is done, without all the other names being made ready again.
 */
import { KeyNames, type AskedNames, type NamedKey } from "./key-names.ts";

export class ChangedNames implements AskedNames {
  readonly #before: AskedNames;
  /** The hash of the key that is taken out. */
  readonly #without: string | null;
  readonly #added: KeyNames;
  readonly #namespaces: readonly string[];

  /** `without`: the hash of a key that is no longer there, if it was; `added`: one that is, if it was not. */
  constructor(before: AskedNames, without: string | null, added: NamedKey) {
    this.#before = before;
    this.#without = without;
    this.#added = KeyNames.of([added]);
    const all = new Set([...before.namespaces(), added.namespace]);
    this.#namespaces = [...all].filter((namespace) => this.hasPrefix(namespace, ""));
  }

  get(namespace: string, key: string, context: string | null = null): NamedKey | undefined {
    return this.#added.get(namespace, key, context) ?? this.#left(this.#before.get(namespace, key, context));
  }

  withAnyContext(namespace: string, key: string): NamedKey | undefined {
    const added = this.#added.withAnyContext(namespace, key);
    if (added?.context === null) return added;
    const left = this.#left(this.#before.withAnyContext(namespace, key));
    // The one that is taken out may have others of its name.
    const others = left === undefined ? this.matching(namespace, key, "", Number.POSITIVE_INFINITY) : [left];
    return others.find((other) => other.key === key) ?? added;
  }

  hasNamespace(namespace: string): boolean {
    return this.#namespaces.includes(namespace);
  }

  namespaces(): Iterable<string> {
    return this.#namespaces;
  }

  hasPrefix(namespace: string, prefix: string): boolean {
    return this.matching(namespace, prefix, "", 1).length > 0;
  }

  matching(namespace: string, prefix: string, suffix: string, limit: number): readonly NamedKey[] {
    const added = this.#added.matching(namespace, prefix, suffix, limit);
    const hashes = new Set([this.#without, ...added.map(({ hash }) => hash)]);
    const left = this.#before.matching(namespace, prefix, suffix, limit + hashes.size);
    const found = left.filter(({ hash }) => !hashes.has(hash));
    for (const key of added) {
      const place = found.findIndex((other) => isBefore(key, other));
      found.splice(place === -1 ? found.length : place, 0, key);
    }
    return found.slice(0, limit);
  }

  #left(key: NamedKey | undefined): NamedKey | undefined {
    return key?.hash === this.#without ? undefined : key;
  }
}

/** As names are in order: a key without a context is the first of its name. */
function isBefore(one: NamedKey, other: NamedKey): boolean {
  return one.key < other.key || (one.key === other.key && one.context === null);
}
