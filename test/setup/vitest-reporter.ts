/**
 * Writes what Vitest found as the report of a layer. A file that could not be loaded, a hook that failed and an error
 * outside of any test each count as a failed test. A test, a hook or a file that takes long is named while it runs.
 */
import { relative } from "node:path";
import type {
  ReportedHookContext,
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestSuite,
  Vitest,
} from "vitest/node";
import { root } from "./ensure.mjs";
import { writeReport, type Outcome } from "./report.ts";

/** A test that takes this long is named, and again after as long. Seconds. */
const LONG_TEST = 10;

export default class ReportWriter implements Reporter {
  /** Timers of what is running. */
  readonly #running = new Map<string, NodeJS.Timeout>();
  /** With `-t`, Vitest skips what does not match: that is not a test that could not run. */
  #filtered = false;

  onInit(vitest: Vitest): void {
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestModuleQueued(module: TestModule): void {
    this.#begin(module.id, nameOf(module));
  }

  onTestModuleCollected(module: TestModule): void {
    this.#end(module.id);
  }

  onTestCaseReady(test: TestCase): void {
    // Of a short test, its end may be told first.
    if (test.result().state === "pending") this.#begin(test.id, nameOf(test));
  }

  onTestCaseResult(test: TestCase): void {
    this.#end(test.id);
  }

  /** Hooks of each test are part of its time. */
  onHookStart({ name, entity }: ReportedHookContext): void {
    if (name === "beforeAll" || name === "afterAll")
      this.#begin(name + entity.id, `${name} of ${nameOf(entity)}`);
  }

  onHookEnd({ name, entity }: ReportedHookContext): void {
    this.#end(name + entity.id);
  }

  /** Names what has begun, as long as it runs. */
  #begin(id: string, name: string): void {
    let seconds = 0;
    const report = (): void => {
      seconds += LONG_TEST;
      console.log(`  … ${name} has been running for ${seconds} s`);
    };
    this.#running.set(id, setInterval(report, LONG_TEST * 1000).unref());
  }

  #end(id: string): void {
    clearInterval(this.#running.get(id));
    this.#running.delete(id);
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

function nameOf(entity: TestModule | TestSuite | TestCase): string {
  if (entity.type === "module") return relative(root, entity.moduleId);
  return `${relative(root, entity.module.moduleId)} > ${entity.fullName}`;
}

function skipReason(test: TestCase): string {
  const result = test.result();
  return (result.state === "skipped" ? result.note : undefined) ?? "no reason given";
}

function wordsOf({ stack, message }: SerializedError): string {
  return stack ?? message ?? "an error without words";
}
