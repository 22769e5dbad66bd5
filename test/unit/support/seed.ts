/**
 * The cases that property tests draw: the same ones in every quick run, so that a failure is the change's own, and others
 * in every exhaustive run. `PROPERTY_SEED=NUMBER` repeats the cases of a run; a failure names its seed.
 */
import { configureGlobal } from "fast-check";
import { afterEach } from "vitest";
import { IS_FULL, runs } from "./effort.ts";

const QUICK_SEED = 20_261_121;

const asked = process.env["PROPERTY_SEED"];
const seed = asked !== undefined ? Number(asked) : IS_FULL ? Math.floor(Math.random() * 2 ** 31) : QUICK_SEED;
if (!Number.isSafeInteger(seed)) throw new Error(`PROPERTY_SEED is no whole number: ${asked}`);
configureGlobal({ seed, numRuns: runs(100) });

afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(`To repeat: PROPERTY_SEED=${seed}`);
});
