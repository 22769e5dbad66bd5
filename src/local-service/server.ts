/**
 * The HTTP server: limits, authentication, languages and errors around the endpoints (§ General conventions, §
 * Authentication, § Errors). Every response is JSON, except an export's file.
 */
import { Hono } from "hono";
import { type Tokens, authenticate } from "./http/tokens.ts";
import type { Endpoint, Env, Service } from "./endpoints/endpoint.ts";
import { getExport } from "./endpoints/exports.ts";
import { postImports } from "./endpoints/imports.ts";
import { getJob } from "./endpoints/jobs.ts";
import { diffKeys, listKeys, updateKey } from "./endpoints/keys.ts";
import { getProject, getStats } from "./endpoints/project.ts";
import { syncKeys } from "./endpoints/sync.ts";
import { listTranslations, writeTranslations } from "./endpoints/translations.ts";
import { messageLanguageOf } from "./http/localised-messages.ts";
import { busy, notFound, Problem } from "./http/error-responses.ts";
import { RateLimit, type RateState } from "./http/rate-limit.ts";

/** § Endpoint list. */
const ENDPOINTS: readonly Endpoint[] = [
  getProject,
  getStats,
  listKeys,
  diffKeys,
  syncKeys,
  updateKey,
  listTranslations,
  writeTranslations,
  postImports,
  getExport,
  getJob,
];

/**
 * Creates the app. While `isSourceChanging`, requests that depend on the source language are refused (§ Errors, 409).
 */
export function createApp(service: Service, tokens: Tokens, isSourceChanging: () => boolean): Hono<Env> {
  const perAddress = new RateLimit(service.settings.limits.perAddress, () => service.now());
  const perToken = new RateLimit(service.settings.limits.perToken, () => service.now());
  const app = new Hono<Env>();

  app.use(async (c, next) => {
    c.set("messageLanguage", messageLanguageOf(c.req.header("accept-language")));
    const address = c.env.incoming.socket.remoteAddress ?? "unknown";
    const state = perAddress.take(address);
    c.set("rate", state);
    requireWithinLimit(state);
    await next();
    setRateHeaders(c.res.headers, c.get("rate"));
  });

  for (const endpoint of ENDPOINTS) {
    app.on(endpoint.method, `/v1${endpoint.path}`, async (c) => {
      const who = authenticate(tokens, c.req.header("authorization"));
      if (who === undefined) {
        throw new Problem(401, { code: "unauthorized" }, { headers: { "WWW-Authenticate": "Bearer" } });
      }
      const state = perToken.take(who.name);
      c.set("rate", state);
      requireWithinLimit(state);
      if (service.settings.archived) throw new Problem(403, { code: "forbidden_archived" });
      if (!who.scopes.includes(endpoint.scope)) throw new Problem(403, { code: "forbidden_scope" });
      if (endpoint.scope === "write" && isSourceChanging()) throw busy("source_language_change");
      return endpoint.handle(service, c);
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
      headers: problem.headers,
    });
    setRateHeaders(response.headers, c.get("rate"));
    return response;
  });
  return app;
}

function requireWithinLimit(state: RateState): void {
  if (state.retryAfter === undefined) return;
  throw new Problem(
    429,
    { code: "rate_limited", values: { seconds: state.retryAfter } },
    { headers: { "Retry-After": String(state.retryAfter) } },
  );
}

/** § General conventions 3: the token's limit if a token was recognised, else the address's. */
function setRateHeaders(headers: Headers, state: RateState | undefined): void {
  if (state === undefined) return;
  headers.set("X-RateLimit-Limit", String(state.limit));
  headers.set("X-RateLimit-Remaining", String(state.remaining));
}
