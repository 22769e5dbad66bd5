/** The time of this platform, as src/model/platform.ts asks for it. */
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../model/platform.ts";

export const clock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await delay(milliseconds, undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
