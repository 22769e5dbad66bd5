/** Which tests `npm test` runs in VS Code: journeys. `npm run test:full` runs all of them. */

const journeys = new WeakSet<object>();

/**
 * Declares a test, like `it`, that `npm test` runs: what a person does with a feature, or what only a real VS Code shows.
 * Journeys come first in their `describe`, so that they need nothing that another test does.
 */
export function journey(title: string, work: (this: Mocha.Context) => void | Promise<void>): Mocha.Test {
  const test = it(title, function () {
    return work.call(this);
  });
  journeys.add(test);
  return test;
}

export const isJourney = (test: Mocha.Test): boolean => journeys.has(test);

/** @throws {Error} if a journey follows a test that is none */
export function checkOrder(suite: Mocha.Suite): void {
  const other = suite.tests.findIndex((test) => !isJourney(test));
  const late = other < 0 ? undefined : suite.tests.slice(other).find(isJourney);
  if (late) throw new Error(`The journey “${late.fullTitle()}” follows a test that is none.`);
  for (const child of suite.suites) checkOrder(child);
}
