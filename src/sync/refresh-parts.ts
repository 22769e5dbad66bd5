/**
 * How the keys, and the translations of one language, are read from the service into the database, whole or by their
 * changes. Each page is one transaction; the cursor comes last, so that a read that is broken off is done again.
 */
import type { Client, RequestOptions } from "../api/client.ts";
import { MAX } from "../api/endpoints.ts";
import { keyPages, translationPages } from "../api/pages.ts";
import type { Language, Stats } from "../api/schemas.ts";
import type { SyncCursor } from "../database/sync-state-repository.ts";
import { latest, readIncrementally, withOverlap } from "./incremental-read.ts";
import type { Clock, Log } from "../model/platform.ts";
import { inSlices, yieldNow } from "../model/time-slices.ts";
import { projectKey, projectRow, type Project } from "../database/project-state.ts";

export interface ReadDependencies {
  readonly project: Project;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ReadRequest {
  readonly client: Client;
  readonly stats: Stats;
  /** How far was read; `null`: not everything is known. */
  readonly cursor: SyncCursor | null;
  readonly whole: boolean;
  readonly options: RequestOptions;
  /** Throws when the session has ended: what it brought is not stored. */
  readonly checkSession: () => void;
}

/**
 * The service's numbers of the keys: how many, and then all of every language, since a changed source text shows in
 * those alone where `contentVersion` stands still. Where it moves they cost nothing.
 */
export function countsOfKeys(stats: Stats): SyncCursor["counts"] {
  const total = stats.languages.find((language) => language.isSource)?.totalKeys ?? null;
  return [total, ...stats.languages.flatMap(({ locale }) => [locale, ...countsOfLocale(stats, locale)])];
}

/** The service's numbers of one language. */
export function countsOfLocale(stats: Stats, locale: string): SyncCursor["counts"] {
  const language = languageOf(stats, locale);
  if (language === undefined) return [];
  const { totalKeys, translated, outdated, qaErrors, lastTranslatedAt } = language;
  return [totalKeys, translated, outdated, qaErrors, lastTranslatedAt];
}

/** Reads all active keys. Throws ApiError. */
export async function readKeys(dependencies: ReadDependencies, request: ReadRequest): Promise<void> {
  const { project, clock, log } = dependencies;
  const { keys, syncState } = project;
  const { client, stats, cursor, whole, options, checkSession } = request;
  const [total] = countsOfKeys(stats);
  const read = async (
    query: KeysFilter,
    revision: number,
    onPage?: (count: number) => void,
  ): Promise<void> => {
    let count = 0;
    for await (const page of keyPages(client, query, options)) {
      checkSession();
      // "the default of `archived`: not shown", so archived ones may be among them.
      const archived = page.filter((key) => key.archived).map(({ hash }) => hash);
      keys.put(page.filter((key) => !key.archived).map(projectKey), revision);
      await inSlices(keys.remove(archived, revision));
      count += page.length;
      onPage?.(count);
      await yieldNow();
    }
  };
  const next = await readIncrementally({
    cursor,
    whole,
    stats,
    requestStats: () => client.stats(options),
    countsOf: countsOfKeys,
    keysSince: null,
    now: () => clock.now(),
    log,
    latestChange: () => keys.latestChange(),
    countChangedAfter: (time, limit) => keys.countChangedAfter(time, limit),
    readWhole: async () => {
      let pages = 0;
      const revision = syncState.nextRevision();
      await read({}, revision, (count) => {
        pages++;
        if (typeof total === "number") project.setBusyWith(`${count}/${total}`);
      });
      checkSession();
      await inSlices(keys.removeBefore(revision));
      return pages;
    },
    readChanges: (since) => read({ updatedSince: since }, syncState.nextRevision()),
    catchUp: async (since) => {
      const revision = syncState.nextRevision();
      await read({ updatedSince: since }, revision);
      await read({ archived: true, updatedSince: since }, revision);
    },
    // The list of active keys does not tell of those that were archived meanwhile; this one does.
    readHidden: async ({ since }) => {
      if (typeof total === "number" && keys.size > total && since !== null)
        await read({ archived: true, updatedSince: withOverlap(since) }, syncState.nextRevision());
    },
    differences: (now) => {
      const [count] = countsOfKeys(now);
      return [typeof count === "number" ? keys.size - count : 0];
    },
  });
  checkSession();
  syncState.setCursor(next);
  project.keysChanged();
}

/** Reads all translations of a language. Throws ApiError. */
export async function readTranslations(
  dependencies: ReadDependencies,
  request: ReadRequest & { readonly locale: string },
): Promise<void> {
  const { project, clock, log } = dependencies;
  const { keys, syncState, translations } = project;
  const { client, stats, cursor, whole, locale, options, checkSession } = request;
  const read = async (query: TranslationsFilter, revision: number, onPage?: () => void): Promise<void> => {
    for await (const page of translationPages(client, locale, query, options)) {
      checkSession();
      translations.put(locale, page.map(projectRow), revision);
      onPage?.();
      await yieldNow();
    }
  };
  const next = await readIncrementally({
    cursor,
    whole,
    stats,
    requestStats: () => client.stats(options),
    countsOf: (now) => countsOfLocale(now, locale),
    keysSince: latest([keys.latestChange()]),
    now: () => clock.now(),
    log,
    latestChange: () => translations.latestChange(locale),
    // A service may date the row of a key without a translation by the key.
    countChangedAfter: (time, limit) =>
      translations.counts(locale).rows < keys.size
        ? keys.countChangedAfter(time, limit)
        : translations.countChangedAfter(locale, time, limit),
    readWhole: async () => {
      let pages = 0;
      const revision = syncState.nextRevision();
      // A language that nobody translated into has a page for each thousand keys all the same.
      if (!isUntouched(languageOf(stats, locale))) {
        await read({}, revision, () => {
          pages++;
          // The first time what is there is shown as it comes.
          if (cursor === null) project.translationsChanged(locale);
        });
      }
      checkSession();
      await inSlices(translations.removeBefore(locale, revision));
      return pages;
    },
    readChanges: (since) => read({ updatedSince: since }, syncState.nextRevision()),
    catchUp: (since) => read({ updatedSince: since }, syncState.nextRevision()),
    readHidden: async ({ keysSince }) => {
      for (const namespace of namespacesChanged(project, keysSince))
        await read({ namespace }, syncState.nextRevision());
    },
    differences: (now) => {
      const language = languageOf(now, locale);
      if (language === undefined) return [0, 0, 0];
      // Translated ones must fit; outdated ones and errors are signs of changes that were not told.
      const { translated, outdated, errors } = translations.counts(locale);
      return [translated - language.translated, outdated - language.outdated, errors - language.qaErrors];
    },
  });
  checkSession();
  syncState.setCursor(next, locale);
  project.translationsChanged(locale);
}

interface KeysFilter {
  readonly updatedSince?: string;
  readonly archived?: boolean;
}

interface TranslationsFilter {
  readonly updatedSince?: string;
  readonly namespace?: string;
}

function languageOf(stats: Stats, locale: string): Language | undefined {
  return stats.languages.find((language) => language.locale === locale);
}

/**
 * The namespaces of the keys that changed since. Another source text makes translations outdated and tells their
 * issues anew, which need not count as a "last change of the translation" (§ GET /translations). None where reading
 * them would cost half of reading everything.
 */
function namespacesChanged({ keys, keysComplete }: Project, since: string | null): readonly string[] {
  if (since === null || !keysComplete) return [];
  const changed = keys.namespacesChangedAfter(since);
  let pages = 0;
  for (const count of changed.values()) pages += Math.ceil(count / MAX.page);
  return pages * 2 > Math.ceil(keys.size / MAX.page) ? [] : [...changed.keys()];
}

/** Whether no text of the language was ever translated, so that each of its rows is empty. */
function isUntouched(language: Language | undefined): boolean {
  return (
    language !== undefined &&
    !language.isSource &&
    language.lastTranslatedAt === null &&
    language.translated + language.outdated + language.qaErrors === 0
  );
}
