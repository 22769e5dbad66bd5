/**
 * A connection to an SQLite database: prepared statements and transactions, in memory after a disk error.
 * database-recovery.ts replaces damaged files, schema-migrations.ts and personal/personal-schema.ts have the tables, the
 * repositories have the statements.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { yieldNow } from "../util/event-loop.ts";
import type { Subscription } from "../model/platform.ts";
import { getOrCreate } from "../util/maps.ts";
import type { StoreTable } from "./store.ts";
import {
  CACHE_SCHEMA,
  copyKeptRows,
  migrate,
  UnknownSchemaError,
  type DatabaseSchema,
} from "./schema-migrations.ts";

/** How long a write waits for the transaction of another connection, all of which are short. */
const BUSY_TIMEOUT_MS = 5_000;
/** The same for `transactionAsync`, during which nobody has to wait. */
const ASYNC_BUSY_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 1;
const CACHE_KIBIBYTES = 4_096;
const WRITER_CACHE_KIBIBYTES = 32_768;
/** In pages of 4 KiB, half of that of the cache's other connections. */
const WRITER_CHECKPOINT_PAGES = CACHE_SCHEMA.checkpointPages / 2;
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
  /** Tables of the store that the transaction has written to. */
  readonly #written = new Set<StoreTable>();
  readonly #versions = new Map<StoreTable, number>();
  readonly #listeners = new Set<(tables: readonly StoreTable[]) => void>();
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
    return getOrCreate(this.#statements, text, () => {
      const statement = prepare(this.#sqlite, text);
      const tables = this.#schema.counted[writtenTable(text) ?? ""];
      return tables === undefined ? statement : counting(statement, () => this.count(...tables));
    });
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
   * the constructor), so it must get its statements from `sql` each time. Blocks the thread while another connection
   * writes.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work();
    for (const deadline = performance.now() + BUSY_TIMEOUT_MS; ;) {
      const outcome = this.#tryTransaction(work, deadline);
      if (outcome !== null) return outcome.result;
      Atomics.wait(SLEEPING, 0, 0, RETRY_DELAY_MS);
    }
  }

  /**
   * Like `transaction`, but other tasks run while another connection writes, which the indexing process does for seconds.
   * The extension host writes to the cache with this. `work` has to check what may have changed in the meantime.
   * @param mayBeLost in a power failure soon after; a database that waits for the disk at every commit then does not
   */
  async transactionAsync<Result>(work: () => Result, mayBeLost = false): Promise<Result> {
    for (const deadline = performance.now() + ASYNC_BUSY_TIMEOUT_MS; ;) {
      const outcome = this.#tryTransaction(work, deadline, mayBeLost);
      if (outcome !== null) return outcome.result;
      await sleep(RETRY_DELAY_MS);
    }
  }

  /** Runs each step of the generator with `transactionAsync`, letting other tasks run after each. */
  async writeInSlices(steps: Iterator<void, void>): Promise<void> {
    while ((await this.transactionAsync(() => steps.next())).done !== true) await yieldNow();
  }

  /** Like `transaction`, but does nothing and returns `false` while another connection writes. */
  transactionIfFree(work: () => void): boolean {
    return this.#tryTransaction(work, Infinity) !== null;
  }

  /**
   * Returns `null` if another connection writes.
   * @throws SQLite's error if it still does after the deadline
   */
  #tryTransaction<Result>(
    work: () => Result,
    deadline: number,
    mayBeLost = false,
  ): { readonly result: Result } | null {
    if (mayBeLost) this.#sqlite.exec("PRAGMA synchronous = NORMAL");
    try {
      return this.#run(work, deadline);
    } catch (error) {
      if (!this.isOnDisk || !isWriteRefused(error)) throw error;
      this.continueInMemory(error);
      return this.#run(work, deadline);
    } finally {
      if (mayBeLost) this.#sqlite.exec(`PRAGMA synchronous = ${this.#schema.synchronous}`);
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

  #run<Result>(work: () => Result, deadline: number): { readonly result: Result } | null {
    if (!this.#begin(deadline)) return null;
    this.#inTransaction = true;
    let result: Result;
    try {
      result = work();
      this.#sqlite.exec("COMMIT");
    } catch (error) {
      this.#written.clear();
      // SQLite has already rolled back if the disk is full.
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    } finally {
      this.#inTransaction = false;
    }
    this.#reportWrites();
    return { result };
  }

  /** Counts a change of tables of the store, in the transaction that made it. */
  count(...tables: readonly StoreTable[]): void {
    for (const table of tables) this.#written.add(table);
    if (!this.#inTransaction) this.#reportWrites();
  }

  #reportWrites(): void {
    if (this.#written.size === 0) return;
    const tables = [...this.#written];
    this.#written.clear();
    for (const table of tables) this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1);
    for (const listener of [...this.#listeners]) listener(tables);
  }

  /** Calls the listener after each transaction of this connection that changed tables of the store. */
  onDidWrite(listener: (tables: readonly StoreTable[]) => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /**
   * Begins a transaction; returns `false` if another connection has one. SQLite's own waiting for a lock sleeps up to
   * 100 ms between two attempts, so that a connection that writes all the time would rarely let another one in.
   * @throws SQLite's error if it still has one after the deadline
   */
  #begin(deadline: number): boolean {
    this.#sqlite.exec("PRAGMA busy_timeout = 0");
    try {
      this.#sqlite.exec("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (!hasCode(error, [SQLITE_BUSY]) || performance.now() > deadline) throw error;
      return false;
    } finally {
      this.#sqlite.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /**
   * Configures the connection of the indexing process: more cache, and automatic checkpoints before those of the extension
   * host, which would stop everything there.
   */
  prepareForWriting(): void {
    this.#sqlite.exec(
      `PRAGMA cache_size = -${WRITER_CACHE_KIBIBYTES}; PRAGMA wal_autocheckpoint = ${WRITER_CHECKPOINT_PAGES};`,
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

  /** Changes whenever this connection has changed the table (without one: any), or another one has written anything. */
  version(table?: StoreTable): string {
    const own = table === undefined ? this.changes : (this.#versions.get(table) ?? 0);
    return `${this.path}:${this.dataVersion}:${own}`;
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
    // A new file is not flushed to the disk if it can be built anew: that takes up to 100 ms.
    const whileCreating = schema.synchronous === "FULL" ? "FULL" : "OFF";
    sqlite.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA synchronous = ${whileCreating}; PRAGMA journal_mode = WAL;
       PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KIBIBYTES};
       PRAGMA wal_autocheckpoint = ${schema.checkpointPages}; PRAGMA journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES};`,
    );
    migrate(sqlite, schema);
    sqlite.exec(`PRAGMA synchronous = ${schema.synchronous}`);
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

/** Returns the name of the table that a statement writes to, apart from triggers; `undefined` for queries. */
function writtenTable(text: string): string | undefined {
  return /\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/u.exec(text)?.[1];
}

/** Calls `onWrite` after each run that changed rows. */
function counting(statement: Statement, onWrite: () => void): Statement {
  const noted = <Value>(value: Value, isChange: boolean): Value => {
    if (isChange) onWrite();
    return value;
  };
  return {
    all: (...values: SQLInputValue[]) => {
      const rows = statement.all(...values);
      return noted(rows, rows.length > 0);
    },
    get: (...values: SQLInputValue[]) => {
      const row = statement.get(...values);
      return noted(row, row !== undefined);
    },
    iterate: (...values: SQLInputValue[]) => statement.iterate(...values),
    run: (...values: SQLInputValue[]) => {
      const result = statement.run(...values);
      return noted(result, result.changes !== 0);
    },
  } as Statement;
}

/**
 * Prepares a statement. Node 22 cannot bind values to numbered parameters (`?1`), of which a statement has all or
 * none, so they are replaced by named ones (`:p1`).
 */
function prepare(sqlite: DatabaseSync, text: string): Statement {
  const names = new Set(text.match(/(?<=\?)\d+/gu));
  if (names.size === 0) return sqlite.prepare(text);
  const statement = sqlite.prepare(text.replaceAll(/\?(\d+)/gu, ":p$1"));
  const positions = Array.from(names, (name) => [`p${name}`, Number(name) - 1] as const);
  const named = (values: readonly SQLInputValue[]): Record<string, SQLInputValue> => {
    const byName: Record<string, SQLInputValue> = {};
    for (const [name, position] of positions) {
      const value = values[position];
      if (value !== undefined) byName[name] = value;
    }
    return byName;
  };
  return {
    all: (...values: SQLInputValue[]) => statement.all(named(values)),
    get: (...values: SQLInputValue[]) => statement.get(named(values)),
    iterate: (...values: SQLInputValue[]) => statement.iterate(named(values)),
    run: (...values: SQLInputValue[]) => statement.run(named(values)),
  } as Statement;
}
