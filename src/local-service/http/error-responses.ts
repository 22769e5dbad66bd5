/** Error responses of § Errors, thrown by endpoints and converted by the server. */
import { messageText, type Message, type MessageLanguage } from "./localised-messages.ts";

/** Messages by field; list items are indexed (`keys.12.value`). */
export type FieldErrors = ReadonlyMap<string, readonly Message[]>;

export class Problem extends Error {
  readonly status: 401 | 403 | 404 | 409 | 422 | 429 | 500;
  readonly problem: Message;
  readonly errors: FieldErrors | undefined;
  readonly extra: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: Problem["status"],
    problem: Message,
    more: {
      errors?: FieldErrors;
      extra?: Readonly<Record<string, string | number>>;
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(`${status} ${problem.code}`);
    this.status = status;
    this.problem = problem;
    this.errors = more.errors;
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
  }

  /** Returns the response body in the requested language. */
  body(messageLanguage: MessageLanguage): Record<string, unknown> {
    const texts = (messages: readonly Message[]): string[] =>
      messages.map((message) => messageText(messageLanguage, message));
    return {
      message: messageText(messageLanguage, this.problem),
      ...(this.errors && {
        errors: Object.fromEntries(Array.from(this.errors, ([field, messages]) => [field, texts(messages)])),
      }),
      ...this.extra,
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

/** `422` for the key limit (§ Errors, key-limit body). */
export function keyLimitReached(limit: number, used: number, requested: number): Problem {
  const message: Message = { code: "key_limit_reached", values: { limit, used, requested } };
  return new Problem(422, message, {
    errors: new Map([["keys", [message]]]),
    extra: { reason: "key_limit_reached", limit, used, requested },
  });
}
