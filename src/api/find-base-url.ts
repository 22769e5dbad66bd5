/**
 * Finds the base URL that belongs to an address that a person entered: people leave out the version segment. Asked
 * without a token, which the service answers with `401` (§ Authentication 5); whatever else answers does not.
 */
import { readBaseUrl } from "./base-url.ts";
import { isApiError } from "./errors.ts";
import { attempt } from "./http-request.ts";
import type { ClientClock } from "./platform.ts";

/** "All endpoints live under `{base_url}`, which carries the version segment `/v1`." */
const VERSION_SEGMENT = "/v1";
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** `url`: where the service answers. `not-found`: the server was reached, and nothing there is the service. */
export type FoundBaseUrl =
  | { readonly kind: "found"; readonly url: string }
  | { readonly kind: "not-found" }
  /** The server could not be reached, or answered with what says nothing either way. */
  | { readonly kind: "unknown" };

/** Asks at the URL as it is, then with the version segment behind it. Rejects with the signal's reason alone. */
export async function findBaseUrl(
  baseUrl: string,
  { fetch, clock }: { readonly fetch: typeof globalThis.fetch; readonly clock: ClientClock },
  signal?: AbortSignal,
): Promise<FoundBaseUrl> {
  const read = readBaseUrl(baseUrl);
  if (read.kind === "refused") return { kind: "not-found" };
  const candidates = read.hasVersion ? [read.url] : [read.url, read.url + VERSION_SEGMENT];
  let isUnknown = false;
  for (const url of candidates) {
    const answer = await answerAt(url, fetch, clock, signal);
    if (answer === "service") return { kind: "found", url };
    isUnknown ||= answer === "unknown";
  }
  return { kind: isUnknown ? "unknown" : "not-found" };
}

async function answerAt(
  url: string,
  fetch: typeof globalThis.fetch,
  clock: ClientClock,
  signal: AbortSignal | undefined,
): Promise<"service" | "other" | "unknown"> {
  const outgoing = {
    label: "GET /project",
    method: "GET",
    url: `${url}/project`,
    headers: { Accept: "application/json" },
    most: MAX_BYTES,
  };
  const limits = { headers: TIMEOUT_MS, silence: TIMEOUT_MS };
  try {
    const { status, headers } = await attempt(fetch, clock, limits, outgoing, signal);
    const isJson = /^application\/([\w.-]+\+)?json\b/u.test(headers.get("content-type") ?? "");
    if (status === 401 && isJson) return "service";
    // A page, or an error that says that there is nothing.
    return status === 404 || (status === 200 && !isJson) ? "other" : "unknown";
  } catch (error) {
    if (!isApiError(error)) throw error;
    return "unknown";
  }
}
