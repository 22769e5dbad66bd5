/**
 * `npm run bench -- projects [--shapes laravel-many,gettext-many,json-many,large] [--signed out,in] [--rounds N]
 * [--limit SECONDS] [--profile] [--no-build]`, or with `--folder PATH --file PATH --usage TEXT --text TEXT` a project on
 * disk, signed out: measures a real VS Code with an extension that does nothing and with this one, from the opening of
 * the window to rest, for the first time and again, and a usage report without anything indexed. With `--quick` only the
 * first opening with this one, and the same with a profiler.
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { openBrowser } from "../host/harness/browser.ts";
import { buildAll } from "../setup/build.ts";
import { exit, onExit } from "../setup/cleanup.ts";
import { cache } from "../setup/ensure.mjs";
import { deleteIndex } from "./delete-index.ts";
import { startService } from "./filled-service.ts";
import { OURS } from "./peer-adapter.ts";
import { SHAPES, type BenchProject, type Shape } from "./project-shapes.ts";
import type { Figures, Task, TaskOptions } from "./vscode-task-options.ts";
import { bundleTasks, VscodeUser, writeEmptyExtension, writeExtension } from "./vscode-window.ts";

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    shapes: { type: "string", default: Object.keys(SHAPES).join(",") },
    signed: { type: "string", default: "out,in" },
    folder: { type: "string" },
    file: { type: "string", default: "" },
    usage: { type: "string", default: "" },
    text: { type: "string", default: "" },
    rounds: { type: "string", default: "1" },
    limit: { type: "string", default: "120" },
    profile: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});

/** Names of the windows with a profiler begin with this. */
const PROFILED = "profiled ";
/** Where blocks are measured, rest is when the indexing process has ended, and what it found is shown. */
const REST_SECONDS = 12;

/** One line of the result. */
type Measured = Record<(typeof COLUMNS)[number], number | string | null>;
const COLUMNS = [
  "first hover cold (s)",
  "first hover reopened (s)",
  "longest block of ours (ms)",
  "longest block (ms)",
  "usage report cold (s)",
  "memory at rest (MB)",
  "trouble",
] as const;

const temporary = mkdtempSync(join(tmpdir(), "pt-bench-"));
onExit(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
if (!options["no-build"]) buildAll();
const tasksBundle = await bundleTasks(temporary);
const nothing = join(temporary, "extensions", "nothing");
const ours = join(temporary, "extensions", "ours");
writeEmptyExtension(nothing);
await writeExtension(ours);
const results = join(cache, "bench");
mkdirSync(results, { recursive: true });
const browser = await openBrowser();
onExit(() => browser.close());
const all: Record<string, Figures[]> = {};
const file = join(results, `projects-${Date.now()}.json`);
const names = options.folder === undefined ? options.shapes.split(",") : [basename(options.folder)];
for (const name of names) {
  const workspace = join(temporary, name);
  const project = await prepareFolder(name, workspace);
  for (let round = 0; round < Number(options.rounds); round++) {
    if (!options.quick) await note(`${name}, nothing`, () => measureFloor(workspace, project));
    for (const signed of options.signed.split(",").filter((each) => each === "out" || "type" in project))
      await note(`${name}, signed ${signed}`, () => measureOurs(name, workspace, project, signed === "in"));
  }
  rmSync(workspace, { recursive: true, force: true });
}
console.log(`\nAll figures: ${file}`);
await exit(0);

async function prepareFolder(name: string, workspace: string): Promise<BenchProject | Shape> {
  if (options.folder !== undefined) {
    const isCopied = (path: string): boolean => !/\/(?:\.git|node_modules|vendor)$/u.test(path);
    cpSync(options.folder, workspace, { recursive: true, filter: isCopied, verbatimSymlinks: true });
    return { file: options.file, hover: { usage: options.usage, text: options.text } };
  }
  const shape = SHAPES[name];
  if (shape === undefined) throw new Error(`no shape has the name ${name}`);
  await shape.write(workspace);
  return shape;
}

/** Measures, prints and stores the figures. */
async function note(title: string, work: () => Promise<Figures>): Promise<void> {
  const load = loadavg()[0] ?? 0;
  const start = performance.now();
  const figures = await work().catch((error: unknown): Figures => ({ trouble: String(error) }));
  (all[title] ??= []).push(figures);
  writeFileSync(file, JSON.stringify(all, null, 1));
  const took = Math.round((performance.now() - start) / 1000);
  const cells = Object.entries(lineOf(figures)).flatMap(([column, value]) =>
    value === null ? [] : `${column} ${typeof value === "number" ? Number(value.toFixed(1)) : value}`,
  );
  console.log(`${title} (load ${load.toFixed(1)}, took ${took} s): ${cells.join("; ")}`);
}

function lineOf(figures: Figures): Measured {
  const number = (name: string, factor = 1): number | null =>
    typeof figures[name] === "number" ? figures[name] * factor : null;
  const hover = "window open to first right hover (ms)";
  const longest = (suffix: string, isProfiled: boolean): number | null => {
    const found = Object.keys(figures).flatMap((name) =>
      name.endsWith(suffix) && !name.includes("usage report") && name.startsWith(PROFILED) === isProfiled
        ? (number(name) ?? [])
        : [],
    );
    return found.length === 0 ? null : Math.max(...found);
  };
  const troubles = Object.entries(figures).flatMap(([name, value]) =>
    name.endsWith("went wrong") || name === "trouble" ? `${name}: ${String(value).split("\n")[0]}` : [],
  );
  return {
    "first hover cold (s)": number(`cold: ${hover}`, 0.001),
    "first hover reopened (s)": number(`reopened: ${hover}`, 0.001),
    "longest block of ours (ms)": longest(": longest block of ours (ms)", true),
    "longest block (ms)": longest(": longest block (ms)", false),
    "usage report cold (s)": number("report: usage report: wall (ms)", 0.001),
    "memory at rest (MB)": number("reopened: memory after start: rss (MB)"),
    trouble: troubles.length === 0 ? null : troubles.join("; "),
  };
}

async function measureFloor(workspace: string, project: BenchProject): Promise<Figures> {
  const window = await openUser(nothing, workspace);
  try {
    await window.open("cold", ["start"], project, false);
    await window.open("reopened", ["start"], project, false);
    return window.figures;
  } finally {
    await window.close();
  }
}

async function measureOurs(
  name: string,
  workspace: string,
  project: BenchProject | Shape,
  isSignedIn: boolean,
): Promise<Figures> {
  const undo: (() => Promise<void>)[] = [];
  try {
    const window = await openUser(ours, workspace);
    undo.unshift(() => window.close());
    if (isSignedIn && "type" in project) {
      const service = await startService(
        results,
        { name, locales: project.locales, type: project.type },
        undo,
      );
      const fill = { ...project, service, fill: service.isNew };
      await window.prepare(fill);
      service.filled();
    }
    const forget = (): void => {
      // Signed out, the cache has nothing that was not read from files, as in a folder that was never opened.
      for (const path of globSync(isSignedIn ? "**/project.db" : "**/project.db*", { cwd: window.data }))
        if (isSignedIn) deleteIndex(join(window.data, path), { translationFiles: true });
        else rmSync(join(window.data, path));
    };
    forget();
    await window.open("cold", ["start"], project, true);
    if (!options.quick) await window.open("reopened", ["start"], project, true);
    // A profiler takes processor time and memory of its own.
    forget();
    await window.open("profiled cold", ["start"], project, true);
    if (options.quick) return window.figures;
    await window.open("profiled reopened", ["start"], project, true);
    forget();
    await window.open("report", ["firstHover", "usageReport"], project, true);
    return window.figures;
  } finally {
    for (const work of undo) await work();
  }
}

interface BenchWindow {
  readonly data: string;
  readonly figures: Figures;
  /** Opens a window, runs the tasks and closes it; the names of the figures begin with `name`. */
  open(name: string, tasks: readonly Task[], project: BenchProject, hasHovers: boolean): Promise<void>;
  /** Signs in, with a profiler, and fills the service. */
  prepare(project: Shape & Pick<TaskOptions, "service" | "fill">): Promise<void>;
  close(): Promise<void>;
}

async function openUser(extension: string, workspace: string): Promise<BenchWindow> {
  const folder = mkdtempSync(join(temporary, "user-"));
  const user = await VscodeUser.start({
    browser,
    folder,
    extension,
    workspace,
    tasks: tasksBundle,
    settings: {},
  });
  const figures: Figures = {};
  const open = async (
    name: string,
    more: Omit<TaskOptions, "out" | "longFile" | "keysInArea">,
  ): Promise<void> => {
    const isProfiled = name.startsWith(PROFILED);
    const path = join(results, `${basename(workspace)}-${name.replaceAll(" ", "-")}`);
    const report = await user.open({
      longFile: "",
      keysInArea: 0,
      usageReport: OURS.usageReport,
      profile: options.profile && isProfiled ? path : undefined,
      ownCode: isProfiled ? "/extensions/ours/" : undefined,
      rest: isProfiled ? REST_SECONDS : undefined,
      ...more,
    });
    for (const [figure, value] of Object.entries(report.figures)) figures[`${name}: ${figure}`] = value;
  };
  return {
    data: user.data,
    figures,
    open: (name, tasks, { file: shortFile, hover }, hasHovers) =>
      open(name, {
        tasks,
        shortFile,
        hover,
        hasHovers,
        locales: [],
        fill: false,
        limit: Number(options.limit),
      }),
    prepare: async ({ file: shortFile, locales, format, files, service, fill }) => {
      const name = `${PROFILED}sign-in`;
      const imports = locales.slice(1).map((locale) => ({ locale, format, files: files(locale) }));
      const more = { shortFile, hasHovers: true, limit: 1_800, locales, imports, service, fill };
      await open(name, { tasks: ["prepare"], ...more });
      const wrong = figures[`${name}: prepare: went wrong`];
      if (wrong !== undefined) throw new Error(String(wrong));
    },
    close: () => user.close(),
  };
}
