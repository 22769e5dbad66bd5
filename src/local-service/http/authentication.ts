/**
 * The two tokens of a store (§ Authentication). The real service only stores hashes; this one prints its tokens at
 * every start, so they are in the data file, which only its owner can read.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { getOrCreateMeta } from "../store/store-rows.ts";
import type { Connection } from "../store/store.ts";

export type Scope = "read" | "write";

export interface Tokens {
  /** `read` and `write`. */
  readonly token: string;
  /** `read` only. */
  readonly readToken: string;
}

/** Returns the tokens of the store, which are created at the first start. */
export function loadTokens(connection: Connection): Tokens {
  const random = (): string => randomBytes(30).toString("base64url");
  return {
    token: getOrCreateMeta(connection, "token", () => `ptw_${random()}`),
    readToken: getOrCreateMeta(connection, "readToken", () => `ptr_${random()}`),
  };
}

/** Returns which token the header `Authorization` contains; `undefined` for `401`. */
export function authenticate(tokens: Tokens, header: string | undefined): keyof Tokens | undefined {
  const sent = /^Bearer +(\S+)$/iu.exec(header ?? "")?.[1];
  if (sent === undefined) return undefined;
  const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");
  return (["token", "readToken"] as const).find((name) =>
    timingSafeEqual(sha256(sent), sha256(tokens[name])),
  );
}
