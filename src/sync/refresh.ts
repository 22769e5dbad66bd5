/**
 * Keeps a project's state as new as the service at the price of few requests: one `GET /stats` tells whether anything
 * moved; only then are the changes since read, and now and then everything. It neither shows nor asks anything; a
 * failure becomes the project's `freshness`.
 */
import { isDeepStrictEqual } from "node:util";
import type { Client, RequestOptions } from "../api/client.ts";
import type { Priority } from "../api/endpoints.ts";
import { ApiError, isApiError, type ApiErrorKind } from "../api/errors.ts";
import type { RequestPriority } from "../api/priority.ts";
import type { Stats } from "../api/schemas.ts";
import type { SyncCursor } from "../database/sync-state-repository.ts";
import { isCurrent } from "./incremental-read.ts";
import { SharedRun } from "./shared-run.ts";
import type { Clock, Log } from "../model/platform.ts";
import type { Project } from "../database/project-state.ts";
import type { ProjectRow, ProjectKey } from "../database/project-records.ts";
import { areKeysAsKnown } from "./verify-known-keys.ts";
import { countsOfKeys, countsOfLocale, readKeys, readTranslations } from "./refresh-parts.ts";

export interface RefreshOptions {
  /** `person`: somebody waits; what is read then was asked for after this call. */
  readonly priority?: Priority | RequestPriority;
  readonly signal?: AbortSignal;
  /** There is something new, so what is read was asked for after this call. */
  readonly anew?: boolean;
  /** Read everything again, whatever the service's numbers say: `true`, or where what is kept differs from them. */
  readonly whole?: boolean | "where-different";
}

type Whole = NonNullable<RefreshOptions["whole"]>;

export interface RefreshDependencies {
  readonly project: Project;
  /** The client of the session, or `null` when nobody is signed in here. */
  readonly client: () => Client | null;
  /** The service took a token that it had refused. */
  readonly onAccepted?: () => void;
  /** Locales that are always kept, beside those that somebody looked at. */
  readonly preview: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
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

/** The session or the database is another one than when reading began: nothing more of it may be stored. */
const INTERRUPTED = new Error("the session has ended or the database was replaced");

/** `Date` in an answer counts whole seconds (RFC 9110). */
const STORED_AT_STEP_MS = 1_000;

export class Refresher {
  readonly #dependencies: RefreshDependencies;
  #running: SharedRun<Stats | null> | null = null;
  #next: NextRun | null = null;
  #keysRun: SharedRun<void> | null = null;
  readonly #locales = new Map<string, SharedRun<void>>();

  private constructor(dependencies: RefreshDependencies) {
    this.#dependencies = dependencies;
  }

  /** Shows what the database holds; asks the service nothing. */
  static async open(dependencies: RefreshDependencies): Promise<Refresher> {
    const refresher = new Refresher(dependencies);
    const { project } = dependencies;
    const stored = project.syncState.stats;
    if (stored !== null && project.stats === null)
      project.setStats(stored.stats, { kind: "offline", at: stored.checkedAt, error: "not_asked" });
    if (project.keysComplete) project.keysLoaded();
    for (const locale of refresher.#refreshedLocales()) refresher.#showStored(locale);
    return refresher;
  }

  /**
   * Asks what is new and reads it. `null`: nobody is signed in, or it failed (see `freshness`). One runs at a time:
   * calls that come meanwhile get that one's answer, those of a person or with `anew` the next one's. Rejects only with
   * the signal's reason, and for a call without one never.
   */
  refresh(options: RefreshOptions = {}): Promise<Stats | null> {
    const { whole = false, anew = options.priority === "person" || whole !== false } = options;
    const running = this.#running;
    const next = this.#next?.run.aborted === true ? null : this.#next;
    if (running === null && next === null) return this.#start(whole).join(options);
    if (running?.aborted === false && !anew) return running.join(options);
    const meant = next ?? this.#after(running?.ended ?? Promise.resolve());
    this.#next = meant;
    if (meant.whole !== true && whole !== false) meant.whole = whole;
    if (options.priority === "person") running?.hurry();
    return meant.run.join(options);
  }

  /**
   * Asks for the service's numbers, and brings the keys up to them but no translations. What is answered was asked for
   * after this call. Keys that cannot be read make the project offline, and are no error here. Throws ApiError, or the
   * signal's reason.
   */
  async refreshKeys(options: RefreshOptions = {}): Promise<Stats> {
    const { project, clock } = this.#dependencies;
    const client = this.#dependencies.client();
    if (client === null) throw new ApiError("unauthorized", "nobody is signed in");
    const stats = await client.stats(options);
    if (this.#dependencies.client() !== client)
      throw new ApiError("unauthorized", "nobody is signed in any more");
    project.setStats(stats, { kind: "fresh", at: clock.now() });
    try {
      await this.#updateKeys(client, stats, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error !== INTERRUPTED) this.#failed(error);
    }
    return stats;
  }

  /**
   * The keys that were sent are in the project as the service has them now: the next refresh reads on from there
   * instead of reading them all back, where it is certain that nobody changed keys meanwhile. Never rejects.
   *
   * @param before the service's numbers before anything was sent
   * @param sent how many keys
   * @param storedAt the service's time when all of it was stored
   */
  async takePush(before: Stats, sent: number, storedAt: string): Promise<void> {
    const { project, log, clock } = this.#dependencies;
    const { syncState } = project;
    const client = this.#dependencies.client();
    const cursor = syncState.cursor();
    if (client === null || cursor === null) return;
    if (!isCurrent(cursor, before.contentVersion, countsOfKeys(before))) return;
    try {
      // The service's time is known to the second: what others change within it is in the answer that follows.
      await clock.sleep(STORED_AT_STEP_MS);
      const isCertain = await areKeysAsKnown(this.#dependencies, client, sent);
      const isSame = isDeepStrictEqual(syncState.cursor(), cursor);
      if (isCertain && isSame) syncState.setCursor({ ...cursor, since: storedAt });
    } catch (error) {
      log.debug(`What was pushed is read back: ${String(error)}`);
    }
  }

  /** Somebody looks at this language: its rows are there and current afterwards. Throws ApiError. */
  async ensureLocale(locale: string, options: RefreshOptions = {}): Promise<void> {
    const { project } = this.#dependencies;
    if (project.stats === null) await (this.#running ?? this.#start(false)).join(options);
    if (project.stats?.languages.every((language) => language.locale !== locale)) return;
    this.#showStored(locale);
    const client = this.#dependencies.client();
    const { stats } = project;
    if (client === null || stats === null) return;
    try {
      await this.#updateTranslations(client, stats, locale, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error === INTERRUPTED) return;
      this.#failed(error);
      throw error;
    }
  }

  /** Rows as the service just told them (after a write); the next refresh reads on from there. */
  takeRows(locale: string, rows: readonly ProjectRow[]): void {
    const { project } = this.#dependencies;
    if (!project.loadedLocales().includes(locale)) return;
    project.translations.put(locale, rows, project.syncState.nextRevision());
    project.translationsChanged(locale);
  }

  /** One key as the service just told it. */
  takeKey(key: ProjectKey): void {
    const { project } = this.#dependencies;
    if (project.session.kind === "signed-out") return;
    project.keys.put([key], project.syncState.nextRevision());
    project.keysChanged();
  }

  /** Ends all reading; nothing of it arrives any more. */
  dispose(): void {
    const runs = [this.#running, this.#next?.run, this.#keysRun, ...this.#locales.values()];
    for (const run of runs) run?.abort(INTERRUPTED);
  }

  #start(whole: Whole): SharedRun<Stats | null> {
    const run: SharedRun<Stats | null> = new SharedRun(async (options) => {
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
      run: new SharedRun(async (options) => {
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
  #ends(run: SharedRun<Stats | null>): void {
    if (this.#running === run) this.#running = null;
  }

  async #refresh(whole: Whole, options: RunOptions): Promise<Stats | null> {
    const { project, clock } = this.#dependencies;
    const client = this.#dependencies.client();
    if (client === null || options.signal.aborted) return null;
    try {
      project.showOthersChanges();
      const checkSession = this.#sessionCheck(client, options);
      const stats = await client.stats(options);
      checkSession();
      if (project.session.kind === "rejected") this.#dependencies.onAccepted?.();
      project.setStats(stats, { kind: "fresh", at: clock.now() });
      project.syncState.stats = { stats, checkedAt: this.#checkedAt };
      const failures: unknown[] = [];
      const withoutTheRest = async (work: Promise<void>): Promise<void> => {
        try {
          await work;
        } catch (error) {
          if (options.signal.aborted || !isApiError(error) || HOPELESS.has(error.kind)) throw error;
          failures.push(error);
        }
      };
      await withoutTheRest(this.#updateKeys(client, stats, options, whole));
      for (const locale of this.#refreshedLocales())
        await withoutTheRest(this.#updateTranslations(client, stats, locale, options, whole));
      if (failures.length > 0) throw failures[0];
      project.syncState.stats = { stats, checkedAt: clock.now() };
      return stats;
    } catch (error) {
      if (!options.signal.aborted && error !== INTERRUPTED) this.#failed(error);
      // Whoever waits is told by its own signal; where nobody does, nobody is told.
      return null;
    }
  }

  /** Source and preview languages first, then those that somebody looked at. The source's texts are in the keys. */
  #refreshedLocales(): string[] {
    const { project, preview } = this.#dependencies;
    const known = new Set(project.stats?.languages.map((language) => language.locale));
    const source = project.sourceLocale;
    const wanted = preview().filter((locale) => known.has(locale) && locale !== source);
    return [...new Set([...wanted, ...project.loadedLocales().filter((locale) => known.has(locale))])];
  }

  /** As #updateTranslations. */
  async #updateKeys(
    client: Client,
    requested: Stats,
    options: RequestOptions,
    whole: Whole = false,
  ): Promise<void> {
    const { project } = this.#dependencies;
    let stats = requested;
    for (let run = this.#keysRun; run !== null; run = this.#keysRun) {
      await (run.aborted ? run.ended : run.join(options));
      stats = project.stats ?? stats;
    }
    const cursor = project.syncState.cursor();
    const anew = isAnew(cursor, whole);
    if (cursor !== null && !anew && isCurrent(cursor, stats.contentVersion, countsOfKeys(stats))) return;
    const run = new SharedRun(async (joint) => {
      const checkSession = this.#sessionCheck(client, joint);
      try {
        const request = { client, stats, cursor, whole: anew, options: joint, checkSession };
        await readKeys(this.#dependencies, request);
      } finally {
        project.setBusyWith(null);
      }
    });
    this.#keysRun = run;
    void run.ended.then(() => (this.#keysRun = null));
    await run.join(options);
  }

  /** One reads a language at a time; whoever comes meanwhile waits for it and then looks whether that was enough. */
  async #updateTranslations(
    client: Client,
    requested: Stats,
    locale: string,
    options: RefreshOptions,
    whole: Whole = false,
  ): Promise<void> {
    const { project } = this.#dependencies;
    let stats = requested;
    for (let run = this.#locales.get(locale); run !== undefined; run = this.#locales.get(locale)) {
      await (run.aborted ? run.ended : run.join(options));
      // The other one may have asked later than this one.
      stats = project.stats ?? stats;
    }
    this.#showStored(locale);
    const cursor = project.syncState.cursor(locale);
    const anew = isAnew(cursor, whole);
    if (cursor !== null && !anew && isCurrent(cursor, stats.contentVersion, countsOfLocale(stats, locale)))
      return;
    const run = new SharedRun((joint) => {
      const checkSession = this.#sessionCheck(client, joint);
      const request = { client, stats, locale, cursor, whole: anew, options: joint, checkSession };
      return readTranslations(this.#dependencies, request);
    });
    this.#locales.set(locale, run);
    void run.ended.then(() => this.#locales.delete(locale));
    await run.join(options);
  }

  /** Shows the translations of a language that were read by another window or an earlier one. */
  #showStored(locale: string): void {
    const { project } = this.#dependencies;
    if (!project.loadedLocales().includes(locale) && project.syncState.hasCursor(locale))
      project.translationsChanged(locale);
  }

  /** When everything was last seen to be as new as the service. */
  get #checkedAt(): number | null {
    return this.#dependencies.project.syncState.stats?.checkedAt ?? null;
  }

  /** Out: throws when what an ended session brought, or a part of what is to be read whole, would be stored. */
  #sessionCheck(client: Client, options: RunOptions): () => void {
    const { database } = this.#dependencies.project;
    const { path } = database;
    return () => {
      options.signal.throwIfAborted();
      if (this.#dependencies.client() !== client || database.path !== path) throw INTERRUPTED;
    };
  }

  #failed(error: unknown): void {
    const { project, log } = this.#dependencies;
    log.warn(`Refresh failed: ${error instanceof Error ? error.message : String(error)}`);
    const { session } = project;
    const wasAsked = session.kind === "signed-in" || session.kind === "rejected";
    if (wasAsked && isApiError(error, "unauthorized")) {
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
      ...(isApiError(error) ? { cause: error } : {}),
    });
  }
}

type RunOptions = RequestOptions & { readonly signal: AbortSignal };

/** A refresh that begins when the running one has ended. */
interface NextRun {
  readonly run: SharedRun<Stats | null>;
  /** What one of those who wait for it wants read again. */
  whole: Whole;
}

/** Whether a part is read again whatever the service's numbers say. */
function isAnew(cursor: SyncCursor | null, whole: Whole): boolean {
  return whole === "where-different" ? cursor !== null && cursor.differences[0] !== 0 : whole;
}
