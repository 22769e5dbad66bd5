/** The databases of the window: one cache per project and one personal database per folder, open until it closes. */
import { readdir, rm } from "node:fs/promises";
import { Uri, workspace, type Disposable } from "vscode";
import {
  BACKUP_SUFFIX,
  openDatabase,
  openPersonalDatabase,
  OUTDATED_SUFFIX,
} from "../../database/database-recovery.ts";
import { Database } from "../../database/database.ts";
import { importEarlierData } from "../../database/personal/import-earlier-data.ts";
import { personalProject } from "../../database/personal/known-projects.ts";
import { LOCAL_PROJECT, PersonalData } from "../../database/personal/personal-data.ts";
import { sha1 } from "../../model/key-hash.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { LogChannel } from "../log.ts";
import { offerActions, showWarning } from "../notifications.ts";
import { l10n } from "../../util/l10n.ts";

const FILE_NAME = "project.db";

export class ProjectDatabases implements Disposable {
  readonly #storage: Uri;
  readonly #log: LogChannel;
  readonly #open = new Map<string, Database>();
  readonly #openPersonal = new Map<string, Database>();
  readonly #onMovedToMemory: (database: Database) => void;
  readonly #warned = new Set<string>();

  /**
   * @param storage the extension's global storage folder
   * @param onMovedToMemory called after a disk error moved a cache to memory, without its content
   */
  constructor(storage: Uri, log: LogChannel, onMovedToMemory: (database: Database) => void) {
    this.#storage = storage;
    this.#log = log;
    this.#onMovedToMemory = onMovedToMemory;
  }

  /**
   * Opens the databases of a folder in a project (`projectId`: `null` if nobody is signed in) at a base URL (`null`: none is
   * set), letting other tasks run after each: opening one takes some 10 ms, and more when it is created.
   */
  async open(
    root: Uri,
    baseUrl: string | null,
    projectId: string | null,
  ): Promise<{ readonly database: Database; readonly personal: PersonalData }> {
    const personal = this.#personal(root, baseUrl, projectId);
    await yieldNow();
    const database = this.#cache(root, baseUrl);
    await yieldNow();
    return { database, personal };
  }

  /**
   * Opens the cache. In an untrusted workspace it is a separate one in memory, since what it would have comes from the
   * workspace.
   */
  #cache(root: Uri, baseUrl: string | null): Database {
    const { isTrusted } = workspace;
    const folder = projectFolderName(root, baseUrl);
    const name = `${isTrusted} ${folder}`;
    const { fsPath } = Uri.joinPath(this.#storage, "projects", folder, FILE_NAME);
    const onInMemory = (): void => {
      this.#warn(
        l10n.t(
          "The project’s cache cannot be written to disk ({0}). It stays in memory until the window is reloaded, then it is fetched again. Texts that are not saved yet are stored apart from it and are not affected.",
          fsPath,
        ),
      );
      const moved = this.#open.get(name);
      if (moved !== undefined) this.#onMovedToMemory(moved);
    };
    return getOrCreate(this.#open, name, () => {
      if (!isTrusted) return new Database();
      const cache = openDatabase(fsPath, this.#log, onInMemory);
      try {
        const personal = this.#personalDatabase(root);
        for (const suffix of [BACKUP_SUFFIX, OUTDATED_SUFFIX])
          importEarlierData(personal, fsPath + suffix, baseUrl ?? "");
        // In memory it would be lost when the window is closed.
        if (personal.isOnDisk) this.#removeOutdated(fsPath);
      } catch (error) {
        this.#log.error("Unsaved texts of an earlier version could not be read", error);
      }
      return cache;
    });
  }

  #removeOutdated(path: string): void {
    for (const ending of ["", "-wal", "-shm"])
      rm(path + OUTDATED_SUFFIX + ending, { force: true }).catch((error: unknown) =>
        this.#log.warn(`The cache of an earlier version could not be removed: ${String(error)}`),
      );
  }

  /**
   * Opens the personal data. It is on disk in an untrusted workspace too: it is what the user types, and none of it comes from
   * the workspace.
   */
  #personal(root: Uri, baseUrl: string | null, projectId: string | null): PersonalData {
    const project = projectId === null ? LOCAL_PROJECT : personalProject(baseUrl ?? "", projectId);
    return new PersonalData(this.#personalDatabase(root), project);
  }

  #personalDatabase(root: Uri): Database {
    const { fsPath } = Uri.joinPath(this.#storage, "personal", `${sha1(root.toString())}.db`);
    const onInMemory = (): void =>
      this.#warn(
        l10n.t(
          "Texts that are not saved yet cannot be written to disk ({0}). Those typed from now on are kept in memory only: save or copy them before the window is closed or reloaded. Earlier ones are still on disk.",
          fsPath,
        ),
      );
    return getOrCreate(this.#openPersonal, fsPath, () => openPersonalDatabase(fsPath, this.#log, onInMemory));
  }

  dispose(): void {
    for (const database of [...this.#open.values(), ...this.#openPersonal.values()]) database.close();
    this.#open.clear();
    this.#openPersonal.clear();
  }

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    offerActions(showWarning, message, { label: l10n.t("Show Log"), act: () => this.#log.show() });
  }
}

/** Returns the name of a project's folder in the global storage. */
export function projectFolderName(root: Uri, baseUrl: string | null): string {
  return sha1(`${root.toString()}\u001f${baseUrl ?? ""}`);
}

/** Removes the caches of earlier versions from a project's folder in the global storage. */
export async function removeOldCaches(folder: Uri): Promise<void> {
  const names = await readdir(folder.fsPath).catch(() => []);
  for (const name of names.filter((each) => !/^(?:project\.db|usages)/u.test(each)))
    await rm(Uri.joinPath(folder, name).fsPath, { recursive: true, force: true });
}
