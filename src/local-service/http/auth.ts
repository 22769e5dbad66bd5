/**
 * The two tokens of a store. Unlike the real service, which only stores hashes, this one prints them at every start,
 * so they are in the store's file, which only its owner can read.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { getMeta, setMeta } from "../store/meta.ts";
import type { Connection } from "../store/store.ts";

export type Scope = "read" | "write";

export interface Tokens {
  /** `read` and `write`. */
  readonly token: string;
  /** `read` only. */
  readonly readToken: string;
}

/** Returns the store's tokens, which are created at the first start. */
export function loadTokens(connection: Connection): Tokens {
  return {
    token: tokenNamed(connection, "token", "ptw_"),
    readToken: tokenNamed(connection, "readToken", "ptr_"),
  };
}

function tokenNamed(connection: Connection, name: "token" | "readToken", prefix: string): string {
  const stored = getMeta(connection, name);
  if (stored !== undefined) return stored;
  const token = prefix + randomBytes(30).toString("base64url");
  setMeta(connection, name, token);
  return token;
}

/** Returns the name of the token (for its rate limit) and its scopes; `undefined` for `401`. */
export function authenticate(
  tokens: Tokens,
  header: string | undefined,
): { readonly name: string; readonly scopes: readonly Scope[] } | undefined {
  const given = /^Bearer +(\S+)$/iu.exec(header ?? "")?.[1];
  if (given === undefined) return undefined;
  const digest = sha256(given);
  if (timingSafeEqual(digest, sha256(tokens.token))) return { name: "token", scopes: ["read", "write"] };
  if (timingSafeEqual(digest, sha256(tokens.readToken))) return { name: "readToken", scopes: ["read"] };
  return undefined;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
