/**
 * What went wrong, for people: every kind of error as one sentence that says what to do, and one next step. Decides by
 * kinds and codes alone, never by somebody's words.
 */
import { ApiError } from "../api/errors.ts";
import { CommandError, type Failure, type FailureCode } from "./outcome.ts";
import { language, l10n } from "./words.ts";

/** The one button beside a sentence. */
export type NextStep = "sign-in" | "try-again" | "show-log" | "manage-trust" | "none";

/** The failure that a thrown error is. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    return { code: error.code, message: error.message, ...error.details };
  }
  if (error instanceof ApiError) {
    const { kind, status, reason, errors } = error;
    return {
      code: kind,
      message: sentenceOf(error),
      ...(status === undefined ? {} : { status }),
      ...(reason === undefined ? {} : { reason }),
      ...(errors === undefined ? {} : { errors }),
    };
  }
  if (isFileError(error)) {
    return {
      code: "unsafe_file",
      message: l10n.t(
        "A file could not be read or written: {0}. Look at its permissions, then try again.",
        wordsOf(error),
      ),
    };
  }
  return {
    code: "bad_response",
    message: l10n.t("Something unexpected went wrong: {0}. The log has the whole story.", wordsOf(error)),
  };
}

function wordsOf(error: unknown): string {
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

/** One sentence for an error of the client, and what to do about it. */
export function sentenceOf(error: ApiError): string {
  switch (error.kind) {
    case "invalid":
      return l10n.t("The service refused this: {0} Change what it names, then try again.", refusal(error));
    case "key_limit_reached":
      return error.limit === undefined
        ? l10n.t(
            "The key limit of your plan is reached, so nothing was written. Archive keys that are not used, or ask for a larger plan.",
          )
        : l10n.t(
            "The key limit of your plan is reached ({0} of {1} in use, {2} more asked for), so nothing was written. Archive keys that are not used, or ask for a larger plan.",
            error.used ?? "?",
            error.limit,
            error.requested ?? "?",
          );
    case "busy":
      return error.reason === "source_language_change"
        ? l10n.t("The source language of the project is being changed. Try again when that has ended.")
        : l10n.t("The project is busy with somebody else's work. Try again in a moment.");
    case "rate_limited":
      return error.retryAfter === undefined
        ? l10n.t("The service takes no more requests for now. Try again in a minute.")
        : l10n.t("The service takes no more requests for now. Try again in {0} seconds.", error.retryAfter);
    case "bad_response":
      return error.field === undefined
        ? l10n.t(
            "The answer could not be read. Check that the base URL is that of the Project Translation Service.",
          )
        : l10n.t(
            "The answer could not be read ({0}). Check that the base URL is that of the Project Translation Service.",
            error.field,
          );
    case "unauthorized":
    case "forbidden":
    case "not_found":
    case "offline":
    case "timeout":
      return sentenceOfKind(error.kind, error.code);
  }
}

/** The sentence of a kind, where no more is known (what a background refresh left behind) than a connection's code. */
export function sentenceOfKind(kind: string, code?: string): string {
  switch (kind) {
    case "unauthorized":
      return l10n.t("The service does not accept the token. Sign in with a new one.");
    case "forbidden":
      return l10n.t(
        "This token may not do that, or the project is archived. Sign in with a token that may write, or have the project restored.",
      );
    case "not_found":
      return l10n.t("The service does not know this. Refresh, then look again.");
    case "offline":
      return sentenceOfConnection(code);
    case "timeout":
      return l10n.t("The service did not answer in time. Try again.");
    case "busy":
      return l10n.t("The project is busy with somebody else's work. Try again in a moment.");
    case "rate_limited":
      return l10n.t("The service takes no more requests for now. Try again in a minute.");
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
      "The proxy wants a name and a password that it accepts. Put them into VS Code's setting http.proxy (http://name:password@host:port), reload the window, then try again.",
    );
  if (code.startsWith("PROXY_"))
    return l10n.t(
      "The proxy does not open the way to the service ({0}). Have it allow the service's address, or add that address to VS Code's setting http.noProxy, then try again.",
      code.slice("PROXY_".length),
    );
  if (UNKNOWN_ISSUER.test(code))
    return l10n.t(
      "The certificate of the service comes from somebody whom this machine does not trust ({0}). Add your organisation's certificate authority to the certificates of this machine, reload the window, then try again.",
      code,
    );
  if (NOT_SAFE.test(code))
    return l10n.t(
      "No safe connection to the service could be made ({0}). Check the base URL and the certificate of the service, then try again.",
      code,
    );
  return l10n.t("The service cannot be reached. Check the connection and the base URL, then try again.");
}

/** The service's own words, which follow the language that was asked for; at most three of them. */
function refusal(error: ApiError): string {
  const own = Object.values(error.errors ?? {}).flat();
  const words = own.length > 0 ? own.slice(0, 3).join(" ") : (error.serviceMessage ?? error.message);
  return /[.!?]$/u.test(words) ? words : `${words}.`;
}

/** How long ago, in words: "2 days ago". `at` and `now` in milliseconds since the epoch. */
export function ago(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const words = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 60) return l10n.t("just now");
  if (size < 3600) return words.format(Math.round(seconds / 60), "minute");
  if (size < 86_400) return words.format(Math.round(seconds / 3600), "hour");
  if (size < 2_592_000) return words.format(Math.round(seconds / 86_400), "day");
  if (size < 31_536_000) return words.format(Math.round(seconds / 2_592_000), "month");
  return words.format(Math.round(seconds / 31_536_000), "year");
}

/** Day and time of a moment as the language writes them. */
export function dateTime(at: number | Date): string {
  return new Date(at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

/** A count with the separators of the language. */
export function number(count: number): string {
  return count.toLocaleString(language());
}
