/** Strong ETags, and `If-None-Match` in all its forms (§ GET /exports). */
import { hash } from "node:crypto";

/** Returns the strong ETag of bytes: their quoted SHA-256. */
export function computeEtag(bytes: Uint8Array): string {
  return `"${hash("sha256", bytes)}"`;
}

/**
 * Returns whether the header contains this ETag: strong or weak (weak comparison, RFC 9110 13.1.2), in a list, or
 * `*`. Invalid members of the list are ignored.
 */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return Array.from(
    header.matchAll(/(?:^|[\s,])(?:W\/)?("[\u0021\u0023-\u007e\u0080-\u{10ffff}]*")(?=[\s,]|$)/gu),
  ).some((match) => match[1] === etag);
}
