/**
 * Detects that the project's source language was changed at the service while source texts are compared or sent: what
 * was planned for one language must not be sent once another one is the source (§ Errors, 409).
 */
import type { Client, RequestOptions } from "../api/client.ts";
import { ApiError, isApiError, SOURCE_LANGUAGE_CHANGE } from "../api/errors.ts";
import type { OnWait } from "../api/rate-limiter.ts";
import type { Stats } from "../api/response-schemas.ts";
import type { Clock } from "../model/platform.ts";

const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15_000;
const MAX_TOTAL_DELAY_MS = 120_000;

/**
 * Returns the source language in the stats.
 * @throws {ApiError} `bad_response` without one.
 */
export function sourceLocaleOf({ languages }: Stats): string {
  const source = languages.find(({ isSource }) => isSource);
  if (source !== undefined) return source.locale;
  throw new ApiError("bad_response", "GET /stats: no language is the source language", {
    field: "data.languages",
  });
}

/**
 * Checks with the service that this is still the source language.
 * @throws {ApiError} `busy` if it is not
 */
export async function requireSourceLocale(
  client: Client,
  locale: string,
  options?: RequestOptions,
): Promise<void> {
  const now = sourceLocaleOf(await client.stats(options));
  if (now === locale) return;
  throw new ApiError("busy", `the source language is ${now} and no longer ${locale}`, {
    reason: SOURCE_LANGUAGE_CHANGE,
  });
}

/** Returns whether a change of the source language stopped the operation, so that it has to be planned again. */
export function isSourceLanguageChange(error: unknown): error is ApiError {
  return isApiError(error, "busy") && error.reason === SOURCE_LANGUAGE_CHANGE;
}

/**
 * Repeats the operation from the start, with backoff, while a change of the source language stops it (§ Errors).
 * @throws the operation's error after two minutes; an abort rejects with the signal's reason.
 */
export async function retrySourceLanguageChange<Result>(
  work: () => Promise<Result>,
  options: { readonly clock: Clock; readonly signal?: AbortSignal; readonly onWait?: OnWait },
): Promise<Result> {
  const { clock, signal, onWait } = options;
  let backoffMs = MIN_DELAY_MS;
  for (let totalDelayMs = 0; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isSourceLanguageChange(error)) throw error;
      const delayMs = Math.max(backoffMs, (error.retryAfter ?? 0) * 1000);
      totalDelayMs += delayMs;
      if (totalDelayMs > MAX_TOTAL_DELAY_MS) throw error;
      backoffMs = Math.min(MAX_DELAY_MS, backoffMs * 2);
      onWait?.({ kind: "busy", reason: SOURCE_LANGUAGE_CHANGE, until: clock.monotonic() + delayMs });
      try {
        await clock.sleep(delayMs, signal);
      } finally {
        onWait?.(null);
      }
    }
  }
}
