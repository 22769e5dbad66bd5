/** Whether the keys are as they are known here after a large push, at the price of few requests. */
import { diffAll } from "../api/batches.ts";
import type { Client } from "../api/client.ts";
import { MAX, type DiffKey } from "../api/endpoints.ts";
import type { Project } from "../database/project-state.ts";
import { yieldNow } from "../model/time-slices.ts";

/** Keys gathered between two chances for other work; about 5 ms. */
const BATCH_SIZE = 2_000;

/**
 * Asks by `POST /keys/diff` whether any key has another source text by now or is archived. `false` also where reading
 * `sent` keys back costs no more requests than that. Throws ApiError.
 */
export async function areKeysAsKnown(
  { project }: { readonly project: Project },
  client: Client,
  sent: number,
): Promise<boolean> {
  if (sent / MAX.page <= 1 + project.keys.size / MAX.diff) return false;
  const keys: DiffKey[] = [];
  let seen = 0;
  for (const { hash, sourceHash } of project.keys.values()) {
    if (++seen % BATCH_SIZE === 0) await yieldNow();
    keys.push({ hash, sourceHash });
  }
  const answer = await diffAll(client, keys, { priority: "background" });
  return answer !== null && answer.new.length + answer.changed.length + answer.restored.length === 0;
}
