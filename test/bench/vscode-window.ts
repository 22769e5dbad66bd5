/**
 * Opens windows of a real VS Code for the bench: an extension with loader.cjs before its main file, a workspace, and
 * vscode-tasks.ts as the test module. Consecutive windows share a profile: settings, secrets and caches.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";
import { unzipSync } from "fflate";
import type { BrowserContext } from "playwright-core";
import type { Bridge } from "../host/harness/bridge-server.ts";
import { windowUrl, type OpenBrowser } from "../host/harness/browser.ts";
import { BRIDGE_VARIABLE } from "../host/harness/bridge-protocol.ts";
import { startVscodeServer, type VscodeServer } from "../host/harness/vscode-server.ts";
import { shippedFiles } from "../setup/build.ts";
import { root } from "../setup/ensure.mjs";
import { TASK_OPTIONS_VARIABLE, type Figures, type TaskOptions, type Report } from "./vscode-task-options.ts";

/** Bundles vscode-tasks.ts and returns the path of the bundle. */
export async function bundleTasks(folder: string): Promise<string> {
  const outfile = join(folder, "tasks.cjs");
  await build({
    entryPoints: [join(import.meta.dirname, "vscode-tasks.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode"],
    logLevel: "warning",
  });
  return outfile;
}

/** Writes this extension into the folder as it is shipped. */
export async function writeExtension(folder: string): Promise<void> {
  for (const file of shippedFiles()) cpSync(join(root, file), join(folder, file));
  addLoader(folder);
}

/** Writes an extension that does nothing, activated at the start like the others. */
export function writeEmptyExtension(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: "nothing",
    publisher: "bench",
    version: "0.0.1",
    engines: { vscode: "^1.100.0" },
    activationEvents: ["onStartupFinished", "workspaceContains:package.json"],
    main: "./main.cjs",
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "main.cjs"), "exports.activate = () => {};\n");
  addLoader(folder);
}

/** Writes a peer from its VSIX or its folder, without its sources. */
export function writePeerExtension(folder: string, from: string): void {
  if (from.endsWith(".vsix")) {
    for (const [path, bytes] of Object.entries(unzipSync(readFileSync(from)))) {
      if (!path.startsWith("extension/") || path.endsWith("/")) continue;
      const place = join(folder, path.slice("extension/".length));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes);
    }
  } else {
    const isLeftOut = (path: string): boolean => /^(?:node_modules|src|test|\.git)(?:\/|$)/.test(path);
    cpSync(from, folder, { recursive: true, filter: (path) => !isLeftOut(relative(from, path)) });
    const modules = join(from, "node_modules");
    if (existsSync(modules)) symlinkSync(modules, join(folder, "node_modules"));
  }
  addLoader(folder);
}

function addLoader(folder: string): void {
  const path = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { main: string };
  writeFileSync(join(folder, "original.json"), JSON.stringify({ main: manifest.main }));
  cpSync(join(import.meta.dirname, "loader.cjs"), join(folder, "bench-loader.cjs"));
  writeFileSync(path, JSON.stringify({ ...manifest, main: "./bench-loader.cjs" }));
}

export interface VscodeUserOptions {
  readonly browser: OpenBrowser;
  /** Its own folder. */
  readonly folder: string;
  readonly extension: string;
  readonly workspace: string;
  /** Path of the bundled tasks. */
  readonly tasks: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** For tasks that use the page. */
  readonly bridge?: Bridge;
}

/** A VS Code profile with one extension, in which a workspace is opened repeatedly. */
export class VscodeUser {
  readonly #options: VscodeUserOptions;
  readonly #server: VscodeServer;
  readonly #context: BrowserContext;

  private constructor(options: VscodeUserOptions, server: VscodeServer, context: BrowserContext) {
    this.#options = options;
    this.#server = server;
    this.#context = context;
  }

  static async start(options: VscodeUserOptions): Promise<VscodeUser> {
    mkdirSync(options.folder, { recursive: true });
    const quiet = { "files.autoSave": "off", "typescript.disableAutomaticTypeAcquisition": true };
    const server = await startVscodeServer({
      version: "newest",
      trusted: true,
      locale: "en",
      env: {
        [TASK_OPTIONS_VARIABLE]: join(options.folder, "task-options.json"),
        ...(options.bridge && { [BRIDGE_VARIABLE]: options.bridge.url }),
      },
      extensions: [],
      languageServers: true,
    });
    server.resetProfile({ ...quiet, ...options.settings });
    return new VscodeUser(options, server, await options.browser.newProfile());
  }

  /** The folder of VS Code's user data. */
  get data(): string {
    return this.#server.folder;
  }

  /**
   * Opens a window with the short file, waits until the tasks have ended or one is stuck, and closes it. Times since 1970
   * become times since the opening.
   */
  async open(taskOptions: Omit<TaskOptions, "out">): Promise<Report> {
    const { folder, extension, workspace, tasks, bridge } = this.#options;
    const out = join(folder, "report.json");
    rmSync(out, { force: true });
    writeFileSync(join(folder, "task-options.json"), JSON.stringify({ ...taskOptions, out }));
    const page = await this.#context.newPage();
    const nothing = (): void => {};
    const calls = bridge?.begin({
      suite: null,
      grep: null,
      journeys: false,
      screenshotFolder: folder,
      screenshots: false,
      onAlive: () => undefined,
      page: () => page,
      onResult: nothing,
      describe: () => Promise.resolve(""),
      onPrint: nothing,
    });
    const { authority } = this.#server;
    const remote = (path: string): string => `vscode-remote://${authority}${path}`;
    const payload = {
      extensionDevelopmentPath: remote(extension),
      extensionTestsPath: remote(tasks),
      // Some extensions only look at open files when they are activated.
      openFile: remote(join(workspace, taskOptions.shortFile)),
    };
    try {
      const logLines: string[] = [];
      const ended = new AbortController();
      await page.exposeFunction("codeAutomationLog", (type: string, args: readonly unknown[]) =>
        logLines.push(`${type}: ${args.map(String).join(" ")}`),
      );
      await page.exposeFunction("codeAutomationExit", () => ended.abort());
      const opened = Date.now();
      await page.goto(windowUrl(authority, workspace, payload), { waitUntil: "commit" });
      const isStuck = await waitForEnd(out, taskOptions.limit + 60, ended.signal);
      if (!existsSync(out)) throw new Error(`the window wrote no report:\n${logLines.slice(-20).join("\n")}`);
      const report = JSON.parse(readFileSync(out, "utf8")) as Report;
      if (isStuck)
        report.figures[`${report.begun.at(-1)}: went wrong`] = "the extension host no longer responds";
      const isAtWork = Object.keys(report.figures).some((name) => /: (?:went wrong|cut)$/.test(name));
      if (isAtWork) endProcess(report.host);
      return { ...report, figures: relativeToOpening(report.figures, opened) };
    } finally {
      await page.close();
      await calls?.close();
    }
  }

  async close(): Promise<void> {
    await this.#context.close();
    await this.#server.process.stop();
  }
}

/**
 * Resolves to `false` when the tasks have ended, and to `true` when the report did not change for so many seconds (two
 * minutes while there is none).
 */
async function waitForEnd(out: string, seconds: number, ended: AbortSignal): Promise<boolean> {
  let last = Date.now();
  for (let written = 0; !ended.aborted;) {
    await setTimeout(1_000, undefined, { signal: ended }).catch(() => {});
    const now = statSync(out, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now !== written) [written, last] = [now, Date.now()];
    const timeout = written === 0 ? 120 : seconds;
    if (Date.now() - last > timeout * 1000) return !ended.aborted;
  }
  return false;
}

/** An extension host that continues a task after its time limit would slow down the next measurement. */
function endProcess(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function relativeToOpening(figures: Figures, opened: number): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) =>
      name.endsWith("(epoch ms)") && typeof figure === "number"
        ? [`window open to ${name.replace("epoch ms", "ms")}`, figure - opened]
        : [name, figure],
    ),
  );
}
