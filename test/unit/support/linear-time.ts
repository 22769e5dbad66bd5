/** Time that grows with the input and no faster, on any machine: compared with the time for a shorter input. */
import { expect } from "vitest";
import { cpuTime } from "./cpu-time.ts";
import { IS_FULL } from "./full-run.ts";

/** How many times as long the long input is. */
const TIMES = 8;

/** Quadratic work takes 64 times as long; linear work about 8 times, with collections of garbage 20. */
const OUT_OF_PROPORTION = 28;

/** By how much the inputs of the quick run are shorter. */
const QUICK_PART = 4;

/** Shorter times say nothing. Milliseconds. */
const SHORTEST = 4;

/**
 * Expects that the time of the work is in proportion to the length of its input. What is out of proportion is so in each
 * of several measurements; a pause that the machine makes is not.
 */
export function expectLinearTime(work: (length: number) => unknown, fullLength: number, name = ""): void {
  const length = IS_FULL ? fullLength : Math.ceil(fullLength / QUICK_PART);
  const short = Math.ceil(length / TIMES);
  const timeOf = (size: number): number => {
    const start = cpuTime();
    work(size);
    return cpuTime() - start;
  };
  // Compiles the code.
  work(short);
  let ratio = Infinity;
  for (let round = 0; round < 4 && ratio > OUT_OF_PROPORTION; round++)
    ratio = Math.min(ratio, timeOf(length) / Math.max(SHORTEST, timeOf(short)));
  expect(ratio, `${name}: ${length} against ${short}`).toBeLessThanOrEqual(OUT_OF_PROPORTION);
}
