/** Which suite is run next, so that few VS Codes are started and no long suite begins when the others have ended. */
import { statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Environment, Suite } from "./suites.ts";

export class SuiteQueue {
  /** Of each environment, the suites with the largest tests first; the environments with the fewest suites first. */
  readonly #groups: Suite[][] = [];
  readonly #begun = new Set<Suite[]>();

  constructor(suites: readonly Suite[]) {
    for (const suite of suites.toSorted((one, other) => sizeOf(other) - sizeOf(one))) {
      const group = this.#groupOf(suite.environment);
      if (group) group.push(suite);
      else this.#groups.push([suite]);
    }
    this.#groups.sort((one, other) => one.length - other.length);
  }

  /** Takes a suite for the VS Code that runs, else one for a VS Code that nobody has started, else the next. */
  take(running: Environment | undefined): Suite | undefined {
    const left = this.#groups.filter(({ length }) => length > 0);
    const own = running && this.#groupOf(running);
    const group = own ?? left.find((it) => !this.#begun.has(it)) ?? left[0];
    if (!group) return undefined;
    this.#begun.add(group);
    return group.shift();
  }

  /** The group of an environment, as long as it has suites. */
  #groupOf(environment: Environment): Suite[] | undefined {
    return this.#groups.find(([first]) => first && isDeepStrictEqual(first.environment, environment));
  }
}

/** How much there is to test. */
function sizeOf({ files }: Suite): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
