/** What is done for a project in the indexing process, by subject. Each subject has a class that works in any thread. */
import type { Database } from "../database/database.ts";
import { LocalKeys, type LocalKeysIndexing } from "../database/local-keys.ts";
import { PendingChanges, type PendingCounting } from "../database/pending-changes.ts";
import { SearchIndex, type SearchIndexing } from "../database/search-index.ts";
import { sourceFilesOf } from "../workspace/usages/source-files.ts";
import { LocalFileIndexer, type LocalFileIndexing } from "../workspace/local-files/local-file-indexer.ts";
import { UsageIndexer, type UsageIndexing } from "../workspace/usages/usage-indexer.ts";

/**
 * All arguments and results are plain data, but for an `AbortSignal` as the last argument and one function that is called
 * without an answer. Every function is idempotent: it is repeated where the thread ended in the middle of it.
 */
export interface ProjectIndexing {
  readonly usages: UsageIndexing;
  readonly search: SearchIndexing;
  readonly localFiles: LocalFileIndexing;
  readonly pendingChanges: PendingCounting;
  readonly localKeys: LocalKeysIndexing;
}

/** Works in the calling thread. `root`: path of the project's folder on this machine's disk. */
export function createIndexing(database: Database, root: string): ProjectIndexing {
  return {
    usages: new UsageIndexer(database, sourceFilesOf(root)),
    localFiles: new LocalFileIndexer(database),
    localKeys: new LocalKeys(database),
    search: new SearchIndex(database),
    pendingChanges: new PendingChanges(database),
  };
}
