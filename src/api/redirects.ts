/**
 * Follows redirects, which proxies use, without letting the token reach another origin. `fetch` would follow them before
 * their origin can be checked.
 */
import { type ApiError, badResponse } from "./errors.ts";
import type { HttpRequest } from "./http-request.ts";

/** Same-origin redirects that are followed, since proxies use them. */
const MAX_REDIRECTS = 5;

export async function fetchFollowingRedirects(
  fetch: typeof globalThis.fetch,
  request: HttpRequest,
  body: string | Blob | undefined,
  signal: AbortSignal,
): Promise<Response> {
  let url = request.url;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url, {
      method: request.method,
      headers: request.headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      credentials: "omit",
      signal,
    });
    if (response.type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(response.status))
      return response;
    url = redirectTarget(response, request, url, hops);
    await response.body?.cancel();
  }
}

/**
 * Returns the URL of a redirect that keeps origin, method and body.
 * @throws {ApiError} `bad_response` for any other redirect, since the token must not reach another origin.
 */
function redirectTarget(response: Response, request: HttpRequest, from: string, hops: number): string {
  const redirectError = (why: string): ApiError =>
    badResponse(request.label, why, "location", response.status);
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (target === undefined) throw redirectError("redirected to an invalid location");
  if (target.origin !== new URL(from).origin)
    throw redirectError(`redirected to another origin, ${target.origin}`);
  if (hops >= MAX_REDIRECTS) throw redirectError("redirected too often");
  const keepsMethod = request.method === "GET" || response.status === 307 || response.status === 308;
  if (!keepsMethod) throw redirectError("redirected with a status code that drops the request's body");
  return target.href;
}
