/**
 * `npm run test:mutation -- [--lines N] [--seed S] [--concurrency C] [--tests PLACE,...]
 * [FILE...]`: puts small faults into a copy of the
 * sources, one at a time, and runs the unit tests that reach them. Prints the share of faults that a test noticed, by
 * folder, and each that none did. README.md holds the results.
 *
 * A run takes every fault on `--lines` lines (default 150), drawn by `--seed` from the files given (globs; default: the
 * folders of UNIT_TESTED), or all lines with `--lines 0`. `--tests` runs the unit tests of these folders or files alone,
 * separated by commas: quicker, but what they do not notice others may.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { ensureProject, cache, projectNode, root } from "../setup/ensure.mjs";

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
          readonly location: {
            readonly start: { readonly line: number; readonly column: number };
            readonly end: { readonly line: number; readonly column: number };
          };
        }[];
      }
    >
  >;
}

const UNIT_TESTED = [
  "api",
  "database",
  "formats",
  "machine-translation",
  "model",
  "scanners",
  "service",
  "sync",
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
  },
});

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
const run = spawnSync(
  projectNode,
  [join(stryker, "@stryker-mutator", "core", "bin", "stryker.js"), "run", config],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: values.tests },
  },
);
if (run.status !== 0) process.exit(run.status ?? 1);
print(JSON.parse(readFileSync(report, "utf8")) as Report);

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

function print({ files: mutated }: Report): void {
  const counts = new Map<string, { noticed: number; unnoticed: number }>();
  for (const [path, { source, mutants }] of Object.entries(mutated)) {
    const area = path.split("/").slice(0, 2).join("/");
    const count = counts.get(area) ?? { noticed: 0, unnoticed: 0 };
    counts.set(area, count);
    const lines = source.split("\n");
    for (const { status, location, mutatorName, replacement } of mutants) {
      if (NOTICED.has(status)) count.noticed += 1;
      if (!UNNOTICED.has(status)) continue;
      count.unnoticed += 1;
      const { line, column } = location.start;
      console.log(`${path}:${line}:${column} ${mutatorName} (${status})`);
      console.log(
        `  ${lines[line - 1]?.trim()}\n  => ${(replacement ?? "").replaceAll(/\s+/g, " ").slice(0, 120)}`,
      );
    }
  }
  console.log();
  const sum = { noticed: 0, unnoticed: 0 };
  for (const [area, { noticed, unnoticed }] of [...counts].sort(([one], [other]) =>
    one.localeCompare(other),
  )) {
    sum.noticed += noticed;
    sum.unnoticed += unnoticed;
    console.log(line(area, noticed, unnoticed));
  }
  console.log(line("all", sum.noticed, sum.unnoticed));
}

function line(area: string, noticed: number, unnoticed: number): string {
  const all = noticed + unnoticed;
  return `${area.padEnd(24)} ${String(noticed).padStart(4)} of ${String(all).padStart(4)} noticed, ${Math.round((noticed / Math.max(1, all)) * 100)} %`;
}
