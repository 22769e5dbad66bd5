/** Signs in to the service of a project: reads what a token gives access to, and opens the connection of a folder on disk. */
import { createClient, type Client, type RequestOptions } from "../api/client.ts";
import { discoverBaseUrl } from "../api/discover-base-url.ts";
import { isApiError } from "../api/errors.ts";
import { parseBaseUrl } from "../api/parse-base-url.ts";
import { clock } from "../api/system-clock.ts";
import { CommandError } from "../commands/command-types.ts";
import type { Project } from "../database/project-state.ts";
import { noServiceError, waitMessage } from "../messages/connection-messages.ts";
import { archivedMessage } from "../messages/error-messages.ts";
import type { Log } from "../model/platform.ts";
import { Jobs } from "../sync/poll-jobs.ts";
import { Refresher } from "../sync/refresh/refresh.ts";
import { type ProjectAccess, readProjectAccess } from "../sync/session/verify-token.ts";
import { definedFields } from "../util/defined-fields.ts";
import { language } from "../util/l10n.ts";
import { previewLocales } from "../workspace/project-file/preview-locales.ts";
import type { ProjectFile } from "../workspace/project-file/project-file.ts";

export interface ServiceConnection {
  readonly client: Client;
  readonly refresher: Refresher;
  readonly jobs: Jobs;
}

/** A token and the base URL that it is sent to. */
export interface ServiceAccess {
  readonly token: string;
  readonly baseUrl: string;
}

export interface ConnectOptions {
  /** Returns the access to the project of a file. @throws {CommandError} */
  readonly accessTo: (file: ProjectFile) => ServiceAccess;
  readonly progress: { report(message: string): void };
}

/** Failures are thrown, so nothing is logged. */
export const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

function nothing(): void {}

/** A token that was verified. */
export interface SignedIn extends ProjectAccess {
  readonly client: Client;
  /** Identifies the project of the token: as good as can be told without what the editor remembers of it. */
  readonly projectId: string;
}

/**
 * Verifies the token of a project. Changes nothing.
 * @throws {ApiError | CommandError} `forbidden` if the project is archived
 */
export async function signIn(
  { accessTo, progress }: ConnectOptions,
  file: ProjectFile,
  signal: AbortSignal | undefined,
): Promise<SignedIn> {
  const { token, baseUrl } = accessTo(file);
  const read = parseBaseUrl(baseUrl);
  const client = createClient({
    baseUrl: read.kind === "ok" && read.hasVersion ? read.url : await findBaseUrl(baseUrl, signal),
    token,
    fetch: globalThis.fetch,
    clock,
    log: NO_LOG,
    locale: language,
    onWait: (wait) => {
      if (wait !== null) progress.report(waitMessage(wait));
    },
  });
  const access = await readAccess(client, definedFields({ signal }));
  return { client, ...access, projectId: `${client.baseUrl} ${access.record.slug}` };
}

/**
 * Reads what a token gives access to. Changes nothing.
 * @throws {ApiError | CommandError} `forbidden` if the project is archived
 */
export function readAccess(client: Client, options: RequestOptions): Promise<ProjectAccess> {
  return readProjectAccess(client, options).catch((error: unknown) => {
    // Only reads fail here, which every token may do unless the project is archived (§ Authentication 4, 6).
    throw isApiError(error, "forbidden") ? new CommandError("forbidden", archivedMessage()) : error;
  });
}

/**
 * Returns the base URL with its version segment, which people leave out. Sends only requests without a token. If they are
 * inconclusive, verifying the token will tell.
 * @throws {CommandError} `not_found`
 */
export async function findBaseUrl(baseUrl: string, signal?: AbortSignal): Promise<string> {
  const found = await discoverBaseUrl(baseUrl, { fetch: globalThis.fetch, clock }, signal);
  if (found.kind === "not-found") throw noServiceError(baseUrl);
  if (found.kind === "unreachable") throw found.error;
  return found.kind === "found" ? found.url : baseUrl;
}

/** Opens the connection of a project that has just been created. */
export async function openConnection(
  project: Project,
  { client, record, stats, canWrite }: SignedIn,
  file: ProjectFile,
): Promise<ServiceConnection> {
  const { slug, name } = record;
  project.setSession({ kind: "signed-in", baseUrl: client.baseUrl, slug, name, canWrite });
  project.setStats(stats, { kind: "fresh", at: clock.now() });
  const dependencies = { project, client: () => client, clock, log: NO_LOG };
  return {
    client,
    refresher: await Refresher.open({ ...dependencies, preview: () => previewLocales(file, project.stats) }),
    jobs: new Jobs({ ...dependencies, window: crypto.randomUUID(), onUnattendedEnd: nothing }),
  };
}
