/**
 * Detected translation file layouts of workspace folders without a project file; cached until files change that may decide
 * otherwise. Those of the last time are used until they are detected again.
 */
import { EventEmitter, workspace, type Disposable, type Memento, type Uri } from "vscode";
import { fingerprintOf } from "../../util/fingerprint.ts";
import { getOrCreate } from "../../util/maps.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import {
  APP_GLOBS,
  type AppLayouts,
  layoutsAt,
  mayBeTranslation,
  mayCompose,
} from "../../workspace/file-layout/detect-layouts.ts";
import { CONFIGURATION_GLOBS } from "../../workspace/project-detection/configuration-globs.ts";
import type { DetectedApps, FolderSearch } from "../../workspace/project-detection/folder-search.ts";
import type { WalkScope } from "../../workspace/file-system/walk-folder.ts";
import type { FilesEntry } from "../../workspace/project-file/project-file.ts";
import { excludedFiles } from "../extension-settings.ts";
import { relativePathOfUri } from "../files/project-file-system.ts";
import { watchFiles } from "../files/watch-files.ts";
import type { LogChannel } from "../log.ts";

const NO_ENTRIES: readonly FilesEntry[] = [];

export interface LayoutDetectionCacheDependencies {
  readonly log: LogChannel;
  /** Stores the results of this workspace. */
  readonly storage: Memento;
  /** Searches a folder in the indexing process. */
  readonly search: (folder: Uri) => FolderSearch;
  /** Whether the file is already a translation file of a project. */
  readonly isKnown: (uri: Uri) => boolean;
  /** Runs the work of a name once after a burst of file events. */
  readonly debounce: (name: string, work: () => Promise<void>) => void;
}

export class LayoutDetectionCache implements Disposable {
  readonly #dependencies: LayoutDetectionCacheDependencies;
  readonly #apps = new Map<string, Promise<DetectedApps>>();
  /** `FolderSearch.projectState` before the last time that a folder's layouts were detected by `update`. */
  readonly #states = new Map<string, string>();
  /** Folders whose layouts were detected in this window. */
  readonly #isDetected = new Set<string>();
  readonly #changed = new EventEmitter<void>();
  /** Opened files that were already checked. */
  readonly #seen = new Set<string>();
  readonly #detecting = new WorkQueue();
  readonly #owned: Disposable[] = [this.#changed];

  /** Fires when changed files have led to other layouts. */
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: LayoutDetectionCacheDependencies) {
    this.#dependencies = dependencies;
    for (const glob of APP_GLOBS) this.#owned.push(watchFiles(glob, (uri) => this.#touched(uri)));
  }

  dispose(): void {
    for (const disposable of this.#owned) disposable.dispose();
  }

  /** Returns the layouts of the apps in a workspace folder. */
  async appsIn(folder: Uri): Promise<AppLayouts> {
    return (await this.#detected(folder)).apps;
  }

  /**
   * Returns the layouts of an app's root; for a folder of several apps the layouts of all of them. Until they were detected in
   * this window, those of the last time.
   */
  async of(root: Uri): Promise<readonly FilesEntry[]> {
    const folder = workspace.getWorkspaceFolder(root)?.uri;
    if (folder === undefined) return NO_ENTRIES;
    const stored = this.#isDetected.has(folder.toString()) ? undefined : this.#stored(folder);
    const apps = stored ?? (await this.appsIn(folder));
    return layoutsAt(apps, relativePath(folder, root)) ?? NO_ENTRIES;
  }

  /**
   * Detects the layouts of a folder again if anything has changed on disk that decides about projects. Returns whether it has:
   * file system events may be missing or late.
   */
  update(folder: Uri): Promise<boolean> {
    const name = folder.toString();
    return this.#detecting.run(
      async () => {
        const known = await this.#apps.get(name);
        const { search } = this.#dependencies;
        const decisive = { read: known?.read ?? [], configurations: CONFIGURATION_GLOBS };
        const state = await search(folder).projectState(decisive, scopeOf(folder));
        if (state === this.#states.get(name)) return false;
        if (known !== undefined) await this.#detectAgain(folder);
        this.#states.set(name, state);
        return true;
      },
      { name: `update ${name}` },
    );
  }

  #detected(folder: Uri): Promise<DetectedApps> {
    return getOrCreate(this.#apps, folder.toString(), async () => {
      try {
        return await this.#detect(folder);
      } catch (error) {
        this.#dependencies.log.warn(
          `The layouts of ${folder.toString()} could not be detected: ${String(error)}`,
        );
        return { apps: new Map(), read: [] };
      } finally {
        this.#isDetected.add(folder.toString());
      }
    });
  }

  async #detect(folder: Uri): Promise<DetectedApps> {
    const { search, storage } = this.#dependencies;
    const detected = await search(folder).detectApps(scopeOf(folder));
    if (fingerprintOf(detected.apps) !== fingerprintOf(this.#stored(folder) ?? new Map()))
      await storage.update(storageKey(folder), [...detected.apps]);
    return detected;
  }

  /** Returns whether the layouts are others now. */
  async #detectAgain(folder: Uri): Promise<boolean> {
    const before = await this.appsIn(folder);
    const detected = await this.#detect(folder);
    this.#apps.set(folder.toString(), Promise.resolve(detected));
    return fingerprintOf(detected.apps) !== fingerprintOf(before);
  }

  #stored(folder: Uri): AppLayouts | undefined {
    const stored = this.#dependencies.storage.get<[string, readonly FilesEntry[]][]>(storageKey(folder));
    return stored && new Map(stored);
  }

  /** Checks an opened file, which may be new: file watchers may miss files in new folders. */
  opened(uri: Uri): void {
    const name = uri.toString();
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    this.#touched(uri);
  }

  /** Detects the layouts again after a file was created, changed or deleted that may decide otherwise. */
  #touched(uri: Uri): void {
    const folder = workspace.getWorkspaceFolder(uri)?.uri;
    if (folder === undefined || !this.#apps.has(folder.toString())) return;
    const path = relativePathOfUri(folder, uri) ?? "";
    // A file of a known layout only matters if it may compose others, or be one of those.
    if (!mayBeTranslation(path) || (this.#dependencies.isKnown(uri) && !mayCompose(path))) return;
    const detect = async (): Promise<void> => {
      if (await this.#detectAgain(folder)) this.#changed.fire();
    };
    const name = `layouts ${folder.toString()}`;
    this.#dependencies.debounce(name, () => this.#detecting.run(detect, { name }));
  }
}

function scopeOf(folder: Uri): WalkScope {
  return { exclude: excludedFiles(folder), otherProjects: [] };
}

function storageKey(folder: Uri): string {
  return `layouts.${folder.toString()}`;
}

/** Returns the path of the root in the folder; empty for the folder itself. */
function relativePath(folder: Uri, root: Uri): string {
  return root.path.slice(folder.path.length).replaceAll(/^\/|\/$/g, "");
}
