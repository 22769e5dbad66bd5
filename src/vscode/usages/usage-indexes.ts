/**
 * Keeps the usage index of each project up to date: indexes all source files after the project was opened and changed
 * files incrementally, and resolves usages again when the project's keys change.
 */
import * as vscode from "vscode";
import type { Database } from "../../database/database.ts";
import { UsageRepository } from "../../database/key-usage-repository.ts";
import type { Log } from "../../model/platform.ts";
import type { IndexerClient } from "../../indexer/indexer-client.ts";
import type { CallChoice } from "../../workspace/usages/call-choices.ts";
import type { KeyEvidence } from "../../workspace/usages/find-evidence.ts";
import { countUsagesBy } from "../../workspace/usages/usages-elsewhere.ts";
import type { SearchedName } from "../../workspace/usages/find-key-names-in-text.ts";
import { DEFAULT_INCLUDE } from "../../workspace/usages/list-source-files.ts";
import { mentioningScope } from "../../workspace/usages/report-project-usage.ts";
import {
  type UsageIndexing,
  type UnsavedTexts,
  type UsageOptions,
  usageOptionsOf,
} from "../../workspace/usages/usage-indexer.ts";
import { Batch } from "../../util/debounce.ts";
import type { Priority, RequestPriority } from "../../util/priority.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { raceWithAbort } from "../abort-signals.ts";
import { watchFiles } from "../files/watch-files.ts";
import type { DocumentUsages } from "./document-usages.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { Projects } from "../projects/project-registry.ts";

/** Leaves the first moments after startup to the editor. */
const START_DELAY_MS = 1_500;
/** File events arrive in bursts (checkouts, formatters). */
const FILE_DELAY_MS = 400;

/** Files that map the names of modules. */
const MODULE_CONFIGURATIONS = "**/{tsconfig,jsconfig}*.json";

/** The usage index of one project for one set of options, in one database: it may be moved to memory. */
interface IndexedProject {
  readonly fingerprint: string;
  readonly options: UsageOptions;
  readonly database: Database;
  readonly usages: UsageRepository;
  readonly indexing: (priority: Priority | RequestPriority) => UsageIndexing;
  readonly stop: AbortController;
  /** Runs what writes to the index; also that of earlier options, which ends first. */
  readonly queue: WorkQueue;
  /** Resolves when all files were indexed and their usages resolved; `undefined` if not queued. */
  built: Promise<void> | undefined;
  /** Whether all files were indexed at least once, so that a key without usages is unused. */
  isComplete: boolean;
}

interface UsageIndexesDependencies {
  readonly projects: Projects;
  readonly documentUsages: DocumentUsages;
  readonly indexerClient: IndexerClient;
  readonly log: Log;
}

export class UsageIndexes implements vscode.Disposable {
  readonly #dependencies: UsageIndexesDependencies;
  readonly #indexed = new Map<OpenProject, IndexedProject>();
  readonly #changed = new vscode.EventEmitter<OpenProject>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  readonly #changedFiles = new Batch<vscode.Uri>((uris) => this.#filesChanged(uris), FILE_DELAY_MS);
  readonly #timer: NodeJS.Timeout;

  /** Fires when usages were added, removed or resolved differently. */
  readonly onDidChange: vscode.Event<OpenProject> = this.#changed.event;

  constructor(dependencies: UsageIndexesDependencies) {
    this.#dependencies = dependencies;
    const { projects, documentUsages } = dependencies;
    this.#timer = setTimeout(() => this.#buildAll(), START_DELAY_MS);
    this.#disposables.push(
      ...[...DEFAULT_INCLUDE, MODULE_CONFIGURATIONS].map((glob) =>
        watchFiles(glob, (uri) => this.#fileChanged(uri)),
      ),
      projects.onDidChange(() => this.#buildAll()),
      documentUsages.onDidChange((open) => void this.#buildSoon(open)),
      projects.subscribe(["keys"], (open) => {
        const before = this.#indexed.get(open);
        if (before === undefined) return;
        const indexed = this.#of(open);
        if (indexed === before) this.#resolve(open, indexed);
        else void this.#buildSoon(open);
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changedFiles.dispose();
    for (const { stop } of this.#indexed.values()) stop.abort();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /**
   * Returns the usages after all files were indexed, resolved for the current keys. Rejects with the signal's reason, or
   * if the usages cannot be stored.
   */
  async load(open: OpenProject, signal?: AbortSignal): Promise<UsageRepository> {
    await raceWithAbort(this.#dependencies.documentUsages.ready(open), signal);
    for (;;) {
      const indexed = this.#of(open);
      const { queue, indexing, options, stop } = indexed;
      try {
        const built = this.#build(open, indexed);
        // Costs nothing if they are resolved for the current keys.
        const resolve = (priority: RequestPriority): Promise<void> =>
          indexing(priority).resolve(options.lookup, stop.signal);
        await raceWithAbort(Promise.all([built, queue.run(resolve, { priority: "person" })]), signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (this.#of(open) === indexed) throw error;
      }
      // Options may have changed in the meantime.
      if (this.#of(open) === indexed) return indexed.usages;
    }
  }

  /** Like `load`, after another check of all files, since file system events may be missing or late. */
  async reload(open: OpenProject, signal?: AbortSignal): Promise<UsageRepository> {
    await this.#dependencies.projects.update(open);
    return this.#checkFiles(open, signal);
  }

  /** The same for the other projects of the window, after `reload`. */
  async reloadOthers(
    open: OpenProject,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<OpenProject, UsageRepository>> {
    const { projects } = this.#dependencies;
    const folderOf = ({ root }: OpenProject) => vscode.workspace.getWorkspaceFolder(root);
    await projects.update(...projects.all.filter((each) => folderOf(each) !== folderOf(open)));
    const others = new Map<OpenProject, UsageRepository>();
    for (const other of projects.all)
      if (other !== open) others.set(other, await this.#checkFiles(other, signal));
    return others;
  }

  async #checkFiles(open: OpenProject, signal: AbortSignal | undefined): Promise<UsageRepository> {
    const indexed = this.#of(open);
    const running = indexed.built;
    if (running !== undefined) {
      indexed.queue.raise();
      await raceWithAbort(
        running.catch(() => undefined),
        signal,
      );
      // Another caller may have started the next update.
      if (indexed.built === running) indexed.built = undefined;
    }
    return this.load(open, signal);
  }

  /** Returns the usages indexed so far; cheap. */
  of(open: OpenProject): UsageRepository {
    return (this.#indexed.get(open) ?? this.#of(open)).usages;
  }

  /** Whether all files were indexed, so that a key without usages is unused; cheap. */
  isComplete(open: OpenProject): boolean {
    return this.#indexed.get(open)?.isComplete === true;
  }

  /** Whether the files of all projects of the window were indexed: each may use the keys of the others; cheap. */
  areAllComplete(): boolean {
    return this.#dependencies.projects.all.every((open) => this.isComplete(open));
  }

  /** Returns the number of usages of a key in the code of all projects of the window; cheap. */
  countUsages(open: OpenProject, hash: string, name: KeyName): number {
    const usages = this.of(open);
    // A key that was not pushed is not in the tables, so its usages are counted by name.
    let count = open.keys.has(hash) ? usages.countUsages(hash) : usages.countUsagesOfName(name);
    for (const other of this.#dependencies.projects.all)
      if (other !== open)
        count += countUsagesBy({ usages: this.of(other), lookup: this.#of(other).options.lookup }, name);
    return count;
  }

  /** Like `UsageIndexing.findOccurrences`, in the code, templates, documents and configuration of the project. */
  findOccurrences(
    open: OpenProject,
    names: readonly SearchedName[],
    except: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const { options, indexing } = this.#of(open);
    const { frameworks } = options.lookup;
    const scope = mentioningScope(options);
    return indexing("person").findOccurrences(names, scope, except, frameworks, unsavedTexts(open), signal);
  }

  /** Like `UsageIndexing.findEvidence`, in the files that `findOccurrences` has searched. */
  findEvidence(
    open: OpenProject,
    choices: readonly CallChoice[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, KeyEvidence>> {
    const { options, indexing } = this.#of(open);
    return indexing("person").findEvidence(options.lookup, choices, unsavedTexts(open), signal);
  }

  #of(open: OpenProject): IndexedProject {
    const options = this.#options(open);
    const { find, lookup, ignoredFunctions, include, exclude, otherProjects, codeFolders } = options;
    const sets = [find.frameworks, find.domains ?? []].map((set) => [...set].sort());
    const { path } = open.connection.database;
    const fingerprint = JSON.stringify([
      path,
      sets,
      [find.functions, ignoredFunctions, find.nsMode, find.macros],
      lookup,
      include,
      exclude,
      otherProjects,
      codeFolders,
    ]);
    const before = this.#indexed.get(open);
    const { database } = open.connection;
    if (before?.fingerprint === fingerprint && before.database === database) return before;
    before?.stop.abort();
    const indexing = (priority: Priority | RequestPriority): UsageIndexing =>
      this.#dependencies.indexerClient.forProject(database, open.root.fsPath, priority).usages;
    const indexed: IndexedProject = {
      fingerprint,
      options,
      database,
      usages: new UsageRepository(database),
      indexing,
      stop: new AbortController(),
      queue: before?.queue ?? new WorkQueue(),
      built: undefined,
      isComplete: false,
    };
    this.#indexed.set(open, indexed);
    return indexed;
  }

  #options(open: OpenProject): UsageOptions {
    const { documentUsages, projects } = this.#dependencies;
    const otherProjects = projects.all
      .filter((other) => other !== open)
      .flatMap(({ root, code }) => [root, ...code.folders.map(({ uri }) => uri)])
      .map((folder) => open.codePath(folder))
      .filter((path) => path !== null);
    return usageOptionsOf(open.file, open.scope.exclude, {
      find: documentUsages.configuredOptions(open),
      lookup: documentUsages.lookupOptions(open),
      otherProjects,
      codeFolders: open.code.folders.map(({ path }) => path),
    });
  }

  #buildAll(): void {
    const { projects } = this.#dependencies;
    for (const [open, { stop }] of this.#indexed) {
      if (projects.all.includes(open)) continue;
      stop.abort();
      this.#indexed.delete(open);
    }
    for (const open of projects.all) void this.#buildSoon(open);
  }

  /** Starts indexing after the cached keys are loaded, so that hovers do not wait for it. */
  async #buildSoon(open: OpenProject): Promise<void> {
    const { documentUsages, projects } = this.#dependencies;
    await Promise.all([open.ready, documentUsages.ready(open)]).catch(() => undefined);
    await open.connection.sourceKeysShown();
    if (open.source.hasService) await open.refresher.catch(() => undefined);
    if (projects.all.includes(open)) this.#build(open, this.#of(open)).catch(() => undefined);
  }

  /** Indexes all files unless done or queued. Failures are logged; the next call retries. */
  #build(open: OpenProject, indexed: IndexedProject): Promise<void> {
    const { indexing, options, stop } = indexed;
    indexed.built ??= this.#run(open, indexed, "build", async (priority) => {
      await indexing(priority).update(options, unsavedTexts(open), stop.signal);
      indexed.isComplete = true;
    });
    return indexed.built;
  }

  /** Resolves usages again. */
  #resolve(open: OpenProject, indexed: IndexedProject): void {
    const { indexing, options, stop } = indexed;
    this.#run(open, indexed, "resolve", async (priority) => {
      const { resolve, learn } = indexing(priority);
      await resolve(options.lookup, stop.signal);
      // Before the first index there is nothing to learn from.
      if (indexed.isComplete) await learn(options, unsavedTexts(open), stop.signal);
    }).catch(() => undefined);
  }

  /** Queues the work, under a name as in `QueueOptions`; after a failure the next call of `load` starts over. */
  #run(
    open: OpenProject,
    indexed: IndexedProject,
    name: string,
    work: (priority: RequestPriority) => Promise<void>,
  ): Promise<void> {
    const run = async (priority: RequestPriority): Promise<void> => {
      try {
        indexed.stop.signal.throwIfAborted();
        await work(priority);
      } catch (error) {
        indexed.built = undefined;
        this.#warn(indexed, "The source files could not be searched", error);
        throw error;
      }
      this.#indexChanged(open);
    };
    return indexed.queue.run(run, { name: `${name} ${indexed.fingerprint}` });
  }

  #indexChanged(open: OpenProject): void {
    this.#dependencies.documentUsages.readLearnedFunctions(open);
    this.#changed.fire(open);
  }

  #fileChanged(uri: vscode.Uri): void {
    if (uri.path.includes("/node_modules/") || uri.path.includes("/.git/")) return;
    this.#changedFiles.add(uri);
  }

  #filesChanged(all: readonly vscode.Uri[]): void {
    const uris = new Map(all.map((uri) => [uri.toString(), uri])).values();
    const byProject = Map.groupBy(uris, (each) => this.#dependencies.projects.of(each));
    for (const [open, changed] of byProject) if (open !== undefined) void this.#updateFiles(open, changed);
  }

  async #updateFiles(open: OpenProject, uris: readonly vscode.Uri[]): Promise<void> {
    const indexed = this.#indexed.get(open);
    if (indexed === undefined) return;
    const { queue, indexing, options, stop } = indexed;
    const paths = uris.map((uri) => open.codePath(uri)).filter((path) => path !== null);
    const update = (priority: RequestPriority): Promise<void> =>
      indexing(priority).updateFiles(paths, options, unsavedTexts(open), stop.signal);
    try {
      await queue.run(update);
      this.#indexChanged(open);
    } catch (error) {
      this.#warn(indexed, `${paths.length} changed files could not be searched`, error);
    }
  }

  #warn({ stop }: IndexedProject, text: string, error: unknown): void {
    if (!stop.signal.aborted) this.#dependencies.log.warn(`${text}: ${String(error)}`);
  }
}

/** Returns the texts of unsaved documents by path. */
function unsavedTexts(open: OpenProject): UnsavedTexts {
  const texts = new Map<string, string>();
  for (const document of vscode.workspace.textDocuments) {
    const path = document.isDirty ? open.codePath(document.uri) : null;
    if (path !== null) texts.set(path, document.getText());
  }
  return texts;
}
