/** Finds what is wrong in the projects of a folder: the same as the Problems view of VS Code. */
import { join } from "node:path/posix";
import { describeFinding, type Finding } from "../messages/findings.ts";
import { isError } from "../messages/issue-messages.ts";
import { oneLine } from "../messages/escape-text.ts";
import type { ProjectProblem } from "../workspace/problems/project-problems.ts";
import { projectPlaceholderFamilies } from "../workspace/problems/project-placeholder-families.ts";
import { problemsRequestOf } from "../workspace/problems/problems-request.ts";
import { isUnknownKey } from "../workspace/problems/unknown-keys.ts";
import type { KeyReference } from "../workspace/usages/resolve-usage-to-key.ts";
import type { KeyName } from "../model/key-hash.ts";
import { findingsOfProblem } from "../operations/problem-findings.ts";
import type { OpenedFolder, OpenedProject } from "../projects/open-folder.ts";

export type Severity = "error" | "warning" | "note";

/** Something that is wrong. Lines and columns are 1-based; columns in UTF-16 code units. */
export interface CheckFinding {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: Severity;
  /** The service's rule, or an id of the extension, as in Problems. */
  readonly code: string;
  /** Localised, on one line. */
  readonly message: string;
}

/** Everything is looked for. */
const SEVERITIES = {
  "diagnostics.unknownKey": "error",
  "diagnostics.missingTranslation": "note",
  "diagnostics.qaIssues": "warning",
} as const;
/** More findings of a kind in a project are not read. */
const MAX_FINDINGS = 1_000_000;
const FILE_START = { line: 1, column: 1, endLine: 1, endColumn: 1 } as const;

/**
 * Returns the findings by path and place.
 * @throws the signal's reason
 */
export async function checkFolder(
  { projects, errors }: OpenedFolder,
  signal?: AbortSignal,
): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  for (const [path, problems] of errors)
    for (const { path: at, message } of problems) {
      const text = at.length === 0 ? message : `${at.join(".")}: ${message}`;
      found.push({ ...FILE_START, path, severity: "error", code: "project-file", message: text });
    }
  for (const open of projects) {
    const { indexing, lookup, file, project, local } = open;
    await indexing.problems.check(projectPlaceholderFamilies(lookup, file.files ?? []), signal);
    const request = problemsRequestOf({
      project,
      local,
      file,
      lookup,
      areUsagesComplete: true,
      severities: SEVERITIES,
      limit: MAX_FINDINGS,
    });
    for (const problem of await indexing.problems.find(request, signal)) {
      const finding = checkFindingOf(open, projects, problem);
      if (finding !== null) found.push(finding);
    }
  }
  return found.toSorted(
    (a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line || a.column - b.column,
  );
}

/** `null`: another project of the folder has the key, or rules of the project file ignore all of it. */
function checkFindingOf(
  open: OpenedProject,
  all: readonly OpenedProject[],
  problem: ProjectProblem,
): CheckFinding | null {
  const projects = {
    all,
    lookupOf: ({ lookup }: OpenedProject) => lookup,
    isUnknown: (use: KeyReference, candidates: readonly KeyName[], owner: OpenedProject) =>
      isUnknownKey(use, candidates, owner, { lookup: open.lookup, areUsagesComplete: true }),
  };
  const [first, ...others] = findingsOfProblem(open, open, projects, problem);
  if (first === undefined) return null;
  const { code, message } = describeFinding(open.project, first, others);
  const { start, end, path } = problem;
  return {
    path: join(open.path, path),
    line: start.line + 1,
    column: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
    severity: [first, ...others].map(severityOf).toSorted(bySeverity)[0] ?? "error",
    code,
    message: oneLine(message()),
  };
}

const ORDER: readonly Severity[] = ["error", "warning", "note"];

function bySeverity(a: Severity, b: Severity): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

/** Whether a finding is at least as severe as this. */
export function isAtLeast(severity: Severity, limit: Severity): boolean {
  return bySeverity(severity, limit) <= 0;
}

function severityOf(finding: Finding): Severity {
  switch (finding.kind) {
    case "unknown":
      return "error";
    case "missing":
    case "outdated":
    case "unpushed":
      return "note";
    case "issue":
      return isError(finding.issue) ? "error" : "warning";
    case "placeholder":
    case "too-long":
      return "warning";
    case "file":
      return ["duplicate", "elsewhere"].includes(finding.problem.code) ? "warning" : "error";
  }
}
