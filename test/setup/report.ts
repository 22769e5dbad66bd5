/** The result of a layer of tests, as the layers' processes hand it to `run-tests.ts`: a JSON file. */
import { readFileSync, writeFileSync } from "node:fs";

/** A test that failed or was skipped. */
export interface Outcome {
  readonly name: string;
  /** The errors, or the reason of the skip. */
  readonly message: string;
}

export interface Report {
  readonly passed: number;
  readonly failed: readonly Outcome[];
  readonly skipped: readonly Outcome[];
}

/** The environment variable with the path of the file to write. Not set: nobody wants one. */
export const reportVariable = "TEST_REPORT";

export function writeReport(report: Report): void {
  const file = process.env[reportVariable];
  if (file !== undefined) writeFileSync(file, JSON.stringify(report));
}

/** `undefined`: the layer ended before it wrote one. */
export function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return undefined;
  }
}

/** `12 passed, 0 failed, 3 skipped` */
export function countLine({ passed, failed, skipped }: Report): string {
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
}
