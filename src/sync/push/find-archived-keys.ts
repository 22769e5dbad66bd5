/** Finds out which keys that seem to be new are archived at the service: a push leaves those as they are. */
import { diffInBatches } from "../../api/batches.ts";
import type { Client, RequestOptions } from "../../api/client.ts";
import type { DiffKey } from "../../api/endpoints.ts";
import type { Project } from "../../database/project-state.ts";
import { sourceHash } from "../../model/key-hash.ts";
import { isEmptyText } from "../../model/translation-text.ts";
import { forEachInSlices } from "../../util/event-loop.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";

/**
 * Compares the source texts whose keys are not known with the service, and stores which of them are archived: a list of
 * the active keys does not tell. One request per 10,000 such keys; none without any.
 *
 * @throws {ApiError}
 */
export async function findArchivedKeys(
  project: Project,
  client: Client,
  local: Pick<LocalEntries, "entries" | "sourceLocale">,
  options?: RequestOptions,
): Promise<void> {
  const isSameSession = project.sessionGuard();
  const unknown: DiffKey[] = [];
  await forEachInSlices(local.entries(local.sourceLocale).values(), ({ hash, text }) => {
    if (!project.keys.has(hash) && !isEmptyText(text)) unknown.push({ hash, sourceHash: sourceHash(text) });
  });
  if (unknown.length === 0) return;
  const diff = await diffInBatches(client, unknown, options);
  if (diff === null || !isSameSession()) return;
  await project.database.writeInSlices(project.keys.setArchived(diff.restored, diff.new));
}
