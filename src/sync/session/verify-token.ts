/** Determines which project a token belongs to and what it may do, before the token is stored. */
import type { Client, RequestOptions } from "../../api/client.ts";
import { isApiError } from "../../api/errors.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import type { Stats } from "../../api/response-schemas.ts";

/** What a token gives access to. */
export interface ProjectAccess {
  readonly record: ProjectRecord;
  readonly stats: Stats;
  readonly canWrite: boolean;
}

/** How long a busy project is retried just to find out whether the token has write scope. */
const PROBE_BUSY_TIMEOUT_MS = 5_000;

/**
 * Reads the project, its progress and whether the token may write, without changing anything. If the project stays
 * busy, write scope is assumed: "another writer holds the lock" (§ Errors, 409) is no evidence against it, and a
 * forbidden write reports itself.
 * @throws {ApiError}
 */
export async function readProjectAccess(
  client: Client,
  options: RequestOptions = {},
): Promise<ProjectAccess> {
  const requestOptions = { priority: "person" as const, ...options };
  const record = await client.project(requestOptions);
  const stats = await client.stats(requestOptions);
  const probe = client.probeWriteScope({ busyTimeoutMs: PROBE_BUSY_TIMEOUT_MS, ...requestOptions });
  const canWrite = await probe.catch((error: unknown) => {
    if (isApiError(error, "busy")) return true;
    throw error;
  });
  return { record, stats, canWrite };
}
