/**
 * Keeps a project's state as new as the service at the price of few requests: one `GET /stats` tells whether anything
 * moved; only then are the changes since read, and now and then everything. It neither shows nor asks anything; a
 * failure becomes the project's `freshness`.
 */
import type { Client, RequestOptions } from "../api/client.ts";
import type { Priority } from "../api/contract.ts";
import { isApiError, type ApiErrorKind } from "../api/errors.ts";
import type { Stats } from "../api/schemas.ts";
import type { Cache, Part } from "./cache.ts";
import { isCurrent } from "./changes-since.ts";
import { JointRun } from "./joint-run.ts";
import { prepareNames } from "./key-names.ts";
import type { Clock, Log, YieldNow } from "./ports.ts";
import type { Project, ProjectKey, ProjectRow } from "./project.ts";
import { readKeys, readRows, toldOfKeys, toldOfRows } from "./refresh-parts.ts";

export interface RefreshOptions {
  /** `person`: somebody waits, or knows of a change; what is read then was asked for after this call. */
  readonly priority?: Priority;
  readonly signal?: AbortSignal;
  /** Read everything again, whatever the service's numbers say. */
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

/** After these the next request would end the same way; another part of the project may still be readable else. */
const HOPELESS: ReadonlySet<ApiErrorKind> = new Set([
  "unauthorized",
  "forbidden",
  "offline",
  "timeout",
  "rate_limited",
  "busy",
]);

/** The session ended or changed while something was read: nothing of it may be shown or kept. */
const SESSION_ENDED = new Error("the session has ended");

export class Refresher {
  readonly #needs: RefreshNeeds;
  #checkedAt: number | null = null;
  #keysPart: Part | null = null;
  readonly #rowsParts = new Map<string, Part>();
  #running: JointRun<Stats | null> | null = null;
  #next: NextRun | null = null;
  readonly #locales = new Map<string, JointRun<void>>();

  private constructor(needs: RefreshNeeds) {
    this.#needs = needs;
  }

  /** Fills the project from the cache; asks the service nothing. */
  static async open(needs: RefreshNeeds): Promise<Refresher> {
    const refresher = new Refresher(needs);
    const { project, cache } = needs;
    const numbers = await cache.readNumbers();
    if (numbers !== null) {
      refresher.#checkedAt = numbers.checkedAt;
      if (project.stats === null)
        project.setStats(numbers.stats, { kind: "offline", at: numbers.checkedAt, error: "not_asked" });
    }
    const keys = await cache.readKeys();
    if (keys !== null) await prepareNames(keys.items, needs.yieldNow);
    if (keys !== null && !project.keysComplete) {
      refresher.#keysPart = keys.part;
      project.setKeys(keys.items, true);
    }
    for (const locale of refresher.#kept()) await refresher.#loadRows(locale);
    return refresher;
  }

  /**
   * Asks what is new and reads it. `null`: nobody is signed in, or it failed (see `freshness`). One runs at a time:
   * calls that come meanwhile get that one's answer, those of a person the next one's. Rejects only with the signal's
   * reason, and for a call without one never.
   */
  refresh(options: RefreshOptions = {}): Promise<Stats | null> {
    const whole = options.whole === true;
    const running = this.#running;
    const next = this.#next?.run.aborted === true ? null : this.#next;
    if (running === null && next === null) return this.#start(whole).join(options);
    if (running?.aborted === false && options.priority !== "person" && !whole) return running.join(options);
    const meant = next ?? this.#after(running?.ended ?? Promise.resolve());
    this.#next = meant;
    meant.whole ||= whole;
    if (options.priority === "person") running?.hurry();
    return meant.run.join(options);
  }

  /** Somebody looks at this language: its rows are there and current afterwards. Throws ApiError. */
  async ensureLocale(locale: string, options: RefreshOptions = {}): Promise<void> {
    const { project } = this.#needs;
    if (project.stats === null) await (this.#running ?? this.#start(false)).join(options);
    if (project.stats?.languages.every((language) => language.locale !== locale)) return;
    await this.#loadRows(locale);
    const client = this.#needs.client();
    const { stats } = project;
    if (client === null || stats === null) return;
    try {
      await this.#updateRows(client, stats, locale, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error === SESSION_ENDED) return;
      this.#failed(error);
      throw error;
    }
  }

  /** Rows as the service just told them (after a write); the next refresh reads on from there. */
  takeRows(locale: string, rows: readonly ProjectRow[]): void {
    const { project, cache } = this.#needs;
    const known = project.rows(locale);
    if (known === undefined) return;
    const items = known.rows.with(new Map(rows.map((row) => [row.hash, row])));
    project.setRows(locale, { rows: items, complete: known.complete });
    const part = this.#rowsParts.get(locale);
    if (part !== undefined && known.complete) cache.writeRows(locale, { part, items });
  }

  /** One key as the service just told it. */
  takeKey(key: ProjectKey): void {
    const { project, cache } = this.#needs;
    const items = project.keys.with(new Map([[key.hash, key]]));
    project.setKeys(items, project.keysComplete);
    const part = this.#keysPart;
    if (part !== null && project.keysComplete) cache.writeKeys({ part, items });
  }

  /** Ends all reading; nothing of it arrives any more. */
  dispose(): void {
    for (const run of [this.#running, this.#next?.run, ...this.#locales.values()]) run?.abort(SESSION_ENDED);
  }

  /** Waits until all that is known stands on disk. */
  saved(): Promise<void> {
    return this.#needs.cache.saved();
  }

  #start(whole: boolean): JointRun<Stats | null> {
    const run: JointRun<Stats | null> = new JointRun(async (options) => {
      try {
        return await this.#refresh(whole, options);
      } finally {
        this.#ends(run);
      }
    });
    this.#running = run;
    return run;
  }

  /** The refresh that follows the running one, for all who ask until then. */
  #after(ended: Promise<void>): NextRun {
    const next: NextRun = {
      whole: false,
      run: new JointRun(async (options) => {
        await ended;
        if (this.#next !== next) return null;
        this.#next = null;
        this.#running = next.run;
        try {
          return await this.#refresh(next.whole, options);
        } finally {
          this.#ends(next.run);
        }
      }),
    };
    return next;
  }

  /** Before its callers hear of its end: what they ask for then is asked anew. */
  #ends(run: JointRun<Stats | null>): void {
    if (this.#running === run) this.#running = null;
  }

  async #refresh(whole: boolean, options: RunOptions): Promise<Stats | null> {
    const { project, clock, cache } = this.#needs;
    const client = this.#needs.client();
    if (client === null || options.signal.aborted) return null;
    try {
      const stats = await client.stats(options);
      this.#stillHere(client, options);
      project.setStats(stats, { kind: "fresh", at: clock.now() });
      cache.writeNumbers({ stats, checkedAt: this.#checkedAt });
      const failures: unknown[] = [];
      const withoutTheRest = async (work: Promise<void>): Promise<void> => {
        try {
          await work;
        } catch (error) {
          if (options.signal.aborted || !isApiError(error) || HOPELESS.has(error.kind)) throw error;
          failures.push(error);
        }
      };
      await withoutTheRest(this.#updateKeys(client, stats, whole, options));
      for (const locale of this.#kept())
        await withoutTheRest(this.#updateRows(client, stats, locale, options, whole));
      if (failures.length > 0) throw failures[0];
      this.#checkedAt = clock.now();
      cache.writeNumbers({ stats, checkedAt: this.#checkedAt });
      return stats;
    } catch (error) {
      if (!options.signal.aborted && error !== SESSION_ENDED) this.#failed(error);
      // Whoever waits is told by its own signal; where nobody does, nobody is told.
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

  async #updateKeys(client: Client, stats: Stats, whole: boolean, options: RunOptions): Promise<void> {
    const { project, cache } = this.#needs;
    const part = project.keysComplete ? this.#keysPart : null;
    if (part !== null && !whole && isCurrent(part, stats.contentVersion, toldOfKeys(stats))) return;
    try {
      const kept = await readKeys(this.#needs, { client, stats, part, whole, options });
      this.#stillHere(client, options);
      this.#keysPart = kept.part;
      project.setKeys(kept.items, true);
      cache.writeKeys(kept);
    } finally {
      project.setBusyWith(null);
    }
  }

  /** One reads a language at a time; whoever comes meanwhile waits for it and then looks whether that was enough. */
  async #updateRows(
    client: Client,
    stats: Stats,
    locale: string,
    options: RefreshOptions,
    whole = false,
  ): Promise<void> {
    for (let run = this.#locales.get(locale); run !== undefined; run = this.#locales.get(locale)) {
      await (run.aborted ? run.ended : run.join(options));
    }
    const known = this.#needs.project.rows(locale);
    const part = known?.complete === true ? (this.#rowsParts.get(locale) ?? null) : null;
    if (part !== null && !whole && isCurrent(part, stats.contentVersion, toldOfRows(stats, locale))) return;
    const run = new JointRun((joint) => this.#readRows(client, { stats, locale, part, whole }, joint));
    this.#locales.set(locale, run);
    void run.ended.then(() => this.#locales.delete(locale));
    await run.join(options);
  }

  async #readRows(
    client: Client,
    what: {
      readonly stats: Stats;
      readonly locale: string;
      readonly part: Part | null;
      readonly whole: boolean;
    },
    options: RunOptions,
  ): Promise<void> {
    const { project, cache } = this.#needs;
    const { locale } = what;
    const kept = await readRows(this.#needs, { client, options, ...what });
    this.#stillHere(client, options);
    this.#rowsParts.set(locale, kept.part);
    project.setRows(locale, { rows: kept.items, complete: true });
    cache.writeRows(locale, kept);
  }

  async #loadRows(locale: string): Promise<void> {
    const { project, cache } = this.#needs;
    if (project.rows(locale) !== undefined) return;
    const kept = await cache.readRows(locale);
    if (kept === null || project.rows(locale) !== undefined) return;
    this.#rowsParts.set(locale, kept.part);
    project.setRows(locale, { rows: kept.items, complete: true });
  }

  /** What an ended session brought must neither be shown nor stored: signing out forgets it. */
  #stillHere(client: Client, options: RunOptions): void {
    options.signal.throwIfAborted();
    if (this.#needs.client() !== client) throw SESSION_ENDED;
  }

  #failed(error: unknown): void {
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
    const code = isApiError(error) ? error.code : undefined;
    project.setStats(project.stats, {
      kind: "offline",
      at: this.#checkedAt,
      error: kind,
      ...(code === undefined ? {} : { code }),
    });
  }
}

type RunOptions = RequestOptions & { readonly signal: AbortSignal };

/** A refresh that begins when the running one has ended. */
interface NextRun {
  readonly run: JointRun<Stats | null>;
  /** One of those who wait for it wants everything read. */
  whole: boolean;
}
