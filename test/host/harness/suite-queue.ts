/** The order of suites: few restarts of VS Code, and no long suite at the end. */
import { statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Environment, Suite } from "./suites.ts";

export class SuiteQueue {
  /** Per environment, the suites with the largest tests first; the environments with the fewest suites first. */
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

  /**
   * Removes and returns a suite for the running environment, or for one that was not started yet, or the next one; if
   * possible one that `fits` the open window.
   */
  take(running: Environment | undefined, fits: (suite: Suite) => boolean): Suite | undefined {
    const remaining = this.#groups.filter(({ length }) => length > 0);
    const own = running && this.#groupOf(running);
    const group = own ?? remaining.find((it) => !this.#begun.has(it)) ?? remaining[0];
    if (!group) return undefined;
    this.#begun.add(group);
    return group.splice(Math.max(0, group.findIndex(fits)), 1)[0];
  }

  /** Returns the remaining suites of an environment; `undefined` if there are none. */
  #groupOf(environment: Environment): Suite[] | undefined {
    return this.#groups.find(([first]) => first && isDeepStrictEqual(first.environment, environment));
  }
}

/** Returns the size of a suite's files, in bytes, as an estimate of its duration. */
function sizeOf({ files }: Suite): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
