/**
 * Follows redirects, which proxies use, without letting the token reach another origin. `fetch` would follow them before
 * their origin can be checked.
 */
import { type ApiError, badResponse } from "./errors.ts";

/** Same-origin redirects that are followed. */
const MAX_REDIRECTS = 5;

/**
 * Like `fetch`, following redirects that keep origin, method and body.
 * @param label names the request in errors
 * @throws {ApiError} `bad_response` for any other redirect
 */
export async function fetchFollowingRedirects(
  fetch: typeof globalThis.fetch,
  label: string,
  url: string,
  init: RequestInit & { readonly method: string },
): Promise<Response> {
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (response.type !== "opaqueredirect" && ![301, 302, 303, 307, 308].includes(response.status))
      return response;
    url = redirectTarget(response, label, init.method, url, hops);
    await response.body?.cancel();
  }
}

function redirectTarget(
  response: Response,
  label: string,
  method: string,
  from: string,
  hops: number,
): string {
  const redirectError = (why: string): ApiError => badResponse(label, why, "location", response.status);
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (target === undefined) throw redirectError("redirected to an invalid location");
  if (target.origin !== new URL(from).origin)
    throw redirectError(`redirected to another origin, ${target.origin}`);
  if (hops >= MAX_REDIRECTS) throw redirectError("redirected too often");
  const keepsMethod = method === "GET" || response.status === 307 || response.status === 308;
  if (!keepsMethod) throw redirectError("redirected with a status code that drops the request's body");
  return target.href;
}
