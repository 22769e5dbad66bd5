/** The code outside of a project's root that uses its texts; code-folders.ts decides which that is. */
import type { Uri } from "vscode";
import type { FileStamp, ReadOutcome } from "../../model/platform.ts";
import { openFiles, relativePathOfUri } from "../files/project-file-system.ts";
import { createFolderSearch } from "../../workspace/project-detection/folder-search.ts";

/** A folder outside of a project's root, whose code uses the project's texts. */
export interface CodeFolder {
  readonly uri: Uri;
  /** Relative to the root, with `../`. */
  readonly path: string;
}

export class OutsideCode {
  readonly #journalFolder: string;
  folders: readonly CodeFolder[] = [];

  /** @param journalFolder as in `openFiles`; nothing is written */
  constructor(journalFolder: string) {
    this.#journalFolder = journalFolder;
  }

  /** Returns the path relative to the project's root, which begins with `../`; `null` if the file is in none of the folders. */
  pathOf(uri: Uri): string | null {
    for (const folder of this.folders) {
      const below = relativePathOfUri(folder.uri, uri);
      if (below !== null) return `${folder.path}/${below}`;
    }
    return null;
  }

  /** Reads a file, as `ProjectFiles` does; `undefined` if it is in none of the folders. */
  read(path: string, known: FileStamp | undefined): Promise<ReadOutcome> | undefined {
    const folder = this.folders.find((each) => path.startsWith(`${each.path}/`));
    if (folder === undefined) return undefined;
    const files = openFiles({
      root: folder.uri,
      search: createFolderSearch(folder.uri.fsPath),
      scope: () => ({ exclude: [], otherProjects: [] }),
      formatAt: () => undefined,
      journalFolder: this.#journalFolder,
    });
    return files.read(path.slice(folder.path.length + 1), known);
  }
}
