/** Rate limits per token and address (§ Authentication 7 and 8), in fixed windows. */

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends; `undefined` unless the request exceeds the limit. */
  readonly retryAfter: number | undefined;
}

const WINDOW_MS = 60_000;

/** Counts the requests per minute of each token or address. */
export class RateLimit {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, { readonly endsAt: number; used: number }>();

  /** @param now Milliseconds on a clock that never goes back. */
  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one request. A window starts with the first request after the previous one ended. */
  take(client: string): RateState {
    const now = this.#now();
    let window = this.#windows.get(client);
    if (window === undefined || window.endsAt <= now) {
      // So that memory does not grow with the number of addresses.
      for (const [other, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(other);
      window = { endsAt: now + WINDOW_MS, used: 0 };
      this.#windows.set(client, window);
    }
    const isOver = window.used >= this.#limit;
    if (!isOver) window.used++;
    return {
      limit: this.#limit,
      remaining: this.#limit - window.used,
      retryAfter: isOver ? Math.ceil((window.endsAt - now) / 1000) : undefined,
    };
  }
}
