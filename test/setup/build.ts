/** Builds what is shipped, says which files that is, and packages an extension. */
import { spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { SetupError, projectNode, root } from "./ensure.mjs";

/** Runs esbuild.mjs; what it says goes to standard error. Throws SetupError when it fails. */
export function buildAll(): void {
  const run = spawnSync(projectNode, [join(root, "esbuild.mjs")], {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (run.status !== 0) throw new SetupError("The build failed; what esbuild said stands above.");
}

/** What the bundles are made of. */
const BUILD_INPUTS = ["src/**/*.*", "l10n/*", "test/demo/sample/**/*.*", "esbuild.mjs", "package*.json"];

/** Builds if a source is newer than the bundles. Throws SetupError when that fails. */
export function buildIfStale(): void {
  const built = statSync(join(root, "dist", "service.mjs"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(BUILD_INPUTS, { cwd: root });
  if (sources.some((file) => statSync(join(root, file)).mtimeMs > built)) buildAll();
}

/** The files of the VSIX, relative to the folder. vsce reads all of it to tell, which takes long for a checkout. */
export function packagedFiles(folder = root): Promise<string[]> {
  return listFiles({ cwd: folder, packageManager: PackageManager.None });
}

/** The same, as test/repo/package.test.ts checks. */
export function shippedFiles(): readonly string[] {
  return [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "dist/THIRD-PARTY-NOTICES.txt",
    "dist/cli.mjs",
    "dist/command-line.mjs",
    "dist/extension.mjs",
    "dist/extract.mjs",
    "dist/formats.mjs",
    "dist/indexer-process.mjs",
    "dist/mcp-server.mjs",
    "dist/module-parser.mjs",
    "dist/sample-app.json",
    "dist/service.mjs",
    // What several of them import, divided by which do.
    ...globSync("dist/shared-*.mjs", { cwd: root }),
    "dist/translation-editor.css",
    "dist/translation-editor.js",
    "l10n/bundle.l10n.nl.json",
    "media/activity-bar.svg",
    "media/chat/SKILL.md",
    "media/chat/fix-qa-issues.prompt.md",
    "media/chat/project-translations.instructions.md",
    "media/chat/translate-new-texts.prompt.md",
    "media/icon.png",
    "media/project-translations.schema.json",
    "media/walkthrough/connect.svg",
    "media/walkthrough/map.svg",
    "media/walkthrough/pull.svg",
    "media/walkthrough/push.svg",
    "media/walkthrough/see.svg",
    "media/walkthrough/translate.svg",
    "package.json",
    "package.nls.json",
    "package.nls.nl.json",
  ];
}

/** Packages the extension of a folder. Throws SetupError with what vsce said. */
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
  const run = spawnSync(projectNode, args, { cwd: folder, encoding: "utf8" });
  if (run.status !== 0)
    throw new SetupError(`The extension could not be packaged:\n${run.stdout}${run.stderr}`);
}
