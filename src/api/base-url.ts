/** What a base URL may be: `https` everywhere, `http` only on this machine, nothing in it but a place. */

export type BaseUrl =
  | {
      readonly kind: "ok";
      /** Without a slash at the end. */
      readonly url: string;
      readonly origin: string;
      /** "the version is the first path segment after the host" (§ Versioning 1), or behind a prefix of a proxy. */
      readonly hasVersion: boolean;
    }
  | { readonly kind: "refused"; readonly reason: "not_a_url" | "not_https" | "credentials" | "query" };

/** Reads what a person or a project file gave. Never throws. */
export function readBaseUrl(text: string): BaseUrl {
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

/** Scheme, host and port, for comparing; `null` when it is no URL. */
export function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}

/**
 * Whether requests never leave this machine. Just the three that VS Code never sends to a proxy: with `http.proxy` set
 * a token for any other name or address of this machine would be told to the proxy in the clear.
 */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "127.0.0.1" || host === "[::1]";
}
