/**
 * `npm run bench -- editor [--keys 1000,10000] [--peer FOLDER_OR_VSIX --adapter FILE] [--rounds N] [--limit SECONDS]
 * [--profile] [--first-index] [--tasks start,typing,…] [--without nothing,ours]`: measures a real VS Code with an extension that does nothing, with
 * this one and with a peer, in turns, on the same workspace. Prints the medians and their ratios, and names the file with
 * all figures. `--keys` of 1000, 10000 and 50000 come with 1,000, 5,000 and 20,000 source files.
 */
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBrowser, type OpenBrowser } from "../host/harness/browser.ts";
import { buildAll } from "../setup/build.ts";
import { cache } from "../setup/ensure.mjs";
import { exit, onExit } from "../setup/cleanup.ts";
import { NOTHING, OURS, readAdapter, type Adapter } from "./peer-adapter.ts";
import {
  bundleTasks,
  writeEmptyExtension,
  writeExtension,
  writePeerExtension,
  VscodeUser,
} from "./vscode-window.ts";
import { deleteIndex } from "./delete-index.ts";
import { startService } from "./filled-service.ts";
import { printFigures, printGrowth, failuresIn } from "./vscode-results-table.ts";
import type { Figures, TaskOptions, Task } from "./vscode-task-options.ts";
import { LOCALES, LONG_FILE, SHORT_FILE, writeCode, writeTexts, type VueSize } from "./vue-workspace.ts";
import { KEYS_PER_NAMESPACE } from "./laravel-workspace.ts";

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    keys: { type: "string", default: "1000,10000" },
    peer: { type: "string" },
    adapter: { type: "string" },
    rounds: { type: "string", default: "1" },
    tasks: { type: "string", default: "start,hovers,completion,unknownKey,typing,memory,usageReport,rename" },
    without: { type: "string", default: "" },
    limit: { type: "string", default: "300" },
    profile: { type: "boolean", default: false },
    "first-index": { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});

/** One extension that is measured. */
interface Contender {
  readonly adapter: Adapter;
  readonly folder: string;
}

/** The figures of one extension at one size in one round. */
export interface Cell {
  readonly name: string;
  readonly size: VueSize;
  readonly round: number;
  /** Of the machine when it began: above its number of processors others worked too. */
  readonly load: number;
  readonly figures: Figures;
}

const FILES: Readonly<Record<string, number>> = { 1000: 1_000, 10000: 5_000, 50000: 20_000 };
/** In a window of their own, where nothing has gone through the code yet. */
const COLD: ReadonlySet<Task> = new Set(["usageReport", "rename"]);

const folder = mkdtempSync(join(tmpdir(), "pt-bench-"));
onExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
if (!options["no-build"]) buildAll();
const tasksBundle = await bundleTasks(folder);
const contenders = await writeExtensions();
const tasks = options.tasks.split(",") as Task[];
const browser = await openBrowser();
onExit(() => browser.close());
const results = join(cache, "bench");
mkdirSync(results, { recursive: true });
const file = join(results, `editor-${Date.now()}.json`);
const cells: Cell[] = [];
for (const keys of options.keys.split(",").map(Number)) {
  const size = { keys, sourceFiles: FILES[keys] ?? Math.round(keys / 2.5) };
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const contender of contenders) {
      const load = loadavg()[0] ?? 0;
      const from = performance.now();
      const figures = await measure(browser, contender, size);
      cells.push({ name: contender.adapter.name, size, round, load, figures });
      const wrong = failuresIn(figures).map((each) => each.split("\n")[0]);
      const took = Math.round((performance.now() - from) / 1000);
      console.log(
        `${contender.adapter.name}, ${keys} keys, round ${round + 1}, ${took} s: ${wrong.join("; ") || "well"}`,
      );
      writeFileSync(file, JSON.stringify(cells, null, 1));
    }
  }
}
printFigures(cells);
printGrowth(cells);
console.log(`\nAll figures: ${file}`);
await exit(0);

async function writeExtensions(): Promise<readonly Contender[]> {
  const all: Contender[] = [];
  const without = new Set(options.without.split(","));
  const place = (name: string): string => join(folder, "extensions", name);
  if (!without.has("nothing")) {
    writeEmptyExtension(place("nothing"));
    all.push({ adapter: NOTHING, folder: place("nothing") });
  }
  if (!without.has("ours")) {
    await writeExtension(place("ours"));
    all.push({ adapter: OURS, folder: place("ours") });
  }
  if (options.peer !== undefined) {
    const path = options.adapter ?? join(import.meta.dirname, "i18n-ally.json");
    writePeerExtension(place("peer"), options.peer);
    all.push({ adapter: readAdapter(path), folder: place("peer") });
  }
  return all;
}

/** What went wrong stands in the figures, so that the others are measured all the same. */
async function measure(browser: OpenBrowser, contender: Contender, size: VueSize): Promise<Figures> {
  const { adapter } = contender;
  const here = mkdtempSync(join(folder, "run-"));
  const workspace = join(here, "bench");
  const undo: (() => Promise<void>)[] = [];
  const figures: Figures = {};
  try {
    await writeTexts(workspace, size);
    for (const [path, content] of Object.entries(adapter.files))
      writeFileSync(join(workspace, path), JSON.stringify(content, null, 2));
    const service =
      adapter === OURS
        ? await startService(results, { name: `${size.keys}`, locales: LOCALES, type: "other" }, undo)
        : undefined;
    const user = await VscodeUser.start({
      browser,
      folder: join(here, "user"),
      extension: contender.folder,
      workspace,
      tasks: tasksBundle,
      settings: adapter.settings,
    });
    undo.unshift(() => user.close());
    const taskOptions = {
      shortFile: SHORT_FILE,
      longFile: LONG_FILE,
      locales: LOCALES,
      keysInArea: KEYS_PER_NAMESPACE,
      hasHovers: adapter !== NOTHING,
      profile: options.profile ? join(results, `${adapter.name}-${size.keys}`) : undefined,
      usageReport: adapter.usageReport,
      service,
      fill: service?.isNew === true,
    } satisfies Omit<TaskOptions, "out" | "tasks" | "limit">;
    /** A task that went wrong or took too long ends its window; what is left is measured in another. */
    const open = async (wanted: readonly Task[], first: readonly Task[]): Promise<void> => {
      for (let left = [...first, ...wanted]; left.length > 0;) {
        const report = await user.open({ ...taskOptions, tasks: left, limit: Number(options.limit) });
        // The second window starts as the first did: its own start is not what it is opened for.
        for (const [name, figure] of Object.entries(report.figures)) figures[name] ??= figure;
        left = left.slice(Math.max(1, report.begun.length));
        // Who did not show a right hover is not waited for once more.
        const wasReady = figures["window open to first right hover (ms)"] !== undefined;
        if (left.length > 0 && wasReady && report.begun.at(-1) !== "firstHover") left.unshift("firstHover");
      }
    };
    if (service !== undefined) {
      const said = await user.open({ ...taskOptions, tasks: ["prepare"], limit: 900 });
      const wrong = said.figures["prepare: went wrong"];
      if (wrong !== undefined) throw new Error(String(wrong));
      service.filled();
    }
    await writeCode(workspace, size);
    const can: Partial<Record<Task, boolean>> = {
      usageReport: adapter.usageReport !== undefined,
      rename: adapter.rename,
      unknownKey: adapter.unknownKeys,
    };
    const wanted = tasks.filter((task) => can[task] !== false);
    await open(
      wanted.filter((task) => !COLD.has(task)),
      [],
    );
    for (const task of wanted.filter((each) => COLD.has(each))) {
      for (const path of globSync("**/project.db", { cwd: user.data }))
        deleteIndex(join(user.data, path), { translationFiles: options["first-index"] });
      await open([task], ["firstHover"]);
    }
  } catch (error) {
    figures["went wrong"] = error instanceof Error ? error.message : String(error);
  } finally {
    for (const work of undo) await work();
    rmSync(here, { recursive: true, force: true, maxRetries: 5 });
  }
  return figures;
}
