/** Which keys of a usage report are archived or removed. Knows nothing of VS Code. */
import type { ProjectKey } from "../../database/records.ts";
import type { UsageReport } from "../../workspace/usages/find-unused-keys.ts";

/** Which keys are removed from the files. */
export type RemovalDecision =
  | { readonly kind: "nothing" }
  /** The code uses none of the keys: how this app names its keys may not be supported. */
  | { readonly kind: "unsupported" }
  | { readonly kind: "keys"; readonly keys: readonly ProjectKey[] };

/** Returns the keys that are certainly unused, which alone may be archived. */
export function keysToArchive({ unused }: Pick<UsageReport, "unused">): readonly ProjectKey[] {
  return unused;
}

/** Decides which keys are removed from the files: those that are certainly unused, if the report can tell. */
export function decideRemoval({ unused, used }: Pick<UsageReport, "unused" | "used">): RemovalDecision {
  if (unused.length === 0) return { kind: "nothing" };
  return used.length === 0 ? { kind: "unsupported" } : { kind: "keys", keys: unused };
}

/** Returns the report without unused keys that no longer exist. */
export function withoutRemovedKeys(report: UsageReport, keys: { has(hash: string): boolean }): UsageReport {
  return { ...report, unused: report.unused.filter(({ hash }) => keys.has(hash)) };
}
