/**
 * A TCP proxy between a client and the local service that does to requests and answers what bad networks, gateways
 * and services do. What befalls a request is the test's choice (`Fault`); without one it passes. It knows nothing of
 * clients.
 */
import { Agent, request as httpRequest } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { UNTRUSTED } from "./untrusted-certificate.ts";

/** One request as it came in. `path` is without the version segment and the query. */
export interface Asked {
  /** Who asked, by the client's own count (header `x-asked`, which goes no further). */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer as it goes out; its length is counted when it does. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a fault can do with one request; in the end it answers, resets or holds. */
export interface Passage {
  readonly asked: Asked;
  /** Hands the request on to the service and takes its answer; `query` members replace those that were asked. */
  take(query?: Readonly<Record<string, string>>): Promise<Answer>;
  answer(answer: Answer): void;
  /** The head with the whole length and only the first half of the body; the connection stays. */
  half(answer: Answer): void;
  /** As `half`, and then the end of the connection. */
  cut(answer: Answer): void;
  /** The whole answer in so many pieces, each after a pause. */
  trickle(answer: Answer, pieces: number, pause: () => Promise<void>): Promise<void>;
  /** The connection is reset. */
  reset(): void;
  /** Nothing more comes, and the connection stays. */
  hold(): void;
}

export type Fault = (passage: Passage) => Promise<void> | void;

/** A request in the proxy's log: whether the service took it, and what went back (`null`: nothing whole). */
export interface Logged {
  readonly method: string;
  readonly path: string;
  taken: boolean;
  status: number | null;
}

const passes: Fault = async (passage) => passage.answer(await passage.take());

export class FaultProxy {
  readonly #service: URL;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #sockets = new Set<Socket>();
  readonly #held = new Set<string>();
  readonly #sent = new Map<string, number>();
  #server: Server;
  readonly #tls: Server;
  readonly #port: number;
  readonly #log: Logged[] = [];
  #ids = 0;
  /** What befalls a request. */
  fault: (asked: Asked) => Fault | undefined = () => undefined;

  private constructor(service: URL, server: Server, tls: Server) {
    this.#service = service;
    this.#server = server;
    this.#tls = tls;
    this.#port = (server.address() as AddressInfo).port;
    this.#serve(server);
    this.#keep(tls);
    // A client that does not trust the certificate ends the handshake.
    tls.on("tlsClientError", () => undefined);
  }

  /** In front of the service with this base URL. */
  static async open(baseUrl: string): Promise<FaultProxy> {
    const server = createServer();
    const tls = createTlsServer(UNTRUSTED);
    await Promise.all([listen(server, 0), listen(tls, 0)]);
    return new FaultProxy(new URL(baseUrl), server, tls);
  }

  /** As the service's, with the proxy's port. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}${this.#service.pathname}`;
  }

  /** Where TLS is spoken with a certificate that nobody vouches for. */
  get untrustedOrigin(): string {
    return `https://127.0.0.1:${(this.#tls.address() as AddressInfo).port}`;
  }

  /** What was asked since the last call, in order. */
  taken(): Logged[] {
    return this.#log.splice(0);
  }

  /** What a request is told apart by. */
  newId(): string {
    return String(++this.#ids);
  }

  /** Whether the request is held on purpose: nothing will come of it. */
  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  /** Bytes of the body that have gone out for this request. */
  bytesFor(id: string): number {
    return this.#sent.get(id) ?? 0;
  }

  /** From now on nobody listens at the port. */
  async closePort(): Promise<void> {
    if (!this.#server.listening) return;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Listens at the same port again. */
  async openPort(): Promise<void> {
    if (this.#server.listening) return;
    this.#server = createServer();
    this.#serve(this.#server);
    await listen(this.#server, this.#port);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
    await Promise.all(
      [this.#server, this.#tls].map(
        (server) =>
          new Promise<void>((resolve) => (server.listening ? server.close(() => resolve()) : resolve())),
      ),
    );
  }

  #keep(server: Server): void {
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay();
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => undefined);
    });
  }

  #serve(server: Server): void {
    this.#keep(server);
    server.on("connection", (socket) => {
      let pending: Buffer = Buffer.alloc(0);
      socket.on("data", (part: Buffer) => {
        pending = Buffer.concat([pending, part]);
        // The first byte of a TLS handshake: as a server does that speaks none.
        if (pending[0] === 0x16) return void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
        for (let read = readRequest(pending, this.#service.pathname); read !== null;) {
          pending = read.rest;
          void this.#pass(socket, read.asked, read.target);
          read = readRequest(pending, this.#service.pathname);
        }
      });
    });
  }

  async #pass(socket: Socket, asked: Asked, target: string): Promise<void> {
    const logged: Logged = { method: asked.method, path: asked.path, taken: false, status: null };
    this.#log.push(logged);
    const send = (answer: Answer, from: number, to: number): void => {
      const part = answer.body.subarray(from, to);
      this.#sent.set(asked.id, (this.#sent.get(asked.id) ?? 0) + part.length);
      socket.write(from === 0 ? Buffer.concat([Buffer.from(headOf(answer), "latin1"), part]) : part);
    };
    const passage: Passage = {
      asked,
      take: async (query) => {
        const answer = await this.#ask(asked, target, query);
        logged.taken = true;
        return answer;
      },
      answer: (answer) => {
        logged.status = answer.status;
        send(answer, 0, answer.body.length);
      },
      half: (answer) => {
        send(answer, 0, Math.ceil(answer.body.length / 2));
        this.#held.add(asked.id);
      },
      cut: (answer) => {
        send(answer, 0, Math.ceil(answer.body.length / 2));
        socket.end();
      },
      trickle: async (answer, pieces, pause) => {
        const size = Math.ceil(answer.body.length / pieces);
        for (let at = 0; at < answer.body.length; at += size) {
          this.#held.add(asked.id);
          await pause();
          this.#held.delete(asked.id);
          send(answer, at, at + size);
        }
        logged.status = answer.status;
      },
      reset: () => void socket.resetAndDestroy(),
      hold: () => void this.#held.add(asked.id),
    };
    try {
      await (this.fault(asked) ?? passes)(passage);
    } catch {
      // The service is gone, or the client is; either way there is nobody to answer.
      socket.destroy();
    }
  }

  #ask(asked: Asked, target: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const url = new URL(target, this.#service);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { host: _, "x-asked": __, "accept-encoding": ___, connection: ____, ...headers } = asked.headers;
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: asked.method, headers, agent: this.#agent }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
          const kept = told.filter(([name]) => !HOP.has(name ?? ""));
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(kept) as Record<string, string>,
            body: Buffer.concat(parts),
          });
        });
      });
      request.on("error", reject);
      request.end(asked.body);
    });
  }
}

/** Headers of one connection, which a proxy writes anew. */
const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

function headOf({ status, headers, body }: Answer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // An answer without a body has no length either (RFC 9110, 304).
  const length = status === 304 || status === 204 ? "" : `content-length: ${body.length}\r\n`;
  return `HTTP/1.1 ${status} X\r\n${lines.join("")}${length}\r\n`;
}

/** The first whole request in the bytes; `null`: more is to come. */
function readRequest(bytes: Buffer, version: string): { asked: Asked; target: string; rest: Buffer } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  if (headers["transfer-encoding"] !== undefined) throw new Error("the client sends bodies of known length");
  const stop = end + 4 + Number(headers["content-length"] ?? 0);
  if (bytes.length < stop) return null;
  const url = new URL(target, "http://proxy");
  const asked = {
    id: headers["x-asked"] ?? "",
    method,
    path: url.pathname.slice(version.length),
    query: url.searchParams,
    headers,
    body: bytes.subarray(end + 4, stop),
  };
  return { asked, target, rest: bytes.subarray(stop) };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
