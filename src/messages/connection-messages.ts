/** Messages about the address of a service, and what a request waits for. */
import type { BaseUrl } from "../api/parse-base-url.ts";
import type { Wait } from "../api/rate-limiter.ts";
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
