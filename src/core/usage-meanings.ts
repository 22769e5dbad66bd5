/**
 * What the uses in a table mean among the project's keys: which are certain, which are patterns, which name no
 * key. Resolved once for each thing that is said, however often it is said, and kept as numbers: of ids in the table and of
 * keys among the names.
 */
import { grown } from "./grown.ts";
import type { KeyName } from "./identity.ts";
import { candidatesOf, inAnyDomain, lookUp, type LookupOptions } from "./key-lookup.ts";
import type { KeyNames, NamedKey } from "./key-names.ts";
import { Slots, textHash } from "./slots.ts";
import type { UsageTable } from "./usage-table.ts";

/** Something that the code says only in part. */
export interface UsagePattern {
  /** Only for asking the index about it again. */
  readonly id: number;
  readonly prefix: string;
  readonly suffix: string;
  /** As a person writes it: `admin.*.title`. */
  readonly pattern: string;
  /** Made anew each time: who only looks for one key asks for the patterns of that key. */
  readonly matches: readonly NamedKey[];
}

interface Pattern extends Omit<UsagePattern, "matches"> {
  /** Numbers of the keys. */
  readonly keys: Uint32Array;
}

/** What an id means. */
const ONE_KEY = 1;
const SEVERAL_KEYS = 2;
const PATTERN = 3;
const UNKNOWN = 4;

const NONE: readonly number[] = [];

/** Fewer names that nobody says any more are left where they are. */
const FEW = 1_000;
/** A use has some four names, of which half are left so. */
const STALE_SHARE = 8;

export class UsageMeanings {
  readonly #table: UsageTable;
  readonly #names: KeyNames;
  readonly #options: LookupOptions;
  /** By id; 0: it is not resolved. */
  #kinds = new Uint8Array(0);
  /** By id: the key, where it is one. */
  #keys = new Uint32Array(0);
  readonly #severalKeys = new Map<number, readonly number[]>();
  readonly #patterns = new Map<number, Pattern>();
  /** By key: the id that means it for certain, with one added; 0: none does. */
  readonly #ids: Uint32Array;
  /** By key: the ids after the first. */
  readonly #moreIds = new Map<number, number[]>();
  /** Ids by the hash of each name that they may have, of those that name no key. */
  #unknown = new Slots();
  /** Ids in `#unknown` that mean something else by now. */
  #stale = 0;

  constructor(table: UsageTable, names: KeyNames, options: LookupOptions) {
    this.#table = table;
    this.#names = names;
    // Every key that a pattern covers counts, or it would be taken for unused.
    this.#options = { ...options, patternLimit: Number.POSITIVE_INFINITY };
    this.#ids = new Uint32Array(names.size);
  }

  /** The same names over another table, with nothing resolved yet. */
  over(table: UsageTable): UsageMeanings {
    return new UsageMeanings(table, this.#names, this.#options);
  }

  /** Resolves what the id says; to be asked of every id that is new in the table, since ids are given out again. */
  resolve(id: number): void {
    this.#forget(id);
    this.#kinds = grown(this.#kinds, id + 1);
    const said = this.#table.said(id);
    const found = lookUp(said, this.#names, this.#options);
    switch (found.kind) {
      case "known": {
        // `t("friend", { context: x })` uses every `friend_…` too.
        const variants =
          said.dynamicContext === true
            ? this.#names.matching(found.key.namespace, `${found.key.key}_`, "", Number.POSITIVE_INFINITY)
            : [];
        this.#means(id, [found.key, ...variants, ...inAnyDomain(said, this.#names, this.#options)]);
        break;
      }
      case "intermediate":
        this.#means(id, this.#names.matching(found.namespace, found.prefix, "", Number.POSITIVE_INFINITY));
        break;
      case "pattern":
        this.#mayMean(id, said.keyPrefix, found.prefix, found.suffix, found.matches);
        break;
      case "undeterminable":
        this.#mayMean(id, said.keyPrefix, "", "", []);
        break;
      case "unknown":
        this.#kinds[id] = UNKNOWN;
        this.#addUnknown(id, found.candidates);
    }
  }

  /** What says this key for certain. */
  idsOf(hash: string): readonly number[] {
    const key = this.#names.numberOf(hash);
    return key === -1 ? NONE : this.#idsOf(key);
  }

  patterns(): readonly UsagePattern[] {
    return this.#ofKind(PATTERN).flatMap((id) => this.#shown(this.#patterns.get(id)));
  }

  /** The patterns that may mean this key. */
  patternsOf(hash: string): readonly UsagePattern[] {
    const key = this.#names.numberOf(hash);
    if (key === -1) return [];
    return this.#ofKind(PATTERN).flatMap((id) => {
      const pattern = this.#patterns.get(id);
      return pattern?.keys.includes(key) === true ? this.#shown(pattern) : [];
    });
  }

  unknownIds(): readonly number[] {
    return this.#ofKind(UNKNOWN);
  }

  /** What may say this name, among all that names no key of the project. */
  unknownIdsOf(name: KeyName): readonly number[] {
    const found: number[] = [];
    this.#unknown.find(nameHash(name), (id) => {
      if (this.#maySay(id, name) && !found.includes(id)) found.push(id);
      return false;
    });
    return found;
  }

  #ofKind(kind: number): readonly number[] {
    const ids: number[] = [];
    for (const id of this.#table.ids()) if (this.#kinds[id] === kind) ids.push(id);
    return ids;
  }

  #shown(pattern: Pattern | undefined): UsagePattern[] {
    if (pattern === undefined) return [];
    const names = this.#names;
    const { id, prefix, suffix, pattern: written, keys } = pattern;
    return [
      {
        ...{ id, prefix, suffix, pattern: written },
        get matches() {
          return Array.from(keys, (key) => names.at(key));
        },
      },
    ];
  }

  #means(id: number, keys: readonly NamedKey[]): void {
    const numbers = [...new Set(keys.map(({ hash }) => this.#names.numberOf(hash)))];
    const [only, ...others] = numbers;
    if (only !== undefined && others.length === 0) {
      this.#kinds[id] = ONE_KEY;
      this.#keys = grown(this.#keys, id + 1);
      this.#keys[id] = only;
    } else {
      this.#kinds[id] = SEVERAL_KEYS;
      this.#severalKeys.set(id, numbers);
    }
    for (const key of numbers) {
      const more = this.#moreIds.get(key);
      if (this.#ids[key] === 0) this.#ids[key] = id + 1;
      else if (more === undefined) this.#moreIds.set(key, [id]);
      else more.push(id);
    }
  }

  #mayMean(id: number, keyPrefix: string, prefix: string, suffix: string, keys: readonly NamedKey[]): void {
    this.#kinds[id] = PATTERN;
    const pattern = `${keyPrefix === "" ? "" : `${keyPrefix}.`}${prefix}*${suffix}`;
    const numbers = Uint32Array.from(keys, ({ hash }) => this.#names.numberOf(hash));
    this.#patterns.set(id, { id, prefix, suffix, pattern, keys: numbers });
  }

  /** What the id meant before it was given out again. */
  #forget(id: number): void {
    const kind = this.#kinds[id];
    if (kind === ONE_KEY) this.#part(id, this.#keys[id] ?? 0);
    else if (kind === SEVERAL_KEYS) for (const key of this.#severalKeys.get(id) ?? []) this.#part(id, key);
    this.#kinds[id] = 0;
    if (kind === UNKNOWN && ++this.#stale > Math.max(FEW, this.#unknown.size / STALE_SHARE)) this.#sweep();
    this.#severalKeys.delete(id);
    this.#patterns.delete(id);
  }

  #part(id: number, key: number): void {
    const [first, ...more] = this.#idsOf(key).filter((each) => each !== id);
    this.#ids[key] = first === undefined ? 0 : first + 1;
    if (more.length === 0) this.#moreIds.delete(key);
    else this.#moreIds.set(key, more);
  }

  #idsOf(key: number): readonly number[] {
    const first = this.#ids[key] ?? 0;
    if (first === 0) return NONE;
    const more = this.#moreIds.get(key);
    return more === undefined ? [first - 1] : [first - 1, ...more];
  }

  #maySay(id: number, { namespace, key, context }: KeyName): boolean {
    if (this.#kinds[id] !== UNKNOWN || this.#table.count(id) === 0) return false;
    return candidatesOf(this.#table.said(id), this.#options).some(
      (name) => name.key === key && name.namespace === namespace && (name.context ?? "") === (context ?? ""),
    );
  }

  #addUnknown(id: number, names: readonly KeyName[]): void {
    for (const name of names) this.#unknown.add(nameHash(name), id);
  }

  /** Leaves out what nobody says any more. */
  #sweep(): void {
    this.#unknown = new Slots();
    this.#stale = 0;
    for (const id of this.unknownIds()) {
      this.#addUnknown(id, candidatesOf(this.#table.said(id), this.#options));
    }
  }
}

function nameHash({ namespace, key, context }: KeyName): number {
  return textHash(key, textHash(namespace, textHash(context ?? "")));
}
