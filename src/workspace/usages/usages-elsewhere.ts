/**
 * How the other projects of a window use the keys of one: the code of an app uses the texts of a shared package. Their code
 * is indexed by their own keys, so the keys of others are names that they do not know.
 */
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import { qualifiedNames, type KeyName } from "../../model/key-hash.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { dynamicUsageMatcher } from "./dynamic-usages.ts";
import type { SearchedName } from "./find-key-names-in-text.ts";
import { basesOf, type KeyResolutionOptions } from "./resolve-usage-to-key.ts";
import { parseKeyReference } from "./stored-key-references.ts";

/** Another project of the window, whose usages are completely indexed. */
export interface OtherProject {
  readonly usages: Pick<
    UsageRepository,
    "countUsagesOfName" | "patterns" | "unmatchedPatterns" | "dynamicReferences"
  >;
  /** The names of its own keys. */
  readonly names: KeyNameQueries;
  readonly lookup: KeyResolutionOptions;
  /** As in `UsageReportDependencies`; paths are relative to the project whose keys are reported. */
  readonly findOccurrences: (names: readonly SearchedName[]) => Promise<ReadonlyMap<number, string>>;
}

/** Keys processed between yields to the event loop. */
const BATCH_SIZE = 200;

/**
 * Returns how often the other project's code names the key or, if it never does, a name of which it may be a plural form or a
 * context.
 */
export function countUsagesBy(
  {
    usages,
    lookup,
  }: Pick<OtherProject, "lookup"> & {
    readonly usages: Pick<UsageRepository, "countUsagesOfName">;
  },
  { namespace, key, context }: KeyName,
): number {
  for (const name of [key, ...basesOf(key, lookup)]) {
    const count = usages.countUsagesOfName({ namespace, key: name, context });
    if (count > 0) return count;
  }
  return 0;
}

/**
 * Returns a function that finds a dynamic usage in the other projects that may refer to a key, and returns its pattern. A
 * project that uses none of the keys by name only counts with patterns that match none of its own keys.
 */
export async function dynamicUsageElsewhere(
  others: readonly OtherProject[],
  keys: readonly KeyName[],
  names: KeyNameQueries,
  signal?: AbortSignal,
): Promise<(key: KeyName) => string | undefined> {
  const matchers: ((key: KeyName) => string | undefined)[] = [];
  for (const other of others) {
    const isConsumer = await usesAny(other, keys, signal);
    const all = isConsumer ? other.usages.patterns() : other.usages.unmatchedPatterns();
    const patterns = all.filter(({ prefix, suffix }) => prefix + suffix !== "");
    matchers.push((key) => {
      const written = [key.key, ...qualifiedNames(key)];
      const found = patterns.find(({ prefix, suffix }) =>
        written.some(
          (name) =>
            name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix),
        ),
      );
      return found?.pattern;
    });
    if (isConsumer)
      matchers.push(
        dynamicUsageMatcher(other.usages.dynamicReferences().map(parseKeyReference), names, other.lookup),
      );
  }
  return (key) => {
    for (const match of matchers) {
      const pattern = match(key);
      if (pattern !== undefined) return pattern;
    }
    return undefined;
  };
}

async function usesAny(
  other: OtherProject,
  keys: readonly KeyName[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const [index, key] of keys.entries()) {
    if (index % BATCH_SIZE === 0) {
      await yieldNow();
      signal?.throwIfAborted();
    }
    if (countUsagesBy(other, key) > 0) return true;
  }
  return false;
}
