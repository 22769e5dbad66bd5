/**
 * Finds the keys that dynamic calls may use beyond those that patterns match: calls without any literal part of the
 * key, and calls of a translator whose namespace and prefix are unknown.
 */
import { getOrCreate } from "../../model/maps.ts";
import type { KeyName } from "../../model/key-hash.ts";
import {
  isGettextOnly,
  keySeparatorOf,
  scopeOfOpenCall,
  type KeyResolutionOptions,
  type KeyReference,
} from "./resolve-usage-to-key.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";

const ANY_KEY = "*";

/** The literal parts of a key that may follow any prefix. */
interface UnboundPart {
  readonly prefix: string;
  readonly suffix: string;
}

export class DynamicUsages {
  readonly #separator: string;
  /** Whether an open call may use any key. */
  #isAnyKey = false;
  /** Prefixes of the keys that open calls may use, by namespace. */
  readonly #open = new Map<string, Set<string>>();
  readonly #unboundKeys = new Set<string>();
  readonly #unboundParts = new Map<string, UnboundPart>();

  /**
   * @param references key references of the code, of every kind
   * @param names the project's key names
   */
  constructor(references: Iterable<KeyReference>, names: KeyNameQueries, options: KeyResolutionOptions) {
    // Without a separator keys have no prefix, nor do gettext's texts.
    this.#separator = isGettextOnly(options) ? "" : keySeparatorOf(options);
    for (const usage of references) this.#add(usage, names, options);
  }

  /** Returns a pattern that may use the key; `undefined` if there is none. */
  patternMatching({ namespace, key }: KeyName): string | undefined {
    const open = this.#open.get(namespace);
    if (open !== undefined) {
      for (const prefix of open) if (key.startsWith(prefix)) return `${prefix}${ANY_KEY}`;
    }
    for (const rest of this.#withoutPrefixes(key)) if (this.#unboundKeys.has(rest)) return `*${rest}`;
    for (const [pattern, { prefix, suffix }] of this.#unboundParts) {
      if (!key.endsWith(suffix) || key.length < prefix.length + suffix.length) continue;
      for (const rest of this.#withoutPrefixes(key)) if (rest.startsWith(prefix)) return pattern;
    }
    return this.#isAnyKey ? ANY_KEY : undefined;
  }

  #add(usage: KeyReference, names: KeyNameQueries, options: KeyResolutionOptions): void {
    const { expression, namespaces } = usage;
    if (expression.kind === "static") {
      if (namespaces === "unknown") this.#unboundKeys.add(expression.key);
    } else if (expression.prefix + expression.suffix !== "") {
      const { prefix, suffix } = expression;
      if (namespaces === "unknown")
        this.#unboundParts.set(`${prefix}${ANY_KEY}${suffix}`, { prefix, suffix });
    } else {
      const reach = scopeOfOpenCall(usage, names, options);
      if (reach === null) this.#isAnyKey = true;
      for (const [namespace, prefix] of reach ?? [])
        getOrCreate(this.#open, namespace, () => new Set()).add(prefix);
    }
  }

  /** Yields the key, and its remainder after each of its prefixes. */
  *#withoutPrefixes(key: string): Generator<string> {
    yield key;
    const { length } = this.#separator;
    if (length === 0) return;
    for (let at = key.indexOf(this.#separator); at !== -1; at = key.indexOf(this.#separator, at + length)) {
      yield key.slice(at + length);
    }
  }
}
