/** Verifies after a large push that the stored keys are current, with few requests. */
import { diffInBatches } from "../../api/batches.ts";
import type { Client } from "../../api/client.ts";
import { MAX_ITEMS, type DiffKey } from "../../api/endpoints.ts";
import type { Project } from "../../database/project-state.ts";
import { yieldNow } from "../../model/time-slices.ts";

/** Keys collected per time slice, about 5 ms. */
const BATCH_SIZE = 2_000;

/**
 * Returns whether `POST /keys/diff` finds no changed or archived key; `false` also where reading `sent` keys back
 * costs no more requests.
 * @throws {ApiError}
 */
export async function areKeysUnchanged(
  { project }: { readonly project: Project },
  client: Client,
  sent: number,
): Promise<boolean> {
  if (sent / MAX_ITEMS.page <= 1 + project.keys.size / MAX_ITEMS.diff) return false;
  const keys: DiffKey[] = [];
  let seen = 0;
  for (const { hash, sourceHash } of project.keys.values()) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    keys.push({ hash, sourceHash });
  }
  const answer = await diffInBatches(client, keys, { priority: "background" });
  return answer !== null && answer.new.length + answer.changed.length + answer.restored.length === 0;
}
