/**
 * User-facing messages for errors: what went wrong, what to do, and the next step to offer. Decided by error kinds and
 * codes, never by message texts.
 */
import { MALFORMED_TEXT } from "../api/batches.ts";
import { ApiError, isUncertainKind, type ApiErrorKind, type RefusedItem } from "../api/errors.ts";
import { isAbortError } from "../util/abort-error.ts";
import { definedFields } from "../util/defined-fields.ts";
import type { Project } from "../database/project-state.ts";
import { SESSION_ENDED, type Session } from "../database/session/session.ts";
import {
  CommandError,
  KeptInputError,
  PartialResultError,
  type Failure,
  type FailureCode,
  type FailureDetails,
} from "../commands/command-types.ts";
import { type KeySpelling, projectDisplayName, projectKeyLabel } from "./labels.ts";
import { l10n } from "../util/l10n.ts";
import { formatDuration, formatNumber } from "./counts-and-times.ts";
import { programText } from "./program-texts.ts";

/** The action that the error notification offers. */
export type NextStep = "sign-in" | "sign-out" | "try-again" | "show-log" | "manage-trust" | "none";

/** Converts a thrown error to a failure. `done` is prepended to the message: what was done before the error. */
export function toFailure(error: unknown, done?: string, project?: KeySpelling): Failure {
  const failure = plainFailure(error, done !== undefined, project);
  return done === undefined ? failure : { ...failure, message: `${done} ${failure.message}` };
}

/**
 * Returns the error of a command that failed or was cancelled after part of its work.
 *
 * @param done what was done
 * @param rest the number of items that were not, or, if there was no response, may not have been
 * @param fields the result fields that describe the completed part
 */
export function partialResultError(
  done: string,
  rest: number,
  fields: object,
  cause: unknown,
): PartialResultError {
  const isKnown = cause instanceof CommandError || cause instanceof ApiError;
  const isCertain = isAbortError(cause) || (isKnown && !isUncertainKind(toFailure(cause).code));
  const notDone = isCertain
    ? l10n.t("Not done: {0}.", formatNumber(rest))
    : l10n.t("Not done, or not confirmed: {0}.", formatNumber(rest));
  return new PartialResultError(`${done} ${notDone}`, fields, cause);
}

function plainFailure(error: unknown, isPartlyDone: boolean, project: KeySpelling | undefined): Failure {
  if (error instanceof KeptInputError) {
    const failure = plainFailure(error.cause, isPartlyDone, project);
    return { ...failure, message: `${failure.message} ${l10n.t("What you typed is kept.")}` };
  }
  if (error instanceof CommandError) {
    return { code: error.code, message: error.message, ...error.details };
  }
  if (error instanceof ApiError) {
    const { kind, status, reason, errors, items } = error;
    return {
      code: kind,
      message: apiErrorMessage(error, isPartlyDone, project),
      ...definedFields({ status, reason, errors, items }),
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

/** Whether it is a file system error: Node's have an upper-case code, VS Code's are named `FileSystemError`. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return error.name.includes("FileSystem") || (typeof code === "string" && /^E[A-Z]{2,}$/u.test(code));
}

const NEXT_STEPS: Readonly<Record<FailureCode, NextStep>> = {
  unauthorized: "sign-in",
  forbidden: "sign-in",
  not_signed_in: "sign-in",
  busy: "try-again",
  rate_limited: "try-again",
  offline: "try-again",
  timeout: "try-again",
  server_error: "try-again",
  file_changed: "try-again",
  no_model: "try-again",
  model_refused: "try-again",
  untrusted: "manage-trust",
  not_found: "show-log",
  invalid: "show-log",
  key_limit_reached: "show-log",
  bad_response: "show-log",
  job_failed: "show-log",
  unsafe_file: "show-log",
  no_project: "none",
  cancelled: "none",
};

/** The reason of failures of an archived project. */
const ARCHIVED = "archived";

/** Returns the action to offer for a failure. */
export function nextStep({ code, reason }: Pick<Failure, "code" | "reason">): NextStep {
  return code === "forbidden" && reason === ARCHIVED ? "sign-out" : NEXT_STEPS[code];
}

/** Returns what happened and what to do. `isPartlyDone`: earlier requests of the command succeeded. */
function apiErrorMessage(error: ApiError, isPartlyDone = false, project?: KeySpelling): string {
  switch (error.kind) {
    case "invalid":
      return error.items === undefined
        ? l10n.t("The service refused this: {0} Correct it, then try again.", serviceMessages(error))
        : refusedItemsMessage(error.items, isPartlyDone, project);
    case "key_limit_reached":
      return keyLimitMessage(error, isPartlyDone);
    case "busy":
      return error.reason === "source_language_change"
        ? l10n.t("The source language of the project is being changed. Try again when that is done.")
        : errorKindMessage(error.kind);
    case "rate_limited":
      return error.retryAfter === undefined
        ? errorKindMessage(error.kind)
        : l10n.t("Too many requests to the service. Try again in {0}.", formatDuration(error.retryAfter));
    case "bad_response":
      return badResponseMessage(error);
    case "server_error":
      return serverErrorMessage(error);
    case "unauthorized":
      return error.reason === SESSION_ENDED
        ? l10n.t("The sign-in changed in the meantime, so nothing more was sent. Try again.")
        : errorKindMessage(error.kind);
    case "forbidden":
    case "not_found":
    case "offline":
    case "timeout":
    case "cancelled":
      return errorKindMessage(error.kind, error.code);
  }
}

function keyLimitMessage({ limit, used, requested }: ApiError, isPartlyDone: boolean): string {
  const message =
    limit === undefined
      ? l10n.t("The key limit of your plan is reached.")
      : l10n.t(
          "The key limit of your plan is reached ({0} of {1} in use, {2} more asked for).",
          used ?? "?",
          limit,
          requested ?? "?",
        );
  const done = isPartlyDone ? [] : [l10n.t("Nothing was written.")];
  return [message, ...done, l10n.t("Archive keys that are not used, or ask for a larger plan.")].join(" ");
}

/** Names the first refused key and counts the others. */
function refusedItemsMessage(
  items: readonly RefusedItem[],
  isPartlyDone: boolean,
  project: KeySpelling | undefined,
): string {
  const keys = new Map<string, RefusedItem>();
  for (const item of items) {
    const id = JSON.stringify([item.namespace, item.key, item.context, item.locale]);
    if (!keys.has(id)) keys.set(id, item);
  }
  const [first] = keys.values();
  if (first === undefined) return "";
  const location = [first.locale, first.file].filter((each) => each !== undefined);
  const name = `${projectKeyLabel(project, first)}${location.length === 0 ? "" : ` (${location.join(", ")})`}`;
  const message = first.messages.slice(0, 3).join(" ");
  const refused = refusedKeysMessage(name, keys.size - 1, message);
  const done = isPartlyDone ? [] : [l10n.t("Nothing was written.")];
  return [refused, ...done, l10n.t("Change the text, then try again.")].join(" ");
}

/** Names a refused key with the reason, and counts the other refused keys. */
export function refusedKeysMessage(name: string, more: number, reason: string): string {
  const sentence = withFullStop(reason);
  if (more === 0) return l10n.t("The service refused {0}: {1}", name, sentence);
  return more === 1
    ? l10n.t("The service refused {0} and 1 more key: {1}", name, sentence)
    : l10n.t("The service refused {0} and {1} more keys: {2}", name, formatNumber(more), sentence);
}

/** § Sync result: "Reasons other than `plural_changed`: not shown", so others are shown unchanged. */
export function rejectionReason(reason: string): string {
  return reason === "plural_changed"
    ? l10n.t("it would switch between a single text and plural forms. Archive the key first, or rename it")
    : reason;
}

/** § PUT /translations: the reasons of `skipped` are not shown. Returns the service's, to be put before a full stop. */
export function skipReason(reason: string): string {
  if (reason === MALFORMED_TEXT) return l10n.t("it contains half a character (an unpaired surrogate)");
  return reason === "" ? l10n.t("no reason given") : reason.replace(/\.$/u, "");
}

/** The service's own message if it sent one. */
function serverErrorMessage(error: ApiError): string {
  const { endpoint = "?", serviceMessage = "" } = error;
  const status = error.status ?? "?";
  return serviceMessage === ""
    ? l10n.t("The service failed at {0} ({1}). Try again later.", endpoint, status)
    : l10n.t(
        "The service failed at {0} ({1}): {2} Try again later.",
        endpoint,
        status,
        withFullStop(serviceMessage),
      );
}

/** The service's own message if it sent one, else the part of the response that could not be read. */
function badResponseMessage(error: ApiError): string {
  const { endpoint, field, serviceMessage = "", status } = error;
  if (serviceMessage !== "") return serverErrorMessage(error);
  if (endpoint === undefined) return errorKindMessage("bad_response");
  return l10n.t(
    "The answer to {0} could not be read ({1}). Check that the base URL is that of the Project Translation Service.",
    endpoint,
    field ?? status ?? "?",
  );
}

/** Returns the error for commands that need the service in a folder that is not trusted. */
export function untrustedError(): CommandError {
  return new CommandError(
    "untrusted",
    l10n.t("This folder is not trusted, so nothing is sent to the service. Trust it first."),
  );
}

/** Returns the error for a write with a token that may only read. */
export function readOnlyError(
  project: Pick<Project, "session" | "label">,
  details?: FailureDetails,
): CommandError {
  const name = projectDisplayName(project);
  const message =
    programText("readOnly", name) ??
    l10n.t("The token for {0} is read-only. Sign in with a token that has write access.", name);
  return new CommandError("forbidden", message, details);
}

/** Returns the message for a project that is archived, the same wherever it is met. */
export function archivedMessage(): string {
  return l10n.t("The project is archived: nothing can be read or changed until it is restored.");
}

/** Returns the error for a project that is archived. */
export function archivedError(): CommandError {
  return new CommandError("forbidden", archivedMessage(), { status: 403, reason: ARCHIVED });
}

/** Returns why nothing is shown of the first project whose service refuses; `undefined`: none does. */
export function refusedSessionMessage(
  projects: readonly { readonly session: Session }[],
): string | undefined {
  for (const { session } of projects)
    if (session.kind === "refused")
      return session.reason === "archived" ? archivedMessage() : errorKindMessage("unauthorized");
  return undefined;
}

/** Returns the message for an error of which only the kind and the platform's error code are known. */
export function errorKindMessage(kind: ApiErrorKind, code?: string): string {
  switch (kind) {
    case "unauthorized":
      return (
        programText("unauthorized") ??
        l10n.t("The service does not accept the token. Sign in with a new one.")
      );
    case "forbidden":
      return (
        programText("forbidden") ??
        l10n.t(
          "This token is not allowed to do that, or the project is archived. Sign in with a token that has write access, or have the project restored.",
        )
      );
    case "not_found":
      return l10n.t("The service could not find this. Refresh, then check again.");
    case "offline":
      return connectionErrorMessage(code);
    case "timeout":
      return l10n.t("The service did not answer in time. Try again.");
    case "busy":
      return l10n.t("Someone else is changing the project. Try again in a moment.");
    case "rate_limited":
      return l10n.t("Too many requests to the service. Try again in a minute.");
    case "server_error":
      return l10n.t("The service failed. Try again later.");
    case "cancelled":
      return (
        programText("cancelled") ??
        l10n.t(
          "Cancelled before the service answered, so it may have been written. Refresh, then check before you try again.",
        )
      );
    case "invalid":
      return l10n.t("The service refused this. Correct it, then try again.");
    case "key_limit_reached":
      return l10n.t("The key limit of your plan is reached.");
    case "bad_response":
      return l10n.t(
        "The answer could not be read. Check that the base URL is that of the Project Translation Service.",
      );
  }
}

/** Error codes of certificates from an unknown issuer, and of other TLS failures (expired, wrong host, protocol). */
const UNKNOWN_ISSUER = /LEAF_SIGNATURE|SELF_SIGNED|UNABLE_TO_GET_ISSUER|^CERT_UNTRUSTED$/u;
const INVALID_CERTIFICATE = /CERT|^ERR_SSL_|^ERR_TLS_|^EPROTO$/u;

/** Returns the message for a connection that failed with the platform's error code. */
function connectionErrorMessage(code = ""): string {
  if (code === "PROXY_UNREACHABLE")
    return l10n.t(
      "The proxy cannot be reached. Check its address (VS Code’s setting http.proxy, or the environment variable HTTPS_PROXY), then try again.",
    );
  if (code === "PROXY_407")
    return l10n.t(
      "The proxy requires a user name and password. Set them in its address (http://name:password@host:port): VS Code’s setting http.proxy, after which the window has to be reloaded, or the environment variable HTTPS_PROXY. Then try again.",
    );
  if (code.startsWith("PROXY_"))
    return l10n.t(
      "The proxy blocks the service ({0}). Have the service’s address allowed, or add it to VS Code’s setting http.noProxy, then try again.",
      code.slice("PROXY_".length),
    );
  if (UNKNOWN_ISSUER.test(code))
    return l10n.t(
      "This machine does not trust the certificate of the service ({0}). Add your organisation’s certificate authority to the certificates of this machine, reload the window, then try again.",
      code,
    );
  if (INVALID_CERTIFICATE.test(code))
    return l10n.t(
      "A secure connection to the service could not be established ({0}). Check the base URL and the certificate of the service, then try again.",
      code,
    );
  return l10n.t("The service cannot be reached. Check the connection and the base URL, then try again.");
}

/** Returns the first three messages of the service, which are in the requested language. */
function serviceMessages(error: ApiError): string {
  const messages = Object.values(error.errors ?? {}).flat();
  return withFullStop(
    messages.length > 0 ? messages.slice(0, 3).join(" ") : (error.serviceMessage ?? error.message),
  );
}

/** Ends a sentence of the service with a full stop if it has no other end. */
export function withFullStop(message: string): string {
  return /[.!?]$/u.test(message) ? message : `${message}.`;
}
