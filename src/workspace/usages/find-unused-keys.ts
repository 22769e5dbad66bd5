/**
 * Reports which keys the code uses, which it does not, and which cannot be determined, with the reason. A key is only
 * unused if its name occurs nowhere at all, since unused keys may be archived.
 */
import { NO_NAMESPACE, type KeyName, keyPatternMatcher, qualifiedNames } from "../../model/key-hash.ts";
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import { isFrameworkKey } from "../project-detection/detect-frameworks.ts";
import { KeyOccurrences, type SearchedName } from "./find-key-names-in-text.ts";
import type { ProjectKey } from "../../database/records.ts";
import { type Text, valuesOf } from "../../model/translation-text.ts";
import { linkMarkers, linksIn, resolveLink } from "./text-links.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { SkippedFile, UsageRepository } from "../../database/key-usage-repository.ts";
import { ANY_KEY, dynamicUsageMatcher } from "./dynamic-usages.ts";
import { parseKeyReference } from "./stored-key-references.ts";
import { countUsagesBy, dynamicUsageElsewhere, type OtherProject } from "./usages-elsewhere.ts";
import {
  shownKeys,
  type KeyReference,
  type KeyResolutionOptions,
  writesNamespaces,
} from "./resolve-usage-to-key.ts";
import type { KeyEvidence } from "./find-evidence.ts";
import { collectInSlices, forEachInSlices, TimeSlices, yieldNow } from "../../util/event-loop.ts";

/** A key that may be used. At least one of `pattern` and `path` is set. */
export interface UndeterminableKey {
  readonly key: ProjectKey;
  /** The dynamic usage that may refer to it (`admin.*`); `*` if that has no literal part. */
  readonly pattern: string | null;
  /** Without a pattern, a file that contains its name outside of a known usage; else one with the part that is open. */
  readonly path: string | null;
}

/** A key that only a dynamic usage may refer to, whose open part is nowhere in the project. */
export interface ProbablyUnusedKey {
  readonly key: ProjectKey;
  /** The dynamic usage. */
  readonly pattern: string;
}

/** A key that is built: a file lists it with most of the keys of a dynamic usage. */
export interface BuiltKey {
  readonly pattern: string;
  readonly path: string;
}

export interface UsageReport {
  readonly used: readonly ProjectKey[];
  /** How those of the used keys are used that the code does not name, by hash. */
  readonly built: ReadonlyMap<string, BuiltKey>;
  readonly unused: readonly ProjectKey[];
  readonly probablyUnused: readonly ProbablyUnusedKey[];
  readonly undeterminable: readonly UndeterminableKey[];
  /** Number of undeterminable and probably unused keys that each open reference may mean, by its id. */
  readonly heldKeys: ReadonlyMap<number, number>;
  /** Files that were not scanned. */
  readonly skippedFiles: readonly SkippedFile[];
}

export interface UsageReportDependencies {
  /** Must be complete for the given keys. */
  readonly usages: Pick<UsageRepository, "countsOf" | "dynamicReferences" | "skippedFiles">;
  readonly keys: { values(): Iterable<ProjectKey> };
  readonly names: KeyNameQueries;
  readonly lookup: KeyResolutionOptions;
  /**
   * Returns the texts beside the keys' source texts that contain one of the strings: those of the translation files. Each
   * list is a slice of work.
   */
  readonly texts?: (
    markers: readonly string[],
  ) => Iterable<readonly { readonly name: KeyName; readonly text: Text }[]>;
  /** `usage.keep` of the project file: keys (`validation.*`) that are used in ways the code does not show. */
  readonly keep: readonly string[];
  /**
   * Finds a file that contains each name, by the index of the name, among code, templates and documents, but not
   * translation files.
   */
  readonly findOccurrences: (names: readonly SearchedName[]) => Promise<ReadonlyMap<number, string>>;
  /** Returns the evidence for keys that dynamic usages may refer to, by hash, in the files that were searched before. */
  readonly findEvidence: () => Promise<ReadonlyMap<string, KeyEvidence>>;
  /** The other projects of the window, whose code may use the keys too. */
  readonly others: readonly OtherProject[];
}

/** Keys per query; some 2 ms. */
const BATCH_SIZE = 500;

/**
 * Creates the report.
 * @throws the signal's reason when aborted
 */
export async function reportUsage(
  dependencies: UsageReportDependencies,
  signal?: AbortSignal,
): Promise<UsageReport> {
  const { usages, names, lookup, others } = dependencies;
  const isKept = keptKeyMatcher(dependencies);
  const keys = await collectInSlices(dependencies.keys.values());
  const linked = await linkedKeys({ ...dependencies, keys }, signal);
  const used: ProjectKey[] = [];
  const open: ProjectKey[] = [];
  const slices = new TimeSlices();
  for (let start = 0; start < keys.length; start += BATCH_SIZE) {
    signal?.throwIfAborted();
    const batch = keys.slice(start, start + BATCH_SIZE);
    const counts = usages.countsOf(batch.map(({ hash }) => hash));
    for (const key of batch) {
      if (slices.isOver) await slices.next();
      const isUsedElsewhere = others.some((other) => countUsagesBy(other, key) > 0);
      if (counts.has(key.hash) || isKept(key) || linked.used.has(key.hash) || isUsedElsewhere) used.push(key);
      else open.push(key);
    }
  }
  const occurrences = new Map(await filesWith(await writtenNamesOf(open, lookup), dependencies));
  const evidence = await dependencies.findEvidence();
  /** Files of other projects with the open part of a key. */
  const wordsElsewhere = new Map<string, string>();
  for (const other of others) {
    // A name that is also a key of the other project means that key there.
    const unknown = await collectInSlices(
      open,
      ({ hash, namespace, key, context }) =>
        !occurrences.has(hash) && other.names.get(namespace, key, context) === undefined,
    );
    for (const [hash, path] of await filesWith(await writtenNamesOf(unknown, other.lookup), other))
      occurrences.set(hash, path);
    const words = open.flatMap(({ hash }) =>
      (evidence.get(hash)?.words ?? []).map((word): NameOfKey => [searchedWord(word), hash]),
    );
    for (const [hash, path] of await filesWith(words, other)) wordsElsewhere.set(hash, path);
  }
  const unboundUsageOf = dynamicUsageMatcher(unboundReferences(usages), names, lookup);
  const usageElsewhereOf = await dynamicUsageElsewhere(others, keys, names, signal);
  const built = new Map<string, BuiltKey>();
  const unused: ProjectKey[] = [];
  const probablyUnused: ProbablyUnusedKey[] = [];
  const undeterminable: UndeterminableKey[] = [];
  const heldKeys = new Map<number, number>();
  for (const key of open) {
    if (slices.isOver) await slices.next();
    signal?.throwIfAborted();
    const found = evidence.get(key.hash);
    if (found?.kind === "built" && found.path !== null) {
      used.push(key);
      built.set(key.hash, { pattern: found.pattern, path: found.path });
      continue;
    }
    const path = occurrences.get(key.hash);
    // What is known of the calls that have a part of the key is in the evidence.
    const isUnbound = found === undefined || found.pattern === ANY_KEY;
    const pathElsewhere = wordsElsewhere.get(key.hash);
    const possible =
      linked.possible.get(key.hash) ??
      (path === undefined
        ? ((isUnbound ? unboundUsageOf(key) : undefined) ?? usageElsewhereOf(key))
        : undefined);
    if (found?.kind === "found") undeterminable.push({ key, pattern: found.pattern, path: found.path });
    else if (path !== undefined) undeterminable.push({ key, pattern: null, path });
    else if (found !== undefined && pathElsewhere !== undefined)
      undeterminable.push({ key, pattern: found.pattern, path: pathElsewhere });
    else if (found?.kind === "open") undeterminable.push({ key, pattern: found.pattern, path: null });
    else if (possible !== undefined) undeterminable.push({ key, pattern: possible, path: null });
    else if (found !== undefined) probablyUnused.push({ key, pattern: found.pattern });
    else unused.push(key);
    for (const id of found?.references ?? []) heldKeys.set(id, (heldKeys.get(id) ?? 0) + 1);
  }
  return {
    used,
    built,
    unused,
    probablyUnused,
    undeterminable,
    heldKeys,
    skippedFiles: usages.skippedFiles(),
  };
}

/** A name to search for, and the hash of the key that it may be. */
type NameOfKey = readonly [name: SearchedName, hash: string];

/** Returns a file that contains one of the names, by hash. */
async function filesWith(
  names: readonly NameOfKey[],
  { findOccurrences }: Pick<OtherProject, "findOccurrences">,
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const found = await findOccurrences(names.map(([name]) => name));
  const files = new Map<string, string>();
  // The last of a key's names is the least qualified one.
  for (const [index, [, hash]] of names.entries()) {
    const path = found.get(index);
    if (path !== undefined) files.set(hash, path);
  }
  return files;
}

/** Returns the names of keys as code and documents may have them. */
async function writtenNamesOf(
  keys: readonly ProjectKey[],
  lookup: KeyResolutionOptions,
): Promise<readonly NameOfKey[]> {
  const rules = frameworksOf(lookup.frameworks).map((framework) => framework.keys);
  const names: NameOfKey[] = [];
  await forEachInSlices(keys, (key) => {
    const others = rules.flatMap(({ otherMentions }) => otherMentions?.(key.key) ?? []);
    for (const name of searchedNamesOf(key, lookup)) names.push([name, key.hash]);
    for (const name of others) names.push([{ name, isLiteral: true }, key.hash]);
  });
  return names;
}

/** Returns how an open part is searched for in other projects: a single word in small letters only as a literal. */
function searchedWord(word: string): SearchedName {
  return { name: word, isLiteral: /^\p{Ll}+$/u.test(word) };
}

/** Returns the references with a known part of the key in an unknown scope; evidence is for all others. */
function unboundReferences(usages: Pick<UsageRepository, "dynamicReferences">): readonly KeyReference[] {
  return usages
    .dynamicReferences()
    .map(parseKeyReference)
    .filter(({ expression }) => expression.kind === "static" || expression.prefix + expression.suffix !== "");
}

/** Returns the ways in which the key's name is written. */
function searchedNamesOf({ namespace, key }: KeyName, lookup: KeyResolutionOptions): readonly SearchedName[] {
  if (namespace === NO_NAMESPACE) return [{ name: key, isLiteral: false }];
  const qualified = [".", ":"].map((separator): SearchedName => ({
    name: `${namespace}${separator}${key}`,
    isLiteral: false,
  }));
  // A part of a name only counts where a call builds it: that is in the evidence.
  if (writesNamespaces(lookup)) return qualified;
  return [
    ...qualified,
    // A single word is too ambiguous; a path is not.
    { name: key, isLiteral: !/[^\p{L}\p{N}]/u.test(key) },
  ];
}

function keptKeyMatcher({ keep, lookup }: UsageReportDependencies): (key: KeyName) => boolean {
  const globs = keep.map(keyPatternMatcher);
  return (name) =>
    isFrameworkKey(name, lookup.frameworks) || globs.some((glob) => qualifiedNames(name).some(glob));
}

/** Keys that texts refer to. */
interface LinkedKeys {
  /** Hashes of keys that are certainly used. */
  readonly used: ReadonlySet<string>;
  /** The pattern of the keys that a link may use, by the hash of each. */
  readonly possible: ReadonlyMap<string, string>;
}

/** Returns the keys that the texts of others refer to. */
async function linkedKeys(
  {
    keys,
    texts,
    names,
    lookup,
  }: Pick<UsageReportDependencies, "texts" | "names" | "lookup"> & {
    readonly keys: readonly ProjectKey[];
  },
  signal: AbortSignal | undefined,
): Promise<LinkedKeys> {
  const used = new Set<string>();
  const possible = new Map<string, string>();
  const unresolved = new Set<string>();
  const add = (owner: KeyName, text: string): void => {
    for (const link of linksIn(text, lookup)) {
      const found = resolveLink(link, owner, names, lookup);
      for (const { hash } of found === undefined ? [] : shownKeys(found)) used.add(hash);
      if (found === undefined) unresolved.add(link.key);
      // The context of the call that shows the text may be any.
      if (link.inheritsContext !== true || link.usage.context !== null) continue;
      const open = { ...link, usage: { ...link.usage, dynamicContext: true as const } };
      const any = resolveLink(open, owner, names, lookup);
      for (const { hash } of any === undefined ? [] : shownKeys(any))
        possible.set(hash, `${link.key}${ANY_KEY}`);
    }
  };
  await forEachInSlices(keys, (key) => valuesOf(key.text).forEach((form) => add(key, form)));
  for (const batch of texts?.(linkMarkers(lookup)) ?? []) {
    await yieldNow();
    signal?.throwIfAborted();
    for (const { name, text } of batch) for (const form of valuesOf(text)) add(name, form);
  }
  if (unresolved.size === 0) return { used, possible };
  const occurrences = new KeyOccurrences<string>();
  await forEachInSlices(keys, (key) => {
    for (const name of searchedNamesOf(key, lookup)) occurrences.add(name, key.hash);
  });
  occurrences.search("", [...unresolved].map((link) => JSON.stringify(link)).join("\n"));
  for (const hash of occurrences.paths().keys()) used.add(hash);
  return { used, possible };
}
