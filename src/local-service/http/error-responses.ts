/** Errors of § Errors, which endpoints throw and the server converts to responses. */
import { messageText, type Message, type MessageLanguage } from "./localised-messages.ts";

/** Messages by field; list items are indexed (`keys.12.value`). */
export type FieldErrors = ReadonlyMap<string, readonly Message[]>;

interface ProblemDetails {
  readonly errors?: FieldErrors;
  /** Additional fields of the body. */
  readonly extra?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Problem extends Error {
  readonly status: 400 | 401 | 403 | 404 | 408 | 409 | 413 | 417 | 422 | 429 | 431 | 500;
  readonly localisedMessage: Message;
  readonly details: ProblemDetails;

  constructor(status: Problem["status"], localisedMessage: Message, details: ProblemDetails = {}) {
    super(`${status} ${localisedMessage.code}`);
    this.status = status;
    this.localisedMessage = localisedMessage;
    this.details = details;
  }

  /** Returns the response body in the requested language. */
  body(messageLanguage: MessageLanguage): Record<string, unknown> {
    const textOf = (message: Message): string => messageText(messageLanguage, message);
    const { errors, extra } = this.details;
    const texts = Array.from(errors ?? [], ([field, messages]) => [field, messages.map(textOf)]);
    return {
      message: textOf(this.localisedMessage),
      ...(errors && { errors: Object.fromEntries(texts) as unknown }),
      ...extra,
    };
  }
}

/** `404` for anything outside the token's project. */
export function notFound(): Problem {
  return new Problem(404, { code: "not_found" });
}

/** `422` with errors on these fields. */
export function invalid(errors: FieldErrors): Problem {
  return new Problem(422, { code: "invalid" }, { errors });
}

/** `422` with an error on one field. */
export function invalidField(field: string, message: Message): Problem {
  return invalid(new Map([[field, [message]]]));
}

/** `409` with its reason; the request may be retried. */
export function busy(reason: "busy" | "source_language_change"): Problem {
  return new Problem(409, { code: reason }, { extra: { reason } });
}

/** `422` for the key limit (§ Errors). */
export function keyLimitReached(limit: number, used: number, requested: number): Problem {
  const message: Message = { code: "key_limit_reached", values: { limit, used, requested } };
  return new Problem(422, message, {
    errors: new Map([["keys", [message]]]),
    extra: { reason: "key_limit_reached", limit, used, requested },
  });
}
