/** Files named `*.full.test.ts`, which only full runs have. */
import { configDefaults } from "vitest/config";

/** What Vitest leaves out: in quick runs, these files. */
export const EXCLUDED: readonly string[] =
  process.env["TEST_FULL"] === "1"
    ? configDefaults.exclude
    : [...configDefaults.exclude, "**/*.full.test.ts"];
