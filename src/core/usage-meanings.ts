/**
 * What the uses in a table mean among the project's keys: which are certain, which are patterns, which name no
 * key. Resolved once for each thing that is said, however often it is said.
 */
import type { KeyName } from "./identity.ts";
import { candidatesOf, inAnyDomain, lookUp, type LookupOptions } from "./key-lookup.ts";
import type { KeyNames, NamedKey } from "./key-names.ts";
import type { UsageTable } from "./usage-table.ts";

/** Something that the code says only in part. */
export interface UsagePattern {
  /** Only for asking the index about it again. */
  readonly id: number;
  readonly prefix: string;
  readonly suffix: string;
  /** As a person writes it: `admin.*.title`. */
  readonly pattern: string;
  readonly matches: readonly NamedKey[];
}

type Meaning =
  | { readonly kind: "certain"; readonly hashes: readonly string[] }
  | { readonly kind: "pattern"; readonly pattern: UsagePattern }
  | { readonly kind: "unknown" };

const NONE: ReadonlySet<number> = new Set();

function idOf({ namespace, key, context }: KeyName): string {
  return `${namespace}\u001f${key}\u001f${context ?? ""}`;
}

export class UsageMeanings {
  readonly #table: UsageTable;
  readonly #names: KeyNames;
  readonly #options: LookupOptions;
  /** By id, with the text that it was resolved for, since ids are given out again. */
  readonly #meanings = new Map<number, { readonly text: string; readonly meaning: Meaning }>();
  readonly #idsByHash = new Map<string, Set<number>>();
  /** What names no key, by each name that it may have; made when somebody asks, and again after a change. */
  #idsByName: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(table: UsageTable, names: KeyNames, options: LookupOptions) {
    this.#table = table;
    this.#names = names;
    // Every key that a pattern covers counts, or it would be taken for unused.
    this.#options = { ...options, patternLimit: Number.POSITIVE_INFINITY };
  }

  /** The same names over another table, with nothing resolved yet. */
  over(table: UsageTable): UsageMeanings {
    return new UsageMeanings(table, this.#names, this.#options);
  }

  /** Resolves what the id says, unless it is already. */
  resolve(id: number): void {
    this.#idsByName = null;
    const text = this.#table.text(id);
    const old = this.#meanings.get(id);
    if (old?.text === text) return;
    if (old !== undefined && old.meaning.kind === "certain") {
      for (const hash of old.meaning.hashes) this.#idsByHash.get(hash)?.delete(id);
    }
    const meaning = this.#meaningOf(id);
    this.#meanings.set(id, { text, meaning });
    if (meaning.kind !== "certain") return;
    for (const hash of meaning.hashes) {
      const ids = this.#idsByHash.get(hash);
      if (ids === undefined) this.#idsByHash.set(hash, new Set([id]));
      else ids.add(id);
    }
  }

  /** What says this key for certain. */
  idsOf(hash: string): ReadonlySet<number> {
    return this.#idsByHash.get(hash) ?? NONE;
  }

  patterns(): readonly UsagePattern[] {
    const patterns: UsagePattern[] = [];
    for (const id of this.#table.ids()) {
      const meaning = this.#meanings.get(id)?.meaning;
      if (meaning?.kind === "pattern") patterns.push(meaning.pattern);
    }
    return patterns;
  }

  unknownIds(): readonly number[] {
    const ids: number[] = [];
    for (const id of this.#table.ids()) if (this.#meanings.get(id)?.meaning.kind === "unknown") ids.push(id);
    return ids;
  }

  /** What may say this name, among all that names no key of the project. */
  unknownIdsOf(name: KeyName): readonly number[] {
    this.#idsByName ??= this.#unknownByName();
    return this.#idsByName.get(idOf(name)) ?? [];
  }

  #unknownByName(): ReadonlyMap<string, readonly number[]> {
    const found = new Map<string, number[]>();
    for (const id of this.unknownIds()) {
      for (const name of candidatesOf(this.#table.said(id), this.#options)) {
        const ids = found.get(idOf(name));
        if (ids === undefined) found.set(idOf(name), [id]);
        else ids.push(id);
      }
    }
    return found;
  }

  #meaningOf(id: number): Meaning {
    const said = this.#table.said(id);
    const found = lookUp(said, this.#names, this.#options);
    switch (found.kind) {
      case "known": {
        // `t("friend", { context: x })` uses every `friend_…` too.
        const variants =
          said.dynamicContext === true
            ? this.#names.matching(found.key.namespace, `${found.key.key}_`, "", Number.POSITIVE_INFINITY)
            : [];
        const twins = inAnyDomain(said, this.#names, this.#options);
        const hashes = [found.key, ...variants, ...twins].map((key) => key.hash);
        return { kind: "certain", hashes: [...new Set(hashes)] };
      }
      case "intermediate": {
        const matches = this.#names.matching(found.namespace, found.prefix, "", Number.POSITIVE_INFINITY);
        return { kind: "certain", hashes: matches.map((key) => key.hash) };
      }
      case "pattern":
        return this.#pattern(id, found.prefix, found.suffix, found.matches);
      case "undeterminable":
        return this.#pattern(id, "", "", []);
      case "unknown":
        return { kind: "unknown" };
    }
  }

  #pattern(id: number, prefix: string, suffix: string, matches: readonly NamedKey[]): Meaning {
    const keyPrefix = this.#table.said(id).keyPrefix;
    const shown = `${keyPrefix === "" ? "" : `${keyPrefix}.`}${prefix}*${suffix}`;
    return { kind: "pattern", pattern: { id, prefix, suffix, pattern: shown, matches } };
  }
}
