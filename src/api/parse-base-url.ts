/** Parses base URLs: `https` anywhere, `http` only on this machine, without credentials, query and fragment. */

export type BaseUrl =
  | {
      readonly kind: "ok";
      /** Without a trailing slash. */
      readonly url: string;
      readonly origin: string;
      /**
       * Whether there is a version segment: "the version is the first path segment after the host" (§ Versioning 1),
       * or after the path prefix of a proxy.
       */
      readonly hasVersion: boolean;
    }
  | { readonly kind: "refused"; readonly reason: "not_a_url" | "not_https" | "credentials" | "query" };

/** Parses a base URL that a user or a project file supplied. Never throws. */
export function parseBaseUrl(text: string): BaseUrl {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { kind: "refused", reason: "not_a_url" };
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return { kind: "refused", reason: "not_a_url" };
  if (url.username !== "" || url.password !== "") return { kind: "refused", reason: "credentials" };
  if (url.search !== "" || url.hash !== "") return { kind: "refused", reason: "query" };
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return { kind: "refused", reason: "not_https" };
  const path = url.pathname.replace(/\/+$/u, "");
  return {
    kind: "ok",
    url: url.origin + path,
    origin: url.origin,
    hasVersion: /(?:^|\/)v\d+$/u.test(path),
  };
}

/**
 * Returns whether requests never leave this machine. Only the three hosts that VS Code never sends to a proxy: with
 * `http.proxy` set, a token for any other local name or address would reach the proxy unencrypted.
 */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "127.0.0.1" || host === "[::1]";
}
