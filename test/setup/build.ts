/** Builds what is shipped, says which files that is, and packages it. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createVSIX, listFiles, PackageManager } from "@vscode/vsce";
import { Missing, cache, ownNode, root } from "./ensure.mjs";

/** Runs esbuild.mjs; what it says goes to standard error. Throws Missing when it fails. */
export function buildAll(): void {
  const run = spawnSync(ownNode, [join(root, "esbuild.mjs")], {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (run.status !== 0) throw new Missing("The build failed; what esbuild said stands above.");
}

/** The files of the VSIX, relative to the checkout. */
export function shippedFiles(): Promise<string[]> {
  return listFiles({ cwd: root, packageManager: PackageManager.None });
}

/** Packages the VSIX from what was built. Out: its path. */
export async function packageVsix(): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const path = join(cache, "project-translations.vsix");
  await createVSIX({ cwd: root, packagePath: path, dependencies: false, skipLicense: false });
  return path;
}
