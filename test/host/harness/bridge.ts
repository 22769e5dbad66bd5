/**
 * The runner's side of the bridge: does for the tests in the extension host what only the outside can (Playwright's
 * page, processes, reloading the window) and gathers their results.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import type { Page } from "playwright-core";
import { ownNode } from "../../setup/ensure.mjs";
import { startLeashed, type Leashed } from "../../setup/leashed.ts";
import type { Operations, Orders, RunningService, TestResult } from "./wire.ts";

export interface Bridge {
  readonly url: string;
  readonly results: readonly TestResult[];
  /** The tokens that services handed out, and what tests said to be as secret. */
  readonly secrets: readonly string[];
  /** The tests said that they have come to their end. */
  readonly ended: boolean;
  /** Milliseconds since the tests last said something. */
  silence(): number;
  close(): Promise<void>;
}

export interface BridgeOptions {
  readonly grep: string | null;
  /** The local service's bundle. */
  readonly service: string;
  /** Where pictures go. */
  readonly shots: string;
  readonly page: () => Page;
  readonly onResult: (result: TestResult) => void;
}

interface Service {
  readonly process: Leashed;
  readonly store: string;
  readonly port: string;
}

/** Listens on a loopback port until it is closed. */
export async function openBridge({ grep, service, shots, page, onResult }: BridgeOptions): Promise<Bridge> {
  const results: TestResult[] = [];
  const services: Service[] = [];
  const stores: string[] = [];
  const secrets: string[] = [];
  let resume: Orders["resume"] = null;
  let ended = false;
  let last = Date.now();
  mkdirSync(shots, { recursive: true });

  const shoot = async (name: string) => {
    const path = join(shots, `${name}.png`);
    await page().screenshot({ path });
    return path;
  };
  const operations: { [Name in keyof Operations]: (input: never) => unknown } = {
    orders: (): Orders => ({ grep, done: results.map((it) => it.title), resume }),
    result: async (result: TestResult) => {
      results.push(result);
      onResult(result);
      if (!result.passed) await shoot(`failed-${results.length}`);
    },
    end: () => void (ended = true),
    say: ({ text }: { text: string }) => console.log(`    ${text}`),
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
      const running = startLeashed(ownNode, args);
      const [line] = await running.line(/^\{.*\}$/, 20);
      const said = JSON.parse(line) as RunningService;
      secrets.push(said.token, said.readToken);
      services.push({ process: running, store, port: new URL(said.baseUrl).port });
      return { ...said, id: services.length - 1 };
    },
    secret: ({ text }: { text: string }) => void secrets.push(text),
    stopService: async ({ id }: { id: number }) => services[id]?.process.stop(),
  };

  const secret = crypto.randomUUID();
  const server = createServer((request, response) => void answerTo(request, response));
  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    last = Date.now();
    const name = request.url?.split("/")[2] as keyof Operations;
    const answer = await (async () => {
      if (request.url?.split("/")[1] !== secret || !Object.hasOwn(operations, name))
        throw new Error(`no ${request.url} here`);
      return { value: (await operations[name](JSON.parse(await bodyOf(request)) as never)) ?? null };
    })().catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }));
    last = Date.now();
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`,
    results,
    secrets,
    get ended() {
      return ended;
    },
    silence: () => Date.now() - last,
    async close() {
      server.closeAllConnections();
      server.close();
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
