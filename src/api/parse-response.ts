/** Parses response bodies: checked data of a success, an ApiError of anything else. */
import * as v from "valibot";
import type { HttpResponse } from "./http-request.ts";
import { ApiError, badResponse, type ApiErrorKind } from "./errors.ts";

/** Removes the token from a text of the service. */
export type Redact = (text: string) => string;

/**
 * Parses the JSON body of a success response.
 * @throws {ApiError} `bad_response`, with the name of the field that does not match the schema.
 */
export function parseResponse<Body>(incoming: HttpResponse, schema: v.GenericSchema<unknown, Body>): Body {
  const result = v.safeParse(schema, parseJson(incoming));
  if (result.success) return result.output;
  const issue = result.issues[0];
  const field = v.getDotPath(issue) ?? "body";
  const what = `${field}: not ${issue.expected ?? "as the document shows"}`;
  throw badResponse(incoming.label, what, field, incoming.status);
}

/** "Every response is JSON" (§ General conventions 1): anything else was sent by a proxy or gateway in between. */
function parseJson(incoming: HttpResponse): unknown {
  const type = mediaType(incoming.headers);
  const { status, label } = incoming;
  const bad = (what: string, field: string): ApiError =>
    badResponse(label, `${status} with ${what}`, field, status);
  if (type !== null && !isJsonType(type)) throw bad(`${type} instead of JSON`, "content-type");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(incoming.bytes));
  } catch {
    throw bad(incoming.bytes.length === 0 ? "an empty body" : "a body that is not JSON", "body");
  }
}

/** Returns `Content-Type` without parameters, in lower case; `null` when the header is missing. */
export function mediaType(headers: Headers): string | null {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return type === undefined || type === "" ? null : type;
}

function isJsonType(type: string): boolean {
  return type === "application/json" || /^application\/[\w.-]+\+json$/u.test(type);
}

/** The messages of a field: a list, or a single one. */
const MessagesSchema = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((message) => [message]),
  ),
]);

const text = v.fallback(v.optional(v.string()), undefined);
const count = v.fallback(v.optional(v.number()), undefined);

/** § Errors. All fields are optional: a missing one makes an error less specific, never a different error. */
const ErrorSchema = v.object({
  message: text,
  reason: text,
  errors: v.fallback(v.optional(v.record(v.string(), MessagesSchema)), undefined),
  limit: count,
  used: count,
  requested: count,
});

/** Kinds of statuses below 500. */
const ERROR_KINDS: Readonly<Record<number, ApiErrorKind>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  408: "timeout",
  409: "busy",
  413: "invalid",
  422: "invalid",
  429: "rate_limited",
};

/** Statuses below 500 that proxies and gateways respond with too, with bodies of their own. */
const PROXY_STATUSES: ReadonlySet<number> = new Set([408, 413, 429]);

/** Characters of each text of an error. */
const MAX_ERROR_TEXT_LENGTH = 2_000;

/**
 * Creates the error of a response whose status is not a success.
 * @param pauseMs The response's `Retry-After`.
 */
export function errorFromResponse(incoming: HttpResponse, redact: Redact, pauseMs: number | null): ApiError {
  const { status, label } = incoming;
  const retryAfter = pauseMs === null ? undefined : Math.ceil(pauseMs / 1000);
  const body =
    status >= 500 || PROXY_STATUSES.has(status)
      ? parseErrorOrEmpty(incoming)
      : parseResponse(incoming, ErrorSchema);
  const redacted = (text: string): string => redact(text).slice(0, MAX_ERROR_TEXT_LENGTH).toWellFormed();
  const reason = body.reason === undefined ? undefined : redacted(body.reason);
  const errors = Object.fromEntries(
    Object.entries(body.errors ?? {}).map(([field, messages]) => [redacted(field), messages.map(redacted)]),
  );
  const kind = errorKind(status, body.reason);
  const fields = Object.keys(errors);
  const where = [reason, ...fields.slice(0, 5)].filter((word) => word !== undefined).join(", ");
  return new ApiError(kind, redact(`${label}: ${status} ${kind}${where === "" ? "" : ` (${where})`}`), {
    status,
    endpoint: label,
    retryAfter,
    reason,
    limit: body.limit,
    used: body.used,
    requested: body.requested,
    serviceMessage: body.message === undefined ? undefined : redacted(body.message),
    errors: fields.length === 0 ? undefined : errors,
  });
}

function errorKind(status: number, reason: string | undefined): ApiErrorKind {
  if (status === 422 && reason === "key_limit_reached") return reason;
  if (status >= 500) return "server_error";
  return ERROR_KINDS[status] ?? "bad_response";
}

function parseErrorOrEmpty(incoming: HttpResponse): v.InferOutput<typeof ErrorSchema> {
  try {
    return parseResponse(incoming, ErrorSchema);
  } catch {
    return v.parse(ErrorSchema, {});
  }
}
