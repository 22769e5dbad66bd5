/** API clients of this window, and the verification of tokens before they are stored. */
import { createClient, type Client, type ClientSettings } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { readAccess } from "../projects/sign-in.ts";
import type { OnWait } from "../api/rate-limiter.ts";
import { SESSION_ENDED } from "../database/session/session.ts";
import { definedFields } from "../util/defined-fields.ts";
import { clock } from "../api/system-clock.ts";
import type { LogChannel } from "./log.ts";
import type { VerifiedToken } from "../sync/session/token-storage.ts";
import { language } from "../util/l10n.ts";

/**
 * Creates a client that uses the extension host's `fetch`, since only that applies the user's proxy and certificates.
 * After `ended` is aborted it sends no more requests.
 */
export function openClient(
  baseUrl: string,
  token: string,
  log: LogChannel,
  {
    onWait,
    onUncertainWrite,
    ended,
  }: Pick<ClientSettings, "onWait" | "onUncertainWrite"> & { readonly ended?: AbortSignal } = {},
): Client {
  log.redact(token.trim());
  return createClient({
    baseUrl,
    token,
    fetch: (input, init) => {
      if (ended?.aborted !== true) return globalThis.fetch(input, init);
      return Promise.reject(
        new ApiError("unauthorized", "Not sent: the session has ended", { reason: SESSION_ENDED }),
      );
    },
    clock,
    log,
    locale: language,
    ...definedFields({ onWait, onUncertainWrite }),
  });
}

/**
 * Verifies a token and reads its project and scopes. Read-only.
 *
 * @throws {ApiError | CommandError} `forbidden` if the project is archived
 */
export async function verifyToken(
  baseUrl: string,
  token: string,
  log: LogChannel,
  options: { readonly signal: AbortSignal; readonly onWait?: OnWait },
): Promise<VerifiedToken> {
  const client = openClient(baseUrl, token, log);
  return { baseUrl: client.baseUrl, token: token.trim(), ...(await readAccess(client, options)) };
}
