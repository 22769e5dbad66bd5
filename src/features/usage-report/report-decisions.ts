/** Which keys of a usage report are archived or removed. Knows nothing of VS Code. */
import type { ProjectKey } from "../../database/records.ts";
import type { UsageReport } from "../../workspace/usages/find-unused-keys.ts";

/** Keys to archive or remove. */
export interface UnusedKeys {
  /** The unused keys. */
  readonly keys: readonly ProjectKey[];
  /** Probably unused keys, which a person may choose too. */
  readonly offered: readonly ProjectKey[];
}

/** Which keys are removed from the files. */
export type RemovalDecision =
  | { readonly kind: "nothing" }
  /** The code uses none of the keys: how this app names its keys may not be supported. */
  | { readonly kind: "unsupported" }
  | ({ readonly kind: "keys" } & UnusedKeys);

/** Returns the keys that may be archived. @param isQuiet nobody is asked */
export function keysToArchive(
  { unused, probablyUnused }: Pick<UsageReport, "unused" | "probablyUnused">,
  isQuiet: boolean,
): UnusedKeys {
  return { keys: unused, offered: isQuiet ? [] : probablyUnused.map(({ key }) => key) };
}

/** Decides which keys may be removed from the files, if the report can tell. @param isQuiet nobody is asked */
export function decideRemoval(
  report: Pick<UsageReport, "unused" | "probablyUnused" | "used">,
  isQuiet: boolean,
): RemovalDecision {
  const { keys, offered } = keysToArchive(report, isQuiet);
  if (keys.length + offered.length === 0) return { kind: "nothing" };
  return report.used.length === 0 ? { kind: "unsupported" } : { kind: "keys", keys, offered };
}

/** Returns the report without unused keys that no longer exist. */
export function withoutRemovedKeys(report: UsageReport, keys: { has(hash: string): boolean }): UsageReport {
  return {
    ...report,
    unused: report.unused.filter(({ hash }) => keys.has(hash)),
    probablyUnused: report.probablyUnused.filter(({ key }) => keys.has(key.hash)),
  };
}
