/**
 * The inside of a test run: loaded by the extension host as its test module, it runs the suite's files with mocha and
 * tells each result to the runner at once, so that what was said is not lost when the host dies.
 */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { call, skipReasons } from "./outside.ts";
import type { TestResult } from "./wire.ts";

/** Runs the files that `load` imports. Resolves when every test has ended, however it ended. */
export async function runMocha(load: readonly (() => Promise<unknown>)[], bundle: string): Promise<void> {
  const { default: Mocha } = await import("mocha");
  const orders = await call("orders", null);
  // The base of mocha's reporters prints nothing: what it would print nobody sees here.
  // Longer than what waits inside of a test, which says what it waited for.
  const mocha = new Mocha({ ui: "bdd", timeout: 120_000, reporter: Mocha.reporters.Base });
  if (orders.grep !== null) mocha.grep(new RegExp(orders.grep));
  mocha.suite.emit("pre-require", globalThis, null, mocha);
  for (const file of load) await file();
  leaveOut(mocha.suite, new Set(orders.done), new Set());

  const stackOf = sourceStacks(bundle);
  let told: Promise<unknown> = Promise.resolve();
  const tell = (test: Mocha.Runnable, state: TestResult["state"], message?: string) => {
    const result = {
      title: test.fullTitle(),
      state,
      milliseconds: test.duration ?? 0,
      ...(message === undefined ? {} : { message }),
    };
    told = told.then(() => call("result", result));
  };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on("pass", (test) => tell(test, "passed"));
    runner.on("fail", (test, error) => tell(test, "failed", stackOf(error)));
    runner.on("pending", (test) => tell(test, "skipped", skipReasons.get(test) ?? "no reason given"));
  });
  await told;
  await call("end", null);
}

/** Takes out what ended before a reload. Two tests of one title cannot be told apart: an error. */
function leaveOut(suite: Mocha.Suite, done: ReadonlySet<string>, seen: Set<string>): void {
  for (const test of suite.tests) {
    const title = test.fullTitle();
    if (seen.has(title)) throw new Error(`Two tests are called "${title}".`);
    seen.add(title);
  }
  suite.tests = suite.tests.filter((test) => !done.has(test.fullTitle()));
  for (const child of suite.suites) leaveOut(child, done, seen);
}

/** Words a failure: message and stack, in terms of the source files. */
function sourceStacks(bundle: string): (error: unknown) => string {
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, "utf8")));
  return (error) => {
    if (!(error instanceof Error)) return `thrown: ${JSON.stringify(error)}`;
    return (error.stack ?? error.message).replace(
      /([^\s(]+):(\d+):(\d+)/g,
      (place, file: string, line, column) => {
        // mocha leaves out the working directory.
        if (!bundle.endsWith(file)) return place;
        const origin = map.findEntry(Number(line) - 1, Number(column) - 1);
        return "originalSource" in origin
          ? `${origin.originalSource.replace(/^(\.\.\/)+/, "")}:${origin.originalLine + 1}`
          : place;
      },
    );
  };
}
