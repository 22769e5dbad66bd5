/**
 * Work that compares or sends source texts, and the change of the project's source language at the service: what was
 * planned for one language must not be sent once another one is the source (§ Errors, 409).
 */
import type { Client, RequestOptions } from "../api/client.ts";
import { ApiError, isApiError, SOURCE_LANGUAGE_CHANGE } from "../api/errors.ts";
import type { OnWait } from "../api/platform.ts";
import type { Stats } from "../api/schemas.ts";
import type { Clock } from "../model/platform.ts";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;
const MAX_WAIT_MS = 120_000;

/** The source language that the stats name. Throws ApiError `bad_response` when they name none. */
export function sourceLocaleOf({ languages }: Stats): string {
  const source = languages.find(({ isSource }) => isSource);
  if (source !== undefined) return source.locale;
  throw new ApiError("bad_response", "GET /stats: no language is the source language", {
    field: "data.languages",
  });
}

/** Asks whether it still is the source language. Throws ApiError `busy` when it is another one. */
export async function confirmSourceLocale(
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

/** Whether work was stopped by a change of the source language, so that it is to be planned anew. */
export function isSourceLanguageChange(error: unknown): error is ApiError {
  return isApiError(error, "busy") && error.reason === SOURCE_LANGUAGE_CHANGE;
}

/**
 * Does the work again from its beginning each time that a change of the source language stopped it, after a wait with
 * increasing delay (§ Errors). Throws the work's error after two minutes of waiting, or the signal's reason.
 */
export async function retrySourceLanguageChange<Result>(
  work: () => Promise<Result>,
  {
    clock,
    signal,
    onWait,
  }: { readonly clock: Clock; readonly signal?: AbortSignal; readonly onWait?: OnWait },
): Promise<Result> {
  let pause = FIRST_PAUSE_MS;
  for (let waited = 0; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isSourceLanguageChange(error)) throw error;
      const wait = Math.max(pause, (error.retryAfter ?? 0) * 1000);
      waited += wait;
      if (waited > MAX_WAIT_MS) throw error;
      pause = Math.min(MAX_PAUSE_MS, pause * 2);
      onWait?.({ kind: "busy", reason: SOURCE_LANGUAGE_CHANGE, until: clock.now() + wait });
      try {
        await clock.sleep(wait, signal);
      } finally {
        onWait?.(null);
      }
    }
  }
}
