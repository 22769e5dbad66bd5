/** Time and SHA-1 of this platform, as src/model/platform.ts asks for them. */
import { hash } from "node:crypto";
import type { Clock } from "../model/platform.ts";

export const clock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", abort, { once: true });
    }),
};

/** SHA-1 of the text, in hexadecimal. */
export const sha1 = (text: string): string => hash("sha1", text);
