/** A handwritten service on real sockets for one test, a fake clock, and a log that is searched for the token. */
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, expect } from "vitest";
import { createClient, type Client, type ClientSettings } from "../../../src/api/client.ts";
import { isApiError, type ApiError } from "../../../src/api/errors.ts";
import type { Timeouts } from "../../../src/api/send-with-retry.ts";
import { FakeClock, nextMacrotask } from "../support/fake-clock.ts";

export const TOKEN = "ptk_5ecret|Zx/81-kq0v";

/** One request as the service saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly socket: net.Socket;
  json(): unknown;
}

/** What a test answers with: a body is JSON unless a content type says something else. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Handler = (seen: Seen, index: number) => Reply | Promise<Reply>;

const open: (() => Promise<void>)[] = [];
const logs: string[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
  const output = logs.splice(0).join("\n");
  expect(output).not.toContain(TOKEN);
  expect(output).not.toContain(TOKEN.split("|")[1]);
});

/** Starts a service on a free port of this machine; it ends with the test. */
export async function serve(handler: Handler): Promise<{ readonly port: number; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => undefined);
    request.on("end", () => {
      const url = new URL(request.url ?? "", "http://host");
      const body = Buffer.concat(parts);
      const one: Seen = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
        socket: request.socket,
        json: () => JSON.parse(body.toString()) as unknown,
      };
      seen.push(one);
      void (async () => {
        const reply = await handler(one, seen.length - 1);
        const raw = typeof reply.body === "string" || Buffer.isBuffer(reply.body);
        response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
        response.end(reply.body === undefined ? undefined : raw ? reply.body : JSON.stringify(reply.body));
      })();
    });
  });
  return { port: await listen(server, () => server.closeAllConnections()), seen };
}

/** Starts a server of bare sockets; `index` counts the connections. */
export async function serveSockets(
  handler: (socket: net.Socket, index: number) => void,
): Promise<{ readonly port: number; connections: () => number }> {
  let count = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    // Only a whole head of a request is answered.
    socket.once("data", () => handler(socket, count++));
  });
  return {
    port: await listen(server, () => sockets.forEach((socket) => socket.destroy())),
    connections: () => count,
  };
}

async function listen(server: net.Server, drop: () => void): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    drop();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return (server.address() as AddressInfo).port;
}

export interface ClientHarness {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly log: string[];
  /** Requests on the wire right now. */
  inFlight(): number;
  /** Moves the clock whenever nothing is on the wire, until the promise is settled. */
  readonly drive: <T>(promise: Promise<T>) => Promise<T>;
}

/** A client of that port. */
export function createClientHarness(
  port: number,
  options: {
    fetch?: typeof fetch;
    timeouts?: Partial<Timeouts>;
    token?: string;
    random?: () => number;
  } & Partial<Pick<ClientSettings, "locale" | "baseUrl" | "onWait" | "maxBytes">> = {},
): ClientHarness {
  const clock = new FakeClock();
  const log: string[] = [];
  const write = (text: string): void => void (log.push(text), logs.push(text));
  let inFlight = 0;
  const base = options.fetch ?? globalThis.fetch;
  const counted: typeof fetch = (input, init) => {
    inFlight += 1;
    // The client lets go of every attempt by aborting its own signal.
    init?.signal?.addEventListener("abort", () => (inFlight -= 1), { once: true });
    return base(input, init);
  };
  const client = createClient({
    baseUrl: options.baseUrl ?? `http://127.0.0.1:${port}/v1`,
    token: options.token ?? TOKEN,
    fetch: counted,
    clock,
    log: { debug: write, warn: write },
    locale: options.locale ?? (() => "en"),
    random: options.random ?? (() => 0.5),
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
    ...(options.onWait === undefined ? {} : { onWait: options.onWait }),
    ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
  });
  return {
    client,
    clock,
    log,
    inFlight: () => inFlight,
    drive: async (promise) => {
      const state = { settled: false };
      const settle = (): void => void (state.settled = true);
      promise.then(settle, settle);
      while (!state.settled) {
        await nextMacrotask();
        if (!state.settled && inFlight === 0 && clock.pendingCount > 0) await clock.next();
      }
      return promise;
    },
  };
}

/** The ApiError that the promise rejects with; anything else fails the test. No part of it may hold the token. */
export async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isApiError(error)) throw new Error("not an ApiError", { cause: error });
  logs.push(inspect(error, { depth: 9, showHidden: true }));
  return error;
}

export const STATS = { data: { contentVersion: 7, languages: [] } };
export const SYNCED = { created: 1, updated: 0, restored: 0, unchanged: 0, archived: 0, rejected: [] };
export const JOB = {
  id: 12,
  type: "import",
  status: "queued",
  progress: null,
  result: null,
  error: null,
  createdAt: "2026-01-01T00:00:00Z",
  startedAt: null,
  finishedAt: null,
};
export const KEY = {
  hash: "83f3111fd4c048fcb4363a98183ad437c5685abd",
  namespace: "*",
  key: "welcome",
  context: null,
  isPlural: false,
  description: null,
  maxLength: null,
  sourceHash: null,
  source: { value: "Welcome" },
  tags: ["web"],
  archived: false,
  updatedAt: "2026-01-01T00:00:00Z",
};
export const ROW = {
  hash: KEY.hash,
  namespace: "*",
  key: "welcome",
  context: null,
  isPlural: false,
  value: "Welkom",
  forms: null,
  isTranslated: true,
  isOutdated: false,
  issues: [],
  version: 3,
  updatedAt: "2026-01-01T00:00:00Z",
};
