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
  MAX_SETUP_FILES,
  PACKAGE_MANIFESTS,
  SETUP_FILES,
} from "../../workspace/project-detection/packages-using-texts.ts";
import { outsideFolders } from "../../workspace/usages/list-source-files.ts";
import type { Log } from "../../model/platform.ts";
import type { IndexerClient } from "../../indexer/indexer-client.ts";
import { excludedFiles } from "../extension-settings.ts";
import { isInWorkspace, readSmallFile, relativePathOfUri } from "../files/project-file-system.ts";
import type { CodeFolder } from "../files/read-manifests.ts";
import { watchFiles } from "../files/watch-files.ts";
import type { OpenProject } from "./open-project.ts";

const MAX_MANIFESTS = 500;
const MAX_MANIFEST_BYTES = 256 * 1024;

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
      for (const open of inFolder) {
        const included = await this.#includedFolders(open, folder);
        // The code of another project counts as used by that one, which also has the files there.
        const isFree = ({ uri }: CodeFolder): boolean => !inFolder.some(({ root }) => isAtOrBelow(root, uri));
        folders.get(open)?.push(...included.filter(isFree));
      }
      if (inFolder.every(({ root }) => root.path === folder.path)) continue;
      const byPath = new Map(inFolder.map((open) => [relative(folder.path, open.root.path), open]));
      const assigned = await assignCode({
        projects: [...byPath.keys()],
        manifests: await this.#manifestsIn(folder),
        isListed: (path) => byPath.get(path)?.file.usage?.include !== undefined,
        readSetup: (path) => this.#setupFilesIn(Uri.joinPath(folder, path)),
      });
      for (const [path, open] of byPath) {
        for (const uri of (assigned.packages.get(path) ?? []).map((each) => Uri.joinPath(folder, each)))
          folders.get(open)?.push(this.#codeFolder(uri, relative(open.root.path, uri.path)));
        const used = assigned.others.get(path) ?? [];
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
      this.#readPackages(folder).catch((error: unknown) => {
        this.#log.warn(`The packages of ${folder.toString()} could not be read: ${String(error)}`);
        return [];
      }),
    );
  }

  async #readPackages(folder: Uri): Promise<readonly ManifestFile[]> {
    const paths = await this.#find(folder, PACKAGE_MANIFESTS);
    return readTexts(folder, paths.slice(0, MAX_MANIFESTS), MAX_MANIFEST_BYTES);
  }

  #find(folder: Uri, glob: string): Promise<readonly string[]> {
    const { search } = this.#codeFolder(folder, "");
    return search.find([glob], { exclude: excludedFiles(folder), otherProjects: [] });
  }

  #codeFolder(uri: Uri, path: string): CodeFolder {
    return { uri, path, search: this.#indexerClient.forFolder(uri.fsPath).folder };
  }

  async #setupFilesIn(folder: Uri): Promise<readonly ManifestFile[]> {
    const paths = await this.#find(folder, SETUP_FILES);
    return readTexts(folder, paths.slice(0, MAX_SETUP_FILES), MAX_MANIFEST_BYTES);
  }

  /** Returns the folders that the project file includes with `../`, as far as they are in the workspace folder. */
  async #includedFolders({ root, file }: OpenProject, folder: Uri): Promise<readonly CodeFolder[]> {
    const folders: CodeFolder[] = [];
    for (const path of outsideFolders(file.usage?.include ?? [])) {
      const uri = Uri.joinPath(root, path);
      if (relativePathOfUri(folder, uri) !== null && (await isInWorkspace(uri)))
        folders.push(this.#codeFolder(uri, path));
    }
    return folders;
  }
}

function isAtOrBelow(folder: Uri, root: Uri): boolean {
  return root.toString() === folder.toString() || relativePathOfUri(folder, root) !== null;
}

async function readTexts(
  folder: Uri,
  paths: readonly string[],
  maxBytes: number,
): Promise<readonly ManifestFile[]> {
  const files = await Promise.all(
    paths.map(async (path) => ({ path, bytes: await readSmallFile(Uri.joinPath(folder, path), maxBytes) })),
  );
  return files.flatMap(({ path, bytes }) =>
    bytes == null ? [] : { path, text: new TextDecoder().decode(bytes) },
  );
}
