/**
 * Opens one window of a real VS Code for the bench: an extension with loader.cjs before its main file, a workspace, and
 * inside.ts as the test module. Several windows may follow each other as one person's: settings, secrets and caches stay.
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
import { SHIPPED_FILES } from "../setup/build.ts";
import { root } from "../setup/ensure.mjs";
import { ordersVariable, type Measured, type Orders, type Report } from "./orders.ts";

/** Bundles the inside; out: its path. */
export async function bundleInside(folder: string): Promise<string> {
  const outfile = join(folder, "inside.cjs");
  await build({
    entryPoints: [join(import.meta.dirname, "inside.ts")],
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

/** Lays this extension into the folder as it is shipped. */
export async function layOurs(folder: string): Promise<void> {
  for (const file of SHIPPED_FILES) cpSync(join(root, file), join(folder, file));
  putLoader(folder);
}

/** An extension that does nothing, awake from the start as others are. */
export function layNothing(folder: string): void {
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
  putLoader(folder);
}

/** A peer from its VSIX or its folder; what it was built from is left out. */
export function layPeer(folder: string, from: string): void {
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
  putLoader(folder);
}

function putLoader(folder: string): void {
  const path = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { main: string };
  writeFileSync(join(folder, "original.json"), JSON.stringify({ main: manifest.main }));
  cpSync(join(import.meta.dirname, "loader.cjs"), join(folder, "bench-loader.cjs"));
  writeFileSync(path, JSON.stringify({ ...manifest, main: "./bench-loader.cjs" }));
}

export interface PersonDependencies {
  readonly browser: OpenBrowser;
  /** A folder for this person alone. */
  readonly folder: string;
  readonly extension: string;
  readonly workspace: string;
  readonly inside: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Does for the inside what only the outside can. */
  readonly bridge?: Bridge;
}

/** Somebody with one extension who opens the same workspace again and again. */
export class Person {
  readonly #needs: PersonDependencies;
  readonly #server: VscodeServer;
  readonly #context: BrowserContext;

  private constructor(needs: PersonDependencies, server: VscodeServer, context: BrowserContext) {
    this.#needs = needs;
    this.#server = server;
    this.#context = context;
  }

  static async start(needs: PersonDependencies): Promise<Person> {
    mkdirSync(needs.folder, { recursive: true });
    const quiet = { "files.autoSave": "off", "typescript.disableAutomaticTypeAcquisition": true };
    const server = await startVscodeServer({
      version: "newest",
      trusted: true,
      locale: "en",
      env: {
        [ordersVariable]: join(needs.folder, "orders.json"),
        ...(needs.bridge && { [BRIDGE_VARIABLE]: needs.bridge.url }),
      },
      extensions: [],
    });
    server.resetProfile({ ...quiet, ...needs.settings });
    return new Person(needs, server, await needs.browser.newProfile());
  }

  /** The folder in which VS Code keeps this person's things. */
  get data(): string {
    return this.#server.folder;
  }

  /**
   * Opens the window with the short file in it, waits until the inside has ended or is stuck in a task, closes it. Times
   * of the clock become times since the opening.
   */
  async open(orders: Omit<Orders, "out">): Promise<Report> {
    const { folder, extension, workspace, inside, bridge } = this.#needs;
    const out = join(folder, "report.json");
    rmSync(out, { force: true });
    writeFileSync(join(folder, "orders.json"), JSON.stringify({ ...orders, out }));
    const page = await this.#context.newPage();
    const nothing = (): void => {};
    const calls = bridge?.begin({
      grep: null,
      screenshotFolder: folder,
      page: () => page,
      onResult: nothing,
      onPrint: nothing,
    });
    const { authority } = this.#server;
    const remote = (path: string): string => `vscode-remote://${authority}${path}`;
    const payload = {
      extensionDevelopmentPath: remote(extension),
      extensionTestsPath: remote(inside),
      // Some look at what is open when they are activated, and at no other time.
      openFile: remote(join(workspace, orders.shortFile)),
    };
    try {
      const heard: string[] = [];
      const ended = new AbortController();
      await page.exposeFunction("codeAutomationLog", (type: string, args: readonly unknown[]) =>
        heard.push(`${type}: ${args.map(String).join(" ")}`),
      );
      await page.exposeFunction("codeAutomationExit", () => ended.abort());
      const opened = Date.now();
      await page.goto(windowUrl(authority, workspace, payload), { waitUntil: "commit" });
      const isStuck = await stuck(out, orders.limit + 60, ended.signal);
      if (!existsSync(out)) throw new Error(`the window said nothing:\n${heard.slice(-20).join("\n")}`);
      const report = JSON.parse(readFileSync(out, "utf8")) as Report;
      if (isStuck)
        report.figures[`${report.begun.at(-1)}: went wrong`] = "the extension host answered no more";
      const isAtWork = Object.keys(report.figures).some((name) => /: (?:went wrong|cut)$/.test(name));
      if (isAtWork) endProcess(report.host);
      return { ...report, figures: sinceOpening(report.figures, opened) };
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
 * Resolves when the inside has ended (`false`), or when the report did not change for so many seconds (`true`; two minutes
 * while there is none).
 */
async function stuck(out: string, seconds: number, ended: AbortSignal): Promise<boolean> {
  let last = Date.now();
  for (let written = 0; !ended.aborted;) {
    await setTimeout(1_000, undefined, { signal: ended }).catch(() => {});
    const now = statSync(out, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (now !== written) [written, last] = [now, Date.now()];
    const patience = written === 0 ? 120 : seconds;
    if (Date.now() - last > patience * 1000) return !ended.aborted;
  }
  return false;
}

/** An extension host that goes on with what was cut may hear nobody, and takes the processor from those who come next. */
function endProcess(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has gone by itself.
  }
}

function sinceOpening(figures: Measured, opened: number): Measured {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) =>
      name.endsWith("(epoch ms)") && typeof figure === "number"
        ? [`window open to ${name.replace("epoch ms", "ms")}`, figure - opened]
        : [name, figure],
    ),
  );
}
