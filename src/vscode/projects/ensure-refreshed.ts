/** Refreshes a project before a command uses its content. */
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
  const { error, code, cause } = project.freshness;
  const isRefused = error === "unauthorized" || error === "forbidden";
  if (project.keysComplete && !isRefused) return;
  if (cause !== undefined) throw cause;
  throw new CommandError(error as FailureCode, errorKindMessage(error, code));
}
