/**
 * `npm run test:corpora -- FOLDER [VITEST ARGUMENTS...]`: runs the formats and the usages over files of other projects
 * (README.md). No part of the tests of this project.
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "../setup/ensure.mjs";

const [folder, ...args] = process.argv.slice(2);
if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
  console.error("Usage: npm run test:corpora -- FOLDER");
  console.error("FOLDER: clones of projects, or any translation files (test/corpora/README.md).");
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  [resolve(root, "node_modules/vitest/vitest.mjs"), "run", "--root", import.meta.dirname, ...args],
  { stdio: "inherit", env: { ...process.env, CORPORA_FOLDER: resolve(folder) } },
);
process.exit(status ?? 1);
