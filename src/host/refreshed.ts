/** Brings a project up to date for somebody who wants its content now, and says why when that fails. */
import type { OpenProject } from "./app.ts";
import { sentenceOfKind } from "./messages.ts";
import { CommandError, type FailureCode } from "./outcome.ts";

/**
 * Asks what is new. Where the service cannot be reached a complete cache is good enough; without one, CommandError
 * with the kind of the failure. Rejects with the signal's reason.
 */
export async function refreshed(open: OpenProject, signal: AbortSignal): Promise<void> {
  const { project } = open;
  const stats = await (await open.refresher).refresh({ priority: "person", signal });
  if (stats !== null || project.keysComplete || project.freshness.kind !== "offline") return;
  const { error, code } = project.freshness;
  throw new CommandError(error as FailureCode, sentenceOfKind(error, code));
}
