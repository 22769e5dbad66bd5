/**
 * The one error of the client. Its `kind` comes from the status and `reason` alone, never from a message, since the
 * service's words change with the language (§ General conventions 2). No error ever holds the token.
 */

export type ApiErrorKind =
  | "unauthorized"
  | "forbidden"
  | "not_found"
  /** `409`, and it stayed so longer than the client waits. */
  | "busy"
  | "invalid"
  | "key_limit_reached"
  /** `429`, and the pause is longer than the client waits. */
  | "rate_limited"
  /** No connection, or it was lost; a gateway that cannot reach the service counts too. */
  | "offline"
  | "timeout"
  /** What came is not what the document shows; `field` says where. */
  | "bad_response";

/** Reason of a `409` while the source language of the project is being changed (§ Errors). */
export const SOURCE_LANGUAGE_CHANGE = "source_language_change";

/** One item of a list that the service refused (§ Errors, "list items are indexed in the field name"). */
export interface RefusedEntry {
  /** Name of the list: `keys`, `archive`, `translations`. */
  readonly list: string;
  /** Position in the list of the request; in an error of batches.ts, in the whole list that was given there. */
  readonly index: number;
  /** Field of the item; empty when the item as a whole was refused. */
  readonly field: string;
  /** In the service's words. */
  readonly messages: readonly string[];
}

/** A refused item by the name of its key. */
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

/** Everything beside the kind; what is not known is left out. */
export interface ApiErrorDetails {
  readonly status?: number;
  /** § Errors: `busy`, `source_language_change`, `key_limit_reached`, or a word not yet known. */
  readonly reason?: string;
  /** Field to messages in the service's words; list items are indexed (`keys.12.value`). */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** The service's own sentence, in the language that was asked for. */
  readonly serviceMessage?: string;
  /** § Errors, key-limit body. */
  readonly limit?: number;
  readonly used?: number;
  readonly requested?: number;
  /** Seconds that the service asks to wait. */
  readonly retryAfter?: number;
  /** Of a bad response: path of the field (`data.3.hash`), `body`, or a header's name. */
  readonly field?: string;
  /** Method and path of the request: `GET /stats`. */
  readonly endpoint?: string;
  /** Refused items of a list, by position. */
  readonly refused?: readonly RefusedEntry[];
  /** Refused items of a list, by key. */
  readonly items?: readonly RefusedItem[];
  /** The platform's own code of a lost connection (`ECONNRESET`), or a proxy's (`PROXY_407`, `PROXY_UNREACHABLE`). */
  readonly code?: string;
}

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

  /** `message` is for engineers, in English. */
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

/** Whether the error is the client's, of this kind where one is given. */
export function isApiError(error: unknown, kind?: ApiErrorKind): error is ApiError {
  return error instanceof ApiError && (kind === undefined || error.kind === kind);
}

/** "A cursor that cannot be read gives 422 with an error on the field `cursor`": the caller begins again. */
export function isBadCursor(error: unknown): boolean {
  return isApiError(error, "invalid") && error.errors !== undefined && Object.hasOwn(error.errors, "cursor");
}

/** The same error with more details; its stack and message stay. */
export function withDetails(error: ApiError, details: Partial<ApiErrorDetails>): ApiError {
  const more = new ApiError(error.kind, error.message, { ...definedDetails(error), ...details });
  if (error.stack !== undefined) more.stack = error.stack;
  return more;
}

/** Only what is known, since an optional field is left out rather than `undefined`. */
function definedDetails(error: ApiError): ApiErrorDetails {
  const { name: _name, message: _message, kind: _kind, stack: _stack, ...details } = error;
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/**
 * The refused items of an error's `errors` (`keys.12.value`, `keys.12`). Fields that are no item of a list are left out.
 */
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

/** The files that an import refused (§ POST /imports rule 2): index of the file to the service's messages. */
export function refusedFiles(error: ApiError): ReadonlyMap<number, readonly string[]> {
  const refused = new Map<number, readonly string[]>();
  for (const [field, messages] of Object.entries(error.errors ?? {})) {
    const index = /^files(?:\[\])?\.(\d+)$/u.exec(field)?.[1];
    if (index !== undefined) refused.set(Number(index), messages);
  }
  return refused;
}
