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
  const end: { failure: { readonly reason: unknown } | null } = { failure: null };
  let wake: (() => void) | null = null;
  port.on("message", (message: unknown) => {
    come.push(message);
    wake?.();
  });
  // Not raced with at each message: a promise holds on to all that won against it, which are whole files.
  failed?.catch((reason: unknown) => {
    end.failure = { reason };
    wake?.();
  });
  return {
    send: (message, transfer) => port.postMessage(message, transfer),
    receive: async () => {
      while (come.length === 0 && end.failure === null) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      if (end.failure !== null) throw end.failure.reason;
      return come.shift();
    },
  };
}
