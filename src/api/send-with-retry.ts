/**
 * Sends a request until it has a result: waits for the rate limiter, waits and retries after `429` and `409`, and
 * retries lost connections where the request is idempotent.
 */
import {
  cancelledWriteError,
  sendHttpRequest,
  type HttpResponse,
  type RequestTimeouts,
  type HttpRequest,
} from "./http-request.ts";
import type { Endpoint } from "./endpoints.ts";
import { ApiError, isApiError, SOURCE_LANGUAGE_CHANGE } from "./errors.ts";
import { parseRetryAfter, type RateLimiter, type OnWait } from "./rate-limiter.ts";
import type { Clock, Log } from "../model/platform.ts";
import type { Priority, RequestPriority } from "../util/priority.ts";
import { errorFromResponse, type Redact } from "./parse-response.ts";

/** Timeouts of a request with all its retries. */
export interface Timeouts extends RequestTimeouts {
  /** Replaces `headersMs` for slow endpoints (`isSlow` in endpoints.ts). */
  readonly slowHeadersMs: number;
  /** Total time that a `409` is retried. */
  readonly busyMs: number;
  /** Longest rate limit pause that is waited for; a longer one is an error. */
  readonly rateLimitMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  headersMs: 30_000,
  slowHeadersMs: 120_000,
  idleMs: 30_000,
  busyMs: 120_000,
  rateLimitMs: 120_000,
};

/** Backoff after a `409`: doubles from the first delay up to the maximum, with jitter so that two clients diverge. */
const BUSY_MIN_DELAY_MS = 1_000;
const BUSY_MAX_DELAY_MS = 15_000;

/** Backoff after a `429` without a usable `Retry-After`; the maximum is the window of the limit. */
const RATE_LIMIT_MIN_DELAY_MS = 5_000;
const RATE_LIMIT_MAX_DELAY_MS = 60_000;

/** Delays before the retries of a lost connection. A timeout is retried only once. */
const CONNECTION_RETRY_DELAYS_MS = [500, 2_000] as const;
const MAX_TIMEOUT_RETRIES = 1;

/** Statuses of gateways that cannot reach the service. Any other `5xx` is the service's own, and not retried. */
const GATEWAY_UNREACHABLE_STATUSES: ReadonlySet<number | undefined> = new Set([502, 503]);
const GATEWAY_TIMEOUT_STATUS = 504;

/** Hosts that cannot be reached at all: a retry would only keep the user waiting. */
const UNREACHABLE_CODES = new Set(["ECONNREFUSED", "ENOTFOUND", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"]);
/** Untrusted certificates and ports without TLS: a retry does not help. */
const TLS_FAILURE = /CERT|LEAF_SIGNATURE|^ERR_SSL_|^ERR_TLS_|^EPROTO$/u;
/** A proxy that refuses or cannot be reached: repeated wrong passwords may lock an account. */
const PROXY_FAILURE = /^PROXY_(?:4|UNREACHABLE)/u;

/** Dependencies of `sendWithRetry`, shared by all requests of a client. */
export interface SendContext {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Pick<Log, "debug" | "warn">;
  readonly rateLimiter: RateLimiter;
  readonly timeouts: Timeouts;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly redact: Redact;
  /** Called for waiting requests that have no `onWait` of their own. */
  readonly onWait: OnWait | undefined;
}

/** Options of every request. An abort rejects with the signal's reason. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Default: the endpoint's priority. */
  readonly priority?: Priority | RequestPriority;
  readonly onWait?: OnWait;
  /** Total time that a `409` is retried; default `Timeouts.busyMs`. */
  readonly busyTimeoutMs?: number;
  /** Called when a request that may already have been executed is going to be retried: its response was lost. */
  readonly onRetry?: () => void;
  /**
   * Fails on a `409` for a change of the source language instead of retrying, where the request depends on that
   * language.
   */
  readonly failOnSourceLanguageChange?: boolean;
  /** Called with each success response. */
  readonly onResponse?: (response: Pick<HttpResponse, "bytes" | "headers">) => void;
}

/**
 * Sends a request, with retries, and returns a response that has one of the success statuses.
 * @param successStatuses Default: every `2xx`, since the API document does not show all of them.
 * @throws {ApiError} of any kind; an abort rejects with the signal's reason, unless a write was already sent
 * (`sendHttpRequest`).
 */
export async function sendWithRetry(
  context: SendContext,
  endpoint: RetryRules,
  httpRequest: HttpRequest,
  options: RequestOptions,
  successStatuses?: readonly number[],
): Promise<HttpResponse> {
  /** Whether the response of an earlier attempt was lost. */
  let isLost = false;
  const onRetry = (): void => {
    isLost = true;
    options.onRetry?.();
  };
  try {
    return await sendUntilAnswered(
      context,
      endpoint,
      { ...httpRequest, isWrite: endpoint.isWrite === true },
      { ...options, onRetry },
      successStatuses,
    );
  } catch (error) {
    const isAborted = options.signal?.aborted === true && error === options.signal.reason;
    if (isAborted && isLost && endpoint.isWrite === true) throw cancelledWriteError(httpRequest.label);
    throw error;
  }
}

type RetryRules = Pick<Endpoint<unknown>, "repeatable" | "isWrite" | "isSlow" | "priority">;

async function sendUntilAnswered(
  context: SendContext,
  endpoint: RetryRules,
  httpRequest: HttpRequest,
  options: RequestOptions,
  successStatuses: readonly number[] | undefined,
): Promise<HttpResponse> {
  const { clock, log, rateLimiter, timeouts, random, redact } = context;
  const { signal, priority = endpoint.priority, busyTimeoutMs = timeouts.busyMs } = options;
  const onWait = guardedOnWait(options.onWait ?? context.onWait, log);
  const headersMs = endpoint.isSlow === true ? timeouts.slowHeadersMs : timeouts.headersMs;
  const requestTimeouts = { headersMs, idleMs: timeouts.idleMs };
  let failedAttempts = 0;
  let rateLimitedCount = 0;
  let busyDelayMs = BUSY_MIN_DELAY_MS;
  let busySince: number | null = null;
  const waitToReconnect = async (error: ApiError): Promise<void> => {
    if (!endpoint.repeatable || !mayRetry(error, failedAttempts)) throw error;
    options.onRetry?.();
    await clock.sleep((CONNECTION_RETRY_DELAYS_MS[failedAttempts] ?? 0) * (0.5 + random()), signal);
    failedAttempts += 1;
  };
  let rateLimited = null as { readonly since: number; readonly error: ApiError } | null;

  for (;;) {
    const pausedUntil = rateLimiter.budget.pausedUntil;
    if (
      pausedUntil !== null &&
      pausedUntil - (rateLimited?.since ?? clock.monotonic()) > timeouts.rateLimitMs
    )
      throw rateLimited?.error ?? rateLimitError(httpRequest.label, pausedUntil - clock.monotonic());
    const release = await rateLimiter.acquire(priority, onWait, signal);
    const startedAt = clock.monotonic();
    let response: HttpResponse;
    try {
      response = await sendHttpRequest(context.fetch, clock, requestTimeouts, httpRequest, signal);
      rateLimiter.updateFrom(response.headers);
    } catch (error) {
      release();
      if (!isApiError(error)) throw error;
      log.warn(redact(error.message));
      await waitToReconnect(error);
      continue;
    }
    const { status, headers } = response;
    const remaining = headers.get("x-ratelimit-remaining");
    log.debug(
      `${httpRequest.label}: ${status}, ${response.bytes.length} bytes in ${Math.round(clock.monotonic() - startedAt)} ms` +
        (remaining === null ? "" : `, ${remaining} requests left`),
    );
    if (successStatuses?.includes(status) ?? (status >= 200 && status < 300)) {
      release();
      options.onResponse?.(response);
      return response;
    }
    const retryAfterMs = parseRetryAfter(headers, clock.now());
    if (status === 429) {
      // A rate-limited request was not executed, so every method may be retried.
      const pauseMs = Math.max(
        1_000,
        retryAfterMs ?? Math.min(RATE_LIMIT_MAX_DELAY_MS, RATE_LIMIT_MIN_DELAY_MS * 2 ** rateLimitedCount),
      );
      rateLimited = {
        since: rateLimited?.since ?? clock.monotonic(),
        error: errorFromResponse(response, redact, pauseMs),
      };
      rateLimiter.pause(pauseMs);
      rateLimitedCount += 1;
      release();
      continue;
    }
    release();
    const error = errorFromResponse(response, redact, retryAfterMs);
    if (error.kind === "busy") {
      const isSourceLanguageChange = error.reason === SOURCE_LANGUAGE_CHANGE;
      if (options.failOnSourceLanguageChange === true && isSourceLanguageChange) throw error;
      // "the request may be repeated after a wait with increasing delay" (§ Errors): of every method.
      busySince ??= clock.monotonic();
      const delayMs = Math.max(retryAfterMs ?? 0, busyDelayMs * (0.5 + random()));
      busyDelayMs = Math.min(BUSY_MAX_DELAY_MS, busyDelayMs * 2);
      if (clock.monotonic() + delayMs > busySince + busyTimeoutMs) throw error;
      onWait({ kind: "busy", reason: error.reason ?? null, until: clock.monotonic() + delayMs });
      try {
        await clock.sleep(delayMs, signal);
      } finally {
        onWait(null);
      }
      continue;
    }
    await waitToReconnect(error);
  }
}

function mayRetry(error: ApiError, failedAttempts: number): boolean {
  if (error.kind === "timeout" || error.status === GATEWAY_TIMEOUT_STATUS)
    return failedAttempts < MAX_TIMEOUT_RETRIES;
  if (error.kind !== "offline" && !GATEWAY_UNREACHABLE_STATUSES.has(error.status)) return false;
  const code = error.code ?? "";
  const isPermanent = UNREACHABLE_CODES.has(code) || TLS_FAILURE.test(code) || PROXY_FAILURE.test(code);
  return failedAttempts < CONNECTION_RETRY_DELAYS_MS.length && !isPermanent;
}

/** Creates the error of a request that was not sent because the pause of an earlier `429` is too long to wait for. */
function rateLimitError(label: string, milliseconds: number): ApiError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new ApiError("rate_limited", `${label}: not sent, the rate limit pauses requests for ${seconds} s`, {
    status: 429,
    endpoint: label,
    retryAfter: seconds,
  });
}

/** Wraps a listener so that an exception of it does not fail the request. */
function guardedOnWait(onWait: OnWait | undefined, log: Pick<Log, "debug" | "warn">): OnWait {
  return (wait) => {
    try {
      onWait?.(wait);
    } catch {
      log.warn("an onWait listener threw an exception");
    }
  };
}
