/** Asks the service whose token it is and what it may do, before anybody keeps it. Nothing is kept here. */
import type { Client, RequestOptions } from "../api/client.ts";
import { isApiError } from "../api/errors.ts";
import type { ProjectRecord } from "../api/undocumented-fields.ts";
import type { Stats } from "../api/schemas.ts";

/** What the service said to a token. */
export interface Introduced {
  readonly record: ProjectRecord;
  readonly stats: Stats;
  readonly canWrite: boolean;
}

/** How long a busy project is waited for only to learn whether the token may write. Milliseconds. */
const BUSY_PROBE_MS = 5_000;

/**
 * Asks for the project, its progress and what the token may do. Changes nothing at the service. Where it goes on being
 * busy the token is taken for one that may write: "another writer holds the lock" (§ Errors, 409) is no word against
 * it, and a write that is forbidden says so. Throws ApiError.
 */
export async function introduce(client: Client, options: RequestOptions = {}): Promise<Introduced> {
  const asked = { priority: "person" as const, ...options };
  const record = await client.project(asked);
  const stats = await client.stats(asked);
  return { record, stats, canWrite: await mayWrite(client, asked) };
}

async function mayWrite(client: Client, options: RequestOptions): Promise<boolean> {
  try {
    return await client.probeWriteScope({ busyTimeout: BUSY_PROBE_MS, ...options });
  } catch (error) {
    if (isApiError(error, "busy")) return true;
    throw error;
  }
}
