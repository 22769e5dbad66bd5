/**
 * Keeps a project's state as new as the service at the price of few requests: one `GET /stats` tells by its
 * `contentVersion` whether anything moved; only then are the changes since read, and now and then everything. It
 * neither shows nor asks anything; a failure becomes the project's `freshness`.
 */
import type { Client } from "../api/client.ts";
import type { Priority } from "../api/contract.ts";
import { isApiError, isBadCursor } from "../api/errors.ts";
import { keyPages, translationPages } from "../api/pages.ts";
import type { Stats } from "../api/schemas.ts";
import type { Age, Cache, Part } from "./cache.ts";
import type { Clock, Log, YieldNow } from "./ports.ts";
import { projectKey, projectRow, type Project, type ProjectKey, type ProjectRow } from "./project.ts";

export interface RefreshOptions {
  readonly priority?: Priority;
  readonly signal?: AbortSignal;
  /** Read everything again, whatever `contentVersion` says. */
  readonly whole?: boolean;
}

export interface RefreshNeeds {
  readonly project: Project;
  readonly cache: Cache;
  /** The client of the session, or `null` when nobody is signed in here. */
  readonly client: () => Client | null;
  /** Locales that are always kept, beside those that somebody looked at. */
  readonly preview: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly yieldNow: YieldNow;
}

const DAY = 24 * 60 * 60 * 1000;
/** Changes made within the same moment as the last one we saw are read again rather than missed. */
const OVERLAP = 2000;

export class Refresher {
  readonly #needs: RefreshNeeds;
  #age: Age;
  #running: Promise<Stats | null> | null = null;
  readonly #locales = new Map<string, Promise<void>>();
  #saving: Promise<void> = Promise.resolve();

  private constructor(needs: RefreshNeeds, age: Age) {
    this.#needs = needs;
    this.#age = age;
  }

  /** Fills the project from the cache; asks the service nothing. */
  static async open(needs: RefreshNeeds): Promise<Refresher> {
    const age = await needs.cache.readAge();
    const refresher = new Refresher(needs, age);
    if (age.stats !== null) {
      needs.project.setStats(age.stats, { kind: "offline", at: age.checkedAt, error: "not_asked" });
    }
    if (age.keys !== null) {
      const keys = await needs.cache.readKeys();
      if (keys === null) refresher.#age = { ...refresher.#age, keys: null };
      else needs.project.setKeys(keys, true);
    }
    for (const locale of refresher.#kept()) await refresher.#loadRows(locale);
    return refresher;
  }

  /**
   * Asks what is new and reads it. `null`: nobody is signed in, or it failed (see `freshness`). Calls that come
   * while one runs get that one's answer. Rejects only with the signal's reason.
   */
  refresh(options: RefreshOptions = {}): Promise<Stats | null> {
    this.#running ??= this.#refresh(options).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Somebody looks at this language: its rows are there and current afterwards, if the service can be asked. */
  async ensureLocale(locale: string, options: RefreshOptions = {}): Promise<void> {
    const { project } = this.#needs;
    if (project.stats === null) await this.refresh(options);
    if (project.stats?.languages.every((language) => language.locale !== locale)) return;
    await this.#loadRows(locale);
    const client = this.#needs.client();
    const { stats } = project;
    if (client === null || stats === null) return;
    try {
      await this.#updateRows(client, stats, locale, options);
    } catch (error) {
      this.#failed(error, options);
      throw error;
    }
  }

  /** Rows as the service just told them (after a write); the next refresh reads on from there. */
  takeRows(locale: string, rows: readonly ProjectRow[]): void {
    const known = this.#needs.project.rows(locale);
    if (known === undefined) return;
    const all = new Map(known.rows);
    for (const row of rows) all.set(row.hash, row);
    this.#needs.project.setRows(locale, { rows: all, complete: known.complete });
    this.#save(() => this.#needs.cache.writeRows(locale, all));
  }

  /** One key as the service just told it. */
  takeKey(key: ProjectKey): void {
    const { project } = this.#needs;
    const all = new Map(project.keys).set(key.hash, key);
    project.setKeys(all, project.keysComplete);
    this.#save(() => this.#needs.cache.writeKeys(all));
  }

  /** Waits until all that is known stands on disk. */
  saved(): Promise<void> {
    return this.#saving;
  }

  async #refresh(options: RefreshOptions): Promise<Stats | null> {
    const client = this.#needs.client();
    if (client === null) return null;
    try {
      const stats = await client.stats(requestOptions(options));
      const { project, clock } = this.#needs;
      const now = clock.now();
      this.#age = { ...this.#age, stats, checkedAt: now };
      project.setStats(stats, { kind: "fresh", at: now });
      this.#saveAge();
      await this.#updateKeys(client, stats, options);
      for (const locale of this.#kept()) await this.#updateRows(client, stats, locale, options);
      return stats;
    } catch (error) {
      this.#failed(error, options);
      return null;
    }
  }

  /** Source and preview languages first, then those that somebody looked at. The source's texts are in the keys. */
  #kept(): string[] {
    const { project, preview } = this.#needs;
    const told = new Set(project.stats?.languages.map((language) => language.locale));
    const source = project.sourceLocale;
    const wanted = preview().filter((locale) => told.has(locale) && locale !== source);
    return [...new Set([...wanted, ...project.loadedLocales().filter((locale) => told.has(locale))])];
  }

  async #updateKeys(client: Client, stats: Stats, options: RefreshOptions): Promise<void> {
    const { project, cache, clock } = this.#needs;
    const part = project.keysComplete ? this.#age.keys : null;
    if (part !== null && options.whole !== true && part.contentVersion === stats.contentVersion) return;
    const told = stats.languages.find((language) => language.isSource)?.totalKeys ?? null;
    const read = async (since: string | null): Promise<Map<string, ProjectKey>> => {
      const keys = new Map(since === null ? [] : project.keys);
      const query = since === null ? {} : { updatedSince: since };
      let count = 0;
      for await (const page of keyPages(client, query, requestOptions(options))) {
        for (const key of page) {
          if (key.archived) keys.delete(key.hash);
          else keys.set(key.hash, projectKey(key));
        }
        count += page.length;
        this.#needs.project.setBusyWith(since === null && told !== null ? `${count}/${told}` : null);
        await this.#needs.yieldNow();
      }
      return keys;
    };
    try {
      const result = await this.#readPart(part, stats, options, read, (keys) =>
        told === null ? 0 : keys.size - told,
      );
      this.#age = {
        ...this.#age,
        keys: { ...result.part, since: latest(result.items), wholeAt: result.part.wholeAt || clock.now() },
      };
      project.setKeys(result.items, true);
      this.#save(async () => {
        await cache.writeKeys(result.items);
        await cache.writeAge(this.#age);
      });
    } finally {
      project.setBusyWith(null);
    }
  }

  async #updateRows(client: Client, stats: Stats, locale: string, options: RefreshOptions): Promise<void> {
    const running = this.#locales.get(locale);
    if (running !== undefined) return running;
    const update = this.#readRows(client, stats, locale, options).finally(() => this.#locales.delete(locale));
    this.#locales.set(locale, update);
    return update;
  }

  async #readRows(client: Client, stats: Stats, locale: string, options: RefreshOptions): Promise<void> {
    const { project, cache, clock } = this.#needs;
    const known = project.rows(locale);
    const part = known?.complete === true ? (this.#age.rows[locale] ?? null) : null;
    if (part !== null && options.whole !== true && part.contentVersion === stats.contentVersion) return;
    const told = stats.languages.find((language) => language.locale === locale)?.translated ?? null;
    const read = async (since: string | null): Promise<Map<string, ProjectRow>> => {
      const rows = new Map(since === null ? [] : known?.rows);
      const query = since === null ? {} : { updatedSince: since };
      for await (const page of translationPages(client, locale, query, requestOptions(options))) {
        for (const row of page) rows.set(row.hash, projectRow(row));
        // The first whole read shows what it has as it comes.
        if (known === undefined) project.setRows(locale, { rows: new Map(rows), complete: false });
        await this.#needs.yieldNow();
      }
      if (project.keysComplete) {
        for (const hash of rows.keys()) if (!project.keys.has(hash)) rows.delete(hash);
      }
      return rows;
    };
    const result = await this.#readPart(part, stats, options, read, (rows) => {
      let translated = 0;
      for (const row of rows.values()) if (row.isTranslated) translated++;
      return told === null ? 0 : translated - told;
    });
    const after = {
      ...result.part,
      since: latest(result.items),
      wholeAt: result.part.wholeAt || clock.now(),
    };
    this.#age = { ...this.#age, rows: { ...this.#age.rows, [locale]: after } };
    project.setRows(locale, { rows: result.items, complete: true });
    this.#save(async () => {
      await cache.writeRows(locale, result.items);
      await cache.writeAge(this.#age);
    });
  }

  /**
   * Reads the changes since the last time where that can be trusted, else everything: there is nothing yet, the
   * version went back (a restored backup), a day has passed, the filter is refused ("Value formats of … and
   * `updatedSince` …: not shown"), or our count afterwards differs from the service's otherwise than it always did.
   */
  async #readPart<Item>(
    part: Part | null,
    stats: Stats,
    options: RefreshOptions,
    read: (since: string | null) => Promise<Map<string, Item>>,
    difference: (items: Map<string, Item>) => number,
  ): Promise<{ items: Map<string, Item>; part: Part }> {
    const { clock, log } = this.#needs;
    const { contentVersion } = stats;
    const young = part !== null && clock.now() - part.wholeAt < DAY && contentVersion >= part.contentVersion;
    if (part !== null && part.since !== null && young && options.whole !== true) {
      try {
        const items = await read(withOverlap(part.since));
        if (difference(items) === part.difference) return { items, part: { ...part, contentVersion } };
        log.debug("The counts differ after reading the changes; reading everything.");
      } catch (error) {
        if (!isBadCursor(error) && !isApiError(error, "invalid")) throw error;
        log.debug("The changes cannot be asked for; reading everything.");
      }
    }
    const items = await readAgain(read);
    return {
      items,
      part: { contentVersion, since: null, wholeAt: clock.now(), difference: difference(items) },
    };
  }

  async #loadRows(locale: string): Promise<void> {
    const { project, cache } = this.#needs;
    if (project.rows(locale) !== undefined || this.#age.rows[locale] === undefined) return;
    const rows = await cache.readRows(locale);
    if (rows !== null) project.setRows(locale, { rows, complete: true });
  }

  #failed(error: unknown, options: RefreshOptions): void {
    if (options.signal?.aborted === true) throw options.signal.reason;
    const { project, log } = this.#needs;
    log.warn(`Refresh failed: ${error instanceof Error ? error.message : String(error)}`);
    const { session } = project;
    if (session.kind === "signed-in" && isApiError(error, "unauthorized")) {
      project.setSession({ kind: "rejected", baseUrl: session.baseUrl, reason: "unauthorized" });
    } else if (session.kind === "signed-in" && isApiError(error, "forbidden")) {
      // Every token has `read`, so a read that is forbidden means "the project is archived" (§ Authentication 4, 6).
      project.setSession({ kind: "rejected", baseUrl: session.baseUrl, reason: "archived" });
    }
    const kind = isApiError(error) ? error.kind : "bad_response";
    project.setStats(project.stats, { kind: "offline", at: this.#age.checkedAt, error: kind });
  }

  #saveAge(): void {
    this.#save(() => this.#needs.cache.writeAge(this.#age));
  }

  /** One write after another; a disk that refuses costs the cache, never the work. */
  #save(write: () => Promise<void>): void {
    this.#saving = this.#saving.then(write).catch((error: unknown) => {
      this.#needs.log.warn(`The cache cannot be written: ${String(error)}`);
    });
  }
}

function requestOptions(options: RefreshOptions): { priority: Priority; signal?: AbortSignal } {
  const priority = options.priority ?? "background";
  return options.signal === undefined ? { priority } : { priority, signal: options.signal };
}

/** A cursor can go stale while pages are read; then it begins again, once. */
async function readAgain<Item>(
  read: (since: null) => Promise<Map<string, Item>>,
): Promise<Map<string, Item>> {
  try {
    return await read(null);
  } catch (error) {
    if (!isBadCursor(error)) throw error;
    return read(null);
  }
}

/** The latest `updatedAt`, compared as time, in the service's own words. */
function latest(items: ReadonlyMap<string, { readonly updatedAt: string | null }>): string | null {
  let words: string | null = null;
  let time = Number.NEGATIVE_INFINITY;
  for (const { updatedAt } of items.values()) {
    // Same length and both in UTC: the words sort as the times do, and parsing 50,000 dates is spared.
    if (updatedAt === null || (words !== null && updatedAt.length === words.length && updatedAt <= words))
      continue;
    const at = Date.parse(updatedAt);
    if (!(at > time)) continue;
    words = updatedAt;
    time = at;
  }
  return words;
}

/** A little earlier, written as the service writes its times (with or without milliseconds). */
function withOverlap(since: string): string {
  const earlier = new Date(Date.parse(since) - OVERLAP).toISOString();
  return since.includes(".") ? earlier : earlier.replace(/\.\d+Z$/u, "Z");
}
