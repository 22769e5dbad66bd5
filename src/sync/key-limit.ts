/**
 * How much room there is under the customer's key limit, as the one answer that names it said (§ Errors, key-limit
 * body). The limit holds "across all its projects" (§ Limits) and nothing tells of changes, so it is soon forgotten.
 */
import { isApiError } from "../api/errors.ts";
import type { Clock } from "../model/platform.ts";

/** Milliseconds. */
const VALID_MS = 10 * 60_000;

export interface KeyRoom {
  readonly limit: number;
  readonly free: number;
}

export class KeyLimit {
  readonly #clock: Pick<Clock, "now">;
  #learned: (KeyRoom & { readonly contentVersion: number | null; readonly at: number }) | null = null;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Takes the numbers of a `key_limit_reached`; other errors say nothing. `contentVersion`: the project's of then. */
  learn(error: unknown, contentVersion: number | null): void {
    const refused = overLimit(error);
    if (refused === null) return;
    const { limit, used } = refused;
    this.#learned = { limit, free: Math.max(0, limit - used), contentVersion, at: this.#clock.now() };
  }

  /** The room that there was, while nothing is known to have changed since; `null`: nobody knows. */
  room(contentVersion: number | null): KeyRoom | null {
    const learned = this.#learned;
    if (learned === null) return null;
    const isOld = this.#clock.now() - learned.at > VALID_MS;
    if (isOld || learned.contentVersion !== contentVersion) this.#learned = null;
    return this.#learned;
  }

  /** Keys were created, restored or archived. */
  forget(): void {
    this.#learned = null;
  }
}

/** How many keys over its limit the customer is, by a `key_limit_reached` body; `null` when it does not say. */
export function overLimit(error: unknown): { limit: number; used: number; requested: number } | null {
  if (!isApiError(error, "key_limit_reached")) return null;
  const { limit, used, requested } = error;
  return limit === undefined || used === undefined || requested === undefined
    ? null
    : { limit, used, requested };
}
