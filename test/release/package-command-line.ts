/** The npm package of the command line, made from the same build as the VSIX. */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError, cache, root } from "../setup/ensure.mjs";
import { fieldsOf, type ReleaseManifest } from "./package.ts";

/** Other files than bundles. */
const FILES = [
  "LICENSE",
  "dist/THIRD-PARTY-NOTICES.txt",
  "l10n/bundle.l10n.nl.json",
  "media/chat/fix-qa-issues.prompt.md",
  "media/chat/project-translations.instructions.md",
  "media/chat/translate-new-texts.prompt.md",
];
const PROGRAM = "dist/cli.mjs";

/** Packages what was built. `path`: of the tarball. Throws SetupError. */
export function packageCommandLine(path: string, repository: string | null): void {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "npm-package-"));
  try {
    for (const file of [...FILES, ...bundlesOf(PROGRAM)]) cpSync(join(root, file), join(folder, file));
    cpSync(join(root, "src", "cli", "README.md"), join(folder, "README.md"));
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(repository), null, 2)}\n`);
    const shell = process.platform === "win32";
    const args = ["pack", "--json", "--ignore-scripts", "--offline"];
    const run = spawnSync(shell ? "npm.cmd" : "npm", args, { cwd: folder, encoding: "utf8", shell });
    if (run.status !== 0)
      throw new SetupError(`npm could not pack the command line:\n${run.stdout}${run.stderr}`);
    const { name, version } = manifestOf(null);
    copyFileSync(join(folder, `${name}-${version}.tgz`), path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function manifestOf(repository: string | null) {
  const { name, version, license, keywords } = readManifest();
  const texts = JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8")) as Readonly<
    Record<string, string>
  >;
  return {
    name,
    version,
    description: texts["description"],
    keywords,
    license,
    type: "module",
    bin: { [name]: PROGRAM },
    engines: { node: ">=22.13" },
    files: ["dist", "l10n", "media"],
    ...(repository === null ? {} : fieldsOf(repository)),
  };
}

function readManifest() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as ReleaseManifest & {
    readonly license: string;
    readonly keywords: readonly string[];
  };
}

/** The bundle and those that it loads. */
function bundlesOf(program: string): ReadonlySet<string> {
  const bundles = new Set([program]);
  for (const bundle of bundles) {
    const loaded = readFileSync(join(root, bundle), "utf8").matchAll(/["'`]\.\/([\w.-]+\.[cm]js)["'`]/gu);
    for (const [, name = ""] of loaded) bundles.add(`dist/${name}`);
  }
  return bundles;
}
