/** One end of a line between two threads, over a port, as a test holds it. */
import type { MessagePort } from "node:worker_threads";
import type { Line } from "../../../src/core/formats/conversation.ts";

/** `hear` is told every message before whoever waits for it. */
export function lineOf(port: MessagePort, hear?: (message: unknown) => void): Line {
  const come: unknown[] = [];
  let wake: (() => void) | undefined;
  port.on("message", (message: unknown) => {
    hear?.(message);
    come.push(message);
    wake?.();
  });
  return {
    send: (message, transfer = []) => port.postMessage(message, [...transfer]),
    receive: async () => {
      while (come.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return come.shift();
    },
  };
}
