/** The database on a real disk: schema version, damage, disk errors, and several connections. */
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/database/database-recovery.ts";
import { Database, isDamaged } from "../../../src/database/database.ts";

let folder: string;
let path: string;
let warnings: string[];
const opened: Database[] = [];
const log = { warn: (text: string): void => void warnings.push(text) };
const open = (file = path): Database => {
  const database = openDatabase(file, log);
  opened.push(database);
  return database;
};
const put = (database: Database, name: string): void =>
  void database.sql("INSERT INTO state (name, value) VALUES (?, '1')").run(name);
const names = (database: Database): unknown[] =>
  database
    .sql("SELECT name FROM state ORDER BY name")
    .all()
    .map((row) => row["name"]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "database-"));
  path = join(folder, "project", "project.db");
  warnings = [];
});

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

describe("Database", () => {
  it("persists writes", () => {
    const first = openDatabase(path, log);
    put(first, "a");
    first.close();
    const database = open();
    expect(database.isOnDisk).toBe(true);
    expect(names(database)).toEqual(["a"]);
    expect(warnings).toEqual([]);
  });

  it("is replaced if damaged", () => {
    openDatabase(path, log).close();
    writeFileSync(path, "no database at all, but some text that is long enough");
    expect(names(open())).toEqual([]);
    expect(readFileSync(`${path}.damaged`, "utf8")).toMatch(/^no database/u);
    expect(warnings).toEqual([
      expect.stringContaining("is renamed"),
      expect.stringContaining("Not everything could be read"),
    ]);
  });

  it.each([1, 10, 101, 103, 1000])("is replaced if its version %d is another one", (version) => {
    openDatabase(path, log).close();
    const other = new DatabaseSync(path);
    other.exec(`PRAGMA user_version = ${version}`);
    other.close();
    expect(names(open())).toEqual([]);
    expect([existsSync(`${path}.outdated`), existsSync(`${path}.damaged`)]).toEqual([true, false]);
  });

  it("continues in memory if its folder cannot be created", () => {
    writeFileSync(join(folder, "file"), "");
    const database = open(join(folder, "file", "project.db"));
    expect(database.isOnDisk).toBe(false);
    put(database, "a");
    expect(names(database)).toEqual(["a"]);
    expect(warnings).toHaveLength(1);
  });

  it("continues in memory if a later write fails", () => {
    const database = open();
    put(database, "a");
    // From now on the disk is read-only.
    database.sql("PRAGMA query_only = ON").run();
    database.transaction(() => put(database, "b"));
    expect([database.isOnDisk, names(database), warnings.length]).toEqual([false, ["b"], 1]);
    expect(existsSync(`${path}.damaged`)).toBe(false);
    database.transaction(() => put(database, "c"));
    expect([names(database), warnings.length]).toEqual([["b", "c"], 1]);
  });

  it("throws on a failed write without a memory fallback", () => {
    open();
    const database = new Database(path);
    opened.push(database);
    database.sql("PRAGMA query_only = ON").run();
    expect(() => database.transaction(() => put(database, "a"))).toThrow("readonly");
    expect(database.isOnDisk).toBe(true);
  });

  it("has the durability of a cache once it is open", () => {
    const synchronous = (database: Database): unknown => database.value("PRAGMA synchronous");
    expect([synchronous(open()), synchronous(open())]).toEqual([1, 1]);
  });

  it("stays unchanged if a migration fails", () => {
    openDatabase(path, log).close();
    const other = new DatabaseSync(path);
    other.exec("PRAGMA user_version = 0");
    const tables = () => other.prepare("SELECT count(*) AS count FROM sqlite_schema").get();
    const before = tables();
    expect(() => new Database(path)).toThrow("already exists");
    expect([tables(), other.prepare("PRAGMA user_version").get()]).toEqual([before, { user_version: 0 }]);
    other.close();
  });

  it("notices writes of another connection", () => {
    const one = open();
    const other = open();
    const before = one.dataVersion;
    expect(one.dataVersion).toBe(before);
    put(other, "a");
    expect(one.dataVersion).not.toBe(before);
    expect(names(one)).toEqual(["a"]);
  });
});

/**
 * Another connection that writes from when this resolves on.
 * @param milliseconds how long; without: until `end()`
 */
async function writeElsewhere(
  milliseconds?: number,
): Promise<{ readonly ended: Promise<unknown>; readonly end: () => void }> {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const other = new Worker(
    `const { DatabaseSync } = require("node:sqlite");
     const { parentPort, workerData } = require("node:worker_threads");
     const sqlite = new DatabaseSync(workerData.path);
     sqlite.exec("BEGIN IMMEDIATE; INSERT INTO state VALUES ('theirs', '1')");
     parentPort.postMessage("begun");
     Atomics.wait(workerData.signal, 0, 0, workerData.milliseconds);
     sqlite.exec("COMMIT");
     sqlite.close();`,
    { eval: true, workerData: { path, milliseconds, signal } },
  );
  const ended = once(other, "exit");
  await once(other, "message");
  const end = (): void => {
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  };
  return { ended, end };
}

describe("transaction", () => {
  it("waits for the transaction of another connection", async () => {
    const database = open();
    const { ended } = await writeElsewhere(100);
    const before = database.transaction(() => {
      const found = names(database);
      put(database, "ours");
      return found;
    });
    await ended;
    expect(before).toEqual(["theirs"]);
    expect(names(database)).toEqual(["ours", "theirs"]);
  });

  it("lets other tasks run while another connection writes, if it is asynchronous", async () => {
    const database = open();
    const { ended, end } = await writeElsewhere();
    const tasks: string[] = [];
    const transaction = database.transactionAsync(() => {
      tasks.push(...(names(database) as string[]));
      put(database, "ours");
      return "result";
    });
    setTimeout(() => {
      tasks.push("another task");
      end();
    }, 10);
    expect(await transaction).toBe("result");
    await ended;
    expect(tasks).toEqual(["another task", "theirs"]);
    expect(names(database)).toEqual(["ours", "theirs"]);
  });

  it("repeats an asynchronous one in memory if the disk refuses it", async () => {
    const database = open();
    database.sql("PRAGMA query_only = ON").run();
    await database.transactionAsync(() => put(database, "a"));
    expect([database.isOnDisk, names(database)]).toEqual([false, ["a"]]);
    await expect(
      database.transactionAsync(() => {
        put(database, "b");
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(names(database)).toEqual(["a"]);
  });

  it("is left out while another connection writes, if nobody may wait for it", async () => {
    const database = open();
    const { ended } = await writeElsewhere(50);
    expect(database.transactionIfFree(() => put(database, "a"))).toBe(false);
    await ended;
    expect(database.transactionIfFree(() => put(database, "b"))).toBe(true);
    expect(names(database)).toEqual(["b", "theirs"]);
  });

  it("leaves SQLite's own waiting for other statements on", () => {
    const database = open();
    const waiting = (): unknown => database.sql("PRAGMA busy_timeout").get()?.["timeout"];
    const before = waiting();
    database.transaction(() => put(database, "a"));
    expect([before, waiting()]).toEqual([5_000, 5_000]);
  });

  it("rolls back when its work throws", () => {
    const database = open();
    expect(() =>
      database.transaction(() => {
        put(database, "a");
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(names(database)).toEqual([]);
    database.transaction(() => put(database, "b"));
    expect(names(database)).toEqual(["b"]);
  });

  it("joins an outer transaction", () => {
    const database = open();
    expect(() =>
      database.transaction(() => {
        database.transaction(() => put(database, "a"));
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(names(database)).toEqual([]);
  });
});

it.each([
  ["a damaged file", { errcode: 11 }, true],
  ["a damaged index of one", { errcode: 11 | (1 << 8) }, true],
  ["another file", { errcode: 26 }, true],
  ["another process", { errcode: 5 }, false],
  ["a full disk", { errcode: 13 }, false],
  ["an error of something else", new Error("else"), false],
  ["a code in words", { errcode: "11" }, false],
  ["nothing", null, false],
])("distinguishes damage from other errors: %s", (_, error, isSo) => {
  expect(isDamaged(error)).toBe(isSo);
});
