/** Looks up keys by name: exact names and prefixes. Case-sensitive, in binary order. */
import type { KeyName } from "../model/key-hash.ts";
import { getOrCreate } from "../util/maps.ts";
import type { Database } from "./database.ts";

/** A key's hash and name. */
export interface NamedKey extends KeyName {
  readonly hash: string;
}

/** The queries, independent of how names are stored. */
export type KeyNameQueries = Pick<
  KeyNames,
  "get" | "withAnyContext" | "hasNamespace" | "namespaces" | "hasPrefix" | "matching"
>;

const GET = `SELECT hash, namespace, key, context FROM keys WHERE namespace = ? AND key = ? AND context IS ?`;
const WITH_ANY_CONTEXT = `SELECT hash, namespace, key, context FROM keys WHERE namespace = ? AND key = ?
  ORDER BY context LIMIT 1`;
const HAS_PREFIX = `SELECT 1 FROM keys WHERE namespace = ? AND key >= ? AND key < ? LIMIT 1`;
/** Compares bytes, since SQLite's `length` stops at a NUL. */
const MATCHING = `SELECT hash, namespace, key, context FROM keys
  WHERE namespace = :namespace AND key >= :prefix AND key < :end
    AND octet_length(key) >= octet_length(:prefix) + octet_length(:suffix)
    AND (:suffix = '' OR substr(CAST(key AS BLOB), -octet_length(:suffix)) = CAST(:suffix AS BLOB))
  ORDER BY key, context LIMIT :limit`;
/** One index lookup per namespace; DISTINCT would read every key. */
const NAMESPACES = `WITH RECURSIVE each (namespace) AS (
    SELECT min(namespace) FROM keys
    UNION ALL
    SELECT (SELECT min(namespace) FROM keys WHERE namespace > each.namespace) FROM each WHERE namespace IS NOT NULL
  ) SELECT namespace FROM each WHERE namespace IS NOT NULL`;

/** Looks up key names in the database. */
export class KeyNames {
  readonly #database: Database;
  /** Revision of the database that the cached values are from. */
  #version = "";
  #namespaces: readonly string[] | null = null;
  /** Cached results of scans of whole namespaces, which take 14 ms among 50,000 keys. */
  readonly #bySuffix = new Map<string, readonly NamedKey[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the key of that name. An empty context equals none. */
  get(namespace: string, key: string, context: string | null = null): NamedKey | undefined {
    return this.#database.get<NamedKey>(GET, namespace, key, context === "" ? null : context);
  }

  /** Returns any key of that name, preferably the one without a context. */
  withAnyContext(namespace: string, key: string): NamedKey | undefined {
    return this.#database.get<NamedKey>(WITH_ANY_CONTEXT, namespace, key);
  }

  hasNamespace(namespace: string): boolean {
    return this.hasPrefix(namespace, "");
  }

  /** Returns all namespaces in binary order. */
  namespaces(): readonly string[] {
    this.#clearStale();
    this.#namespaces ??= this.#database.column(NAMESPACES);
    return this.#namespaces;
  }

  /** Returns whether a key of the namespace has the prefix. */
  hasPrefix(namespace: string, prefix: string): boolean {
    return this.#database.get(HAS_PREFIX, namespace, prefix, prefixEnd(prefix)) !== undefined;
  }

  /** Returns at most `limit` keys of the namespace with prefix and suffix, in order; each context counts. */
  matching(namespace: string, prefix: string, suffix: string, limit: number): readonly NamedKey[] {
    if (prefix !== "" || suffix === "") return this.#matching(namespace, prefix, suffix, limit);
    this.#clearStale();
    const id = JSON.stringify([namespace, suffix, limit]);
    return getOrCreate(this.#bySuffix, id, () => this.#matching(namespace, "", suffix, limit));
  }

  #matching(namespace: string, prefix: string, suffix: string, limit: number): readonly NamedKey[] {
    const max = Math.min(limit, Number.MAX_SAFE_INTEGER);
    const range = { namespace, prefix, end: prefixEnd(prefix), suffix, limit: max };
    return this.#database.sql(MATCHING).all(range) as unknown as readonly NamedKey[];
  }

  #clearStale(): void {
    const version = this.#database.version("keys");
    if (this.#version === version) return;
    this.#version = version;
    this.#namespaces = null;
    this.#bySuffix.clear();
  }
}

/** Returns the upper bound of all texts with the prefix. */
function prefixEnd(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}
