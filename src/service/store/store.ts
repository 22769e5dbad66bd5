/**
 * The store: one SQLite file, one connection that writes and one that reads. Readers always see what was last
 * committed, also while a long write goes on in slices; writers stand in line for one lock.
 */
import { chmodSync, closeSync, openSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { busy } from "../problem.ts";
import { migrate, StoreError } from "./schema.ts";

/** Statements are made once per connection and text. Every text is a constant of this program. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** The prepared statement of this text. */
  sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

interface Waiter {
  readonly go: () => void;
  timer: NodeJS.Timeout | undefined;
}

export class Store {
  readonly file: string;
  readonly reader: Connection;
  readonly #writer: Connection;
  readonly #lock: DatabaseSync;
  #locked = false;
  readonly #waiters: Waiter[] = [];
  readonly #committed = new Set<() => void>();

  private constructor(file: string, lock: DatabaseSync, writer: DatabaseSync) {
    this.file = file;
    this.#lock = lock;
    this.#writer = new Connection(writer);
    this.reader = new Connection(openReader(file));
  }

  /** Opens or creates the file (readable by its owner only). Throws `StoreError` with a sentence. */
  static open(file: string): Store {
    const lock = lockFile(file);
    try {
      closeSync(openSync(file, "a", 0o600));
      chmodSync(file, 0o600);
      const writer = new DatabaseSync(file);
      // FULL: what was answered stands even when the machine loses its power right after (§ requirements of a kill).
      writer.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536;",
      );
      migrate(writer);
      return new Store(file, lock, writer);
    } catch (error) {
      lock.close();
      if (error instanceof StoreError) throw error;
      throw new StoreError(`The data file ${file} cannot be opened: ${(error as Error).message}`);
    }
  }

  /** Several reads that belong together: all see the same moment. */
  read<T>(work: (connection: Connection) => T): T {
    this.reader.database.exec("BEGIN");
    try {
      return work(this.reader);
    } finally {
      this.reader.database.exec("COMMIT");
    }
  }

  /**
   * Writes everything of `work` or nothing. `work` may pause (`await`) between slices; readers meanwhile see the
   * state before. Waits up to `waitMs` for its turn, then throws `409 busy`.
   */
  async write<T>(waitMs: number, work: (connection: Connection) => T | Promise<T>): Promise<T> {
    await this.#acquire(waitMs);
    try {
      this.#writer.database.exec("BEGIN IMMEDIATE");
      let result: T;
      try {
        result = await work(this.#writer);
      } catch (error) {
        this.#writer.database.exec("ROLLBACK");
        throw error;
      }
      this.#writer.database.exec("COMMIT");
      for (const listener of this.#committed) listener();
      return result;
    } finally {
      this.#release();
    }
  }

  /** Called after each commit. */
  onCommit(listener: () => void): void {
    this.#committed.add(listener);
  }

  /** Closes the file after the write that is under way; the log of changes is folded into it. */
  async close(): Promise<void> {
    await this.#acquire(Number.POSITIVE_INFINITY);
    this.reader.database.close();
    this.#writer.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#writer.database.close();
    this.#lock.close();
    rmSync(lockName(this.file), { force: true });
  }

  async #acquire(waitMs: number): Promise<void> {
    if (!this.#locked) {
      this.#locked = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = { go: resolve, timer: undefined };
      if (Number.isFinite(waitMs)) {
        waiter.timer = setTimeout(() => {
          this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
          reject(busy("busy"));
        }, waitMs);
      }
      this.#waiters.push(waiter);
    });
  }

  #release(): void {
    const next = this.#waiters.shift();
    if (next === undefined) {
      this.#locked = false;
      return;
    }
    clearTimeout(next.timer);
    next.go();
  }
}

/** A connection that only reads, for another thread or a long look at one moment. */
export function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536;");
  return database;
}

/** Work of this long in one go is not felt by those who wait. */
const TIME_SLICE_MS = 12;

/**
 * Lets everything else have its turn when a piece of work has gone on for long; asked again and again inside it.
 */
export class TimeSlice {
  #since = performance.now();

  /** Whether others waited long enough; then `await` `yield()`. */
  get over(): boolean {
    return performance.now() - this.#since > TIME_SLICE_MS;
  }

  async yield(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    this.#since = performance.now();
  }
}

function lockName(file: string): string {
  return `${file}.lock`;
}

/**
 * One service per store. The lock is the operating system's, held by an open transaction of a small file of its
 * own, so that it ends with the process however that ends.
 */
function lockFile(file: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    // Never opened by anything else: closing a second descriptor would end every lock of this process on the file.
    lock = new DatabaseSync(lockName(file));
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
