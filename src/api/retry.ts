/**
 * One request until it is answered: stands in line, sends, waits out `429` and `409`, and repeats after a lost
 * connection what may be repeated. What comes out is a good answer, an ApiError, or the caller's abort.
 */
import { attempt, type Incoming, type Limits, type Outgoing } from "./http-request.ts";
import type { Priority } from "./endpoints.ts";
import { ApiError, isApiError } from "./errors.ts";
import { retryAfter, type RateLimiter } from "./rate-limiter.ts";
import type { ClientClock, ClientLog, OnWait } from "./platform.ts";
import type { RequestPriority } from "./priority.ts";
import { errorOf, type Redact } from "./response-reader.ts";

/** Milliseconds. */
export interface Timeouts extends Limits {
  /** As `headers`, of requests that the service has to work for (endpoints.ts, `works`). */
  readonly work: number;
  /** A `409` is waited out this long in all. */
  readonly busy: number;
  /** A pause that ends later than this is told, not waited for. */
  readonly pause: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 30_000,
  work: 120_000,
  silence: 30_000,
  busy: 120_000,
  pause: 120_000,
};

/** First pause after a `409`; each is twice the last, and all are spread so that two clients do not meet again. */
const BUSY_FIRST_MS = 1_000;
const BUSY_MOST_MS = 15_000;

/** A `429` without a time that can be read: the pauses grow up to the minute that the limit counts. */
const PAUSE_FIRST_MS = 5_000;
const PAUSE_MAX_MS = 60_000;

/** Pauses before the repeats after a lost connection. An answer that does not come in time is asked for once more. */
const LOST_PAUSES_MS = [500, 2_000] as const;
const TIMEOUT_REPEATS = 1;

/** Never connected at all: asking again at once would only keep the user waiting. */
const NEVER_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"]);
/** Nor does it help against a certificate that is not trusted, or a port that speaks no TLS. */
const NO_TLS = /CERT|LEAF_SIGNATURE|^ERR_SSL_|^ERR_TLS_|^EPROTO$/u;
/** A proxy that cannot be reached or does not let this through; a wrong password asked too often locks an account. */
const NO_WAY = /^PROXY_(?:4|UNREACHABLE)/u;

export interface SendEnvironment {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: ClientClock;
  readonly log: ClientLog;
  readonly rateLimiter: RateLimiter;
  readonly timeouts: Timeouts;
  /** 0 up to 1. */
  readonly random: () => number;
  readonly redact: Redact;
}

export interface SendRequest {
  readonly outgoing: Outgoing;
  readonly repeatable: boolean;
  readonly works: boolean;
  readonly priority: Priority | RequestPriority;
  /** Statuses that are answers, not errors. */
  readonly good: readonly number[];
  /** Whether the request is sent again after a `409` of this reason. */
  readonly retriesBusy: (reason: string | undefined) => boolean;
  readonly signal: AbortSignal | undefined;
  readonly onWait: OnWait | undefined;
  /** Told each time before it is sent again although it may have been done: its answer was lost. */
  readonly onRepeat?: (() => void) | undefined;
  /** Milliseconds that a `409` is waited out in all. */
  readonly busyTimeout?: number;
}

/** Sends until there is an answer. Throws ApiError, or the signal's reason as it is. */
export async function send(environment: SendEnvironment, request: SendRequest): Promise<Incoming> {
  const { clock, log, rateLimiter, timeouts, random, redact } = environment;
  const { outgoing, signal } = request;
  const onWait = quietly(request.onWait, log);
  const limits = { headers: request.works ? timeouts.work : timeouts.headers, silence: timeouts.silence };
  let lost = 0;
  let pauses = 0;
  let busyPause = BUSY_FIRST_MS;
  let busySince: number | null = null;
  let refused = null as { readonly since: number; readonly error: ApiError } | null;

  for (;;) {
    const pausedUntil = rateLimiter.budget.pausedUntil;
    if (pausedUntil !== null && pausedUntil - (refused?.since ?? clock.now()) > timeouts.pause)
      throw refused?.error ?? paused(outgoing.label, pausedUntil - clock.now());
    const leave = await rateLimiter.enter(request.priority, onWait, signal);
    const started = clock.now();
    let incoming: Incoming;
    try {
      incoming = await attempt(environment.fetch, clock, limits, outgoing, signal);
      rateLimiter.learn(incoming.headers);
    } catch (error) {
      leave();
      if (!isApiError(error)) throw error;
      log.warn(redact(error.message));
      if (!request.repeatable || !mayRepeat(error, lost)) throw error;
      await clock.sleep((LOST_PAUSES_MS[lost] ?? 0) * (0.5 + random()), signal);
      lost += 1;
      request.onRepeat?.();
      continue;
    }
    const budget = incoming.headers.get("x-ratelimit-remaining");
    log.debug(
      `${outgoing.label}: ${incoming.status}, ${incoming.bytes.length} bytes in ${clock.now() - started} ms` +
        (budget === null ? "" : `, ${budget} requests left`),
    );
    if (request.good.includes(incoming.status)) {
      leave();
      return incoming;
    }
    const asked = retryAfter(incoming.headers, clock.now());
    if (incoming.status === 429) {
      // Refused before anything was done, so every request may be sent again.
      const pause = Math.max(1_000, asked ?? Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** pauses));
      refused = { since: refused?.since ?? clock.now(), error: errorOf(incoming, redact, pause) };
      rateLimiter.pause(pause);
      pauses += 1;
      leave();
      continue;
    }
    leave();
    const error = errorOf(incoming, redact, asked);
    if (error.kind === "busy") {
      if (!request.retriesBusy(error.reason)) throw error;
      // "the request may be repeated after a wait with increasing delay" (§ Errors): any request, then.
      busySince ??= clock.now();
      const wait = Math.max(asked ?? 0, busyPause * (0.5 + random()));
      busyPause = Math.min(BUSY_MOST_MS, busyPause * 2);
      if (clock.now() + wait > busySince + (request.busyTimeout ?? timeouts.busy)) throw error;
      onWait({ kind: "busy", reason: error.reason ?? null, until: clock.now() + wait });
      try {
        await clock.sleep(wait, signal);
      } finally {
        onWait(null);
      }
      continue;
    }
    if (!request.repeatable || !mayRepeat(error, lost)) throw error;
    await clock.sleep((LOST_PAUSES_MS[lost] ?? 0) * (0.5 + random()), signal);
    lost += 1;
    request.onRepeat?.();
  }
}

function mayRepeat(error: ApiError, lost: number): boolean {
  if (error.kind === "timeout") return lost < TIMEOUT_REPEATS;
  if (error.kind !== "offline") return false;
  const code = error.code ?? "";
  const isHopeless = NEVER_CONNECTED.has(code) || NO_TLS.test(code) || NO_WAY.test(code);
  return lost < LOST_PAUSES_MS.length && !isHopeless;
}

/** Another request was told to wait, and longer than anybody wants to stand in line. */
function paused(label: string, milliseconds: number): ApiError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new ApiError("rate_limited", `${label}: not sent, the rate limit pauses for ${seconds} s`, {
    status: 429,
    endpoint: label,
    retryAfter: seconds,
  });
}

/** A listener's own fault must not end the request that it listens to. */
function quietly(onWait: OnWait | undefined, log: ClientLog): OnWait {
  return (wait) => {
    try {
      onWait?.(wait);
    } catch {
      log.warn("a listener of a waiting request failed");
    }
  };
}
