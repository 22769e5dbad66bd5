/**
 * A connection to an SQLite database: prepared statements and transactions, in memory after a disk error.
 * database-recovery.ts replaces damaged files, schema-migrations.ts and personal/personal-schema.ts have the tables, the
 * repositories have the statements.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { getOrCreate } from "../util/maps.ts";
import {
  CACHE_SCHEMA,
  copyKeptRows,
  migrate,
  UnknownSchemaError,
  type DatabaseSchema,
} from "./schema-migrations.ts";

/** How long a write waits for the transaction of another connection, all of which are short. */
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIBIBYTES = 4_096;
const WRITER_CACHE_KIBIBYTES = 32_768;
/** Pages of 4 KiB. */
const WRITER_CHECKPOINT_PAGES = 8_000;
const JOURNAL_SIZE_LIMIT_BYTES = 4 * 1024 * 1024;

const IN_MEMORY = ":memory:";
/** Never notified. */
const SLEEPING = new Int32Array(new SharedArrayBuffer(4));

/** A prepared statement. */
export type Statement = Pick<StatementSync, "all" | "get" | "iterate" | "run">;

/** A value that a query returns; there are no BLOB columns. */
export type SqlValue = string | number | null;

/** A row of a result, by column. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A connection to the cache of one project, or to another database with its own schema. */
export class Database {
  #path: string;
  #sqlite: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
  readonly #onMovedToMemory: ((error: unknown) => void) | undefined;
  #inTransaction = false;
  readonly #schema: DatabaseSchema;
  /** Process id of the window whose unsaved texts this connection sees. */
  readonly windowPid: number;

  /**
   * @param path a file, created if missing; default: in memory
   * @param onMovedToMemory called when a write fails on disk and the database continues in memory; without it the
   *   write throws
   * @param windowPid default: this process
   * @param schema default: that of the cache
   * @throws SQLite's error if the file cannot be opened
   */
  constructor(
    path: string = IN_MEMORY,
    onMovedToMemory?: (error: unknown) => void,
    windowPid: number = process.pid,
    schema: DatabaseSchema = CACHE_SCHEMA,
  ) {
    this.#path = path;
    this.#schema = schema;
    this.windowPid = windowPid;
    this.#onMovedToMemory = onMovedToMemory;
    this.#sqlite = openSqlite(path, schema);
  }

  /** Path of its file, for connections in other processes; `:memory:` without one. */
  get path(): string {
    return this.#path;
  }

  /** Whether it has a file; otherwise only this connection sees its data. */
  get isOnDisk(): boolean {
    return this.#path !== IN_MEMORY;
  }

  /** Returns the cached prepared statement of a constant text. */
  sql(text: string): Statement {
    return getOrCreate(this.#statements, text, () => prepare(this.#sqlite, text));
  }

  /** Returns the first row. */
  get<Result extends object = Row>(text: string, ...values: readonly SqlValue[]): Result | undefined {
    return this.sql(text).get(...values) as Result | undefined;
  }

  /** Returns all rows. */
  all<Result extends object = Row>(text: string, ...values: readonly SqlValue[]): Result[] {
    return this.sql(text).all(...values) as Result[];
  }

  /** Returns the first column of all rows. */
  column<Value extends SqlValue = string>(text: string, ...values: readonly SqlValue[]): Value[] {
    return this.all(text, ...values).map((row) => Object.values(row)[0] as Value);
  }

  /** Returns the first column of the first row; `undefined` without a row. */
  value<Value extends SqlValue = SqlValue>(text: string, ...values: readonly SqlValue[]): Value | undefined {
    return Object.values(this.get(text, ...values) ?? {})[0] as Value | undefined;
  }

  /** Returns the number in the first column of the first row; 0 without a row, and for `NULL`. */
  number(text: string, ...values: readonly SqlValue[]): number {
    return Number(this.value(text, ...values) ?? 0);
  }

  /** Runs one statement in a transaction. */
  write(text: string, ...values: readonly SqlValue[]): void {
    this.transaction(() => this.sql(text).run(...values));
  }

  /**
   * Runs writes in a transaction; a nested call joins the outer one. Other connections have to wait, so the work
   * must be short (a thousand rows) and synchronous. If the disk write fails, it is repeated in memory (see
   * the constructor), so it must get its statements from `sql` each time.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work();
    try {
      return this.#run(work);
    } catch (error) {
      if (!this.isOnDisk || !isWriteRefused(error)) throw error;
      this.continueInMemory(error);
      return this.#run(work);
    }
  }

  /**
   * Continues in memory after a write on disk failed, here or in another process.
   * @throws `error` without `onMovedToMemory`
   */
  continueInMemory(error: unknown): void {
    if (!this.isOnDisk) return;
    if (this.#onMovedToMemory === undefined) throw error;
    this.#moveToMemory();
    this.#onMovedToMemory(error);
  }

  #run<Result>(work: () => Result): Result {
    this.#begin();
    this.#inTransaction = true;
    try {
      const result = work();
      this.#sqlite.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite has already rolled back if the disk is full.
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /**
   * Begins a transaction. SQLite's own waiting for a lock sleeps up to 100 ms between two attempts, so that a connection
   * that writes all the time would rarely let another one in.
   */
  #begin(): void {
    this.#sqlite.exec("PRAGMA busy_timeout = 0");
    try {
      for (const deadline = performance.now() + BUSY_TIMEOUT_MS; ;) {
        try {
          this.#sqlite.exec("BEGIN IMMEDIATE");
          return;
        } catch (error) {
          if (!hasCode(error, [SQLITE_BUSY]) || performance.now() > deadline) throw error;
          Atomics.wait(SLEEPING, 0, 0, 1);
        }
      }
    } finally {
      this.#sqlite.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** Configures a connection for many writes: more cache and fewer automatic checkpoints (see `checkpoint`). */
  prepareForWriting(): void {
    this.#sqlite.exec(
      `PRAGMA cache_size = -${WRITER_CACHE_KIBIBYTES}; PRAGMA wal_autocheckpoint = ${WRITER_CHECKPOINT_PAGES};
       PRAGMA journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES};`,
    );
  }

  /** Moves the write-ahead log into the database file, as far as no other connection reads from it. */
  checkpoint(): void {
    this.#sqlite.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Copies the rows that exist nowhere else from another database file. Returns whether all could be read. */
  copyKeptRows(path: string): boolean {
    let from: DatabaseSync | undefined;
    try {
      const source = (from = new DatabaseSync(path, { readOnly: true }));
      return this.transaction(() => copyKeptRows(source, this.#sqlite, this.#schema));
    } catch {
      return false;
    } finally {
      from?.close();
    }
  }

  /** Moves a database in memory to a file that does not exist. Returns whether that was possible. */
  moveToFile(path: string): boolean {
    try {
      this.#sqlite.exec(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
      const onDisk = openSqlite(path, this.#schema);
      this.#statements.clear();
      this.#sqlite.close();
      this.#sqlite = onDisk;
      this.#path = path;
      return true;
    } catch {
      return false;
    }
  }

  #moveToMemory(): void {
    const before = this.#sqlite;
    this.#statements.clear();
    this.#sqlite = openSqlite(IN_MEMORY, this.#schema);
    this.#path = IN_MEMORY;
    // Rows that cannot be read stay in the file.
    copyKeptRows(before, this.#sqlite, this.#schema);
    before.close();
  }

  /** Changes whenever another connection, of this window or another one, has written. */
  get dataVersion(): number {
    return this.number("PRAGMA data_version");
  }

  /** Changes whenever this or another connection has written. */
  get revision(): string {
    return `${this.dataVersion}:${this.changes}`;
  }

  /** Number of rows that this connection has written. */
  get changes(): number {
    return this.number("SELECT total_changes()");
  }

  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }
}

function openSqlite(path: string, schema: DatabaseSchema): DatabaseSync {
  const sqlite = new DatabaseSync(path);
  try {
    sqlite.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${schema.synchronous};
       PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KIBIBYTES};`,
    );
    migrate(sqlite, schema);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** SQLite's primary result codes. */
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Returns whether an error means that the file's content is unusable, not the disk or another process. */
export function isDamaged(error: unknown): boolean {
  return error instanceof UnknownSchemaError || hasCode(error, [SQLITE_CORRUPT, SQLITE_NOTADB]);
}

/** Returns whether an error means that the file cannot be written: a full or read-only disk, or damage. */
export function isWriteRefused(error: unknown): boolean {
  return isDamaged(error) || hasCode(error, [SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN]);
}

function hasCode(error: unknown, codes: readonly number[]): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" && codes.includes(code & 0xff);
}

/**
 * Prepares a statement. Node 22 cannot bind values to numbered parameters (`?1`), of which a statement has all or
 * none, so they are replaced by named ones (`:p1`).
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
