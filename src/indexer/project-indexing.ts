/**
 * The functions of the indexing process for one project, by subject. Each subject has a class that runs on any
 * thread.
 */
import type { Database } from "../database/database.ts";
import { LocalKeys } from "../database/keys-from-local-files.ts";
import { PendingChangeQueries } from "../database/pending-change-queries.ts";
import { SearchIndex } from "../database/update-search-index.ts";
import type { ScanFiles } from "../workspace/usages/scan-source-files.ts";
import { sourceFilesOf } from "../workspace/usages/list-source-files.ts";
import { LocalFileIndexer, type LocalFileIndexing } from "../workspace/local-files/local-file-indexer.ts";
import { UsageIndexer, type UsageIndexing } from "../workspace/usages/usage-indexer.ts";

/**
 * Arguments and results are plain data, except an `AbortSignal` as the last argument and one callback without a
 * result. Every function is idempotent, since it is retried when the process ended during the call.
 */
export interface ProjectIndexing {
  readonly usages: UsageIndexing;
  readonly search: Pick<SearchIndex, "update">;
  readonly localFiles: LocalFileIndexing;
  readonly pendingChanges: Pick<PendingChangeQueries, "count">;
  readonly localKeys: Pick<LocalKeys, "update">;
}

/**
 * Creates the functions in this process.
 * @param root Path of the project's folder on the local disk.
 * @param scanFiles As in `UsageIndexer`.
 */
export function createIndexing(database: Database, root: string, scanFiles?: ScanFiles): ProjectIndexing {
  return {
    usages: new UsageIndexer(database, sourceFilesOf(root), scanFiles),
    localFiles: new LocalFileIndexer(database),
    localKeys: new LocalKeys(database),
    search: new SearchIndex(database),
    pendingChanges: new PendingChangeQueries(database),
  };
}
