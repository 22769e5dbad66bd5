/**
 * Reads the keys, and the translations of one language, from the service into the database, completely or
 * incrementally. The cursor is stored last, so an interrupted read is repeated.
 */
import type { Client, RequestOptions } from "../../api/client.ts";
import type { KeysQuery, TranslationsQuery } from "../../api/endpoints.ts";
import { isApiError } from "../../api/errors.ts";
import { keyPages, translationPages } from "../../api/pagination.ts";
import type { Language, Stats } from "../../api/response-schemas.ts";
import type { Database } from "../../database/database.ts";
import type { SyncCursor } from "../../database/sync-metadata-repository.ts";
import {
  type IncrementalSource,
  latestTime,
  readIncrementally,
  withOverlap,
} from "./full-or-incremental-fetch.ts";
import type { Clock, Log } from "../../model/platform.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { projectKey, projectRow, type Project } from "../../database/project-state.ts";

export interface ReadDependencies {
  readonly project: Project;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is read, for which session. */
export interface ReadRequest {
  readonly client: Client;
  readonly stats: Stats;
  /** The stored cursor; `null` before the first complete read. */
  readonly cursor: SyncCursor | null;
  readonly readsAll: boolean;
  readonly options: RequestOptions;
  /** Throws when the session has ended, so that its data is not stored. */
  readonly checkSession: () => void;
}

/**
 * Returns the service's counts for the keys: their number, and the counts of all languages, because those alone
 * reveal a changed source text if `contentVersion` does not change.
 */
export function keyCounts(stats: Stats): SyncCursor["counts"] {
  const total = stats.languages.find((language) => language.isSource)?.totalKeys ?? null;
  return [total, ...stats.languages.flatMap(({ locale }) => [locale, ...localeCounts(stats, locale)])];
}

/** Returns the service's counts of one language. */
export function localeCounts(stats: Stats, locale: string): SyncCursor["counts"] {
  const language = findLanguage(stats, locale);
  if (language === undefined) return [];
  const { totalKeys, translated, outdated, qaErrors, lastTranslatedAt } = language;
  return [totalKeys, translated, outdated, qaErrors, lastTranslatedAt];
}

/**
 * Reads all active keys.
 * @throws {ApiError}
 */
export async function readKeys(dependencies: ReadDependencies, request: ReadRequest): Promise<void> {
  const { project } = dependencies;
  const { database, keys, syncMetadata } = project;
  const { client, stats, options, checkSession } = request;
  const [total] = keyCounts(stats);
  const read = async (
    query: KeysQuery,
    startedRevision?: number,
    onPage?: (count: number) => void,
  ): Promise<void> => {
    const revision = startedRevision ?? (await syncMetadata.startRevision());
    let count = 0;
    for await (const page of keyPages(client, query, options)) {
      // "the default of `archived`: not shown", so archived ones may be among them.
      const archived = page.filter((key) => key.archived).map(({ hash }) => hash);
      const active = page.filter((key) => !key.archived).map(projectKey);
      await writeInBatches(active, request, database, (batch) => keys.put(batch, revision));
      await database.writeInSlices(keys.remove(archived, revision));
      count += page.length;
      onPage?.(count);
      await yieldNow();
    }
  };
  const next = await readIncrementally({
    ...commonSource(dependencies, request),
    countsOf: keyCounts,
    keysSince: null,
    latestChange: () => keys.latestChange(),
    countChangedAfter: (time, limit) => keys.countChangedAfter(time, limit),
    readAll: async () => {
      let pages = 0;
      const revision = await syncMetadata.startRevision();
      await read({}, revision, (count) => {
        pages++;
        if (typeof total === "number") project.setActivity({ busyWith: `${count}/${total}` });
      });
      checkSession();
      await database.writeInSlices(keys.removeBefore(revision));
      if (request.cursor === null) await readArchivedKeys(dependencies, request);
      return pages;
    },
    readChanges: (since) => read({ updatedSince: since }),
    catchUp: async (since) => {
      await read({ updatedSince: since });
      await read({ archived: true, updatedSince: since });
    },
    // The list of active keys lacks those that were archived since, which this list has.
    readHidden: async ({ since }) => {
      if (typeof total === "number" && keys.size > total && since !== null)
        await read({ archived: true, updatedSince: withOverlap(since) });
    },
    differences: (now) => {
      const [count] = keyCounts(now);
      return [typeof count === "number" ? keys.size - count : 0];
    },
  });
  await database.transactionAsync(() => {
    checkSession();
    syncMetadata.setCursor(next);
  });
}

/** Pages of archived keys that are read. */
const MAX_ARCHIVED_PAGES = 10;

/** Stores which keys were archived before the first read: what files still have of them is not new. */
async function readArchivedKeys(
  { project: { database, keys } }: ReadDependencies,
  { client, options, checkSession }: ReadRequest,
): Promise<void> {
  let pages = 0;
  try {
    for await (const page of keyPages(client, { archived: true }, options)) {
      const archived = page.filter((key) => key.archived).map(({ hash }) => hash);
      checkSession();
      await database.writeInSlices(keys.setArchived(archived, []));
      if (++pages >= MAX_ARCHIVED_PAGES) break;
    }
  } catch (error) {
    // "Value formats of `archived` … not shown". Without these keys, a push tells what is archived.
    if (!isApiError(error, "invalid")) throw error;
  }
}

/**
 * Reads all translations of a language.
 * @throws {ApiError}
 */
export async function readTranslations(
  dependencies: ReadDependencies,
  request: ReadRequest & { readonly locale: string },
): Promise<void> {
  const { project } = dependencies;
  const { database, keys, syncMetadata, translations } = project;
  const { client, stats, locale, options, checkSession } = request;
  const read = async (
    query: TranslationsQuery,
    startedRevision?: number,
    onPage?: () => void,
  ): Promise<void> => {
    const revision = startedRevision ?? (await syncMetadata.startRevision());
    for await (const page of translationPages(client, locale, query, options)) {
      const rows = page.map(projectRow);
      await writeInBatches(rows, request, database, (batch) => translations.put(locale, batch, revision));
      onPage?.();
      await yieldNow();
    }
  };
  const next = await readIncrementally({
    ...commonSource(dependencies, request),
    countsOf: (now) => localeCounts(now, locale),
    keysSince: latestTime(keys.latestChange()),
    latestChange: () => translations.latestChange(locale),
    // A service may use the key's timestamp for the row of a key without a translation.
    countChangedAfter: (time, limit) =>
      translations.counts(locale).rows < keys.size
        ? keys.countChangedAfter(time, limit)
        : translations.countChangedAfter(locale, time, limit),
    readAll: async () => {
      let pages = 0;
      const revision = await syncMetadata.startRevision();
      // Skips the pages of empty rows that an untranslated language has.
      if (!hasNoTranslations(findLanguage(stats, locale))) {
        await read({}, revision, () => {
          pages++;
          // Pages are shown as they arrive.
          project.showLanguage(locale);
        });
      }
      checkSession();
      await database.writeInSlices(translations.removeBefore(locale, revision));
      return pages;
    },
    readChanges: (since) => read({ updatedSince: since }),
    catchUp: (since) => read({ updatedSince: since }),
    readHidden: async ({ keysSince }) => {
      for (const namespace of changedNamespaces(project, keysSince, client.maxItems.page))
        await read({ namespace });
    },
    differences: (now) => {
      const language = findLanguage(now, locale);
      if (language === undefined) return [0, 0, 0];
      // The number of translations must agree; the other counts are hints at missed changes.
      const { translated, outdated, errors } = translations.counts(locale);
      return [translated - language.translated, outdated - language.outdated, errors - language.qaErrors];
    },
  });
  await database.transactionAsync(() => {
    checkSession();
    syncMetadata.setCursor(next, locale);
  });
  project.showLanguage(locale);
}

/** Rows per transaction; some 5 ms. */
const WRITE_SIZE = 250;

/** Writes what was read, as long as the session lasts, letting other tasks run before each batch. */
async function writeInBatches<Item>(
  items: readonly Item[],
  { checkSession }: ReadRequest,
  database: Database,
  write: (batch: readonly Item[]) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += WRITE_SIZE) {
    await yieldNow();
    await database.transactionAsync(() => {
      checkSession();
      write(items.slice(start, start + WRITE_SIZE));
    });
  }
}

function commonSource(
  { clock, log }: ReadDependencies,
  { client, stats, cursor, readsAll, options }: ReadRequest,
): Pick<IncrementalSource, "cursor" | "readsAll" | "stats" | "requestStats" | "clock" | "log"> {
  return { cursor, readsAll, stats, requestStats: () => client.stats(options), clock, log };
}

function findLanguage(stats: Stats, locale: string): Language | undefined {
  return stats.languages.find((language) => language.locale === locale);
}

/** Keys of a namespace are counted up to this number. */
const MAX_COUNTED_KEYS = 25_000;

/**
 * Returns the namespaces of keys that changed since. A changed source text affects the `isOutdated` and issues of
 * translations, which need not count as a "last change of the translation" (§ GET /translations). Empty where reading
 * them would cost more than half of reading everything.
 */
function changedNamespaces(
  { keys, keysComplete }: Project,
  since: string | null,
  pageSize: number,
): readonly string[] {
  if (since === null || !keysComplete) return [];
  const changed = keys.namespacesChangedAfter(since, MAX_COUNTED_KEYS);
  let pages = 0;
  for (const count of changed.values()) pages += Math.ceil(count / pageSize);
  return pages * 2 > Math.ceil(keys.size / pageSize) ? [] : [...changed.keys()];
}

/** Returns whether no text was ever translated into the language, so that all of its rows are empty. */
function hasNoTranslations(language: Language | undefined): boolean {
  return (
    language !== undefined &&
    !language.isSource &&
    language.lastTranslatedAt === null &&
    language.translated + language.outdated + language.qaErrors === 0
  );
}
