/** Opens a database, and replaces a file that is damaged or cannot be written. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Log } from "../model/platform.ts";
import { Database, isDamaged } from "./database.ts";
import { PERSONAL_SCHEMA } from "./personal/personal-schema.ts";
import { CACHE_SCHEMA, UnknownSchemaError, type DatabaseSchema } from "./schema-migrations.ts";

/** Suffix of an unusable file that was renamed. */
export const BACKUP_SUFFIX = ".damaged";
/** The same of a cache with the tables of another version. */
export const OUTDATED_SUFFIX = ".outdated";

/**
 * Opens the cache of a project. A file that is damaged or of another version is renamed (suffix `.damaged` or `.outdated`)
 * and replaced by a new one: everything can be fetched or read again. If the file cannot be written, now or later, the cache is in
 * memory.
 *
 * @param onInMemory called when the database is in memory
 */
export function openDatabase(path: string, log: Pick<Log, "warn">, onInMemory?: () => void): Database {
  return open(path, CACHE_SCHEMA, log, onInMemory);
}

/**
 * Opens the personal database of a folder. A file that is damaged or of a later version is renamed, and what can be read
 * of it is copied; no such file is ever overwritten. If the file cannot be written, now or later, its content and what
 * follows is in memory.
 *
 * @param onInMemory called when the database is in memory
 */
export function openPersonalDatabase(
  path: string,
  log: Pick<Log, "warn">,
  onInMemory?: () => void,
): Database {
  return open(path, PERSONAL_SCHEMA, log, onInMemory);
}

function open(
  path: string,
  schema: DatabaseSchema,
  log: Pick<Log, "warn">,
  onInMemory: (() => void) | undefined,
): Database {
  const setAside = (error: unknown): string => {
    const suffix = error instanceof UnknownSchemaError ? OUTDATED_SUFFIX : BACKUP_SUFFIX;
    const backup = schema === CACHE_SCHEMA ? path + suffix : unusedBackupPath(path);
    for (const ending of ["", "-wal", "-shm"]) rename(path + ending, backup + ending);
    return backup;
  };
  const inMemory = (error: unknown): void => {
    log.warn(`The database ${path} cannot be used, so data is only stored in memory: ${String(error)}`);
    onInMemory?.();
  };
  const openFile = (): Database => {
    const database: Database = new Database(
      path,
      (error) => onMovedToMemory(error, database),
      undefined,
      schema,
    );
    return database;
  };
  const onMovedToMemory = (error: unknown, database: Database): void => {
    try {
      if (isDamaged(error)) {
        const backup = setAside(error);
        // A cache is only worth a file of its own once it is filled again.
        if (schema !== CACHE_SCHEMA && database.moveToFile(path)) {
          log.warn(`The database ${path} is damaged: what can be read of it was copied from ${backup}.`);
          return;
        }
      }
    } catch {
      // The next window tries again.
    }
    inMemory(error);
  };
  try {
    mkdirSync(dirname(path), { recursive: true });
    try {
      return openFile();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      log.warn(`The database ${path} is renamed and replaced by a new one: ${String(error)}`);
      const backup = setAside(error);
      const database = openFile();
      if (!database.copyKeptRows(backup)) log.warn(`Not everything could be read from ${backup}.`);
      return database;
    }
  } catch (error) {
    inMemory(error);
    const database = new Database(undefined, undefined, undefined, schema);
    // What is on a disk that cannot be written can still be read.
    if (schema !== CACHE_SCHEMA && existsSync(path)) copyFromReadOnlyFile(database, path, log);
    return database;
  }
}

/** Copies the rows of a file by way of a temporary copy, since SQLite needs to write beside a file to read it. */
function copyFromReadOnlyFile(into: Database, path: string, log: Pick<Log, "warn">): void {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "project-translations-"));
    const copy = join(folder, "copy.db");
    for (const ending of ["", "-wal"]) {
      if (!existsSync(path + ending)) continue;
      copyFileSync(path + ending, copy + ending);
      chmodSync(copy + ending, 0o600);
    }
    if (!into.copyKeptRows(copy)) log.warn(`Not everything could be read from ${path}.`);
  } catch (error) {
    log.warn(`${path} could not be read: ${String(error)}`);
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function unusedBackupPath(path: string): string {
  for (let number = 1; ; number++) {
    const backup = `${path}${BACKUP_SUFFIX}${number === 1 ? "" : `-${number}`}`;
    if (!existsSync(backup)) return backup;
  }
}

/** @throws the file system's error */
function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
  }
}
