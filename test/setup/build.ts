/** Builds what is shipped, says which files that is, and packages an extension. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { Missing, ownNode, root } from "./ensure.mjs";

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

/** Packages the extension of a folder. Throws Missing with what vsce said. */
export function packageExtension(folder: string, path: string): void {
  const vsce = join(root, "node_modules", "@vscode", "vsce", "vsce");
  const args = [
    vsce,
    "package",
    "--no-dependencies",
    "--allow-missing-repository",
    "--no-rewrite-relative-links",
    "--skip-license",
    "--out",
    path,
  ];
  const run = spawnSync(ownNode, args, { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) throw new Missing(`The extension could not be packaged:\n${run.stdout}${run.stderr}`);
}
