/**
 * The seed of property tests: fixed in quick runs, so that failures are caused by the change, and random in full runs.
 * `PROPERTY_SEED=NUMBER` repeats a run; a failure prints its seed.
 */
import { configureGlobal } from "fast-check";
import { afterEach } from "vitest";
import { IS_FULL, runCount } from "./full-run.ts";

const QUICK_SEED = 20_261_121;

const requestedSeed = process.env["PROPERTY_SEED"];
const seed =
  requestedSeed !== undefined
    ? Number(requestedSeed)
    : IS_FULL
      ? Math.floor(Math.random() * 2 ** 31)
      : QUICK_SEED;
if (!Number.isSafeInteger(seed)) throw new Error(`PROPERTY_SEED is no whole number: ${requestedSeed}`);
configureGlobal({ seed, numRuns: runCount(100) });

afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(`To repeat: PROPERTY_SEED=${seed}`);
});
