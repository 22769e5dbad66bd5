/**
 * When the next request may go. The budget is the token's, shared with a whole team and its CI (§ Authentication 7),
 * so requests that nobody waits for leave a reserve to people, and stop while the service asks for a pause.
 */
import type { Priority } from "./contract.ts";
import type { ClientClock, OnWait } from "./platform.ts";

/** Requests under way at once; background work leaves one place free. */
const AT_ONCE = 4;
const BACKGROUND_AT_ONCE = 3;

/** Requests per minute that only people may use; a sixth of a budget that is smaller than the document's. */
const RESERVE = 20;

/** "120 requests per minute" (§ Authentication 7): no answer tells when the minute began. */
const WINDOW_MS = 60_000;

/** A budget that is still low after its minute: others use it too. Background work looks again after this. */
const LOOK_AGAIN_MS = 15_000;

/** What is known of the budget. Times are in milliseconds since the epoch. */
export interface Budget {
  /** `X-RateLimit-Limit` and `-Remaining` of the newest answer, less what was sent since; `null` before the first. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Nothing is sent before this: the service answered `429`. */
  readonly pausedUntil: number | null;
  /** Background requests wait until this, since what is left is the reserve. */
  readonly heldUntil: number | null;
  /** Requests that stand in line. */
  readonly waiting: number;
}

interface Waiter {
  readonly priority: Priority;
  readonly grant: () => void;
  readonly onWait: OnWait;
  told: number | null;
}

export class Pace {
  readonly #clock: ClientClock;
  readonly #listeners = new Set<(budget: Budget) => void>();
  readonly #line: Waiter[] = [];
  #people = 0;
  #background = 0;
  #limit: number | null = null;
  #remaining: number | null = null;
  #lastSeen: number | null = null;
  /** The budget is whole again by then at the latest, for all that is known. */
  #windowEnd = 0;
  #pausedUntil: number | null = null;
  #pausedSince = 0;
  #wake: { readonly at: number; readonly controller: AbortController } | null = null;

  constructor(clock: ClientClock) {
    this.#clock = clock;
  }

  get budget(): Budget {
    return {
      limit: this.#limit,
      remaining: this.#remaining,
      pausedUntil: this.#paused(),
      heldUntil: this.#held(),
      waiting: this.#line.length,
    };
  }

  /** Called at once after each change, with the new budget. */
  onDidChange(listener: (budget: Budget) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /**
   * Waits for a place and takes it: people first, each in the order they came. Resolves with what gives the place
   * back (once). Rejects with the signal's reason.
   */
  async enter(priority: Priority, onWait: OnWait, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        priority,
        onWait,
        told: null,
        grant: () => {
          signal?.removeEventListener("abort", abort);
          if (waiter.told !== null) onWait(null);
          resolve();
        },
      };
      const abort = (): void => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        if (waiter.told !== null) onWait(null);
        this.#pump();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#line.push(waiter);
      this.#pump();
    });
    let left = false;
    return () => {
      if (left) return;
      left = true;
      if (priority === "person") this.#people -= 1;
      else this.#background -= 1;
      this.#pump();
    };
  }

  /** Takes in the headers of an answer; call it before the place is given back. */
  learn(headers: Headers): void {
    const limit = wholeNumber(headers.get("x-ratelimit-limit"));
    const seen = wholeNumber(headers.get("x-ratelimit-remaining"));
    if (limit !== null) this.#limit = limit;
    if (seen === null) return;
    const now = this.#clock.now();
    // Answers overtake each other, so only a jump by more than what is under way is a new minute.
    if (this.#lastSeen === null || seen > this.#lastSeen + AT_ONCE) this.#windowEnd = now + WINDOW_MS;
    this.#lastSeen = seen;
    this.#remaining = Math.max(0, seen - Math.max(0, this.#people + this.#background - 1));
    if (seen <= this.#reserve() && this.#windowEnd <= now) this.#windowEnd = now + LOOK_AGAIN_MS;
    this.#pump();
    this.#fire();
  }

  /** The service refused a request and asked for a pause (§ Authentication 7, 8). */
  pause(milliseconds: number): void {
    const now = this.#clock.now();
    const until = now + milliseconds;
    const paused = this.#paused();
    if (paused !== null && paused >= until) return;
    this.#pausedUntil = until;
    this.#pausedSince = now;
    this.#pump();
    this.#fire();
  }

  #reserve(): number {
    return this.#limit === null ? RESERVE : Math.min(RESERVE, Math.floor(this.#limit / 6));
  }

  #paused(): number | null {
    const now = this.#clock.now();
    // A clock that was set back would make minutes into hours: nobody knows how much is left, and the service says it.
    if (this.#pausedUntil === null || now < this.#pausedSince) return null;
    return this.#pausedUntil > now ? this.#pausedUntil : null;
  }

  #held(): number | null {
    if (this.#remaining === null || this.#remaining > this.#reserve()) return null;
    return this.#windowEnd > this.#clock.now() ? this.#windowEnd : null;
  }

  /** Lets go whoever may, tells the others why not, and sees to it that somebody looks again. */
  #pump(): void {
    if (this.#remaining !== null && this.#windowEnd <= this.#clock.now()) {
      this.#remaining = null;
      this.#fire();
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#line.splice(this.#line.indexOf(next), 1);
      if (next.priority === "person") this.#people += 1;
      else this.#background += 1;
      if (this.#remaining !== null) this.#remaining = Math.max(0, this.#remaining - 1);
      next.grant();
    }
    let wakeAt: number | null = null;
    for (const waiter of [...this.#line]) {
      const until = this.#paused() ?? (waiter.priority === "background" ? this.#held() : null);
      if (until === null) continue;
      wakeAt = Math.min(wakeAt ?? until, until);
      if (waiter.told === until) continue;
      waiter.told = until;
      waiter.onWait({ kind: "rate-limit", until });
    }
    this.#wakeAt(wakeAt);
  }

  #next(): Waiter | undefined {
    const running = this.#people + this.#background;
    if (this.#paused() !== null || running >= AT_ONCE) return undefined;
    // With nothing left one request at a time finds out, by its 429, how long to wait: nobody else can tell.
    const person = this.#line.find((waiter) => waiter.priority === "person");
    if (person !== undefined) return this.#remaining === 0 && running > 0 ? undefined : person;
    if (this.#background >= BACKGROUND_AT_ONCE || this.#held() !== null) return undefined;
    return this.#line[0];
  }

  #wakeAt(at: number | null): void {
    if (this.#wake?.at === at) return;
    this.#wake?.controller.abort();
    this.#wake = null;
    if (at === null) return;
    const wake = { at, controller: new AbortController() };
    this.#wake = wake;
    this.#clock.sleep(Math.max(0, at - this.#clock.now()), wake.controller.signal).then(
      () => {
        if (this.#wake !== wake) return;
        this.#wake = null;
        this.#pump();
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

const MOST_ASKED_MS = 3_600_000;

/**
 * `Retry-After` in milliseconds: seconds as the document says, or a date as HTTP allows; `null` when it is neither. A
 * date is the sender's, so it is compared with the sender's own `Date` where that is told: this machine's clock may be
 * a year off, and so would the pause be. At most an hour: limits count minutes (§ Authentication 7, 8), and who is told
 * to wait for years would never ask again.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Math.min(MOST_ASKED_MS, Number(text) * 1000);
  const date = httpDate(text);
  if (date === null) return null;
  return Math.min(MOST_ASKED_MS, Math.max(0, date - (httpDate(headers.get("date") ?? "") ?? now)));
}

/** Milliseconds since the epoch. Only dates that begin with a weekday: Date.parse reads far too much as one. */
function httpDate(text: string): number | null {
  const date = /^[A-Za-z]{3}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}

function wholeNumber(value: string | null): number | null {
  return value !== null && /^\d+$/u.test(value.trim()) ? Number(value) : null;
}
