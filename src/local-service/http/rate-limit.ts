/** Requests per minute of one token or address (§ Authentication 7 and 8): fixed windows in memory. */

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends; `undefined` unless the request exceeds the limit. */
  readonly retryAfter: number | undefined;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

const MINUTE = 60_000;

export class RateLimit {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();
  #sweepAt = 0;

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one request. A window starts with the first request after the previous one ended. */
  take(who: string): RateState {
    const now = this.#now();
    this.#sweep(now);
    let window = this.#windows.get(who);
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + MINUTE, used: 0 };
      this.#windows.set(who, window);
    }
    if (window.used >= this.#limit) {
      return {
        limit: this.#limit,
        remaining: 0,
        retryAfter: Math.ceil((window.endsAt - now) / 1000),
      };
    }
    window.used++;
    return { limit: this.#limit, remaining: this.#limit - window.used, retryAfter: undefined };
  }

  /** Removes expired windows once a minute, so that memory does not grow with the number of addresses. */
  #sweep(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + MINUTE;
    for (const [who, window] of this.#windows) if (window.endsAt <= now) this.#windows.delete(who);
  }
}
