/** What programs are told of a usage report. */
import type { ReportedKey } from "../commands/declarations/key-commands.ts";
import type { ProjectKey } from "../database/records.ts";
import type { UsageReport } from "../workspace/usages/find-unused-keys.ts";

/** The four groups of keys; of the used ones only the number. */
export interface UsageGroups {
  readonly used: number;
  readonly unused: readonly ReportedKey[];
  readonly probablyUnused: readonly (ReportedKey & { readonly pattern: string })[];
  readonly undeterminable: readonly (ReportedKey & {
    readonly pattern: string;
    readonly path: string | null;
  })[];
}

export function usageGroups({ used, unused, probablyUnused, undeterminable }: UsageReport): UsageGroups {
  return {
    used: used.length,
    unused: unused.map(reportedKey),
    probablyUnused: probablyUnused.map(({ key, pattern }) => ({ ...reportedKey(key), pattern })),
    undeterminable: undeterminable.map(({ key, pattern, path }) => ({
      ...reportedKey(key),
      pattern: pattern ?? "",
      path,
    })),
  };
}

function reportedKey({ hash, namespace, key, context }: ProjectKey): ReportedKey {
  return { hash, namespace, key, context };
}
