/** Interfaces of the platform that the client depends on. */

/** Time in milliseconds since the epoch, and a sleep whose abort rejects with the signal's reason. */
export interface ClientClock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A log for developers, in English. */
export interface ClientLog {
  debug(text: string): void;
  warn(text: string): void;
}

/** Why a request waits; `until` is in milliseconds since the epoch. */
export type Wait =
  | { readonly kind: "rate-limit"; readonly until: number }
  | { readonly kind: "busy"; readonly reason: string | null; readonly until: number };

/** Called when a request starts to wait, when the wait's end changes, and with `null` when it continues. */
export type OnWait = (wait: Wait | null) => void;
