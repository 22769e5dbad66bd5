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
  /** No connection, or a lost one; also a gateway that cannot reach the service. */
  | "offline"
  | "timeout"
  /** The response does not have the documented shape; `field` says where. */
  | "bad_response";

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

/** Optional properties of an ApiError; unknown ones are absent. */
export interface ApiErrorDetails {
  readonly status?: number;
  /** § Errors: `busy`, `source_language_change`, `key_limit_reached`, or a reason added later. */
  readonly reason?: string;
  /** Messages by field; list items are indexed (`keys.12.value`). */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** The service's message, in the requested language. */
  readonly serviceMessage?: string;
  /** Body of a key limit error (§ Errors), like `used` and `requested`. */
  readonly limit?: number;
  readonly used?: number;
  readonly requested?: number;
  /** The requested pause in seconds. */
  readonly retryAfter?: number;
  /** What is wrong with a bad response: path of a field (`data.3.hash`), `body`, or the name of a header. */
  readonly field?: string;
  /** Method and path of the request: `GET /stats`. */
  readonly endpoint?: string;
  /** Refused items of a list, by position. */
  readonly refused?: readonly RefusedEntry[];
  /** Refused items of a list, by key. */
  readonly items?: readonly RefusedItem[];
  /** Code of a connection failure (`ECONNRESET`), or of a proxy failure (`PROXY_407`, `PROXY_UNREACHABLE`). */
  readonly code?: string;
}

/** The error of every failed request. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ApiErrorKind;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;
  readonly serviceMessage: string | undefined;
  readonly limit: number | undefined;
  readonly used: number | undefined;
  readonly requested: number | undefined;
  readonly retryAfter: number | undefined;
  readonly field: string | undefined;
  readonly endpoint: string | undefined;
  readonly refused: readonly RefusedEntry[] | undefined;
  readonly items: readonly RefusedItem[] | undefined;
  readonly code: string | undefined;

  /** @param message For developers, in English. */
  constructor(kind: ApiErrorKind, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.kind = kind;
    this.status = details.status;
    this.reason = details.reason;
    this.errors = details.errors;
    this.serviceMessage = details.serviceMessage;
    this.limit = details.limit;
    this.used = details.used;
    this.requested = details.requested;
    this.retryAfter = details.retryAfter;
    this.field = details.field;
    this.endpoint = details.endpoint;
    this.refused = details.refused;
    this.items = details.items;
    this.code = details.code;
  }
}

/** Returns whether an error is an ApiError, optionally of one kind. */
export function isApiError(error: unknown, kind?: ApiErrorKind): error is ApiError {
  return error instanceof ApiError && (kind === undefined || error.kind === kind);
}

/**
 * Returns whether a list has to be read from its first page again: "A cursor that cannot be read gives 422 with an
 * error on the field `cursor`".
 */
export function isBadCursor(error: unknown): boolean {
  return isApiError(error, "invalid") && error.errors !== undefined && Object.hasOwn(error.errors, "cursor");
}

/** Copies an error with more details; message and stack are preserved. */
export function withDetails(error: ApiError, details: Partial<ApiErrorDetails>): ApiError {
  const copy = new ApiError(error.kind, error.message, { ...definedDetails(error), ...details });
  if (error.stack !== undefined) copy.stack = error.stack;
  return copy;
}

/** Returns the details that are present, since optional fields must be absent rather than `undefined`. */
function definedDetails(error: ApiError): ApiErrorDetails {
  const { name: _name, message: _message, kind: _kind, stack: _stack, ...details } = error;
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
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
