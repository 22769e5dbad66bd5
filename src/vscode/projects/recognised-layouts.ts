/** The layouts of workspace folders without a project file, found once and again when a file of a new one appears. */
import { EventEmitter, RelativePattern, Uri, workspace, type Disposable } from "vscode";
import type { TranslationFiles } from "../../workspace/local-files/translation-files.ts";
import { MAX_FILE_BYTES } from "../../formats/translation-file.ts";
import {
  APP_GLOBS,
  type Apps,
  layoutsAt,
  mayBeTranslation,
  recogniseApps,
} from "../../workspace/layout/recognised-apps.ts";
import type { FilesEntry } from "../../workspace/project-file/project-file.ts";
import { fewestGlobs } from "../../workspace/usages/usage-files.ts";
import { readSmallFile, SKIPPED_FOLDERS, relativePathOfUri } from "../files/files.ts";
import type { LogChannel } from "../log.ts";

/** Of more paths nobody looks at the rest. */
const MAX_PATHS = 20_000;
const NONE: readonly FilesEntry[] = [];

export interface RecognisedLayoutsDependencies {
  readonly log: LogChannel;
  /** What reads the files of a folder. */
  readonly formatsOf: (folder: Uri) => Pick<TranslationFiles, "read">;
  /** Whether the file is one of a project already. */
  readonly isKnown: (uri: Uri) => boolean;
}

export class RecognisedLayouts implements Disposable {
  readonly #dependencies: RecognisedLayoutsDependencies;
  readonly #apps = new Map<string, Promise<Apps>>();
  readonly #changed = new EventEmitter<void>();
  /** Files that were opened, each looked at once. */
  readonly #seen = new Set<string>();
  readonly #owned: Disposable[] = [this.#changed];

  /** A file appeared that may be of a layout that was not there. */
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: RecognisedLayoutsDependencies) {
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
    for (const thing of this.#owned) thing.dispose();
  }

  /** The roots of the apps in a workspace folder. */
  async rootsIn(folder: Uri): Promise<readonly Uri[]> {
    return [...(await this.#appsOf(folder)).keys()].map((path) => rootOf(folder, path));
  }

  /** The layouts of a root; of a folder that is none, but has several apps, those of all of them. */
  async of(root: Uri): Promise<readonly FilesEntry[]> {
    const folder = workspace.getWorkspaceFolder(root)?.uri;
    if (folder === undefined) return NONE;
    const apps = await this.#appsOf(folder);
    return layoutsAt(apps, relativePath(folder, root)) ?? NONE;
  }

  #appsOf(folder: Uri): Promise<Apps> {
    const name = folder.toString();
    let apps = this.#apps.get(name);
    if (apps === undefined) {
      apps = this.#recognise(folder).catch((error: unknown): Apps => {
        this.#dependencies.log.warn(`The layouts of ${name} could not be recognised: ${String(error)}`);
        return new Map();
      });
      this.#apps.set(name, apps);
    }
    return apps;
  }

  async #recognise(folder: Uri): Promise<Apps> {
    // Each search is a program of its own, which takes longer to start than to search.
    const globs = fewestGlobs(APP_GLOBS).map((glob) => new RelativePattern(folder, glob));
    const found = await Promise.all(
      globs.map((glob) => workspace.findFiles(glob, SKIPPED_FOLDERS, MAX_PATHS)),
    );
    const paths = new Set(found.flat().flatMap((uri) => relativePathOfUri(folder, uri) ?? []));
    const readBytes = async (path: string): Promise<Uint8Array | undefined> =>
      (await readSmallFile(Uri.joinPath(folder, path), MAX_FILE_BYTES)) ?? undefined;
    return recogniseApps([...paths].sort(), readBytes, this.#dependencies.formatsOf(folder));
  }

  /** A file that is opened, which may be new: not every place tells of files in new folders. */
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

/** Of the folder itself the empty path. */
function relativePath(folder: Uri, root: Uri): string {
  return root.path.slice(folder.path.length).replaceAll(/^\/|\/$/g, "");
}

function rootOf(folder: Uri, path: string): Uri {
  return path === "" ? folder : Uri.joinPath(folder, path);
}
