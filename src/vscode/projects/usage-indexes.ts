/**
 * Keeps the usages of each open project current: all source files are gone through soon after the project opens, single
 * ones when they are saved, made or removed, and what they mean is resolved again when the project's keys change.
 */
import * as vscode from "vscode";
import { UsageRepository } from "../../database/usage-repository.ts";
import type { Log } from "../../model/platform.ts";
import type { IndexWorkerClient } from "../../worker/index-worker-client.ts";
import type { SearchedName } from "../../workspace/usages/key-mentions.ts";
import { DEFAULT_INCLUDE } from "../../workspace/usages/usage-files.ts";
import {
  type SearchScope,
  UsageIndexer,
  type UsageIndexing,
  type UnsavedTexts,
  type UsageOptions,
} from "../../workspace/usages/usage-indexer.ts";
import { raced } from "../cancellable.ts";
import { excludedFiles } from "../settings.ts";
import type { CodeKeys } from "./code-keys.ts";
import type { OpenProject, Projects } from "./project-handle.ts";
import { virtualSourceFiles } from "./virtual-source-files.ts";

/** The window has its first second for itself. */
const START_DELAY_MS = 1_500;
/** Saves come in bursts (a checkout, a formatter). */
const DEBOUNCE_MS = 400;

/** The usages of one project, searched with one set of options. */
interface Indexed {
  readonly fingerprint: string;
  readonly options: UsageOptions;
  readonly usages: UsageRepository;
  readonly indexing: UsageIndexing;
  readonly stop: AbortController;
  /** All files were gone through, and what was found is resolved for the keys of that time. */
  built: Promise<void> | undefined;
  /** As `built`, at least once: what is not in the tables is not used. */
  isComplete: boolean;
  /** What was found is resolved for the keys of now. */
  resolved: Promise<void>;
  isResolveQueued: boolean;
}

export interface UsageIndexesDependencies {
  readonly projects: Projects;
  readonly code: CodeKeys;
  readonly worker: IndexWorkerClient;
  readonly log: Log;
}

export class UsageIndexes implements vscode.Disposable {
  readonly #dependencies: UsageIndexesDependencies;
  readonly #indexed = new Map<OpenProject, Indexed>();
  readonly #changed = new vscode.EventEmitter<OpenProject>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  readonly #changedFiles = new Map<string, vscode.Uri>();
  readonly #timer: NodeJS.Timeout;
  #debounce: NodeJS.Timeout | undefined;

  /** Other usages are known now, or they mean other keys. */
  readonly onDidChange: vscode.Event<OpenProject> = this.#changed.event;

  constructor(dependencies: UsageIndexesDependencies) {
    this.#dependencies = dependencies;
    const { projects, code } = dependencies;
    this.#timer = setTimeout(() => this.#buildAll(), START_DELAY_MS);
    const watchers = DEFAULT_INCLUDE.map((glob) => vscode.workspace.createFileSystemWatcher(glob));
    for (const watcher of watchers) {
      const changed = (uri: vscode.Uri): void => this.#fileChanged(uri);
      this.#disposables.push(
        watcher,
        watcher.onDidChange(changed),
        watcher.onDidCreate(changed),
        watcher.onDidDelete(changed),
      );
    }
    this.#disposables.push(
      projects.onDidChange(() => this.#buildAll()),
      code.onDidChange((open) => void this.#buildSoon(open)),
      projects.onDidChangeState(({ open, change }) => {
        const indexed = this.#indexed.get(open);
        if (change.keys === true && indexed !== undefined) this.#resolve(open, indexed);
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#debounce);
    for (const { stop } of this.#indexed.values()) stop.abort();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /**
   * The project's usages after its files were gone through once, for the keys that are known now. Rejects with the
   * signal's reason, and where they cannot be stored.
   */
  async ready(open: OpenProject, signal?: AbortSignal): Promise<UsageRepository> {
    await raced(this.#dependencies.code.ready(open), signal);
    for (;;) {
      const indexed = this.#of(open);
      const { resolved } = indexed;
      try {
        await raced(Promise.all([this.#build(open, indexed), resolved]), signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (this.#of(open) === indexed) throw error;
      }
      // Other keys, or other options of the search, may have come in the meantime.
      if (this.#of(open) === indexed && indexed.resolved === resolved) return indexed.usages;
    }
  }

  /** As `ready`, after the files were gone through once more, since not every change is watched, or notified in time. */
  async current(open: OpenProject, signal?: AbortSignal): Promise<UsageRepository> {
    const indexed = this.#of(open);
    const running = indexed.built;
    if (running !== undefined) {
      await raced(
        running.catch(() => undefined),
        signal,
      );
      // Another caller may have begun the next round.
      if (indexed.built === running) indexed.built = undefined;
    }
    return this.ready(open, signal);
  }

  /** The project's usages as far as they are known; cheap. */
  of(open: OpenProject): UsageRepository {
    return (this.#indexed.get(open) ?? this.#of(open)).usages;
  }

  /** Whether all files were gone through: what is not in the tables is not used. Cheap. */
  isComplete(open: OpenProject): boolean {
    return this.#indexed.get(open)?.isComplete === true;
  }

  /** As `UsageIndexing.findMentions`, in the files that the project's own globs and these find. */
  findMentions(
    open: OpenProject,
    names: readonly SearchedName[],
    globs: readonly string[],
    except: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const { options, indexing } = this.#of(open);
    const { include = DEFAULT_INCLUDE, exclude, otherProjects } = options;
    const scope: SearchScope = {
      include: [...include, ...globs],
      ...(exclude === undefined ? {} : { exclude }),
      ...(otherProjects === undefined ? {} : { otherProjects }),
    };
    return indexing.findMentions(names, scope, except, unsavedTexts(open), signal);
  }

  #of(open: OpenProject): Indexed {
    const options = this.#options(open);
    const { find, lookup, include, exclude, otherProjects } = options;
    const sets = [find.frameworks, find.domains ?? []].map((set) => [...set].sort());
    const fingerprint = JSON.stringify([sets, find.functions, lookup, include, exclude, otherProjects]);
    const before = this.#indexed.get(open);
    if (before?.fingerprint === fingerprint) return before;
    before?.stop.abort();
    const indexing =
      open.root.scheme === "file"
        ? this.#dependencies.worker.of(open.database, open.root.fsPath).usages
        : new UsageIndexer(open.database, virtualSourceFiles(open));
    const indexed: Indexed = {
      fingerprint,
      options,
      usages: new UsageRepository(open.database),
      indexing,
      stop: new AbortController(),
      built: undefined,
      isComplete: false,
      resolved: Promise.resolve(),
      isResolveQueued: false,
    };
    this.#indexed.set(open, indexed);
    return indexed;
  }

  #options(open: OpenProject): UsageOptions {
    const { code, projects } = this.#dependencies;
    const { include, exclude = [] } = open.file.usage ?? {};
    const otherProjects = projects.all
      .map(({ root }) => (root.toString() === open.root.toString() ? null : open.relative(root)))
      .filter((path) => path !== null);
    return {
      find: code.findOptions(open),
      lookup: code.lookupOptions(open),
      exclude: [...excludedFiles(open.root), ...exclude],
      otherProjects,
      ...(include === undefined ? {} : { include }),
    };
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

  /** After what is stored of the service is there: somebody may point at a key already. */
  async #buildSoon(open: OpenProject): Promise<void> {
    const { code, projects } = this.#dependencies;
    await Promise.all([open.ready, code.ready(open)]).catch(() => undefined);
    if (open.project.session.kind === "signed-in") await open.refresher.catch(() => undefined);
    if (projects.all.includes(open)) this.#build(open, this.#of(open)).catch(() => undefined);
  }

  /** A failure is logged, and the next call tries again. */
  #build(open: OpenProject, indexed: Indexed): Promise<void> {
    if (indexed.built !== undefined) return indexed.built;
    const { indexing, options, stop } = indexed;
    indexed.built = this.#run(open, indexed, async () => {
      await indexing.update(options, unsavedTexts(open), stop.signal);
      indexed.isComplete = true;
    });
    return indexed.built;
  }

  /** After the run that is under way, if any. */
  #resolve(open: OpenProject, indexed: Indexed): void {
    if (indexed.isResolveQueued) return;
    indexed.isResolveQueued = true;
    const { indexing, options, stop, resolved } = indexed;
    indexed.resolved = this.#run(open, indexed, async () => {
      await resolved.catch(() => undefined);
      indexed.isResolveQueued = false;
      await indexing.resolve(options.lookup, stop.signal);
    });
    indexed.resolved.catch(() => undefined);
  }

  /** Where the work fails, the next caller begins anew. */
  async #run(open: OpenProject, indexed: Indexed, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      indexed.built = undefined;
      indexed.resolved = Promise.resolve();
      this.#warn(indexed, "The source files could not be searched", error);
      throw error;
    }
    this.#changed.fire(open);
  }

  #fileChanged(uri: vscode.Uri): void {
    if (uri.path.includes("/node_modules/") || uri.path.includes("/.git/")) return;
    this.#changedFiles.set(uri.toString(), uri);
    this.#debounce ??= setTimeout(() => {
      this.#debounce = undefined;
      const uris = [...this.#changedFiles.values()];
      this.#changedFiles.clear();
      const byProject = Map.groupBy(uris, (each) => this.#dependencies.projects.of(each));
      for (const [open, changed] of byProject) if (open !== undefined) void this.#updateFiles(open, changed);
    }, DEBOUNCE_MS);
  }

  async #updateFiles(open: OpenProject, uris: readonly vscode.Uri[]): Promise<void> {
    const indexed = this.#indexed.get(open);
    if (indexed === undefined) return;
    const { indexing, options, stop } = indexed;
    const paths = uris.map((uri) => open.relative(uri)).filter((path) => path !== null);
    try {
      await indexing.updateFiles(paths, options, unsavedTexts(open), stop.signal);
      this.#changed.fire(open);
    } catch (error) {
      this.#warn(indexed, `${paths.length} changed files could not be searched`, error);
    }
  }

  #warn({ stop }: Indexed, text: string, error: unknown): void {
    if (!stop.signal.aborted) this.#dependencies.log.warn(`${text}: ${String(error)}`);
  }
}

/** Texts of the project's documents that are not saved, by path. */
function unsavedTexts(open: OpenProject): UnsavedTexts {
  const texts = new Map<string, string>();
  for (const document of vscode.workspace.textDocuments) {
    const path = document.isDirty ? open.relative(document.uri) : null;
    if (path !== null) texts.set(path, document.getText());
  }
  return texts;
}
