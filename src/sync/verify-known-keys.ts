/** Whether the keys are as they are known here after a large push, at the price of few requests. */
import { diffAll } from "../api/batches.ts";
import type { Client } from "../api/client.ts";
import { MOST, type DiffKey } from "../api/contract.ts";
import type { Project } from "../database/project-state.ts";
import { yieldNow } from "../model/time-slices.ts";

/** Keys gathered between two chances for other work; about 5 ms. */
const SLICE = 2_000;

/**
 * Asks by `POST /keys/diff` whether any key has another source text by now or is archived. `false` also where reading
 * `sent` keys back costs no more requests than that. Throws ApiError.
 */
export async function areKeysAsKnown(
  { project }: { readonly project: Project },
  client: Client,
  sent: number,
): Promise<boolean> {
  if (sent / MOST.page <= 1 + project.keys.size / MOST.diff) return false;
  const keys: DiffKey[] = [];
  let seen = 0;
  for (const { hash, sourceHash } of project.keys.values()) {
    if (++seen % SLICE === 0) await yieldNow();
    keys.push({ hash, sourceHash });
  }
  const answer = await diffAll(client, keys, { priority: "background" });
  return answer !== null && answer.new.length + answer.changed.length + answer.restored.length === 0;
}
