/** Interface of endpoints: method, path, scope and handler. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Scope } from "../http/tokens.ts";
import type { BuiltExport } from "../exports/build-export.ts";
import type { ServiceContext } from "../service-context.ts";
import type { Cursors } from "../http/cursor.ts";
import { jobRecord } from "../jobs/job-store.ts";
import type { Runner } from "../jobs/job-runner.ts";
import type { MessageLanguage } from "../http/localised-messages.ts";
import type { RateState } from "../http/rate-limit.ts";
import { TextParameters } from "../http/validate-request.ts";

export interface Env {
  Bindings: HttpBindings;
  Variables: { messageLanguage: MessageLanguage; rate: RateState };
}

/** The service as seen by endpoints. */
export interface Service extends ServiceContext {
  readonly cursors: Cursors;
  readonly jobs: Runner;
  /** Small exports by request, of the latest content. */
  readonly recentExports: Map<string, BuiltExport>;
}

export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  /** Under `/v1`, with Hono's `:name` parameters. */
  readonly path: string;
  /** `write` is refused with `409` while the source language changes. */
  readonly scope: Scope;
  readonly handle: (service: Service, c: Context<Env>) => Response | Promise<Response>;
}

/** Returns the parameters of the request's URL. */
export function queryOf(c: Context<Env>): TextParameters {
  return new TextParameters(new URL(c.req.url).searchParams);
}

/** `{"data": …}` (§ Envelopes). */
export function dataResponse(
  data: unknown,
  status: 200 | 202 = 200,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ data }, { status, headers });
}

/** Starts a queued job. `202` with the job and its URL (§ POST /imports rule 3, § GET /exports). */
export function jobResponse({ store, jobs }: Service, c: Context<Env>, id: number): Response {
  const job = jobRecord(store.reader, id, jobs.progress(id), c.get("messageLanguage"));
  jobs.start();
  return dataResponse(job, 202, { Location: new URL(`/v1/jobs/${id}`, c.req.url).href });
}
