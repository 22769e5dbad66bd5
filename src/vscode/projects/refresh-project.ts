/** Refreshes of a project before a command uses its content, and after it changed the service. */
import { isApiError } from "../../api/errors.ts";
import { ensureTranslations as ensureLanguage } from "../../sync/refresh/ensure-translations.ts";
import type { OpenProject } from "./open-project.ts";

/**
 * Refreshes the project from the service or, if nobody is signed in, from its local files. If the service cannot be
 * reached, a complete cache is sufficient. Rejects with the signal's reason if aborted.
 *
 * @throws {ApiError} if the service refused the token, or cannot be reached and the cache is incomplete.
 */
export async function ensureRefreshed(open: OpenProject, signal: AbortSignal): Promise<void> {
  const { connection } = open;
  if (!connection.source.hasService) return connection.loadLocal(signal);
  const stats = await (await connection.refresher).refresh({ priority: "person", signal });
  const { freshness } = connection;
  if (stats !== null || freshness.kind !== "offline") return;
  const { error } = freshness;
  const isRefused = isApiError(error, "unauthorized") || isApiError(error, "forbidden");
  if (!connection.keysComplete || isRefused) throw error;
}

/** Ensures that the keys are current, like `ensureRefreshed`, without waiting for translations that are in files. */
export async function ensureKeysRefreshed(open: OpenProject, signal: AbortSignal): Promise<void> {
  await (open.source.hasService ? ensureRefreshed(open, signal) : open.connection.loadLocalKeys(signal));
}

/** Reads the keys if they were never read completely, and updates them from the local files if nobody is signed in. */
export async function ensureKeys(open: OpenProject, signal: AbortSignal): Promise<void> {
  await open.loadLocal(signal);
  if (!open.keysComplete) await (await open.refresher).refresh({ priority: "person", signal });
}

/**
 * As `ensureTranslations` of src/sync/refresh.
 *
 * @throws {ApiError}
 */
export async function ensureTranslations(open: OpenProject, locale: string): Promise<void> {
  await ensureLanguage({ project: open, refresher: await open.refresher }, locale);
}

/** Reads the local files as they are on disk now, if keys and texts come from them alone. */
export async function reloadFiles(open: OpenProject, signal: AbortSignal): Promise<void> {
  if (open.source.hasService) return;
  await open.local.reload(signal);
  await open.loadLocal(signal);
}

/** Refreshes the project after a change at the service. Does not wait; failures only set its `freshness`. */
export function refreshInBackground({ refresher }: OpenProject): void {
  // Rejects only if the database could not be read, which is logged when the project is opened.
  refresher.then((opened) => opened.refresh({ priority: "person" })).catch(() => undefined);
}
