/**
 * Finds the base URL for an address that a user entered, since people omit the version segment. Sends requests
 * without a token, which only the service answers with `401` in JSON (§ Authentication 5).
 */
import { parseBaseUrl } from "./parse-base-url.ts";
import { isApiError, type ApiError } from "./errors.ts";
import { sendHttpRequest } from "./http-request.ts";
import type { Clock } from "../model/platform.ts";

/** "All endpoints live under `{base_url}`, which carries the version segment `/v1`." */
const VERSION_SEGMENT = "/v1";
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** `found`: the service responds at `url`. `not-found`: the server was reached, but it is not the service. */
export type FoundBaseUrl =
  | { readonly kind: "found"; readonly url: string }
  | { readonly kind: "not-found" }
  | { readonly kind: "unreachable"; readonly error: ApiError }
  /** There was no response in time, or it is inconclusive. */
  | { readonly kind: "unknown" };

/** Tries the URL as entered, then with the version segment appended. Rejects only with the signal's reason. */
export async function discoverBaseUrl(
  baseUrl: string,
  { fetch, clock }: { readonly fetch: typeof globalThis.fetch; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<FoundBaseUrl> {
  const read = parseBaseUrl(baseUrl);
  if (read.kind === "refused") return { kind: "not-found" };
  const candidates = read.hasVersion ? [read.url] : [read.url, read.url + VERSION_SEGMENT];
  let isInconclusive = false;
  for (const url of candidates) {
    const responder = await probeUrl(url, fetch, clock, signal);
    if (typeof responder !== "string") return { kind: "unreachable", error: responder };
    if (responder === "service") return { kind: "found", url };
    isInconclusive ||= responder === "unknown";
  }
  return { kind: isInconclusive ? "unknown" : "not-found" };
}

async function probeUrl(
  url: string,
  fetch: typeof globalThis.fetch,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<"service" | "other" | "unknown" | ApiError> {
  const request = {
    label: "GET /project",
    method: "GET",
    url: `${url}/project`,
    headers: { Accept: "application/json" },
    maxResponseBytes: MAX_BYTES,
  };
  const limits = { headersMs: TIMEOUT_MS, idleMs: TIMEOUT_MS };
  try {
    const { status, headers } = await sendHttpRequest(fetch, clock, limits, request, signal);
    const isJson = /^application\/([\w.-]+\+)?json\b/u.test(headers.get("content-type") ?? "");
    if (status === 401 && isJson) return "service";
    // A website, or nothing at this path.
    return status === 404 || (status === 200 && !isJson) ? "other" : "unknown";
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error.kind === "offline" ? error : "unknown";
  }
}
