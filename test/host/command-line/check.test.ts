/** `check` on the command line finds what the Problems view of the window shows: in all fixtures at once. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { commands, extensions, languages, workspace } from "vscode";
import { waitFor } from "../harness/wait-for.ts";

interface CheckFinding {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
}

function checked(folder: string, program: string): Promise<readonly CheckFinding[]> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1", LC_ALL: "C" };
    const args = [program, "check", folder, "--format", "json"];
    execFile(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout === "") reject(error ?? new Error(stderr));
      else resolve((JSON.parse(stdout) as { readonly findings: readonly CheckFinding[] }).findings);
    });
  });
}

const lineOf = ({ path, line, column, code, message }: CheckFinding): string =>
  `${path}:${line}:${column} ${code} ${message}`;

function shown(): readonly string[] {
  return languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) =>
      diagnostics
        .filter(({ source }) => source === "Project Translations")
        .map(({ range: { start }, code, message }) =>
          lineOf({
            path: workspace.asRelativePath(uri, false),
            line: start.line + 1,
            column: start.character + 1,
            code: typeof code === "string" ? code : "",
            message,
          }),
        ),
    )
    .toSorted();
}

describe("check", () => {
  it("finds what the window shows", async () => {
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const extension = extensions.all.find(({ id }) => id.endsWith(".project-translations"));
    assert.ok(extension);
    await commands.executeCommand("projectTranslations.refresh", { confirm: false });
    const program = join(extension.extensionPath, "dist", "cli.mjs");
    const findings = await checked(folder.uri.fsPath, program);
    const expected = findings
      .filter(({ code }) => code !== "project-file")
      .map(lineOf)
      .toSorted();
    assert.ok(expected.length > 10, `only ${expected.length} findings`);
    const folders = new Set(findings.map(({ path }) => dirname(path).split("/")[0]));
    assert.ok(folders.size >= 3, `only findings in ${[...folders].join(", ")}`);
    try {
      await waitFor("the problems of the window", () => shown().join("\n") === expected.join("\n"));
    } catch {
      assert.deepEqual(shown(), expected);
    }
  });
});
