/**
 * Keys for what a person has typed of one: by name and by text, best first, and only those that can be said at the
 * place. It runs at every letter of a completion, so it goes through all keys once and spells only the best.
 */
import { editDistance } from "./edit-distance.ts";
import { NO_NAMESPACE } from "./identity.ts";
import { isForms, type Text } from "./text.ts";
import { escapeRegExp } from "./usages/characters.ts";
import { isGettextOnly, type LookupOptions, type SaidKey } from "./key-lookup.ts";
import type { KeyNames, NamedKey } from "./key-names.ts";
import { spellingOf } from "./key-spelling.ts";

/** A key with its source text. */
export interface SearchedKey extends NamedKey {
  readonly text: Text | null;
}

/** Where to search, and for which place in the code. */
export interface SearchNeeds {
  readonly keys: ReadonlyMap<string, SearchedKey>;
  readonly names: KeyNames;
  readonly options: LookupOptions;
  /** The use at the place; what it says now does not count. */
  readonly use: SaidKey;
  /** Texts of other languages, each by a key's hash. */
  readonly texts: readonly TextsOf[];
  /** Languages that are looked into when names and `texts` give too few. */
  readonly others?: readonly TextsOf[];
  /** Whether a person has waited long enough, so that `others` are left as they are. */
  readonly isOver?: () => boolean;
}

type TextsOf = (hash: string) => Text | null | undefined;

/** A key that fits, how the code says it, and what of it fits: `filter` begins with what was typed where it can. */
export interface FoundKey {
  readonly key: SearchedKey;
  readonly spelling: string;
  readonly filter: string;
}

export interface FoundKeys {
  readonly found: readonly FoundKey[];
  /** Others fit too. */
  readonly more: boolean;
}

/** Of a name: at its beginning, at the beginning of a part, anywhere; then of a text: at its beginning, anywhere. */
const RANKS = 5;
/** Texts are searched from so many letters on: one letter is in all of them. */
const SHORTEST_TEXT = 2;
/** So many times as many spellings are tried as are wanted, where most keys cannot be said at the place. */
const TRIES = 5;
/** Of a text so much is given to filter by. */
const FILTER_LENGTH = 100;

/** The best `limit` keys whose name or text has `typed` in it, letters' case aside. */
export function searchKeys(typed: string, limit: number, needs: SearchNeeds): FoundKeys {
  const query = typed.toLowerCase();
  const ranked = rankAll(query, limit * TRIES, needs);
  const found: FoundKey[] = [];
  let tried = 0;
  for (const { key, filter } of ranked.flat()) {
    if (found.length >= limit || tried++ > limit * TRIES) return { found, more: true };
    const spelling = spellingOf(needs.use, key, needs.names, needs.options);
    if (spelling !== null) found.push({ key, spelling, filter: filter ?? filterOf(spelling, query) });
  }
  return { found, more: false };
}

interface Hit {
  readonly key: SearchedKey;
  /** Of a text; a name is filtered by its spelling. */
  readonly filter: string | null;
}

function rankAll(query: string, most: number, needs: SearchNeeds): readonly Hit[][] {
  const { keys, use, texts, others = [] } = needs;
  const ranks: Hit[][] = Array.from({ length: RANKS }, () => []);
  const bound = Array.isArray(use.namespaces) ? use.namespaces : [];
  const dotted = query.replaceAll(/:+/g, ".");
  const inTexts = query.length >= SHORTEST_TEXT;
  if (query === "") {
    for (const key of keys.values()) {
      const rank = ranks[bound.includes(key.namespace) ? 0 : 1];
      if (rank !== undefined && rank.length < most) rank.push({ key, filter: null });
    }
    return ranks;
  }
  const unnamed: SearchedKey[] = [];
  for (const { key, name } of namesOf(keys)) {
    const at = name.indexOf(dotted);
    if (at === -1) unnamed.push(key);
    else {
      const isStart = at === 0 || (bound.length > 0 && name.length - key.key.length === at);
      const rank = isStart ? 0 : /[\w-]/.test(name[at - 1] ?? "") ? 2 : 1;
      ranks[rank]?.push({ key, filter: null });
    }
  }
  // Names go first, so that texts cannot come into a list that they fill.
  if (!inTexts || keys.size - unnamed.length >= most) return ranks;
  const wanted = new RegExp(escapeRegExp(query), "i");
  for (const key of unnamed) {
    const hit = hitIn(wanted, key.text) ?? firstHit(wanted, key.hash, texts);
    if (hit !== null) ranks[hit.at === 0 ? 3 : 4]?.push({ key, filter: hit.filter });
  }
  if (others.length > 0) searchOthers(wanted, most, needs, ranks);
  return ranks;
}

/** Keys between two looks at the clock. */
const LOOK_EVERY = 1_000;

/** One language after the other, among the keys that nothing else found. */
function searchOthers(
  wanted: RegExp,
  most: number,
  { keys, others = [], isOver }: SearchNeeds,
  ranks: readonly Hit[][],
): void {
  const found = new Set(ranks.flat().map(({ key }) => key.hash));
  let seen = 0;
  for (const textOf of others) {
    for (const key of keys.values()) {
      if (found.size >= most || (++seen % LOOK_EVERY === 0 && isOver?.() === true)) return;
      const hit = found.has(key.hash) ? null : hitIn(wanted, textOf(key.hash));
      if (hit === null) continue;
      found.add(key.hash);
      ranks[4]?.push({ key, filter: hit.filter });
    }
  }
}

interface Named {
  readonly key: SearchedKey;
  /** In small letters, with its namespace. */
  readonly name: string;
}

const named = new WeakMap<SearchNeeds["keys"], readonly Named[]>();

/** Made once for each set of keys, which is replaced as a whole when one of them changes. */
function namesOf(keys: SearchNeeds["keys"]): readonly Named[] {
  let names = named.get(keys);
  if (names === undefined) {
    names = Array.from(keys.values(), (key) => ({ key, name: nameOf(key) }));
    named.set(keys, names);
  }
  return names;
}

function nameOf({ namespace, key }: SearchedKey): string {
  const name = (namespace === NO_NAMESPACE ? key : `${namespace}.${key}`).toLowerCase();
  return name.includes("::") ? name.replaceAll("::", ".") : name;
}

function firstHit(wanted: RegExp, hash: string, texts: SearchNeeds["texts"]): TextHit | null {
  for (const textOf of texts) {
    const hit = hitIn(wanted, textOf(hash));
    if (hit !== null) return hit;
  }
  return null;
}

interface TextHit {
  readonly at: number;
  readonly filter: string;
}

/** A pattern without case is several times as fast as texts in small letters. */
function hitIn(wanted: RegExp, text: Text | null | undefined): TextHit | null {
  if (text === null || text === undefined) return null;
  for (const value of isForms(text) ? Object.values(text.forms) : [text.value]) {
    const at = value.search(wanted);
    if (at !== -1) return { at, filter: value.slice(at, at + FILTER_LENGTH) };
  }
  return null;
}

/** So many namespaces are offered. */
const MOST_NAMESPACES = 50;

/** How code begins a key of each other namespace at the place (`cart.`, `common:`), where it begins with `typed`. */
export function searchNamespaces(
  typed: string,
  { keys, names, options, use }: Pick<SearchNeeds, "keys" | "names" | "options" | "use">,
): readonly string[] {
  const query = typed.toLowerCase();
  const found: string[] = [];
  const firsts = firstKeys(keys);
  if (firsts.size < 2) return found;
  for (const key of firsts.values()) {
    if (found.length >= MOST_NAMESPACES) break;
    // Most namespaces do not begin so, and a spelling costs more than this.
    if (!key.namespace.toLowerCase().startsWith(query.slice(0, key.namespace.length))) continue;
    const spelling = spellingOf(use, key, names, options);
    if (spelling === null || !spelling.endsWith(key.key)) continue;
    const start = spelling.slice(0, spelling.length - key.key.length);
    if (start !== "" && start.length > typed.length && start.toLowerCase().startsWith(query))
      found.push(start);
  }
  return found.sort();
}

const firstOfNamespace = new WeakMap<SearchNeeds["keys"], ReadonlyMap<string, SearchedKey>>();

function firstKeys(keys: SearchNeeds["keys"]): ReadonlyMap<string, SearchedKey> {
  let firsts = firstOfNamespace.get(keys);
  if (firsts === undefined) {
    const made = new Map<string, SearchedKey>();
    for (const key of keys.values()) {
      if (key.namespace !== NO_NAMESPACE && !made.has(key.namespace)) made.set(key.namespace, key);
    }
    firstOfNamespace.set(keys, (firsts = made));
  }
  return firsts;
}

/** An editor only finds what begins with the typed letters or a part of which does. */
function filterOf(spelling: string, query: string): string {
  const at = spelling.toLowerCase().indexOf(query);
  return at <= 0 ? spelling : spelling.slice(at);
}

/** With more wrong letters it is another name. */
const MOST_WRONG = 4;

/** What the use may have meant: the spellings of known keys that are nearest to what it says, nearest first. */
export function nearestSpellings(
  wrong: string,
  limit: number,
  { keys, names, options, use }: Pick<SearchNeeds, "keys" | "names" | "options" | "use">,
): readonly string[] {
  const wanted = wrong.toLowerCase().replaceAll(/:+/g, ".");
  const path = use.keyPrefix === "" ? wanted : `${use.keyPrefix.toLowerCase()}.${wanted}`;
  const most = Math.max(1, Math.min(MOST_WRONG, Math.floor(wanted.length / 3)));
  const isBound = Array.isArray(use.namespaces) || use.namespaces === "unknown" || isGettextOnly(options);
  const near: { readonly key: SearchedKey; readonly distance: number }[] = [];
  for (const { key, name } of namesOf(keys)) {
    // A bound namespace is not said, nor is gettext's domain.
    const said = isBound ? name.slice(name.length - key.key.length) : name;
    const distance = editDistance(path, said, most);
    if (distance <= most) near.push({ key, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  const spelt = near.slice(0, limit * TRIES).map(({ key }) => spellingOf(use, key, names, options));
  return [...new Set(spelt.filter((spelling) => spelling !== null && spelling !== wrong))].slice(
    0,
    limit,
  ) as string[];
}
