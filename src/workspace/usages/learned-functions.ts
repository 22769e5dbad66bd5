/**
 * Recognises translation functions of the project's own by their calls: nearly every literal that they are called with is
 * a key. Projects often wrap their framework in such a function, and no framework's name leads to it.
 */
import type { LearnedFunction, LiteralCalls } from "../../database/key-usage-repository.ts";
import { keyPatternMatcher } from "../../model/key-hash.ts";
import { FUNCTION_NAME } from "../../scanners/function-calls/function-signatures.ts";
import { literalArguments } from "../../scanners/function-calls/literal-calls.ts";
import type { CustomFunction, FindOptions, KeyUsage } from "../../scanners/key-usage.ts";
import { getOrCreate } from "../../util/maps.ts";

/**
 * What the calls of a translation function have in common. Measured in 16 public projects: of their own functions at least
 * 97 % of the literals are keys, of any other function with as many calls at most 84 %, with at most 1 % of the keys.
 */
const MIN_CALLS = 20;
const MIN_KNOWN_SHARE = 0.85;
/** With more calls that name no key, the function also takes other texts, which are no unknown keys. */
const MAX_UNKNOWN_SHARE = 0.03;
const MAX_UNKNOWN_CALLS = 3;
const MIN_KEYS_SHARE = 0.05;
/** In a small project few words are a large share of the keys. */
const MIN_KEYS = 10;

/** Tests call functions with keys of their own, or with texts. */
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|__mocks__|mocks?|fixtures?|__fixtures__|e2e|cypress|stories)\/|[._-](?:tests?|specs?|stories|cy|e2e)\.\w+$|(?:^|\/)(?:(?:tests?|spec)\.\w+|(?:test_[^/]*|conftest)\.py)$/i;
/** `CartTest.php`, but not `latest.ts`. */
const TEST_CLASS_PATH = /(?:Test|Spec)\.\w+$/;

/** Whether the file at the path is part of the tests. */
export function isTestPath(path: string): boolean {
  return TEST_PATH.test(path) || TEST_CLASS_PATH.test(path);
}

const GENERATED_PATH = /(?:^|\/)(?:generated|__generated__|dist|build)\/|\.(?:gen|generated)\.\w+$/i;
const GENERATED_HEADER = /@generated|do not edit|auto-?\s?generated/i;
const HEADER_CHARACTERS = 1_000;

/** `LiteralCalls` to add to. */
type UnexplainedCalls = [callee: string, position: number, values: string[], hasMembers?: true];

/** A source file, and what was found in it. */
interface SearchedText {
  readonly text: string;
  readonly usages: readonly KeyUsage[];
}

/** Returns the literal calls of a file that no known function explains, those of learned functions included. */
export function unexplainedCalls(
  path: string,
  { text, usages }: SearchedText,
  { functions }: FindOptions,
): readonly LiteralCalls[] {
  if (isTestPath(path) || GENERATED_PATH.test(path)) return [];
  const literals = literalArguments(text);
  if (literals.length === 0 || GENERATED_HEADER.test(text.slice(0, HEADER_CHARACTERS))) return [];
  const learned = new Set(functions.filter(({ isLearned }) => isLearned === true).map(nameOf));
  const explained = new Set<number>();
  for (const { callee, keySpan } of usages)
    if (!learned.has(nameOf({ name: callee }))) explained.add(keySpan.start);
  const found = new Map<string, UnexplainedCalls>();
  for (const { callee, position, value, start, isMember } of literals) {
    if (value === "" || explained.has(start)) continue;
    const create = (): UnexplainedCalls =>
      isMember === true ? [callee, position, [], true] : [callee, position, []];
    getOrCreate(found, `${position} ${isMember} ${callee}`, create)[2].push(value);
  }
  return [...found.values()];
}

/** Adds the learned functions to those of the project file, which take precedence. */
export function withLearned(
  configured: readonly CustomFunction[],
  learned: readonly LearnedFunction[],
): readonly CustomFunction[] {
  const functions = learned.map((each): CustomFunction => {
    const { name, key, prefix } = each;
    return { name, key, prefix, isLearned: true, ...(takesOthers(each) ? { takesOthers: true } : {}) };
  });
  return [...configured, ...functions];
}

/** Whether some of the function's calls have other texts than keys. */
export function takesOthers({ calls, known }: LearnedFunction): boolean {
  return calls - known > Math.max(MAX_UNKNOWN_CALLS, calls * MAX_UNKNOWN_SHARE);
}

/** Returns the name of a function without what precedes it. */
export function nameOf({ name }: Pick<CustomFunction, "name">): string {
  return FUNCTION_NAME.exec(name)?.[0] ?? name;
}

/** How often a function is called with each literal, at one position. */
interface Candidate extends Pick<LearnedFunction, "name" | "key" | "prefix"> {
  /** Number of calls by literal. */
  readonly values: Map<string, number>;
  calls: number;
}

/** Counts the calls of functions in all files. */
export class LiteralCallCounts {
  readonly #candidates = new Map<string, Candidate>();

  /** Adds the calls of a file. A method counts by its own name, and with its receiver. */
  add(calls: readonly LiteralCalls[]): void {
    for (const [callee, position, values, hasMembers] of calls) {
      const name = nameOf({ name: callee });
      const place = { key: position, ...(hasMembers === true ? { prefix: 0 } : {}) };
      this.#count({ name, ...place }, values);
      if (name !== callee) this.#count({ name: callee, ...place }, values);
    }
  }

  #count(of: Pick<Candidate, "name" | "key" | "prefix">, values: readonly string[]): void {
    const create = (): Candidate => ({ ...of, values: new Map(), calls: 0 });
    const candidate = getOrCreate(this.#candidates, `${of.key} ${of.prefix} ${of.name}`, create);
    candidate.calls += values.length;
    for (const value of values) candidate.values.set(value, (candidate.values.get(value) ?? 0) + 1);
  }

  /**
   * Yields after each function; returns those that translate. A function that is called with any receiver includes its
   * methods.
   * @param keyOf Returns the key that a literal names.
   * @param size Number of keys.
   * @param configured Functions of the project file.
   * @param ignored Patterns of names that are never learned.
   */
  *translationFunctions(
    keyOf: (literal: string) => string | null,
    size: number,
    configured: readonly CustomFunction[],
    ignored: readonly string[],
  ): Generator<void, readonly LearnedFunction[]> {
    const isIgnored = ignored.map(keyPatternMatcher);
    const known = new Set(configured.map(({ name }) => name));
    const minKeys = Math.max(MIN_KEYS, size * MIN_KEYS_SHARE);
    const learned: LearnedFunction[] = [];
    const names = new Set<string>();
    const isSpecific = ({ name }: Candidate): number => Number(nameOf({ name }) !== name);
    // Names without a receiver first.
    const candidates = [...this.#candidates.values()].sort((a, b) => isSpecific(a) - isSpecific(b));
    for (const candidate of candidates) {
      const { name, key, prefix, values, calls } = candidate;
      if (calls < MIN_CALLS || values.size < minKeys || names.has(nameOf(candidate))) continue;
      const ownNames = [name, nameOf(candidate)];
      if (ownNames.some((each) => known.has(each))) continue;
      if (isIgnored.some((matches) => ownNames.some(matches))) continue;
      const found = countKnown(candidate, keyOf);
      if (found !== null && found.keys >= minKeys) {
        const place = prefix === undefined ? { name, key } : { name, key, prefix };
        learned.push({ ...place, calls, known: found.calls });
        names.add(name);
      }
      yield;
    }
    return learned;
  }
}

/** Returns how many calls name a key, and how many keys they name; `null` if too few do. */
function countKnown(
  { calls, values }: Candidate,
  keyOf: (literal: string) => string | null,
): { readonly calls: number; readonly keys: number } | null {
  let others = calls * (1 - MIN_KNOWN_SHARE);
  let known = 0;
  const keys = new Set<string>();
  for (const [literal, count] of values) {
    const key = keyOf(literal);
    if (key === null) {
      others -= count;
      if (others < 0) return null;
      continue;
    }
    known += count;
    keys.add(key);
  }
  return { calls: known, keys: keys.size };
}
