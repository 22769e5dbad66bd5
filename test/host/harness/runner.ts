/**
 * Runs the suites of test/host in a real VS Code; prints a line for each test and ends with
 * `N passed, N failed, N skipped`.
 *
 * Suites with the same environment run in the same VS Code, one after another, each in a new window on a workspace and
 * with a user profile of its own. After a suite that did not come to its end, VS Code is started anew.
 *
 * `[SUITE...] [--grep REGEXP] [--workers N] [--untrusted] [--verbose] [--no-build] [--vsix FILE]`, beside what the VS Code takes.
 */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { buildAll } from "../../setup/build.ts";
import { exitOnSetupError } from "../../setup/ensure.mjs";
import { exit, onExit } from "../../setup/cleanup.ts";
import { countLine, writeReport } from "../../setup/report.ts";
import { openBridge, type Bridge } from "./bridge.ts";
import { findLeaks, leakLines, type Leak, type Trace } from "./secrets.ts";
import { SuiteQueue } from "./suite-queue.ts";
import {
  findSuites,
  prepareRun,
  prepareSuite,
  type Environment,
  type PreparedRun,
  type PreparedSuite,
  type Suite,
} from "./suites.ts";
import { bridgeVariable, type TestResult } from "./wire.ts";

/** What a window opens. */
export interface WindowOptions {
  readonly workspace: string;
  /** Folder of the extension. */
  readonly extension: string;
  /** The module for `extensionTestsPath`. */
  readonly testModule: string;
  /** Settings of the machine. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Hears what the window logs. */
  readonly log: (line: string) => void;
}

/** A window in which the tests of a suite run. */
export interface TestWindow {
  readonly page: Page;
  /** Resolves when the tests, or the window, have come to an end: how. */
  readonly ended: Promise<string>;
  /** What VS Code printed. */
  output(): string;
  /** Where it keeps its files. */
  readonly folder: string;
  /** What it keeps outside of files. */
  traces(): Promise<readonly Trace[]>;
  /** Closes it, and removes everything that is stored for its user. */
  close(): Promise<void>;
}

/** A running VS Code. */
export interface Vscode {
  openWindow(options: WindowOptions): Promise<TestWindow>;
  close(): Promise<void>;
}

/** Starts a VS Code; `environment.env` is for its extension host. */
export type StartVscode = (environment: Environment) => Promise<Vscode>;

/** The options that every runner takes, for `parseArgs`. */
export const commonOptions = {
  grep: { type: "string" },
  workers: { type: "string", default: "1" },
  untrusted: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  "no-build": { type: "boolean", default: false },
  vsix: { type: "string" },
} as const;

export interface RunOptions {
  readonly grep?: string | undefined;
  readonly workers: string;
  readonly untrusted: boolean;
  readonly verbose: boolean;
  readonly "no-build": boolean;
  /** A packaged extension to test instead of the files of this checkout. */
  readonly vsix?: string | undefined;
}

const marks = { passed: "✓", failed: "✗", skipped: "↓" } as const;

/** A window that says nothing for so long has died. Milliseconds. */
const maxSilence = 300_000;

type Print = (line: string) => void;

/** Runs the named suites (none named: all) and ends the process. */
export async function runSuites(
  names: readonly string[],
  options: RunOptions,
  prepare: () => Promise<StartVscode>,
): Promise<never> {
  const results = await exitOnSetupError(async () => {
    if (!options["no-build"]) buildAll();
    const suites = findSuites(names).map((suite) => ({
      ...suite,
      environment: { ...suite.environment, trusted: suite.environment.trusted && !options.untrusted },
    }));
    const [run, startVscode] = await Promise.all([prepareRun(suites, options.vsix), prepare()]);
    onExit(() => run.remove());
    const queue = new SuiteQueue(suites);
    const count = Math.min(Number(options.workers), suites.length);
    const workers = Array.from({ length: count }, () => new Worker(run, options, startVscode));
    return (await Promise.all(workers.map((worker) => worker.work(queue, count > 1)))).flat();
  });
  if (results.length === 0) console.log("No test ran.");
  const outcomes = (state: TestResult["state"]) =>
    results.filter((it) => it.state === state).map(({ title, message = "" }) => ({ name: title, message }));
  const report = {
    passed: outcomes("passed").length,
    failed: outcomes("failed"),
    skipped: outcomes("skipped"),
  };
  writeReport(report);
  console.log(`\n${countLine(report)}`);
  return exit(report.failed.length > 0 || results.length === 0 ? 1 : 0);
}

/** Runs suites one after another in one VS Code, as long as they have the same environment. */
class Worker {
  readonly #run: PreparedRun;
  readonly #options: RunOptions;
  readonly #startVscode: StartVscode;
  #started:
    | { readonly environment: Environment; readonly bridge: Bridge; readonly vscode: Vscode }
    | undefined;

  constructor(run: PreparedRun, options: RunOptions, startVscode: StartVscode) {
    this.#run = run;
    this.#options = options;
    this.#startVscode = startVscode;
    onExit(() => this.#stop());
  }

  /** Takes suites from the queue until it is empty. `buffered`: a suite's lines are printed together at its end. */
  async work(queue: SuiteQueue, buffered: boolean): Promise<readonly TestResult[]> {
    const all: TestResult[] = [];
    const next = () => queue.take(this.#started?.environment);
    for (let suite = next(); suite; suite = next()) {
      const lines: string[] = [];
      const print: Print = buffered ? (line) => void lines.push(line) : console.log;
      print(`\n${suite.name}`);
      const from = performance.now();
      all.push(...(await this.#runSuite(suite, print)));
      print(`  ${((performance.now() - from) / 1000).toFixed(1)} s`);
      if (buffered) console.log(lines.join("\n"));
    }
    await this.#stop();
    return all;
  }

  /** Runs one suite; an error of the runner itself is a failed test of it, and the other suites still run. */
  async #runSuite(suite: Suite, print: Print): Promise<readonly TestResult[]> {
    const prepared = prepareSuite(this.#run, suite);
    try {
      const { vscode, bridge } = await this.#start(suite.environment);
      return await this.#runInWindow(suite, prepared, vscode, bridge, print);
    } catch (error) {
      await this.#stop();
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const failed = {
        title: `${suite.name}: the runner`,
        state: "failed",
        milliseconds: 0,
        message,
      } as const;
      printResult(print, failed);
      return [failed];
    } finally {
      prepared.remove();
    }
  }

  async #start(environment: Environment) {
    if (this.#started && isDeepStrictEqual(this.#started.environment, environment)) return this.#started;
    await this.#stop();
    const bridge = await openBridge(join(this.#run.extension, "dist", "service.mjs"));
    const env = { ...environment.env, [bridgeVariable]: bridge.url };
    const vscode = await this.#startVscode({ ...environment, env }).catch((error: unknown) => {
      bridge.close();
      throw error;
    });
    return (this.#started = { environment, bridge, vscode });
  }

  async #stop(): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    await started?.vscode.close();
    started?.bridge.close();
  }

  /** Runs one suite. What goes wrong around the tests is a failed test too. */
  async #runInWindow(
    suite: Suite,
    prepared: PreparedSuite,
    vscode: Vscode,
    bridge: Bridge,
    print: Print,
  ): Promise<readonly TestResult[]> {
    const logged: string[] = [];
    const log = (line: string) => {
      logged.push(line);
      if (this.#options.verbose) print(`    ${line}`);
    };
    const open: { window?: TestWindow } = {};
    const page = () => {
      if (!open.window) throw new Error("The window is not open yet.");
      return open.window.page;
    };
    const running = bridge.begin({
      grep: this.#options.grep ?? null,
      shots: prepared.shots,
      page,
      onResult: (result) => printResult(print, result),
      onText: (text) => print(`    ${text}`),
    });
    const unregister = onExit(() => running.close());
    try {
      const window = (open.window = await vscode.openWindow({
        workspace: prepared.workspace,
        extension: this.#run.extension,
        testModule: this.#run.testModule(suite),
        settings: suite.settings,
        log,
      }));
      const silence = new Promise<string>((resolve) => {
        const look = () =>
          running.silence() > maxSilence && resolve(`nothing was heard for ${maxSilence / 1000} s`);
        setInterval(look, 1000).unref();
      });
      const why = await Promise.race([window.ended, silence]);
      const around: TestResult[] = [];
      if (running.ended) {
        // A window that died has failed already, and may have nothing more to tell.
        const leaks = await leaksOf(window, prepared, logged, running.secrets);
        if (leaks !== null) around.push(leakResult(suite, leaks));
        await window.close();
      } else {
        await page()
          .screenshot({ path: join(prepared.shots, "died.png") })
          .catch(() => {});
        const tail = [
          ...(this.#options.verbose ? [] : logged.map((line) => line.split("\n")[0]).slice(-15)),
          ...window.output().split("\n").slice(-15),
        ];
        const message = [`did not come to its end: ${why}`, ...tail].join("\n");
        around.push({ title: `${suite.name}: the run`, state: "failed", milliseconds: 0, message });
        await this.#stop();
      }
      for (const result of around) printResult(print, result);
      return [...running.results, ...around];
    } finally {
      unregister();
      await running.close();
    }
  }
}

function leakResult(suite: Suite, leaks: readonly Leak[]): TestResult {
  const title = `${suite.name}: what is left holds no token`;
  return leaks.length === 0
    ? { title, state: "passed", milliseconds: 0 }
    : { title, state: "failed", milliseconds: 0, message: leakLines(leaks) };
}

/** Tokens that can be read in what the suite leaves; `null`: there was none to be kept. */
async function leaksOf(
  window: TestWindow,
  prepared: PreparedSuite,
  logged: readonly string[],
  secrets: readonly string[],
): Promise<readonly Leak[] | null> {
  if (secrets.length === 0) return null;
  const said = [
    { name: "what VS Code printed", text: window.output() },
    { name: "what the window said", text: logged.join("\n") },
  ];
  return findLeaks([window.folder, prepared.folder], [...said, ...(await window.traces())], secrets);
}

function printResult(print: Print, { title, state, milliseconds, message }: TestResult): void {
  print(`  ${marks[state]} ${title} (${milliseconds} ms)`);
  if (message !== undefined) print(message.replace(/^/gm, "      "));
}
