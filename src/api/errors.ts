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

/** The files that an import refused (§ POST /imports rule 2): index of the file to the service's messages. */
export function refusedFiles(error: ApiError): ReadonlyMap<number, readonly string[]> {
  const refused = new Map<number, readonly string[]>();
  for (const [field, messages] of Object.entries(error.errors ?? {})) {
    const index = /^files(?:\[\])?\.(\d+)$/u.exec(field)?.[1];
    if (index !== undefined) refused.set(Number(index), messages);
  }
  return refused;
}
