/**
 * What a project's folder is connected to: its files alone, or a project of the service as well. Composes the state, session,
 * jobs and search for one base URL, one project of the service and one cache. A value of `OpenProject`, which replaces it as a
 * whole: whatever began with a connection goes on with it, and never sees or changes what belongs to another one.
 */
import { Uri, workspace, type ExtensionContext } from "vscode";
import type { Client } from "../../api/client.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import type { PlaceholderFamily } from "../../model/placeholders.ts";
import { LocalTexts } from "../../projects/local-texts.ts";
import type { LocalOnlyState } from "../../workspace/local-files/local-only-state.ts";
import { raceWithAbort } from "../abort-signals.ts";
import type { Database } from "../../database/database.ts";
import { KnownProjects } from "../../database/personal/known-projects.ts";
import type { PersonalData } from "../../database/personal/personal-data.ts";
import { KeyNames } from "../../database/key-name-repository.ts";
import { KeySearch } from "../../database/full-text-search.ts";
import type { WholeProjectQueries } from "../../database/translation-editor-queries.ts";
import type { ProjectIndexing } from "../../indexer/project-indexing.ts";
import { Jobs, type UnattendedEnd } from "../../sync/poll-jobs.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import type { ProjectFile } from "../../workspace/project-file/project-file.ts";
import type { FormatName } from "../../model/file-formats.ts";
import type { ProjectFiles, Subscription } from "../../model/platform.ts";
import { Project } from "../../database/project-state.ts";
import {
  CONTENT_OF_FILES,
  contentOfProject,
  isSameContent,
  type CacheContent,
} from "../../database/sync-metadata-repository.ts";
import type { Store } from "../../database/store.ts";
import { Refresher } from "../../sync/refresh/refresh.ts";
import { clock } from "../../api/system-clock.ts";
import type { Priority, RequestPriority } from "../../util/priority.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import { openClient } from "../create-api-client.ts";
import { unsavedFiles } from "../files/project-file-system.ts";
import type { WalkScope } from "../../workspace/file-system/walk-folder.ts";
import type { FolderSearch } from "../../workspace/project-detection/folder-search.ts";
import type { LogChannel } from "../log.ts";
import { errorKindMessage, untrustedError } from "../../messages/error-messages.ts";
import { CommandError } from "../../commands/command-types.ts";
import { ProjectSession } from "../../sync/session/project-session.ts";
import { projectIdOf, saveRecord, type SavedToken } from "../../sync/session/token-storage.ts";
import { projectFolderName } from "./project-databases.ts";
import { countPendingChanges, type PendingChanges } from "../../sync/count-pending-changes.ts";
import { l10n } from "../../util/l10n.ts";

/** What decides whether a folder needs another connection. */
export interface ConnectionTarget {
  /** Normalised; `null` if none is set. */
  readonly baseUrl: string | null;
  /** The stored token; `null` if nobody is signed in. */
  readonly saved: SavedToken | null;
  readonly database: Database;
  readonly personal: PersonalData;
}

/** What all connections of a folder share. */
export interface ConnectionDependencies {
  readonly context: ExtensionContext;
  readonly log: LogChannel;
  readonly root: Uri;
  readonly label: string;
  /** Counts changes of the connection's tables as those of `owner`. */
  readonly store: Store<object>;
  readonly owner: object;
  readonly files: ProjectFiles;
  /** Returns the project file with recognised layouts; empty if there is none. */
  readonly file: () => ProjectFile;
  /** Returns what is no file of the project. */
  readonly scope: () => WalkScope;
  readonly search: Pick<FolderSearch, "read">;
  readonly formatAt: (path: string) => FormatName | undefined;
  /** Returns functions of the indexing process. */
  readonly indexing: (database: Database, priority: Priority | RequestPriority) => ProjectIndexing;
  /** Completes writes that were interrupted when a window closed or crashed. Never rejects. */
  readonly finishWriting: (storage: Uri) => Promise<void>;
  /** Called when a job ended that no command is waiting for. */
  readonly onUnattendedEnd: (end: UnattendedEnd) => void;
  /** The source language that the user chose for a folder without a project file. */
  readonly chosenSource: () => string | null;
  /** As `Projects.update`. */
  readonly update: () => Promise<void>;
}

/** Identifies this window. */
const WINDOW = crypto.randomUUID();

/** A connection of a project's folder. Disposed of when another one replaces it. */
export class ProjectConnection extends Project {
  /** The names of the active keys. */
  readonly keyNames: KeyNames;
  readonly keySearch: KeySearch;
  /** Finds the problems of all files in the indexing process. */
  readonly problems: ProjectIndexing["problems"];
  /** Runs queries that read all keys in the indexing process. */
  readonly queries: WholeProjectQueries;
  readonly local: LocalEntries;
  readonly jobPoller: Jobs;
  /** The effective base URL (sign-in, project file or setting); `null` if none is set. */
  readonly baseUrl: string | null;
  /** Identifies the project at the base URL; `null` if nobody is signed in. */
  readonly projectId: string | null;
  readonly #session: ProjectSession;
  readonly #dependencies: ConnectionDependencies;
  readonly #indexing: (priority: Priority | RequestPriority) => ProjectIndexing;
  #saved: SavedToken | null;
  #ready: Promise<void> | null = null;
  #refresher: Promise<Refresher> | null = null;
  /** The resolved `#refresher`. */
  #openedRefresher: Refresher | null = null;
  #ended: Promise<void> | null = null;
  readonly #texts: LocalTexts;
  readonly #disposed = new AbortController();
  readonly #searchUpdates = new WorkQueue();
  #isReading = false;
  #sourceKeysShown = (): void => undefined;
  readonly #whenSourceKeysShown = new Promise<void>((resolve) => (this.#sourceKeysShown = resolve));
  readonly #subscriptions: readonly Subscription[];

  constructor(dependencies: ConnectionDependencies, target: ConnectionTarget) {
    const { context, log, root, store, owner, files, formatAt } = dependencies;
    const { baseUrl, saved, database, personal } = target;
    const session = { kind: "unknown", isTokenStored: saved !== null } as const;
    super(projectFolderName(root, baseUrl), dependencies.label, database, personal, store, session, owner);
    this.#dependencies = dependencies;
    const indexing = (priority: Priority | RequestPriority): ProjectIndexing =>
      dependencies.indexing(database, priority);
    this.#indexing = indexing;
    this.keyNames = new KeyNames(database);
    this.keySearch = new KeySearch(database);
    this.queries = indexing("person").queries;
    this.problems = indexing("background").problems;
    this.baseUrl = baseUrl;
    this.projectId = projectIdOf(saved);
    this.#saved = saved;
    this.#session = new ProjectSession({
      project: this,
      isTrusted: () => workspace.isTrusted,
      connect: (token, options) =>
        openClient(token.baseUrl, token.token, log, {
          ...options,
          onUncertainWrite: () => this.#refreshInBackground(),
        }),
    });
    const { version } = context.extension.packageJSON as { readonly version: string };
    this.#texts = new LocalTexts({
      project: this,
      database,
      isSignedIn: saved !== null,
      files,
      version,
      file: dependencies.file,
      scope: dependencies.scope,
      search: dependencies.search,
      indexing,
      takeOver: () => this.#takeOver(CONTENT_OF_FILES),
      chosenSource: dependencies.chosenSource,
      updateLayout: dependencies.update,
      unsavedFiles: (extensions) => unsavedFiles(root, extensions, formatAt),
      onReading: (isReading) => {
        this.setReading(isReading);
        this.#isReading = isReading;
        this.#updateSearchSoon();
      },
      onChanged: () => this.changed("files"),
      onPartlyRead: () => this.#showSourceKeys(),
    });
    this.local = this.#texts.entries;
    this.jobPoller = new Jobs({
      project: this,
      client: () => this.#session.client,
      clock,
      log,
      window: WINDOW,
      onUnattendedEnd: dependencies.onUnattendedEnd,
    });
    this.#subscriptions = [
      this.onDidChange((table) => {
        if (table === "stats") this.configureLocal();
        // Jobs are not followed without a token, or with one that was refused.
        if (table === "session" && this.#session.client !== null) this.jobPoller.resume();
      }),
      store.subscribe(["keys", "translations"], (changed) => {
        if (changed.has(owner)) this.#updateSearchSoon();
      }),
    ];
    this.configureLocal();
    this.#updateSearchSoon();
  }

  /** Updates the search index with what was written; not while files are read, of which there may be many. */
  #updateSearchSoon(): void {
    const { log } = this.#dependencies;
    const { signal } = this.#disposed;
    const update = async (priority: RequestPriority): Promise<void> => {
      if (this.#isReading || signal.aborted || this.keySearch.isUpToDate) return;
      try {
        await this.#indexing(priority).search.update(signal);
        this.changed("search");
      } catch (error) {
        if (!signal.aborted) log.error("The search index could not be updated", error);
      }
    };
    void this.#searchUpdates.run(update, { name: "search" });
  }

  /** Resolves when it is known whether somebody is signed in. */
  get ready(): Promise<void> {
    return (this.#ready ??= this.#start());
  }
  /** Synchronises the state with the service; resolves when the cached state is loaded. */
  get refresher(): Promise<Refresher> {
    return (this.#refresher ??= this.ready.then(async () => {
      this.#openedRefresher = await Refresher.open({
        project: this,
        client: () => this.#session.client,
        onAccepted: () => this.#session.retry(),
        preview: () => previewLocales(this.#dependencies.file(), this.stats),
        clock,
        log: this.#dependencies.log,
      });
      return this.#openedRefresher;
    }));
  }

  /** Reads back what a write may have changed; failures only show in the project's `freshness`. */
  #refreshInBackground(): void {
    this.refresher.then((opened) => opened.refresh({ priority: "person" })).catch(() => undefined);
  }

  /**
   * Returns the client of the signed-in session.
   *
   * @throws {CommandError} `untrusted`, `not_signed_in` or, for a refused token, `unauthorized`.
   */
  client(): Client {
    if (!workspace.isTrusted) throw untrustedError();
    const { client } = this.#session;
    if (client !== null) return client;
    if (this.source.refusal === "unauthorized") {
      throw new CommandError("unauthorized", errorKindMessage("unauthorized"));
    }
    throw new CommandError(
      "not_signed_in",
      l10n.t("You are not signed in to “{0}”. Sign in first.", this.label),
    );
  }

  /** Uses a refused token again; a no-op in any other state. */
  retrySession(): void {
    this.#session.retry();
  }

  /** Reads changed local files, and shows their keys and translations; a no-op if somebody is signed in. */
  async loadLocal(signal?: AbortSignal, priority: Priority = "person"): Promise<void> {
    await this.ready;
    await raceWithAbort(this.#localState?.load(priority) ?? Promise.resolve(), signal);
  }

  /**
   * Resolves when the keys of the local source files are shown, which are read first, or if that failed; at once if somebody
   * is signed in.
   */
  async sourceKeysShown(): Promise<void> {
    if (this.#localState === null) return;
    await Promise.race([this.#whenSourceKeysShown, this.#loadLocalSoon()]);
  }

  /** Like `loadLocal`, without waiting for the translations. */
  async loadLocalKeys(signal?: AbortSignal): Promise<void> {
    await this.ready;
    await raceWithAbort(this.#localState?.loadKeys("person") ?? Promise.resolve(), signal);
    this.#showReadFiles();
  }

  /** Reads the source language from the framework's configuration again. */
  invalidateConfiguration(): void {
    this.#localState?.invalidateConfiguration();
    void this.#loadLocalSoon();
  }

  /**
   * Reads local files that have changed: once they were read, everything that is shown has their current content.
   * Failures are logged.
   */
  filesChanged(): void {
    if (this.#localState !== null) void this.#loadLocalSoon();
    else if (this.local.loaded === null) this.changed("files");
    else
      this.local
        .loadTexts(this.#disposed.signal, "background")
        .catch((error: unknown) => this.#logNotShown(error));
  }

  #loadLocalSoon(): Promise<void> {
    return this.loadLocal(undefined, "background").catch((error: unknown) => this.#logNotShown(error));
  }

  /** Shows the keys of the source files before those of other languages are read. */
  async #showSourceKeys(): Promise<void> {
    try {
      await this.#localState?.showKeys("background");
    } catch (error) {
      this.#logNotShown(error);
    }
    this.#sourceKeysShown();
  }

  /** Shows what was read, in the background. */
  #showReadFiles(): void {
    this.#localState?.showRead("background").catch((error: unknown) => this.#logNotShown(error));
  }

  #logNotShown(error: unknown): void {
    if (!this.#disposed.signal.aborted)
      this.#dependencies.log.error("The local files could not be shown", error);
  }

  /** Applies a new token of the same project; the cached state is kept. */
  async takeToken(saved: SavedToken | null): Promise<void> {
    this.#saved = saved;
    await this.ready;
    this.#session.applyToken(saved);
  }

  /** Stores a project record with a new name or slug. */
  async updateRecord(record: ProjectRecord): Promise<void> {
    const saved = this.#saved;
    if (saved === null) return;
    const location = {
      secrets: this.#dependencies.context.secrets,
      root: this.#dependencies.root.toString(),
      baseUrl: this.baseUrl,
    };
    await this.takeToken(await saveRecord(location, saved, record));
    this.storeKnownProject();
  }

  /** Stores what the project is recognised by when another token is used; a no-op if nobody is signed in. */
  storeKnownProject(): void {
    const { personal } = this;
    if (this.projectId === null || this.baseUrl === null || this.#saved === null) return;
    const { slug, name } = this.#saved;
    const known = new KnownProjects(personal.database);
    known.put(this.baseUrl, { id: this.projectId, slug, name });
    if (this.#isCacheOwn()) known.storeKeys(personal.project, this.database);
  }

  /** Reads everything again, after the database moved to memory and was emptied. */
  reload(): void {
    this.#reload().catch((error: unknown) =>
      this.#dependencies.log.error("The project could not be read again", error),
    );
  }

  async #reload(): Promise<void> {
    await this.#takeOverDatabase();
    this.changed("keys", "translations");
    this.#localState?.reset();
    this.filesChanged();
    void this.#refresher
      ?.then((refresher) => refresher.refresh({ skipRunning: true }))
      .catch(() => undefined);
  }

  /** Whether somebody signed out or in elsewhere since: the cache may belong to another project by now. */
  get hasEnded(): boolean {
    return this.#ended !== null || this.#disposed.signal.aborted;
  }

  /** Whether what belongs to this project may be stored in the cache, which may have another one by now. */
  mayStore(): boolean {
    if (this.hasEnded) return false;
    return !this.source.hasService || this.syncMetadata.content === null || this.#isCacheOwn();
  }

  /** Resolves when the session, if its end has begun, has ended. */
  get ended(): Promise<void> | null {
    return this.#ended;
  }

  /** Ends the session: no more requests are sent, and the cached content of the service is deleted. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#session.end();
    this.#localState?.dispose();
    const refresher = await this.#refresher?.catch(() => null);
    this.#refresher = null;
    this.#openedRefresher = null;
    refresher?.dispose();
    this.jobPoller.dispose();
    this.storeKnownProject();
    await this.#clear(this.#content, null);
    this.reset({ kind: "signed-out" });
  }

  override dispose(): void {
    this.#storeFreshness();
    void this.#refresher?.then((refresher) => refresher.dispose()).catch(() => undefined);
    for (const subscription of this.#subscriptions) subscription.dispose();
    super.dispose();
    this.#disposed.abort();
    this.#localState?.dispose();
    this.#session.end();
    this.jobPoller.dispose();
  }

  /** Stores when the state was last known to be current, unless the database has another project now. */
  #storeFreshness(): void {
    try {
      if (this.#isCacheOwn()) this.#openedRefresher?.storeCheckedAt();
      this.storeKnownProject();
    } catch {
      // The database is locked: the next window shows an earlier time.
    }
  }

  async #start(): Promise<void> {
    const { context, finishWriting } = this.#dependencies;
    if (workspace.isTrusted) await finishWriting(Uri.joinPath(context.globalStorageUri, "projects", this.id));
    await this.#takeOverDatabase();
    this.storeKnownProject();
    this.#session.applyToken(this.#saved);
    void this.#loadLocalSoon();
    if (this.#session.client === null) return;
    // Not awaited: `ready` only promises that the session is known.
    void this.refresher.catch((error: unknown) =>
      this.#dependencies.log.error("The database could not be read", error),
    );
  }

  /** Deletes everything of the service from the database, in the indexing process. */
  async #clear(content: CacheContent | null, next: CacheContent | null): Promise<void> {
    await this.#indexing("person").serviceData.clear(content, next);
    // What it wrote is no change of another window.
    this.syncMetadata.hasExternalChanges();
  }

  /** Deletes the content of another project from the database, and writes what it contains now. */
  async #takeOver(content: CacheContent): Promise<void> {
    const { syncMetadata } = this;
    while (!isSameContent(content, syncMetadata.content)) await this.#clear(syncMetadata.content, content);
  }

  async #takeOverDatabase(): Promise<void> {
    if (this.source.hasService) await this.#takeOver(this.#content);
  }

  /** What this project stores in the cache. */
  get #content(): CacheContent {
    return this.projectId === null ? CONTENT_OF_FILES : contentOfProject(this.projectId);
  }

  /** Whether the cache has what this project stores there, and not what another window stored. */
  #isCacheOwn(): boolean {
    return isSameContent(this.#content, this.syncMetadata.content);
  }

  /** Adds what was read last to the search index, in the indexing process. @throws the signal's reason */
  async indexTexts(signal?: AbortSignal): Promise<void> {
    if (this.keySearch.isUpToDate) return;
    await this.#indexing("person").search.update(signal);
    this.changed("search");
  }

  /**
   * Checks the texts of the local files that were not checked yet, in the indexing process; nothing if translations are those
   * of the service. @throws the signal's reason
   */
  async checkTexts(families: readonly PlaceholderFamily[], signal?: AbortSignal): Promise<void> {
    const changed = await this.problems.check(families, signal);
    if (changed.length === 0) return;
    // What the indexing process wrote is no change of another window.
    this.syncMetadata.hasExternalChanges();
    this.changed("translations");
  }

  /** Counts the differences between the local files, read from disk if they changed, and the cached state of the service. */
  async countPendingChanges(signal?: AbortSignal): Promise<PendingChanges> {
    const { pendingChanges } = this.#indexing("background");
    return countPendingChanges(this, this.local, pendingChanges, signal);
  }

  /** Applies the project file and the languages to the local files. */
  configureLocal(): void {
    this.#texts.configure();
  }

  /** `null` if somebody is signed in. */
  get #localState(): LocalOnlyState | null {
    return this.#texts.state;
  }
}
