/**
 * The store: one SQLite file with one connection for writes and one for reads. Readers see the last commit, even
 * during a long write in time slices; writers wait for a lock.
 */
import { chmodSync, closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { yieldNow } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import { busy } from "../http/error-responses.ts";
import { migrate, StoreError } from "./store-schema.ts";

export type SqlValue = SQLInputValue;

/** Runs constant SQL and caches its prepared statements. `Row` declares the selected columns. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Returns the first row. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** @param values by position, or one object for named parameters (`:name`) */
  run(sql: string, ...values: SqlValue[] | [Record<string, SqlValue>]): { changes: number; rowId: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...(values as SqlValue[]));
    return { changes: Number(changes), rowId: Number(lastInsertRowid) };
  }

  #statement(sql: string): StatementSync {
    return getOrCreate(this.#statements, sql, () => this.database.prepare(sql));
  }
}

export class Store {
  readonly file: string;
  readonly reader: Connection;
  readonly #writer: Connection;
  readonly #lock: DatabaseSync;
  #locked = false;
  readonly #waiters: (() => void)[] = [];
  readonly #commitListeners: (() => void)[] = [];

  /**
   * Opens or creates the file (readable by its owner only).
   * @throws {StoreError} with a message for the operator
   */
  constructor(file: string) {
    this.file = file;
    this.#lock = lockFile(file);
    try {
      closeSync(openSync(file, "a", 0o600));
      chmodSync(file, 0o600);
      this.#writer = new Connection(new DatabaseSync(file));
      // FULL: confirmed writes survive a power failure immediately afterwards.
      this.#writer.database.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536;",
      );
      migrate(this.#writer.database);
      this.reader = new Connection(openReader(file));
    } catch (error) {
      this.#lock.close();
      if (error instanceof StoreError) throw error;
      throw new StoreError(`The data file ${file} cannot be opened: ${(error as Error).message}`);
    }
  }

  /** Runs many reads in one transaction, which is faster than each in its own. */
  read<T>(work: (connection: Connection) => T): T {
    this.reader.database.exec("BEGIN");
    try {
      return work(this.reader);
    } finally {
      this.reader.database.exec("COMMIT");
    }
  }

  /**
   * Runs `work` in a transaction. It may pause (`await`) between slices; readers see the previous state until the
   * commit.
   * @param waitMs how long to wait for the write lock; by default until it is free
   * @throws {Problem} `409` `busy`
   */
  async write<T>(work: (connection: Connection) => T | Promise<T>, waitMs?: number): Promise<T> {
    await this.#acquire(waitMs);
    const { database } = this.#writer;
    try {
      database.exec("BEGIN IMMEDIATE");
      const result = await work(this.#writer);
      database.exec("COMMIT");
      for (const listener of this.#commitListeners) listener();
      return result;
    } finally {
      // A failed commit leaves the transaction open.
      if (database.isTransaction) database.exec("ROLLBACK");
      this.#release();
    }
  }

  /** Called after each commit. */
  onCommit(listener: () => void): void {
    this.#commitListeners.push(listener);
  }

  /** Closes the file after the current write; the write-ahead log is merged into it. */
  async close(): Promise<void> {
    await this.#acquire();
    this.reader.database.close();
    this.#writer.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#writer.database.close();
    this.#lock.close();
    rmSync(`${this.file}.lock`, { force: true });
  }

  async #acquire(waitMs?: number): Promise<void> {
    if (!this.#locked) {
      this.#locked = true;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    const giveUp = (): void => {
      this.#waiters.splice(this.#waiters.indexOf(resolve), 1);
      reject(busy("busy"));
    };
    const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
    await promise;
    clearTimeout(timer);
  }

  #release(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#locked = false;
    else next();
  }
}

/** Opens a read-only connection, for another thread or a long-lived snapshot. */
export function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536;");
  return database;
}

/** Longest work without yielding; too short for other requests to notice. */
const TIME_SLICE_MS = 12;

/** Yields the items one by one, and lets other tasks run after each time slice. */
export async function* inTimeSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let sliceStart = performance.now();
  for (const item of items) {
    if (performance.now() - sliceStart > TIME_SLICE_MS) {
      await yieldNow();
      sliceStart = performance.now();
    }
    yield item;
  }
}

/**
 * Locks the store for this process: an open transaction on a small separate file, which the operating system releases
 * however the process ends.
 */
function lockFile(file: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    // Nothing else may open this file: closing another descriptor would release all locks of this process on it.
    lock = new DatabaseSync(`${file}.lock`);
    lock.exec(
      "PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;",
    );
    return lock;
  } catch (error) {
    lock?.close();
    const message = (error as Error).message;
    throw new StoreError(
      /locked|busy/iu.test(message)
        ? `The data file ${file} is in use by another service.`
        : `The data file ${file} cannot be opened: ${message}`,
    );
  }
}
