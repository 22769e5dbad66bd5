/** Which base URLs are accepted, and their normalised form. */
import { describe, expect, test } from "vitest";
import { parseBaseUrl } from "../../../src/api/parse-base-url.ts";

describe("accepted base URLs", () => {
  test.each([
    ["https://translations.example.com/v1", "https://translations.example.com/v1", true],
    [" https://translations.example.com/v1// ", "https://translations.example.com/v1", true],
    ["HTTPS://Translations.Example.com:443/v1/", "https://translations.example.com/v1", true],
    ["https://example.com/proxy/v2", "https://example.com/proxy/v2", true],
    ["https://example.com", "https://example.com", false],
    ["https://example.com/api/v1beta", "https://example.com/api/v1beta", false],
    ["https://example.com/dev2", "https://example.com/dev2", false],
    ["http://localhost:8080/v1", "http://localhost:8080/v1", true],
    ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", true],
    ["http://2130706433/v1", "http://127.0.0.1/v1", true],
    ["http://[::1]:3000/v1", "http://[::1]:3000/v1", true],
  ])("%s", (text, url, hasVersion) =>
    expect(parseBaseUrl(text)).toEqual({ kind: "ok", url, origin: new URL(url).origin, hasVersion }),
  );
});

describe("rejected base URLs", () => {
  test.each([
    ["http://translations.example.com/v1", "not_https"],
    ["http://127.0.0.1.example.com/v1", "not_https"],
    ["http://localhost.example.com/v1", "not_https"],
    ["http://notlocalhost/v1", "not_https"],
    ["http://0.0.0.0/v1", "not_https"],
    // Of this machine, but VS Code would send them to a proxy.
    ["http://127.9.9.9/v1", "not_https"],
    ["http://api.localhost/v1", "not_https"],
    ["http://[::ffff:127.0.0.1]/v1", "not_https"],
    ["https://user:secret@example.com/v1", "credentials"],
    ["https://user@example.com/v1", "credentials"],
    ["https://:secret@example.com/v1", "credentials"],
    ["https://example.com/v1?project=1", "query"],
    ["https://example.com/v1#x", "query"],
    ["ftp://example.com/v1", "not_a_url"],
    ["httpx://example.com/v1", "not_a_url"],
    ["file:///etc/passwd", "not_a_url"],
    ["example.com/v1", "not_a_url"],
    ["", "not_a_url"],
  ])("%s: %s", (text, reason) => expect(parseBaseUrl(text)).toEqual({ kind: "refused", reason }));
});
