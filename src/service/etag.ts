/** Strong entity tags and `If-None-Match` in all its forms (§ GET /exports). */
import { createHash } from "node:crypto";

/** The strong tag of the bytes: their SHA-256 in quotes. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("hex")}"`;
}

/**
 * Whether the header names this tag: strong or weak (compared weakly, RFC 9110 13.1.2), in a list, or `*`.
 * What is not a tag in the list is passed over.
 */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//u, "");
  return Array.from(
    header.matchAll(/(?:^|[\s,])(?:W\/)?("[\u0021\u0023-\u007e\u0080-\u{10ffff}]*")(?=[\s,]|$)/gu),
  ).some((match) => match[1] === opaque);
}
