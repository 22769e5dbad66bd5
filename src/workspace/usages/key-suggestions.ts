/**
 * Keys to choose from at a place in code, each as that place has to spell it: for what was typed there, and instead of a
 * key that does not exist.
 */
import type { KeyNames } from "../../database/key-names.ts";
import type { KeyHit, KeySearch } from "../../database/key-search.ts";
import { editDistance } from "../../model/edit-distance.ts";
import { NO_NAMESPACE } from "../../model/key-identity.ts";
import { escapeRegExp } from "../../scanners/lexers/characters.ts";
import { isGettextOnly, type KeyReference, type KeyResolutionOptions } from "./key-resolution.ts";
import { spellingOf } from "./key-spelling.ts";

/** Where to search, and for which place in the code. */
export interface SuggestionContext {
  readonly names: KeyNames;
  readonly search: KeySearch;
  readonly options: KeyResolutionOptions;
  /** The usage at the place; the key that it has does not count. */
  readonly usage: KeyReference;
}

/** A key that fits, how the code spells it, and what of it fits: `filter` begins with what was typed where it can. */
export interface SuggestedKey {
  readonly key: KeyHit;
  readonly spelling: string;
  readonly filter: string;
}

export interface SuggestedKeys {
  readonly keys: readonly SuggestedKey[];
  /** Others fit too. */
  readonly more: boolean;
}

/** So many times as many keys are tried as are wanted, where most cannot be spelled at the place. */
const TRIES = 5;
/** Of a text so much is given to filter by. Characters. */
const FILTER_LENGTH = 100;
const MAX_NAMESPACES = 50;
/** With more wrong letters it is another name. */
const MAX_DISTANCE = 4;

/** The best `limit` keys whose name or text has `typed` in it. `locales`: languages whose texts come first. */
export function suggestKeys(
  typed: string,
  limit: number,
  context: SuggestionContext,
  locales: readonly string[],
): SuggestedKeys {
  const { names, search, options, usage } = context;
  const query = { words: [typed], starts: startsOf(usage, options), locales };
  const keys: SuggestedKey[] = [];
  let tried = 0;
  for (const key of search.find(query, limit * TRIES + 1)) {
    if (keys.length >= limit || ++tried > limit * TRIES) return { keys, more: true };
    const spelling = spellingOf(usage, key, names, options);
    if (spelling !== null)
      keys.push({ key, spelling, filter: filterOf(key.match?.text ?? spelling, spelling, typed) });
  }
  return { keys, more: false };
}

/** What the names begin with of keys that belong to the place more than others do. */
function startsOf({ namespaces, keyPrefix }: KeyReference, options: KeyResolutionOptions): readonly string[] {
  const bound = Array.isArray(namespaces) ? (namespaces as readonly string[]) : [];
  if (keyPrefix === "") return bound.map((namespace) => `${namespace}.`);
  const path = `${keyPrefix}${options.keySeparator === false ? "" : (options.keySeparator ?? ".")}`;
  const others = bound.length > 0 ? bound : (options.defaultNamespaces ?? ["translation"]);
  return [path, ...others.map((namespace) => `${namespace}.${path}`)];
}

/** An editor only finds what begins with the typed letters, or a part of which does. */
function filterOf(text: string, spelling: string, typed: string): string {
  if (typed === "") return spelling;
  const at = text.search(new RegExp(escapeRegExp(typed), "i"));
  return at === -1 ? spelling : text === spelling ? text.slice(at) : text.slice(at, at + FILTER_LENGTH);
}

/** How code begins a key of each other namespace at the place (`cart.`, `common:`), where it begins with `typed`. */
export function suggestNamespaces(
  typed: string,
  { names, options, usage }: Omit<SuggestionContext, "search">,
): readonly string[] {
  const query = typed.toLowerCase();
  const found: string[] = [];
  const namespaces = names.namespaces().filter((namespace) => namespace !== NO_NAMESPACE);
  if (namespaces.length < 2) return found;
  for (const namespace of namespaces) {
    if (found.length >= MAX_NAMESPACES) break;
    // Most namespaces do not begin so, and a spelling costs more than this.
    if (!namespace.toLowerCase().startsWith(query.slice(0, namespace.length))) continue;
    const [key] = names.matching(namespace, "", "", 1);
    const spelling = key === undefined ? null : spellingOf(usage, key, names, options);
    if (key === undefined || spelling === null || !spelling.endsWith(key.key)) continue;
    const start = spelling.slice(0, spelling.length - key.key.length);
    if (start !== "" && start.length > typed.length && start.toLowerCase().startsWith(query))
      found.push(start);
  }
  return found.sort();
}

/** What a usage may have meant: the spellings of known keys that are nearest to its own, nearest first. */
export function nearestSpellings(
  wrong: string,
  limit: number,
  { names, search, options, usage }: SuggestionContext,
): readonly string[] {
  const path = dotted(usage.keyPrefix === "" ? wrong : `${usage.keyPrefix}.${wrong}`);
  const max = Math.max(1, Math.min(MAX_DISTANCE, Math.floor(wrong.length / 3)));
  // Code does not write a namespace that it is bound to, nor gettext's domain.
  const isBound = Array.isArray(usage.namespaces) || usage.namespaces === "unknown" || isGettextOnly(options);
  const near = search
    .similar(path)
    .map((key) => {
      const isPlain = isBound || key.namespace === NO_NAMESPACE;
      return {
        key,
        distance: editDistance(path, dotted(isPlain ? key.key : `${key.namespace}.${key.key}`), max),
      };
    })
    .filter((each) => each.distance <= max)
    .sort((a, b) => a.distance - b.distance);
  const spellings = near
    .slice(0, limit * TRIES)
    .map(({ key }) => spellingOf(usage, key, names, options))
    .filter((spelling) => spelling !== null && spelling !== wrong);
  return [...new Set(spellings as readonly string[])].slice(0, limit);
}

/** A name as names are compared: without case, and with dots between namespace and key. */
function dotted(name: string): string {
  return name.toLowerCase().replaceAll(/:+/g, ".");
}
