/**
 * The order of the tests within a file: the same one in quick runs, so that a failure is caused by the change, and another
 * one in each full run. `PROPERTY_SEED=NUMBER` repeats a run; Vitest prints the number.
 */
const QUICK_SEED = 20_261_126;

const requested = process.env["PROPERTY_SEED"];
const random = process.env["TEST_FULL"] === "1" ? Math.floor(Math.random() * 2 ** 31) : QUICK_SEED;

export const SHUFFLE_SEED = requested === undefined ? random : Number(requested);
