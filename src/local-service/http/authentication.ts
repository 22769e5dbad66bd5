/**
 * § Authentication: the two tokens of a store, and requests per minute. Unlike the real service, which only stores
 * hashes, this one prints its tokens at every start, so they are in the store's file, which only its owner can read.
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

/** Returns the store's tokens, which are created at the first start. */
export function loadTokens(connection: Connection): Tokens {
  const random = (): string => randomBytes(30).toString("base64url");
  return {
    token: getOrCreateMeta(connection, "token", () => `ptw_${random()}`),
    readToken: getOrCreateMeta(connection, "readToken", () => `ptr_${random()}`),
  };
}

/** Returns which token the header contains; `undefined` for `401`. */
export function authenticate(tokens: Tokens, header: string | undefined): keyof Tokens | undefined {
  const given = /^Bearer +(\S+)$/iu.exec(header ?? "")?.[1];
  if (given === undefined) return undefined;
  const sha256 = (text: string): Buffer => hash("sha256", text, "buffer");
  return (["token", "readToken"] as const).find((name) =>
    timingSafeEqual(sha256(given), sha256(tokens[name])),
  );
}

export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends; `undefined` unless the request exceeds the limit. */
  readonly retryAfter: number | undefined;
}

const MINUTE = 60_000;

/** Requests per minute of each token or address (§ Authentication 7 and 8): fixed windows in memory. */
export class RateLimit {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, { readonly endsAt: number; used: number }>();

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one request. A window starts with the first request after the previous one ended. */
  take(who: string): RateState {
    const now = this.#now();
    let window = this.#windows.get(who);
    if (window === undefined || window.endsAt <= now) {
      // So that memory does not grow with the number of addresses.
      for (const [other, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(other);
      window = { endsAt: now + MINUTE, used: 0 };
      this.#windows.set(who, window);
    }
    const isOver = window.used >= this.#limit;
    if (!isOver) window.used++;
    return {
      limit: this.#limit,
      remaining: this.#limit - window.used,
      retryAfter: isOver ? Math.ceil((window.endsAt - now) / 1000) : undefined,
    };
  }
}
