/**
 * Decides when the next request may be sent. The budget belongs to the token, which a whole team and its CI share (§
 * Authentication 7), so this client counts its own requests of the last minute and respects the remaining budget that
 * the service reports. Background requests leave a reserve to interactive ones.
 */
import type { Clock } from "../model/platform.ts";
import { currentPriority, type Priority, RequestPriority } from "../util/priority.ts";

/** Why a request waits, until when on the monotonic clock. */
export type Wait =
  | { readonly kind: "rate-limit"; readonly until: number }
  | { readonly kind: "busy"; readonly reason: string | null; readonly until: number };

/** Called when a request starts to wait, when the wait's end changes, and with `null` when it continues. */
export type OnWait = (wait: Wait | null) => void;

/** Requests in flight; background requests always leave one slot free. */
const MAX_CONCURRENT = 4;
const MAX_CONCURRENT_BACKGROUND = 3;

/** "120 requests per minute" (§ Authentication 7), until the service reports its own limit. */
const DEFAULT_LIMIT = 120;

/** Requests per minute that are left to other users of the token; background requests leave twice as many. */
const RESERVED_REQUESTS = 20;

/** Window of the limit. No response tells when it began. */
const WINDOW_MS = 60_000;

/** Delay before the budget is checked again when it is still low after a whole window, since others use it too. */
const BACKGROUND_RECHECK_MS = 15_000;

/** The request budget as far as it is known. Times are those of the monotonic clock. */
export interface Budget {
  /** `X-RateLimit-Limit` and `-Remaining` of the newest response, minus requests sent since; `null` before the first. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** No request is sent before this time: the service responded with `429`. */
  readonly pausedUntil: number | null;
  /** When the next waiting request may be sent because of the budget; `null`: none waits for the budget. */
  readonly heldUntil: number | null;
  /** Number of waiting requests. */
  readonly waiting: number;
}

interface Waiter {
  readonly priority: Priority | RequestPriority;
  readonly grant: () => void;
  readonly onWait: OnWait;
  notifiedUntil: number | null;
}

export class RateLimiter {
  readonly #clock: Clock;
  readonly #listeners = new Set<(budget: Budget) => void>();
  readonly #queue: Waiter[] = [];
  /** End times of the requests of the last minute, in order; the service counted each before it ended. */
  readonly #endTimes: number[] = [];
  readonly #running: Record<Priority, number> = { person: 0, background: 0 };
  #limit: number | null = null;
  #remaining: number | null = null;
  #lastRemaining: number | null = null;
  /** Latest time at which the budget is full again, as far as is known. */
  #windowEnd = 0;
  /** Whether the start of the service's window was observed, so that `#windowEnd` is exact and no upper bound. */
  #isWindowSeen = false;
  #pausedUntil: number | null = null;
  #timer: { readonly at: number; readonly controller: AbortController } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get budget(): Budget {
    const held = this.#queue.flatMap(({ priority }) => this.#heldUntil(currentPriority(priority)) ?? []);
    return {
      limit: this.#limit,
      remaining: this.#remaining,
      pausedUntil: this.#activePause(),
      heldUntil: held.length === 0 ? null : Math.min(...held),
      waiting: this.#queue.length,
    };
  }

  /** Calls the listener synchronously after each change. */
  onDidChange(listener: (budget: Budget) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /**
   * Waits for a slot and returns a function that releases it. Interactive requests go first, each priority in the
   * order of arrival. An abort rejects with the signal's reason.
   */
  async acquire(
    priority: Priority | RequestPriority,
    onWait: OnWait,
    signal?: AbortSignal,
  ): Promise<() => void> {
    signal?.throwIfAborted();
    const granted = await new Promise<Priority>((resolve, reject) => {
      const raised = priority instanceof RequestPriority ? priority.onDidRaise(() => this.#dispatch()) : null;
      const waiter: Waiter = {
        priority,
        onWait,
        notifiedUntil: null,
        grant: () => {
          leave();
          resolve(currentPriority(priority));
        },
      };
      const leave = (): void => {
        signal?.removeEventListener("abort", abort);
        raised?.dispose();
        if (waiter.notifiedUntil !== null) onWait(null);
      };
      const abort = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        leave();
        this.#dispatch();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#queue.push(waiter);
      this.#dispatch();
    });
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#endTimes.push(this.#clock.monotonic());
      this.#running[granted] -= 1;
      this.#dispatch();
    };
  }

  /** Updates the budget from the headers of a response. To be called before the slot is released. */
  updateFrom(headers: Headers): void {
    const limit = parseCount(headers.get("x-ratelimit-limit"));
    const seen = parseCount(headers.get("x-ratelimit-remaining"));
    if (limit !== null) this.#limit = limit;
    if (seen === null) return;
    const now = this.#clock.monotonic();
    // Responses may arrive out of order, so only an increase beyond the requests in flight is a new window.
    const isNewWindow = this.#lastRemaining !== null && seen > this.#lastRemaining + MAX_CONCURRENT;
    if (this.#lastRemaining === null || isNewWindow) {
      this.#windowEnd = now + WINDOW_MS;
      this.#isWindowSeen = isNewWindow;
    }
    this.#lastRemaining = seen;
    this.#remaining = Math.max(0, seen - Math.max(0, this.#runningCount - 1));
    if (seen <= 2 * this.#reserve() && this.#windowEnd <= now) {
      this.#windowEnd = now + BACKGROUND_RECHECK_MS;
      this.#isWindowSeen = false;
    }
    this.#dispatch();
    this.#fire();
  }

  /**
   * Stops all requests for a time, after a `429` (§ Authentication 7, 8). Requests continue afterwards: what the service
   * says outweighs this client's estimates.
   */
  pause(milliseconds: number): void {
    const until = this.#clock.monotonic() + milliseconds;
    const paused = this.#activePause();
    if (paused !== null && paused >= until) return;
    this.#pausedUntil = until;
    this.#dispatch();
    this.#fire();
  }

  /** Returns the reserve: a sixth of a limit that is smaller than the documented one. */
  #reserve(): number {
    return Math.min(RESERVED_REQUESTS, Math.floor((this.#limit ?? DEFAULT_LIMIT) / 6));
  }

  get #runningCount(): number {
    return this.#running.person + this.#running.background;
  }

  /** Returns the end of the current pause. When it is over, what was estimated before is discarded. */
  #activePause(): number | null {
    if (this.#pausedUntil === null || this.#pausedUntil > this.#clock.monotonic()) return this.#pausedUntil;
    this.#pausedUntil = null;
    this.#endTimes.length = 0;
    this.#remaining = null;
    this.#lastRemaining = null;
    return null;
  }

  /** Returns until when the budget holds requests of this priority back; `null`: it does not. */
  #heldUntil(priority: Priority): number | null {
    const now = this.#clock.monotonic();
    const ownHeldUntil = this.#ownWindowHeldUntil(priority, now);
    if (this.#remaining === null || this.#windowEnd <= now) return ownHeldUntil;
    // Where the end of the window is unknown, an interactive request is sent to find out.
    const isLow =
      priority === "person"
        ? this.#remaining === 0 && this.#isWindowSeen
        : this.#remaining <= 2 * this.#reserve();
    return isLow ? Math.max(ownHeldUntil ?? 0, this.#windowEnd) : ownHeldUntil;
  }

  /** Returns when this client's own requests of the last minute leave capacity for another one; `null`: now. */
  #ownWindowHeldUntil(priority: Priority, now: number): number | null {
    while ((this.#endTimes[0] ?? now) <= now - WINDOW_MS) this.#endTimes.shift();
    const shares = priority === "person" ? 1 : 2;
    const capacity = Math.max(1, (this.#limit ?? DEFAULT_LIMIT) - shares * this.#reserve());
    const excess = this.#endTimes.length + this.#runningCount - capacity;
    const freed = excess < 0 ? undefined : this.#endTimes[Math.min(excess, this.#endTimes.length - 1)];
    return freed === undefined ? null : freed + WINDOW_MS;
  }

  /** Starts the requests that may be sent, notifies the others why they wait, and schedules the next dispatch. */
  #dispatch(): void {
    if (this.#remaining !== null && this.#windowEnd <= this.#clock.monotonic()) {
      this.#remaining = null;
      this.#fire();
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#queue.splice(this.#queue.indexOf(next), 1);
      this.#running[currentPriority(next.priority)] += 1;
      if (this.#remaining !== null) this.#remaining = Math.max(0, this.#remaining - 1);
      next.grant();
    }
    let wakeAt: number | null = null;
    for (const waiter of [...this.#queue]) {
      const until = this.#activePause() ?? this.#heldUntil(currentPriority(waiter.priority));
      if (until === null) continue;
      wakeAt = Math.min(wakeAt ?? until, until);
      if (waiter.notifiedUntil === until) continue;
      waiter.notifiedUntil = until;
      waiter.onWait({ kind: "rate-limit", until });
    }
    this.#scheduleDispatch(wakeAt);
  }

  #next(): Waiter | undefined {
    const running = this.#runningCount;
    if (this.#activePause() !== null || running >= MAX_CONCURRENT) return undefined;
    const person = this.#queue.find(({ priority }) => currentPriority(priority) === "person");
    if (person !== undefined) {
      // With an empty budget one request at a time is sent: the `Retry-After` of its `429` says how long to wait.
      const isWaiting = this.#heldUntil("person") !== null || (this.#remaining === 0 && running > 0);
      return isWaiting ? undefined : person;
    }
    if (this.#running.background >= MAX_CONCURRENT_BACKGROUND || this.#heldUntil("background") !== null)
      return undefined;
    return this.#queue[0];
  }

  #scheduleDispatch(at: number | null): void {
    if (this.#timer?.at === at) return;
    this.#timer?.controller.abort();
    this.#timer = null;
    if (at === null) return;
    const wake = { at, controller: new AbortController() };
    this.#timer = wake;
    this.#clock.sleep(Math.max(0, at - this.#clock.monotonic()), wake.controller.signal).then(
      () => {
        if (this.#timer !== wake) return;
        this.#timer = null;
        this.#dispatch();
        this.#fire();
      },
      () => undefined,
    );
  }

  #fire(): void {
    const budget = this.budget;
    for (const listener of [...this.#listeners]) listener(budget);
  }
}

const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Returns `Retry-After` in milliseconds, or `null` when it is neither seconds, as documented, nor an HTTP date. A
 * date is compared with the response's own `Date` header where there is one, since the local clock may be wrong. At
 * most one hour: the limits are per minute (§ Authentication 7, 8), and a delay of years would never end.
 */
export function parseRetryAfter(headers: Headers, now: number): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Math.min(MAX_RETRY_AFTER_MS, Number(text) * 1000);
  const date = parseHttpDate(text);
  if (date === null) return null;
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, date - (parseHttpDate(headers.get("date") ?? "") ?? now)));
}

/** Returns milliseconds since the epoch, or `null`. A weekday is required, since `Date.parse` accepts far too much. */
function parseHttpDate(text: string): number | null {
  const date = /^[A-Za-z]{3}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}

function parseCount(value: string | null): number | null {
  return value !== null && /^\d+$/u.test(value.trim()) ? Number(value) : null;
}
