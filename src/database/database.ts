/**
 * A connection to the SQLite database of one project: prepared statements, transactions, and what is done about files
 * that cannot be used. What the tables hold is schema.ts's; statements stand in the repositories beside it.
 */
import { mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Log } from "../model/platform.ts";
import { copyUnfetchable, migrate, UnknownSchemaError } from "./schema.ts";

/** How long a write waits for another connection's transaction, which are all short. Milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIBIBYTES = 4_096;
const WRITER_CACHE_KIBIBYTES = 32_768;
/** Of 4 KiB. */
const WRITER_CHECKPOINT_PAGES = 8_000;
const JOURNAL_SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

/** Behind the name of a file that is set aside. */
const ASIDE = ".damaged";
const IN_MEMORY = ":memory:";

/** What a prepared statement can do. */
export type Statement = Pick<StatementSync, "all" | "get" | "iterate" | "run">;

export class Database {
  #path: string;
  #sqlite: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
  readonly #onMovedToMemory: ((error: unknown) => void) | undefined;
  #inTransaction = false;
  /** Process id of the window whose unsaved texts this connection reads and writes. */
  readonly windowPid: number;

  /**
   * @param path a file, which is made where it is missing; default: in memory
   * @param onMovedToMemory when the disk refuses a write, the database goes on in memory and this is called; without
   *   it the write throws
   * @param windowPid default: this process
   * @throws what SQLite has against the file
   */
  constructor(
    path: string = IN_MEMORY,
    onMovedToMemory?: (error: unknown) => void,
    windowPid: number = process.pid,
  ) {
    this.#path = path;
    this.windowPid = windowPid;
    this.#onMovedToMemory = onMovedToMemory;
    this.#sqlite = openSqlite(path);
  }

  /** Of its file, for connections of other threads; `:memory:` where it has none. */
  get path(): string {
    return this.#path;
  }

  /** `false`: it is in memory alone, and only this connection sees it. */
  get isOnDisk(): boolean {
    return this.#path !== IN_MEMORY;
  }

  /** The prepared statement of this text, which is a constant of the program; made once. */
  sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) this.#statements.set(text, (statement = prepare(this.#sqlite, text)));
    return statement;
  }

  /**
   * Writes all or nothing. Others wait meanwhile, so the work is short (a thousand rows) and never asynchronous. Within
   * another transaction it is a part of that. Where the disk refuses it is done once more in memory (see the
   * constructor), so it takes its statements from `sql` each time.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work();
    try {
      return this.#run(work);
    } catch (error) {
      if (this.#onMovedToMemory === undefined || !this.isOnDisk || !isRefused(error)) throw error;
      this.#moveToMemory();
      this.#onMovedToMemory(error);
      return this.#run(work);
    }
  }

  #run<Result>(work: () => Result): Result {
    this.#sqlite.exec("BEGIN IMMEDIATE");
    this.#inTransaction = true;
    try {
      const result = work();
      this.#sqlite.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has rolled back by itself where the disk is full.
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /** For a connection that writes much: more cache, and fewer checkpoints than after each megabyte (see `checkpoint`). */
  prepareForWriting(): void {
    this.#sqlite.exec(
      `PRAGMA cache_size = -${WRITER_CACHE_KIBIBYTES}; PRAGMA wal_autocheckpoint = ${WRITER_CHECKPOINT_PAGES};
       PRAGMA journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES};`,
    );
  }

  /** Moves what was written from the log into the database, as far as no other connection still reads from it. */
  checkpoint(): void {
    this.#sqlite.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Copies what can neither be fetched nor read again from another file. Out: whether it could be read. */
  copyUnfetchable(path: string): boolean {
    let from: DatabaseSync | undefined;
    try {
      from = new DatabaseSync(path, { readOnly: true });
      copyUnfetchable(from, this.#sqlite);
      return true;
    } catch {
      return false;
    } finally {
      from?.close();
    }
  }

  #moveToMemory(): void {
    const before = this.#sqlite;
    this.#statements.clear();
    this.#sqlite = openSqlite(IN_MEMORY);
    this.#path = IN_MEMORY;
    try {
      copyUnfetchable(before, this.#sqlite);
    } catch {
      // What cannot be read stays in the file.
    }
    before.close();
  }

  /** Another number whenever another connection, of this window or another, has written. */
  get dataVersion(): number {
    return Number(this.sql("PRAGMA data_version").get()?.["data_version"]);
  }

  /** Another value whenever this or another connection has written. */
  get revision(): string {
    return `${this.dataVersion}:${String(this.sql("SELECT total_changes() AS changes").get()?.["changes"])}`;
  }

  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }
}

function openSqlite(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path);
  try {
    sqlite.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
       PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KIBIBYTES};`,
    );
    migrate(sqlite);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Opens the database of a project. A file that is damaged or of a later version is set aside (`.damaged` behind its
 * name) and begun anew with the drafts that can be read in it; all else can be fetched or read again. Where the disk
 * refuses, now or at a later write, it is in memory.
 *
 * @param onInMemory called when it is in memory, with the disk's reason
 */
export function openDatabase(path: string, log: Pick<Log, "warn">, onInMemory?: () => void): Database {
  const inMemory = (error: unknown): void => {
    log.warn(
      `The database ${path} cannot be used, so nothing is stored beyond this window: ${String(error)}`,
    );
    try {
      if (isDamaged(error)) setAside(path);
    } catch {
      // The next window finds it.
    }
    onInMemory?.();
  };
  try {
    mkdirSync(dirname(path), { recursive: true });
    try {
      return new Database(path, inMemory);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      log.warn(`The database ${path} is set aside and begun anew: ${String(error)}`);
      setAside(path);
      const database = new Database(path, inMemory);
      if (!database.copyUnfetchable(path + ASIDE)) log.warn(`Drafts could not be read from ${path}${ASIDE}.`);
      return database;
    }
  } catch (error) {
    inMemory(error);
    return new Database();
  }
}

/** @throws where the disk refuses. */
function setAside(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) moveAside(path, ending);
}

function moveAside(path: string, ending: string): void {
  try {
    renameSync(path + ending, path + ASIDE + ending);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
  }
}

/** SQLite's primary result codes. */
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Whether what was thrown says that the file's content is of no use, as opposed to the disk or another process. */
export function isDamaged(error: unknown): boolean {
  return error instanceof UnknownSchemaError || hasCode(error, [SQLITE_CORRUPT, SQLITE_NOTADB]);
}

/** Whether the file cannot be written any more: a full or read-only disk, or damage. */
function isRefused(error: unknown): boolean {
  return isDamaged(error) || hasCode(error, [SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN]);
}

function hasCode(error: unknown, codes: readonly number[]): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" && codes.includes(code & 0xff);
}

/**
 * Node 22 cannot bind values to numbered parameters (`?1`), of which a statement has all or none. Named ones (`:p1`) stand
 * in for them.
 */
function prepare(sqlite: DatabaseSync, text: string): Statement {
  const names = new Set(text.match(/(?<=\?)\d+/gu));
  if (names.size === 0) return sqlite.prepare(text);
  const statement = sqlite.prepare(text.replaceAll(/\?(\d+)/gu, ":p$1"));
  const named = (values: readonly SQLInputValue[]): Record<string, SQLInputValue> =>
    Object.fromEntries(
      values.flatMap((value, index) => (names.has(`${index + 1}`) ? [[`p${index + 1}`, value]] : [])),
    );
  return {
    all: (...values: SQLInputValue[]) => statement.all(named(values)),
    get: (...values: SQLInputValue[]) => statement.get(named(values)),
    iterate: (...values: SQLInputValue[]) => statement.iterate(named(values)),
    run: (...values: SQLInputValue[]) => statement.run(named(values)),
  } as Statement;
}
