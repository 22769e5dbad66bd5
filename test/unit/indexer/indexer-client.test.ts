/** The real indexing process: results, termination, and retried calls. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/database/database-recovery.ts";
import { Database } from "../../../src/database/database.ts";
import { UsageRepository } from "../../../src/database/key-usage-repository.ts";
import { NO_TEXTS, usageOptions } from "../support/source-folder.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { type Priority, RequestPriority } from "../../../src/util/priority.ts";
import { waitUntil } from "../support/wait-until.ts";

const SCOPE = { exclude: [], otherProjects: [] };
const WORKER = new URL("../../../dist/indexer-process.mjs", import.meta.url).href;
let folder: string;
let database: Database;
let warnings: string[];
let client: IndexerClient;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "indexer-process-"));
  database = new Database(join(folder, "project.db"));
  warnings = [];
  writeFileSync(join(folder, "starts"), "");
});

afterEach(() => {
  client.dispose();
  database.close();
  rmSync(folder, { recursive: true });
});

const starts = () => readFileSync(join(folder, "starts"), "utf8").length;

/** A client whose process notes that it started (`start`: how often until now), and then runs the code. */
function open(code = "", idleMs = 60_000): void {
  const program = join(folder, "worker.mjs");
  const file = JSON.stringify(join(folder, "starts"));
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${file}, ".");
     const start = readFileSync(${file}, "utf8").length;
     const listen = () => import(${JSON.stringify(WORKER)});
     ${code === "" ? "await listen();" : code}`,
  );
  client = new IndexerClient({ program, log: { warn: (text) => void warnings.push(text) }, idleMs });
}

/** So many source files, of which the last one has the key; the globs that find all of them. */
function write(count: number): readonly string[] {
  for (let index = 0; index < count; index++) {
    writeFileSync(join(folder, `${index}.ts`), index === count - 1 ? 't("cart.title")' : "t()");
  }
  return ["*.ts"];
}

async function find(
  include: readonly string[],
  signal = new AbortController().signal,
  priority: Priority | RequestPriority = "background",
): Promise<string> {
  const names = [{ name: "cart.title", isLiteral: false }];
  const { usages } = client.forProject(database, folder, priority);
  const found = await usages.findOccurrences(names, { include }, [], new Set(), NO_TEXTS, signal);
  return found.get(0) ?? "nowhere";
}

it("starts with the first call and handles concurrent calls", async () => {
  open();
  expect(starts()).toBe(0);
  const all = write(500);
  const answered: string[] = [];
  const long = find(all).then((path) => answered.push(`long ${path}`));
  const short = find(["499.ts"]).then((path) => answered.push(`short ${path}`));
  await Promise.all([long, short]);
  expect(answered).toEqual(["short 499.ts", "long 499.ts"]);
  expect(starts()).toBe(1);
  expect(warnings).toEqual([]);
});

it("is idle only when no call runs, however many ended", async () => {
  open("", 1);
  const all = write(500);
  const long = { runs: true };
  const found = find(all).finally(() => (long.runs = false));
  let ended = 0;
  while (long.runs) {
    expect(await find(["499.ts"], undefined, "person")).toBe("499.ts");
    if (long.runs) ended++;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await found).toBe("499.ts");
  expect(ended).toBeGreaterThan(0);
  expect(warnings).toEqual([]);
});

it("runs what a person waits for first, also if that was called later", async () => {
  open();
  const all = write(500);
  await find(["499.ts"]);
  const answered: string[] = [];
  const raised = new RequestPriority();
  const run = (name: string, priority?: Priority | RequestPriority): Promise<unknown> =>
    find(all, undefined, priority).then(() => answered.push(name));
  const running = [run("background"), run("raised", raised)];
  for (let person = 0; person < 5; person++) running.push(run("person", "person"));
  const { folder: search } = client.forFolder(folder);
  running.push(search.find(["*.ts"], SCOPE).then(() => answered.push("folder")));
  raised.raise();
  await Promise.all(running);
  expect(answered).toHaveLength(8);
  expect(answered.at(-1)).toBe("background");
  // What has no database is a person's: in the background it would come after all of theirs.
  expect(answered.indexOf("folder")).toBeLessThan(answered.lastIndexOf("person"));
});

it("runs what a person begins to wait for before what was called earlier, once it is known", async () => {
  open();
  const all = write(500);
  const raised = new RequestPriority();
  const answered: string[] = [];
  const run = (name: string, priority?: RequestPriority): Promise<unknown> =>
    find(all, undefined, priority).then(() => answered.push(name));
  const running = [run("background"), run("raised", raised)];
  // Both have reached the process by the answer to a later call.
  await find(["499.ts"], undefined, "person");
  expect(answered).toEqual([]);
  raised.raise();
  await Promise.all(running);
  expect(answered).toEqual(["raised", "background"]);
});

it("runs a call here if its process crashed, and then none can be started", async () => {
  open("if (start > 1) process.exit(1); await listen(); process.on('message', () => process.exit(1));");
  expect(await find(write(3))).toBe("2.ts");
  expect(starts()).toBe(2);
  expect(await find(write(3))).toBe("2.ts");
  expect(starts()).toBe(2);
});

it("ends an aborted call while a person's is running", async () => {
  open();
  const all = write(500);
  await find(["499.ts"]);
  const stop = new AbortController();
  const background = find(all, stop.signal);
  let isAnswered = false;
  const person = find(all, undefined, "person").then(() => (isAnswered = true));
  stop.abort(new Error("enough"));
  await expect(background).rejects.toThrow("enough");
  expect(isAnswered).toBe(false);
  await person;
});

it("gives way to the process that started it, is no window of VS Code, and ends with the client", async () => {
  const file = join(folder, "process");
  const statements = join(folder, "statements");
  open(`const { DatabaseSync } = await import("node:sqlite");
    const { exec } = DatabaseSync.prototype;
    DatabaseSync.prototype.exec = function (text) {
      if (text.includes("checkpoint")) appendFileSync(${JSON.stringify(statements)}, text);
      exec.call(this, text);
    };
    await listen();
    const { getPriority } = await import("node:os");
    const known = [getPriority(), process.env.ELECTRON_RUN_AS_NODE, process.pid];
    (await import("node:fs")).writeFileSync(${JSON.stringify(file)}, known.join());`);
  expect(await find(write(3))).toBe("2.ts");
  await waitUntil(() => existsSync(file) && readFileSync(file, "utf8") !== "");
  const [priority, asNode, pid] = readFileSync(file, "utf8").split(",").map(Number);
  expect([priority, asNode]).toEqual([Math.min(getPriority() + 5, 19), 1]);
  // Its writes are moved into the file before the other process, which draws what is shown, would have to do that.
  const checkpoints = readFileSync(statements, "utf8")
    .match(/(?<=wal_autocheckpoint = )\d+/gu)
    ?.map(Number);
  expect(checkpoints?.at(-1)).toBeLessThan(checkpoints?.[0] ?? 0);
  client.dispose();
  await waitUntil(() => {
    try {
      return !process.kill(pid ?? 0, 0);
    } catch {
      return true;
    }
  });
});

it("rejects with the abort reason and keeps the process running", async () => {
  open();
  const all = write(200);
  const stop = new AbortController();
  await find(all);
  const long = find(all, stop.signal);
  stop.abort(new Error("enough"));
  await expect(long).rejects.toThrow("enough");
  expect(await find(all)).toBe("199.ts");
  expect(starts()).toBe(1);
});

it("repeats calls that were running when the process was killed", async () => {
  open("await listen(); if (start === 1) process.on('message', () => process.exit(1));");
  const all = write(3);
  expect(await Promise.all([find(all), find(all)])).toEqual(["2.ts", "2.ts"]);
  expect(starts()).toBe(2);
  const warning = /^The indexing process ended during findOccurrences: Error: .* ended with code 1/u;
  expect(warnings).toEqual([1, 2].map(() => expect.stringMatching(warning)));
});

it("rejects a call that crashes every process, and starts another for the next", async () => {
  open("await listen(); if (start <= 2) process.on('message', () => process.exit(1));");
  const all = write(3);
  await expect(find(all)).rejects.toThrow("ended with code 1");
  expect(await find(all)).toBe("2.ts");
  expect(starts()).toBe(3);
});

it("is not blocked by the writes of a killed process", async () => {
  open(`const { DatabaseSync } = await import("node:sqlite");
  await listen();
  if (start === 1) {
    process.on("message", () => {
      const database = new DatabaseSync(${JSON.stringify(database.path)});
      database.exec("BEGIN IMMEDIATE; INSERT INTO state (name, value) VALUES ('a', '1')");
      process.exit(1);
    });
  }`);
  expect(await find(write(3))).toBe("2.ts");
  database.sql("INSERT INTO state (name, value) VALUES ('b', '2')").run();
  expect(database.column("SELECT name FROM state WHERE name IN ('a', 'b')")).toEqual(["b"]);
});

it("works in the calling process if none can be started", async () => {
  // Of what it prints, the end is what says why.
  open('console.error("-".repeat(10_000)); throw new Error("no process");');
  const all = write(3);
  expect(await find(all)).toBe("2.ts");
  expect(await find(all)).toBe("2.ts");
  expect(starts()).toBe(1);
  expect(warnings).toEqual([expect.stringContaining("no process")]);
});

it("works in the calling process for an in-memory database, and there for a person first, too", async () => {
  open();
  database.close();
  database = new Database();
  const all = write(500);
  const answered: string[] = [];
  const run = async (priority: Priority): Promise<void> => {
    expect(await find(all, undefined, priority)).toBe("499.ts");
    answered.push(priority);
  };
  await Promise.all([run("background"), run("person")]);
  expect(answered).toEqual(["person", "background"]);
  expect(starts()).toBe(0);
});

it("continues in memory, in the calling process, if the process cannot write the database", async () => {
  open(`const { DatabaseSync } = await import("node:sqlite");
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (text) {
    exec.call(this, text);
    // The disk is read-only once the file is open.
    if (text.includes("journal_mode")) exec.call(this, "PRAGMA query_only = ON");
  };
  await listen();`);
  database.close();
  database = openDatabase(join(folder, "project.db"), { warn: (text) => void warnings.push(text) });
  write(3);
  const { usages } = client.forProject(database, folder);
  await Promise.all([0, 1].map(() => usages.update(usageOptions("i18next"), NO_TEXTS)));
  expect(warnings).toEqual([expect.stringContaining("readonly")]);
  expect(database.isOnDisk).toBe(false);
  expect([...new UsageRepository(database).paths()]).toContain("2.ts");
});

it("sets a database aside that the process finds damaged", async () => {
  open(`const { DatabaseSync } = await import("node:sqlite");
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (text) {
    // SQLITE_CORRUPT
    if (text.startsWith("BEGIN")) throw Object.assign(new Error("malformed"), { errcode: 11 });
    exec.call(this, text);
  };
  await listen();`);
  database.close();
  database = openDatabase(join(folder, "project.db"), { warn: (text) => void warnings.push(text) });
  write(3);
  await client.forProject(database, folder).usages.update(usageOptions("i18next"), NO_TEXTS);
  expect(warnings).toEqual([expect.stringContaining("malformed")]);
  expect([database.isOnDisk, existsSync(join(folder, "project.db"))]).toEqual([false, false]);
  expect([...new UsageRepository(database).paths()]).toContain("2.ts");
});

it("ends when idle and starts again", async () => {
  open("", 1);
  const all = write(3);
  await waitUntil(async () => {
    expect(await find(all)).toBe("2.ts");
    return starts() >= 2;
  });
});

it("rejects what runs when it is disposed, and what is called afterwards, without another process", async () => {
  open();
  const all = write(500);
  await find(["499.ts"]);
  const running = find(all);
  client.dispose();
  await expect(running).rejects.toThrow("The window is closing");
  await expect(find(all)).rejects.toThrow("The window is closing");
  expect(starts()).toBe(1);
  expect(warnings).toEqual([]);
});

it("starts nothing for a call that is aborted before", async () => {
  open();
  await expect(find(write(3), AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  expect(starts()).toBe(0);
});

it("passes the errors of a function on, repeats nothing then and keeps the process", async () => {
  open();
  const all = write(3);
  const { usages } = client.forProject(database, folder);
  const names = null as unknown as readonly [];
  await expect(usages.findOccurrences(names, { include: all }, [], new Set(), NO_TEXTS)).rejects.toThrow(
    TypeError,
  );
  expect(await find(all)).toBe("2.ts");
  expect(starts()).toBe(1);
  expect(warnings).toEqual([]);
});

it("keeps folders apart in the calling process, too", async () => {
  open("throw new Error('no process');");
  const found = ["one", "two"].map(async (name) => {
    const root = join(folder, name);
    mkdirSync(root);
    writeFileSync(join(root, `${name}.ts`), "");
    return client.forFolder(root).folder.find(["*.ts"], SCOPE);
  });
  expect(await Promise.all(found)).toEqual([["one.ts"], ["two.ts"]]);
});

it("works in the calling process if the system refuses to start one", async () => {
  client = new IndexerClient({
    // No program has such a name.
    program: join(folder, "a\0b"),
    log: { warn: (text) => void warnings.push(text) },
  });
  const all = write(3);
  expect(await find(all)).toBe("2.ts");
  expect(await find(all)).toBe("2.ts");
  expect(warnings).toEqual([expect.stringContaining("cannot be started")]);
});

it("does not start with the options of the calling process", async () => {
  open();
  process.env["NODE_OPTIONS"] = `--import=file:///missing/module.mjs`;
  try {
    expect(await find(write(3))).toBe("2.ts");
  } finally {
    delete process.env["NODE_OPTIONS"];
  }
  expect(starts()).toBe(1);
  expect(warnings).toEqual([]);
});

it("keeps projects apart that share the process, and folders without a database", async () => {
  open();
  const others = ["one", "two"].map((name) => {
    const root = join(folder, name);
    mkdirSync(root);
    writeFileSync(join(root, `${name}.ts`), `t("${name}")`);
    return { root, database: new Database(join(folder, `${name}.db`)) };
  });
  try {
    const update = async ({ root, database: own }: (typeof others)[number]) => {
      const options = usageOptions("i18next");
      await client.forProject(own, root).usages.update(options, NO_TEXTS);
      return [...new UsageRepository(own).paths()];
    };
    expect(await Promise.all(others.map(update))).toEqual([["one.ts"], ["two.ts"]]);
    const found = others.map(({ root }) => client.forFolder(root).folder.find(["**/*.ts"], SCOPE));
    expect(await Promise.all(found)).toEqual([["one.ts"], ["two.ts"]]);
    // The process and its second thread.
    expect(starts()).toBe(2);
  } finally {
    for (const each of others) each.database.close();
  }
});

it("calls back, each call for itself, also after it was killed", async () => {
  open("await listen(); if (start === 1) process.on('message', () => process.exit(1));");
  for (const locale of ["en", "de", "nl"]) writeFileSync(join(folder, `${locale}.json`), '{ "a": "b" }');
  const { localFiles } = client.forProject(database, folder);
  const progress: unknown[] = [];
  const request = {
    ...SCOPE,
    layout: {
      files: [{ path: "{locale}.json", format: "json_js" }],
      locales: {},
      sourceLocale: "en",
      serviceLocales: [],
    },
    part: "others",
    version: "1",
    mustList: true,
    mustCheckAll: true,
    changed: [],
    unsaved: new Map(),
    areKeysChanged: false,
    isCautious: true,
    tooLarge: [],
  } as const;
  const ofSource: unknown[] = [];
  await Promise.all([
    localFiles.load(request, (each) => void progress.push(each)),
    localFiles.load({ ...request, part: "source" }, (each) => void ofSource.push(each)),
  ]);
  expect(progress).toEqual([{ path: null }, { path: "de.json" }, { path: "nl.json" }]);
  expect(ofSource).toEqual([{ path: null }, { path: "en.json" }]);
  expect(starts()).toBe(2);
});

it("ends with the process that started it, however that ended", async () => {
  const program = join(folder, "window.mjs");
  const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
  // Its second thread alone would keep the process running.
  writeFileSync(
    program,
    `import { Database } from ${source("database/database.ts")};
     import { IndexerClient } from ${source("indexer/indexer-client.ts")};
     const client = new IndexerClient({ program: ${JSON.stringify(join(folder, "worker.mjs"))}, log: { warn() {} } });
     const frameworks = new Set(["i18next"]);
     const { usages } = client.forProject(new Database(${JSON.stringify(database.path)}), ${JSON.stringify(folder)});
     await usages.update({ find: { frameworks, functions: [] }, lookup: { frameworks } }, new Map());
     process.send("called");
     setInterval(() => undefined, 1_000);`,
  );
  const ended = join(folder, "ended");
  open(`process.on("exit", () => appendFileSync(${JSON.stringify(ended)}, "."));
    await listen();`);
  write(3);
  const window = fork(program, { stdio: "ignore" });
  await once(window, "message");
  expect([starts() > 0, existsSync(ended)]).toEqual([true, false]);
  window.kill("SIGKILL");
  await waitUntil(() => existsSync(ended));
});
