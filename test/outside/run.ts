/**
 * `npm run test:outside -- FOLDER [VITEST ARGUMENTS...]`: runs what other projects test themselves with against this one
 * (README.md). No part of the tests of this project.
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "../setup/ensure.mjs";

const [folder, ...args] = process.argv.slice(2);
if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
  console.error("Usage: npm run test:outside -- FOLDER");
  console.error("FOLDER: clones of the projects in test/outside/README.md, each under its own name.");
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  [resolve(root, "node_modules/vitest/vitest.mjs"), "run", "--root", import.meta.dirname, ...args],
  { stdio: "inherit", env: { ...process.env, OUTSIDE_FOLDER: resolve(folder) } },
);
process.exit(status ?? 1);
