/** Diagnostics that are suppressed by the project file (`diagnostics.ignore`) or by a comment in the code. */
import { keyPatternMatcher } from "../../model/key-patterns.ts";
import type { IgnoreRule } from "../project-file/project-file.ts";
import { pathMatcher } from "./usage-files.ts";

/** In a comment: suppresses diagnostics of the keys on this line. */
export const IGNORE_MARK = "project-translations-ignore";
/** In a comment: suppresses diagnostics of the keys on the next line. */
export const NEXT_LINE_MARK = `${IGNORE_MARK}-next-line`;

/** The properties of a diagnostic that rules match. */
export interface IgnorableProblem {
  readonly code: string;
  /** Relative to the project root. */
  readonly path: string;
  /** The key's names as written in code and by users. */
  readonly names: readonly string[];
}

type RuleMatcher = (problem: IgnorableProblem) => boolean;

const compiledRules = new WeakMap<readonly IgnoreRule[], readonly RuleMatcher[]>();

/** Whether a rule matches the problem. Rules are compiled once per list. */
export function isIgnored(rules: readonly IgnoreRule[] | undefined, problem: IgnorableProblem): boolean {
  if (rules === undefined || rules.length === 0) return false;
  let ready = compiledRules.get(rules);
  if (ready === undefined) compiledRules.set(rules, (ready = rules.map(compileRule)));
  return ready.some((rule) => rule(problem));
}

/** Every field of a rule must match. */
function compileRule({ key, path, code }: IgnoreRule): RuleMatcher {
  const isKey = key === undefined ? null : keyPatternMatcher(key);
  const isPath = path === undefined ? null : pathMatcher([path]);
  return (problem) =>
    (code === undefined || code === problem.code) &&
    (isKey === null || problem.names.some(isKey)) &&
    (isPath === null || isPath(problem.path));
}

/** Whether the offset's line has an ignore comment, or the line above one for the next line. */
export function isOnIgnoredLine(text: string, offset: number): boolean {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end === -1 ? text.length : end);
  // The marker for the next line contains the other one.
  if (line.replaceAll(NEXT_LINE_MARK, "").includes(IGNORE_MARK)) return true;
  if (start === 0) return false;
  const above = text.slice(text.lastIndexOf("\n", start - 2) + 1, start);
  return above.includes(NEXT_LINE_MARK);
}
