/** What the client is handed of the platform. The core's own clock and log fit; nothing here does anything. */

/** Milliseconds since the epoch, and waiting that an abort ends (rejecting with the signal's reason). */
export interface ClientClock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** For engineers, in English. */
export interface ClientLog {
  debug(text: string): void;
  warn(text: string): void;
}

/** Why a request waits; `until` in milliseconds since the epoch. */
export type Wait =
  | { readonly kind: "rate-limit"; readonly until: number }
  | { readonly kind: "busy"; readonly reason: string | null; readonly until: number };

/** Told when a request begins to wait (again when the time changes) and, with `null`, when it goes on. */
export type OnWait = (wait: Wait | null) => void;
