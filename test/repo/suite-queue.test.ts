/** The order of host suites: each is run exactly once. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../setup/ensure.mjs";
import { SuiteQueue } from "../host/harness/suite-queue.ts";
import type { Environment, Suite } from "../host/harness/suites.ts";

/** `file`: relative to the checkout, for its size. */
function suite(name: string, file: string, changes: Partial<Environment> = {}): Suite {
  const environment = { trusted: true, locale: "en", env: {}, extensions: [], ...changes };
  const files = [join(root, file)];
  return { name, files, workspace: "", environment, settings: {}, run: "journeys" };
}

const SUITES = [
  suite("small", ".npmrc"),
  suite("dutch", ".npmrc", { locale: "nl" }),
  suite("large", "package-lock.json"),
  suite("larger in Dutch", "package.json", { locale: "nl" }),
  suite("untrusted", ".npmrc", { trusted: false }),
  suite("between", "package.json"),
];

/** What each of so many workers runs when all take turns. */
function shares(count: number, fits: (suite: Suite) => boolean = () => true): string[][] {
  const queue = new SuiteQueue(SUITES);
  const workers = Array.from({ length: count }, () => [] as Suite[]);
  for (let isEmpty = false; !isEmpty;) {
    isEmpty = true;
    for (const taken of workers) {
      const next = queue.take(taken.at(-1)?.environment, fits);
      if (!next) continue;
      taken.push(next);
      isEmpty = false;
    }
  }
  return workers.map((taken) => taken.map(({ name }) => name));
}

test("one worker starts each VS Code once, largest suites first", () => {
  expect(shares(1)).toEqual([["untrusted", "larger in Dutch", "dutch", "large", "between", "small"]]);
});

test("two workers keep their VS Code while it has suites", () => {
  expect(shares(2)).toEqual([
    ["untrusted", "large", "between"],
    ["larger in Dutch", "dutch", "small"],
  ]);
});

test("idle workers take suites of others, and each suite runs once", () => {
  const all = shares(5).flat();
  expect(all.toSorted()).toEqual(SUITES.map(({ name }) => name).toSorted());
});

test("what fits the open window comes first", () => {
  expect(shares(1, ({ name }) => name === "between" || name === "dutch")).toEqual([
    ["untrusted", "dutch", "larger in Dutch", "between", "large", "small"],
  ]);
});
