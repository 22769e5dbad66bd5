/**
 * The free capacity under the customer's key limit, as reported by the last `key_limit_reached` (§ Errors, key-limit
 * body). The limit applies "across all its projects" (§ Limits) and changes are not reported, so the value expires
 * soon.
 */
import { isApiError } from "../../api/errors.ts";
import type { Clock } from "../../model/platform.ts";

const MAX_AGE_MS = 10 * 60_000;

/** The limit and how many more keys it allows. */
export interface KeyCapacity {
  readonly limit: number;
  readonly free: number;
}

/** Remembers the last reported capacity. */
export class KeyLimit {
  readonly #clock: Pick<Clock, "monotonic">;
  #lastRefusal: (KeyCapacity & { readonly contentVersion: number | null; readonly at: number }) | null = null;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Stores the numbers of a `key_limit_reached`, with the project's current version; ignores other errors. */
  recordError(error: unknown, contentVersion: number | null): void {
    if (!isApiError(error, "key_limit_reached")) return;
    const { limit, used } = error;
    if (limit === undefined || used === undefined) return;
    this.#lastRefusal = {
      limit,
      free: Math.max(0, limit - used),
      contentVersion,
      at: this.#clock.monotonic(),
    };
  }

  /** Returns the last known capacity; `null` if unknown or outdated. */
  capacity(contentVersion: number | null): KeyCapacity | null {
    const recorded = this.#lastRefusal;
    if (recorded === null) return null;
    const isOld = this.#clock.monotonic() - recorded.at > MAX_AGE_MS;
    if (isOld || recorded.contentVersion !== contentVersion) this.#lastRefusal = null;
    return this.#lastRefusal;
  }

  /** Discards the value, after keys were created, restored or archived. */
  forget(): void {
    this.#lastRefusal = null;
  }
}
