/** The database after the indexing process, or the whole process, was killed. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../../src/database/database.ts";
import type { UsageRepository } from "../../../src/database/usage-repository.ts";
import { IndexWorkerClient } from "../../../src/worker/index-worker-client.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../support/source-folder.ts";

const SOURCES = new URL("../../../src/", import.meta.url).href;
const FILES = 1_500;
const OPTIONS = usageOptions("i18next");
let folder: SourceFolder;
let database: Database;
let usages: UsageRepository;

beforeEach(() => {
  const files = Array.from({ length: FILES }, (_, index) => [
    `dir${index % 30}/${index}.ts`,
    `t("title"); t("only${index}")`,
  ]);
  folder = new SourceFolder(Object.fromEntries(files));
  ({ database, usages } = folder.open());
  folder.setKeys(database, ["*|title"]);
});
afterEach(() => folder.dispose());

/** A program that notes each source file that it reads, for which no file is too young to be trusted. */
function program(name: string, code: string): string {
  const path = join(folder.root, `../${name}.mjs`);
  const text = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const root = ${JSON.stringify(folder.root)};
    const read = fs.readFileSync;
    fs.readFileSync = (path, ...rest) => {
      if (String(path).startsWith(root) && String(path).endsWith(".ts")) fs.appendFileSync(root + "/../reads", path + "\\n");
      return read(path, ...rest);
    };
    syncBuiltinESMExports();
    const { now } = Date;
    Date.now = () => now() + 60_000;
    const { Database } = await import("${SOURCES}database/database.ts");
    const indexed = new Database(${JSON.stringify(folder.databasePath)}).sql("SELECT count(*) AS count FROM source_files");
    ${code}`;
  writeFileSync(path, text);
  return path;
}

const reads = (): readonly string[] =>
  readFileSync(join(folder.root, "../reads"), "utf8").split("\n").filter(Boolean);

function expectComplete(): void {
  expect(usages.paths()).toHaveLength(FILES);
  expect(usages.countUsages("*|title")).toBe(FILES);
  expect(usages.countUsagesOfName({ namespace: "*", key: `only${FILES - 1}`, context: null })).toBe(1);
}

/** Some files were read by two, since what one of them had not written is not known; none else was. */
function expectFewReads(): void {
  expect(new Set(reads()).size).toBe(FILES);
  expect(reads().length).toBeLessThan(FILES * 1.8);
}

it("continues in another process after a crash", async () => {
  const worker = program(
    "worker",
    `if (indexed.get().count === 0) {
       const kill = setInterval(() => { if (indexed.get().count > ${FILES / 4}) process.exit(1); }, 1);
       kill.unref();
     }
     await import("${SOURCES}worker/index-worker.ts");`,
  );
  const warnings: string[] = [];
  const client = new IndexWorkerClient({
    program: worker,
    log: { warn: (text) => void warnings.push(text) },
  });
  await client.of(database, folder.root).usages.update(OPTIONS, NO_TEXTS);
  client.dispose();
  expect(warnings).toEqual([expect.stringContaining("ended with code 1")]);
  expectComplete();
  expectFewReads();
});

it("continues in another process after the thread that searches files ended", async () => {
  const worker = program(
    "worker",
    `const { isMainThread } = await import("node:worker_threads");
     const ended = root + "/../ended";
     if (!isMainThread && !fs.existsSync(ended)) {
       fs.writeFileSync(ended, "");
       process.exit(3);
     }
     await import("${SOURCES}worker/index-worker.ts");`,
  );
  const warnings: string[] = [];
  const client = new IndexWorkerClient({
    program: worker,
    log: { warn: (text) => void warnings.push(text) },
  });
  await client.of(database, folder.root).usages.update(OPTIONS, NO_TEXTS);
  client.dispose();
  expect(warnings).toEqual([expect.stringContaining("ended with code 3")]);
  expectComplete();
});

it("continues after a crash without reading unchanged files again", async () => {
  const run = (name: string, kill: string): Promise<unknown> => {
    const code = `
      const { UsageIndexer } = await import("${SOURCES}workspace/usages/usage-indexer.ts");
      const { sourceFilesOf } = await import("${SOURCES}workspace/usages/source-files.ts");
      const find = { frameworks: new Set(["i18next"]), functions: [] };
      ${kill}
      const database = new Database(${JSON.stringify(folder.databasePath)});
      await new UsageIndexer(database, sourceFilesOf(root)).update({ find, lookup: { frameworks: find.frameworks } }, new Map());
      process.exit(0);`;
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [program(name, code)], { stdio: "ignore" });
      child.on("exit", (status, signal) => resolve(signal ?? status));
    });
  };
  const kill = `setInterval(() => { if (indexed.get().count > ${FILES / 2}) process.kill(process.pid, "SIGKILL"); }, 1);`;
  expect(await run("killed", kill)).toBe("SIGKILL");
  expect(usages.paths().length).toBeLessThan(FILES);
  expect(await run("second", "")).toBe(0);
  expectComplete();
  expectFewReads();
  const before = reads().length;
  expect(await run("third", "")).toBe(0);
  expect(reads()).toHaveLength(before);
  expectComplete();
});
