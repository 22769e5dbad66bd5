/** Detected translation file layouts of workspace folders without a project file; cached until new files appear. */
import { EventEmitter, RelativePattern, Uri, workspace, type Disposable } from "vscode";
import { mapInSlices } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { TranslationFiles } from "../../workspace/local-files/parse-large-files-in-indexer.ts";
import { MAX_FILE_BYTES } from "../../formats/parse-and-edit-file.ts";
import {
  APP_GLOBS,
  type AppLayouts,
  layoutsAt,
  mayBeTranslation,
  detectApps,
} from "../../workspace/file-layout/detect-layouts.ts";
import type { FilesEntry } from "../../workspace/project-file/project-file.ts";
import { mergeGlobs } from "../../workspace/usages/list-source-files.ts";
import { readSmallFile, EXCLUDED_FOLDERS, relativePathOfUri } from "../files/project-file-system.ts";
import type { LogChannel } from "../log.ts";

const MAX_PATHS = 20_000;
const NO_ENTRIES: readonly FilesEntry[] = [];

export interface LayoutDetectionCacheDependencies {
  readonly log: LogChannel;
  /** Returns the reader for files of a folder. */
  readonly filesOf: (folder: Uri) => Pick<TranslationFiles, "read">;
  /** Whether the file is already a translation file of a project. */
  readonly isKnown: (uri: Uri) => boolean;
}

export class LayoutDetectionCache implements Disposable {
  readonly #dependencies: LayoutDetectionCacheDependencies;
  readonly #apps = new Map<string, Promise<AppLayouts>>();
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
  }

  dispose(): void {
    for (const disposable of this.#owned) disposable.dispose();
  }

  /** Returns the roots of the apps in a workspace folder. */
  async rootsIn(folder: Uri): Promise<readonly Uri[]> {
    return [...(await this.#appsOf(folder)).keys()].map((path) => rootOf(folder, path));
  }

  /** Returns the layouts of an app's root; for a folder of several apps the layouts of all of them. */
  async of(root: Uri): Promise<readonly FilesEntry[]> {
    const folder = workspace.getWorkspaceFolder(root)?.uri;
    if (folder === undefined) return NO_ENTRIES;
    const apps = await this.#appsOf(folder);
    return layoutsAt(apps, relativePath(folder, root)) ?? NO_ENTRIES;
  }

  #appsOf(folder: Uri): Promise<AppLayouts> {
    const name = folder.toString();
    return getOrCreate(this.#apps, name, () =>
      this.#detect(folder).catch((error: unknown): AppLayouts => {
        this.#dependencies.log.warn(`The layouts of ${name} could not be detected: ${String(error)}`);
        return new Map();
      }),
    );
  }

  async #detect(folder: Uri): Promise<AppLayouts> {
    // Each search starts a process, which takes longer than the search itself.
    const globs = mergeGlobs(APP_GLOBS).map((glob) => new RelativePattern(folder, glob));
    const found = await Promise.all(
      globs.map((glob) => workspace.findFiles(glob, EXCLUDED_FOLDERS, MAX_PATHS)),
    );
    const paths = new Set(await mapInSlices(found.flat(), (uri) => relativePathOfUri(folder, uri)));
    const readBytes = async (path: string): Promise<Uint8Array | undefined> =>
      (await readSmallFile(Uri.joinPath(folder, path), MAX_FILE_BYTES)) ?? undefined;
    return detectApps([...paths].sort(), readBytes, this.#dependencies.filesOf(folder));
  }

  /** Checks an opened file, which may be new: file watchers may miss files in new folders. */
  opened(uri: Uri): void {
    const name = uri.toString();
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    this.#created(uri);
  }

  #created(uri: Uri): void {
    const folder = workspace.getWorkspaceFolder(uri)?.uri;
    if (folder === undefined || this.#dependencies.isKnown(uri)) return;
    if (!mayBeTranslation(relativePathOfUri(folder, uri) ?? "")) return;
    if (this.#apps.delete(folder.toString())) this.#changed.fire();
  }
}

/** Returns the path of the root in the folder; empty for the folder itself. */
function relativePath(folder: Uri, root: Uri): string {
  return root.path.slice(folder.path.length).replaceAll(/^\/|\/$/g, "");
}

function rootOf(folder: Uri, path: string): Uri {
  return path === "" ? folder : Uri.joinPath(folder, path);
}
