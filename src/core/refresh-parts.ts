/**
 * How the two parts of a project are read from the service, whole or by their changes: its keys, and the rows of one
 * language. When they are read, and what becomes of them, is refresh.ts's.
 */
import type { Client, RequestOptions } from "../api/client.ts";
import { MOST } from "../api/contract.ts";
import { keyPages, translationPages } from "../api/pages.ts";
import type { Language, Stats } from "../api/schemas.ts";
import type { Kept, Part } from "./cache.ts";
import { isLater, latest, readPart, withOverlap } from "./changes-since.ts";
import { type KeyMap, NO_KEYS } from "./key-map.ts";
import { Meanwhile } from "./meanwhile.ts";
import type { Clock, Log, YieldNow } from "./ports.ts";
import { projectKey, projectRow, type Project, type ProjectKey, type ProjectRow } from "./project.ts";
import { NO_ROWS, type RowMap } from "./row-map.ts";

export interface PartNeeds {
  readonly project: Project;
  readonly clock: Clock;
  readonly log: Log;
  readonly yieldNow: YieldNow;
}

export interface PartRequest {
  readonly client: Client;
  readonly stats: Stats;
  /** How old what the project has is; `null`: it has nothing whole. */
  readonly part: Part | null;
  readonly whole: boolean;
  readonly options: RequestOptions;
}

/** Pages are put into columns when they are half of what is there already: each item a few times in all. */
const WHILE_READING = 0.5;

/**
 * The service's numbers of the keys: how many, and then all of every language, since a changed source text shows in
 * those alone where `contentVersion` stands still. Where it moves they cost nothing.
 */
export function toldOfKeys(stats: Stats): Part["told"] {
  const total = stats.languages.find((language) => language.isSource)?.totalKeys ?? null;
  return [total, ...stats.languages.flatMap(({ locale }) => [locale, ...toldOfRows(stats, locale)])];
}

/** The service's numbers of one language. */
export function toldOfRows(stats: Stats, locale: string): Part["told"] {
  const language = languageOf(stats, locale);
  if (language === undefined) return [];
  const { totalKeys, translated, outdated, qaErrors, lastTranslatedAt } = language;
  return [totalKeys, translated, outdated, qaErrors, lastTranslatedAt];
}

/** All active keys. Throws ApiError. */
export async function readKeys(needs: PartNeeds, request: PartRequest): Promise<Kept<KeyMap>> {
  const { project, clock, log, yieldNow } = needs;
  const { client, stats, part, whole, options } = request;
  const [total] = toldOfKeys(stats);
  const read = async (
    known: KeyMap,
    query: KeysFilter,
    onPage?: (count: number) => void,
  ): Promise<KeyMap> => {
    let keys = known;
    let count = 0;
    for await (const page of keyPages(client, query, options)) {
      // "the default of `archived`: not shown", so archived ones may be among them.
      keys = keys.with(new Map(page.map((key) => [key.hash, key.archived ? null : projectKey(key)])));
      count += page.length;
      onPage?.(count);
      await yieldNow();
      keys = await keys.folded(yieldNow, WHILE_READING);
    }
    return keys.folded(yieldNow);
  };
  const meanwhile = new Meanwhile<ProjectKey, KeyMap>(project.keys);
  const kept = await readPart<KeyMap>({
    part,
    known: project.keys,
    whole,
    stats,
    askStats: () => client.stats(options),
    told: toldOfKeys(stats),
    keysSince: null,
    now: clock.now(),
    log,
    yieldNow,
    readWhole: () =>
      read(NO_KEYS, {}, (count) => {
        if (typeof total === "number") project.setBusyWith(`${count}/${total}`);
      }),
    readChanges: (since) => read(project.keys, { updatedSince: since }),
    // The list of active keys does not tell of those that were archived meanwhile; this one does.
    readHidden: (keys, { since }) =>
      typeof total === "number" && keys.size > total && since !== null
        ? read(keys, { archived: true, updatedSince: withOverlap(since) })
        : Promise.resolve(null),
    differences: (keys, now) => {
      const [count] = toldOfKeys(now);
      return [typeof count === "number" ? keys.size - count : 0];
    },
  });
  await yieldNow();
  return { part: kept.part, items: meanwhile.putOn(kept.items, project.keys) };
}

/** All rows of a language. Throws ApiError. */
export async function readRows(
  needs: PartNeeds,
  request: PartRequest & { readonly locale: string },
): Promise<Kept<RowMap>> {
  const { project, clock, log, yieldNow } = needs;
  const { client, stats, part, whole, locale, options } = request;
  const known = project.rows(locale);
  const read = async (known: RowMap, query: RowsFilter, onPage?: (rows: RowMap) => void): Promise<RowMap> => {
    let rows = known;
    for await (const page of translationPages(client, locale, query, options)) {
      rows = rows.with(new Map(page.map((row) => [row.hash, projectRow(row)])));
      rows = await rows.folded(yieldNow, WHILE_READING);
      onPage?.(rows);
      await yieldNow();
    }
    return rows.folded(yieldNow);
  };
  const meanwhile = new Meanwhile<ProjectRow, RowMap>(known?.rows ?? NO_ROWS);
  const putOn = (rows: RowMap): RowMap =>
    meanwhile.putOn(rows, project.rows(locale)?.rows ?? NO_ROWS, isNewerRow);
  const kept = await readPart<RowMap>({
    part,
    known: known?.rows ?? NO_ROWS,
    whole,
    stats,
    askStats: () => client.stats(options),
    told: toldOfRows(stats, locale),
    keysSince: latest(project.keys.times()),
    now: clock.now(),
    log,
    yieldNow,
    readWhole: () =>
      // The first time what is there is shown as it comes.
      read(NO_ROWS, {}, (rows) => {
        if (known !== undefined) return;
        const shown = putOn(rows);
        meanwhile.shows(shown);
        project.setRows(locale, { rows: shown, complete: false });
      }),
    readChanges: (since) => read(stillActive(project, known?.rows ?? NO_ROWS), { updatedSince: since }),
    readHidden: async (changed, { keysSince }) => {
      const namespaces = namespacesChanged(project, keysSince);
      if (namespaces === null) return null;
      let rows = changed;
      for (const namespace of namespaces) rows = await read(rows, { namespace });
      return rows;
    },
    differences: (rows, now) => differences(rows, languageOf(now, locale)),
  });
  await yieldNow();
  return { part: kept.part, items: putOn(kept.items) };
}

/** The page is younger than what an edit left behind ("`version` … used for optimistic writes", § Translation row). */
function isNewerRow(read: ProjectRow, taken: ProjectRow): boolean {
  return read.version !== null && taken.version !== null && read.version > taken.version;
}

interface KeysFilter {
  readonly updatedSince?: string;
  readonly archived?: boolean;
}

interface RowsFilter {
  readonly updatedSince?: string;
  readonly namespace?: string;
}

function languageOf(stats: Stats, locale: string): Language | undefined {
  return stats.languages.find((language) => language.locale === locale);
}

/** Rows of keys that are active still; without the keys nobody can tell. */
function stillActive(project: Project, rows: RowMap): RowMap {
  if (!project.keysComplete) return rows;
  const gone = new Map<string, null>();
  for (const hash of rows.keys()) if (!project.keys.has(hash)) gone.set(hash, null);
  return gone.size === 0 ? rows : rows.with(gone);
}

/**
 * The namespaces of the keys that changed since. Another source text makes translations outdated and tells their
 * issues anew, which need not count as a "last change of the translation" (§ GET /translations). `null`: there are
 * none, or reading them would cost half of reading everything.
 */
function namespacesChanged(project: Project, since: string | null): ReadonlySet<string> | null {
  if (since === null || !project.keysComplete) return null;
  const changed = new Set<string>();
  const sizes = new Map<string, number>();
  for (const { namespace, updatedAt } of project.keys.namespacesAndTimes()) {
    sizes.set(namespace, (sizes.get(namespace) ?? 0) + 1);
    if (updatedAt !== null && isLater(updatedAt, since)) changed.add(namespace);
  }
  let pages = 0;
  for (const namespace of changed) pages += Math.ceil((sizes.get(namespace) ?? 0) / MOST.page);
  return changed.size === 0 || pages * 2 > Math.ceil(project.keys.size / MOST.page) ? null : changed;
}

/** Translated ones must fit; outdated ones and errors are signs of changes that were not told. */
function differences(rows: RowMap, language: Language | undefined): number[] {
  if (language === undefined) return [0, 0, 0];
  const { translated, outdated, errors } = rows.counts();
  return [translated - language.translated, outdated - language.outdated, errors - language.qaErrors];
}
