/**
 * The functions of the indexing process for one project, by subject. Each subject has a class that runs on any
 * thread.
 */
import type { Database } from "../database/database.ts";
import { LocalKeys } from "../database/keys-from-local-files.ts";
import { PendingChangeQueries } from "../database/pending-change-queries.ts";
import { DatabaseQueries, type WholeProjectQueries } from "../database/translation-editor-queries.ts";
import { SearchIndex } from "../database/update-search-index.ts";
import { SyncMetadataRepository } from "../database/sync-metadata-repository.ts";
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
  readonly localKeys: Pick<LocalKeys, "updateKeys" | "updateTranslations">;
  readonly queries: WholeProjectQueries;
  readonly serviceData: ServiceData;
}

/** Deletes what was stored of the service. */
export interface ServiceData {
  /** As `SyncMetadataRepository.clear`; emptying large tables takes long. */
  clear(owner: string | null, nextOwner: string | null): Promise<void>;
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
    queries: new DatabaseQueries(database),
    serviceData: {
      clear: async (owner, nextOwner) => new SyncMetadataRepository(database).clear(owner, nextOwner),
    },
  };
}
