/** The connection to the service of a project that a folder has: signed in with the token of the environment, for this run only. */
import { createClient, type Client } from "../api/client.ts";
import { isApiError } from "../api/errors.ts";
import { clock } from "../api/system-clock.ts";
import { CommandError } from "../commands/command-types.ts";
import type { Project } from "../database/project-state.ts";
import { waitMessage } from "../messages/connection-messages.ts";
import { archivedMessage } from "../messages/error-messages.ts";
import type { Log } from "../model/platform.ts";
import { Jobs } from "../sync/poll-jobs.ts";
import { Refresher } from "../sync/refresh/refresh.ts";
import { type ProjectAccess, readProjectAccess } from "../sync/session/verify-token.ts";
import { definedFields } from "../util/defined-fields.ts";
import { language } from "../util/l10n.ts";
import { previewLocales } from "../workspace/project-file/preview-locales.ts";
import type { ProjectFile } from "../workspace/project-file/project-file.ts";
import type { Progress } from "./progress.ts";
import { type Environment, type ServiceAccess, wholeBaseUrl } from "./service-access.ts";

export interface ServiceConnection {
  readonly client: Client;
  readonly refresher: Refresher;
  readonly jobs: Jobs;
}

export interface ConnectOptions {
  /** Has the token. */
  readonly environment: Environment;
  readonly progress: Pick<Progress, "report">;
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
 * Verifies a token. Changes nothing.
 * @throws {ApiError | CommandError} `forbidden` if the project is archived
 */
export async function signIn(
  { token, baseUrl }: ServiceAccess,
  { progress, signal }: Pick<ConnectOptions, "progress"> & { readonly signal?: AbortSignal | undefined },
): Promise<SignedIn> {
  const client = createClient({
    baseUrl: await wholeBaseUrl(baseUrl, signal),
    token,
    fetch: globalThis.fetch,
    clock,
    log: NO_LOG,
    locale: language,
    onWait: (wait) => {
      if (wait !== null) progress.report(waitMessage(wait));
    },
  });
  const access = await readProjectAccess(client, definedFields({ signal })).catch((error: unknown) => {
    // Only reads fail here, which every token may do unless the project is archived (§ Authentication 4, 6).
    throw isApiError(error, "forbidden") ? new CommandError("forbidden", archivedMessage()) : error;
  });
  return { client, ...access, projectId: `${client.baseUrl} ${access.record.slug}` };
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
