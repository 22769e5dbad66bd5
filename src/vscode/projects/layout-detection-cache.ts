/**
 * Detected translation file layouts of workspace folders without a project file; cached until new files appear. Those of the
 * last time are used until they are detected again.
 */
import { EventEmitter, Uri, workspace, type Disposable, type Memento } from "vscode";
import { getOrCreate } from "../../util/maps.ts";
import {
  APP_GLOBS,
  type AppLayouts,
  composesLayout,
  COMPOSING_MODULES,
  layoutsAt,
  mayBeTranslation,
} from "../../workspace/file-layout/detect-layouts.ts";
import type { FilesEntry } from "../../workspace/project-file/project-file.ts";
import { relativePathOfUri } from "../files/project-file-system.ts";
import type { LogChannel } from "../log.ts";

const NO_ENTRIES: readonly FilesEntry[] = [];

export interface LayoutDetectionCacheDependencies {
  readonly log: LogChannel;
  /** Stores the results of this workspace. */
  readonly storage: Memento;
  /** Detects the apps of a folder, in the indexing process. */
  readonly detectApps: (folder: Uri) => Promise<AppLayouts>;
  /** Whether the file is already a translation file of a project. */
  readonly isKnown: (uri: Uri) => boolean;
}

export class LayoutDetectionCache implements Disposable {
  readonly #dependencies: LayoutDetectionCacheDependencies;
  readonly #apps = new Map<string, Promise<AppLayouts>>();
  /** Folders whose layouts were detected in this window. */
  readonly #isDetected = new Set<string>();
  readonly #changed = new EventEmitter<void>();
  /** Opened files that were already checked. */
  readonly #seen = new Set<string>();
  readonly #owned: Disposable[] = [this.#changed];

  /** Fires when a new file may belong to a new layout. */
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: LayoutDetectionCacheDependencies) {
    this.#dependencies = dependencies;
    for (const glob of APP_GLOBS) {
      const watcher = workspace.createFileSystemWatcher(glob, false, true, true);
      this.#owned.push(
        watcher,
        watcher.onDidCreate((uri) => this.#created(uri)),
      );
    }
    const composing = workspace.createFileSystemWatcher(COMPOSING_MODULES, true, false, true);
    this.#owned.push(
      composing,
      composing.onDidChange((uri) => void this.#composedOtherwise(uri)),
    );
  }

  dispose(): void {
    for (const disposable of this.#owned) disposable.dispose();
  }

  /** Returns the roots of the apps in a workspace folder. */
  async rootsIn(folder: Uri): Promise<readonly Uri[]> {
    return [...(await this.#appsOf(folder)).keys()].map((path) => rootOf(folder, path));
  }

  /**
   * Returns the layouts of an app's root; for a folder of several apps the layouts of all of them. Until they were detected in
   * this window, those of the last time.
   */
  async of(root: Uri): Promise<readonly FilesEntry[]> {
    const folder = workspace.getWorkspaceFolder(root)?.uri;
    if (folder === undefined) return NO_ENTRIES;
    const stored = this.#isDetected.has(folder.toString()) ? undefined : this.#stored(folder);
    const apps = stored ?? (await this.#appsOf(folder));
    return layoutsAt(apps, relativePath(folder, root)) ?? NO_ENTRIES;
  }

  #appsOf(folder: Uri): Promise<AppLayouts> {
    const name = folder.toString();
    return getOrCreate(this.#apps, name, () => this.#detect(folder));
  }

  async #detect(folder: Uri): Promise<AppLayouts> {
    const { log, storage, detectApps } = this.#dependencies;
    const name = folder.toString();
    let apps: AppLayouts = new Map();
    try {
      apps = await detectApps(folder);
      if (JSON.stringify([...apps]) !== JSON.stringify([...(this.#stored(folder) ?? [])]))
        await storage.update(storageKey(folder), [...apps]);
    } catch (error) {
      log.warn(`The layouts of ${name} could not be detected: ${String(error)}`);
    }
    this.#isDetected.add(name);
    return apps;
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
    this.#created(uri);
  }

  /** Detects the layouts again after a module has changed that composes others. */
  async #composedOtherwise(uri: Uri): Promise<void> {
    const folder = workspace.getWorkspaceFolder(uri)?.uri;
    const apps = folder && (await this.#apps.get(folder.toString()));
    const path = folder && relativePathOfUri(folder, uri);
    if (folder === undefined || apps === undefined || path == null || !composesLayout(apps, path)) return;
    if (this.#apps.delete(folder.toString())) this.#changed.fire();
  }

  #created(uri: Uri): void {
    const folder = workspace.getWorkspaceFolder(uri)?.uri;
    if (folder === undefined || this.#dependencies.isKnown(uri)) return;
    if (!mayBeTranslation(relativePathOfUri(folder, uri) ?? "")) return;
    if (this.#apps.delete(folder.toString())) this.#changed.fire();
  }
}

function storageKey(folder: Uri): string {
  return `layouts.${folder.toString()}`;
}

/** Returns the path of the root in the folder; empty for the folder itself. */
function relativePath(folder: Uri, root: Uri): string {
  return root.path.slice(folder.path.length).replaceAll(/^\/|\/$/g, "");
}

function rootOf(folder: Uri, path: string): Uri {
  return path === "" ? folder : Uri.joinPath(folder, path);
}
