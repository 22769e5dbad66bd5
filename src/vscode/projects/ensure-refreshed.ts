/** Refreshes of a project before a command uses its content, and after it changed the service. */
import type { Freshness } from "../../database/project-state.ts";
import type { OpenProject } from "./open-project.ts";
import { errorKindMessage } from "../ui/messages/error-messages.ts";
import { CommandError, type FailureCode } from "../commands/command-types.ts";

/**
 * Refreshes the project from the service or, if nobody is signed in, from its local files. If the service cannot be
 * reached, a complete cache is sufficient. Rejects with the signal's reason if aborted.
 *
 * @throws {CommandError} or {ApiError} if the service refused the token, or cannot be reached and the cache is incomplete.
 */
export async function ensureRefreshed(open: OpenProject, signal: AbortSignal): Promise<void> {
  const { project } = open;
  if (open.projectId === null) return open.updateLocal(signal);
  const stats = await (await open.refresher).refresh({ priority: "person", signal });
  if (stats !== null || project.freshness.kind !== "offline") return;
  const { error } = project.freshness;
  const isRefused = error === "unauthorized" || error === "forbidden";
  if (!project.keysComplete || isRefused) throw refreshError(project.freshness);
}

/** Returns the error of the last refresh. */
export function refreshError({ cause, error, code }: Freshness & { readonly kind: "offline" }): Error {
  return cause ?? new CommandError(error as FailureCode, errorKindMessage(error, code));
}

/** Reads the keys if they were never read completely, and updates them from the local files if nobody is signed in. */
export async function ensureKeys(open: OpenProject, signal: AbortSignal): Promise<void> {
  await open.updateLocal(signal);
  if (!open.project.keysComplete) await (await open.refresher).refresh({ priority: "person", signal });
}

/** Refreshes the project after a change at the service. Does not wait; failures only set its `freshness`. */
export function refreshInBackground({ refresher }: OpenProject): void {
  // Rejects only if the database could not be read, which is logged when the project is opened.
  refresher.then((opened) => opened.refresh({ priority: "person" })).catch(() => undefined);
}
