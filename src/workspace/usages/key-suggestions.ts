/**
 * Suggests keys at a location in code, spelled as that location requires: for typed text, and as a replacement of a
 * missing key.
 */
import type { KeyNames, KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import type { KeyHit, KeySearch } from "../../database/full-text-search.ts";
import { editDistance } from "../../util/edit-distance.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import { withKeyPrefix } from "../../frameworks/key-candidates.ts";
import { escapeRegExp } from "../../scanners/lexers/characters.ts";
import {
  shownKeys,
  basesOf,
  type KeyReference,
  type KeyResolutionOptions,
  type KnownKey,
  resolveName,
} from "./resolve-usage-to-key.ts";

/** Where to search, and for which usage. */
export interface SuggestionContext {
  readonly names: KeyNames;
  readonly search: KeySearch;
  readonly options: KeyResolutionOptions;
  /** The usage at the location; its own key is ignored. */
  readonly usage: KeyReference;
}

/**
 * A matching key with its spelling. `filter` is the text that the editor filters by; it starts with the typed text if
 * possible.
 */
export interface SuggestedKey {
  readonly key: KeyHit;
  readonly spelling: string;
  readonly filter: string;
}

interface SuggestedKeys {
  readonly keys: readonly SuggestedKey[];
  /** Whether more keys match. */
  readonly hasMore: boolean;
}

/** Keys tried per requested result, since most may have no spelling at the location. */
const TRIES_PER_RESULT = 5;
/** Longest filter text. */
const MAX_FILTER_CHARACTERS = 100;
const MAX_NAMESPACES = 50;
/** A larger edit distance means a different name; in characters, and as a part of the name's length. */
const MAX_DISTANCE = 4;
const MAX_RELATIVE_DISTANCE = 0.4;

/**
 * Returns the best `limit` keys whose name or text contains `typed`.
 * @param locales languages whose texts are preferred
 */
export function suggestKeys(
  typed: string,
  limit: number,
  context: SuggestionContext,
  locales: readonly string[],
): SuggestedKeys {
  const { names, search, options, usage } = context;
  const query = { words: [typed], prefixes: preferredPrefixes(usage, options), locales };
  const keys: SuggestedKey[] = [];
  const seen = new Set<string>();
  let tried = 0;
  for (const key of search.find(query, limit * TRIES_PER_RESULT + 1)) {
    if (keys.length >= limit || ++tried > limit * TRIES_PER_RESULT) return { keys, hasMore: true };
    for (const spelling of completionsOf(usage, key, names, options)) {
      if (seen.has(spelling)) continue;
      seen.add(spelling);
      keys.push({ key, spelling, filter: filterOf(key.match?.text ?? spelling, spelling, typed) });
    }
  }
  return { keys, hasMore: false };
}

/** Returns the prefixes of the keys that fit the location best. */
function preferredPrefixes(
  { namespaces, keyPrefix }: KeyReference,
  options: KeyResolutionOptions,
): readonly string[] {
  const bound = Array.isArray(namespaces) ? (namespaces as readonly string[]) : [];
  if (keyPrefix === "") return bound.map((namespace) => `${namespace}.`);
  const path = withKeyPrefix(keyPrefix, "", options);
  const others = bound.length > 0 ? bound : (options.defaultNamespaces ?? ["translation"]);
  return [path, ...others.map((namespace) => `${namespace}.${path}`)];
}

/** Editors only match text that starts with the typed letters, as a whole or at a word. */
function filterOf(text: string, spelling: string, typed: string): string {
  if (typed === "") return spelling;
  const start = text.search(new RegExp(escapeRegExp(typed), "i"));
  if (start === -1) return spelling;
  return text.slice(start, text === spelling ? undefined : start + MAX_FILTER_CHARACTERS);
}

/**
 * Returns the start of a key in each other namespace (`cart.`, `common:`) that starts with `typed`.
 * @param namespaces only these; default: all, unless there is only one
 */
export function suggestNamespaces(
  typed: string,
  { names, options, usage }: Omit<SuggestionContext, "search">,
  namespaces = severalNamespaces(names),
): readonly string[] {
  const query = typed.toLowerCase();
  const found: string[] = [];
  for (const namespace of namespaces) {
    if (found.length >= MAX_NAMESPACES) break;
    // Most namespaces do not match, and a spelling costs more than this check.
    if (!namespace.toLowerCase().startsWith(query.slice(0, namespace.length))) continue;
    const [key] = names.matching(namespace, "", "", 1);
    const spelling = key === undefined ? null : spellingOf(usage, key, names, options);
    if (key === undefined || spelling === null || !spelling.endsWith(key.key)) continue;
    const start = spelling.slice(0, spelling.length - key.key.length);
    if (start.length > typed.length && start.toLowerCase().startsWith(query)) found.push(start);
  }
  return found.sort();
}

function severalNamespaces(names: KeyNames): readonly string[] {
  const namespaces = names.namespaces().filter((namespace) => namespace !== NO_NAMESPACE);
  return namespaces.length < 2 ? [] : namespaces;
}

/** Returns the spellings of known keys that are nearest to a misspelled one, nearest first. */
export function nearestSpellings(
  wrong: string,
  limit: number,
  { names, search, options, usage }: SuggestionContext,
): readonly string[] {
  const path = usage.keyPrefix === "" ? wrong : `${usage.keyPrefix}.${wrong}`;
  // A namespace that the code is bound to may be a part of the key, as in next-intl.
  const bound = Array.isArray(usage.namespaces) ? (usage.namespaces as readonly string[]) : [];
  const paths = [path, ...bound.map((namespace) => `${namespace}.${path}`)];
  // The code may leave out a namespace: that it is bound to, a default one, gettext's domain.
  const near = search
    .similarNames(dotted(path))
    .map((key) => ({
      key,
      distance: Math.min(
        ...paths.flatMap((each) => [
          nameDistance(each, key.key),
          nameDistance(each, `${key.namespace}.${key.key}`),
        ]),
      ),
    }))
    .filter(({ distance }) => distance !== Infinity)
    .sort((a, b) => a.distance - b.distance);
  const distances = new Map<string, number>();
  for (const { key } of near.slice(0, limit * TRIES_PER_RESULT)) {
    const spelling = spellingOf(usage, key, names, options);
    if (spelling === null) continue;
    // What the code would contain: another namespace may have to be written.
    const distance = nameDistance(wrong, spelling);
    if (distance !== Infinity) distances.set(spelling, distance);
  }
  return [...distances]
    .sort(([a, distance], [b, other]) => distance - other || unlikeness(wrong, a) - unlikeness(wrong, b))
    .map(([spelling]) => spelling)
    .slice(0, limit);
}

/** Orders names at the same distance: people hardly ever mistype the first letter, and mix letters up more often than leave one out. */
function unlikeness(name: string, other: string): number {
  return Math.abs(name.length - other.length) + (name[0] === other[0] ? 0 : MAX_DISTANCE);
}

/** Of names that differ equally, the one with the same capital letters is nearer. */
const CASE_WEIGHT = 0.01;

/**
 * Returns the edit distance of two names without the parts that both begin or end with, so that a long namespace does not
 * allow another key; `Infinity` for names that are too different.
 */
function nameDistance(name: string, other: string): number {
  const ofLetters = lowerCaseDistance(dotted(name), dotted(other));
  return ofLetters === Infinity
    ? Infinity
    : ofLetters + CASE_WEIGHT * editDistance(name, other, MAX_DISTANCE);
}

function lowerCaseDistance(name: string, other: string): number {
  const parts = name.split(".");
  const others = other.split(".");
  const shorter = Math.min(parts.length, others.length);
  let start = 0;
  while (start < shorter && parts[start] === others[start]) start++;
  let end = 0;
  while (end < shorter - start && parts.at(-1 - end) === others.at(-1 - end)) end++;
  const rest = parts.slice(start, parts.length - end).join(".");
  const otherRest = others.slice(start, others.length - end).join(".");
  const max = Math.max(1, Math.min(MAX_DISTANCE, Math.floor(rest.length * MAX_RELATIVE_DISTANCE)));
  const distance = editDistance(rest, otherRest, max);
  return distance <= max ? distance : Infinity;
}

/** Normalises a name for comparison: lower case, with dots between namespace and key. */
function dotted(name: string): string {
  return name.toLowerCase().replaceAll(/:+/g, ".");
}

/** Returns the text that makes the usage refer to the key; `null` if none does. */
export function spellingOf(
  usage: KeyReference,
  key: NamedKey,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): string | null {
  for (const spelling of spellings(usage, key, options)) {
    const found = resolveName(usage, spelling, names, options);
    if (found !== undefined && isKeyOf(found, key)) return spelling;
  }
  return null;
}

/**
 * Returns what completion offers for a key: of a plural form the name that calls with a count use, and the form itself
 * unless the call has one.
 */
function completionsOf(
  usage: KeyReference,
  key: NamedKey,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): readonly string[] {
  const counted: KeyReference = { ...usage, plural: true, ordinal: true };
  const shows = (known: KnownKey, base: string): boolean =>
    known.name.key === base && shownKeys(known).some(({ hash }) => hash === key.hash);
  const found = basesOf(key.key, options).flatMap((base) => {
    for (const spelling of spellings(counted, { ...key, key: base }, options)) {
      const resolved = resolveName(counted, spelling, names, options);
      if (resolved !== undefined && shows(resolved, base)) return [spelling];
    }
    return [];
  });
  const own = found.length > 0 && usage.plural === true ? null : spellingOf(usage, key, names, options);
  return own === null ? found.slice(0, 1) : [...found.slice(0, 1), own];
}

/** Whether the name that was found is that of the key, or the key is the only one it stands for. */
function isKeyOf({ name, key }: KnownKey, wanted: NamedKey): boolean {
  if (key.hash === wanted.hash) return true;
  return name.namespace === wanted.namespace && name.key === wanted.key && name.context === wanted.context;
}

/** Whether code writes a namespace with a separator of its own. */
function separatesNamespaces({ frameworks }: KeyResolutionOptions): boolean {
  return frameworksOf(frameworks).some(({ keys }) => keys.separator !== undefined);
}

/** Yields the likeliest spelling first, which is usually the right one. */
function* spellings(usage: KeyReference, key: NamedKey, options: KeyResolutionOptions): Generator<string> {
  const { keyPrefix, namespaces } = usage;
  const prefix = withKeyPrefix(keyPrefix, "", options);
  const isBound = Array.isArray(namespaces) && namespaces.includes(key.namespace);
  const isPlain = key.namespace === NO_NAMESPACE;
  if (keyPrefix !== "") {
    // next-intl's namespace may be a path that starts with the service's own.
    for (const path of isPlain ? [key.key] : [key.key, `${key.namespace}.${key.key}`]) {
      if (path.startsWith(prefix)) yield path.slice(prefix.length);
    }
    // The prefix precedes every key, so there are no other spellings.
    return;
  }
  if (Array.isArray(namespaces) && isPlain) {
    for (const namespace of namespaces) {
      const start = withKeyPrefix(namespace, "", options);
      if (key.key.startsWith(start)) yield key.key.slice(start.length);
    }
  }
  if (isBound || isPlain) yield key.key;
  if (isPlain) return;
  const colon = options.namespaceSeparator ?? ":";
  const named = colon === false ? [] : [`${key.namespace}${colon}${key.key}`];
  const dotted = `${key.namespace}.${key.key}`;
  if (separatesNamespaces(options)) yield* [...(isBound ? [] : [key.key]), ...named, dotted];
  else yield* [dotted, ...(isBound ? [] : [key.key]), ...named];
}
