/**
 * The two tokens of a store. The real service keeps only a hash of a token; here both must be printed again at
 * every start, so they lie in the store's file, which only its owner can read.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { getMeta, setMeta } from "./store/meta.ts";
import type { Connection } from "./store/store.ts";

export type Scope = "read" | "write";

export interface Tokens {
  /** `read` and `write`. */
  readonly token: string;
  /** `read` only. */
  readonly readToken: string;
}

/** The store's tokens, made at its first start. */
export function tokensOf(connection: Connection): Tokens {
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

/** Who asks: the name of the token (for its rate limit) and its scopes; `undefined` for `401`. */
export function recognise(
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
