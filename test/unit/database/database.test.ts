/** The database on a real disk: schema version, damage, disk errors, and several connections. */
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../../src/database/database-recovery.ts";
import { Database, isDamaged, isWriteRefused } from "../../../src/database/database.ts";

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
  vi.restoreAllMocks();
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

  it("is set aside and continues in memory if damage is found while it is used; what follows says so once", () => {
    let count = 0;
    const database = openDatabase(path, log, () => count++);
    opened.push(database);
    put(database, "revision");
    put(database, "other");
    const damage = Object.assign(new Error("malformed"), { errcode: 11 });
    let isFirst = true;
    database.transaction(() => {
      put(database, "stats");
      if (!isFirst) return;
      isFirst = false;
      throw damage;
    });
    // What exists nowhere else is kept.
    expect([database.isOnDisk, names(database)]).toEqual([false, ["revision", "stats"]]);
    expect([existsSync(path), existsSync(`${path}.damaged`), count, warnings.length]).toEqual([
      false,
      true,
      1,
      1,
    ]);
    database.continueInMemory(damage);
    expect(() =>
      database.transaction(() => {
        throw damage;
      }),
    ).toThrow("malformed");
    expect([count, names(database)]).toEqual([1, ["revision", "stats"]]);
    const fallback = open();
    fallback.continueInMemory(new Error("of another process"));
    expect([fallback.isOnDisk, existsSync(path)]).toEqual([false, true]);
  });

  it("continues in memory if a single statement cannot be written", () => {
    const database = open();
    database.sql("PRAGMA query_only = ON").run();
    database.write("INSERT INTO state (name, value) VALUES (?, '1')", "a");
    expect([database.isOnDisk, names(database), warnings.length]).toEqual([false, ["a"], 1]);
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

  it.each([
    ["NORMAL", 0, 1],
    ["FULL", 2, 2],
  ] as const)(
    "of the durability %s is created with %d, and then written with %d",
    (synchronous, creating, later) => {
      const migrations = ["CREATE TABLE created AS SELECT synchronous FROM pragma_synchronous"];
      const schema = {
        migrations,
        firstVersion: 1,
        keptRows: [],
        counted: {},
        synchronous,
        checkpointPages: 500,
      };
      const database = new Database(join(folder, "created.db"), undefined, undefined, schema);
      opened.push(database);
      expect(
        ["SELECT synchronous FROM created", "PRAGMA synchronous", "PRAGMA wal_autocheckpoint"].map((sql) =>
          database.value(sql),
        ),
      ).toEqual([creating, later, 500]);
    },
  );

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

  it("has a version for each table, which writes of others change, too", () => {
    const one = open();
    const other = open();
    const versions = (): readonly string[] => [
      one.version("keys"),
      one.version("translations"),
      one.version(),
    ];
    const isChanged = (before: readonly string[]): readonly boolean[] =>
      versions().map((version, index) => version !== before[index]);
    let before = versions();
    expect(isChanged(before)).toEqual([false, false, false]);
    one.write("INSERT INTO archived_keys (hash) VALUES ('a')");
    expect(isChanged(before)).toEqual([true, false, true]);
    before = versions();
    put(one, "of no table of the store");
    expect(isChanged(before)).toEqual([false, false, true]);
    before = versions();
    put(other, "a");
    expect(isChanged(before)).toEqual([true, true, true]);
    before = versions();
    one.sql("PRAGMA query_only = ON").run();
    one.transaction(() => put(one, "b"));
    // In memory, where numbers begin again.
    expect(isChanged(before)).toEqual([true, true, true]);
  });

  it("counts rows that a statement returns as written only if there are any", () => {
    const database = open();
    const heard: string[] = [];
    const subscription = database.onDidWrite((tables) => heard.push(...tables));
    const archive = "INSERT INTO archived_keys (hash) VALUES (?) ON CONFLICT DO NOTHING RETURNING hash";
    expect([database.get(archive, "a"), heard.splice(0)]).toEqual([{ hash: "a" }, ["keys"]]);
    expect([database.get(archive, "a"), heard]).toEqual([undefined, []]);
    expect([database.all(archive, "b"), heard.splice(0)]).toEqual([[{ hash: "b" }], ["keys"]]);
    expect([database.all(archive, "b"), heard]).toEqual([[], []]);
    database.write("DELETE FROM archived_keys WHERE hash = ?", "none");
    expect(heard).toEqual([]);
    database.write("DELETE FROM archived_keys WHERE hash = ?", "a");
    expect(heard.splice(0)).toEqual(["keys"]);
    for (const write of [
      "INSERT OR IGNORE INTO archived_keys (hash) VALUES ('c')",
      "INSERT OR REPLACE INTO archived_keys (hash) VALUES ('c')",
      "UPDATE archived_keys SET hash = 'd' WHERE hash = 'c'",
      "UPDATE OR IGNORE archived_keys SET hash = 'e' WHERE hash = 'd'",
      "DELETE FROM archived_keys WHERE hash = 'e'",
    ]) {
      database.write(write);
      expect(heard.splice(0), write).toEqual(["keys"]);
    }
    // Of no table that is shown.
    database.write("INSERT OR REPLACE INTO state (name, value) VALUES ('a', '1')");
    expect(heard).toEqual([]);
    subscription.dispose();
    database.write("DELETE FROM archived_keys");
    expect(heard).toEqual([]);
  });

  it("moves from memory into a file, and goes on there; not into one that there is", () => {
    const database = new Database();
    opened.push(database);
    const add = "INSERT INTO archived_keys (hash) VALUES (?)";
    database.write(add, "a");
    const taken = join(folder, "taken.db");
    writeFileSync(taken, "something else");
    expect([database.moveToFile(taken), database.isOnDisk, readFileSync(taken, "utf8")]).toEqual([
      false,
      false,
      "something else",
    ]);
    const file = join(folder, "it's.db");
    expect([database.moveToFile(file), database.path]).toEqual([true, file]);
    database.write(add, "b");
    expect(open(file).column("SELECT hash FROM archived_keys ORDER BY hash")).toEqual(["a", "b"]);
  });

  it("copies what exists nowhere else, and says whether everything could be read", () => {
    const from = open();
    put(from, "revision");
    put(from, "stats");
    put(from, "words.version");
    const into = new Database();
    opened.push(into);
    expect(into.copyKeptRows(path)).toBe(true);
    expect(names(into)).toEqual(["revision", "stats"]);
    expect(into.copyKeptRows(join(folder, "missing.db"))).toBe(false);
    expect(names(into)).toEqual(["revision", "stats"]);
  });

  it("has a larger cache for the indexing process, which moves its log into the file earlier than others", () => {
    const settings = (database: Database) =>
      ["cache_size", "wal_autocheckpoint"].map((name) => database.value(`PRAGMA ${name}`));
    const [host, indexing] = [open(), open()];
    indexing.prepareForWriting();
    expect([settings(host), settings(indexing)]).toEqual([
      [-4_096, 16_000],
      [-32_768, 8_000],
    ]);
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

  it("waits five seconds at most for another connection, and a minute if it is asynchronous", async () => {
    const database = open();
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    let now = 0;
    // Each look at the clock takes half a second.
    vi.spyOn(performance, "now").mockImplementation(() => (now += 500));
    const work = vi.fn();
    expect(() => database.transaction(work)).toThrow("locked");
    expect([now > 5_000, now < 7_000]).toEqual([true, true]);
    now = 0;
    await expect(database.transactionAsync(work)).rejects.toThrow("locked");
    expect([now > 60_000, now < 62_000]).toEqual([true, true]);
    expect(work).not.toHaveBeenCalled();
    other.exec("ROLLBACK");
    other.close();
    await database.transactionAsync(() => put(database, "a"));
    expect([database.isOnDisk, names(database)]).toEqual([true, ["a"]]);
  });

  it("runs each step of a long write for itself, and other tasks after each", async () => {
    const database = open();
    const other = open();
    const seen: unknown[] = [];
    const steps = function* (): Generator<void> {
      for (const name of ["a", "b"]) {
        put(database, name);
        setImmediate(() => seen.push(names(other)));
        yield;
      }
      put(database, "c");
    };
    await database.writeInSlices(steps());
    expect(seen).toEqual([["a"], ["a", "b"]]);
    expect(names(other)).toEqual(["a", "b", "c"]);
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

it.each([
  ["a read-only disk", 8, true],
  ["an error of the disk", 10 | (3 << 8), true],
  ["damage", 11, true],
  ["a full disk", 13, true],
  ["a file that cannot be opened", 14, true],
  ["another file", 26, true],
  ["another process", 5, false],
  ["a wrong statement", 1, false],
])("a write is refused by %s: %i", (_, errcode, isSo) => {
  expect(isWriteRefused({ errcode })).toBe(isSo);
});
