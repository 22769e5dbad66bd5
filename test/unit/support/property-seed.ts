/**
 * The seed of property tests: fixed in quick runs, so that failures are caused by the change, and random in full runs.
 * `PROPERTY_SEED=NUMBER` repeats a run; a failure prints its seed.
 */
import { configureGlobal } from "fast-check";
import { afterEach } from "vitest";

const QUICK_SEED = 20_261_121;

/** As in `full-run.ts`, which only those tests import that do more in full runs: the others are not run again for them. */
const isFull = process.env["TEST_FULL"] === "1";

const requestedSeed = process.env["PROPERTY_SEED"];
const seed =
  requestedSeed !== undefined
    ? Number(requestedSeed)
    : isFull
      ? Math.floor(Math.random() * 2 ** 31)
      : QUICK_SEED;
if (!Number.isSafeInteger(seed)) throw new Error(`PROPERTY_SEED is no whole number: ${requestedSeed}`);
configureGlobal({ seed });

afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(`To repeat: PROPERTY_SEED=${seed}`);
});
