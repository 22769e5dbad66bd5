/**
 * Which keys of the project the code uses, which it does not, and of which nobody can say, with the reason (R16). A key
 * is only called unused when nothing at all names it: "unused" is what may be archived.
 */
import { NO_NAMESPACE, type KeyName } from "./identity.ts";
import { keyGlob, writtenNames } from "./key-glob.ts";
import { Mentions } from "./mentions.ts";
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
  /** The texts of all files that may name a key: code, templates, documents; not the translation files. */
  readonly texts: () => AsyncIterable<{ readonly path: string; readonly text: string }>;
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
  const mentions = new Mentions<string>();
  for (const key of rest) for (const name of namesOf(key)) mentions.add(name, key.hash);
  if (rest.length > 0) {
    for await (const { path, text } of needs.texts()) {
      signal?.throwIfAborted();
      mentions.search(path, text);
      await yieldNow();
    }
  }
  const unused: ProjectKey[] = [];
  for (const key of rest) {
    const path = mentions.pathOf(key.hash);
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
