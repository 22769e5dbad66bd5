/**
 * One project of the window, as long as its folder is open: its files, the project file, and what it is connected to. Signing
 * in or out, trust and another base URL replace the connection, never the project.
 */
import { Uri, workspace, type ExtensionContext } from "vscode";
import type { Client } from "../../api/client.ts";
import type { Database } from "../../database/database.ts";
import type { Freshness } from "../../database/project-state.ts";
import type { KeyRepository } from "../../database/key-repository.ts";
import type { KeyNames } from "../../database/key-name-repository.ts";
import type { KeySearch } from "../../database/full-text-search.ts";
import type { PersonalData } from "../../database/personal/personal-data.ts";
import type { ProjectRow } from "../../database/records.ts";
import type { Session } from "../../database/session/session.ts";
import type { TextSource } from "../../database/session/text-source.ts";
import { CONNECTION_TABLES, type Store, type StoreTable } from "../../database/store.ts";
import type { TranslationRepository } from "../../database/translation-repository.ts";
import type { Stats } from "../../api/response-schemas.ts";
import type { KeySpelling } from "../../messages/labels.ts";
import type { ProjectIndexing } from "../../indexer/project-indexing.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import { conventionFiles } from "../../projects/convention-files.ts";
import { notifyingFiles } from "../../projects/notifying-files.ts";
import { sha1 } from "../../model/key-hash.ts";
import type { PendingChanges } from "../../sync/count-pending-changes.ts";
import type { UnattendedEnd } from "../../sync/poll-jobs.ts";
import type { Refresher } from "../../sync/refresh/refresh.ts";
import type { Priority, RequestPriority } from "../../util/priority.ts";
import { removeOrphanedFiles } from "../../workspace/file-system/atomic-write.ts";
import type { CreatedFiles } from "../../workspace/file-system/created-files.ts";
import { recoverTransactions } from "../../workspace/file-system/file-transaction.ts";
import type { WalkScope } from "../../workspace/file-system/walk-folder.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import type { ConventionFiles } from "../../workspace/project-detection/detect-conventions.ts";
import type { FolderSearch } from "../../workspace/project-detection/folder-search.ts";
import {
  PROJECT_FILE_NAME,
  withLayouts,
  type ProjectFile,
} from "../../workspace/project-file/project-file.ts";
import { recoveryMessage } from "../../messages/file-write-error-messages.ts";
import { excludedFiles } from "../extension-settings.ts";
import { formatOfFile } from "../files/format-of-file.ts";
import { openFiles, relativePathOfUri } from "../files/project-file-system.ts";
import type { LogChannel } from "../log.ts";
import { labelOf, type ProjectContent } from "./find-project-files.ts";
import { OutsideCode } from "./outside-code.ts";
import {
  ProjectConnection,
  type ConnectionDependencies,
  type ConnectionTarget,
} from "./project-connection.ts";
import { projectFolderName, removeOldCaches } from "./project-databases.ts";

interface OpenProjectDependencies {
  readonly context: ExtensionContext;
  readonly log: LogChannel;
  readonly root: Uri;
  readonly store: Store<object>;
  /** Returns functions of the indexing process. */
  readonly indexing: (database: Database, priority: Priority | RequestPriority) => ProjectIndexing;
  /** Returns the search of a folder, which finds and reads files in the indexing process. */
  readonly searchIn: (folder: string) => FolderSearch;
  /** Returns the folders of other projects below the root, relative to it. */
  readonly otherProjects: () => readonly string[];
  readonly createdFiles: Pick<CreatedFiles, "add">;
  /** As `Projects.update`. */
  readonly update: () => Promise<void>;
  /** Called after the project file was written; resolves when the new content is applied. */
  readonly onFileWritten: () => Promise<void>;
  /** Called with a localised message about writes that an earlier window did not complete. */
  readonly onRecovered: (message: string, kind: "done" | "failed") => void;
  /** Called when a job ended that no command is waiting for. */
  readonly onUnattendedEnd: (end: UnattendedEnd) => void;
  /** The source language that the user chose for a folder without a project file. */
  readonly chosenSource: () => string | null;
}

/** A folder with a `project-translations.json`, or with recognised translation files. */
export class OpenProject implements KeySpelling {
  /** Stable on this machine, without secrets. */
  readonly id: string;
  readonly label: string;
  /** The folder that holds the project file. */
  readonly root: Uri;
  /** The location of the project file, whether it exists or not. */
  readonly fileUri: Uri;
  readonly files: ProjectFiles;
  /** Code outside of the root. */
  readonly code: OutsideCode;
  content: ProjectContent;
  /** The project file with recognised layouts; empty if there is none. */
  file: ProjectFile;
  /** Other projects whose texts the project's code uses, too. */
  usesTextsOf: readonly OpenProject[] = [];
  readonly #dependencies: OpenProjectDependencies;
  /** The journal folder of file-transaction.ts. */
  readonly #journalFolder: string;
  readonly #ofConnections: ConnectionDependencies;
  #connection: ProjectConnection;
  #isClosed = false;

  constructor(dependencies: OpenProjectDependencies, content: ProjectContent, target: ConnectionTarget) {
    const { context, log, root, searchIn, store, indexing, onUnattendedEnd, chosenSource } = dependencies;
    this.#dependencies = dependencies;
    this.id = projectFolderName(root, null);
    this.label = labelOf(root);
    this.root = root;
    this.fileUri = Uri.joinPath(root, PROJECT_FILE_NAME);
    this.content = content;
    this.file = withLayouts(content.file, content.detected);
    this.#journalFolder = Uri.joinPath(context.globalStorageUri, "writing", sha1(root.toString())).fsPath;
    this.code = new OutsideCode(this.#journalFolder);
    const scope = (): WalkScope => this.scope;
    const search = searchIn(root.fsPath);
    const formatAt = (path: string) => formatOfFile(this, path);
    this.files = this.#notifyingFiles(
      openFiles({ root, search, scope, formatAt, journalFolder: this.#journalFolder }),
    );
    this.#ofConnections = {
      context,
      log,
      root,
      label: this.label,
      store,
      owner: this,
      files: this.files,
      file: () => this.file,
      scope,
      search,
      formatAt,
      indexing,
      finishWriting: (storage) => this.#finishWriting(storage),
      onUnattendedEnd,
      chosenSource,
      update: dependencies.update,
    };
    this.#connection = new ProjectConnection(this.#ofConnections, target);
  }

  /**
   * What the project is connected to now. Whatever waits for something, and then writes, keeps the one that it began with: what
   * arrives after a sign-in elsewhere belongs to that.
   */
  get connection(): ProjectConnection {
    return this.#connection;
  }

  /** Whether this is what the project is connected to, apart from the token. */
  isConnectedTo({ baseUrl, projectId, database }: Connected): boolean {
    const { connection } = this;
    return (
      connection.baseUrl === baseUrl && connection.projectId === projectId && connection.database === database
    );
  }

  /** Replaces the connection. Resolves when what was cached of a project of the service was deleted. */
  async connect(target: ConnectionTarget): Promise<void> {
    const before = this.#connection;
    const isSameService = before.baseUrl === target.baseUrl && before.projectId !== null;
    await (isSameService ? before.end() : before.ended);
    if (this.#isClosed) return;
    before.dispose();
    this.#connection = new ProjectConnection(this.#ofConnections, target);
    const { namespaceSeparator, unwrittenNamespaces } = before;
    Object.assign(this.#connection, { namespaceSeparator, unwrittenNamespaces });
    this.changed(...CONNECTION_TABLES);
  }

  /** Applies the new content of the project file. The caller notifies listeners. */
  setContent(content: ProjectContent): void {
    this.content = content;
    this.file = withLayouts(content.file, content.detected);
    this.#connection.configureLocal();
  }

  /** What is no file of the project. */
  get scope(): WalkScope {
    return { exclude: excludedFiles(this.root), otherProjects: this.#dependencies.otherProjects() };
  }

  /** Returns the files that say which conventions the project follows. */
  conventionFiles(): Promise<ConventionFiles> {
    const { root, scope } = this;
    const folder = workspace.getWorkspaceFolder(root)?.uri ?? root;
    const codeFolders = this.code.folders.map(({ path }) => path);
    const location = { root: root.fsPath, folder: folder.fsPath, scope, codeFolders };
    return conventionFiles(location, this.#dependencies.searchIn);
  }

  /** Returns the path relative to the root, with `/`; `null` if the file is outside. */
  relative(uri: Uri): string | null {
    return relativePathOfUri(this.root, uri);
  }

  /** Returns the path of a file with code, which begins with `../` outside of the root; `null` if it is not the project's. */
  codePath(uri: Uri): string | null {
    return this.relative(uri) ?? this.code.pathOf(uri);
  }

  dispose(): void {
    this.#isClosed = true;
    this.#connection.dispose();
    this.#dependencies.store.forget(this);
  }

  // What is known of the project now, by its connection.

  get namespaceSeparator(): string {
    return this.#connection.namespaceSeparator;
  }
  get unwrittenNamespaces(): KeySpelling["unwrittenNamespaces"] {
    return this.#connection.unwrittenNamespaces;
  }
  get keys(): KeyRepository {
    return this.#connection.keys;
  }
  get translations(): TranslationRepository {
    return this.#connection.translations;
  }
  get keyNames(): KeyNames {
    return this.#connection.keyNames;
  }
  get keySearch(): KeySearch {
    return this.#connection.keySearch;
  }
  get personal(): PersonalData {
    return this.#connection.personal;
  }
  get local(): LocalEntries {
    return this.#connection.local;
  }
  get session(): Session {
    return this.#connection.session;
  }
  get source(): TextSource {
    return this.#connection.source;
  }
  get stats(): Stats | null {
    return this.#connection.stats;
  }
  get sourceLocale(): string | null {
    return this.#connection.sourceLocale;
  }
  get freshness(): Freshness {
    return this.#connection.freshness;
  }
  get keysComplete(): boolean {
    return this.#connection.keysComplete;
  }
  get baseUrl(): string | null {
    return this.#connection.baseUrl;
  }
  get ready(): Promise<void> {
    return this.#connection.ready;
  }
  get refresher(): Promise<Refresher> {
    return this.#connection.refresher;
  }
  isComplete(locale: string): boolean {
    return this.#connection.isComplete(locale);
  }
  translationsOf(hash: string, locale?: string): ReadonlyMap<string, ProjectRow> {
    return this.#connection.translationsOf(hash, locale);
  }
  version(table: StoreTable): number {
    return this.#dependencies.store.version(this, table);
  }
  changed(...tables: readonly StoreTable[]): void {
    this.#dependencies.store.changed(this, ...tables);
  }
  client(): Client {
    return this.#connection.client();
  }
  filesChanged(): void {
    this.#connection.filesChanged();
  }
  loadLocal(signal?: AbortSignal): Promise<void> {
    return this.#connection.loadLocal(signal);
  }
  countPendingChanges(signal?: AbortSignal): Promise<PendingChanges> {
    return this.#connection.countPendingChanges(signal);
  }

  /** Completes writes that were interrupted when a window closed or crashed. */
  async #finishWriting(storage: Uri): Promise<void> {
    const { log, onRecovered } = this.#dependencies;
    try {
      await removeOrphanedFiles(storage.fsPath);
      await removeOldCaches(storage);
      for (const { kind, paths } of await recoverTransactions(this.#journalFolder)) {
        const files = paths.map((path) => this.relative(Uri.file(path)) ?? path);
        this.local.invalidate(files);
        onRecovered(recoveryMessage(kind, files), kind === "completed" ? "done" : "failed");
      }
    } catch (error) {
      log.error("Interrupted writes of an earlier window could not be completed", error);
    }
  }

  /** Also reads code; what was written is read again at once. */
  #notifyingFiles(files: ProjectFiles): ProjectFiles {
    const { createdFiles, onFileWritten } = this.#dependencies;
    return {
      ...notifyingFiles(files, {
        onWritten: (paths) => {
          this.local.invalidate(paths);
          this.filesChanged();
        },
        onCreated: (paths) => createdFiles.add(paths.map((path) => Uri.joinPath(this.root, path).fsPath)),
        onProjectFileWritten: onFileWritten,
      }),
      read: (path, known) => this.code.read(path, known) ?? files.read(path, known),
    };
  }
}

/** What identifies a connection. */
type Connected = Pick<ProjectConnection, "baseUrl" | "projectId" | "database">;
