/**
 * The client's error. Its `kind` depends on the status code and `reason` alone, never on a message, since messages
 * are localised (§ General conventions 2). An error never contains the token.
 */

export type ApiErrorKind =
  | "unauthorized"
  | "forbidden"
  | "not_found"
  /** `409` for longer than the client retries. */
  | "busy"
  | "invalid"
  | "key_limit_reached"
  /** `429` with a pause that is longer than the client waits. */
  | "rate_limited"
  /** No connection, or a lost one. */
  | "offline"
  | "timeout"
  /** A `5xx`: the service, or a gateway before it, failed. */
  | "server_error"
  /** The response does not have the documented shape; `field` says where. */
  | "bad_response"
  /** A write that was cancelled after its request was sent, and whose response did not arrive. */
  | "cancelled";

/** Reason of a `409` while the source language of the project is being changed (§ Errors). */
export const SOURCE_LANGUAGE_CHANGE = "source_language_change";

/** A list item that the service refused (§ Errors, "list items are indexed in the field name"). */
export interface RefusedEntry {
  /** Name of the list: `keys`, `archive`, `translations`. */
  readonly list: string;
  /** Position in the list of the request; in an error of batches.ts, in the caller's whole list. */
  readonly index: number;
  /** Field of the item; empty when the whole item was refused. */
  readonly field: string;
  /** Messages of the service, in the requested language. */
  readonly messages: readonly string[];
}

/** A refused item, identified by its key. */
export interface RefusedItem {
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly locale?: string;
  readonly field: string;
  /** Relative path of the local file that the item was read from. */
  readonly file?: string;
  readonly messages: readonly string[];
}

/** The error of every failed request. Details that are unknown are absent or `undefined`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ApiErrorKind;
  declare readonly status?: number | undefined;
  /** § Errors: `busy`, `source_language_change`, `key_limit_reached`, or a reason added later. */
  declare readonly reason?: string | undefined;
  /** Messages by field; list items are indexed (`keys.12.value`). */
  declare readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The service's message, in the requested language. */
  declare readonly serviceMessage?: string | undefined;
  /** Body of a key limit error (§ Errors), like `used` and `requested`. */
  declare readonly limit?: number | undefined;
  declare readonly used?: number | undefined;
  declare readonly requested?: number | undefined;
  /** The requested pause in seconds. */
  declare readonly retryAfter?: number | undefined;
  /** What is wrong with a bad response: path of a field (`data.3.hash`), `body`, or the name of a header. */
  declare readonly field?: string | undefined;
  /** Method and path of the request: `GET /stats`. */
  declare readonly endpoint?: string | undefined;
  /** Refused items of a list, by position. */
  declare readonly refused?: readonly RefusedEntry[] | undefined;
  /** Refused items of a list, by key. */
  declare readonly items?: readonly RefusedItem[] | undefined;
  /** Code of a connection failure (`ECONNRESET`), or of a proxy failure (`PROXY_407`, `PROXY_UNREACHABLE`). */
  declare readonly code?: string | undefined;

  /** @param message For developers, in English. */
  constructor(kind: ApiErrorKind, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.kind = kind;
    Object.assign(this, details);
  }
}

/** Optional properties of an ApiError. */
export type ApiErrorDetails = Omit<ApiError, keyof Error | "kind">;

/** Returns the error of a response that does not have the documented shape. `field` says where, as in ApiError. */
export function badResponse(endpoint: string, what: string, field: string, status?: number): ApiError {
  return new ApiError("bad_response", `${endpoint}: ${what}`, { endpoint, field, status });
}

/** Returns whether an error is an ApiError, optionally of one kind. */
export function isApiError(error: unknown, kind?: ApiErrorKind): error is ApiError {
  return error instanceof ApiError && (kind === undefined || error.kind === kind);
}

/** Returns whether nothing answered; else the service, or a gateway before it, said or did something wrong. */
export function isUnreachable(error: unknown): boolean {
  return isApiError(error, "offline") || isApiError(error, "timeout");
}

/** Whether a write that ended with such an error may nevertheless have been executed. */
const IS_UNCERTAIN: Readonly<Record<ApiErrorKind, boolean>> = {
  offline: true,
  timeout: true,
  server_error: true,
  bad_response: true,
  cancelled: true,
  unauthorized: false,
  forbidden: false,
  not_found: false,
  busy: false,
  invalid: false,
  key_limit_reached: false,
  rate_limited: false,
};

/** Returns whether a write that ended so may have been executed: its response was lost, or does not tell. */
export function isUncertainKind(kind: string): boolean {
  return Object.hasOwn(IS_UNCERTAIN, kind) && IS_UNCERTAIN[kind as ApiErrorKind];
}

/** Returns whether a write that failed with this error may nevertheless have been executed. */
export function mayHaveBeenExecuted(error: unknown): error is ApiError {
  return isApiError(error) && IS_UNCERTAIN[error.kind];
}

/** Returns whether the service refused a request with an error on this field (§ Errors, `422`). */
export function isFieldRefused(error: unknown, field: string): error is ApiError {
  return isApiError(error, "invalid") && Object.hasOwn(error.errors ?? {}, field);
}

/** Copies an error with more details; message and stack are preserved. */
export function withDetails(error: ApiError, details: ApiErrorDetails): ApiError {
  const copy = Object.assign(new ApiError(error.kind, error.message), error, details);
  if (error.stack !== undefined) copy.stack = error.stack;
  return copy;
}

/** Returns the refused list items of an error (`keys.12.value`, `keys.12`); errors of other fields are skipped. */
export function refusedEntries(error: ApiError): RefusedEntry[] {
  return Object.entries(error.errors ?? {}).flatMap(([path, messages]): RefusedEntry[] => {
    const {
      list,
      index,
      field = "",
    } = /^(?<list>\w+)\.(?<index>\d+)(?:\.(?<field>.+))?$/u.exec(path)?.groups ?? {};
    return list === undefined ? [] : [{ list, index: Number(index), field, messages }];
  });
}

/** Returns the messages of the files that an import refused, by index of the file (§ POST /imports rule 2). */
export function refusedFiles(error: ApiError): ReadonlyMap<number, readonly string[]> {
  const refused = new Map<number, readonly string[]>();
  for (const [field, messages] of Object.entries(error.errors ?? {})) {
    const index = /^files(?:\[\])?\.(\d+)$/u.exec(field)?.[1];
    if (index !== undefined) refused.set(Number(index), messages);
  }
  return refused;
}
