/**
 * Which faults the tests of `test/unit` and `test/service` notice, as `npm test` runs them: in a copy of the checkout with
 * the faults written into its sources, so that processes of their own (the local service, indexing, a killed process)
 * have them too. That takes minutes, so many faults are put in at once: where nothing fails, none of them was noticed;
 * else each half of them is tried with the files that failed.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { transformSync } from "esbuild";
import { cache, projectNode, root } from "../setup/ensure.mjs";
import { startProcess } from "../setup/managed-process.ts";
import { readReport, reportVariable } from "../setup/report.ts";

/** A piece of a source file and what is put in its place. */
export interface Fault {
  readonly path: string;
  readonly mutatorName: string;
  readonly replacement: string;
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
}

const LAYERS = ["unit", "service"] as const;
const copy = join(cache, "mutation", "copy");
/** A run that takes longer hangs: all tests take four minutes on two idle cores. */
const MAX_MINUTES = 20;
/** Only these put an operator of another precedence into an expression. */
const NEEDS_PARENTHESES = new Set(["ArithmeticOperator", "EqualityOperator", "LogicalOperator"]);

/** Out: those of the faults that a test notices, in the copy of the checkout. Throws where a test fails without any fault. */
export async function noticedByAllTests<Each extends Fault>(faults: readonly Each[]): Promise<Set<Each>> {
  const noticed: Each[] = [];
  for (const round of withoutOverlap(faults)) noticed.push(...(await tryAll(round)));
  rmSync(copy, { recursive: true, force: true });
  return new Set(noticed);
}

/** Faults that change the same piece of a file cannot be put in at once. */
function withoutOverlap<Each extends Fault>(faults: readonly Each[]): Each[][] {
  const rounds: Each[][] = [];
  for (const fault of faults) {
    const isFree = (round: readonly Each[]) =>
      !round.some(({ path, start, end }) => path === fault.path && start < fault.end && fault.start < end);
    const free = rounds.find(isFree);
    if (free) free.push(fault);
    else rounds.push([fault]);
  }
  return rounds;
}

async function tryAll<Each extends Fault>(faults: readonly Each[]): Promise<readonly Each[]> {
  const failed = await failedFiles(faults);
  if (failed.length > 0) {
    const always = await failedFiles([], failed);
    if (always.length > 0) throw new Error(`Without a fault there fails: ${always.join(", ")}`);
  }
  return tryHalves(faults, failed);
}

/** `failed`: the test files that fail with all of these faults. */
async function tryHalves<Each extends Fault>(
  faults: readonly Each[],
  failed: readonly string[],
): Promise<readonly Each[]> {
  if (failed.length === 0) return [];
  if (faults.length === 1) return faults;
  const middle = Math.ceil(faults.length / 2);
  const noticed: Each[] = [];
  for (const half of [faults.slice(0, middle), faults.slice(middle)])
    noticed.push(...(await tryHalves(half, await failedFiles(half, failed))));
  return noticed;
}

/** The test files, of these or of all, that fail with the faults in the sources; all of a layer that hangs or crashes. */
async function failedFiles(faults: readonly Fault[], files?: readonly string[]): Promise<string[]> {
  console.log(`${faults.length} faults at once, ${files ? `${files.length} test files` : "all tests"} ...`);
  const sources = writeFaults(faults);
  const failed: string[] = [];
  for (const layer of LAYERS) {
    const ofLayer = files?.filter((file) => file.startsWith(`test/${layer}/`));
    if (ofLayer?.length !== 0) failed.push(...(await runLayer(layer, ofLayer)));
  }
  for (const [path, source] of sources) writeFileSync(join(copy, path), source);
  return failed;
}

async function runLayer(layer: (typeof LAYERS)[number], files: readonly string[] = []): Promise<string[]> {
  const reportFile = join(cache, "mutation", "all-tests.json");
  rmSync(reportFile, { force: true });
  const run = startProcess(
    projectNode,
    [
      join(copy, "node_modules", "vitest", "vitest.mjs"),
      "run",
      "--reporter",
      join(copy, "test", "setup", "vitest-reporter.ts"),
      "--root",
      join(copy, "test", layer),
      ...files.map((file) => file.slice(`test/${layer}/`.length)),
    ],
    { cwd: copy, env: { ...process.env, [reportVariable]: reportFile } },
  );
  const timeUp = new AbortController();
  const limit = wait(MAX_MINUTES * 60_000, -1, { signal: timeUp.signal }).catch(() => -1);
  const code = await Promise.race([run.ended, limit]);
  timeUp.abort();
  await run.stop();
  if (code === 0) return [];
  const names = readReport(reportFile)?.failed.map(({ name }) => name.split(" > ", 1)[0] as string) ?? [];
  const failed = names.filter((name) => name.startsWith("test/"));
  if (failed.length > 0) return [...new Set(failed)];
  if (code > 0) console.log(run.output().split("\n").slice(-20).join("\n"));
  return files.length > 0 ? [...files] : [`test/${layer}/`];
}

/** Out: what the changed files held before. */
function writeFaults(faults: readonly Fault[]): Map<string, string> {
  const sources = new Map<string, string>();
  const last = [...faults].sort((one, other) => other.start - one.start);
  for (const { path, mutatorName, replacement, start, end } of last) {
    const file = join(copy, path);
    const source = readFileSync(file, "utf8");
    if (!sources.has(path)) sources.set(path, source);
    const put = NEEDS_PARENTHESES.has(mutatorName) ? `(${replacement})` : replacement;
    const changed = source.slice(0, start) + put + source.slice(end);
    // A fault that no program can hold would be noticed by every test.
    transformSync(changed, { loader: path.endsWith("x") ? "tsx" : "ts" });
    writeFileSync(file, changed);
  }
  return sources;
}

/** The checkout may change while the first tests run. */
export function copyCheckout(): void {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const options = { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  const listed = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], options);
  for (const path of listed.split("\0").filter((each) => each !== "" && each !== "node_modules"))
    cpSync(join(root, path), join(copy, path), { force: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "dir");
}
