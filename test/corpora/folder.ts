/** The folder of `npm run test:corpora -- FOLDER`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";

export const FOLDER = process.env["CORPORA_FOLDER"] ?? "";

/** Skips the test unless `FOLDER/name` holds the checked out repository, told by a file of it. */
export function needsProject(
  context: TestContext,
  name: string,
  repository: string,
  commit: string,
  file: string,
): void {
  if (existsSync(join(FOLDER, name, file))) return;
  context.skip(`${name} is missing: clone ${repository} to FOLDER/${name} and check out ${commit}`);
}
