/** What the suites share: the folder of another project, and the judgement of its cases. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext } from "vitest";

/** Returns the folder of a project; skips the test if it is not there. `file`: a file that the suite reads. */
export function projectFolder(context: TestContext, name: string, repository: string, file: string): string {
  const folder = join(process.env["OUTSIDE_FOLDER"] ?? "", name);
  if (!existsSync(join(folder, file)))
    context.skip(`${file} is missing: clone ${repository} to FOLDER/${name}`);
  return folder;
}

/** A case of another project. */
export interface OutsideCase {
  readonly name: string;
  readonly isRight: boolean;
}

/** Prints the share of the cases that are right, with the wrong ones, and requires the goal. */
export function expectShare(suite: string, cases: readonly OutsideCase[], goal: number): void {
  const wrong = cases.filter(({ isRight }) => !isRight);
  const share = (cases.length - wrong.length) / cases.length;
  console.log(`${suite}: ${cases.length - wrong.length} of ${cases.length} (${(share * 100).toFixed(1)} %)`);
  for (const { name } of wrong.slice(0, 20)) console.log(`  wrong: ${name}`);
  expect(cases.length).toBeGreaterThan(0);
  expect(share).toBeGreaterThanOrEqual(goal);
}
