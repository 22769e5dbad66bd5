/**
 * The names of the keys that a project has, made for asking: is this one there, what begins like this. Built
 * once for each new set of keys and never changed; it knows nothing of texts or of how code says a key.
 */
import type { KeyName } from "./identity.ts";

/** A key by its hash and name. */
export interface NamedKey extends KeyName {
  readonly hash: string;
}

/** The keys of one namespace without a context, and those with one. */
interface Namespace {
  readonly plain: Map<string, NamedKey>;
  /** By key, then by context. */
  readonly withContext: Map<string, Map<string, NamedKey>>;
  /** All names in code-unit order; made when first asked for. */
  sorted: readonly string[] | null;
}

export class KeyNames {
  readonly #namespaces = new Map<string, Namespace>();
  readonly size: number;

  constructor(keys: Iterable<NamedKey>) {
    let size = 0;
    for (const key of keys) {
      size++;
      let namespace = this.#namespaces.get(key.namespace);
      if (namespace === undefined) {
        namespace = { plain: new Map(), withContext: new Map(), sorted: null };
        this.#namespaces.set(key.namespace, namespace);
      }
      if (key.context === null || key.context === "") namespace.plain.set(key.key, key);
      else {
        const contexts = namespace.withContext.get(key.key);
        if (contexts === undefined) namespace.withContext.set(key.key, new Map([[key.context, key]]));
        else contexts.set(key.context, key);
      }
    }
    this.size = size;
  }

  /** The key of that name, if there is one. An empty context counts as none. */
  get(namespace: string, key: string, context: string | null = null): NamedKey | undefined {
    const found = this.#namespaces.get(namespace);
    if (found === undefined) return undefined;
    if (context === null || context === "") return found.plain.get(key);
    return found.withContext.get(key)?.get(context);
  }

  /** Any key of that name, whatever its context. */
  withAnyContext(namespace: string, key: string): NamedKey | undefined {
    const found = this.#namespaces.get(namespace);
    return found?.plain.get(key) ?? found?.withContext.get(key)?.values().next().value;
  }

  hasNamespace(namespace: string): boolean {
    return this.#namespaces.has(namespace);
  }

  namespaces(): Iterable<string> {
    return this.#namespaces.keys();
  }

  /** Whether a key of the namespace begins with `prefix`. */
  hasPrefix(namespace: string, prefix: string): boolean {
    const sorted = this.#sorted(namespace);
    return sorted[firstFrom(sorted, prefix)]?.startsWith(prefix) === true;
  }

  /** Keys of the namespace that begin and end so, in order, at most `limit`; contexts of one name count singly. */
  matching(namespace: string, prefix: string, suffix: string, limit: number): readonly NamedKey[] {
    const found: NamedKey[] = [];
    const sorted = this.#sorted(namespace);
    const shortest = prefix.length + suffix.length;
    for (let index = firstFrom(sorted, prefix); index < sorted.length && found.length < limit; index++) {
      const key = sorted[index] ?? "";
      if (!key.startsWith(prefix)) break;
      if (key.length < shortest || !key.endsWith(suffix)) continue;
      const plain = this.get(namespace, key);
      if (plain !== undefined) found.push(plain);
      const contexts = this.#namespaces.get(namespace)?.withContext.get(key);
      if (contexts !== undefined) found.push(...contexts.values());
    }
    return found;
  }

  #sorted(name: string): readonly string[] {
    const namespace = this.#namespaces.get(name);
    if (namespace === undefined) return [];
    if (namespace.sorted === null) {
      const names = [...namespace.plain.keys()];
      for (const key of namespace.withContext.keys()) if (!namespace.plain.has(key)) names.push(key);
      namespace.sorted = names.sort();
    }
    return namespace.sorted;
  }
}

/** Index of the first name that is not before `prefix`. */
function firstFrom(sorted: readonly string[], prefix: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
