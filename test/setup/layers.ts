/**
 * `npm test`: runs every layer of checks and tests, one after the other, whatever the one before said, and ends with
 * what failed and `N passed, N failed`, summed over all that really ran. A layer in which nothing ran has failed.
 *
 * `node test/run-all.mjs [LAYER [ARGS...]]` runs one layer and hands it the arguments.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { cache, ownNode, root } from "./ensure.mjs";
import { installPeers } from "./peers.ts";
import { leave, onTheWayOut } from "./way-out.ts";

interface Count {
  readonly passed: number;
  readonly failed: number;
  /** What failed, or passed the second time only, by name and with its first words: printed again at the end, where nobody has to search for it. */
  readonly failures: readonly string[];
}

/** What is read of Vitest's own report. */
interface VitestReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numTodoTests?: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** How many characters of a failure are printed again at the end. */
const mostWords = 2000;

/** By name, in the order in which they run: the quick ones first. */
const layers: Readonly<Record<string, (args: readonly string[]) => Promise<Count>>> = {
  check,
  unit: (args) => {
    // Tests whose peer is missing fail, and say which.
    for (const sentence of installPeers()) console.error(sentence);
    return vitest("unit", args);
  },
  service: (args) => vitest("service", args),
  repo: (args) => vitest("repo", args),
  // A real VS Code: the one in a browser where that runs, else the desktop's.
  host: (args) => lastLine(join("test", process.platform === "linux" ? "host" : "desktop", "run.mjs"), args),
  // The oldest VS Code that is supported, with the Node of its time.
  ...(process.platform === "linux" && process.arch === "x64"
    ? {
        minimum: (args: readonly string[]) =>
          lastLine(join("test", "host", "run.mjs"), ["--minimum", ...args]),
      }
    : {}),
};

const [only, ...args] = process.argv.slice(2);
if (only !== undefined && !Object.hasOwn(layers, only)) {
  console.error(`There is no layer "${only}": ${Object.keys(layers).join(", ")}.`);
  process.exit(1);
}
const total = { passed: 0, failed: 0 };
const failures: string[] = [];
for (const [name, run] of Object.entries(layers)) {
  if (only !== undefined && only !== name) continue;
  console.log(`\n── ${name} ──`);
  const count = await run(only === undefined ? [] : args);
  const ran = count.passed + count.failed > 0;
  if (!ran) console.log(`Nothing ran in ${name}: that is a failure.`);
  total.passed += count.passed;
  total.failed += ran ? count.failed : 1;
  failures.push(...(ran ? count.failures : ["nothing ran"]).map((failure) => `${name}: ${failure}`));
}
if (failures.length > 0) console.log(`\nWhat failed, or did once:\n${failures.join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
await leave(total.failed > 0 ? 1 : 0);

/** What is looked at without running the product; each counts as one. */
async function check(): Promise<Count> {
  const tools: readonly (readonly [what: string, file: string, ...args: string[]])[] = [
    ["build", "esbuild.mjs"],
    ["types", bin("typescript", "tsc"), "--noEmit"],
    ["lint", bin("oxlint", "oxlint"), "--type-aware", "--deny-warnings"],
    ["format", bin("oxfmt", "oxfmt"), "--check"],
    ["dead code", bin("knip", "knip"), "--no-progress"],
  ];
  const count = { passed: 0, failed: 0, failures: [] as string[] };
  for (const [what, file, ...toolArgs] of tools) {
    const { code, output } = await node(file, toolArgs, { quiet: true });
    count[code === 0 ? "passed" : "failed"] += 1;
    console.log(`  ${code === 0 ? "✓" : "✗"} ${what}`);
    if (code !== 0) {
      console.log(output.replace(/^/gm, "      "));
      count.failures.push(`${what}\n${output.slice(0, mostWords)}`);
    }
  }
  return count;
}

/** The tests of `test/<folder>`. An error outside of any test counts as a failed one; what was left out counts for nothing. */
async function vitest(folder: string, vitestArgs: readonly string[]): Promise<Count> {
  const report = join(cache, `vitest-${folder}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code } = await node(bin("vitest", "vitest"), [
    "run",
    "--root",
    join("test", folder),
    ...reporters,
    ...vitestArgs,
  ]);
  if (!existsSync(report)) return { passed: 0, failed: 1, failures: [`vitest ended with ${code}`] };
  const said = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
  const passed = said.numPassedTests ?? 0;
  const broken = said.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  const failures = [
    ...broken.map(({ name, message }) => `${name}\n${message.slice(0, mostWords)}`),
    ...said.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed" || status === "todo")
        .map(
          ({ fullName, failureMessages }) =>
            `${fullName} (${name})\n${failureMessages.join("\n").slice(0, mostWords)}`,
        ),
    ),
  ];
  const ran = (said.numFailedTests ?? 0) + (said.numTodoTests ?? 0) + broken.length;
  return code !== 0 && ran === 0 && passed > 0
    ? { passed, failed: 1, failures: ["an error outside of any test"] }
    : { passed, failed: ran, failures };
}

/** A runner of ours, which counts for itself. */
async function lastLine(file: string, runnerArgs: readonly string[]): Promise<Count> {
  const { code, output } = await node(file, runnerArgs);
  const [, passed = "0", failed = "0"] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  const failures = [...output.matchAll(/^ *✗ .+(?:\n {6,}.+)*/gm)].map(([failure]) =>
    failure.trim().slice(0, mostWords),
  );
  const again = [...output.matchAll(/^ *passed the second time only: .+$/gm)].map(([line]) => line.trim());
  const count = {
    passed: Number(passed),
    failed: Number(failed),
    failures: [...(failed === "0" ? [] : failures), ...again],
  };
  return code !== 0 && count.failed === 0
    ? { ...count, failed: 1, failures: [...failures, `the runner ended with ${code}`] }
    : count;
}

/** The JavaScript file of a package's command. */
function bin(packageName: string, command: string): string {
  const folder = join(root, "node_modules", packageName);
  const commands = (
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: string | Record<string, string> }
  ).bin;
  return join(folder, typeof commands === "string" ? commands : (commands[command] ?? command));
}

/** Runs a file on the project's own Node, in the checkout; prints what it says unless `quiet`. */
async function node(
  file: string,
  nodeArgs: readonly string[],
  { quiet = false } = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(ownNode, [file, ...nodeArgs], { cwd: root, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const forget = onTheWayOut(async () => {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.on("close", resolve));
  });
  let output = "";
  for (const [stream, out] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      if (!quiet) out.write(chunk);
    });
  }
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
  forget();
  return { code, output };
}
