/**
 * The HTTP server: rate limits, authentication, languages and errors around the endpoints (§ General conventions,
 * § Authentication, § Errors). Every response is JSON, except the file of an export.
 */
import { Hono, type Context } from "hono";
import { authenticate, type Scope, type Tokens } from "./authentication.ts";
import { RateLimit, type RateState } from "./rate-limit.ts";
import type { Env, Handler } from "../endpoints/endpoint.ts";
import { getExport } from "../endpoints/exports.ts";
import { postImports } from "../endpoints/imports.ts";
import { diffKeys, listKeys, syncKeys, updateKey } from "../endpoints/keys.ts";
import { getJob, getProject, getStats } from "../endpoints/project-stats-and-jobs.ts";
import { listTranslations, writeTranslations } from "../endpoints/translations.ts";
import { messageLanguageOf } from "./localised-messages.ts";
import { busy, notFound, Problem } from "./error-responses.ts";
import { isSourceChanging } from "../project-languages.ts";
import type { Service } from "../service-context.ts";

/** § Endpoint list. Scope `write` is refused with `409` while the source language changes. */
const ENDPOINTS: readonly (readonly [method: string, path: string, Scope, Handler])[] = [
  ["GET", "/project", "read", getProject],
  ["GET", "/stats", "read", getStats],
  ["GET", "/keys", "read", listKeys],
  ["POST", "/keys/diff", "write", diffKeys],
  ["POST", "/keys/sync", "write", syncKeys],
  ["PATCH", "/keys/:keyHash", "write", updateKey],
  ["GET", "/translations/:locale", "read", listTranslations],
  ["PUT", "/translations/:locale", "write", writeTranslations],
  ["POST", "/imports", "write", postImports],
  ["GET", "/exports/:profileKey", "read", getExport],
  ["GET", "/jobs/:jobId", "read", getJob],
];

/** @param perAddress counts the requests of each address */
export function createApp(service: Service, tokens: Tokens, perAddress: RateLimit): Hono<Env> {
  const { limits, archived } = service.settings;
  const perToken = new RateLimit(limits.perToken, service.monotonic);
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    c.set("messageLanguage", messageLanguageOf(c.req.header("accept-language")));
    countRequest(c, perAddress, c.env.incoming.socket.remoteAddress ?? "unknown");
    await next();
    setRateHeaders(c.res.headers, c.get("rate"));
  });

  for (const [method, path, scope, handle] of ENDPOINTS) {
    app.on(method, `/v1${path}`, async (c) => {
      const token = authenticate(tokens, c.req.header("authorization"));
      if (token === undefined) {
        throw new Problem(401, { code: "unauthorized" }, { headers: { "WWW-Authenticate": "Bearer" } });
      }
      countRequest(c, perToken, token);
      if (archived) throw new Problem(403, { code: "forbidden_archived" });
      if (scope === "write" && token === "readToken") throw new Problem(403, { code: "forbidden_scope" });
      if (scope === "write" && isSourceChanging(service)) throw busy("source_language_change");
      return handle(service, c);
    });
  }

  // The document has no 405, so an unsupported method is an unknown URL.
  app.notFound(() => {
    throw notFound();
  });
  app.onError((error, c) => {
    const problem = error instanceof Problem ? error : new Problem(500, { code: "internal" });
    if (problem !== error) service.log(`${c.req.method} ${c.req.path}: ${error.stack ?? error.message}`);
    const response = Response.json(problem.body(c.get("messageLanguage") ?? "nl"), {
      status: problem.status,
      headers: problem.details.headers ?? {},
    });
    setRateHeaders(response.headers, c.get("rate"));
    return response;
  });
  return app;
}

/**
 * Counts a request.
 * @throws {Problem} `429`
 */
function countRequest(c: Context<Env>, limit: RateLimit, client: string): void {
  const state = limit.take(client);
  c.set("rate", state);
  if (state.retryAfter === undefined) return;
  const headers = { "Retry-After": String(state.retryAfter) };
  throw new Problem(429, { code: "rate_limited", values: { seconds: state.retryAfter } }, { headers });
}

/** § General conventions 3: the limit of the token, or of the address if no token was recognised. */
function setRateHeaders(headers: Headers, state: RateState | undefined): void {
  if (state === undefined) return;
  headers.set("X-RateLimit-Limit", String(state.limit));
  headers.set("X-RateLimit-Remaining", String(state.remaining));
}
