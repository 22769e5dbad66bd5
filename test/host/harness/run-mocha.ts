/**
 * The test module that the extension host loads: runs the suite's files with mocha and reports each result to the runner
 * at once, so that results are not lost if the host crashes.
 */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { commands } from "vscode";
import { call, skipReasons } from "./bridge-client.ts";
import { checkOrder, isJourney } from "./journey.ts";
import type { TestResult } from "./bridge-protocol.ts";

/** Runs the files that `load` imports. Resolves when all tests have passed, failed or been skipped. */
export async function runMocha(load: readonly (() => Promise<unknown>)[], bundle: string): Promise<void> {
  const { default: Mocha } = await import("mocha");
  let reports: Promise<unknown> = Promise.resolve();
  const instructions = await call("getInstructions", null);
  // The base reporter prints nothing. The timeout is longer than that of `waitFor`, whose message is better; no journey
  // takes 20 s, even on a machine with ten times too much to do.
  const mocha = new Mocha({
    ui: "bdd",
    timeout: instructions.journeys ? 60_000 : 120_000,
    reporter: Mocha.reporters.Base,
    // A failure is reported with what the window shows: the next test must not change that before.
    rootHooks: { afterEach: async () => void (await reports) },
  });
  if (instructions.grep !== null) mocha.grep(new RegExp(instructions.grep));
  mocha.suite.emit("pre-require", globalThis, null, mocha);
  for (const file of load) await file();
  for (const suite of mocha.suite.suites) suite.afterAll(clearNotifications);
  checkTitles(mocha.suite, new Set());
  checkOrder(mocha.suite);
  if (instructions.journeys) keepTests(mocha.suite, isJourney);
  if (mocha.suite.total() === 0)
    throw new Error("The suite has no journey, and is not declared to run in full runs only.");
  const finished = new Set(instructions.finishedTests);
  keepTests(mocha.suite, (test) => !finished.has(test.fullTitle()));

  const running = { title: null as string | null, since: performance.now() };
  const setRunning = (title: string | null): void => {
    running.title = title;
    running.since = performance.now();
  };
  const alive = setInterval(() => {
    const seconds = Math.round((performance.now() - running.since) / 1000);
    // A failure means that the runner has ended.
    call("reportAlive", { title: running.title, seconds }).catch(() => undefined);
  }, 1000);
  const formatError = sourceStackFormatter(bundle);
  const report = (test: Mocha.Runnable, state: TestResult["state"], message?: string) => {
    const result = {
      title: test.fullTitle(),
      state,
      milliseconds: test.duration ?? 0,
      ...(message === undefined ? {} : { message }),
    };
    reports = reports.then(() => call("reportResult", result));
  };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on("test", (test) => setRunning(test.fullTitle()));
    runner.on("test end", () => setRunning(null));
    runner.on("pass", (test) => report(test, "passed"));
    runner.on("fail", (test, error) => report(test, "failed", formatError(error)));
    runner.on("pending", (test) => report(test, "skipped", skipReasons.get(test) ?? "no reason given"));
  });
  await reports;
  clearInterval(alive);
  await call("end", null);
}

/** Leaves no notifications of one file's tests to those of the next. */
async function clearNotifications(): Promise<void> {
  await commands.executeCommand("notifications.clearAll");
}

/** Removes all other tests. */
function keepTests(suite: Mocha.Suite, isKept: (test: Mocha.Test) => boolean): void {
  suite.tests = suite.tests.filter(isKept);
  for (const child of suite.suites) keepTests(child, isKept);
}

/** @throws {Error} if two tests have the same title */
function checkTitles(suite: Mocha.Suite, seen: Set<string>): void {
  for (const test of suite.tests) {
    const title = test.fullTitle();
    if (seen.has(title)) throw new Error(`Two tests are called "${title}".`);
    seen.add(title);
  }
  for (const child of suite.suites) checkTitles(child, seen);
}

/** Returns a function that formats an error as message and stack with positions in the source files. */
function sourceStackFormatter(bundle: string): (error: unknown) => string {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, "utf8")));
  return (error) => {
    if (!(error instanceof Error)) return `thrown: ${JSON.stringify(error)}`;
    return (error.stack ?? error.message).replace(
      /([^\s(]+):(\d+):(\d+)/g,
      (place, file: string, line, column) => {
        // mocha removes the working directory from paths.
        if (!bundle.endsWith(file)) return place;
        const origin = map.findEntry(Number(line) - 1, Number(column) - 1);
        return "originalSource" in origin
          ? `${origin.originalSource.replace(/^(\.\.\/)+/, "")}:${origin.originalLine + 1}`
          : place;
      },
    );
  };
}
