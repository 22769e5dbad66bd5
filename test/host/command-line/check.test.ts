/**
 * Compares what `check` on the command line finds with what the Problems view of the window shows, in the fixtures with a project
 * file at once, or in another folder (`npm run test:host -- command-line --workspace FOLDER`). The view lists the problems of
 * the newest files; where there are more, each kind is compared alone, too.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { commands, ConfigurationTarget, extensions, languages, workspace } from "vscode";
import type { CheckFinding } from "../../../src/cli/check.ts";
import { getOrCreate } from "../../../src/util/maps.ts";
import { call } from "../harness/bridge-client.ts";
import { waitFor } from "../harness/wait-for.ts";

type Finding = Pick<CheckFinding, "path" | "line" | "column" | "code" | "message">;

const SETTINGS = { unknownKey: "error", missingTranslation: "information", qaIssues: "warning" } as const;
type Setting = keyof typeof SETTINGS;
const ALL = Object.keys(SETTINGS) as Setting[];
/** The most problems that the window lists of a project. */
const MAX_LISTED = 1_000;
/** Of a large project. */
const SECONDS = 600;

const settingOf = ({ code }: Finding): Setting =>
  code === "unknown-key" ? "unknownKey" : code === "missing-translation" ? "missingTranslation" : "qaIssues";

const lineOf = ({ path, line, column, code, message }: Finding): string =>
  `${path}:${line}:${column} ${code} ${message}`;

/** Runs a command in the folder, which paths are relative to. */
function run(folder: string, ...args: readonly string[]): Promise<unknown> {
  const extension = extensions.all.find(({ id }) => id.endsWith(".project-translations"));
  assert.ok(extension);
  const program = join(extension.extensionPath, "dist", "cli.mjs");
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1", LC_ALL: "C" };
    const options = { cwd: folder, env, maxBuffer: 2 ** 30 };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      if (stdout === "") reject(error ?? new Error(stderr));
      else resolve(JSON.parse(stdout));
    });
  });
}

function shown(): readonly Finding[] {
  return languages.getDiagnostics().flatMap(([uri, diagnostics]) =>
    diagnostics
      .filter(({ source }) => source === "Project Translations")
      .map(({ range: { start }, code, message }) => ({
        path: workspace.asRelativePath(uri, false),
        line: start.line + 1,
        column: start.character + 1,
        code: typeof code === "string" ? code : "",
        message,
      })),
  );
}

/** Returns the findings that are not among others, each of which stands for one. */
function without(findings: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(lineOf(other), (counts.get(lineOf(other)) ?? 0) + 1);
  return findings.filter((finding) => {
    const count = counts.get(lineOf(finding)) ?? 0;
    counts.set(lineOf(finding), count - 1);
    return count <= 0;
  });
}

describe("check", () => {
  let root = "";
  let findings: readonly Finding[] = [];
  /** The folders of the projects, relative to the window's, the longest first. */
  let projects: readonly string[] = [];
  /** By path. */
  const modifiedOf = new Map<string, number>();

  before(async function () {
    this.timeout(SECONDS * 1000);
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
    const found = (await run(root, "check", "--format", "json")) as { readonly findings: readonly Finding[] };
    findings = found.findings.filter(({ code }) => code !== "project-file");
    const status = (await run(root, "status", "--json")) as {
      readonly projects: readonly { readonly folder: string }[];
    };
    projects = status.projects.map((each) => each.folder).toSorted((a, b) => b.length - a.length);
    await commands.executeCommand("projectTranslations.refresh", { confirm: false });
  });

  /** What the window does not list, although it is in the newest files, or there are few problems. */
  const notListed = (expected: readonly Finding[], listed: readonly Finding[]): readonly Finding[] => {
    const projectOf = ({ path }: Finding): string =>
      projects.find((each) => join(root, path).startsWith(`${each}/`)) ?? root;
    const modified = ({ path }: Finding): number =>
      getOrCreate(modifiedOf, path, () => {
        const { mtimeMs, ctimeMs } = statSync(join(root, path));
        return Math.max(mtimeMs, ctimeMs);
      });
    const listedOf = Map.groupBy(listed, projectOf);
    const oldestOf = new Map(
      [...listedOf].map(([project, each]) => [
        project,
        each.length < MAX_LISTED ? -Infinity : Math.min(...each.map(modified)),
      ]),
    );
    return without(expected, listed).filter(
      (finding) => modified(finding) > (oldestOf.get(projectOf(finding)) ?? -Infinity),
    );
  };

  /** Compares what is found with these settings. Returns whether the window lists all. */
  const compare = async (settings: readonly Setting[]): Promise<boolean> => {
    const configuration = workspace.getConfiguration("projectTranslations.diagnostics");
    for (const each of ALL) {
      const value = settings.includes(each) ? SETTINGS[each] : "off";
      await configuration.update(each, value, ConfigurationTarget.Workspace);
    }
    const expected = findings.filter((finding) => settings.includes(settingOf(finding)));
    const differences = (): readonly string[] => {
      const listed = shown();
      return [
        ...without(listed, expected).map((each) => `only in the window: ${lineOf(each)}`),
        ...notListed(expected, listed).map((each) => `only found by check: ${lineOf(each)}`),
      ];
    };
    const counts = () => `${settings.join(", ")}: check ${expected.length}, window ${shown().length}`;
    try {
      await waitFor("the problems of the window", () => differences().length === 0, SECONDS / 2);
    } catch {
      assert.deepEqual(differences().slice(0, 50), [], `${differences().length} differences; ${counts()}`);
    }
    await call("print", { text: counts() });
    return shown().length === expected.length;
  };

  it("finds what the window shows", async function () {
    this.timeout(4 * SECONDS * 1000);
    assert.ok(findings.length > 20, `${findings.length} findings`);
    if (await compare(ALL)) return;
    for (const each of ALL) await compare([each]);
  });
});
