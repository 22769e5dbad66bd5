/**
 * `npm run test:mutation -- [--lines N] [--seed S] [--concurrency C] [--tests PLACE,...] [--then-all] [FILE...]`: puts
 * small faults into a copy of the sources, one at a time, and runs the unit tests that reach them. Prints the share of
 * faults that a test noticed, by folder, and each that none did. README.md holds the results.
 *
 * A run takes every fault on `--lines` lines (default 150), drawn by `--seed` from the files given (globs; default: the
 * folders of UNIT_TESTED), or all lines with `--lines 0`. `--tests` runs the unit tests of these folders or files alone,
 * separated by commas. `--then-all` runs all tests of the unit and service layers with the faults that were not noticed.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { exit } from "../setup/cleanup.ts";
import { ensureProject, cache, projectNode, root } from "../setup/ensure.mjs";
import { keepTemporaryFilesInMemory } from "../setup/temporary-files.ts";
import { copyCheckout, noticedByAllTests, type Fault } from "./all-tests.ts";

/** Counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is read of Stryker's report (mutation-testing-report-schema). */
interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly status: string;
          readonly location: { readonly start: Position; readonly end: Position };
        }[];
      }
    >
  >;
}

/** A fault that was put in. */
interface TriedFault extends Fault {
  readonly status: string;
  readonly position: Position;
  /** The line that it is on. */
  readonly code: string;
}

const UNIT_TESTED = [
  "api",
  "database",
  "features",
  "formats",
  "local-service",
  "machine-translation",
  "model",
  "scanners",
  "sync",
  "vscode",
  "workspace",
].map((name) => `src/${name}/**/*.ts`);
/** Of these statuses a test noticed the fault. */
const NOTICED = new Set(["Killed", "Timeout", "RuntimeError"]);
const UNNOTICED = new Set(["Survived", "NoCoverage"]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: "string", default: "150" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    concurrency: { type: "string", default: "2" },
    tests: { type: "string", default: "" },
    "then-all": { type: "boolean", default: false },
  },
});

keepTemporaryFilesInMemory();

const stryker = await ensureProject(join("test", "mutation"), "Stryker");
const folder = join(cache, "mutation");
mkdirSync(folder, { recursive: true });
const files = globSync(positionals.length > 0 ? positionals : UNIT_TESTED, { cwd: root }).sort();
const mutate = values.lines === "0" ? files : drawLines(files, Number(values.lines), Number(values.seed));
console.log(
  `${mutate.length} ${values.lines === "0" ? "files" : `lines of ${files.length} files`}, seed ${values.seed}`,
);
const report = join(folder, "report.json");
const config = join(folder, "stryker.config.json");
writeFileSync(
  config,
  JSON.stringify({
    mutate,
    // Texts for people are compared with what is shown elsewhere; a changed one is seldom a fault of the program.
    mutator: { excludedMutations: ["StringLiteral"] },
    plugins: [join(stryker, "@stryker-mutator", "vitest-runner", "dist", "src", "index.js")],
    testRunner: "vitest",
    vitest: { configFile: join("test", "mutation", "vitest.config.ts"), related: true },
    coverageAnalysis: "perTest",
    // A fault in what a module does when it is loaded would take a run of all tests.
    ignoreStatic: true,
    // Only TypeScript's own API could rewrite it, and nothing here is type-checked.
    tsconfigFile: "absent.json",
    disableTypeChecks: false,
    concurrency: Number(values.concurrency),
    dryRunTimeoutMinutes: 45,
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: report },
    tempDirName: join(folder, "sandbox"),
    ignorePatterns: [".cache", "test/host/vscode", "test/mutation/node_modules"],
    allowEmpty: false,
  }),
);
if (values["then-all"]) copyCheckout();
const run = spawnSync(
  projectNode,
  [join(stryker, "@stryker-mutator", "core", "bin", "stryker.js"), "run", config],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: values.tests },
  },
);
if (run.status !== 0) await exit(run.status ?? 1);
const faults = readFaults(JSON.parse(readFileSync(report, "utf8")) as Report);
const survivors = faults.filter(({ status }) => UNNOTICED.has(status));
print(faults, values["then-all"] ? await noticedByAllTests(survivors) : new Set());
await exit(0);

/** Ranges of one line each, without blank lines, comments, imports and types, the same for the same seed. */
function drawLines(paths: readonly string[], count: number, seed: number): string[] {
  const all = paths.flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        /^\s*($|\/?\*|\/\/|import |export (type|interface) |[}\])];?,?$)/.test(line)
          ? []
          : [`${path}:${index + 1}-${index + 1}`],
      ),
  );
  const random = randomNumbers(seed);
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as string, all[at] as string];
  }
  return all.slice(0, count);
}

/** Numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Those that were run. */
function readFaults({ files: mutated }: Report): TriedFault[] {
  return Object.entries(mutated).flatMap(([path, { source, mutants }]) => {
    const lines = source.split("\n");
    const offset = ({ line, column }: Position) =>
      lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    return mutants
      .filter(({ status }) => NOTICED.has(status) || UNNOTICED.has(status))
      .map(({ mutatorName, replacement = "", status, location: { start, end } }) => ({
        path,
        mutatorName,
        replacement,
        status,
        start: offset(start),
        end: offset(end),
        position: start,
        code: lines[start.line - 1]?.trim() ?? "",
      }));
  });
}

function print(tried: readonly TriedFault[], later: ReadonlySet<TriedFault>): void {
  const counts = new Map<string, { all: number; first: number; later: number }>();
  const sum = { all: 0, first: 0, later: 0 };
  for (const fault of tried) {
    const area = fault.path.split("/").slice(0, 2).join("/");
    const count = counts.get(area) ?? { all: 0, first: 0, later: 0 };
    counts.set(area, count);
    const which = NOTICED.has(fault.status) ? "first" : later.has(fault) ? "later" : undefined;
    for (const each of [count, sum]) {
      each.all += 1;
      if (which) each[which] += 1;
    }
    if (which === "first") continue;
    const { line, column } = fault.position;
    const outcome = which === "later" ? "noticed by all tests" : fault.status;
    console.log(`${fault.path}:${line}:${column} ${fault.mutatorName} (${outcome})`);
    console.log(`  ${fault.code}\n  => ${fault.replacement.replaceAll(/\s+/g, " ").slice(0, 120)}`);
  }
  console.log();
  for (const [area, count] of [...counts].sort(([one], [other]) => one.localeCompare(other)))
    console.log(shareLine(area, count));
  console.log(shareLine("all", sum));
}

function shareLine(area: string, count: { all: number; first: number; later: number }): string {
  const noticed = count.first + count.later;
  const share = Math.round((noticed / Math.max(1, count.all)) * 100);
  return (
    `${area.padEnd(24)} ${String(noticed).padStart(4)} of ${String(count.all).padStart(4)} noticed, ${share} %` +
    (count.later > 0 ? ` (${count.first} at first)` : "")
  );
}
