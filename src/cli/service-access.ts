/**
 * The token of the environment, and the only place that it is sent to. The project file is data of the repository, which
 * anybody who proposes a change can write: it never decides where a token is sent.
 */
import { parseBaseUrl } from "../api/parse-base-url.ts";
import { CommandError } from "../commands/command-types.ts";
import { baseUrlErrorMessage } from "../messages/connection-messages.ts";
import type { ServiceAccess } from "../projects/sign-in.ts";
import { l10n } from "../util/l10n.ts";
import type { ProjectFile } from "../workspace/project-file/project-file.ts";

export const TOKEN_VARIABLE = "PROJECT_TRANSLATIONS_TOKEN";
/** The base URL or the origin of the service that the token is for. */
export const URL_VARIABLE = "PROJECT_TRANSLATIONS_URL";

/** Whether the environment has a token. */
export function hasToken(): boolean {
  return variable(TOKEN_VARIABLE) !== "";
}

function variable(name: string): string {
  return (process.env[name] ?? "").trim();
}

/**
 * Returns the access that the environment gives to the project of a file. The base URL is that of the file if it has the
 * origin of the environment, else that of the environment.
 * @throws {CommandError} without a token or its URL, or if the file names another origin
 */
export function accessTo({ baseUrl }: Pick<ProjectFile, "baseUrl">): ServiceAccess {
  const token = variable(TOKEN_VARIABLE);
  if (token === "")
    throw new CommandError(
      "not_signed_in",
      l10n.t("Set the environment variable {0} to a token of the project.", TOKEN_VARIABLE),
    );
  const given = variable(URL_VARIABLE);
  if (given === "")
    throw new CommandError(
      "not_signed_in",
      l10n.t(
        "Set the environment variable {0} to the base URL of the service that the token is for: the token is sent nowhere else.",
        URL_VARIABLE,
      ),
    );
  const own = parseBaseUrl(given);
  if (own.kind === "refused")
    throw new CommandError("invalid", `${URL_VARIABLE}: ${baseUrlErrorMessage(own.reason)}`);
  const named = baseUrl === undefined ? null : parseBaseUrl(baseUrl);
  if (named?.kind !== "ok") return { token, baseUrl: own.url };
  if (named.origin !== own.origin)
    throw new CommandError(
      "invalid",
      l10n.t(
        "project-translations.json names {0}, but the token is for {1}, so nothing was sent. Correct the file, or {2} and the token together.",
        named.origin,
        own.origin,
        URL_VARIABLE,
      ),
    );
  return { token, baseUrl: own.url === own.origin ? named.url : own.url };
}
