/** Which keys of a project in an opened folder the code uses. */
import type { UsageReport } from "../workspace/usages/find-unused-keys.ts";
import {
  type IndexedProject,
  mentioningScope,
  reportProjectUsage,
} from "../workspace/usages/report-project-usage.ts";
import type { OpenedProject } from "./open-folder.ts";

/**
 * Returns the usage report of a project.
 * @param all the projects of the folder, whose code may use the keys too
 * @throws the signal's reason when aborted
 */
export function usageReport(
  open: OpenedProject,
  all: readonly OpenedProject[],
  signal?: AbortSignal,
): Promise<UsageReport> {
  const others = all.filter((each) => each !== open).map((each) => indexedProject(each, signal));
  const { project, file, local, indexing, lookup } = open;
  return reportProjectUsage(
    {
      ...indexedProject(open, signal),
      keys: project.keys,
      keep: file.usage?.keep ?? [],
      texts: (markers) => local.entriesContaining(markers),
      findEvidence: () => indexing.usages.findEvidence(lookup, file.usage?.calls ?? [], new Map(), signal),
    },
    others,
    signal,
  );
}

function indexedProject(
  { root, usages, keyNames, lookup, local, indexing, options }: OpenedProject,
  signal: AbortSignal | undefined,
): IndexedProject {
  return {
    root,
    usages,
    names: keyNames,
    lookup,
    findOccurrences: async (names) => {
      const translationFiles = [...(await local.paths(signal))];
      const scope = mentioningScope(options);
      return indexing.usages.findOccurrences(
        names,
        scope,
        translationFiles,
        lookup.frameworks,
        new Map(),
        signal,
      );
    },
  };
}
