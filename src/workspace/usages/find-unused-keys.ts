/**
 * Reports which keys the code uses, which it does not, and which cannot be determined, with the reason. A key is only
 * unused if nothing mentions it at all, since unused keys may be archived.
 */
import { NO_NAMESPACE, type KeyName, keyPatternMatcher, qualifiedNames } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import { isFrameworkKey } from "../project-detection/detect-frameworks.ts";
import { KeyOccurrences, type SearchedName } from "./key-name-occurrences.ts";
import type { ProjectKey } from "../../database/records.ts";
import { valuesOf } from "../../model/translation-text.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type {
  SkippedFile,
  UsageLocation,
  UsagePattern,
  UsageRepository,
} from "../../database/key-usage-repository.ts";
import { parseKeyReference } from "./serialize-key-reference.ts";
import {
  isGettextOnly,
  keySeparatorOf,
  type KeyReference,
  type KeyResolutionOptions,
  scopeOfOpenCall,
} from "./resolve-usage-to-key.ts";
import { yieldNow } from "../../util/event-loop.ts";

/** A key that may be used. Exactly one of `pattern` and `path` is set. */
export interface Undeterminable {
  readonly key: ProjectKey;
  /** The dynamic usage that may refer to it (`admin.*`); `*` if that has no literal part. */
  readonly pattern: string | null;
  /** A file that mentions it outside of a known usage. */
  readonly path: string | null;
}

export interface UsageReport {
  readonly used: readonly ProjectKey[];
  readonly unused: readonly ProjectKey[];
  readonly undeterminable: readonly Undeterminable[];
  /** Dynamic usages without any literal part, which may refer to any key. */
  readonly open: readonly UsageLocation[];
  /** Files that were not searched. */
  readonly leftOut: readonly SkippedFile[];
}

export interface UsageReportDependencies {
  /** Must be complete for the given keys. */
  readonly usages: Pick<
    UsageRepository,
    "countsOf" | "patternsOf" | "unmatchedPatterns" | "usagesOfPattern" | "dynamicReferences" | "skippedFiles"
  >;
  readonly keys: { values(): Iterable<ProjectKey> };
  readonly names: KeyNameQueries;
  readonly lookup: KeyResolutionOptions;
  /** `usage.keep` of the project file: keys (`validation.*`) that are used in ways the code does not show. */
  readonly keep: readonly string[];
  /**
   * Finds a file that mentions each name, by the index of the name, among code, templates and documents, but not
   * translation files.
   */
  readonly findOccurrences: (names: readonly SearchedName[]) => Promise<ReadonlyMap<number, string>>;
}

/** Keys processed between yields to the event loop; about 20 ms. */
const BATCH_SIZE = 500;

/**
 * Creates the report.
 * @throws the signal's reason when aborted
 */
export async function reportUsage(
  dependencies: UsageReportDependencies,
  signal?: AbortSignal,
): Promise<UsageReport> {
  const { usages, names, lookup } = dependencies;
  const isKept = keptKeyMatcher(dependencies);
  const all: ProjectKey[] = [];
  for (const key of dependencies.keys.values()) {
    if (all.push(key) % BATCH_SIZE === 0) await yieldNow();
    signal?.throwIfAborted();
  }
  const linked = linkedKeys(all);
  const used: ProjectKey[] = [];
  const undeterminable: Undeterminable[] = [];
  const rest: ProjectKey[] = [];
  for (let start = 0; start < all.length; start += BATCH_SIZE) {
    await yieldNow();
    signal?.throwIfAborted();
    const batch = all.slice(start, start + BATCH_SIZE);
    const counts = usages.countsOf(batch.map(({ hash }) => hash));
    for (const key of batch) {
      if (counts.has(key.hash) || isKept(key) || linked.pathOf(key.hash) !== undefined) {
        used.push(key);
        continue;
      }
      const pattern = longestPattern(usages.patternsOf(key.hash));
      if (pattern !== undefined) undeterminable.push({ key, pattern, path: null });
      else rest.push(key);
    }
  }
  const occurrences = rest.length === 0 ? new Map<string, string>() : await occurrencesOf(rest, dependencies);
  const dynamicUsageOf = dynamicUsageMatcher(
    usages.dynamicReferences().map(parseKeyReference),
    names,
    lookup,
  );
  const unused: ProjectKey[] = [];
  let seen = 0;
  for (const key of rest) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    signal?.throwIfAborted();
    const path = occurrences.get(key.hash) ?? null;
    const pattern = path === null ? dynamicUsageOf(key) : undefined;
    if (path !== null) undeterminable.push({ key, pattern: null, path });
    else if (pattern !== undefined) undeterminable.push({ key, pattern, path });
    else unused.push(key);
  }
  const open = usages.unmatchedPatterns().filter(({ prefix, suffix }) => prefix + suffix === "");
  return {
    used,
    unused,
    undeterminable,
    open: open.flatMap((pattern) => usages.usagesOfPattern(pattern)),
    leftOut: usages.skippedFiles(),
  };
}

/** Returns a file that mentions each key, by hash. */
async function occurrencesOf(
  keys: readonly ProjectKey[],
  { lookup, findOccurrences }: UsageReportDependencies,
): Promise<ReadonlyMap<string, string>> {
  const hasLabels = lookup.frameworks.has("symfony");
  const names = keys.flatMap((key) =>
    [...searchedNamesOf(key), ...(hasLabels ? fieldNamesOf(key) : [])].map(
      (name) => [name, key.hash] as const,
    ),
  );
  const occurrences = new Map<string, string>();
  for (const [index, path] of await findOccurrences(names.map(([name]) => name))) {
    const hash = names[index]?.[1];
    if (hash !== undefined) occurrences.set(hash, path);
  }
  return occurrences;
}

/** Returns the longest, and so most specific, pattern. */
function longestPattern(patterns: readonly UsagePattern[]): string | undefined {
  let longest: string | undefined;
  for (const { pattern } of patterns) {
    if (longest === undefined || pattern.length > longest.length) longest = pattern;
  }
  return longest;
}

/** Returns the ways in which the key's name is written. */
function searchedNamesOf({ namespace, key }: KeyName): readonly SearchedName[] {
  if (namespace === NO_NAMESPACE) return [{ name: key, isLiteral: false }];
  return [
    { name: `${namespace}.${key}`, isLiteral: false },
    { name: `${namespace}:${key}`, isLiteral: false },
    // A single word is too ambiguous; a path is not.
    { name: key, isLiteral: !/[^\p{L}\p{N}]/u.test(key) },
  ];
}

/**
 * Returns the names of form fields whose label Symfony derives this key from: `firstName` and `first_name` for "First
 * name".
 */
function fieldNamesOf({ key }: KeyName): readonly SearchedName[] {
  if (!/^[A-Z][a-z\d]*(?: [a-z\d]+)*$/.test(key)) return [];
  const words = key.toLowerCase().split(" ");
  const camelCase = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)));
  const fields = new Set([camelCase.join(""), words.join("_")]);
  return Array.from(fields, (name) => ({ name, isLiteral: true }));
}

function keptKeyMatcher({ keep, lookup }: UsageReportDependencies): (key: KeyName) => boolean {
  const globs = keep.map(keyPatternMatcher);
  return (name) =>
    isFrameworkKey(name, lookup.frameworks) || globs.some((glob) => qualifiedNames(name).some(glob));
}

/** References to other keys in texts: vue-i18n's `@:key`, i18next's `$t(key)`. */
const LINK = /@(?:\.\w+)?:(?:\(([^()]+)\)|\{'([^']+)'\}|([\w.:-]+))|\$t\(\s*([^(),\s]+)/g;

function linkedKeys(keys: readonly ProjectKey[]): KeyOccurrences<string> {
  const links = new Set<string>();
  for (const { text } of keys) {
    for (const form of valuesOf(text)) {
      if (!form.includes("@") && !form.includes("$t(")) continue;
      for (const [, a, b, c, d] of form.matchAll(LINK)) links.add(a ?? b ?? c ?? d ?? "");
    }
  }
  const linked = new KeyOccurrences<string>();
  if (links.size === 0) return linked;
  for (const key of keys) for (const name of searchedNamesOf(key)) linked.add(name, key.hash);
  linked.search("", [...links].map((link) => JSON.stringify(link)).join("\n"));
  return linked;
}

const ANY_KEY = "*";

/**
 * Returns a function that finds a dynamic usage of a key beyond those that patterns match (a call without any literal
 * part of the key, or of a translator whose namespace and prefix are unknown) and returns its pattern.
 * @param references key references of the code, of every kind
 */
export function dynamicUsageMatcher(
  references: Iterable<KeyReference>,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): (key: KeyName) => string | undefined {
  /** Whether an open call may use any key. */
  let isAnyKey = false;
  /** Prefixes of the keys that open calls may use, by namespace. */
  const prefixesByNamespace = new Map<string, Set<string>>();
  /** Keys that may follow any prefix, and the literal parts of such keys by pattern. */
  const unboundKeys = new Set<string>();
  const unboundParts = new Map<string, { readonly prefix: string; readonly suffix: string }>();
  for (const usage of references) {
    const { expression, namespaces } = usage;
    if (expression.kind === "static") {
      if (namespaces === "unknown") unboundKeys.add(expression.key);
    } else if (expression.prefix + expression.suffix === "") {
      const scope = scopeOfOpenCall(usage, names, options);
      if (scope === null) isAnyKey = true;
      for (const [namespace, prefix] of scope ?? [])
        getOrCreate(prefixesByNamespace, namespace, () => new Set()).add(prefix);
    } else if (namespaces === "unknown") {
      unboundParts.set(`${expression.prefix}${ANY_KEY}${expression.suffix}`, expression);
    }
  }
  // Without a separator keys have no prefix, nor do gettext's texts.
  const separator = isGettextOnly(options) ? "" : keySeparatorOf(options);
  return ({ namespace, key }) => {
    for (const prefix of prefixesByNamespace.get(namespace) ?? []) {
      if (key.startsWith(prefix)) return `${prefix}${ANY_KEY}`;
    }
    const parts = separator === "" ? [key] : key.split(separator);
    // The key itself, and what follows each of its prefixes.
    const rests = parts.map((_, index) => parts.slice(index).join(separator));
    const unbound = rests.find((rest) => unboundKeys.has(rest));
    if (unbound !== undefined) return `${ANY_KEY}${unbound}`;
    for (const [pattern, { prefix, suffix }] of unboundParts) {
      if (!key.endsWith(suffix) || key.length < prefix.length + suffix.length) continue;
      if (rests.some((rest) => rest.startsWith(prefix))) return pattern;
    }
    return isAnyKey ? ANY_KEY : undefined;
  };
}
