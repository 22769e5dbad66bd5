/**
 * The rules for the expected outcome of an action under a fault: retries, messages, and whether the service executed
 * the request.
 */
import type { ConnectionFailure } from "../support/simulated-network.ts";
import type { Action } from "./user-actions.ts";
import type { FaultEffect } from "./fault-effects.ts";

/** What must come of a cell. */
export interface Expected {
  /** `done`, `left` (nobody waits any more), or the code of the failure. */
  readonly code: string;
  readonly reason?: string;
  /** How often the struck request was sent, the first time included; absent: as often as the wait allows. */
  readonly sent?: number;
  readonly most?: number;
  /** Whether the service took it. */
  readonly taken: boolean;
}

export interface Fault {
  readonly name: string;
  /**
   * `once`: the struck request alone. `kind`: every request of its kind, and the effect itself says when it has had
   * enough. `on`: every request from then on, until the fault is cleared.
   */
  readonly lasts: "once" | "kind" | "on";
  /** Before the proxy is reached. */
  readonly connectionFailure?: ConnectionFailure;
  /** At the proxy. */
  readonly effect?: FaultEffect;
  /** Strikes the polls of a job, not the request that begins it. */
  readonly atJob?: true;
  /** Strikes pages after the first. */
  readonly atPages?: true;
  /** Seconds that the service asked everybody to wait, which pass before the next action. */
  readonly pause?: number;
  /** Milliseconds by which this machine's clock is wrong. */
  readonly wrong?: number;
  /** The person waits so long, and then no longer; milliseconds. */
  readonly patience?: number;
  readonly applies?: (action: Action) => boolean;
  readonly expected: (action: Action) => Expected;
}

type LostCode = "offline" | "timeout" | "server_error";

/** Lost once: sent again where that is safe. */
export const lostOnce =
  (code: LostCode, arrived: boolean): Fault["expected"] =>
  ({ repeatable }) =>
    repeatable ? { code: "done", sent: 2, taken: true } : { code, sent: 1, taken: arrived };
/** Lost every time: sent three times in all, after no answer in time twice. */
export const lostAlways =
  (code: LostCode, arrived: boolean, attempts = code === "timeout" ? 2 : 3): Fault["expected"] =>
  ({ repeatable }) => ({ code, sent: repeatable ? attempts : 1, taken: arrived });
/** A clear answer is not asked for again. */
export const refused =
  (code: string, reason?: string): Fault["expected"] =>
  () => ({ code, ...(reason === undefined ? {} : { reason }), sent: 1, taken: false });
export const waitedFor =
  (sent?: number): Fault["expected"] =>
  () => ({
    code: "done",
    ...(sent === undefined ? {} : { sent }),
    taken: true,
  });

/**
 * A read with a filter is asked for once more without it ("Value formats of … `updatedSince` …: not shown"), and a
 * write once more under the name that the service asks for ("Names of item fields …: not shown").
 */
export const refusedFields =
  (asksForName: boolean): Fault["expected"] =>
  ({ filters, aim }) => ({
    code: "invalid",
    sent: filters === true || (asksForName && aim.method === "PUT") ? 2 : 1,
    taken: false,
  });
