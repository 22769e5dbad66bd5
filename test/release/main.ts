/**
 * `npm run package -- [--out FILE]`: the files that are published: the extension, and beside it the command line for npm.
 *
 * `npm run release -- [--out DIR] [--rehearse]`: what a release does before it publishes. Compares tag, version and
 * changelog, asks for known vulnerabilities, packages once, and leaves the file and its software bill of materials in
 * DIR (`.cache/release`). `--rehearse`: then it is installed into a clean VS Code, tested there, and it is said which
 * registries would get it; nothing is published.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hostEnvironment } from "../host/harness/vscode-server.ts";
import { buildAll } from "../setup/build.ts";
import { SetupError, cache, ensureVscode, exitOnSetupError, projectNode, root } from "../setup/ensure.mjs";
import { packageCommandLine } from "./package-command-line.ts";
import { packageRelease, repositoryOf, type ReleaseManifest } from "./package.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string" }, rehearse: { type: "boolean", default: false } },
});

/** As test/repo/package.test.ts. */
const MAX_BYTES = 1_200_000;
const SMOKE_SUITES = ["window", "local-only", "sign-in", "push", "pull"];
const REGISTRIES = [
  ["Visual Studio Marketplace", "VSCE_PAT"],
  ["Open VSX", "OVSX_PAT"],
] as const;

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as ReleaseManifest;
const { name, publisher, version } = manifest;

await exitOnSetupError(async () => {
  buildAll();
  if (positionals.includes("package")) {
    await packaged(resolve(options.out ?? `${name}-${version}.vsix`));
    return;
  }
  checkVersion();
  audit();
  const folder = resolve(options.out ?? join(cache, "release"));
  mkdirSync(folder, { recursive: true });
  const vsix = join(folder, `${name}.vsix`);
  await packaged(vsix);
  if (statSync(vsix).size > MAX_BYTES) throw new SetupError("The package is larger than 1.2 MB.");
  const bill = join(folder, "sbom.cdx.json");
  copyFileSync(join(root, "dist", "sbom.cdx.json"), bill);
  console.log(`Software bill of materials: ${bill}`);
  if (!options.rehearse) return;
  await install(vsix);
  smokeTest(vsix);
  for (const [registry, secret] of REGISTRIES) {
    const how = process.env[secret] ? "would get this file" : `is left out: ${secret} is not set`;
    console.log(`${registry} ${how}.`);
  }
  console.log(`The rehearsal of ${version} passed. Nothing was published.`);
});

async function packaged(vsix: string): Promise<void> {
  const repository = repositoryOf(manifest, process.env);
  const tarball = vsix.replace(/(?:\.vsix)?$/u, ".tgz");
  packageCommandLine(tarball, repository);
  console.log(`Command line: ${tarball}`);
  const said = await packageRelease(vsix, repository);
  console.log(said.trim());
  if (said.includes("WARNING"))
    throw new SetupError("vsce warned; a registry would show what it says above.");
  if (repository === null)
    console.log(
      "No repository is named (package.json, or GITHUB_REPOSITORY): pictures and links of the README work in a checkout alone.",
    );
}

/** The tag of this commit, where it has one, and the changelog are the version's. */
function checkVersion(): void {
  const tags =
    process.env["GITHUB_REF_TYPE"] === "tag"
      ? [process.env["GITHUB_REF_NAME"] ?? ""]
      : git("tag", "--points-at", "HEAD").split("\n");
  const versions = tags.filter((tag) => /^v\d/u.test(tag));
  if (versions.length > 0 && !versions.includes(`v${version}`))
    throw new SetupError(`The tag is ${versions.join(", ")}, and package.json says ${version}.`);
  const [, newest] = /^## (\S+)/mu.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  if (newest !== version)
    throw new SetupError(
      `CHANGELOG.md begins with ${newest ?? "nothing"}, and package.json says ${version}.`,
    );
  console.log(
    `Version ${version}: package.json, CHANGELOG.md and the tag (${versions.join(", ") || "none"}) agree.`,
  );
}

function git(...args: readonly string[]): string {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout ?? "";
}

/** Known vulnerabilities of what is shipped. A registry that answers no such question ends a release, not a rehearsal. */
function audit(): void {
  const run = npm("audit", "--omit", "dev", "--audit-level", "high", "--json");
  const { error, metadata } = JSON.parse(run.stdout || "{}") as {
    readonly error?: unknown;
    readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
  };
  if (metadata !== undefined && error === undefined) {
    if (run.status !== 0) throw new SetupError(`npm audit found something:\n${run.stdout}`);
    console.log("npm audit: no known vulnerability of high or critical severity in what is shipped.");
    return;
  }
  const words = "npm audit: the registry gave no answer";
  if (!options.rehearse) throw new SetupError(`${words}:\n${run.stdout}${run.stderr}`);
  console.log(`${words}, so this was not checked.`);
}

function npm(...args: readonly string[]) {
  const shell = process.platform === "win32";
  return spawnSync(shell ? "npm.cmd" : "npm", args, { cwd: root, encoding: "utf8", shell });
}

/** As a user does, by VS Code's own installer, into an empty profile. */
async function install(vsix: string): Promise<void> {
  const { codeServer, node } = await ensureVscode("newest");
  const folder = mkdtempSync(join(tmpdir(), "pt-"));
  const server = join(codeServer, "lib", "vscode", "out", "server-main.js");
  const profile = ["--server-data-dir", folder, "--extensions-dir", join(folder, "extensions")];
  const code = (...args: readonly string[]): string => {
    const words = [server, ...args, ...profile, "--accept-server-license-terms"];
    const run = spawnSync(node, words, { env: hostEnvironment(folder), encoding: "utf8" });
    if (run.status !== 0) throw new SetupError(`VS Code said:\n${run.stdout}${run.stderr}`);
    return run.stdout;
  };
  try {
    code("--install-extension", vsix);
    const installed = code("--list-extensions", "--show-versions");
    if (!installed.includes(`${publisher}.${name}@${version}`))
      throw new SetupError(`VS Code lists other extensions after the installation:\n${installed}`);
    console.log(`Installed into a clean VS Code: ${publisher}.${name}@${version}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function smokeTest(vsix: string): void {
  const main = join(root, "test", "host", "harness", "main.ts");
  const run = spawnSync(projectNode, [main, ...SMOKE_SUITES, "--no-build", "--vsix", vsix], {
    cwd: root,
    stdio: "inherit",
  });
  if (run.status !== 0) throw new SetupError("The package failed its tests in VS Code.");
}
