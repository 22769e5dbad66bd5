/** System clock: implements `Clock` of src/model/platform.ts. */
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../model/platform.ts";

export const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
