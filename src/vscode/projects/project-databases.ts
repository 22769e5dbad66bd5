/** The databases of the window's projects: one connection each, open until the window closes. */
import { Uri, workspace, type Disposable } from "vscode";
import { openDatabase } from "../../database/database-recovery.ts";
import { Database } from "../../database/database.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { LogChannel } from "../log.ts";
import { offerActions, showWarning } from "../notifications.ts";
import { l10n } from "../l10n.ts";

const FILE_NAME = "project.db";

export class ProjectDatabases implements Disposable {
  readonly #storage: Uri;
  readonly #log: LogChannel;
  readonly #open = new Map<string, Database>();
  readonly #onMovedToMemory: (database: Database) => void;
  #isWarned = false;

  /**
   * @param storage the extension's global storage folder
   * @param onMovedToMemory called after a disk error moved a database to memory, with nothing but its drafts
   */
  constructor(storage: Uri, log: LogChannel, onMovedToMemory: (database: Database) => void) {
    this.#storage = storage;
    this.#log = log;
    this.#onMovedToMemory = onMovedToMemory;
  }

  /**
   * Opens the database in a folder of the storage. In an untrusted workspace it is a separate in-memory database, since
   * nothing may be written to disk.
   */
  open(folder: string): Database {
    const { isTrusted } = workspace;
    const name = `${isTrusted} ${folder}`;
    const { fsPath } = Uri.joinPath(this.#storage, "projects", folder, FILE_NAME);
    const onInMemory = (): void => {
      this.#warn(fsPath);
      const moved = this.#open.get(name);
      if (moved !== undefined) this.#onMovedToMemory(moved);
    };
    return getOrCreate(this.#open, name, () =>
      isTrusted ? openDatabase(fsPath, this.#log, onInMemory) : new Database(),
    );
  }

  dispose(): void {
    for (const database of this.#open.values()) database.close();
    this.#open.clear();
  }

  #warn(path: string): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const message = l10n.t(
      "The project's cache cannot be written to disk ({0}). It stays in memory until the window is reloaded, then it is fetched again.",
      path,
    );
    offerActions(showWarning, message, { label: l10n.t("Show Log"), act: () => this.#log.show() });
  }
}
