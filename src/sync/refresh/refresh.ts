/**
 * Keeps a project in sync with the service with few requests: one `GET /stats` detects changes; only then changes are
 * read, and occasionally everything. Failures only set the project's `freshness`.
 */
import type { Client, RequestOptions } from "../../api/client.ts";
import type { DiffKey } from "../../api/endpoints.ts";
import { ApiError, isApiError, type ApiErrorKind } from "../../api/errors.ts";
import type { Priority, RequestPriority } from "../../util/priority.ts";
import type { Stats } from "../../api/response-schemas.ts";
import type { SyncCursor } from "../../database/sync-metadata-repository.ts";
import { isCurrent } from "./full-or-incremental-fetch.ts";
import { SingleFlight } from "../single-flight.ts";
import type { Clock, Log } from "../../model/platform.ts";
import type { Project } from "../../database/project-state.ts";
import type { ProjectRow, ProjectKey } from "../../database/records.ts";
import { keyCounts, localeCounts, readKeys, readTranslations } from "./fetch-keys-and-translations.ts";
import { diffInBatches } from "../../api/batches.ts";
import { forEachInSlices } from "../../util/event-loop.ts";
import { fingerprintOf } from "../../util/fingerprint.ts";

export interface RefreshOptions {
  /** `person`: a user waits; implies `skipRunning`. */
  readonly priority?: Priority | RequestPriority;
  readonly signal?: AbortSignal;
  /** Whether not to join a refresh in progress, since something has changed. */
  readonly skipRunning?: boolean;
  /** Whether to read everything again: always, or where the stored counts differ from the service's. */
  readonly full?: boolean | "where-different";
}

type FullRefresh = NonNullable<RefreshOptions["full"]>;

interface RefreshDependencies {
  readonly project: Project;
  /** Returns the client of the session; `null` when signed out. */
  readonly client: () => Client | null;
  /** Called when the service accepts a token that it had refused before. */
  readonly onAccepted?: () => void;
  /** Returns the locales that are always loaded, besides those that were viewed. */
  readonly preview: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Errors that the next request would have too; after others the rest of the project is still read. */
const BLOCKING_ERRORS: ReadonlySet<ApiErrorKind> = new Set([
  "unauthorized",
  "forbidden",
  "offline",
  "timeout",
  "server_error",
  "rate_limited",
  "busy",
]);

/** The session or the database was replaced during a read, so nothing more may be stored. */
const INTERRUPTED = new Error("the session has ended or the database was replaced");

/** The `Date` header has whole seconds (RFC 9110). */
const DATE_RESOLUTION_MS = 1_000;

/** Refreshes the stored data of a project. */
export class Refresher {
  readonly #dependencies: RefreshDependencies;
  /** Whether the cache still belongs to the session that this refresher was opened for. */
  readonly #isSameSession: () => boolean;
  #running: SingleFlight<Stats | null> | null = null;
  #next: NextRun | null = null;
  /** Time of this window's last complete refresh, in milliseconds since the epoch; stored only if something changed. */
  #completedAt: number | null = null;
  /** Reads in progress, by language; `null`: of the keys. */
  readonly #reads = new Map<string | null, SingleFlight<void>>();

  private constructor(dependencies: RefreshDependencies) {
    this.#dependencies = dependencies;
    this.#isSameSession = dependencies.project.sessionGuard();
  }

  /** Creates a refresher and shows the stored data, without a request. */
  static async open(dependencies: RefreshDependencies): Promise<Refresher> {
    const refresher = new Refresher(dependencies);
    const { project } = dependencies;
    const stored = project.syncMetadata.stats;
    if (stored !== null && project.stats === null)
      project.setStats(stored.stats, { kind: "stored", at: stored.checkedAt });
    if (project.keysComplete) project.changed("keys");
    for (const locale of refresher.#refreshedLocales()) refresher.#showStored(locale);
    return refresher;
  }

  /**
   * Refreshes the project and returns the new stats; `null` when signed out or after a failure (see `freshness`). One
   * refresh runs at a time: concurrent callers share it, those with `skipRunning` the next one. Rejects only with the
   * signal's reason.
   */
  refresh(options: RefreshOptions = {}): Promise<Stats | null> {
    const { full = false, skipRunning = options.priority === "person" || full !== false } = options;
    const running = this.#running;
    if (running?.aborted === false && !skipRunning) return running.join(options);
    if (this.#next === null || this.#next.run.aborted)
      this.#next = this.#scheduleAfter(running?.ended ?? Promise.resolve());
    const next = this.#next;
    if (next.full !== true && full !== false) next.full = full;
    if (options.priority === "person") running?.raisePriority();
    return next.run.join(options);
  }

  /**
   * Refreshes stats and keys, but no translations; all requests are sent after this call. If the keys cannot be read,
   * the project becomes offline.
   * @throws {ApiError} when the stats cannot be read; an abort rejects with the signal's reason.
   */
  async refreshKeys(options: RefreshOptions = {}): Promise<Stats> {
    const { project, clock } = this.#dependencies;
    const client = this.#dependencies.client();
    if (client === null) throw new ApiError("unauthorized", "not signed in");
    const stats = await client.stats(options);
    if (this.#dependencies.client() !== client) throw new ApiError("unauthorized", "not signed in any more");
    project.setStats(stats, { kind: "fresh", at: clock.now() });
    try {
      await this.#update(null, client, stats, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error !== INTERRUPTED) this.#reportFailure(error);
    }
    return stats;
  }

  /**
   * Moves the cursor past a push whose keys are already in the database, so that the next refresh does not read them
   * all back, provided that nobody else changed keys. Never rejects.
   *
   * @param before the service's stats before the push
   * @param sent number of keys sent
   * @param storedAt the service's time after the last request
   */
  async applyPush(before: Stats, sent: number, storedAt: string): Promise<void> {
    const { project, log, clock } = this.#dependencies;
    const { syncMetadata } = project;
    const client = this.#dependencies.client();
    const cursor = syncMetadata.cursor();
    if (client === null || cursor === null) return;
    if (!isCurrent(cursor, before.contentVersion, keyCounts(before))) return;
    try {
      // `storedAt` is rounded to the second: the check must not start before that second is over.
      await clock.sleep(DATE_RESOLUTION_MS);
      const isCertain = await areKeysUnchanged(this.#dependencies, client, sent);
      if (!isCertain) return;
      await project.database.transactionAsync(() => {
        const now = syncMetadata.cursor();
        // Otherwise another refresh has read changes meanwhile.
        const isSame = now?.contentVersion === cursor.contentVersion && now.since === cursor.since;
        if (isSame && this.#isSameSession()) syncMetadata.setCursor({ ...now, since: storedAt });
      });
    } catch (error) {
      log.debug(`The pushed keys will be read back: ${String(error)}`);
    }
  }

  /**
   * Loads a language that is viewed and brings it up to date.
   * @throws {ApiError}
   */
  async ensureLocale(locale: string, options: RefreshOptions = {}): Promise<void> {
    const { project } = this.#dependencies;
    if (project.stats === null) await this.refresh({ ...options, skipRunning: false });
    if (project.stats?.languages.every((language) => language.locale !== locale)) return;
    this.#showStored(locale);
    const client = this.#dependencies.client();
    const { stats } = project;
    if (client === null || stats === null) return;
    try {
      await this.#update(locale, client, stats, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error === INTERRUPTED) return;
      this.#reportFailure(error);
      throw error;
    }
  }

  /** Stores rows that were just read from the service after a write. */
  async applyRows(locale: string, rows: readonly ProjectRow[]): Promise<void> {
    const { project } = this.#dependencies;
    if (rows.length === 0) return;
    await this.#write(() => {
      if (!project.loadedLocales().includes(locale)) return;
      project.translations.put(locale, rows, project.syncMetadata.nextRevision());
    });
  }

  /** Stores a key that was just read from the service. */
  async applyKey(key: ProjectKey): Promise<void> {
    const { project } = this.#dependencies;
    await this.#write(() => project.keys.put([key], project.syncMetadata.nextRevision()));
  }

  /** Runs writes if the session has not ended by then. */
  #write(work: () => void): Promise<void> {
    return this.#dependencies.project.database.transactionAsync(() => {
      if (this.#isSameSession()) work();
    });
  }

  /** Stores the time of the last complete refresh, which refreshes without changes do not. */
  storeCheckedAt(): void {
    const { project } = this.#dependencies;
    const { syncMetadata } = project;
    const { stats: stored } = syncMetadata;
    const checkedAt = this.#checkedAt;
    if (stored === null || stored.checkedAt === checkedAt) return;
    // The window is closing: if another one writes, the next one shows an earlier time.
    project.database.transactionIfFree(() => (syncMetadata.stats = { ...stored, checkedAt }));
  }

  /** Aborts all reads; nothing more is stored. */
  dispose(): void {
    const runs = [this.#running, this.#next?.run, ...this.#reads.values()];
    for (const run of runs) run?.abort(INTERRUPTED);
  }

  /** Creates the refresh that starts when the running one has ended, for all callers until then. */
  #scheduleAfter(ended: Promise<void>): NextRun {
    const next: NextRun = {
      full: false,
      run: new SingleFlight(async (options) => {
        await ended;
        if (this.#next !== next) return null;
        this.#next = null;
        this.#running = next.run;
        try {
          return await this.#refresh(next.full, options);
        } finally {
          // Before the callers are notified, so that their next refresh is a new one.
          if (this.#running === next.run) this.#running = null;
        }
      }),
    };
    return next;
  }

  async #refresh(full: FullRefresh, options: RunOptions): Promise<Stats | null> {
    const { project, clock } = this.#dependencies;
    const client = this.#dependencies.client();
    if (client === null || options.signal.aborted) return null;
    try {
      project.showExternalChanges();
      const checkSession = this.#sessionCheck(client, options);
      const stats = await client.stats(options);
      checkSession();
      if (project.session.kind === "refused") this.#dependencies.onAccepted?.();
      project.setStats(stats, { kind: "fresh", at: clock.now() });
      // Nothing is written when nothing has changed: on a busy disk, the first commit of a window takes up to 250 ms.
      const { stats: stored } = project.syncMetadata;
      if (stored === null) this.#completedAt = null;
      const isChanged =
        stored === null || stored.checkedAt === null || fingerprintOf(stored.stats) !== fingerprintOf(stats);
      if (isChanged) await this.#storeStats(stats, this.#checkedAt, checkSession);
      const failures: unknown[] = [];
      const collectFailure = async (work: Promise<void>): Promise<void> => {
        try {
          await work;
        } catch (error) {
          if (options.signal.aborted || !isApiError(error) || BLOCKING_ERRORS.has(error.kind)) throw error;
          failures.push(error);
        }
      };
      await collectFailure(this.#update(null, client, stats, options, full));
      for (const locale of this.#refreshedLocales())
        await collectFailure(this.#update(locale, client, stats, options, full));
      if (failures.length > 0) throw failures[0];
      this.#completedAt = clock.now();
      if (isChanged) await this.#storeStats(stats, this.#completedAt, checkSession);
      return stats;
    } catch (error) {
      if (!options.signal.aborted && error !== INTERRUPTED) this.#reportFailure(error);
      // Callers that aborted receive their own signal's reason from SingleFlight.
      return null;
    }
  }

  #storeStats(stats: Stats, checkedAt: number | null, checkSession: () => void): Promise<void> {
    const { database, syncMetadata } = this.#dependencies.project;
    return database.transactionAsync(() => {
      checkSession();
      syncMetadata.stats = { stats, checkedAt };
    });
  }

  /** Returns preview languages, then other loaded ones. The source texts are part of the keys. */
  #refreshedLocales(): string[] {
    const { project, preview } = this.#dependencies;
    const known = new Set(project.stats?.languages.map((language) => language.locale));
    const source = project.sourceLocale;
    const previewed = preview().filter((locale) => known.has(locale) && locale !== source);
    return [...new Set([...previewed, ...project.loadedLocales().filter((locale) => known.has(locale))])];
  }

  /**
   * Reads a language, or the keys (`null`), if they have changed. Concurrent callers wait, and then check whether the
   * data is current.
   */
  async #update(
    locale: string | null,
    client: Client,
    requested: Stats,
    options: RefreshOptions,
    full: FullRefresh = false,
  ): Promise<void> {
    const { project } = this.#dependencies;
    let stats = requested;
    for (let run = this.#reads.get(locale); run !== undefined; run = this.#reads.get(locale)) {
      await (run.aborted ? run.ended : run.join(options));
      // The other run may have newer stats.
      stats = project.stats ?? stats;
    }
    if (locale !== null) this.#showStored(locale);
    const cursor = project.syncMetadata.cursor(locale ?? undefined);
    const readsAll = shouldReadAll(cursor, full);
    const counts = locale === null ? keyCounts(stats) : localeCounts(stats, locale);
    if (cursor !== null && !readsAll && isCurrent(cursor, stats.contentVersion, counts)) return;
    const run = new SingleFlight(async (runOptions) => {
      const checkSession = this.#sessionCheck(client, runOptions);
      const request = { client, stats, cursor, readsAll, options: runOptions, checkSession };
      const endReading = project.startReading();
      try {
        if (locale === null) await readKeys(this.#dependencies, request);
        else await readTranslations(this.#dependencies, { ...request, locale });
      } finally {
        if (locale === null) project.setActivity({ busyWith: null });
        endReading();
      }
    });
    this.#reads.set(locale, run);
    void run.ended.then(() => this.#reads.delete(locale));
    await run.join(options);
  }

  /** Shows stored translations of a language, which an earlier or another window read. */
  #showStored(locale: string): void {
    const { project } = this.#dependencies;
    if (!project.loadedLocales().includes(locale) && project.syncMetadata.hasCursor(locale))
      project.showLanguage(locale);
  }

  /** Time of the last complete refresh of any window; `null` without stored stats. */
  get #checkedAt(): number | null {
    const { stats: stored } = this.#dependencies.project.syncMetadata;
    return stored && (Math.max(stored.checkedAt ?? 0, this.#completedAt ?? 0) || null);
  }

  /** Returns a function that throws once the session has ended, the database was replaced or the run was aborted. */
  #sessionCheck(client: Client, options: RunOptions): () => void {
    const { database } = this.#dependencies.project;
    const { path } = database;
    return () => {
      options.signal.throwIfAborted();
      const isSame = this.#dependencies.client() === client && database.path === path;
      if (!isSame || !this.#isSameSession()) throw INTERRUPTED;
    };
  }

  #reportFailure(error: unknown): void {
    const { project, log } = this.#dependencies;
    log.warn(`Refresh failed: ${error instanceof Error ? error.message : String(error)}`);
    const { session } = project;
    const hadSession = session.kind === "signed-in" || session.kind === "refused";
    if (hadSession && isApiError(error, "unauthorized")) {
      project.setSession({ kind: "refused", baseUrl: session.baseUrl, reason: "unauthorized" });
    } else if (session.kind === "signed-in" && isApiError(error, "forbidden")) {
      // Every token has `read`, so a read that is forbidden means "the project is archived" (§ Authentication 4, 6).
      project.setSession({ kind: "refused", baseUrl: session.baseUrl, reason: "archived" });
    }
    project.setStats(project.stats, { kind: "offline", at: this.#checkedAt, error });
  }
}

type RunOptions = RequestOptions & { readonly signal: AbortSignal };

/** A refresh that has not started yet. */
interface NextRun {
  readonly run: SingleFlight<Stats | null>;
  /** The most extensive read that any of its callers requested. */
  full: FullRefresh;
}

/** Returns whether to read everything although the service's counts may be unchanged. */
function shouldReadAll(cursor: SyncCursor | null, full: FullRefresh): boolean {
  return full === "where-different" ? cursor !== null && cursor.differences[0] !== 0 : full;
}

/**
 * Returns whether `POST /keys/diff` finds no changed or archived key; `false` also where reading `sent` keys back
 * costs no more requests.
 * @throws {ApiError}
 */
async function areKeysUnchanged(
  { project }: { readonly project: Project },
  client: Client,
  sent: number,
): Promise<boolean> {
  const { page, diff: compared } = client.maxItems;
  if (sent / page <= 1 + project.keys.size / compared) return false;
  const keys: DiffKey[] = [];
  await forEachInSlices(project.keys.values(), ({ hash, sourceHash }) => keys.push({ hash, sourceHash }));
  const diff = await diffInBatches(client, keys, { priority: "background" });
  return diff !== null && diff.new.length + diff.changed.length + diff.restored.length === 0;
}
