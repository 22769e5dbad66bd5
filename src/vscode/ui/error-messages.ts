/**
 * What went wrong, for people: every kind of error as one sentence that says what to do, and one next step. Decides by
 * kinds and codes alone, never by somebody's words.
 */
import { ApiError, type RefusedItem } from "../../api/errors.ts";
import { SESSION_ENDED, type Freshness } from "../../database/project-state.ts";
import { CommandError, type Failure, type FailureCode } from "../command-result.ts";
import { keyLabel } from "./text-label.ts";
import { language, l10n } from "../l10n.ts";

/** The one button beside a sentence. */
export type NextStep = "sign-in" | "try-again" | "show-log" | "manage-trust" | "none";

/** The failure that a thrown error is. `done`: a sentence about what was done before it, which begins the message. */
export function failureOf(error: unknown, done?: string): Failure {
  const failure = plainFailure(error, done !== undefined);
  return done === undefined ? failure : { ...failure, message: `${done} ${failure.message}` };
}

/**
 * What a command did before it ended half way, for PartlyDone. `done`: a sentence about that. `rest`: how much was left,
 * and whether any of it may have arrived, which without an answer nobody knows.
 */
export function partlyDoneMessage(done: string, rest: number, cause: unknown): string {
  const isKnown = cause instanceof CommandError || (cause instanceof ApiError && cause.status !== undefined);
  const isCertain = isKnown && !["offline", "timeout", "cancelled"].includes(failureOf(cause).code);
  const left = isCertain
    ? l10n.t("Not done: {0}.", number(rest))
    : l10n.t("Not done, or not confirmed: {0}.", number(rest));
  return `${done} ${left}`;
}

function plainFailure(error: unknown, isPartlyDone: boolean): Failure {
  if (error instanceof CommandError) {
    return { code: error.code, message: error.message, ...error.details };
  }
  if (error instanceof ApiError) {
    const { kind, status, reason, errors, items } = error;
    return {
      code: kind,
      message: sentenceOf(error, isPartlyDone),
      ...(status === undefined ? {} : { status }),
      ...(reason === undefined ? {} : { reason }),
      ...(errors === undefined ? {} : { errors }),
      ...(items === undefined ? {} : { items }),
    };
  }
  if (isFileError(error)) {
    return {
      code: "unsafe_file",
      message: l10n.t(
        "A file could not be read or written: {0}. Check its permissions, then try again.",
        messageOf(error),
      ),
    };
  }
  return {
    code: "bad_response",
    message: l10n.t("Something went wrong: {0}. See the log for details.", messageOf(error)),
  };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/u, "");
}

/** Errors of the disk: Node's have a code in capitals, VS Code's are named FileSystemError. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return error.name.includes("FileSystem") || (typeof code === "string" && /^E[A-Z]{3,}$/u.test(code));
}

/** The step that helps against a failure. */
export function nextStep(code: FailureCode): NextStep {
  switch (code) {
    case "unauthorized":
    case "forbidden":
    case "not_signed_in":
      return "sign-in";
    case "busy":
    case "rate_limited":
    case "offline":
    case "timeout":
    case "file_changed":
    case "no_model":
    case "model_refused":
      return "try-again";
    case "untrusted":
      return "manage-trust";
    case "not_found":
    case "invalid":
    case "key_limit_reached":
    case "bad_response":
    case "job_failed":
    case "unsafe_file":
      return "show-log";
    case "no_project":
    case "cancelled":
      return "none";
  }
}

/** What happened and what to do about it. `isPartlyDone`: requests before the failed one were done. */
export function sentenceOf(error: ApiError, isPartlyDone = false): string {
  switch (error.kind) {
    case "invalid":
      return error.items === undefined
        ? l10n.t("The service refused this: {0} Correct it, then try again.", refusal(error))
        : itemsRefused(error.items, isPartlyDone);
    case "key_limit_reached":
      return keyLimitReached(error, isPartlyDone);
    case "busy":
      return error.reason === "source_language_change"
        ? l10n.t("The source language of the project is being changed. Try again when that is done.")
        : l10n.t("Someone else is changing the project. Try again in a moment.");
    case "rate_limited":
      return error.retryAfter === undefined
        ? l10n.t("Too many requests to the service. Try again in a minute.")
        : l10n.t("Too many requests to the service. Try again in {0} seconds.", error.retryAfter);
    case "bad_response":
      return badResponse(error);
    case "unauthorized":
      return error.reason === SESSION_ENDED
        ? l10n.t("The sign-in changed in the meantime, so nothing more was sent. Try again.")
        : sentenceOfKind(error.kind);
    case "forbidden":
    case "not_found":
    case "offline":
    case "timeout":
      return sentenceOfKind(error.kind, error.code);
  }
}

function keyLimitReached({ limit, used, requested }: ApiError, isPartlyDone: boolean): string {
  const message =
    limit === undefined
      ? l10n.t("The key limit of your plan is reached.")
      : l10n.t(
          "The key limit of your plan is reached ({0} of {1} in use, {2} more asked for).",
          used ?? "?",
          limit,
          requested ?? "?",
        );
  const steps = l10n.t("Archive keys that are not used, or ask for a larger plan.");
  return [message, isPartlyDone ? null : l10n.t("Nothing was written."), steps]
    .filter((each) => each !== null)
    .join(" ");
}

/** Names the first refused key, and says how many more there are. */
function itemsRefused(items: readonly RefusedItem[], isPartlyDone: boolean): string {
  const keys = new Map<string, RefusedItem>();
  for (const item of items) {
    const id = JSON.stringify([item.namespace, item.key, item.context, item.locale]);
    if (!keys.has(id)) keys.set(id, item);
  }
  const [first] = keys.values();
  if (first === undefined) return "";
  const place = [first.locale, first.file].filter((each) => each !== undefined);
  const name = `${keyLabel(first)}${place.length === 0 ? "" : ` (${place.join(", ")})`}`;
  const message = sentence(first.messages.slice(0, 3).join(" "));
  const more = keys.size - 1;
  const refused =
    more === 0
      ? l10n.t("The service refused {0}: {1}", name, message)
      : more === 1
        ? l10n.t("The service refused {0} and 1 more key: {1}", name, message)
        : l10n.t("The service refused {0} and {1} more keys: {2}", name, number(more), message);
  const steps = l10n.t("Change the text, then try again.");
  return [refused, isPartlyDone ? null : l10n.t("Nothing was written."), steps]
    .filter((each) => each !== null)
    .join(" ");
}

/** A failure of the service in its own words; else what of the answer could not be read. */
function badResponse({ endpoint, field, serviceMessage, status }: ApiError): string {
  if (serviceMessage !== undefined && serviceMessage !== "")
    return l10n.t(
      "The service failed at {0} ({1}): {2} Try again later.",
      endpoint ?? "?",
      status ?? "?",
      sentence(serviceMessage),
    );
  if (status !== undefined && status >= 500)
    return l10n.t("The service failed at {0} ({1}). Try again later.", endpoint ?? "?", status);
  if (endpoint === undefined)
    return l10n.t(
      "The answer could not be read. Check that the base URL is that of the Project Translation Service.",
    );
  return l10n.t(
    "The answer to {0} could not be read ({1}). Check that the base URL is that of the Project Translation Service.",
    endpoint,
    field ?? status ?? "?",
  );
}

/** Why the last refresh failed. */
export function sentenceOfFreshness(freshness: Extract<Freshness, { readonly kind: "offline" }>): string {
  const { cause, error, code } = freshness;
  return cause === undefined ? sentenceOfKind(error, code) : sentenceOf(cause);
}

/** The sentence of a kind, where no more is known (what a background refresh left behind) than a connection's code. */
export function sentenceOfKind(kind: string, code?: string): string {
  switch (kind) {
    case "unauthorized":
      return l10n.t("The service does not accept the token. Sign in with a new one.");
    case "forbidden":
      return l10n.t(
        "This token is not allowed to do that, or the project is archived. Sign in with a token that has write access, or have the project restored.",
      );
    case "not_found":
      return l10n.t("The service could not find this. Refresh, then check again.");
    case "offline":
      return sentenceOfConnection(code);
    case "timeout":
      return l10n.t("The service did not answer in time. Try again.");
    case "busy":
      return l10n.t("Someone else is changing the project. Try again in a moment.");
    case "rate_limited":
      return l10n.t("Too many requests to the service. Try again in a minute.");
    default:
      return l10n.t(
        "The answer could not be read. Check that the base URL is that of the Project Translation Service.",
      );
  }
}

/** Issued by somebody whom this machine does not know; else a certificate has ended, or is somebody else's. */
const UNKNOWN_ISSUER = /LEAF_SIGNATURE|SELF_SIGNED|UNABLE_TO_GET_ISSUER|^CERT_UNTRUSTED$/u;
const NOT_SAFE = /CERT|^ERR_SSL_|^ERR_TLS_|^EPROTO$/u;

/** Why there is no connection, as far as the platform's code tells, and what helps. */
function sentenceOfConnection(code = ""): string {
  if (code === "PROXY_UNREACHABLE")
    return l10n.t("The proxy cannot be reached. Check VS Code's setting http.proxy, then try again.");
  if (code === "PROXY_407")
    return l10n.t(
      "The proxy requires a user name and password. Set them in VS Code's setting http.proxy (http://name:password@host:port), reload the window, then try again.",
    );
  if (code.startsWith("PROXY_"))
    return l10n.t(
      "The proxy blocks the service ({0}). Have the service's address allowed, or add it to VS Code's setting http.noProxy, then try again.",
      code.slice("PROXY_".length),
    );
  if (UNKNOWN_ISSUER.test(code))
    return l10n.t(
      "This machine does not trust the certificate of the service ({0}). Add your organisation's certificate authority to the certificates of this machine, reload the window, then try again.",
      code,
    );
  if (NOT_SAFE.test(code))
    return l10n.t(
      "A secure connection to the service could not be established ({0}). Check the base URL and the certificate of the service, then try again.",
      code,
    );
  return l10n.t("The service cannot be reached. Check the connection and the base URL, then try again.");
}

/** The service's own words, which follow the language that was asked for; at most three of them. */
function refusal(error: ApiError): string {
  const own = Object.values(error.errors ?? {}).flat();
  const message = own.length > 0 ? own.slice(0, 3).join(" ") : (error.serviceMessage ?? error.message);
  return sentence(message);
}

function sentence(message: string): string {
  return /[.!?]$/u.test(message) ? message : `${message}.`;
}

/** How long ago, in words: "2 days ago". `at` and `now` in milliseconds since the epoch. */
export function ago(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const message = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 60) return l10n.t("just now");
  if (size < 3600) return message.format(Math.round(seconds / 60), "minute");
  if (size < 86_400) return message.format(Math.round(seconds / 3600), "hour");
  if (size < 2_592_000) return message.format(Math.round(seconds / 86_400), "day");
  if (size < 31_536_000) return message.format(Math.round(seconds / 2_592_000), "month");
  return message.format(Math.round(seconds / 31_536_000), "year");
}

/** Day and time of a moment as the language writes them. */
export function dateTime(at: number | Date): string {
  return new Date(at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

/** A count with the separators of the language. */
export function number(count: number): string {
  return count.toLocaleString(language());
}
