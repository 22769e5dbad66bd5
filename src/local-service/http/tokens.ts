/**
 * The two tokens of a store. Unlike the real service, which only stores hashes, this one prints them at every start,
 * so they are in the store's file, which only its owner can read.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { getOrCreateMeta } from "../store/store-values.ts";
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
  const random = (): string => randomBytes(30).toString("base64url");
  return {
    token: getOrCreateMeta(connection, "token", () => `ptw_${random()}`),
    readToken: getOrCreateMeta(connection, "readToken", () => `ptr_${random()}`),
  };
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
  return hash("sha256", text, "buffer");
}
