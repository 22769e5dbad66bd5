/** Brings a project up to date for somebody who wants its content now, and says why when that fails. */
import type { OpenProject } from "./projects/project-handle.ts";
import { sentenceOfKind } from "./ui/error-messages.ts";
import { CommandError, type FailureCode } from "./command-result.ts";

/**
 * Asks what is new; where nobody is signed in, the local files. Where the service cannot be reached a complete cache is good enough. Throws CommandError with the
 * kind of the failure without one, and where the service refused the token: it may show nothing then. Rejects with the
 * signal's reason.
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
  throw new CommandError(error as FailureCode, sentenceOfKind(error, code));
}
