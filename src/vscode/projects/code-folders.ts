/**
 * Code outside of a project's root that uses its texts: that of packages which depend on the project's package and have no
 * texts of their own, and the folders that `usage.include` of the project file names with `../`.
 */
import { relative } from "node:path/posix";
import { EventEmitter, Uri, workspace, type Disposable } from "vscode";
import type { ManifestFile } from "../../frameworks/framework.ts";
import { getOrCreate } from "../../util/maps.ts";
import {
  assignCode,
  MAX_MANIFESTS,
  MAX_SETUP_FILES,
  PACKAGE_MANIFESTS,
  SETUP_FILES,
} from "../../workspace/project-detection/packages-using-texts.ts";
import type { Log } from "../../model/platform.ts";
import type { IndexerClient } from "../../indexer/indexer-client.ts";
import { excludedFiles } from "../extension-settings.ts";
import { isInWorkspace, relativePathOfUri } from "../files/project-file-system.ts";
import { watchFiles } from "../files/watch-files.ts";
import type { OpenProject } from "./open-project.ts";
import type { CodeFolder } from "./outside-code.ts";

/** Assigns folders with code to the projects of the window. */
export class CodeFolders implements Disposable {
  readonly #indexerClient: IndexerClient;
  readonly #log: Pick<Log, "warn">;
  /** The manifests of each workspace folder with several packages. */
  readonly #manifests = new Map<string, Promise<readonly ManifestFile[]>>();
  readonly #changed = new EventEmitter<void>();
  readonly #disposables: readonly Disposable[];

  /** Fires when a package was added or removed, or its dependencies changed. */
  readonly onDidChange = this.#changed.event;

  constructor(indexerClient: IndexerClient, log: Pick<Log, "warn">) {
    this.#indexerClient = indexerClient;
    this.#log = log;
    const changed = (uri: Uri): void => {
      const folder = workspace.getWorkspaceFolder(uri)?.uri;
      if (folder === undefined || uri.path.includes("/node_modules/")) return;
      if (this.invalidate(folder)) this.#changed.fire();
    };
    this.#disposables = [this.#changed, watchFiles(PACKAGE_MANIFESTS, changed)];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Reads the manifests of a workspace folder again at the next `assign`. Returns whether they were known. */
  invalidate(folder: Uri): boolean {
    return this.#manifests.delete(folder.toString());
  }

  /** Sets the folders of each project. */
  async assign(projects: readonly OpenProject[]): Promise<void> {
    const folders = new Map<OpenProject, CodeFolder[]>(projects.map((open) => [open, []]));
    const others = new Map<OpenProject, readonly OpenProject[]>();
    for (const { uri: folder } of workspace.workspaceFolders ?? []) {
      const inFolder = projects.filter(({ root }) => isAtOrBelow(folder, root));
      const byPath = new Map(inFolder.map((open) => [relative(folder.path, open.root.path), open]));
      const assigned = await assignCode({
        projects: [...byPath.keys()],
        readManifests: () => this.#manifestsIn(folder),
        includeOf: (path) => byPath.get(path)?.file.usage?.include,
        readSetup: (path) => this.#read(Uri.joinPath(folder, path), SETUP_FILES, MAX_SETUP_FILES),
      });
      for (const [path, open] of byPath) {
        for (const uri of (assigned.folders.get(path) ?? []).map((each) => Uri.joinPath(folder, each)))
          if (await isInWorkspace(uri))
            folders.get(open)?.push({ uri, path: relative(open.root.path, uri.path) });
        const used = assigned.others.get(path);
        if (used !== undefined)
          others.set(
            open,
            used.flatMap((other) => byPath.get(other) ?? []),
          );
      }
    }
    for (const open of projects) {
      open.usesTextsOf = others.get(open) ?? [];
      open.code.folders = folders.get(open) ?? [];
    }
  }

  #manifestsIn(folder: Uri): Promise<readonly ManifestFile[]> {
    return getOrCreate(this.#manifests, folder.toString(), () =>
      this.#read(folder, PACKAGE_MANIFESTS, MAX_MANIFESTS).catch((error: unknown) => {
        this.#log.warn(`The packages of ${folder.toString()} could not be read: ${String(error)}`);
        return [];
      }),
    );
  }

  #read(folder: Uri, glob: string, limit: number): Promise<readonly ManifestFile[]> {
    const search = this.#indexerClient.forFolder(folder.fsPath).folder;
    return search.read([glob], { exclude: excludedFiles(folder), otherProjects: [] }, limit);
  }
}

function isAtOrBelow(folder: Uri, root: Uri): boolean {
  return root.toString() === folder.toString() || relativePathOfUri(folder, root) !== null;
}
