/**
 * The file that is published. The address of the repository stands in one place: `repository` in package.json or, where
 * that has none, what GitHub tells its workflows. The other fields of a registry's page follow from it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packagedFiles } from "../setup/build.ts";
import { SetupError, cache, projectNode, root } from "../setup/ensure.mjs";

export interface ReleaseManifest {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
  readonly repository?: string | { readonly url: string };
}

/** The address of the repository's page; `null`: nobody says it. */
export function repositoryOf({ repository }: ReleaseManifest, env: NodeJS.ProcessEnv): string | null {
  const said = typeof repository === "string" ? repository : repository?.url;
  const onGitHub = env["GITHUB_REPOSITORY"];
  const address = said ?? (onGitHub && `${env["GITHUB_SERVER_URL"] ?? "https://github.com"}/${onGitHub}`);
  return address ? address.replace(/^git\+/u, "").replace(/\.git$/u, "") : null;
}

/** What a registry shows beside the README. */
export function fieldsOf(repository: string) {
  return {
    repository: { type: "git", url: `${repository}.git` },
    bugs: { url: `${repository}/issues` },
    homepage: `${repository}#readme`,
  };
}

/** Packages what was built. `files`: those of the VSIX, where they are known. Out: what vsce said. Throws SetupError. */
export async function packageRelease(
  vsix: string,
  repository: string | null,
  files?: readonly string[],
): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "package-"));
  try {
    // Without it vsce warns that everything may have come along.
    for (const path of [".vscodeignore", ...(files ?? (await packagedFiles()))])
      cpSync(join(root, path), join(folder, path));
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
    const fields = repository === null ? {} : fieldsOf(repository);
    writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
    const vsce = join(root, "node_modules", "@vscode", "vsce", "vsce");
    // Relative links lead into the repository; without one they stay as they are.
    const links = repository === null ? ["--allow-missing-repository", "--no-rewrite-relative-links"] : [];
    const args = [vsce, "package", "--no-dependencies", ...links, "--out", vsix];
    const run = spawnSync(projectNode, args, { cwd: folder, encoding: "utf8" });
    const said = `${run.stdout}${run.stderr}`;
    if (run.status !== 0) throw new SetupError(`The extension could not be packaged:\n${said}`);
    return said;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
