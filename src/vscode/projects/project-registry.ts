/**
 * The open projects of the window: one for each project file, for each recognised app outside of those, and for workspace
 * folders with a signed-in session. Discovers, watches and selects projects.
 */
import type { UriOption } from "../../commands/option-schemas.ts";
import {
  EventEmitter,
  RelativePattern,
  Uri,
  window,
  workspace,
  type Disposable,
  type ExtensionContext,
} from "vscode";
import { parseBaseUrl } from "../../api/parse-base-url.ts";
import { SOURCE_LANGUAGE_GLOBS } from "../../workspace/project-detection/detect-source-language.ts";
import { globsOf } from "../../workspace/file-layout/path-patterns.ts";
import { DebouncedByName } from "../../util/debounce.ts";
import { fingerprintOf } from "../../util/fingerprint.ts";
import type { Priority, RequestPriority } from "../../util/priority.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import { PROJECT_FILE_NAME, type ParsedProjectFile } from "../../workspace/project-file/project-file.ts";
import type { UnattendedEnd } from "../../sync/poll-jobs.ts";
import type { IndexerClient } from "../../indexer/indexer-client.ts";
import type { Store, StoreTable } from "../../database/store.ts";
import type { Subscription } from "../../model/platform.ts";
import { shownUri } from "../files/editor-uri.ts";
import { isInWorkspace, relativePathOfUri } from "../files/project-file-system.ts";
import { watchFiles } from "../files/watch-files.ts";
import type { LogChannel } from "../log.ts";
import { showWarning } from "../notifications.ts";
import { NO_FILE, UNSAFE_FILE } from "../../projects/project-file-reading.ts";
import {
  findRoots,
  findWindowProjectFiles,
  labelOf,
  nearestProject,
  notRecognisedError,
  type ProjectContent,
  readProjectFileOf,
  workspaceFolders,
} from "./find-project-files.ts";
import { OpenProject } from "./open-project.ts";
import type { ConnectionTarget } from "./project-connection.ts";
import type { Database } from "../../database/database.ts";
import { editProjectFile } from "./edit-project-file.ts";
import { ProjectDatabases } from "./project-databases.ts";
import { KnownProjects, type KnownProject } from "../../database/personal/known-projects.ts";
import { openClient } from "../create-api-client.ts";
import { forgetToken, identifyProject } from "../../sync/session/project-identity.ts";
import { CodeFolders } from "./code-folders.ts";
import { LayoutDetectionCache } from "./layout-detection-cache.ts";
import { CommandError, type CommonOptions, requireAnswer } from "../../commands/command-types.ts";
import {
  projectIdOf,
  readToken,
  saveToken,
  secretName,
  type TokenLocation,
  type VerifiedToken,
} from "../../sync/session/token-storage.ts";
import type { ActivityResults } from "./activity-results.ts";
import { CreatedFiles } from "../../workspace/file-system/created-files.ts";
import type { Settings } from "../extension-settings.ts";
import { parseUriOption } from "../commands/command-options.ts";
import { l10n } from "../../util/l10n.ts";

/** Files change in bursts, and with each keystroke. */
const FILE_DELAY_MS = 150;
/** The storage key of the URIs of the open projects. */
const ROOTS = "projects";

/** A base URL that the user signed in to, as stored. `over`: the base URL of the project file at that time. */
interface SignedInBaseUrl {
  readonly baseUrl: string;
  readonly over: string | null;
}

interface ProjectsDependencies {
  readonly context: ExtensionContext;
  readonly log: LogChannel;
  readonly settings: Settings;
  readonly store: Store<object>;
  readonly indexerClient: IndexerClient;
  readonly results: ActivityResults;
}

export class Projects implements Disposable {
  readonly #dependencies: ProjectsDependencies;
  readonly #open = new Map<string, { readonly opened: OpenProject; readonly owned: Disposable[] }>();
  readonly #changed = new EventEmitter<void>();
  readonly #jobEnded = new EventEmitter<{ readonly open: OpenProject; readonly end: UnattendedEnd }>();
  readonly #databases: ProjectDatabases;
  readonly #layouts: LayoutDetectionCache;
  readonly #codeFolders: CodeFolders;
  readonly #createdFiles: CreatedFiles;
  readonly #debounced = new DebouncedByName(FILE_DELAY_MS);
  readonly #owned: Disposable[] = [this.#changed, this.#jobEnded, this.#debounced];
  #ready: Promise<void>;
  #all: readonly OpenProject[] = [];
  #lastActive: OpenProject | undefined;

  /** Fires when a project was opened or closed, or its project file or base URL changed. */
  readonly onDidChange = this.#changed.event;
  /** Fires when a job ended that no command is waiting for. */
  readonly onDidEndJob = this.#jobEnded.event;

  constructor(dependencies: ProjectsDependencies) {
    this.#dependencies = dependencies;
    const { context, log, settings } = dependencies;
    this.#databases = new ProjectDatabases(context.globalStorageUri, log, (database) => {
      const moved = this.#all.find((each) => each.connection.database === database)?.connection;
      // After the refused write has been repeated in memory.
      if (moved !== undefined) setImmediate(() => moved.reload());
    });
    this.#layouts = new LayoutDetectionCache({
      log,
      storage: context.workspaceState,
      search: (folder) => dependencies.indexerClient.forFolder(folder.fsPath).folder,
      isKnown: (uri) => this.#translationFile(uri) !== undefined,
      debounce: (name, work) => this.#debounce(name, work),
    });
    this.#codeFolders = new CodeFolders(dependencies.indexerClient, log);
    const watcher = workspace.createFileSystemWatcher(`**/${PROJECT_FILE_NAME}`);
    const rediscover = (): void => this.#debounce("*", () => this.#discover());
    const reload = ({ root }: OpenProject): void => this.#logFailure(this.#reload(root));
    const changed = (uri: Uri): void =>
      this.#debounce(uri.toString(), () => this.#reload(Uri.joinPath(uri, "..")));
    this.#createdFiles = new CreatedFiles((path) =>
      path.endsWith(PROJECT_FILE_NAME) ? rediscover() : this.#localChanged(Uri.file(path)),
    );
    this.#owned.push(
      watcher,
      watcher.onDidCreate(({ fsPath }) => this.#createdFiles.reported(fsPath)),
      this.#createdFiles,
      this.#layouts,
      this.#layouts.onDidChange(rediscover),
      this.#codeFolders,
      this.#codeFolders.onDidChange(rediscover),
      watcher.onDidCreate(rediscover),
      watcher.onDidDelete(rediscover),
      watcher.onDidChange(changed),
      // At once, so that no command is for a folder that is gone.
      workspace.onDidChangeWorkspaceFolders(() => this.#logFailure((this.#ready = this.#discover()))),
      settings.onDidChange(rediscover),
      workspace.onDidGrantWorkspaceTrust(() => this.#all.forEach(reload)),
      // Another window signed in or out.
      context.secrets.onDidChange(({ key }) => {
        const open = this.#all.find((each) => secretName(tokenLocation(each)) === key);
        if (open !== undefined) reload(open);
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#localChanged(document.uri);
      }),
      workspace.onDidOpenTextDocument(({ uri }) => this.#opened(uri)),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) for (const { connection } of this.#all) connection.showExternalChanges();
      }),
      window.onDidChangeActiveTextEditor(() => this.#editorChanged()),
      window.tabGroups.onDidChangeTabs(() => this.#editorChanged()),
    );
    this.#ready = this.#discover();
    this.#logFailure(this.#ready);
  }

  /** Resolves when the folders of the window were searched for projects and their sessions are known. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Calls the function when `ready` is resolved, unless the window is closed before. */
  whenReady(work: () => void): void {
    this.#logFailure(this.#ready.then(() => (this.#isClosed ? undefined : work())));
  }

  get all(): readonly OpenProject[] {
    return this.#all;
  }

  /** As `Store.subscribe`, once for each project that changed, with those of the tables that did. */
  subscribe(
    tables: readonly StoreTable[],
    update: (open: OpenProject, changed: ReadonlySet<StoreTable>) => void,
  ): Subscription {
    return this.#dependencies.store.subscribe(tables, (changes) => {
      for (const open of this.#all) {
        const changed = changes.get(open);
        if (changed !== undefined) update(open, changed);
      }
    });
  }

  /** The project of the active editor, else the last active one, else the only one. */
  get active(): OpenProject | undefined {
    const shown = shownUri();
    const open = shown && this.of(shown);
    if (open !== undefined) this.#lastActive = open;
    if (this.#lastActive !== undefined && this.#all.includes(this.#lastActive)) return this.#lastActive;
    return this.#all.length === 1 ? this.#all[0] : undefined;
  }

  #editorChanged(): void {
    const before = this.#lastActive;
    if (this.active !== before) this.#dependencies.store.changed(null, "active");
  }

  /** Returns the project with the nearest root or code folder above the file. */
  of(uri: Uri): OpenProject | undefined {
    return nearestProject(this.#all, uri);
  }

  /**
   * Resolves the target project of a command: that of `options.folder`, else `active`, else the user picks one. The last active
   * project is not used while a file of none of several is open or, with `by: "editor"`, while no editor is.
   *
   * @throws {CommandError} `no_project`, or `cancelled` if the pick was dismissed.
   */
  async choose(options: CommonOptions, by?: "editor"): Promise<OpenProject> {
    await this.ready;
    const chosen =
      options.folder === undefined ? this.#defaultProject(by) : await this.#ofFolder(options.folder);
    if (chosen !== undefined) return this.#current(chosen);
    const folders = this.#all.length > 0 ? this.#all.map(({ root }) => root) : workspaceFolders();
    if (folders.length === 0) {
      throw new CommandError("no_project", l10n.t("No folder is open. Open the folder of your app first."));
    }
    const [only] = folders;
    if (folders.length === 1 && only !== undefined) return this.#openReady(only);
    if (options.confirm === false) {
      throw new CommandError(
        "no_project",
        l10n.t("There are several projects. Choose one with the option “folder”."),
      );
    }
    const picked = await window.showQuickPick(
      folders.map((root) => ({ label: labelOf(root), description: root.fsPath, root })),
      { placeHolder: l10n.t("Which project?") },
    );
    return this.#openReady(requireAnswer(picked).root);
  }

  /**
   * Stores a verified token for this folder and base URL. A base URL other than that of the project file is used until the
   * file changes it.
   *
   * @param isSameProject asks whether the token is of a project that the folder was connected to with another token
   */
  async signIn(
    open: OpenProject,
    verified: VerifiedToken,
    isSameProject: (known: KnownProject) => Promise<boolean>,
  ): Promise<void> {
    const { context } = this.#dependencies;
    const location = { secrets: context.secrets, root: open.root.toString(), baseUrl: verified.baseUrl };
    open.connection.storeKnownProject();
    const projectId = await identifyProject({
      location,
      verified,
      client: openClient(verified.baseUrl, verified.token, this.#dependencies.log),
      knownProjects: new KnownProjects(open.personal.database),
      isSameProject,
    });
    const over = open.file.baseUrl ?? null;
    await context.workspaceState.update(`baseUrl.${open.root.toString()}`, {
      baseUrl: verified.baseUrl,
      over,
    } satisfies SignedInBaseUrl);
    await saveToken(location, verified, projectId);
    const { connection } = await this.#openReady(open.root);
    await this.#codeFolders.assign(this.#all);
    connection.setStats(verified.stats, { kind: "fresh", at: Date.now() });
    await connection.refresher;
    this.#changed.fire();
  }

  /**
   * Stores the source language of the local files: in the project file if it exists, else on this machine.
   *
   * @throws {CommandError}
   */
  async setSourceLanguage(open: OpenProject, locale: string): Promise<void> {
    const isThere = (await open.files.stat(PROJECT_FILE_NAME)) !== undefined;
    if (isThere) await editProjectFile(open, ["sourceLocale"], locale);
    else await this.#dependencies.context.workspaceState.update(sourceLanguageKey(open.root), locale);
    await open.loadLocal();
  }

  /** Deletes the token and everything cached from the service; what a person made is kept for the next sign-in. */
  async signOut(open: OpenProject): Promise<void> {
    if (!this.#all.includes(open)) return;
    const { workspaceState, secrets } = this.#dependencies.context;
    const { connection } = open;
    // At another base URL its cache stays, without what was read from the service. Local files go on being shown.
    await forgetToken({ secrets, ...tokenLocation(open) }, async () => {
      if (connection.projectId !== null) await connection.end();
    });
    await workspaceState.update(`baseUrl.${open.root.toString()}`, undefined);
    await this.#reload(open.root);
  }

  dispose(): void {
    this.#isClosed = true;
    for (const root of this.#open.keys()) this.#close(root);
    for (const disposable of this.#owned) disposable.dispose();
    this.#databases.dispose();
  }

  #defaultProject(by: "editor" | undefined): OpenProject | undefined {
    const shown = shownUri();
    const isOfNone =
      shown === undefined ? by === "editor" : shown.scheme === "file" && this.of(shown) === undefined;
    return isOfNone && this.#all.length > 1 ? undefined : this.active;
  }

  /** @throws {CommandError} `no_project` if the option `folder` is in no workspace folder. */
  async #ofFolder(folder: UriOption): Promise<OpenProject> {
    const uri = parseUriOption(folder);
    const open = this.of(uri);
    if (open !== undefined) return open;
    const workspaceFolder = workspace.getWorkspaceFolder(uri);
    if (workspaceFolder !== undefined) return this.#openReady(workspaceFolder.uri);
    throw new CommandError(
      "no_project",
      l10n.t("{0} is not in any folder of this window. Open its folder first.", uri.fsPath),
    );
  }

  /** Applies what the disk says of projects, for commands that work on files. @throws {CommandError} `no_project` if one is gone */
  async update(...projects: readonly OpenProject[]): Promise<void> {
    const changed: Uri[] = [];
    for (const folder of new Set(projects.map(({ root }) => workspace.getWorkspaceFolder(root)?.uri)))
      if (folder !== undefined && (await this.#layouts.update(folder))) changed.push(folder);
    if (changed.length === 0) return;
    for (const folder of changed) this.#codeFolders.invalidate(folder);
    for (const { connection } of this.#all) connection.invalidateConfiguration();
    await this.#discover();
    const gone = projects.find((each) => !this.#all.includes(each));
    if (gone !== undefined) throw notRecognisedError(gone.root);
  }

  /** Reads the project file again, since file system events may be missing or late. */
  async #current(chosen: OpenProject): Promise<OpenProject> {
    const { file } = chosen;
    const opened = await this.#openReady(chosen.root);
    if (opened.file !== file) {
      await this.#codeFolders.assign(this.#all);
      this.#changed.fire();
    }
    return opened;
  }

  /** Opens a root if necessary and waits until its session is known. */
  async #openReady(root: Uri): Promise<OpenProject> {
    const opened = await this.#openRoot(root);
    await opened.ready;
    return opened;
  }

  /** Discovers the projects of the window; those that stay keep their objects. */
  #discover(): Promise<void> {
    return this.#discovering.run(() => this.#discoverNow(), { name: "discover" });
  }

  async #discoverNow(): Promise<void> {
    const opened = await this.#openFolders();
    const remembered = await this.#openRemembered(opened);
    // Runs in parallel with the search for project files, which takes as long.
    for (const folder of workspaceFolders())
      if (!opened.has(folder.toString())) void this.#layouts.appsIn(folder);
    const found = await findWindowProjectFiles(this.#dependencies.indexerClient);
    const projectFiles = found.map(({ path }) => path);
    const folders = workspaceFolders().map((uri) => ({
      uri,
      path: uri.path.replace(/\/$/u, ""),
      isSignedIn: this.#signedInBaseUrl(uri) !== undefined,
      isOpen: this.#open.has(uri.toString()) && !remembered.has(uri.toString()),
    }));
    const roots = await findRoots(folders, projectFiles, (folder) => this.#layouts.appsIn(folder));
    for (const root of this.#open.keys()) if (!roots.has(root)) this.#close(root);
    // Also updates the recognised layouts of projects that are already open.
    for (const [name, root] of roots) if (!opened.has(name)) await this.#openRoot(root);
    await Promise.all(this.#all.map((each) => each.ready));
    await this.#codeFolders.assign(this.#all);
    this.#changed.fire();
    await this.#dependencies.context.workspaceState.update(ROOTS, [...this.#open.keys()]);
  }

  /**
   * Opens the projects that the window had when it was last open, so that what is stored of them is shown while the folders
   * are searched. Returns their URIs.
   */
  async #openRemembered(opened: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const remembered = new Set<string>();
    if (this.#wereRemembered) return remembered;
    this.#wereRemembered = true;
    for (const name of this.#dependencies.context.workspaceState.get<readonly string[]>(ROOTS) ?? []) {
      const root = Uri.parse(name);
      const isHere = workspace.getWorkspaceFolder(root) !== undefined && (await isInWorkspace(root));
      if (opened.has(name) || !isHere) continue;
      await this.#openRoot(root);
      remembered.add(name);
    }
    if (remembered.size > 0) this.#changed.fire();
    return remembered;
  }

  /**
   * Opens the workspace folders that contain a project file, without waiting for the file search, which takes seconds in
   * large workspaces. Returns their URIs.
   */
  async #openFolders(): Promise<ReadonlySet<string>> {
    const opened = new Set<string>();
    for (const root of workspaceFolders()) {
      const parsed = await readProjectFileOf(root);
      if (parsed === NO_FILE || parsed === UNSAFE_FILE) continue;
      await this.#openRoot(root, parsed);
      opened.add(root.toString());
    }
    if (opened.size > 0) this.#changed.fire();
    return opened;
  }

  async #reload(root: Uri): Promise<void> {
    await this.#openReady(root);
    await this.#codeFolders.assign(this.#all);
    this.#changed.fire();
  }

  /**
   * Opens a root, or applies its current project file (`parsed` if just read) and stored token. Calls are serialised, so
   * that the latest content wins.
   */
  #openRoot(root: Uri, parsed?: ParsedProjectFile): Promise<OpenProject> {
    return this.#opening.run(() => this.#openRootNow(root, parsed));
  }

  #wereRemembered = false;
  #isClosed = false;
  readonly #discovering = new WorkQueue();
  readonly #opening = new WorkQueue();

  /** Connects the project anew if the base URL, the project of the token or trust changed. */
  async #openRootNow(root: Uri, known?: ParsedProjectFile): Promise<OpenProject> {
    const { context, log } = this.#dependencies;
    const name = root.toString();
    const parsed = known ?? (await readProjectFileOf(root));
    const detected = parsed.file.files === undefined ? await this.#layouts.of(root) : [];
    const content: ProjectContent = { ...parsed, detected };
    for (const { path, message, at } of parsed.errors)
      log.warn(`${name}/${PROJECT_FILE_NAME}:${at.line + 1}: ${path.join(".")}: ${message}`);
    const baseUrl = this.#baseUrl(root, parsed);
    const location: TokenLocation = { secrets: context.secrets, root: name, baseUrl };
    const saved = workspace.isTrusted ? await readToken(location) : null;
    const { database, personal } = await this.#databases.open(root, baseUrl, projectIdOf(saved));
    const target = { baseUrl, saved, database, personal };
    const opened = this.#open.get(name)?.opened;
    if (this.#isClosed) throw new Error("The window is closing");
    if (opened === undefined) return this.#add(root, content, target);
    const isConnected = opened.isConnectedTo({ baseUrl, projectId: projectIdOf(saved), database });
    if (isConnected) await opened.connection.takeToken(saved);
    const isSame = fingerprintOf(opened.content) === fingerprintOf(content);
    if (!isSame) opened.setContent(content);
    if (!isConnected) await opened.connect(target);
    if (isConnected && isSame) return opened;
    this.#watch(opened);
    if (isConnected) opened.filesChanged();
    return opened;
  }

  #add(root: Uri, content: ProjectContent, target: ConnectionTarget): OpenProject {
    const { context, log, store, indexerClient, results } = this.#dependencies;
    const dependencies = {
      context,
      log,
      root,
      store,
      indexing: (database: Database, priority: Priority | RequestPriority) =>
        indexerClient.forProject(database, root.fsPath, priority),
      searchIn: (folder: string) => indexerClient.forFolder(folder).folder,
      otherProjects: () => this.#otherProjectsIn(root),
      createdFiles: this.#createdFiles,
      update: () => this.update(opened),
      onFileWritten: () => this.#reload(root),
      onUnattendedEnd: (end: UnattendedEnd) => this.#jobEnded.fire({ open: opened, end }),
      onRecovered: (message: string, kind: "done" | "failed") => {
        log.warn(message);
        void showWarning(message);
        results.add(opened, message, kind);
      },
      chosenSource: () => context.workspaceState.get<string>(sourceLanguageKey(root)) ?? null,
    };
    const opened = new OpenProject(dependencies, content, target);
    this.#open.set(root.toString(), { opened, owned: [] });
    this.#updateAll(root);
    this.#watch(opened);
    return opened;
  }

  /** Returns the folders of other projects below a root, relative to it. */
  #otherProjectsIn(root: Uri): readonly string[] {
    const others = this.#all.filter((other) => other.root.toString() !== root.toString());
    return others.flatMap((other) => relativePathOfUri(root, other.root) ?? []);
  }

  /** Returns the normalised base URL: that of the sign-in, else of the project file, else of the setting. */
  #baseUrl(root: Uri, { file }: ParsedProjectFile): string | null {
    const used = this.#signedInBaseUrl(root);
    const baseUrl = used !== undefined && used.over === (file.baseUrl ?? null) ? used.baseUrl : file.baseUrl;
    const read = parseBaseUrl(baseUrl ?? this.#dependencies.settings.of(root).baseUrl);
    return read.kind === "ok" ? read.url : null;
  }

  #signedInBaseUrl(root: Uri): SignedInBaseUrl | undefined {
    return this.#dependencies.context.workspaceState.get<SignedInBaseUrl>(`baseUrl.${root.toString()}`);
  }

  /** Watches the translation files and the framework's configuration of a project. */
  #watch(opened: OpenProject): void {
    const owned = this.#open.get(opened.root.toString())?.owned ?? [];
    for (const disposable of owned.splice(0)) disposable.dispose();
    const watch = (glob: string, changed: (uri: Uri) => void): void =>
      void owned.push(watchFiles(new RelativePattern(opened.root, glob), changed));
    for (const glob of globsOf((opened.file.files ?? []).map(({ path }) => path)))
      watch(glob, (uri) => {
        this.#createdFiles.reported(uri.fsPath);
        this.#localChanged(uri);
      });
    // Without a service the configuration determines the source language.
    if (opened.source.hasService) return;
    const reconfigure = (): void =>
      this.#debounce(`configuration ${opened.id}`, async () => opened.connection.invalidateConfiguration());
    for (const glob of SOURCE_LANGUAGE_GLOBS) watch(glob, reconfigure);
  }

  /** Returns the project and path of a file that matches the layouts of its project. */
  #translationFile(uri: Uri): { readonly open: OpenProject; readonly path: string } | undefined {
    const open = this.of(uri);
    const path = open?.relative(uri) ?? null;
    if (open === undefined || path === null || open.local.locate(path) === null) return undefined;
    return { open, path };
  }

  #localChanged(uri: Uri): void {
    const file = this.#translationFile(uri);
    if (file === undefined) return;
    const { open, path } = file;
    open.local.invalidate([path]);
    this.#debounce(open.id, async () => open.filesChanged());
  }

  /** Detects a new translation file when it is opened: file watchers may miss files in new folders. */
  #opened(uri: Uri): void {
    this.#layouts.opened(uri);
    const file = this.#translationFile(uri);
    if (file === undefined || file.open.local.loaded === null) return;
    if (!file.open.local.hasFile(file.path)) this.#localChanged(uri);
  }

  /** Runs the work after a delay; another call with the same name restarts the delay. */
  #debounce(name: string, work: () => Promise<void>): void {
    this.#debounced.schedule(name, () => this.#logFailure(work()));
  }

  #logFailure(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#isClosed)
        this.#dependencies.log.error("The projects of the window could not be read", error);
    });
  }

  #close(root: string): void {
    const entry = this.#open.get(root);
    this.#open.delete(root);
    this.#updateAll(Uri.parse(root));
    entry?.opened.dispose();
    for (const disposable of entry?.owned ?? []) disposable.dispose();
  }

  /** @param root of what was opened or closed: files of the projects around it are no longer theirs, or theirs again */
  #updateAll(root: Uri): void {
    const all = Array.from(this.#open.values(), ({ opened }) => opened);
    this.#all = all.sort((a, b) => (a.root.path < b.root.path ? -1 : 1));
    for (const each of this.#all) {
      if (each.relative(root) === null || each.root.toString() === root.toString()) continue;
      each.local.invalidate();
      this.#debounce(each.id, async () => each.filesChanged());
    }
  }
}

/** The storage key of the source language chosen for a folder without a project file. */
function sourceLanguageKey(root: Uri): string {
  return `source.${root.toString()}`;
}

function tokenLocation({ root, baseUrl }: OpenProject): Pick<TokenLocation, "root" | "baseUrl"> {
  return { root: root.toString(), baseUrl };
}
