/**
 * Which keys code may mean without showing all of their name, beyond those that patterns match: calls that show no part
 * of the key, and calls of a translator whose namespace and prefix are out of sight.
 */
import type { KeyName } from "../../model/key-identity.ts";
import {
  isGettextOnly,
  scopeOfOpenCall,
  type KeyResolutionOptions,
  type KeyReference,
} from "./key-resolution.ts";
import type { KeyNameQueries } from "../../database/key-names.ts";

const ANY_KEY = "*";

/** A part of a key that may stand below any prefix. */
interface UnboundPart {
  readonly prefix: string;
  readonly suffix: string;
}

export class DynamicUsages {
  readonly #separator: string;
  /** An open call may mean any key. */
  #isAnyKey = false;
  /** By namespace, what the keys begin with that an open call may mean. */
  readonly #open = new Map<string, Set<string>>();
  readonly #unboundKeys = new Set<string>();
  readonly #unboundParts = new Map<string, UnboundPart>();

  /** `said`: what the code says, of every kind; `names`: the project's. */
  constructor(references: Iterable<KeyReference>, names: KeyNameQueries, options: KeyResolutionOptions) {
    const { keySeparator = "." } = options;
    // Without a separator a key has no prefix, and gettext's texts have none.
    this.#separator = keySeparator === false || isGettextOnly(options) ? "" : keySeparator;
    for (const use of references) this.#add(use, names, options);
  }

  /** What may mean the key, as a pattern; `undefined`: nothing does. */
  patternOf({ namespace, key }: KeyName): string | undefined {
    const open = this.#open.get(namespace);
    if (open !== undefined) {
      for (const prefix of open) if (key.startsWith(prefix)) return `${prefix}${ANY_KEY}`;
    }
    for (const rest of this.#rests(key)) if (this.#unboundKeys.has(rest)) return `*${rest}`;
    for (const [pattern, { prefix, suffix }] of this.#unboundParts) {
      if (!key.endsWith(suffix) || key.length < prefix.length + suffix.length) continue;
      for (const rest of this.#rests(key)) if (rest.startsWith(prefix)) return pattern;
    }
    return this.#isAnyKey ? ANY_KEY : undefined;
  }

  #add(use: KeyReference, names: KeyNameQueries, options: KeyResolutionOptions): void {
    const { used, namespaces } = use;
    if (used.kind === "static") {
      if (namespaces === "unknown") this.#unboundKeys.add(used.key);
    } else if (used.prefix + used.suffix !== "") {
      const { prefix, suffix } = used;
      if (namespaces === "unknown")
        this.#unboundParts.set(`${prefix}${ANY_KEY}${suffix}`, { prefix, suffix });
    } else {
      const reach = scopeOfOpenCall(use, names, options);
      if (reach === null) this.#isAnyKey = true;
      for (const [namespace, prefix] of reach ?? []) {
        const prefixes = this.#open.get(namespace);
        if (prefixes === undefined) this.#open.set(namespace, new Set([prefix]));
        else prefixes.add(prefix);
      }
    }
  }

  /** The key, and what is left of it below each of its prefixes. */
  *#rests(key: string): Generator<string> {
    yield key;
    const { length } = this.#separator;
    if (length === 0) return;
    for (let at = key.indexOf(this.#separator); at !== -1; at = key.indexOf(this.#separator, at + length)) {
      yield key.slice(at + length);
    }
  }
}
