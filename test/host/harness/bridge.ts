/**
 * The runner's side of the bridge: does for the tests in the extension host what only the outside can (Playwright's
 * page, processes, reloading the window) and gathers their results.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import type { Page } from "playwright-core";
import { projectNode } from "../../setup/ensure.mjs";
import { startProcess, type ManagedProcess } from "../../setup/managed-process.ts";
import type { Operations, Orders, RunningService, TestResult } from "./wire.ts";

/** A bridge at one address for the suites that run one after another in a VS Code. */
export interface Bridge {
  readonly url: string;
  /** Begins a suite. Calls are answered for it until its `close()`. */
  begin(options: SuiteOptions): SuiteBridge;
  close(): void;
}

export interface SuiteOptions {
  /** Only tests whose full title matches. */
  readonly grep: string | null;
  /** Where pictures go. */
  readonly shots: string;
  readonly page: () => Page;
  readonly onResult: (result: TestResult) => void;
  readonly onText: (text: string) => void;
}

export interface SuiteBridge {
  readonly results: readonly TestResult[];
  /** The tokens that services handed out, and what tests said to be as secret. */
  readonly secrets: readonly string[];
  /** The tests said that they have come to their end. */
  readonly ended: boolean;
  /** Milliseconds since the tests last said something. */
  silence(): number;
  /** Ends the suite's services and removes their data. */
  close(): Promise<void>;
}

/** The operations of one suite, by name. */
type SuiteOperations = { [Name in keyof Operations]: (input: never) => unknown };

interface Service {
  readonly process: ManagedProcess;
  readonly store: string;
  readonly port: string;
}

/** Listens on a loopback port until it is closed. `service`: the local service's bundle. */
export async function openBridge(service: string): Promise<Bridge> {
  let current: { readonly operations: SuiteOperations; lastCall: number } | undefined;
  const secret = crypto.randomUUID();
  const server = createServer((request, response) => void answerTo(request, response));
  // Never close an idle connection: a call could be on its way on it.
  server.keepAliveTimeout = 0;
  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    const suite = current;
    if (suite) suite.lastCall = Date.now();
    const name = request.url?.split("/")[2] as keyof Operations;
    const answer = await (async () => {
      if (!suite || request.url?.split("/")[1] !== secret || !Object.hasOwn(suite.operations, name))
        throw new Error(`no ${request.url} here`);
      const input = JSON.parse(await bodyOf(request)) as never;
      return { value: (await suite.operations[name](input)) ?? null };
    })().catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }));
    if (suite) suite.lastCall = Date.now();
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`,
    begin(options) {
      const suite = suiteBridge(service, options);
      const begun = (current = { operations: suite.operations, lastCall: Date.now() });
      return {
        results: suite.results,
        secrets: suite.secrets,
        get ended() {
          return suite.hasEnded();
        },
        silence: () => Date.now() - begun.lastCall,
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

function suiteBridge(service: string, { grep, shots, page, onResult, onText }: SuiteOptions) {
  const results: TestResult[] = [];
  const services: Service[] = [];
  const stores: string[] = [];
  const secrets: string[] = [];
  let resume: Orders["resume"] = null;
  let ended = false;

  const shoot = async (name: string) => {
    const path = join(shots, `${name}.png`);
    await page().screenshot({ path });
    return path;
  };
  const operations: SuiteOperations = {
    orders: (): Orders => ({ grep, done: results.map((it) => it.title), resume }),
    result: async (result: TestResult) => {
      results.push(result);
      onResult(result);
      if (result.state === "failed") await shoot(`failed-${results.length}`);
    },
    end: () => void (ended = true),
    say: ({ text }: { text: string }) => onText(text),
    page: async ({ source, argument }: { source: string; argument: unknown }) => {
      const work = runInThisContext(`(${source})`) as (page: Page, argument: unknown) => unknown;
      return work(page(), argument);
    },
    screenshot: ({ name }: { name: string }) => shoot(name),
    reload: (next: NonNullable<Orders["resume"]>) => {
      resume = next;
      // After the answer: the window that asked is gone then.
      setTimeout(() => void page().reload({ waitUntil: "commit" }), 50);
    },
    startService: async ({
      project,
      demo,
      again,
    }: Parameters<Operations["startService"]>[0]): Promise<RunningService> => {
      const before = again === undefined ? undefined : services[again];
      const store = before?.store ?? mkdtempSync(join(tmpdir(), "pt-service-"));
      if (!before) stores.push(store);
      const file = join(store, "project.json");
      if (project !== undefined) writeFileSync(file, JSON.stringify(project));
      const args = [service, "--data", join(store, "service.db")];
      if (before) args.push("--port", before.port);
      if (existsSync(file)) args.push("--project", file);
      if (demo === true) args.push("--demo");
      const running = startProcess(projectNode, args);
      const [line] = await running.line(/^\{.*\}$/, 20);
      const said = JSON.parse(line) as RunningService;
      secrets.push(said.token, said.readToken);
      services.push({ process: running, store, port: new URL(said.baseUrl).port });
      return { ...said, id: services.length - 1 };
    },
    secret: ({ text }: { text: string }) => void secrets.push(text),
    stopService: async ({ id }: { id: number }) => services[id]?.process.stop(),
  };
  return {
    operations,
    results,
    secrets,
    hasEnded: () => ended,
    async close() {
      await Promise.all(services.map((it) => it.process.stop()));
      for (const store of stores) rmSync(store, { recursive: true, force: true });
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
