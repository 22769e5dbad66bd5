/**
 * Runs the suites of test/host, each in a window of its own, in whichever real VS Code it is given; prints a line for
 * each test and ends with `N passed, N failed`.
 *
 * `[SUITE...] [--grep REGEXP] [--untrusted] [--verbose] [--no-build]`, beside what the VS Code itself takes.
 */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { buildAll } from "../../setup/build.ts";
import { orSay } from "../../setup/ensure.mjs";
import { leave, onTheWayOut } from "../../setup/way-out.ts";
import { openBridge } from "./bridge.ts";
import { findLeaks, leakLines, type Leak, type Trace } from "./secrets.ts";
import { findSuites, layOut, type Laid, type Suite } from "./suites.ts";
import { bridgeVariable, type TestResult } from "./wire.ts";

/** A window in which the tests run. */
export interface TestWindow {
  readonly page: Page;
  /** Resolves when the tests, or the window, have come to an end: how. */
  readonly ended: Promise<string>;
  /** What VS Code printed. */
  output(): string;
  /** Where it keeps what it keeps. */
  readonly folder: string;
  /** What is kept in no file. */
  traces(): Promise<readonly Trace[]>;
  close(): Promise<void>;
}

/** Opens a suite's workspace with the extension and the tests; `env` is for the extension host. */
export type OpenWindow = (
  suite: Suite,
  laid: Laid,
  env: NodeJS.ProcessEnv,
  hear: (line: string) => void,
) => Promise<TestWindow>;

/** The options that every runner takes, for `parseArgs`. */
export const commonOptions = {
  grep: { type: "string" },
  untrusted: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  "no-build": { type: "boolean", default: false },
} as const;

export interface RunOptions {
  readonly grep?: string | undefined;
  readonly untrusted: boolean;
  readonly verbose: boolean;
  readonly "no-build": boolean;
}

/** A window that says nothing for so long has died. */
const patience = 300_000;

/** Runs the named suites (none named: all) and ends the process. */
export async function runSuites(
  names: readonly string[],
  options: RunOptions,
  prepare: () => Promise<OpenWindow>,
): Promise<never> {
  const results = await orSay(async () => {
    if (!options["no-build"]) buildAll();
    const suites = findSuites(names);
    const openWindow = await prepare();
    const all: TestResult[] = [];
    for (const suite of suites) {
      console.log(`\n${suite.name}`);
      const trusted = suite.trusted && !options.untrusted;
      const run = () => runOrFail({ ...suite, trusted }, options, openWindow);
      all.push(...(await twiceAtMost(run)));
    }
    return all;
  });
  const failed = results.filter((it) => !it.passed).length;
  if (results.length === 0) console.log("No test ran.");
  console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return leave(failed > 0 || results.length === 0 ? 1 : 0);
}

/**
 * A suite in which something failed gets a second window: a machine that others use may take a window down. What passes
 * only there is told as that. What must not happen even once has failed all the same.
 */
async function twiceAtMost(run: () => Promise<readonly TestResult[]>): Promise<readonly TestResult[]> {
  const first = await run();
  const failed = first.filter((it) => !it.passed);
  if (failed.length === 0) return first;
  console.log("  once more, in a new window:");
  const second = await run();
  for (const { title } of failed) {
    if (second.some((it) => it.title === title && it.passed))
      console.log(`  passed the second time only: ${title}`);
  }
  const never = failed.filter((it) => it.never === true);
  return [...second.filter(({ title }) => !never.some((it) => it.title === title)), ...never];
}

/** Runs one suite; an error of the runner itself is a failed test of it, and the other suites still run. */
async function runOrFail(
  suite: Suite,
  options: RunOptions,
  openWindow: OpenWindow,
): Promise<readonly TestResult[]> {
  try {
    return await runSuite(suite, options, openWindow);
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failed = { title: `${suite.name}: the runner`, passed: false, milliseconds: 0, error: said };
    print(failed);
    return [failed];
  }
}

/** Runs one suite. What goes wrong around the tests is a failed test too. */
async function runSuite(
  suite: Suite,
  options: RunOptions,
  openWindow: OpenWindow,
): Promise<readonly TestResult[]> {
  const laid = await layOut(suite);
  const service = join(laid.extension, "dist", "service.mjs");
  const heard: string[] = [];
  const hear = (line: string) => {
    heard.push(line);
    if (options.verbose) console.log(`    ${line}`);
  };
  const open: { window?: TestWindow } = {};
  const page = () => {
    if (!open.window) throw new Error("The window is not open yet.");
    return open.window.page;
  };
  const bridge = await openBridge({
    grep: options.grep ?? null,
    service,
    shots: laid.shots,
    page,
    onResult: print,
  });
  const close = async () => {
    await open.window?.close();
    await bridge.close();
    laid.remove();
  };
  const forget = onTheWayOut(close);

  const opened = (open.window = await openWindow(
    suite,
    laid,
    { ...suite.env, [bridgeVariable]: bridge.url },
    hear,
  ));
  const silence = new Promise<string>((resolve) => {
    const look = () => bridge.silence() > patience && resolve(`nothing was heard for ${patience / 1000} s`);
    setInterval(look, 1000).unref();
  });
  const why = await Promise.race([opened.ended, silence]);

  const outcome = [...bridge.results];
  if (!bridge.ended) {
    await page()
      .screenshot({ path: join(laid.shots, "died.png") })
      .catch(() => {});
    const tail = [
      ...(options.verbose ? [] : heard.map((line) => line.split("\n")[0]).slice(-15)),
      ...opened.output().split("\n").slice(-15),
    ];
    const error = [`did not come to its end: ${why}`, ...tail].join("\n");
    const death = { title: `${suite.name}: the run`, passed: false, milliseconds: 0, error };
    print(death);
    outcome.push(death);
  }
  // A window that died has failed already, and may have nothing more to tell.
  const leaks = bridge.ended ? await leaksOf(opened, laid, heard, bridge.secrets) : null;
  if (leaks !== null) {
    const kept = {
      title: `${suite.name}: what is left holds no token`,
      passed: leaks.length === 0,
      milliseconds: 0,
      never: true,
    };
    const told = kept.passed ? kept : { ...kept, error: leakLines(leaks) };
    print(told);
    outcome.push(told);
  }
  forget();
  await close();
  return outcome;
}

/** Tokens that can be read in what the suite leaves; `null`: there was none to be kept. */
async function leaksOf(
  window: TestWindow,
  laid: Laid,
  heard: readonly string[],
  secrets: readonly string[],
): Promise<readonly Leak[] | null> {
  if (secrets.length === 0) return null;
  const said = [
    { name: "what VS Code printed", text: window.output() },
    { name: "what the window said", text: heard.join("\n") },
  ];
  return findLeaks([window.folder, laid.folder], [...said, ...(await window.traces())], secrets);
}

function print({ title, passed, milliseconds, error }: TestResult): void {
  console.log(`  ${passed ? "✓" : "✗"} ${title} (${milliseconds} ms)`);
  if (error !== undefined) console.log(error.replace(/^/gm, "      "));
}
