/** The shape of a case: the public issue, its subject, and marked code. */
import type { Expected } from "../marked.ts";

/** `owner/name#number`, what was reported, language id, marked text (`marked.ts`), what else is expected. */
export type IssueCase = readonly [
  issue: string,
  what: string,
  language: string,
  marked: string,
  expected?: Expected | undefined,
];
