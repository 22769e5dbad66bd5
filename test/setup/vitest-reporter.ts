/**
 * Writes what Vitest found as the report of a layer. A file that could not be loaded, a hook that failed and an error
 * outside of any test each count as a failed test.
 */
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from "vitest/node";
import { root } from "./ensure.mjs";
import { writeReport, type Outcome } from "./report.ts";

export default class ReportWriter implements Reporter {
  /** With `-t`, Vitest skips what does not match: that is not a test that could not run. */
  #filtered = false;

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failed: Outcome[] = [];
    const skipped: Outcome[] = [];
    let passed = 0;
    const fail = (name: string, errors: readonly SerializedError[]) =>
      failed.push({ name, message: errors.map(wordsOf).join("\n") });
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      if (module.errors().length > 0) fail(file, module.errors());
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) fail(`${file} > ${suite.fullName}`, suite.errors());
      }
      for (const test of module.children.allTests()) {
        const name = `${file} > ${test.fullName}`;
        const result = test.result();
        if (result.state === "passed") passed += 1;
        else if (result.state === "failed") fail(name, result.errors);
        else if (!this.#filtered) skipped.push({ name, message: skipReason(test) });
      }
    }
    for (const error of unhandled) fail("an error outside of any test", [error]);
    writeReport({ passed, failed, skipped });
  }
}

function skipReason(test: TestCase): string {
  const result = test.result();
  return (result.state === "skipped" ? result.note : undefined) ?? "no reason given";
}

function wordsOf({ stack, message }: SerializedError): string {
  return stack ?? message ?? "an error without words";
}
