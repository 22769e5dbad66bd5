/**
 * One open project: its folder, its state and all that serves it, put together for one project of the service. Another
 * base URL, or a token of another project, is another open project; nothing of the one reaches the other.
 */
import { readdir, rm } from "node:fs/promises";
import { Uri, workspace, type ExtensionContext } from "vscode";
import type { Client } from "../../api/client.ts";
import type { ProjectRecord } from "../../api/undocumented-fields.ts";
import { configuredLanguages, SOURCE_LANGUAGE_GLOBS } from "../../workspace/project-file/source-language.ts";
import { LocalState } from "../../workspace/local-files/local-state.ts";
import { raced } from "../cancellable.ts";
import { languageName } from "../language-name.ts";
import { readManifests } from "./read-manifests.ts";
import type { FormatName } from "../../model/format-name.ts";
import type { Database } from "../../database/database.ts";
import { KeyNames } from "../../database/key-names.ts";
import { KeySearch } from "../../database/key-search.ts";
import type { ProjectIndexing } from "../../worker/indexing.ts";
import { formatOfPath } from "../../formats/recognise.ts";
import { Jobs, type UnattendedEnd } from "../../sync/jobs.ts";
import { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import {
  PROJECT_FILE_NAME,
  type FilesEntry,
  type ParsedProjectFile,
  type ProjectFile,
  type ProjectFileError,
} from "../../workspace/project-file/project-file.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import { Project } from "../../database/project-state.ts";
import { Refresher } from "../../sync/refresh.ts";
import type { OpenProject } from "./project-handle.ts";
import { clock } from "../clock.ts";
import { sha1 } from "../../model/key-identity.ts";
import { openClient } from "./api-client.ts";
import { removeLeftovers } from "../../workspace/files/disk.ts";
import { openFiles, relativePathOfUri } from "../files/files.ts";
import type { LogChannel } from "../log.ts";
import { showWarning } from "../notifications.ts";
import { CommandError } from "../command-result.ts";
import type { RecentResults } from "../recent-results.ts";
import { ProjectSession } from "./session.ts";
import { projectIdOf, saveRecord, type SavedToken, type TokenPlace } from "./token-storage.ts";
import { countPendingChanges, type PendingChanges } from "../../sync/count-pending-changes.ts";
import { finishReplacing } from "../../workspace/files/file-transaction.ts";
import { l10n } from "../l10n.ts";

export interface OpenProjectDependencies {
  readonly context: ExtensionContext;
  readonly log: LogChannel;
  readonly root: Uri;
  readonly database: Database;
  readonly indexing: ProjectIndexing;
  /** Normal form; `null`: none is set. */
  readonly baseUrl: string | null;
  /** The token that is saved for it; `null`: nobody is signed in. */
  readonly saved: SavedToken | null;
  /** Whether a file below the root is this project's and not one's further down. */
  readonly owns: (uri: Uri) => boolean;
  /** The project file was written from here: resolves when it is taken over. */
  readonly fileWritten: () => Promise<void>;
  readonly results: RecentResults;
  readonly onUnattendedEnd: (end: UnattendedEnd) => void;
  /** The source language that a person chose here without a project file. */
  readonly chosenSource: () => string | null;
}

/** Tells this window from others. */
const WINDOW = crypto.randomUUID();

export class OpenedProject implements OpenProject {
  readonly root: Uri;
  readonly fileUri: Uri;
  readonly project: Project;
  readonly database: Database;
  readonly keyNames: KeyNames;
  readonly keySearch: KeySearch;
  readonly files: ProjectFiles;
  readonly local: LocalEntries;
  readonly jobs: Jobs;
  readonly baseUrl: string | null;
  /** Which project of the base URL it is; `null`: nobody is signed in. */
  readonly projectId: string | null;
  readonly session: ProjectSession;
  readonly #log: LogChannel;
  readonly #secrets: TokenPlace["secrets"];
  readonly #fileWritten: () => Promise<void>;
  readonly #results: RecentResults;
  /** The folder of VS Code's storage that is the project's own. */
  readonly #storage: Uri;
  /** Of files that are being replaced. */
  readonly #notes: string;
  #saved: SavedToken | null;
  #ownFile: ProjectFile;
  #file: ProjectFile;
  #fileErrors: readonly ProjectFileError[];
  #ready: Promise<void> | null = null;
  #refresher: Promise<Refresher> | null = null;
  #ended: Promise<void> | null = null;
  readonly #indexing: ProjectIndexing;
  /** `null`: somebody is signed in. */
  readonly #localState: LocalState | null;
  #recognised: readonly FilesEntry[];
  readonly #disposed = new AbortController();
  #isIndexing = false;
  readonly #subscription: { dispose(): void };

  constructor(
    dependencies: OpenProjectDependencies,
    { file, errors }: ParsedProjectFile,
    recognised: readonly FilesEntry[],
  ) {
    const { context, log, root, database, indexing, baseUrl, saved, owns, fileWritten, results } =
      dependencies;
    this.root = root;
    this.database = database;
    this.keyNames = new KeyNames(database);
    this.keySearch = new KeySearch(database);
    this.#indexing = indexing;
    this.fileUri = Uri.joinPath(root, PROJECT_FILE_NAME);
    this.baseUrl = baseUrl;
    this.projectId = projectIdOf(saved);
    this.#saved = saved;
    this.#log = log;
    this.#secrets = context.secrets;
    this.#fileWritten = fileWritten;
    this.#results = results;
    this.#ownFile = file;
    this.#file = withLayouts(file, recognised);
    this.#recognised = recognised;
    this.#fileErrors = errors;
    const id = projectFolderName(root, baseUrl);
    this.project = new Project(id, labelOf(root), database);
    const formatAt = (path: string): FormatName | undefined =>
      this.local.placeOf(path)?.entry.format ?? formatOfPath(path) ?? undefined;
    this.#storage = Uri.joinPath(context.globalStorageUri, "projects", id);
    this.#notes = Uri.joinPath(context.globalStorageUri, "writing", sha1(root.toString())).fsPath;
    this.files = this.#told(openFiles({ root, owns, formatAt, notes: this.#notes }));
    this.session = new ProjectSession({
      project: this.project,
      isTrusted: () => workspace.isTrusted,
      connect: (token, options) => openClient(token.baseUrl, token.token, log, options),
    });
    const { version } = context.extension.packageJSON as { readonly version: string };
    this.local = new LocalEntries({
      ...{ database, version, files: this.files },
      keys: () => this.project.keys,
      indexing: indexing.localFiles,
    });
    this.jobs = new Jobs({
      project: this.project,
      client: () => this.session.client,
      clock,
      log,
      window: WINDOW,
      onUnattendedEnd: dependencies.onUnattendedEnd,
    });
    this.#localState =
      saved === null
        ? new LocalState({
            project: this.project,
            local: this.local,
            indexing: indexing.localKeys,
            chosenSource: () => this.#file.sourceLocale ?? dependencies.chosenSource(),
            configuredLanguages: async () =>
              configuredLanguages(await readManifests(this.files, SOURCE_LANGUAGE_GLOBS, MAX_CONFIGURATIONS)),
            onSourceLanguage: (locale) => this.#configureLocal(locale),
            nameOf: languageName,
          })
        : null;
    this.#subscription = this.project.onDidChange((change) => {
      if (change.stats === true) this.#configureLocal();
      if (change.keys === true || change.rows !== undefined) this.#updateSearch();
      if (change.local === true) this.#updateLocalSoon();
      // Following ends when a token is refused, and goes on when one is accepted again.
      if (change.session === true && this.session.client !== null) this.jobs.resume();
    });
    this.#configureLocal();
    this.#updateSearch();
  }

  get file(): ProjectFile {
    return this.#file;
  }
  /** As it stands on disk. */
  get ownFile(): ProjectFile {
    return this.#ownFile;
  }
  get recognised(): readonly FilesEntry[] {
    return this.#recognised;
  }
  get fileErrors(): readonly ProjectFileError[] {
    return this.#fileErrors;
  }
  get ready(): Promise<void> {
    return (this.#ready ??= this.#start());
  }
  get refresher(): Promise<Refresher> {
    return (this.#refresher ??= this.ready.then(() =>
      Refresher.open({
        project: this.project,
        client: () => this.session.client,
        onAccepted: () => this.session.retry(),
        preview: () => previewLocales(this.#file, this.project.stats),
        clock,
        log: this.#log,
      }),
    ));
  }

  client(): Client {
    if (!workspace.isTrusted) {
      throw new CommandError(
        "untrusted",
        l10n.t("This folder is not trusted, so nothing is sent to the service. Trust it first."),
      );
    }
    const { client } = this.session;
    if (client !== null) return client;
    const { session } = this.project;
    if (session.kind === "rejected") {
      throw new CommandError(
        "unauthorized",
        l10n.t("The service does not accept the token. Sign in with a new one."),
      );
    }
    throw new CommandError(
      "not_signed_in",
      l10n.t("You are not signed in to “{0}”. Sign in first.", this.project.label),
    );
  }

  retrySession(): void {
    this.session.retry();
  }

  relative(uri: Uri): string | null {
    return relativePathOfUri(this.root, uri);
  }

  async updateLocal(signal?: AbortSignal): Promise<void> {
    await this.ready;
    await raced(this.#localState?.update() ?? Promise.resolve(), signal);
  }

  /** The configuration of the framework may say another source language. */
  forgetConfiguration(): void {
    this.#localState?.forgetConfiguration();
    this.#updateLocalSoon();
  }

  #updateLocalSoon(): void {
    this.#localState?.update().catch((error: unknown) => {
      if (!this.#disposed.signal.aborted) this.#log.error("The local files could not be shown", error);
    });
  }

  /** Takes the project file's new content; whoever shows it is told by the caller. */
  setFile({ file, errors }: ParsedProjectFile, recognised: readonly FilesEntry[]): void {
    this.#ownFile = file;
    this.#file = withLayouts(file, recognised);
    this.#recognised = recognised;
    this.#fileErrors = errors;
    this.#configureLocal();
  }

  /** Takes a token of the same project that was saved since: all that is known stays. */
  async takeToken(saved: SavedToken | null): Promise<void> {
    this.#saved = saved;
    await this.ready;
    this.session.take(saved);
    // A token that was refused followed them no longer.
    if (this.session.client !== null) this.jobs.resume();
  }

  async takeRecord(record: ProjectRecord): Promise<void> {
    const saved = this.#saved;
    if (saved === null) return;
    const place = { secrets: this.#secrets, root: this.root.toString(), baseUrl: this.baseUrl };
    await this.takeToken(await saveRecord(place, saved, record));
  }

  /** The database is in memory now and holds nothing of the service and the files. */
  readAnew(): void {
    this.#claimDatabase();
    for (const locale of this.project.loadedLocales()) this.project.translationsChanged(locale);
    this.project.keysChanged();
    this.#localState?.forget();
    this.project.localChanged();
    void this.#refresher?.then((refresher) => refresher.refresh({ anew: true })).catch(() => undefined);
  }

  /** Nobody is signed in to it any more, or to another project: nothing more is sent, and all that it knew goes. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    this.session.end();
    this.#localState?.dispose();
    const refresher = await this.#refresher?.catch(() => null);
    this.#refresher = null;
    refresher?.dispose();
    this.jobs.dispose();
    this.project.syncState.clear(this.projectId);
    this.project.forget({ kind: "signed-out" });
  }

  dispose(): void {
    void this.#refresher?.then((refresher) => refresher.dispose()).catch(() => undefined);
    this.#subscription.dispose();
    this.#disposed.abort();
    this.#localState?.dispose();
    this.session.end();
    this.jobs.dispose();
  }

  async #start(): Promise<void> {
    if (workspace.isTrusted) await this.#finishWriting();
    this.#claimDatabase();
    this.session.take(this.#saved);
    this.#updateLocalSoon();
    if (this.session.client === null) return;
    this.jobs.resume();
    // Its preparations must not make anybody wait who only wants to know who is signed in.
    void this.refresher.catch((error: unknown) => this.#log.error("The database could not be read", error));
  }

  /** What another project of the service left in the folder's database must not be shown for this one's. */
  #claimDatabase(): void {
    if (this.projectId === null) return;
    const { syncState } = this.project;
    if (syncState.owner === this.projectId) return;
    syncState.clear(syncState.owner);
    syncState.owner = this.projectId;
  }

  /** What a window that was closed, or broke down, had begun to write. */
  async #finishWriting(): Promise<void> {
    try {
      await removeLeftovers(this.#storage.fsPath);
      await removeFormerCaches(this.#storage);
      for (const { kind, paths } of await finishReplacing(this.#notes)) {
        const files = paths.map((path) => this.relative(Uri.file(path)) ?? path);
        this.local.invalidate(files);
        const message =
          kind === "completed"
            ? l10n.t(
                "The window closed while files were being written. They have now been completed: {0}.",
                files.join(", "),
              )
            : l10n.t(
                "The window closed before these files were written, so they are unchanged: {0}. Try again.",
                files.join(", "),
              );
        this.#log.warn(message);
        void showWarning(message);
        this.#results.add(this, message, kind === "completed" ? "done" : "failed");
      }
    } catch (error) {
      this.#log.error("What was being written when the last window ended could not be looked at", error);
    }
  }

  async countPendingChanges(signal?: AbortSignal): Promise<PendingChanges> {
    const local = await this.local.load(signal);
    return countPendingChanges(this.project, local, { counting: this.#indexing.pendingChanges }, signal);
  }

  /** Makes what was written to the database searchable, one call after the other. */
  #updateSearch(): void {
    if (this.#isIndexing || this.#disposed.signal.aborted || this.keySearch.isUpToDate) return;
    this.#isIndexing = true;
    this.#indexing.search
      .update(this.#disposed.signal)
      .finally(() => (this.#isIndexing = false))
      .then(
        () => {
          this.project.searchUpdated();
          this.#updateSearch();
        },
        (error: unknown) => {
          if (!this.#disposed.signal.aborted)
            this.#log.error("The search could not be brought up to date", error);
        },
      );
  }

  /** Our own writes are known at once; the watcher of the files tells of them only later. */
  #told(files: ProjectFiles): ProjectFiles {
    return {
      ...files,
      write: async (writes) => {
        const outcome = await files.write(writes);
        if (outcome.kind === "written") {
          this.local.invalidate(writes.map((write) => write.path));
          this.project.localChanged();
          if (writes.some((write) => write.path === PROJECT_FILE_NAME)) await this.#fileWritten();
        }
        return outcome;
      },
    };
  }

  /** `sourceLocale`: of files that no service says it for. */
  #configureLocal(sourceLocale = this.#localState?.sourceLocale ?? null): void {
    const { stats, isLocal } = this.project;
    const languages = isLocal ? [] : (stats?.languages ?? []);
    this.local.configure({
      files: this.#file.files ?? [],
      locales: this.#file.locales ?? {},
      sourceLocale: this.#localState === null ? this.project.sourceLocale : sourceLocale,
      serviceLocales: languages.map((language) => language.locale),
    });
  }
}

/** The project file with the layouts that were recognised, where it names none. */
function withLayouts(file: ProjectFile, recognised: readonly FilesEntry[]): ProjectFile {
  return file.files === undefined && recognised.length > 0 ? { ...file, files: [...recognised] } : file;
}

/** Files of configuration that are read at most. */
const MAX_CONFIGURATIONS = 50;

/** Removes what earlier versions stored there of the service. */
async function removeFormerCaches(folder: Uri): Promise<void> {
  const names = await readdir(folder.fsPath).catch(() => []);
  for (const name of names.filter((each) => !/^(?:project\.db|usages)/u.test(each)))
    await rm(Uri.joinPath(folder, name).fsPath, { recursive: true, force: true });
}

/** Names the folder of VS Code's storage that holds what is known of a project. */
export function projectFolderName(root: Uri, baseUrl: string | null): string {
  return sha1(`${root.toString()}\u001f${baseUrl ?? ""}`);
}

/** The folder's name, in a window of many with the way to it. */
function labelOf(root: Uri): string {
  return workspace.asRelativePath(root, true) === root.fsPath
    ? (root.path.split("/").at(-1) ?? root.path)
    : workspace.asRelativePath(root, (workspace.workspaceFolders?.length ?? 0) > 1);
}
