/** Asks the service whose token it is and what it may do, before anybody keeps it. Nothing is kept here. */
import type { Client, RequestOptions } from "../api/client.ts";
import type { ProjectRecord } from "../api/holes.ts";
import type { Stats } from "../api/schemas.ts";

/** What the service said to a token. */
export interface Introduced {
  readonly record: ProjectRecord;
  readonly stats: Stats;
  readonly canWrite: boolean;
}

/** Changes nothing at the service. Throws ApiError. */
export async function introduce(client: Client, options: RequestOptions = {}): Promise<Introduced> {
  const asked = { priority: "person" as const, ...options };
  const record = await client.project(asked);
  const stats = await client.stats(asked);
  const canWrite = await client.probeWriteScope(asked);
  return { record, stats, canWrite };
}
