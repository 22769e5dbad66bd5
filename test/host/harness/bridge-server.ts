/**
 * The runner's side of the bridge: performs what tests in the extension host cannot do themselves (Playwright's page,
 * processes, reloading the window) and collects their results.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import type { Page } from "playwright-core";
import { projectNode } from "../../setup/ensure.mjs";
import { startProcess, type ManagedProcess } from "../../setup/managed-process.ts";
import type {
  Operations,
  WindowInstructions,
  RunningService,
  RunningTest,
  SuiteInWindow,
  TestResult,
} from "./bridge-protocol.ts";

/** More requests than any test sends: where the limit of a service is met, a client waits for up to a minute. */
const LIMITS = { perToken: 100_000, perAddress: 100_000 };

/** One server for all suites that run sequentially in a VS Code. */
export interface Bridge {
  readonly url: string;
  /** Starts a suite: calls are handled for it until its `close()`. */
  begin(options: SuiteOptions): SuiteBridge;
  close(): void;
}

export interface SuiteOptions {
  /** What the window is told to run; `null` for a window with a module of its own. */
  readonly suite: SuiteInWindow | null;
  /** Runs only tests whose full title matches. */
  readonly grep: string | null;
  /** Runs only journeys. */
  readonly journeys: boolean;
  /** The folder of the screenshots. */
  readonly screenshotFolder: string;
  readonly page: () => Page;
  /** Whether tests that pass take screenshots, too. */
  readonly screenshots: boolean;
  readonly onResult: (result: TestResult) => void;
  /** Describes what the window shows and has logged. Called when a test has failed. */
  readonly describe: () => Promise<string>;
  readonly onAlive: (running: RunningTest) => void;
  readonly onPrint: (text: string) => void;
}

export interface SuiteBridge {
  readonly results: readonly TestResult[];
  /** The tokens that services issued, and those that tests added. */
  readonly secrets: readonly string[];
  /** Resolves when all tests have ended. */
  readonly ended: Promise<void>;
  /** Whether the window is being opened or reloaded: its tests have not begun. */
  readonly isStarting: boolean;
  /** Milliseconds since the last call. */
  millisecondsSinceLastCall(): number;
  /** Stops the suite's services and removes their data. */
  close(): Promise<void>;
}

/** The operations of one suite, by name. */
type SuiteOperations = { [Name in Exclude<keyof Operations, "getSuite">]: (input: never) => unknown };

interface Service {
  readonly process: ManagedProcess;
  readonly store: string;
  readonly port: string;
}

/** Listens on a loopback port until it is closed. @param service path of the local service's bundle */
export async function openBridge(service: string): Promise<Bridge> {
  let current:
    | {
        readonly suite: SuiteInWindow | null;
        readonly operations: SuiteOperations;
        hasEnded: boolean;
        lastCall: number;
      }
    | undefined;
  /** Answers the window that waits for its next suite. */
  let answer: ((suite: SuiteInWindow) => void) | undefined;
  const secret = crypto.randomUUID();
  const server = createServer((request, response) => void handleRequest(request, response));
  // Never close an idle connection: a call could be in flight on it.
  server.keepAliveTimeout = 0;
  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const suite = current;
    if (suite) suite.lastCall = Date.now();
    const [, given, name = ""] = request.url?.split("/") ?? [];
    const result = await (async () => {
      const input = JSON.parse(await readBody(request)) as never;
      if (given === secret && name === "getSuite") return { value: await getSuite() };
      if (!suite || given !== secret || !Object.hasOwn(suite.operations, name))
        throw new Error(`unknown operation: ${request.url}`);
      return { value: (await suite.operations[name as keyof SuiteOperations](input)) ?? null };
    })().catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }));
    if (suite) suite.lastCall = Date.now();
    response.setHeader("content-type", "application/json").end(JSON.stringify(result));
  };
  const getSuite = (): Promise<SuiteInWindow> =>
    current?.suite && !current.hasEnded
      ? Promise.resolve(current.suite)
      : new Promise((resolve) => (answer = resolve));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`,
    begin(options) {
      const suite = suiteBridge(service, options);
      const begun = (current = {
        suite: options.suite,
        operations: suite.operations,
        hasEnded: false as boolean,
        lastCall: Date.now(),
      });
      void suite.ended.then(() => (begun.hasEnded = true));
      if (options.suite) answer?.(options.suite);
      answer = undefined;
      return {
        results: suite.results,
        secrets: suite.secrets,
        ended: suite.ended,
        get isStarting() {
          return suite.isStarting();
        },
        millisecondsSinceLastCall: () => Date.now() - begun.lastCall,
        async close() {
          current = undefined;
          await suite.close();
        },
      };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function suiteBridge(
  service: string,
  {
    grep,
    journeys,
    screenshotFolder: shots,
    screenshots,
    page,
    onResult,
    describe,
    onAlive,
    onPrint: onText,
  }: SuiteOptions,
) {
  const results: TestResult[] = [];
  const services: Service[] = [];
  const stores: string[] = [];
  const secrets: string[] = [];
  let resume: WindowInstructions["resume"] = null;
  let starting = true;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  const takeScreenshot = async (name: string) => {
    const path = join(shots, `${name}.png`);
    await page().screenshot({ path });
    return path;
  };
  const operations: SuiteOperations = {
    getInstructions: (): WindowInstructions => {
      starting = false;
      return { grep, journeys, finishedTests: results.map((it) => it.title), resume };
    },
    reportResult: async (given: TestResult) => {
      const hasFailed = given.state === "failed";
      const result = hasFailed ? { ...given, message: `${given.message}\n${await describe()}` } : given;
      results.push(result);
      onResult(result);
      if (hasFailed) await takeScreenshot(`failed-${results.length}`);
    },
    reportAlive: (running: RunningTest) => onAlive(running),
    end: () => end(),
    print: ({ text }: { text: string }) => onText(text),
    runOnPage: async ({ source, argument }: { source: string; argument: unknown }) => {
      const work = runInThisContext(`(${source})`) as (page: Page, argument: unknown) => unknown;
      return work(page(), argument);
    },
    screenshot: ({ name }: { name: string }) => (screenshots ? takeScreenshot(name) : null),
    reload: (next: NonNullable<WindowInstructions["resume"]>) => {
      resume = next;
      starting = true;
      // After the response: a reload drops the calling window's connection.
      setTimeout(() => void page().reload({ waitUntil: "commit" }), 50);
    },
    startService: async ({
      project,
      demo,
      restartOf,
    }: Parameters<Operations["startService"]>[0]): Promise<RunningService> => {
      const before = restartOf === undefined ? undefined : services[restartOf];
      const store = before?.store ?? mkdtempSync(join(tmpdir(), "pt-service-"));
      if (!before) stores.push(store);
      const file = join(store, "project.json");
      if (project !== undefined || !before)
        writeFileSync(file, JSON.stringify({ limits: LIMITS, ...(project ?? {}) }));
      const args = [service, "--data", join(store, "service.db"), "--project", file];
      if (before) args.push("--port", before.port);
      if (demo === true) args.push("--demo");
      const running = startProcess(projectNode, args);
      const [line] = await running.line(/^\{.*\}$/, 20);
      const started = JSON.parse(line) as RunningService;
      secrets.push(started.token, started.readToken);
      services.push({ process: running, store, port: new URL(started.baseUrl).port });
      return { ...started, id: services.length - 1 };
    },
    addSecret: ({ text }: { text: string }) => void secrets.push(text),
    stopService: async ({ id }: { id: number }) => services[id]?.process.stop(),
  };
  return {
    operations,
    results,
    secrets,
    ended,
    isStarting: () => starting,
    async close() {
      await Promise.all(services.map((it) => it.process.stop()));
      for (const store of stores) rmSync(store, { recursive: true, force: true });
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
