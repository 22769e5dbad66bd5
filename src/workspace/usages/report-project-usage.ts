/** The usage report of a project among the others of its window or folder. */
import { join, relative } from "node:path";
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import { reportUsage, type UsageReport, type UsageReportDependencies } from "./find-unused-keys.ts";
import { DEFAULT_INCLUDE, MENTIONING_FILES } from "./list-source-files.ts";
import type { ScanScope, UsageOptions } from "./usage-indexer.ts";

/** A project whose usages are completely indexed. */
export interface IndexedProject extends Pick<
  UsageReportDependencies,
  "names" | "lookup" | "findOccurrences"
> {
  /** The path of its folder. */
  readonly root: string;
  readonly usages: UsageRepository;
}

/**
 * Creates the report of a project.
 * @param others whose code may use the keys too
 * @throws the signal's reason when aborted
 */
export function reportProjectUsage(
  project: IndexedProject & Omit<UsageReportDependencies, "others" | keyof IndexedProject>,
  others: readonly IndexedProject[],
  signal?: AbortSignal,
): Promise<UsageReport> {
  const inProject = ({ root, findOccurrences, ...other }: IndexedProject) => ({
    ...other,
    findOccurrences: async (names: Parameters<typeof findOccurrences>[0]) => {
      const found = await findOccurrences(names);
      const folder = relative(project.root, root);
      return new Map(Array.from(found, ([index, path]) => [index, join(folder, path)]));
    },
  });
  return reportUsage({ ...project, others: others.map(inProject) }, signal);
}

/** Returns where names of keys are looked for besides the code: in templates, documents and configuration. */
export function mentioningScope({ include, exclude, otherProjects, codeFolders }: UsageOptions): ScanScope {
  return {
    include: [...new Set([...(include ?? []), ...DEFAULT_INCLUDE, MENTIONING_FILES])],
    ...(exclude === undefined ? {} : { exclude }),
    ...(otherProjects === undefined ? {} : { otherProjects }),
    ...(codeFolders === undefined ? {} : { codeFolders }),
  };
}
