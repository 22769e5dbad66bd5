/**
 * Which keys of the project the code uses, which it does not, and of which nobody can say, with the reason. A key
 * is only called unused when nothing at all names it: "unused" is what may be archived.
 */
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { isOfFramework } from "../project-file/frameworks.ts";
import { keyGlob, writtenNames } from "../../model/key-patterns.ts";
import { Mentions, type SearchedName } from "./key-mentions.ts";
import type { ProjectKey } from "../../database/project-records.ts";
import { isForms, type Text } from "../../model/text.ts";
import type { KeyNameQueries } from "../../database/key-names.ts";
import type {
  LeftOutReason,
  UsageLocation,
  UsagePattern,
  UsageRepository,
} from "../../database/usage-repository.ts";
import { DynamicUsages } from "./dynamic-usages.ts";
import { parseKeyReference } from "./key-reference-text.ts";
import type { KeyResolutionOptions } from "./key-resolution.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** A key that may be used. Exactly one of `pattern` and `path` says why. */
export interface Undeterminable {
  readonly key: ProjectKey;
  /** What the code says of it in part (`admin.*`); `*` where it says no part at all. */
  readonly pattern: string | null;
  /** A file that names it in a way that is no known use. */
  readonly path: string | null;
}

export interface UsageReport {
  readonly used: readonly ProjectKey[];
  readonly unused: readonly ProjectKey[];
  readonly undeterminable: readonly Undeterminable[];
  /** Where the code says no part of the key at all, so that it may be any that is named elsewhere. */
  readonly open: readonly UsageLocation[];
  /** Files that were not searched for uses. */
  readonly leftOut: readonly { readonly path: string; readonly reason: LeftOutReason }[];
}

export interface UsageReportDependencies {
  /** Complete, for the keys that are asked about. */
  readonly usages: Pick<
    UsageRepository,
    "countOf" | "patternsOf" | "patternsOfNoKey" | "usagesOfPattern" | "dynamicReferences" | "leftOut"
  >;
  readonly keys: { values(): Iterable<ProjectKey> };
  readonly names: KeyNameQueries;
  readonly lookup: KeyResolutionOptions;
  /** `usage.keep` of the project file: keys (`validation.*`) that are used in ways that the code does not show. */
  readonly keep: readonly string[];
  /**
   * A file that holds each name, by the name's position, among all that may name a key: code, templates, documents; not
   * the translation files.
   */
  readonly findMentions: (names: readonly SearchedName[]) => Promise<ReadonlyMap<number, string>>;
}

/** Keys looked at before other work gets its turn; some 20 ms. */
const BATCH_SIZE = 500;

/** Makes the report; the signal's reason is thrown when aborted. */
export async function reportUsage(
  dependencies: UsageReportDependencies,
  signal?: AbortSignal,
): Promise<UsageReport> {
  const { usages, keys, names, lookup } = dependencies;
  const isKept = keptBy(dependencies);
  const linked = await linkedKeys(dependencies);
  const used: ProjectKey[] = [];
  const undeterminable: Undeterminable[] = [];
  const rest: ProjectKey[] = [];
  let seen = 0;
  for (const key of keys.values()) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    signal?.throwIfAborted();
    if (usages.countOf(key.hash) > 0 || isKept(key) || linked.pathOf(key.hash) !== undefined) used.push(key);
    else {
      const pattern = narrowest(usages.patternsOf(key.hash));
      if (pattern !== undefined) undeterminable.push({ key, pattern, path: null });
      else rest.push(key);
    }
  }
  const mentioned = rest.length === 0 ? new Map<string, string>() : await mentionsOf(rest, dependencies);
  const reach = new DynamicUsages(usages.dynamicReferences().map(parseKeyReference), names, lookup);
  const unused: ProjectKey[] = [];
  for (const key of rest) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    signal?.throwIfAborted();
    const path = mentioned.get(key.hash) ?? null;
    const pattern = path === null ? reach.patternOf(key) : undefined;
    if (path !== null) undeterminable.push({ key, pattern: null, path });
    else if (pattern !== undefined) undeterminable.push({ key, pattern, path });
    else unused.push(key);
  }
  const open = usages.patternsOfNoKey().filter(({ prefix, suffix }) => prefix + suffix === "");
  return {
    used,
    unused,
    undeterminable,
    open: open.flatMap((pattern) => usages.usagesOfPattern(pattern)),
    leftOut: usages.leftOut(),
  };
}

/** By hash, a file that names the key in any way. */
async function mentionsOf(
  keys: readonly ProjectKey[],
  { lookup, findMentions }: UsageReportDependencies,
): Promise<ReadonlyMap<string, string>> {
  const hasLabels = lookup.frameworks.has("symfony");
  const names = keys.flatMap((key) =>
    [...namesOf(key), ...(hasLabels ? fieldNamesOf(key) : [])].map((name) => [name, key.hash] as const),
  );
  const mentioned = new Map<string, string>();
  for (const [index, path] of await findMentions(names.map(([name]) => name))) {
    const hash = names[index]?.[1];
    if (hash !== undefined) mentioned.set(hash, path);
  }
  return mentioned;
}

/** As a person writes it. */
function narrowest(patterns: readonly UsagePattern[]): string | undefined {
  let longest: string | undefined;
  for (const { pattern } of patterns) {
    if (longest === undefined || pattern.length > longest.length) longest = pattern;
  }
  return longest;
}

/** How people and code write the key's name. */
function namesOf({ namespace, key }: KeyName): readonly SearchedName[] {
  if (namespace === NO_NAMESPACE) return [{ name: key, isLiteral: false }];
  return [
    { name: `${namespace}.${key}`, isLiteral: false },
    { name: `${namespace}:${key}`, isLiteral: false },
    // One word alone names too much; a path is the key's.
    { name: key, isLiteral: !/[^\p{L}\p{N}]/u.test(key) },
  ];
}

/** Names of form fields whose label Symfony makes this key of: `firstName` and `first_name` for "First name". */
function fieldNamesOf({ key }: KeyName): readonly SearchedName[] {
  if (!/^[A-Z][a-z\d]*(?: [a-z\d]+)*$/.test(key)) return [];
  const words = key.toLowerCase().split(" ");
  const camelCase = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)));
  const fields = new Set([camelCase.join(""), words.join("_")]);
  return Array.from(fields, (name) => ({ name, isLiteral: true }));
}

function keptBy({ keep, lookup }: UsageReportDependencies): (key: KeyName) => boolean {
  const globs = keep.map(keyGlob);
  return (name) =>
    isOfFramework(name, lookup.frameworks) || globs.some((glob) => writtenNames(name).some(glob));
}

/** What texts take in of other keys: vue-i18n's `@:key`, i18next's `$t(key)`. */
const LINK = /@(?:\.\w+)?:(?:\(([^()]+)\)|\{'([^']+)'\}|([\w.:-]+))|\$t\(\s*([^(),\s]+)/g;

async function linkedKeys({ keys }: UsageReportDependencies): Promise<Mentions<string>> {
  const links = new Set<string>();
  let seen = 0;
  for (const { text } of keys.values()) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    for (const form of formTexts(text)) {
      if (!form.includes("@") && !form.includes("$t(")) continue;
      for (const [, a, b, c, d] of form.matchAll(LINK)) links.add(a ?? b ?? c ?? d ?? "");
    }
  }
  const linked = new Mentions<string>();
  if (links.size === 0) return linked;
  for (const key of keys.values()) for (const name of namesOf(key)) linked.add(name, key.hash);
  linked.search("", [...links].map((link) => JSON.stringify(link)).join("\n"));
  return linked;
}

function formTexts(text: Text | null): readonly string[] {
  if (text === null) return [];
  return isForms(text) ? Object.values(text.forms) : [text.value];
}
