/** Messages about the address of a service, and what a request waits for. */
import type { BaseUrl } from "../api/parse-base-url.ts";
import type { Wait } from "../api/rate-limiter.ts";
import type { Session } from "../database/session/session.ts";
import { CommandError } from "../commands/command-types.ts";
import { l10n } from "../util/l10n.ts";

/** Returns why an address is no base URL. */
export function baseUrlErrorMessage(reason: Extract<BaseUrl, { kind: "refused" }>["reason"]): string {
  switch (reason) {
    case "not_a_url":
      return l10n.t("Enter a web address, for example https://translations.example.com/v1");
    case "not_https":
      return l10n.t("The address must begin with https:// (http:// only works for this machine).");
    case "credentials":
      return l10n.t(
        "The address must not contain a user name or password. You will be asked for the token next.",
      );
    case "query":
      return l10n.t("The address must not contain a “?” or “#”.");
  }
}

/** The error for an address where the service is not. */
export function noServiceError(url: string): CommandError {
  return new CommandError(
    "not_found",
    l10n.t("There is no Project Translation Service at {0}. Check the address.", url),
  );
}

/** Returns why a request takes longer. */
export function waitMessage({ kind }: Wait): string {
  return kind === "busy" ? l10n.t("Waiting: the project is busy") : l10n.t("Paused: rate limit");
}

/** Returns how a session restricts what can be done, in a word or two; empty: not at all, or it is not known yet. */
export function sessionText(session: Session): string {
  switch (session.kind) {
    case "unknown":
      return "";
    case "untrusted":
      return l10n.t("not trusted");
    case "signed-out":
      return l10n.t("signed out");
    case "refused":
      return session.reason === "archived" ? l10n.t("archived") : l10n.t("token not accepted");
    case "signed-in":
      return session.canWrite ? "" : l10n.t("read-only");
  }
}
