/** One end of a line to another thread, as core/formats/conversation.ts asks for it. */
import type { Line } from "../core/formats/conversation.ts";

/** A thread's port, or the thread as its parent holds it. */
interface Port {
  on(event: "message", listener: (message: unknown) => void): unknown;
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
}

/** `failed` rejects when no more can come. */
export function lineOf(port: Port, failed?: Promise<never>): Line {
  const come: unknown[] = [];
  let wake: (() => void) | null = null;
  port.on("message", (message: unknown) => {
    come.push(message);
    wake?.();
  });
  const next = async (): Promise<unknown> => {
    while (come.length === 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
    return come.shift();
  };
  return {
    send: (message, transfer) => port.postMessage(message, transfer),
    receive: () => (failed === undefined ? next() : Promise.race([next(), failed])),
  };
}
