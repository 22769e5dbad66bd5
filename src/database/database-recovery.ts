/** Opens a project's database, and replaces a file that is damaged or cannot be written. */
import { mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type { Log } from "../model/platform.ts";
import { Database, isDamaged } from "./database.ts";

/** Suffix of an unusable file that was renamed. */
const BACKUP_SUFFIX = ".damaged";

/**
 * Opens the database of a project. A file that is damaged or of a later version is renamed (suffix `.damaged`) and
 * replaced by a new one with the drafts that can be recovered; everything else can be fetched or read again. If the
 * file cannot be written, now or later, the database is in memory.
 *
 * @param onInMemory called when the database is in memory
 */
export function openDatabase(path: string, log: Pick<Log, "warn">, onInMemory?: () => void): Database {
  const inMemory = (error: unknown): void => {
    log.warn(`The database ${path} cannot be used, so data is only stored in memory: ${String(error)}`);
    try {
      if (isDamaged(error)) setAside(path);
    } catch {
      // The next window tries again.
    }
    onInMemory?.();
  };
  try {
    mkdirSync(dirname(path), { recursive: true });
    try {
      return new Database(path, inMemory);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      log.warn(`The database ${path} is renamed and replaced by a new one: ${String(error)}`);
      setAside(path);
      const database = new Database(path, inMemory);
      if (!database.copyLocalOnlyData(path + BACKUP_SUFFIX))
        log.warn(`Drafts could not be read from ${path}${BACKUP_SUFFIX}.`);
      return database;
    }
  } catch (error) {
    inMemory(error);
    return new Database();
  }
}

/** @throws the file system's error */
function setAside(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) renameToBackup(path, ending);
}

function renameToBackup(path: string, ending: string): void {
  try {
    renameSync(path + ending, path + BACKUP_SUFFIX + ending);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
  }
}
