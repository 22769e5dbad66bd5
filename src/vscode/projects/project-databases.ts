/** The databases of the window's projects, one connection each, which stays open as long as the window. */
import { Uri, workspace, type Disposable } from "vscode";
import { Database, openDatabase } from "../../database/database.ts";
import type { LogChannel } from "../log.ts";
import { showWarning } from "../notifications.ts";
import { l10n } from "../l10n.ts";

const FILE_NAME = "project.db";

export class ProjectDatabases implements Disposable {
  readonly #storage: Uri;
  readonly #log: LogChannel;
  readonly #open = new Map<string, Database>();
  readonly #onMovedToMemory: (database: Database) => void;
  #isWarned = false;

  /**
   * @param storage the extension's own folder
   * @param onMovedToMemory the disk refused a write, so the database goes on in memory with drafts alone
   */
  constructor(storage: Uri, log: LogChannel, onMovedToMemory: (database: Database) => void) {
    this.#storage = storage;
    this.#log = log;
    this.#onMovedToMemory = onMovedToMemory;
  }

  /**
   * The database in this folder of the storage. While the workspace is not trusted, nothing is written, so it is in
   * memory; it is another one afterwards.
   */
  open(folder: string): Database {
    const { isTrusted } = workspace;
    const name = `${isTrusted} ${folder}`;
    let database = this.#open.get(name);
    if (database === undefined) {
      const { fsPath } = Uri.joinPath(this.#storage, "projects", folder, FILE_NAME);
      const onInMemory = (): void => {
        this.#warn(fsPath);
        const moved = this.#open.get(name);
        if (moved !== undefined) this.#onMovedToMemory(moved);
      };
      database = isTrusted ? openDatabase(fsPath, this.#log, onInMemory) : new Database();
      this.#open.set(name, database);
    }
    return database;
  }

  dispose(): void {
    for (const database of this.#open.values()) database.close();
    this.#open.clear();
  }

  #warn(path: string): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const showLog = l10n.t("Show Log");
    const message = l10n.t(
      "The project's cache cannot be written to disk ({0}). It stays in memory until the window is reloaded, then it is fetched again.",
      path,
    );
    void showWarning(message, showLog).then((answer) => {
      if (answer === showLog) this.#log.show();
    });
  }
}
