/** The database after the indexing process, or the whole process, was killed. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../../../src/database/database.ts";
import type { UsageRepository } from "../../../src/database/key-usage-repository.ts";
import { IndexerClient } from "../../../src/indexer/indexer-client.ts";
import { bundleModules } from "../support/bundle-modules.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../support/source-folder.ts";

const WORKER = new URL("../../../dist/indexer-process.mjs", import.meta.url).href;
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

/**
 * A program that notes each source file that it reads, for which no file is too young to be trusted. The first one kills
 * itself after it has read most files and written some of them to the database.
 */
function program(name: string, code: string): string {
  const path = join(folder.root, `../${name}.mjs`);
  const text = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const root = ${JSON.stringify(folder.root)};
    const killed = root + "/../killed";
    const read = fs.readFileSync;
    let reads = 0;
    fs.readFileSync = (path, ...rest) => {
      if (String(path).startsWith(root) && String(path).endsWith(".ts")) {
        fs.appendFileSync(root + "/../reads", path + "\\n");
        if (++reads > ${FILES * 0.8} && !fs.existsSync(killed)) {
          fs.writeFileSync(killed, "");
          process.kill(process.pid, "SIGKILL");
        }
      }
      return read(path, ...rest);
    };
    syncBuiltinESMExports();
    const { now } = Date;
    Date.now = () => now() + 60_000;
    ${code}`;
  writeFileSync(path, text);
  return path;
}

const reads = (): readonly string[] =>
  readFileSync(join(folder.root, "../reads"), "utf8").split("\n").filter(Boolean);

function expectComplete(): void {
  expect([...usages.paths()]).toHaveLength(FILES);
  expect(usages.countUsages("*|title")).toBe(FILES);
  expect(usages.countUsagesOfName({ namespace: "*", key: `only${FILES - 1}`, context: null })).toBe(1);
}

/** Some files were read by two, since what one of them had not written is not known; none else was. */
function expectFewReads(): void {
  expect(new Set(reads()).size).toBe(FILES);
  expect(reads().length).toBeLessThan(FILES * 1.8);
}

/** Indexes the folder in processes that run the program. Returns the warnings that were logged. */
async function index(worker: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  const client = new IndexerClient({
    program: worker,
    log: { warn: (text) => void warnings.push(text) },
  });
  await client.forProject(database, folder.root).usages.update(OPTIONS, NO_TEXTS);
  client.dispose();
  return warnings;
}

it("continues in another process after a crash", async () => {
  const warnings = await index(program("worker", `await import("${WORKER}");`));
  expect(warnings).toEqual([expect.stringContaining("ended with code SIGKILL")]);
  expectComplete();
  expectFewReads();
});

it("continues in another process after the thread that searches files ended", async () => {
  const worker = program(
    "worker",
    `const { isMainThread } = await import("node:worker_threads");
     if (!isMainThread && !fs.existsSync(killed)) {
       fs.writeFileSync(killed, "");
       process.exit(3);
     }
     await import("${WORKER}");`,
  );
  const warnings = await index(worker);
  expect(warnings).toEqual([expect.stringContaining("ended with code 3")]);
  expectComplete();
});

it("continues after a crash without reading unchanged files again", async () => {
  const modules = [
    "database/database",
    "workspace/usages/list-source-files",
    "workspace/usages/usage-indexer",
  ];
  const sources = await bundleModules(
    "update-usages",
    join(folder.root, ".."),
    modules.map((name) => new URL(`../../../src/${name}.ts`, import.meta.url)),
  );
  const run = (name: string): Promise<unknown> => {
    const code = `
      const { Database, sourceFilesOf, UsageIndexer } = await import(${JSON.stringify(sources)});
      const find = { frameworks: new Set(["i18next"]), functions: [] };
      const database = new Database(${JSON.stringify(folder.databasePath)});
      await new UsageIndexer(database, sourceFilesOf(root)).update({ find, lookup: { frameworks: find.frameworks } }, new Map());
      process.exit(0);`;
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [program(name, code)], { stdio: "ignore" });
      child.on("exit", (status, signal) => resolve(signal ?? status));
    });
  };
  expect(await run("killed")).toBe("SIGKILL");
  expect([...usages.paths()].length).toBeGreaterThan(0);
  expect([...usages.paths()].length).toBeLessThan(FILES);
  expect(await run("second")).toBe(0);
  expectComplete();
  expectFewReads();
  const before = reads().length;
  expect(await run("third")).toBe(0);
  expect(reads()).toHaveLength(before);
  expectComplete();
});
