/** Clients of the service as this window opens them, and what the service says to a token before it is kept. */
import { createClient, type Client } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import type { OnWait } from "../../api/platform.ts";
import { SESSION_ENDED } from "../../database/project-state.ts";
import { introduce } from "../../sync/sign-in.ts";
import { clock } from "../clock.ts";
import type { LogChannel } from "../log.ts";
import type { VerifiedToken } from "./token-storage.ts";
import { language } from "../l10n.ts";

interface ClientOptions {
  readonly onWait?: OnWait;
  /** Nothing is sent any more once it is aborted. */
  readonly ended?: AbortSignal;
}

/** A client with the extension host's own `fetch`, the only one that has the user's proxy and certificates. */
export function openClient(
  baseUrl: string,
  token: string,
  log: LogChannel,
  { onWait, ended }: ClientOptions = {},
): Client {
  log.hide(token.trim());
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
    ...(onWait === undefined ? {} : { onWait }),
  });
}

/** Asks the service who the token is, before it is kept. Changes nothing there. Throws ApiError. */
export async function verifyToken(
  baseUrl: string,
  token: string,
  log: LogChannel,
  options: { readonly signal: AbortSignal; readonly onWait?: OnWait },
): Promise<VerifiedToken> {
  const client = openClient(baseUrl, token, log);
  return { baseUrl: client.baseUrl, token: token.trim(), ...(await introduce(client, options)) };
}
