/** Interface of endpoints: method, path, scope and handler. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Scope } from "../http/auth.ts";
import type { ServiceContext } from "../service-context.ts";
import type { Cursors } from "../http/cursor.ts";
import type { Runner } from "../jobs/runner.ts";
import type { MessageLanguage } from "../http/messages.ts";
import type { RateState } from "../http/rate-limit.ts";

export interface Env {
  Bindings: HttpBindings;
  Variables: { messageLanguage: MessageLanguage; rate: RateState };
}

/** The service as seen by endpoints. */
export interface Service extends ServiceContext {
  readonly cursors: Cursors;
  readonly jobs: Runner;
}

export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  /** Under `/v1`, with Hono's `:name` parameters. */
  readonly path: string;
  readonly scope: Scope;
  /** Refused with `409` while the source language changes. */
  readonly waitsForSource: boolean;
  readonly handle: (service: Service, c: Context<Env>) => Response | Promise<Response>;
}

/** `{"data": …}` (§ Envelopes). */
export function dataResponse(
  data: unknown,
  status: 200 | 202 = 200,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ data }, { status, headers });
}

/** § Envelopes, a list. `rows` has one more than `limit` if another page follows. */
export function pageResponse<R>(
  rows: readonly R[],
  limit: number,
  cursorAfter: (last: R) => string,
  shown: (row: R) => unknown,
): Response {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? cursorAfter(last) : null;
  return Response.json({ data: page.map(shown), meta: { nextCursor, limit } });
}

/** The URL of a job, for `Location`. */
export function jobUrl(c: Context<Env>, id: number): string {
  return new URL(`/v1/jobs/${id}`, c.req.url).href;
}
