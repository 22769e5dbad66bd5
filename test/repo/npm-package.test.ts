/** The npm package of the command line: packed, installed into an empty folder without a network, and run. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packageCommandLine } from "../release/package-command-line.ts";
import { buildAll } from "../setup/build.ts";
import { projectNode, root } from "../setup/ensure.mjs";
import { readJson } from "./tree.ts";

const folder = mkdtempSync(join(tmpdir(), "npm-package-"));
const installed = join(folder, "node_modules", "project-translations");

beforeAll(() => {
  buildAll();
  const tarball = join(folder, "command-line.tgz");
  packageCommandLine(tarball, "https://github.com/owner/name");
  writeFileSync(join(folder, "package.json"), "{}");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball];
  const { status, stderr } = spawnSync(npm, args, {
    cwd: folder,
    encoding: "utf8",
    shell: npm === "npm.cmd",
  });
  expect(status, stderr).toBe(0);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: readonly string[]) {
  const env = { ...process.env, LC_ALL: "C" };
  return spawnSync(projectNode, [join(installed, "dist", "cli.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
}

it("has the program with what it loads, licences and a README of its own, and nothing of the editor", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const names = files.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "THIRD-PARTY-NOTICES.txt", "formats.cjs"]),
  );
  expect(names).toEqual(expect.arrayContaining(["cli.mjs", "mcp-server.cjs", "module-parser.cjs"]));
  expect(names.filter((name) => /extension|service|translation-editor|\.map$/u.test(name))).toEqual([]);
  const { version } = readJson<{ readonly version: string }>("package.json");
  expect(readdirSync(join(folder, "node_modules", ".bin"))).toContain("project-translations");
  expect(run("--version").stdout).toBe(`${version}\n`);
  expect(statSync(join(folder, "command-line.tgz")).size).toBeLessThan(600_000);
});

it("checks an app", () => {
  const app = join(folder, "app");
  cpSync(join(root, "test", "demo", "sample", "webshop"), app, { recursive: true });
  writeFileSync(join(app, "resources", "views", "wrong.blade.php"), "{{ __('cart.titel') }}\n");
  const { status, stdout, stderr } = run("check", app, "--only", "unknown-key");
  expect(stderr).toBe("");
  expect(stdout).toContain("resources/views/wrong.blade.php:1:");
  expect(stdout).toContain("cart.titel");
  expect(status).toBe(1);
});

it("serves agents", () => {
  const request = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  const program = join(installed, "dist", "cli.mjs");
  const { status, stdout } = spawnSync(projectNode, [program, "mcp", "app"], {
    cwd: folder,
    encoding: "utf8",
    input: `${JSON.stringify(request)}\n`,
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    id: 1,
    result: { serverInfo: { name: "project-translations" } },
  });
});
