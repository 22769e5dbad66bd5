/**
 * Keys for what a person has typed of one: by name and by text, best first, and only those that can be said at the
 * place. It runs at every letter of a completion, so names go before texts, and only the best are spelt.
 */
import { editDistance } from "./edit-distance.ts";
import { isForms, type Text } from "./text.ts";
import { escapeRegExp } from "./usages/characters.ts";
import { isGettextOnly, type LookupOptions, type SaidKey } from "./key-lookup.ts";
import type { KeyNames, NamedKey } from "./key-names.ts";
import { spellingOf } from "./key-spelling.ts";
import { NameList } from "./name-list.ts";
import type { YieldNow } from "./ports.ts";

/** A key with its source text. */
export interface SearchedKey extends NamedKey {
  readonly text: Text | null;
}

/** Where to search, and for which place in the code. */
export interface SearchNeeds {
  readonly keys: SearchedKeys;
  readonly names: KeyNames;
  readonly options: LookupOptions;
  /** The use at the place; what it says now does not count. */
  readonly use: SaidKey;
  /** Texts of other languages, each by a key's hash. */
  readonly texts: readonly TextsOf[];
  /** Languages that are looked into when names and `texts` give too few. */
  readonly others?: readonly TextsOf[];
  readonly yieldNow: YieldNow;
  /** Whether a person has waited long enough, so that `others` are left as they are. */
  readonly isOver?: () => boolean;
  /** Nobody waits any more; the search rejects with the reason. */
  readonly signal?: AbortSignal;
}

/** The keys by hash, as the project has them (KeyMap). */
export interface SearchedKeys extends ReadonlyMap<string, SearchedKey> {
  text: TextsOf;
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

/** The best `limit` keys whose name or text has `typed` in it, letters' case aside. Lets other work run in between. */
export async function searchKeys(typed: string, limit: number, needs: SearchNeeds): Promise<FoundKeys> {
  const query = typed.toLowerCase();
  const list = await listSoon(needs.names, needs.yieldNow);
  needs.signal?.throwIfAborted();
  const ranked = await rankAll(query, list, limit * TRIES, needs);
  const found: FoundKey[] = [];
  let tried = 0;
  for (const { index, filter } of ranked.flat()) {
    if (found.length >= limit || tried++ > limit * TRIES) return { found, more: true };
    const key = needs.keys.get(needs.names.hashAt(index));
    const spelling = key === undefined ? null : spellingOf(needs.use, key, needs.names, needs.options);
    if (key === undefined || spelling === null) continue;
    found.push({ key, spelling, filter: filter ?? filterOf(spelling, query) });
  }
  return { found, more: false };
}

interface Hit {
  /** The key's number in the names. */
  readonly index: number;
  /** Of a text; a name is filtered by its spelling. */
  readonly filter: string | null;
}

/** Hits by their ranks, each rank with more than are tried of it at most. */
async function rankAll(
  query: string,
  list: NameList,
  most: number,
  needs: SearchNeeds,
): Promise<readonly Hit[][]> {
  const ranks: Hit[][] = Array.from({ length: RANKS }, () => []);
  const put = (rank: number, hit: Hit): void => {
    const hits = ranks[rank];
    if (hits !== undefined && hits.length <= most) hits.push(hit);
  };
  const namespaces = Array.isArray(needs.use.namespaces) ? needs.use.namespaces : [];
  if (query === "") {
    const bound = new Set(namespaces.map((namespace) => `${namespace.toLowerCase()}.`));
    for (let index = 0; index < list.size; index++) {
      const isBound = bound.size > 0 && bound.has(list.nameAt(index).slice(0, list.keyStartAt(index)));
      put(isBound ? 0 : 1, { index, filter: null });
      if (bound.size === 0 && index >= most) break;
    }
    return ranks;
  }
  const isNamed = new Uint8Array(list.size);
  let named = 0;
  for (const { index, at } of list.having(query.replaceAll(/:+/g, "."))) {
    isNamed[index] = 1;
    named++;
    const isStart = at === 0 || (namespaces.length > 0 && at === list.keyStartAt(index));
    const rank = isStart ? 0 : /[\w-]/.test(list.nameAt(index)[at - 1] ?? "") ? 2 : 1;
    put(rank, { index, filter: null });
    // More of the best than are tried: nothing else comes into the list.
    if ((ranks[0]?.length ?? 0) > most) return ranks;
  }
  // Names go first, so that texts cannot come into a list that they fill; a name's beginning is no word of a text.
  const isName = named > 0 && NAME_LIKE.test(query);
  if (isName || query.length < SHORTEST_TEXT || named >= most) return ranks;
  await searchTexts(query, list, isNamed, { most, named, put }, needs);
  return ranks;
}

/** So begins a name: parts, and nothing that stands in no name. */
const NAME_LIKE = /^[\w-]+(?:[.:/]+[\w-]*)+$/;
/** Keys between two chances for other work; about 3 ms. */
const SLICE = 1_000;

interface Ranks {
  /** So many hits are enough. */
  readonly most: number;
  /** So many names are hits. */
  readonly named: number;
  readonly put: (rank: number, hit: Hit) => void;
}

/** The source texts and those of `texts`, then one language of `others` after the other, among keys that are no hits yet. */
async function searchTexts(
  query: string,
  list: NameList,
  isHit: Uint8Array,
  { most, named, put }: Ranks,
  { keys, names, texts, others = [], yieldNow, isOver, signal }: SearchNeeds,
): Promise<void> {
  const wanted = new RegExp(escapeRegExp(query), "i");
  let hits = named;
  for (const [pass, textsOf] of [
    [keys.text.bind(keys), ...texts],
    ...others.map((each) => [each]),
  ].entries()) {
    for (let index = 0; index < list.size; index++) {
      if (index % SLICE === SLICE - 1) {
        await yieldNow();
        signal?.throwIfAborted();
        if (pass > 0 && isOver?.() === true) return;
      }
      if (isHit[index] === 1) continue;
      const hit = firstHit(wanted, names.hashAt(index), textsOf);
      if (hit === null) continue;
      isHit[index] = 1;
      put(pass === 0 && hit.at === 0 ? 3 : 4, { index, filter: hit.filter });
      if (++hits >= most && pass > 0) return;
    }
  }
}

const lists = new WeakMap<KeyNames, NameList>();

function listOf(names: KeyNames): NameList {
  let list = lists.get(names);
  if (list === undefined) lists.set(names, (list = NameList.of(names)));
  return list;
}

/** The same, in slices where it has to be made. */
async function listSoon(names: KeyNames, yieldNow: YieldNow): Promise<NameList> {
  let list = lists.get(names);
  if (list === undefined) lists.set(names, (list = await NameList.soon(names, yieldNow)));
  return list;
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
  { names, options, use }: Pick<SearchNeeds, "names" | "options" | "use">,
): readonly string[] {
  const query = typed.toLowerCase();
  const found: string[] = [];
  const { firsts } = listOf(names);
  if (firsts.size < 2) return found;
  for (const [namespace, number] of firsts) {
    if (found.length >= MOST_NAMESPACES) break;
    // Most namespaces do not begin so, and a spelling costs more than this.
    if (!namespace.toLowerCase().startsWith(query.slice(0, namespace.length))) continue;
    const key = names.at(number);
    const spelling = spellingOf(use, key, names, options);
    if (spelling === null || !spelling.endsWith(key.key)) continue;
    const start = spelling.slice(0, spelling.length - key.key.length);
    if (start !== "" && start.length > typed.length && start.toLowerCase().startsWith(query))
      found.push(start);
  }
  return found.sort();
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
  { names, options, use }: Pick<SearchNeeds, "names" | "options" | "use">,
): readonly string[] {
  const wanted = wrong.toLowerCase().replaceAll(/:+/g, ".");
  const path = use.keyPrefix === "" ? wanted : `${use.keyPrefix.toLowerCase()}.${wanted}`;
  const most = Math.max(1, Math.min(MOST_WRONG, Math.floor(wanted.length / 3)));
  const isBound = Array.isArray(use.namespaces) || use.namespaces === "unknown" || isGettextOnly(options);
  const list = listOf(names);
  const near: { readonly index: number; readonly distance: number }[] = [];
  for (let index = 0; index < list.size; index++) {
    // A bound namespace is not said, nor is gettext's domain.
    const said = list.nameAt(index).slice(isBound ? list.keyStartAt(index) : 0);
    const distance = editDistance(path, said, most);
    if (distance <= most) near.push({ index, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  const spelt = near
    .slice(0, limit * TRIES)
    .map(({ index }) => spellingOf(use, names.at(index), names, options));
  return [...new Set(spelt.filter((spelling) => spelling !== null && spelling !== wrong))].slice(
    0,
    limit,
  ) as string[];
}
