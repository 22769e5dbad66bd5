/**
 * Problems that nobody wants to be told: by the rules of the project file (`diagnostics.ignore`), and by a mark in the
 * text itself. Finds none of them and writes nothing.
 */
import { keyGlob } from "../../model/key-patterns.ts";
import type { IgnoreRule } from "../project-file/project-file.ts";
import { pathMatcher } from "./usage-files.ts";

/** In a comment: nothing is told of the keys in this line. */
export const IGNORE_MARK = "project-translations-ignore";
/** In a comment: nothing is told of the keys in the line below. */
export const NEXT_LINE_MARK = `${IGNORE_MARK}-next-line`;

/** What a rule is asked about. */
export interface IgnorableProblem {
  readonly code: string;
  /** Relative to the project's root. */
  readonly path: string;
  /** The key's names, as code and as people write them. */
  readonly names: readonly string[];
}

type Rule = (problem: IgnorableProblem) => boolean;

const made = new WeakMap<readonly IgnoreRule[], readonly Rule[]>();

/** Whether a rule means the problem. The same list of rules is made ready once. */
export function isIgnored(rules: readonly IgnoreRule[] | undefined, problem: IgnorableProblem): boolean {
  if (rules === undefined || rules.length === 0) return false;
  let ready = made.get(rules);
  if (ready === undefined) made.set(rules, (ready = rules.map(ruleOf)));
  return ready.some((rule) => rule(problem));
}

/** All that the rule says has to fit. */
function ruleOf({ key, path, code }: IgnoreRule): Rule {
  const isKey = key === undefined ? null : keyGlob(key);
  const isPath = path === undefined ? null : pathMatcher([path]);
  return (problem) =>
    (code === undefined || code === problem.code) &&
    (isKey === null || problem.names.some(isKey)) &&
    (isPath === null || isPath(problem.path));
}

/** Whether a mark stands in the line of the offset, or one for the next line in the line above. */
export function isMarked(text: string, offset: number): boolean {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end === -1 ? text.length : end);
  // The mark for the next line has the other one in it.
  if (line.replaceAll(NEXT_LINE_MARK, "").includes(IGNORE_MARK)) return true;
  if (start === 0) return false;
  const above = text.slice(text.lastIndexOf("\n", start - 2) + 1, start);
  return above.includes(NEXT_LINE_MARK);
}
