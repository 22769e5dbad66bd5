/** The functions of the indexing process for one project, by subject. Each subject has a class that runs on any thread. */
import type { Database } from "../database/database.ts";
import { LocalKeys } from "../database/keys-from-local-files.ts";
import { PendingChangeQueries } from "../database/pending-change-queries.ts";
import { DatabaseQueries, type WholeProjectQueries } from "../database/translation-editor-queries.ts";
import { SearchIndex } from "../database/update-search-index.ts";
import { SyncMetadataRepository, type CacheContent } from "../database/sync-metadata-repository.ts";
import { folderFiles } from "../workspace/file-system/disk-files.ts";
import type { ScanFiles } from "../workspace/usages/scan-source-files.ts";
import { sourceFilesOf } from "../workspace/usages/list-source-files.ts";
import {
  createLocalFileIndexing,
  type LocalFileIndexing,
} from "../workspace/local-files/local-file-loader.ts";
import { createFolderSearch, type FolderSearch } from "../workspace/project-detection/folder-search.ts";
import { type ProblemIndexing, ProjectProblems } from "../workspace/problems/project-problems.ts";
import { UsageIndexer, type UsageIndexing } from "../workspace/usages/usage-indexer.ts";

/** Functions that need no database. Arguments and results are as in `ProjectIndexing`. */
export interface FolderIndexing {
  readonly folder: FolderSearch;
}

/**
 * Arguments and results are plain data, except an `AbortSignal` as the last argument and one callback without a
 * result. Every function is idempotent, since it is retried when the process ended during the call.
 */
export interface ProjectIndexing {
  readonly usages: UsageIndexing;
  readonly search: Pick<SearchIndex, "update" | "updateKeys">;
  readonly localFiles: LocalFileIndexing;
  readonly pendingChanges: Pick<PendingChangeQueries, "count">;
  readonly localKeys: Pick<LocalKeys, "updateKeys" | "updateTranslations">;
  readonly queries: WholeProjectQueries;
  readonly serviceData: ServiceData;
  readonly problems: ProblemIndexing;
}

/** The names of all functions, by subject. */
export const FUNCTION_NAMES: FunctionNames<ProjectIndexing & FolderIndexing> = {
  folder: { find: true, read: true, detectApps: true, projectState: true },
  usages: {
    update: true,
    updateFiles: true,
    learn: true,
    resolve: true,
    findOccurrences: true,
    findEvidence: true,
  },
  search: { update: true, updateKeys: true },
  localFiles: {
    list: true,
    listPaths: true,
    load: true,
    findDuplicates: true,
    parse: true,
    edit: true,
    renameInPlace: true,
  },
  pendingChanges: { count: true },
  localKeys: { updateKeys: true, updateTranslations: true },
  queries: { hashes: true, search: true },
  serviceData: { clear: true },
  problems: { check: true, find: true },
};

type FunctionNames<Subjects> = {
  readonly [Subject in keyof Subjects]: { readonly [Name in keyof Subjects[Subject]]: true };
};

/** Deletes what was stored of the service. */
export interface ServiceData {
  /** As `SyncMetadataRepository.clear`; emptying large tables takes long. */
  clear(content: CacheContent | null, next: CacheContent | null): Promise<void>;
}

/**
 * Creates the functions in this process.
 * @param root Path of the project's folder on the local disk.
 * @param scanFiles As in `UsageIndexer`.
 */
export function createIndexing(database: Database, root: string, scanFiles?: ScanFiles): ProjectIndexing {
  const files = folderFiles(root);
  const sources = sourceFilesOf(root);
  return {
    usages: new UsageIndexer(database, sources, scanFiles),
    localFiles: createLocalFileIndexing(database, files),
    problems: new ProjectProblems(database, files, sources),
    localKeys: new LocalKeys(database),
    search: new SearchIndex(database),
    pendingChanges: new PendingChangeQueries(database),
    queries: new DatabaseQueries(database),
    serviceData: {
      clear: async (content, next) => new SyncMetadataRepository(database).clear(content, next),
    },
  };
}

/** Creates the functions in this process. */
export function createFolderIndexing(root: string): FolderIndexing {
  return { folder: createFolderSearch(root) };
}
