/**
 * Runs the suites of test/host in a real VS Code; prints a line for each test and ends with
 * `N passed, N failed, N skipped`.
 *
 * Suites with the same environment run sequentially in the same VS Code. Their journeys share a window, in which the
 * workspace of each takes the place of the one before; where all tests run, each suite has a new window with its own user
 * profile. After a suite that did not complete, VS Code is restarted.
 *
 * `[SUITE...] [--grep REGEXP] [--journeys] [--workers N] [--untrusted] [--verbose] [--screenshots] [--no-build] [--vsix FILE]
 * [--workspace FOLDER]`, and the options of `main.ts` or `test/desktop`.
 */
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { buildAll } from "../../setup/build.ts";
import { exitOnSetupError } from "../../setup/ensure.mjs";
import { exit, onExit } from "../../setup/cleanup.ts";
import { countLine, writeReport } from "../../setup/report.ts";
import { openBridge, type Bridge } from "./bridge-server.ts";
import { describeWindow } from "./describe-window.ts";
import { findLeaks, leakLines, type Leak, type StoredText } from "./find-leaks.ts";
import { SuiteQueue } from "./suite-queue.ts";
import {
  findSuites,
  prepareRun,
  prepareSuite,
  windowSettings,
  workspaceSettings,
  writeWorkspaceFile,
  type Environment,
  type PreparedRun,
  type PreparedSuite,
  type Suite,
} from "./suites.ts";
import { BRIDGE_VARIABLE, type TestResult } from "./bridge-protocol.ts";

export interface WindowOptions {
  readonly workspace: string;
  /** Folder of the extension. */
  readonly extension: string;
  /** The module for `extensionTestsPath`. */
  readonly testModule: string;
  /** Machine settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Receives the lines that the window logs. */
  readonly log: (line: string) => void;
}

/** A window that runs the tests of suites. */
export interface TestWindow {
  readonly page: Page;
  /** Resolves with the reason when the window has ended by itself. */
  readonly ended: Promise<string>;
  /** Returns what VS Code printed. */
  output(): string;
  /** The folder of its files. */
  readonly folder: string;
  /** Returns what it stores outside of files. */
  storedTexts(): Promise<readonly StoredText[]>;
  /** Closes it and removes everything stored for its user. */
  close(): Promise<void>;
}

/** A running VS Code. */
export interface Vscode {
  openWindow(options: WindowOptions): Promise<TestWindow>;
  close(): Promise<void>;
}

/** Starts a VS Code; `environment.env` is for its extension host. */
export type StartVscode = (environment: Environment) => Promise<Vscode>;

/** The options of every runner, for `parseArgs`. */
export const commonOptions = {
  grep: { type: "string" },
  journeys: { type: "boolean", default: false },
  workers: { type: "string", default: "1" },
  untrusted: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  screenshots: { type: "boolean", default: false },
  "no-build": { type: "boolean", default: false },
  vsix: { type: "string" },
  workspace: { type: "string" },
} as const;

export interface RunOptions {
  readonly grep?: string | undefined;
  /** Whether only journeys run, as in `npm test` (`journey.ts`). */
  readonly journeys: boolean;
  readonly workers: string;
  readonly untrusted: boolean;
  readonly verbose: boolean;
  /** Whether tests that pass take screenshots, too, and in all themes. */
  readonly screenshots: boolean;
  readonly "no-build": boolean;
  /** A packaged extension to test instead of the files of this checkout. */
  readonly vsix?: string | undefined;
  /** A folder of which a copy is opened instead of the workspaces of the suites. */
  readonly workspace?: string | undefined;
}

const MARKS = { passed: "✓", failed: "✗", skipped: "↓" } as const;

/** A window that makes no call for this long has crashed: it calls every second. */
const MAX_SILENCE_MS = 60_000;

/** A window whose tests have not begun after this time never opens. */
const MAX_START_MS = 180_000;

/** A test that takes this long is reported while it runs, and again after as long. Seconds. */
const LONG_TEST = 10;

type Print = (line: string) => void;

/** A window, and what it was opened with. */
interface OpenWindow {
  readonly window: TestWindow;
  /** The first suite that ran in it. */
  readonly suite: Suite;
  /** What it has logged. */
  readonly logged: readonly string[];
  /** Prints what it logs, too. */
  print: Print;
  /** The files of all suites that ran in it: until it is closed, it may still look at them. */
  readonly prepared: PreparedSuite[];
}

/** Runs the named suites (default: all) and exits. */
export async function runSuites(
  names: readonly string[],
  options: RunOptions,
  prepare: () => Promise<StartVscode>,
): Promise<never> {
  const results = await exitOnSetupError(async () => {
    if (!options["no-build"]) buildAll();
    const suites = findSuites(names).map((suite) => ({
      ...suite,
      workspace: options.workspace === undefined ? suite.workspace : resolve(options.workspace),
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

/** Runs suites sequentially, in the same VS Code as long as the environment is the same. */
class Worker {
  readonly #run: PreparedRun;
  readonly #options: RunOptions;
  readonly #startVscode: StartVscode;
  #started:
    | { readonly environment: Environment; readonly bridge: Bridge; readonly vscode: Vscode }
    | undefined;
  #window: OpenWindow | undefined;

  constructor(run: PreparedRun, options: RunOptions, startVscode: StartVscode) {
    this.#run = run;
    this.#options = options;
    this.#startVscode = startVscode;
    onExit(() => this.#stop());
  }

  /** Runs suites from the queue until it is empty. @param buffered whether to print a suite's lines together at its end */
  async work(queue: SuiteQueue, buffered: boolean): Promise<readonly TestResult[]> {
    const all: TestResult[] = [];
    const next = () => queue.take(this.#started?.environment, (suite) => this.#fitsWindow(suite));
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

  /** Runs one suite. An error of the runner itself is reported as a failed test, and the other suites still run. */
  async #runSuite(suite: Suite, print: Print): Promise<readonly TestResult[]> {
    try {
      return await this.#runInWindow(suite, prepareSuite(this.#run, suite), print);
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
    }
  }

  /** Whether the suite can run in the window that is open. Only journeys share windows. */
  #fitsWindow(suite: Suite): boolean {
    return (
      this.#window !== undefined &&
      this.#options.journeys &&
      isDeepStrictEqual(suite.environment, this.#window.suite.environment) &&
      isDeepStrictEqual(windowSettings(suite), windowSettings(this.#window.suite))
    );
  }

  async #start(environment: Environment) {
    if (this.#started && isDeepStrictEqual(this.#started.environment, environment)) return this.#started;
    await this.#stop();
    const bridge = await openBridge(join(this.#run.extension, "dist", "service.mjs"));
    const env = { ...environment.env, [BRIDGE_VARIABLE]: bridge.url };
    const vscode = await this.#startVscode({ ...environment, env }).catch((error: unknown) => {
      bridge.close();
      throw error;
    });
    return (this.#started = { environment, bridge, vscode });
  }

  async #stop(): Promise<void> {
    await this.#closeWindow();
    const started = this.#started;
    this.#started = undefined;
    await started?.vscode.close();
    started?.bridge.close();
  }

  /** Opens a window with the suite's workspace, unless one is open that it can share. */
  async #openWindow(
    suite: Suite,
    prepared: PreparedSuite,
    print: Print,
    vscode: Vscode,
  ): Promise<OpenWindow> {
    if (this.#fitsWindow(suite) && this.#window !== undefined) {
      this.#window.print = print;
      this.#window.prepared.push(prepared);
      return this.#window;
    }
    await this.#closeWindow();
    const logged: string[] = [];
    const log = (line: string) => {
      logged.push(line);
      if (this.#options.verbose) open.print(`    ${line}`);
    };
    const isShared = this.#options.journeys;
    const open = {
      suite,
      logged,
      print,
      prepared: [prepared],
      window: await vscode.openWindow({
        workspace: isShared ? writeWorkspaceFile(prepared, suite) : prepared.workspace,
        extension: this.#run.extension,
        testModule: this.#run.windowModule,
        settings: isShared ? windowSettings(suite) : suite.settings,
        log,
      }),
    };
    return (this.#window = open);
  }

  async #closeWindow(): Promise<void> {
    const open = this.#window;
    this.#window = undefined;
    await open?.window.close();
    for (const prepared of open?.prepared ?? []) prepared.remove();
  }

  /** Runs one suite in a window. Leaked tokens and a crash are reported as failed tests. */
  async #runInWindow(suite: Suite, prepared: PreparedSuite, print: Print): Promise<readonly TestResult[]> {
    const { vscode, bridge } = await this.#start(suite.environment);
    const current = () => {
      if (!this.#window) throw new Error("The window is not open yet.");
      return this.#window.window;
    };
    // The time of a file may be that of the last tick of the clock.
    const begun = Date.now() - 1_000;
    const running = bridge.begin({
      suite: {
        testModule: this.#run.testModule(suite),
        workspace: prepared.workspace,
        settings: workspaceSettings(suite),
      },
      grep: this.#options.grep ?? null,
      journeys: this.#options.journeys,
      screenshotFolder: prepared.screenshotFolder,
      page: () => current().page,
      screenshots: this.#options.screenshots,
      onResult: (result) => printResult(print, result),
      describe: () => describeWindow(current().page, current().folder, running.secrets),
      onAlive: ({ title, seconds }) => {
        // At once, also where the lines of a suite are printed together.
        if (seconds > 0 && seconds % LONG_TEST === 0)
          console.log(`  … ${suite.name}: ${title ?? "a hook"} has been running for ${seconds} s`);
      },
      onPrint: (text) => print(`    ${text}`),
    });
    const unregister = onExit(() => running.close());
    try {
      const open = await this.#openWindow(suite, prepared, print, vscode);
      const silence = new Promise<string>((resolve) => {
        const check = () => {
          const most = running.isStarting ? MAX_START_MS : MAX_SILENCE_MS;
          if (running.millisecondsSinceLastCall() > most) resolve(`no call for ${most / 1000} s`);
        };
        setInterval(check, 1000).unref();
      });
      const crash = await Promise.race([running.ended, open.window.ended, silence]);
      const runnerResults: TestResult[] = [];
      if (crash === undefined) {
        // Not after a crash, which is a failure already.
        const leaks = await leaksOf(open, running.secrets, begun);
        if (leaks !== null) runnerResults.push(leakResult(suite, leaks));
        if (!this.#options.journeys) await this.#closeWindow();
      } else {
        await open.window.page
          .screenshot({ path: join(prepared.screenshotFolder, "crashed.png") })
          .catch(() => {});
        const tail = [
          ...(this.#options.verbose ? [] : open.logged.map((line) => line.split("\n")[0]).slice(-15)),
          ...open.window.output().split("\n").slice(-15),
        ];
        const message = [`did not complete: ${crash}`, ...tail].join("\n");
        runnerResults.push({ title: `${suite.name}: the run`, state: "failed", milliseconds: 0, message });
        await this.#stop();
      }
      for (const result of runnerResults) printResult(print, result);
      return [...running.results, ...runnerResults];
    } finally {
      unregister();
      await running.close();
    }
  }
}

function leakResult(suite: Suite, leaks: readonly Leak[]): TestResult {
  const title = `${suite.name}: leaves no token behind`;
  return leaks.length === 0
    ? { title, state: "passed", milliseconds: 0 }
    : { title, state: "failed", milliseconds: 0, message: leakLines(leaks) };
}

/** Returns the tokens found in what the suite left behind; `null` if there were no tokens. */
async function leaksOf(
  { window, prepared, logged }: OpenWindow,
  secrets: readonly string[],
  since: number,
): Promise<readonly Leak[] | null> {
  if (secrets.length === 0) return null;
  const output = [
    { name: "VS Code's output", text: window.output() },
    { name: "the window's log", text: logged.join("\n") },
  ];
  const folders = [window.folder, ...prepared.map(({ folder }) => folder)];
  return findLeaks(folders, [...output, ...(await window.storedTexts())], secrets, since);
}

function printResult(print: Print, { title, state, milliseconds, message }: TestResult): void {
  print(`  ${MARKS[state]} ${title} (${milliseconds} ms)`);
  if (message !== undefined) print(message.replace(/^/gm, "      "));
}
