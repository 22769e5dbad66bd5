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
import { Meanwhile } from "./meanwhile.ts";
import type { Clock, Log, YieldNow } from "./ports.ts";
import { projectKey, projectRow, type Project, type ProjectKey, type ProjectRow } from "./project.ts";

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
export async function readKeys(needs: PartNeeds, request: PartRequest): Promise<Kept<ProjectKey>> {
  const { project, clock, log, yieldNow } = needs;
  const { client, stats, part, whole, options } = request;
  const [total] = toldOfKeys(stats);
  type Keys = Map<string, ProjectKey>;
  const read = async (keys: Keys, query: KeysFilter, onPage?: (count: number) => void): Promise<Keys> => {
    let count = 0;
    for await (const page of keyPages(client, query, options)) {
      // "the default of `archived`: not shown", so archived ones may be among them.
      for (const key of page) {
        if (key.archived) keys.delete(key.hash);
        else keys.set(key.hash, projectKey(key));
      }
      count += page.length;
      onPage?.(count);
      await yieldNow();
    }
    return keys;
  };
  const meanwhile = new Meanwhile(project.keys);
  const kept = await readPart<ProjectKey>({
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
      read(new Map(), {}, (count) => {
        if (typeof total === "number") project.setBusyWith(`${count}/${total}`);
      }),
    readChanges: (since) => read(new Map(project.keys), { updatedSince: since }),
    // The list of active keys does not tell of those that were archived meanwhile; this one does.
    readHidden: (keys, { since }) =>
      typeof total === "number" && keys.size > total && since !== null
        ? read(new Map(keys), { archived: true, updatedSince: withOverlap(since) })
        : Promise.resolve(null),
    differences: (keys, now) => {
      const [count] = toldOfKeys(now);
      return [typeof count === "number" ? keys.size - count : 0];
    },
  });
  await yieldNow();
  meanwhile.putOn(kept.items, project.keys);
  return kept;
}

/** All rows of a language. Throws ApiError. */
export async function readRows(
  needs: PartNeeds,
  request: PartRequest & { readonly locale: string },
): Promise<Kept<ProjectRow>> {
  const { project, clock, log, yieldNow } = needs;
  const { client, stats, part, whole, locale, options } = request;
  const known = project.rows(locale);
  type Rows = Map<string, ProjectRow>;
  const read = async (rows: Rows, query: RowsFilter, onPage?: () => void): Promise<Rows> => {
    for await (const page of translationPages(client, locale, query, options)) {
      for (const row of page) {
        const kept = projectRow(row, project.keys.get(row.hash)?.hash);
        rows.set(kept.hash, kept);
      }
      onPage?.();
      await yieldNow();
    }
    return rows;
  };
  const none: ReadonlyMap<string, ProjectRow> = new Map();
  const meanwhile = new Meanwhile(known?.rows ?? none);
  const putOn = (rows: Rows): void => meanwhile.putOn(rows, project.rows(locale)?.rows ?? none, isNewerRow);
  const kept = await readPart<ProjectRow>({
    part,
    known: known?.rows ?? none,
    whole,
    stats,
    askStats: () => client.stats(options),
    told: toldOfRows(stats, locale),
    keysSince: latest(project.keys.values()),
    now: clock.now(),
    log,
    yieldNow,
    readWhole: () => {
      const rows: Rows = new Map();
      // The first time what is there is shown as it comes.
      return read(rows, {}, () => {
        if (known !== undefined) return;
        const shown = new Map(rows);
        putOn(shown);
        meanwhile.shows(shown);
        project.setRows(locale, { rows: shown, complete: false });
      });
    },
    readChanges: (since) => read(stillActive(project, known?.rows), { updatedSince: since }),
    readHidden: async (changed, { keysSince }) => {
      const namespaces = namespacesChanged(project, keysSince);
      if (namespaces === null) return null;
      const rows = new Map(changed);
      for (const namespace of namespaces) await read(rows, { namespace });
      return rows;
    },
    differences: (rows, now) => differences(rows, languageOf(now, locale)),
  });
  await yieldNow();
  putOn(kept.items);
  return kept;
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
function stillActive(
  project: Project,
  rows: ReadonlyMap<string, ProjectRow> | undefined,
): Map<string, ProjectRow> {
  const active = new Map(rows);
  if (!project.keysComplete) return active;
  for (const hash of active.keys()) if (!project.keys.has(hash)) active.delete(hash);
  return active;
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
  for (const { namespace, updatedAt } of project.keys.values()) {
    sizes.set(namespace, (sizes.get(namespace) ?? 0) + 1);
    if (updatedAt !== null && isLater(updatedAt, since)) changed.add(namespace);
  }
  let pages = 0;
  for (const namespace of changed) pages += Math.ceil((sizes.get(namespace) ?? 0) / MOST.page);
  return changed.size === 0 || pages * 2 > Math.ceil(project.keys.size / MOST.page) ? null : changed;
}

/** Translated ones must fit; outdated ones and errors are signs of changes that were not told. */
function differences(rows: ReadonlyMap<string, ProjectRow>, language: Language | undefined): number[] {
  if (language === undefined) return [0, 0, 0];
  let translated = 0;
  let outdated = 0;
  let errors = 0;
  for (const { isTranslated, isOutdated, issues } of rows.values()) {
    if (isTranslated) translated++;
    if (isOutdated) outdated++;
    for (const { level } of issues) if (level === "error") errors++;
  }
  return [translated - language.translated, outdated - language.outdated, errors - language.qaErrors];
}
