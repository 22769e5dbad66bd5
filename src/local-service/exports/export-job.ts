/** The export job: builds a large export in a thread and caches it for its download. */
import { JOB_TYPE_EXPORT, MAX_CACHED_EXPORTS } from "../specification-decisions.ts";
import { timestamp, type ServiceContext } from "../service-context.ts";
import { succeedJob } from "../jobs/job-store.ts";
import type { JobKind } from "../jobs/job-runner.ts";
import { totals } from "../store/store-rows.ts";
import { runInThread } from "../worker-thread.ts";
import type { BuiltExport, ExportRequest } from "./build-export.ts";

export function exportJob(context: ServiceContext): JobKind {
  return {
    type: JOB_TYPE_EXPORT,
    run: async (task) => {
      const request = task.request as ExportRequest;
      const total = countValues(context, request);
      task.report({ done: 0, total });
      const built = await runInThread(
        { kind: "build", dataFile: context.store.file, request },
        false,
        task.stopping,
      );
      await context.store.write(Number.POSITIVE_INFINITY, (connection) => {
        connection
          .sql(
            `INSERT OR REPLACE INTO exports (request, content_version, etag, media_type, file_name, bytes, built_at)
             VALUES (?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            JSON.stringify(request),
            built.contentVersion,
            built.etag,
            built.mediaType,
            built.fileName,
            built.bytes,
            timestamp(context.now()),
          );
        connection
          .sql(
            "DELETE FROM exports WHERE request NOT IN (SELECT request FROM exports ORDER BY built_at DESC LIMIT ?)",
          )
          .run(MAX_CACHED_EXPORTS);
        const result = { etag: built.etag, size: built.bytes.length, contentVersion: built.contentVersion };
        succeedJob(connection, task.id, { done: total, total }, result, context.now());
      });
      context.log(`export ${task.id}: ${built.bytes.length} bytes`);
    },
  };
}

/** Returns the number of values of an export: keys times languages. */
export function countValues(context: ServiceContext, request: ExportRequest): number {
  return totals(context.store.reader).active * request.locales.length;
}

/** Returns the export that a job built of this content version, if any. */
export function cachedExport(
  context: ServiceContext,
  request: ExportRequest,
  contentVersion: number,
): BuiltExport | undefined {
  const row = context.store.reader
    .sql("SELECT etag, media_type, file_name, bytes FROM exports WHERE request = ? AND content_version = ?")
    .get(JSON.stringify(request), contentVersion);
  if (row === undefined) return undefined;
  return {
    contentVersion,
    etag: String(row["etag"]),
    mediaType: String(row["media_type"]),
    fileName: String(row["file_name"]),
    bytes: row["bytes"] as Uint8Array,
  };
}
