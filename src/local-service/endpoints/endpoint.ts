/** Types and responses that all endpoints share. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { MessageLanguage } from "../http/localised-messages.ts";
import { jobRecord } from "../jobs.ts";
import type { Service } from "../service-context.ts";
import type { Connection } from "../store/store.ts";
import type { RateState } from "../http/rate-limit.ts";

export interface Env {
  Bindings: HttpBindings;
  Variables: { messageLanguage: MessageLanguage; rate: RateState };
}

export type Handler = (service: Service, c: Context<Env>) => Response | Promise<Response>;

/** Returns `{"data": …}` (§ Envelopes). */
export function dataResponse(data: unknown): Response {
  return Response.json({ data });
}

/** Returns `202` with a queued job and its URL (§ POST /imports rule 3, § GET /exports). */
export function jobResponse(service: Service, c: Context<Env>, connection: Connection, id: number): Response {
  const data = jobRecord(service, connection, id, c.get("messageLanguage"));
  const headers = { Location: new URL(`/v1/jobs/${id}`, c.req.url).href };
  return Response.json({ data }, { status: 202, headers });
}
