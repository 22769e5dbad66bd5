/**
 * Reports which keys the code uses, which it does not, and which cannot be determined, with the reason. A key is only
 * unused if its name occurs nowhere at all, since unused keys may be archived.
 */
import { NO_NAMESPACE, type KeyName, keyPatternMatcher, qualifiedNames } from "../../model/key-hash.ts";
import { getOrCreate } from "../../util/maps.ts";
import { isFrameworkKey } from "../project-detection/detect-frameworks.ts";
import { KeyOccurrences, type SearchedName } from "./find-key-names-in-text.ts";
import type { ProjectKey } from "../../database/records.ts";
import { valuesOf } from "../../model/translation-text.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { SkippedFile, UsagePattern, UsageRepository } from "../../database/key-usage-repository.ts";
import { parseKeyReference } from "./stored-key-references.ts";
import {
  isGettextOnly,
  keySeparatorOf,
  type KeyReference,
  type KeyResolutionOptions,
  scopeOfDynamicCall,
} from "./resolve-usage-to-key.ts";
import { collectInSlices, yieldNow } from "../../util/event-loop.ts";

/** A key that may be used. Exactly one of `pattern` and `path` is set. */
export interface UndeterminableKey {
  readonly key: ProjectKey;
  /** The dynamic usage that may refer to it (`admin.*`); `*` if that has no literal part. */
  readonly pattern: string | null;
  /** A file that contains its name outside of a known usage. */
  readonly path: string | null;
}

export interface UsageReport {
  readonly used: readonly ProjectKey[];
  readonly unused: readonly ProjectKey[];
  readonly undeterminable: readonly UndeterminableKey[];
  /** Paths of the files with dynamic usages that have no literal part and may refer to any key. */
  readonly pathsWithUnknownKeys: readonly string[];
  /** Files that were not scanned. */
  readonly skippedFiles: readonly SkippedFile[];
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
   * Finds a file that contains each name, by the index of the name, among code, templates and documents, but not
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
  const keys = await collectInSlices(dependencies.keys.values());
  const linked = linkedKeys(keys);
  const used: ProjectKey[] = [];
  const undeterminable: UndeterminableKey[] = [];
  const unmatched: ProjectKey[] = [];
  for (let start = 0; start < keys.length; start += BATCH_SIZE) {
    await yieldNow();
    signal?.throwIfAborted();
    const batch = keys.slice(start, start + BATCH_SIZE);
    const counts = usages.countsOf(batch.map(({ hash }) => hash));
    for (const key of batch) {
      if (counts.has(key.hash) || isKept(key) || linked.has(key.hash)) {
        used.push(key);
        continue;
      }
      const pattern = longestPattern(usages.patternsOf(key.hash));
      if (pattern !== undefined) undeterminable.push({ key, pattern, path: null });
      else unmatched.push(key);
    }
  }
  const occurrences = await occurrencesOf(unmatched, dependencies);
  const dynamicUsageOf = dynamicUsageMatcher(
    usages.dynamicReferences().map(parseKeyReference),
    names,
    lookup,
  );
  const unused: ProjectKey[] = [];
  for (const [index, key] of unmatched.entries()) {
    if (index % BATCH_SIZE === 0) await yieldNow();
    signal?.throwIfAborted();
    const path = occurrences.get(key.hash) ?? null;
    const pattern = path === null ? dynamicUsageOf(key) : undefined;
    if (path !== null) undeterminable.push({ key, pattern: null, path });
    else if (pattern !== undefined) undeterminable.push({ key, pattern, path });
    else unused.push(key);
  }
  const locations = usages
    .unmatchedPatterns()
    .filter(({ prefix, suffix }) => prefix + suffix === "")
    .flatMap((pattern) => usages.usagesOfPattern(pattern));
  return {
    used,
    unused,
    undeterminable,
    pathsWithUnknownKeys: [...new Set(locations.map(({ path }) => path))],
    skippedFiles: usages.skippedFiles(),
  };
}

/** Returns a file that contains the name of each key, by hash. */
async function occurrencesOf(
  keys: readonly ProjectKey[],
  { lookup, findOccurrences }: UsageReportDependencies,
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const hasLabels = lookup.frameworks.has("symfony");
  const names = keys.flatMap((key) =>
    [...searchedNamesOf(key), ...(hasLabels ? fieldNamesOf(key) : [])].map(
      (name) => [name, key.hash] as const,
    ),
  );
  const found = await findOccurrences(names.map(([name]) => name));
  const occurrences = new Map<string, string>();
  // The last of a key's names is the least qualified one.
  for (const [index, [, hash]] of names.entries()) {
    const path = found.get(index);
    if (path !== undefined) occurrences.set(hash, path);
  }
  return occurrences;
}

/** Returns the longest, and so most specific, pattern. */
function longestPattern(patterns: readonly UsagePattern[]): string | undefined {
  return patterns.map(({ pattern }) => pattern).toSorted((a, b) => b.length - a.length)[0];
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
  const words = key.toLowerCase();
  const camelCase = words.replaceAll(/ (.)/g, (_, initial: string) => initial.toUpperCase());
  const fields = new Set([camelCase, words.replaceAll(" ", "_")]);
  return Array.from(fields, (name) => ({ name, isLiteral: true }));
}

function keptKeyMatcher({ keep, lookup }: UsageReportDependencies): (key: KeyName) => boolean {
  const globs = keep.map(keyPatternMatcher);
  return (name) =>
    isFrameworkKey(name, lookup.frameworks) || globs.some((glob) => qualifiedNames(name).some(glob));
}

/** References to other keys in texts: vue-i18n's `@:key`, i18next's `$t(key)`. */
const LINK = /@(?:\.\w+)?:(?:\(([^()]+)\)|\{'([^']+)'\}|([\w.:-]+))|\$t\(\s*([^(),\s]+)/g;

/** Returns the keys that the texts of others refer to, by hash. */
function linkedKeys(keys: readonly ProjectKey[]): ReadonlyMap<string, string> {
  const links = new Set<string>();
  for (const { text } of keys) {
    for (const form of valuesOf(text)) {
      if (!form.includes("@") && !form.includes("$t(")) continue;
      for (const [, a, b, c, d] of form.matchAll(LINK)) links.add(a ?? b ?? c ?? d ?? "");
    }
  }
  if (links.size === 0) return new Map();
  const occurrences = new KeyOccurrences<string>();
  for (const key of keys) for (const name of searchedNamesOf(key)) occurrences.add(name, key.hash);
  occurrences.search("", [...links].map((link) => JSON.stringify(link)).join("\n"));
  return occurrences.paths();
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
  /** Whether a call without any literal part may use any key. */
  let isAnyKey = false;
  /** Prefixes of the keys that such calls may use, by namespace. */
  const prefixesByNamespace = new Map<string, Set<string>>();
  /** Keys that may follow any prefix, and the literal parts of such keys by pattern. */
  const unboundKeys = new Set<string>();
  const unboundParts = new Map<string, { readonly prefix: string; readonly suffix: string }>();
  for (const usage of references) {
    const { expression, namespaces } = usage;
    if (expression.kind === "static") {
      if (namespaces === "unknown") unboundKeys.add(expression.key);
    } else if (expression.prefix + expression.suffix === "") {
      const scope = scopeOfDynamicCall(usage, names, options);
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
