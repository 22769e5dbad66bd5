/**
 * Measures the work of the core at one size, in a process of its own: `node core-bench.ts KEYS FILES`. Prints one line
 * of JSON, milliseconds and megabytes; run.ts compares the sizes.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { resolveKey } from "../../src/workspace/usages/resolve-usage-to-key.ts";
import { sendPush } from "../../src/sync/push/send-push.ts";
import { planPush } from "../../src/sync/push/push-plan.ts";
import { Database } from "../../src/database/database.ts";
import { KeyNames } from "../../src/database/key-name-repository.ts";
import { UsageRepository } from "../../src/database/key-usage-repository.ts";
import { sourceFilesOf } from "../../src/workspace/usages/list-source-files.ts";
import { UsageIndexer } from "../../src/workspace/usages/usage-indexer.ts";
import { usageLanguageFor } from "../../src/scanners/supported-source-languages.ts";
import type { FindOptions } from "../../src/scanners/key-usage.ts";
import { openWindow } from "../unit/support/test-window.ts";
import { sourceKeys } from "../unit/support/fixture-project.ts";
import { writeWorkspace } from "./laravel-workspace.ts";

const [keys = 5000, sourceFiles = 2000] = process.argv.slice(2).map(Number);
const LOCALES = ["en", "nl"];
const FILE = { files: [{ path: "lang/{locale}/{namespace}.php", format: "laravel_php" as const }] };
const figures: Record<string, number> = {};

/** Runs the work, notes its time and the longest stretch in which nothing else got its turn. */
async function timed<Result>(name: string, work: () => Promise<Result> | Result): Promise<Result> {
  let last = performance.now();
  let longest = 0;
  const beat = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const start = performance.now();
  try {
    return await work();
  } finally {
    const end = performance.now();
    clearInterval(beat);
    figures[`${name} (ms)`] = end - start;
    figures[`${name}, longest block (ms)`] = Math.max(longest, end - last);
  }
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** The local service in a process of its own, so that its work is not counted as ours. */
async function startService(folder: string): Promise<{ baseUrl: string; token: string; stop: () => void }> {
  const project = join(folder, "service.json");
  const languages = LOCALES.slice(1).map((locale) => ({ locale, name: locale }));
  const limits = { perToken: 1_000_000, perAddress: 1_000_000 };
  await writeFile(project, JSON.stringify({ sourceLocale: "en", languages, keyLimit: 1_000_000, limits }));
  const main = join(import.meta.dirname, "../../src/local-service/cli.ts");
  const child = spawn(process.execPath, [main, "--project", project], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...(JSON.parse(line) as { baseUrl: string; token: string }), stop: () => child.kill() };
  }
  throw new Error("the local service ended before it said where it is");
}

const folder = await mkdtemp(join(tmpdir(), "project-translations-bench-"));
try {
  await writeWorkspace(join(folder, "app"), { keys, sourceFiles, locales: LOCALES });
  const service = await startService(folder);
  const options = { ...service, folder, file: FILE, preview: LOCALES };
  const floor = heap();
  const window = await openWindow(options);
  await window.refresher.refresh();
  const local = await timed("read the source files", () => sourceKeys(window));
  const plan = await timed("push plan, all new", () => planPush(window, local));
  await timed("push", () => sendPush(window, plan.items, []));
  window.takeRequests();
  await timed("push plan, nothing to push", () => planPush(window, local));
  figures["push plan, nothing to push (requests)"] = window.takeRequests().length;
  await timed("refresh, whole", () => window.refresher.refresh({ full: true }));
  window.takeRequests();
  const again = await timed("open from the cache", () => openWindow(options));
  await again.refresher.refresh();
  figures["open from the cache (requests)"] = again.takeRequests().length;
  figures["cache in memory (MB)"] = heap() - floor;

  const find: FindOptions = { frameworks: new Set(["laravel"]), functions: [] };
  const indexOptions = { find, lookup: { frameworks: find.frameworks } };
  const database = new Database(join(folder, "project.db"));
  database.prepareForWriting();
  const index = (): Promise<void> =>
    new UsageIndexer(database, sourceFilesOf(join(folder, "app"))).update(indexOptions, new Map());
  await timed("usage index, first", index);
  const usages = new UsageRepository(database);
  const names = new KeyNames(database);
  await timed("usage index, nothing changed", index);
  const hashes = [...again.project.keys.names()].map(({ hash }) => hash);
  await timed("count the usages of every key", () => hashes.forEach((hash) => void usages.countUsages(hash)));

  const path = join(folder, "app", "resources/views/dir0/page1.blade.php");
  const text = (await readFile(path, "utf8")).repeat(60);
  const language = usageLanguageFor(path);
  if (language === undefined) throw new Error("Blade is a language of ours");
  const uses = await timed("find the uses of a long document", () => language.find(text, find));
  const start = performance.now();
  let known = 0;
  for (const use of uses) if (resolveKey(use, names, indexOptions.lookup).kind === "known") known++;
  figures["look up a key (ms)"] = (performance.now() - start) / uses.length;
  if (known !== uses.length) throw new Error(`${uses.length - known} of ${uses.length} keys were not found`);
  service.stop();
  console.log(JSON.stringify(figures));
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
