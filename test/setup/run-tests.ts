/**
 * `npm test` and `npm run test:full`: runs the layers of checks and tests in two lanes side by side, prints every
 * failure and every skipped test again at the end, then what each layer took, then `N passed, N failed, N skipped`.
 * Every layer runs whatever the others find; one in which nothing ran has failed.
 *
 * `node test/run-all.mjs` runs what `npm test` runs; `--full` everything, also files named `*.full.test.ts`; `--full --rest` only what
 * `npm test` does not, and the journeys again among the other tests of their suites; `--install` installs missing reference tools first; `--sequential` runs one layer after the other, and one suite of
 * `test/host` at a time, for a machine with two cores. `node test/run-all.mjs LAYER [ARGS...]` runs one layer and
 * passes the arguments on.
 */
import { spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { cache, projectNode, root } from "./ensure.mjs";
import { exit, onExit } from "./cleanup.ts";
import { reportReferenceTools } from "./reference-tools.ts";
import { countLine, readReport, reportVariable, type Outcome, type Report } from "./report.ts";
import { keepTemporaryFilesInMemory } from "./temporary-files.ts";

/** Prints a line of a layer. */
type Print = (line: string) => void;

/** How the processes of a layer run. */
interface How {
  readonly print: Print;
  readonly env: NodeJS.ProcessEnv;
  /** See `nice`; 0 is the usual one. */
  readonly niceness: number;
}

/** Runs a layer. */
type Layer = (args: readonly string[], how: How) => Promise<Report>;

interface Finished extends Report {
  readonly layer: string;
  readonly seconds: number;
}

const layers: Readonly<Record<string, Layer>> = {
  check,
  unit: vitest("unit"),
  "unit-full": vitest("unit", [
    "related",
    "--run",
    // What decides how much a test does, and the programs that only some machines have.
    ...["full-run.ts", "reference-tools.ts"].map((file) => join(root, "test", "unit", "support", file)),
    ...fullTests("unit"),
  ]),
  service: vitest("service"),
  "service-full": vitest("service", ["run", ...fullTests("service")]),
  repo: vitest("repo"),
  "repo-full": vitest("repo", ["run", ...fullTests("repo")]),
  // VS Code in a browser where that runs, else the desktop's.
  host:
    process.platform === "linux"
      ? script(join("test", "host", "harness", "main.ts"), ["--no-build", "--workers", "2"])
      : script(join("test", "desktop", "main.ts"), ["--no-build"]),
  minimum: script(join("test", "host", "harness", "main.ts"), ["--no-build", "--workers", "2", "--minimum"]),
};

/** The layers that run in windows of VS Code. */
const windowLayers: ReadonlySet<string> = new Set(["host", "minimum"]);

/** Unit tests that wait for a process, an answer or the next second of a service leave their processor to those of one more. */
const UNIT_PROCESSES = ["--maxWorkers", String(availableParallelism() + 1)];

/** How many processes the files of a layer run in; by itself, Vitest leaves a processor free. */
const PROCESSES: Readonly<Record<string, readonly string[]>> = {
  unit: UNIT_PROCESSES,
  "unit-full": UNIT_PROCESSES,
  repo: ["--maxWorkers", String(availableParallelism())],
  "repo-full": ["--maxWorkers", String(availableParallelism())],
};

/**
 * How much the layers beside windows give way to these, where people wait for nothing: a window that does not get on
 * makes a test wait. With 5 it gets three quarters of a processor that both want. See `nice`.
 */
const BESIDE_WINDOWS = 5;

/**
 * The layers of each lane, in order. VS Code is in one, and what takes longer beside it; in the short run, the
 * small layers follow its journeys. What `rest` runs takes more of the machine, and waits for nobody: one lane; of the unit
 * tests, those that do more than in `npm test`.
 */
const plans = {
  quick: [["host", "service", "repo", "check"], ["unit"]],
  full: [
    ["host", "minimum"],
    ["check", "unit", "service", "repo"],
  ],
  rest: [["host", "minimum", "unit-full", "service-full", "repo-full"]],
} as const;

/** How many characters of a failure are printed again at the end. */
const maxMessage = 10_000;

/** How many report files this process has asked for. */
let reportFiles = 0;

keepTemporaryFilesInMemory();
const [first, ...rest] = process.argv.slice(2);
await exit(first === undefined || first.startsWith("--") ? await runPlan() : await runOne(first, rest));

/** Runs one layer, and gives the exit code. */
async function runOne(name: string, args: readonly string[]): Promise<number> {
  const layer = layers[name];
  if (!layer) {
    console.error(`There is no layer "${name}": ${Object.keys(layers).join(", ")}.`);
    return 1;
  }
  const built = name === "check" ? [await build()] : [];
  return summarize([
    ...built,
    await finish(name, () =>
      layer([...(PROCESSES[name] ?? []), ...args], {
        print: console.log,
        env: process.env,
        niceness: 0,
      }),
    ),
  ]);
}

/** Runs the lanes that the options ask for, and gives the exit code. */
async function runPlan(): Promise<number> {
  const options = new Set(process.argv.slice(2));
  const known = ["--full", "--rest", "--install", "--sequential"];
  const unknown = [...options].filter((it) => !known.includes(it));
  if (unknown.length > 0) {
    console.error(`There is no option ${unknown.join(", ")}: ${known.join(", ")}.`);
    return 1;
  }
  const isFull = options.has("--full");
  if (!isFull) {
    const names = ["unit", "service", "repo"].flatMap(fullTests).map((file) => relative(root, file));
    console.log(`Only in npm run test:full: ${names.join(", ")}.`);
  }
  if (isFull) reportReferenceTools(options.has("--install"));
  const isSequential = options.has("--sequential");
  const plan = plans[!isFull ? "quick" : options.has("--rest") ? "rest" : "full"];
  const planned: readonly (readonly string[])[] = isSequential ? [plan.flat()] : plan;
  const built = await build();
  if (built.failed.length > 0) return summarize([built]);
  const env = { ...process.env, ...(isFull ? { TEST_FULL: "1" } : {}) };
  const width = Math.max(...Object.keys(layers).map((name) => name.length));
  const lanes = planned.map(async (names) => {
    const finished: Finished[] = [];
    for (const name of names) {
      const layer = layers[name];
      if (!layer || (name === "minimum" && !(process.platform === "linux" && process.arch === "x64")))
        continue;
      const print = (line: string) => console.log(`${name.padEnd(width)} | ${line}`);
      const isWindow = windowLayers.has(name);
      // Journeys share a window.
      const oneWindow = isSequential || !isFull;
      const ownArgs = isWindow ? (oneWindow ? ["--workers", "1"] : []) : (PROCESSES[name] ?? []);
      const args = name === "host" && !isFull ? [...ownArgs, "--journeys"] : ownArgs;
      const niceness = planned.length > 1 && !isWindow ? BESIDE_WINDOWS : 0;
      const result = await finish(name, () => layer(args, { print, env, niceness }));
      print(`${countLine(result)}, ${duration(result.seconds)}`);
      finished.push(result);
    }
    return finished;
  });
  return summarize([built, ...(await Promise.all(lanes)).flat()]);
}

/** Returns the test files of a folder of `test` that only full runs have. */
function fullTests(folder: string): readonly string[] {
  return globSync("**/*.full.test.ts", { cwd: join(root, "test", folder) }).map((file) =>
    join(root, "test", folder, file),
  );
}

function build(): Promise<Finished> {
  return finish("build", async () => oneCheck("build", await node("esbuild.mjs", [])));
}

/** Runs a layer and takes the time. */
async function finish(layer: string, run: () => Promise<Report>): Promise<Finished> {
  const start = performance.now();
  const report = await run();
  return { ...report, layer, seconds: (performance.now() - start) / 1000 };
}

/** Prints the end of a run, and gives the exit code. */
function summarize(finished: readonly Finished[]): number {
  const named = (outcomes: (report: Report) => readonly Outcome[]) =>
    finished.flatMap((report) =>
      outcomes(report).map(({ name, message }) => ({ name: `${report.layer}: ${name}`, message })),
    );
  const total = {
    passed: finished.reduce((sum, { passed }) => sum + passed, 0),
    failed: named(({ failed }) => failed),
    skipped: named(({ skipped }) => skipped),
  };
  if (total.skipped.length > 0) {
    console.log("\nSkipped:");
    for (const { name, message } of total.skipped) console.log(`  ${name}: ${message}`);
  }
  if (total.failed.length > 0) {
    console.log("\nFailed:");
    for (const { name, message } of total.failed) {
      console.log(`  ${name}\n${message.slice(0, maxMessage).replace(/^/gm, "      ")}`);
    }
  }
  console.log("\nTime:");
  for (const report of finished) {
    console.log(
      `  ${report.layer.padEnd(8)} ${duration(report.seconds).padStart(12)}   ${countLine(report)}`,
    );
  }
  console.log(`\n${countLine(total)}`);
  return total.failed.length > 0 ? 1 : 0;
}

/** `1 min 5.2 s` */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = `${(seconds - minutes * 60).toFixed(1)} s`;
  return minutes === 0 ? rest : `${minutes} min ${rest}`;
}

/** What is checked without running the product; each tool counts as one. */
async function check(args: readonly string[], how: How): Promise<Report> {
  const tools: readonly (readonly [name: string, file: string, ...args: string[]])[] = [
    ["types", bin("typescript", "tsc"), "--noEmit", "--singleThreaded"],
    ["types of pages", bin("typescript", "tsc"), "--noEmit", "--singleThreaded", "--project", "src/webview"],
    ["lint", bin("oxlint", "oxlint"), "--type-aware", "--deny-warnings"],
    ["format", bin("oxfmt", "oxfmt"), "--check"],
    ["dead code", bin("knip", "knip"), "--no-progress"],
  ];
  const reports: Report[] = [];
  // Programs in Go: they end soon, and need not look for memory to free as often. Several threads check some types twice.
  const env = { GOGC: "400", ...how.env };
  for (const [name, file, ...toolArgs] of tools) {
    const report = oneCheck(
      name,
      await node(file, [...toolArgs, ...args], { ...how, env, print: undefined }),
    );
    how.print(`  ${report.passed > 0 ? "✓" : "✗"} ${name}`);
    for (const { message } of report.failed)
      for (const line of message.split("\n")) how.print(`      ${line}`);
    reports.push(report);
  }
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: reports.flatMap(({ failed }) => failed),
    skipped: [],
  };
}

function oneCheck(name: string, { code, output }: { code: number; output: string }): Report {
  return code === 0
    ? { passed: 1, failed: [], skipped: [] }
    : { passed: 0, failed: [{ name, message: output }], skipped: [] };
}

/** The tests of `test/<folder>`; `command` says which. */
function vitest(folder: string, command: readonly string[] = ["run"]): Layer {
  const reporters = ["--reporter=default", `--reporter=${join(root, "test", "setup", "vitest-reporter.ts")}`];
  const layer = script(bin("vitest", "vitest"), [...command, "--root", join("test", folder), ...reporters]);
  // They start services and indexing processes by the hundred, from the same sources.
  const compiled = { NODE_COMPILE_CACHE: join(cache, "compiled") };
  return (args, how) => layer(args, { ...how, env: { ...compiled, ...how.env } });
}

/** A program that writes a report. */
function script(file: string, ownArgs: readonly string[]): Layer {
  return async (args, how) => {
    mkdirSync(cache, { recursive: true });
    reportFiles += 1;
    const path = join(cache, `report-${process.pid}-${reportFiles}.json`);
    const { code } = await node(file, [...ownArgs, ...args], {
      ...how,
      env: { ...how.env, [reportVariable]: path },
    });
    const report = readReport(path) ?? { passed: 0, failed: [], skipped: [] };
    rmSync(path, { force: true });
    if (report.failed.length > 0) return report;
    const isEmpty = report.passed + report.skipped.length === 0;
    if (code === 0 && !isEmpty) return report;
    const message = isEmpty ? `nothing ran (exit code ${code})` : `exit code ${code}, though no test failed`;
    return { ...report, failed: [{ name: "the run", message }] };
  };
}

/** The JavaScript file of a package's command. */
function bin(packageName: string, command: string): string {
  const folder = join(root, "node_modules", packageName);
  const commands = (
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: string | Record<string, string> }
  ).bin;
  return join(folder, typeof commands === "string" ? commands : (commands[command] ?? command));
}

/** Runs a file on the project's own Node, in the checkout. `print` gets its output by lines. */
async function node(
  file: string,
  args: readonly string[],
  { print, env = process.env, niceness = 0 }: { [Key in keyof How]?: How[Key] | undefined } = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(projectNode, [file, ...args], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  // Not where it could not be started.
  if (niceness !== 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  const unregister = onExit(async () => {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.on("close", resolve));
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      print?.(line);
    });
  }
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
  unregister();
  return { code, output: lines.join("\n") };
}
