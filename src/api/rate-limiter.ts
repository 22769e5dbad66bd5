/**
 * When the next request may go. The budget is the token's, shared with a whole team and its CI (§ Authentication 7):
 * requests of the last minute are counted here, so that this client alone never uses it up, and what the service says
 * is left is respected. Requests that nobody waits for leave a share to people.
 */
import type { Priority } from "./endpoints.ts";
import type { ClientClock, OnWait } from "./platform.ts";
import { priorityNow, RequestPriority } from "./priority.ts";

/** Requests under way at once; background work leaves one place free. */
const MAX_CONCURRENT = 4;
const MAX_CONCURRENT_BACKGROUND = 3;

/** "120 requests per minute" (§ Authentication 7), until the service says its own number. */
const DEFAULT_LIMIT = 120;

/** Requests per minute that are left to others who use the token; and as many again that only people use. */
const RESERVED_REQUESTS = 20;

/** No answer tells when the service's minute began. */
const WINDOW_MS = 60_000;

/** A budget that is still low after its minute: others use it too. Background work asks again after this. */
const RECHECK_MS = 15_000;

/** What is known of the budget. Times are in milliseconds since the epoch. */
export interface Budget {
  /** `X-RateLimit-Limit` and `-Remaining` of the newest answer, less what was sent since; `null` before the first. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** Nothing is sent before this: the service answered `429`. */
  readonly pausedUntil: number | null;
  /** The next of the waiting requests goes then, since those of the last minute are enough; `null`: none is held back. */
  readonly heldUntil: number | null;
  /** Requests that stand in line. */
  readonly waiting: number;
}

interface Waiter {
  readonly priority: Priority | RequestPriority;
  readonly grant: () => void;
  readonly onWait: OnWait;
  notifiedUntil: number | null;
}

export class RateLimiter {
  readonly #clock: ClientClock;
  readonly #listeners = new Set<(budget: Budget) => void>();
  readonly #line: Waiter[] = [];
  /** When requests of the last minute ended, in order: the service counted each before that. */
  readonly #ended: number[] = [];
  #people = 0;
  #background = 0;
  #limit: number | null = null;
  #remaining: number | null = null;
  #lastSeen: number | null = null;
  /** The budget is whole again by then at the latest, for all that is known. */
  #windowEnd = 0;
  /** The service's minute was seen to begin, so that `#windowEnd` is its end and not only later than it. */
  #isWindowSeen = false;
  #pausedUntil: number | null = null;
  #pausedSince = 0;
  #wake: { readonly at: number; readonly controller: AbortController } | null = null;

  constructor(clock: ClientClock) {
    this.#clock = clock;
  }

  get budget(): Budget {
    const held = this.#line.flatMap(({ priority }) => this.#held(priorityNow(priority)) ?? []);
    return {
      limit: this.#limit,
      remaining: this.#remaining,
      pausedUntil: this.#paused(),
      heldUntil: held.length === 0 ? null : Math.min(...held),
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
  async enter(
    priority: Priority | RequestPriority,
    onWait: OnWait,
    signal?: AbortSignal,
  ): Promise<() => void> {
    signal?.throwIfAborted();
    const granted = await new Promise<Priority>((resolve, reject) => {
      const raised = priority instanceof RequestPriority ? priority.onDidRaise(() => this.#pump()) : null;
      const waiter: Waiter = {
        priority,
        onWait,
        notifiedUntil: null,
        grant: () => {
          signal?.removeEventListener("abort", abort);
          raised?.dispose();
          if (waiter.notifiedUntil !== null) onWait(null);
          resolve(priorityNow(priority));
        },
      };
      const abort = (): void => {
        this.#line.splice(this.#line.indexOf(waiter), 1);
        raised?.dispose();
        if (waiter.notifiedUntil !== null) onWait(null);
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
      this.#ended.push(this.#clock.now());
      if (granted === "person") this.#people -= 1;
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
    const isNew = this.#lastSeen !== null && seen > this.#lastSeen + MAX_CONCURRENT;
    if (this.#lastSeen === null || isNew) this.#windowEnd = now + WINDOW_MS;
    if (isNew) this.#isWindowSeen = true;
    this.#lastSeen = seen;
    this.#remaining = Math.max(0, seen - Math.max(0, this.#people + this.#background - 1));
    if (seen <= 2 * this.#share() && this.#windowEnd <= now) {
      this.#windowEnd = now + RECHECK_MS;
      this.#isWindowSeen = false;
    }
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

  /** A sixth of a budget that is smaller than the document's. */
  #share(): number {
    return Math.min(RESERVED_REQUESTS, Math.floor((this.#limit ?? DEFAULT_LIMIT) / 6));
  }

  #paused(): number | null {
    const now = this.#clock.now();
    // A clock that was set back would make minutes into hours: nobody knows how much is left, and the service says it.
    if (this.#pausedUntil === null || now < this.#pausedSince) return null;
    return this.#pausedUntil > now ? this.#pausedUntil : null;
  }

  /** Until when a request of this priority has to wait for the budget; `null`: it need not. */
  #held(priority: Priority): number | null {
    const now = this.#clock.now();
    const own = this.#ownMinute(priority, now);
    if (this.#remaining === null || this.#windowEnd <= now) return own;
    // With nothing left in a minute whose end nobody knows, a person's request finds it out.
    const isLow =
      priority === "person"
        ? this.#remaining === 0 && this.#isWindowSeen
        : this.#remaining <= 2 * this.#share();
    return isLow ? Math.max(own ?? 0, this.#windowEnd) : own;
  }

  /** When this client's own requests of the last minute leave room for another one; `null`: now, or nobody knows. */
  #ownMinute(priority: Priority, now: number): number | null {
    // What ended later than now, ended before the clock was set back.
    if ((this.#ended.at(-1) ?? 0) > now) this.#ended.length = 0;
    while ((this.#ended[0] ?? now) <= now - WINDOW_MS) this.#ended.shift();
    const shares = priority === "person" ? 1 : 2;
    const most = Math.max(1, (this.#limit ?? DEFAULT_LIMIT) - shares * this.#share());
    const over = this.#ended.length + this.#people + this.#background - most;
    const freed = over < 0 ? undefined : this.#ended[Math.min(over, this.#ended.length - 1)];
    return freed === undefined ? null : freed + WINDOW_MS;
  }

  /** Lets go whoever may, tells the others why not, and sees to it that somebody looks again. */
  #pump(): void {
    if (this.#remaining !== null && this.#windowEnd <= this.#clock.now()) {
      this.#remaining = null;
      this.#fire();
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#line.splice(this.#line.indexOf(next), 1);
      if (priorityNow(next.priority) === "person") this.#people += 1;
      else this.#background += 1;
      if (this.#remaining !== null) this.#remaining = Math.max(0, this.#remaining - 1);
      next.grant();
    }
    let wakeAt: number | null = null;
    for (const waiter of [...this.#line]) {
      const until = this.#paused() ?? this.#held(priorityNow(waiter.priority));
      if (until === null) continue;
      wakeAt = Math.min(wakeAt ?? until, until);
      if (waiter.notifiedUntil === until) continue;
      waiter.notifiedUntil = until;
      waiter.onWait({ kind: "rate-limit", until });
    }
    this.#wakeAt(wakeAt);
  }

  #next(): Waiter | undefined {
    const running = this.#people + this.#background;
    if (this.#paused() !== null || running >= MAX_CONCURRENT) return undefined;
    const person = this.#line.find(({ priority }) => priorityNow(priority) === "person");
    if (person !== undefined) {
      // With nothing left one request at a time finds out, by its 429, how long to wait: nobody else can tell.
      const isWaiting = this.#held("person") !== null || (this.#remaining === 0 && running > 0);
      return isWaiting ? undefined : person;
    }
    if (this.#background >= MAX_CONCURRENT_BACKGROUND || this.#held("background") !== null) return undefined;
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

const MAX_ASKED_MS = 3_600_000;

/**
 * `Retry-After` in milliseconds: seconds as the document says, or a date as HTTP allows; `null` when it is neither. A
 * date is the sender's, so it is compared with the sender's own `Date` where that is told: this machine's clock may be
 * a year off, and so would the pause be. At most an hour: limits count minutes (§ Authentication 7, 8), and who is told
 * to wait for years would never ask again.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/u.test(text)) return Math.min(MAX_ASKED_MS, Number(text) * 1000);
  const date = httpDate(text);
  if (date === null) return null;
  return Math.min(MAX_ASKED_MS, Math.max(0, date - (httpDate(headers.get("date") ?? "") ?? now)));
}

/** Milliseconds since the epoch. Only dates that begin with a weekday: Date.parse reads far too much as one. */
function httpDate(text: string): number | null {
  const date = /^[A-Za-z]{3}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}

function wholeNumber(value: string | null): number | null {
  return value !== null && /^\d+$/u.test(value.trim()) ? Number(value) : null;
}
