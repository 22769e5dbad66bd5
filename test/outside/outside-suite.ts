/** What the suites share: the folder of another project, and the judgement of its cases. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext } from "vitest";
import type { FindOptions, KeyUsage } from "../../src/scanners/key-usage.ts";
import { usageLanguageFor } from "../../src/scanners/supported-source-languages.ts";

/** Returns the folder of a project; skips the test if it is not there. `file`: a file that the suite reads. */
export function projectFolder(context: TestContext, name: string, repository: string, file: string): string {
  const folder = join(process.env["OUTSIDE_FOLDER"] ?? "", name);
  if (!existsSync(join(folder, file)))
    context.skip(`${file} is missing: clone ${repository} to FOLDER/${name}`);
  return folder;
}

/** A case of another project. */
export interface OutsideCase {
  readonly name: string;
  readonly isRight: boolean;
}

/** Prints the share of the cases that are right, with the wrong ones, and requires the goal. */
export function expectShare(suite: string, cases: readonly OutsideCase[], goal: number): void {
  const wrong = cases.filter(({ isRight }) => !isRight);
  const share = (cases.length - wrong.length) / cases.length;
  console.log(`${suite}: ${cases.length - wrong.length} of ${cases.length} (${(share * 100).toFixed(1)} %)`);
  for (const { name } of wrong.slice(0, 20)) console.log(`  wrong: ${name}`);
  expect(cases.length).toBeGreaterThan(0);
  expect(share).toBeGreaterThanOrEqual(goal);
}

/** Returns the usages in a text whose keys are completely known, in the language of the path. */
export function usagesIn(path: string, text: string, options: FindOptions): readonly KeyUsage[] {
  const language = usageLanguageFor(path);
  if (language === undefined) throw new Error(`${path} is in no source language`);
  return language.find(text, options).filter(({ expression }) => expression.kind === "static");
}

/** Returns the text's key as a string; `context|key` and `namespace:key` if it has them. */
export function writtenKey({ expression, context, namespaces, keyPrefix }: KeyUsage): string {
  const key = expression.kind === "static" ? expression.key : `${expression.prefix}…${expression.suffix}`;
  const namespace = Array.isArray(namespaces) ? `${namespaces.join(",")}:` : "";
  return `${namespace}${context === null ? "" : `${context}|`}${keyPrefix === "" ? "" : `${keyPrefix}.`}${key}`;
}

/** Returns a case for each key that is expected, and a wrong one for each that is found beside them. */
export function keyCases(
  sample: string,
  expected: readonly string[],
  found: readonly string[],
): readonly OutsideCase[] {
  return [
    ...[...new Set(expected)].map((key) => ({
      name: `${sample}: ${key} is not found`,
      isRight: found.includes(key),
    })),
    ...[...new Set(found)]
      .filter((key) => !expected.includes(key))
      .map((key) => ({ name: `${sample}: ${key} is found`, isRight: false })),
  ];
}
