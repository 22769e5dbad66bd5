/**
 * Which keys of the project the code uses, which it does not, and of which nobody can say, with the reason (R16). A key
 * is only called unused when nothing at all names it: "unused" is what may be archived.
 */
import { NO_NAMESPACE, type KeyName } from "./identity.ts";
import { keyGlob, writtenNames } from "./key-glob.ts";
import { Mentions } from "./mentions.ts";
import type { CodeSearch } from "./ports.ts";
import type { ProjectKey } from "./project.ts";
import { isForms, type Text } from "./text.ts";
import type { LeftOutReason, UsageIndex, UsagePattern, UsePlace } from "./usage-index.ts";
import type { Framework } from "./usages/usage.ts";

/** A key that may be used. Exactly one of `pattern` and `path` says why. */
export interface Undeterminable {
  readonly key: ProjectKey;
  /** What the code says of it in part (`admin.*`). */
  readonly pattern: string | null;
  /** A file that names it in a way that is no known use. */
  readonly path: string | null;
}

export interface UsageReport {
  readonly used: readonly ProjectKey[];
  readonly unused: readonly ProjectKey[];
  readonly undeterminable: readonly Undeterminable[];
  /** Where the code says no part of the key at all, so that it may be any that is named elsewhere. */
  readonly open: readonly UsePlace[];
  /** Files that were not searched for uses. */
  readonly leftOut: readonly { readonly path: string; readonly reason: LeftOutReason }[];
}

export interface UsageReportNeeds {
  /** Complete, for the keys that are asked about. */
  readonly index: Pick<UsageIndex, "countOf" | "patterns" | "usesOfPattern" | "stats">;
  readonly keys: ReadonlyMap<string, ProjectKey>;
  readonly frameworks: ReadonlySet<Framework>;
  /** `usage.keep` of the project file: keys (`validation.*`) that are used in ways that the code does not show. */
  readonly keep: readonly string[];
  /** All files that may name a key: code, templates, documents; not the translation files. */
  readonly paths: () => Promise<readonly string[]>;
  /** Their texts, of which only those are read that cannot be searched elsewhere. */
  readonly texts: (
    paths: readonly string[],
  ) => AsyncIterable<{ readonly path: string; readonly text: string }>;
  readonly aside: Pick<CodeSearch, "mentions">;
  readonly yieldNow: () => Promise<void>;
}

/** Groups that frameworks use by themselves, whatever an app's code says. */
const FRAMEWORK_GROUPS: Partial<Record<Framework, readonly string[]>> = {
  laravel: ["auth", "pagination", "passwords", "validation"],
};

/** Keys looked at before other work gets its turn. */
const SLICE = 2_000;

/** Makes the report; the signal's reason is thrown when aborted. */
export async function reportUsage(needs: UsageReportNeeds, signal?: AbortSignal): Promise<UsageReport> {
  const { index, keys, yieldNow } = needs;
  const isKept = keptBy(needs);
  const linked = await linkedKeys(needs);
  const patterns = index.patterns();
  const byPattern = patternsByKey(patterns);
  const used: ProjectKey[] = [];
  const undeterminable: Undeterminable[] = [];
  const rest: ProjectKey[] = [];
  let seen = 0;
  for (const key of keys.values()) {
    if (++seen % SLICE === 0) await yieldNow();
    signal?.throwIfAborted();
    if (index.countOf(key.hash) > 0 || isKept(key) || linked.pathOf(key.hash) !== undefined) used.push(key);
    else if (byPattern.has(key.hash)) {
      undeterminable.push({ key, pattern: byPattern.get(key.hash) ?? "", path: null });
    } else rest.push(key);
  }
  const mentioned = rest.length === 0 ? new Map<string, string>() : await mentionsOf(rest, needs, signal);
  const unused: ProjectKey[] = [];
  for (const key of rest) {
    const path = mentioned.get(key.hash);
    if (path === undefined) unused.push(key);
    else undeterminable.push({ key, pattern: null, path });
  }
  const open = patterns.filter(
    ({ prefix, suffix, matches }) => prefix + suffix === "" && matches.length === 0,
  );
  return {
    used,
    unused,
    undeterminable,
    open: open.flatMap((pattern) => index.usesOfPattern(pattern)),
    leftOut: index.stats.leftOut,
  };
}

/** By hash, a file that names the key in any way. */
async function mentionsOf(
  keys: readonly ProjectKey[],
  { aside, paths, texts, yieldNow }: UsageReportNeeds,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const names = keys.flatMap((key) => namesOf(key).map((name) => [name, key.hash] as const));
  const said = names.map(([name]) => name);
  const { found, left } = await aside.mentions(said, await paths(), signal);
  const mentioned = new Map<string, string>();
  for (const [at, path] of found) {
    const hash = names[at]?.[1];
    if (hash !== undefined) mentioned.set(hash, path);
  }
  if (left.length === 0) return mentioned;
  const mentions = new Mentions<string>();
  for (const [name, hash] of names) if (!mentioned.has(hash)) mentions.add(name, hash);
  for await (const { path, text } of texts(left)) {
    signal?.throwIfAborted();
    mentions.search(path, text);
    await yieldNow();
  }
  for (const { hash } of keys) {
    const path = mentions.pathOf(hash);
    if (path !== undefined) mentioned.set(hash, path);
  }
  return mentioned;
}

/** The narrowest pattern that covers each key. */
function patternsByKey(patterns: readonly UsagePattern[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { pattern, matches } of patterns) {
    for (const { hash } of matches) {
      const before = found.get(hash);
      if (before === undefined || pattern.length > before.length) found.set(hash, pattern);
    }
  }
  return found;
}

/** How people and code write the key's name. */
function namesOf({ namespace, key }: KeyName): readonly string[] {
  if (namespace === NO_NAMESPACE) return [key];
  const whole = [`${namespace}.${key}`, `${namespace}:${key}`];
  // One word alone names too much; a path or a sentence is the key's.
  return /[^\p{L}\p{N}]/u.test(key) ? [...whole, key] : whole;
}

function keptBy({ keep, frameworks }: UsageReportNeeds): (key: KeyName) => boolean {
  const groups = new Set([...frameworks].flatMap((framework) => FRAMEWORK_GROUPS[framework] ?? []));
  const globs = keep.map(keyGlob);
  return (name) => groups.has(name.namespace) || globs.some((glob) => writtenNames(name).some(glob));
}

/** What texts take in of other keys: vue-i18n's `@:key`, i18next's `$t(key)`. */
const LINK = /@(?:\.\w+)?:(?:\(([^()]+)\)|\{'([^']+)'\}|([\w.:-]+))|\$t\(\s*([^(),\s]+)/g;

async function linkedKeys({ keys, yieldNow }: UsageReportNeeds): Promise<Mentions<string>> {
  const links = new Set<string>();
  let seen = 0;
  for (const { text } of keys.values()) {
    if (++seen % SLICE === 0) await yieldNow();
    for (const said of sayings(text)) {
      if (!said.includes("@") && !said.includes("$t(")) continue;
      for (const [, a, b, c, d] of said.matchAll(LINK)) links.add(a ?? b ?? c ?? d ?? "");
    }
  }
  const linked = new Mentions<string>();
  if (links.size === 0) return linked;
  for (const key of keys.values()) for (const name of namesOf(key)) linked.add(name, key.hash);
  linked.search("", [...links].map((link) => JSON.stringify(link)).join("\n"));
  return linked;
}

function sayings(text: Text | null): readonly string[] {
  if (text === null) return [];
  return isForms(text) ? Object.values(text.forms) : [text.value];
}
