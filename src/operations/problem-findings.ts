/** What is found to be wrong by a problem of the files of a project, among the other projects of its window or folder. */
import type { KeySearch } from "../database/full-text-search.ts";
import type { Project } from "../database/project-state.ts";
import { describeFinding, type Finding } from "../messages/findings.ts";
import { type KeyName, qualifiedNames } from "../model/key-hash.ts";
import { keyIssues } from "../sync/qa-issues.ts";
import { isIgnored } from "../workspace/problems/ignored-diagnostics.ts";
import type { ProjectProblem } from "../workspace/problems/project-problems.ts";
import type { ProjectFile } from "../workspace/project-file/project-file.ts";
import {
  nearestAmongProjects,
  type ProjectsToResolveIn,
  type ResolvableProject,
  resolveAmongProjects,
} from "../workspace/usages/resolve-among-projects.ts";
import type { KeyReference } from "../workspace/usages/resolve-usage-to-key.ts";
import { parseKeyReference } from "../workspace/usages/stored-key-references.ts";

/** What findings are about. */
export interface CheckedProject {
  readonly project: Project;
  readonly file: Pick<ProjectFile, "diagnostics">;
}

/** Returns the findings that no rule of the project file ignores. `names`: other spellings of the key. */
export function withoutIgnored(
  { project, file }: CheckedProject,
  path: string,
  names: readonly string[],
  findings: readonly Finding[],
): readonly Finding[] {
  const rules = file.diagnostics?.ignore;
  if (rules === undefined) return findings;
  return findings.filter((finding) => {
    const { code, keys } = describeFinding(project, finding);
    return !isIgnored(rules, { code, path, names: [...names, ...keys.flatMap(qualifiedNames)] });
  });
}

/**
 * Returns the findings of a problem; none if another project has the key or may have it, or all of them are ignored.
 * @param projects `isUnknown`: as `isUnknownKey`, of a name that was looked up in a project
 */
export function findingsOfProblem<
  Open extends ResolvableProject & { readonly keySearch: KeySearch; readonly usesTextsOf: readonly Open[] },
>(
  open: Open,
  checked: CheckedProject,
  projects: ProjectsToResolveIn<Open> & {
    readonly isUnknown: (use: KeyReference, candidates: readonly KeyName[], project: Open) => boolean;
  },
  { path, problem }: ProjectProblem,
): readonly Finding[] {
  switch (problem.kind) {
    case "unknown": {
      const use = parseKeyReference(problem.reference);
      const { open: owner, resolution } = resolveAmongProjects(use, open, projects);
      if (resolution.kind !== "unknown" || !projects.isUnknown(use, resolution.candidates, owner)) return [];
      if (problem.similar !== null) return [problem];
      const [similar = null] = nearestAmongProjects(use, 1, open, projects, "others");
      return [{ ...problem, similar }];
    }
    case "missing":
      return [problem];
    case "file":
      return withoutIgnored(checked, path, [], [problem]);
    case "issues": {
      const { hash, key, locale } = problem;
      const { project } = checked;
      const named = { ...key, hash, text: project.keys.text(hash) ?? null };
      const issues = keyIssues(named, project.translationsOf(hash, locale));
      const findings = issues.map((issue): Finding => ({ kind: "issue", issue, inFile: true }));
      return withoutIgnored(checked, path, [], findings);
    }
  }
}
