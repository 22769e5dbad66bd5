/** Bytes of an answer → checked data, or the ApiError that says what is wrong with it. */
import * as v from "valibot";
import type { Incoming } from "./http-request.ts";
import { ApiError, type ApiErrorDetails, type ApiErrorKind } from "./errors.ts";

/** Takes the token out of whatever the service said. */
export type Redact = (text: string) => string;

/** A good answer's body as its schema says. Throws `bad_response` naming the field. */
export function readAnswer<Answer>(incoming: Incoming, schema: v.GenericSchema<unknown, Answer>): Answer {
  const json = readJson(incoming);
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const field = v.getDotPath(issue) ?? "body";
  throw new ApiError(
    "bad_response",
    `${incoming.label}: ${field}: not ${issue.expected ?? "as the document shows"}`,
    { status: incoming.status, field, endpoint: incoming.label },
  );
}

/** "Every response is JSON" (§ General conventions 1): what is not came from something in between. */
function readJson(incoming: Incoming): unknown {
  const type = mediaType(incoming.headers);
  const bad = (what: string, field: string): ApiError =>
    new ApiError("bad_response", `${incoming.label}: ${incoming.status} with ${what}`, {
      status: incoming.status,
      field,
      endpoint: incoming.label,
    });
  if (type !== null && !isJson(type)) throw bad(`${type} instead of JSON`, "content-type");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(incoming.bytes));
  } catch {
    throw bad(incoming.bytes.length === 0 ? "an empty body" : "a body that is not JSON", "body");
  }
}

/** `Content-Type` without its parameters, in lower case; `null` when there is none. */
export function mediaType(headers: Headers): string | null {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return type === undefined || type === "" ? null : type;
}

function isJson(type: string): boolean {
  return type === "application/json" || /^application\/[\w.-]+\+json$/u.test(type);
}

/** § Errors. All optional: what is missing makes an error less telling, never another error. */
const ErrorSchema = v.object({
  message: v.fallback(v.optional(v.string()), undefined),
  reason: v.fallback(v.optional(v.string()), undefined),
  errors: v.fallback(v.optional(v.record(v.string(), v.array(v.string()))), undefined),
  limit: v.fallback(v.optional(v.number()), undefined),
  used: v.fallback(v.optional(v.number()), undefined),
  requested: v.fallback(v.optional(v.number()), undefined),
});

/** A gateway that cannot reach the service; the document names no status above 429. */
const GATEWAY: Readonly<Record<number, ApiErrorKind>> = {
  408: "timeout",
  502: "offline",
  503: "offline",
  504: "timeout",
};

/** Characters of one text of an error: more is nothing that anybody reads. */
const MAX_WORDS = 2_000;

/** The error of an answer whose status is none of the good ones. `pause`: what `Retry-After` said, milliseconds. */
export function errorOf(incoming: Incoming, redact: Redact, pause: number | null): ApiError {
  const { status, label } = incoming;
  const retry = pause === null ? {} : { retryAfter: Math.ceil(pause / 1000) };
  const gateway = GATEWAY[status];
  if (gateway !== undefined)
    return new ApiError(gateway, `${label}: ${status} from a gateway`, { status, endpoint: label, ...retry });
  // A proxy limits sizes too and answers in its own way; so does one that limits rates.
  const body = status === 413 || status === 429 ? orEmpty(incoming) : readAnswer(incoming, ErrorSchema);
  const redacted = (text: string): string => redact(text).slice(0, MAX_WORDS).toWellFormed();
  const reason = body.reason === undefined ? undefined : redacted(body.reason);
  const details: ApiErrorDetails = Object.fromEntries(
    Object.entries({
      status,
      endpoint: label,
      ...retry,
      reason,
      limit: body.limit,
      used: body.used,
      requested: body.requested,
      serviceMessage: body.message === undefined ? undefined : redacted(body.message),
      errors:
        body.errors === undefined || Object.keys(body.errors).length === 0
          ? undefined
          : Object.fromEntries(
              Object.entries(body.errors).map(([field, messages]) => [
                redacted(field),
                messages.map(redacted),
              ]),
            ),
    }).filter(([, value]) => value !== undefined),
  );
  const kind = kindOf(status, body.reason);
  const fields = Object.keys(details.errors ?? {});
  const where = [reason, ...fields.slice(0, 5)].filter((word) => word !== undefined).join(", ");
  return new ApiError(
    kind,
    redact(`${label}: ${status} ${kind}${where === "" ? "" : ` (${where})`}`),
    details,
  );
}

function kindOf(status: number, reason: string | undefined): ApiErrorKind {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not_found";
    case 409:
      return "busy";
    case 400:
    case 413:
      return "invalid";
    case 422:
      return reason === "key_limit_reached" ? "key_limit_reached" : "invalid";
    case 429:
      return "rate_limited";
    default:
      return "bad_response";
  }
}

function orEmpty(incoming: Incoming): v.InferOutput<typeof ErrorSchema> {
  try {
    return readAnswer(incoming, ErrorSchema);
  } catch {
    return v.parse(ErrorSchema, {});
  }
}
