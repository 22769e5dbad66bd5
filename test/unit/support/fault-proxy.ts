/**
 * A TCP proxy between a client and the local service that injects the faults of networks, gateways and services. The test
 * chooses the fault of each request (`Fault`); without one the request is forwarded.
 */
import { Agent, request as httpRequest } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { UNTRUSTED } from "./untrusted-certificate.ts";

/** A received request. `path` is without the version segment and the query. */
export interface ProxiedRequest {
  /** The request's id, given by the client (header `x-request-number`, which is not forwarded). */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response to send; its `Content-Length` is added. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One request and what a fault can do with it; it must end with a response, a reset or `hang`. */
export interface Exchange {
  readonly request: ProxiedRequest;
  /** Forwards the request to the service and returns its response. @param query replaces parameters of the request */
  forward(query?: Readonly<Record<string, string>>): Promise<Answer>;
  answer(answer: Answer): void;
  /** Sends the head and half of the body, then nothing; the connection stays open. */
  sendHalf(answer: Answer): void;
  /** Like `sendHalf`, but closes the connection. */
  truncate(answer: Answer): void;
  /** Sends the response in pieces, with a pause before each. */
  trickle(answer: Answer, pieces: number, pause: () => Promise<void>): Promise<void>;
  /** Resets the connection. */
  reset(): void;
  /** Sends nothing; the connection stays open. */
  hang(): void;
}

export type Fault = (passage: Exchange) => Promise<void> | void;

/** An entry of the proxy's log. `status`: of the response; `null` if no complete response was sent. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  wasForwarded: boolean;
  status: number | null;
}

const passThrough: Fault = async (passage) => passage.answer(await passage.forward());

export class FaultProxy {
  readonly #service: URL;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #sockets = new Set<Socket>();
  readonly #hanging = new Set<string>();
  readonly #sentBytes = new Map<string, number>();
  #server: Server;
  readonly #tls: Server;
  readonly #port: number;
  readonly #log: LoggedRequest[] = [];
  #lastId = 0;
  /** Returns the fault of a request; `undefined` forwards it. */
  fault: (asked: ProxiedRequest) => Fault | undefined = () => undefined;

  private constructor(service: URL, server: Server, tls: Server) {
    this.#service = service;
    this.#server = server;
    this.#tls = tls;
    this.#port = (server.address() as AddressInfo).port;
    this.#serve(server);
    this.#trackSockets(tls);
    // A client that does not trust the certificate ends the handshake.
    tls.on("tlsClientError", () => undefined);
  }

  /** Opens a proxy for the service with this base URL. */
  static async open(baseUrl: string): Promise<FaultProxy> {
    const server = createServer();
    const tls = createTlsServer(UNTRUSTED);
    await Promise.all([listen(server, 0), listen(tls, 0)]);
    return new FaultProxy(new URL(baseUrl), server, tls);
  }

  /** The service's base URL with the proxy's port. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}${this.#service.pathname}`;
  }

  /** An origin with an untrusted TLS certificate. */
  get untrustedOrigin(): string {
    return `https://127.0.0.1:${(this.#tls.address() as AddressInfo).port}`;
  }

  /** Returns and clears the log, in order. */
  takeLog(): LoggedRequest[] {
    return this.#log.splice(0);
  }

  /** Returns a new request id. */
  newId(): string {
    return String(++this.#lastId);
  }

  /** Returns whether no further bytes will be sent for the request. */
  isHanging(id: string): boolean {
    return this.#hanging.has(id);
  }

  /** Returns the number of body bytes sent for the request. */
  bytesFor(id: string): number {
    return this.#sentBytes.get(id) ?? 0;
  }

  /** Closes the port: connections are refused. */
  async closePort(): Promise<void> {
    if (!this.#server.listening) return;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Listens on the same port again. */
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

  #trackSockets(server: Server): void {
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay();
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => undefined);
    });
  }

  #serve(server: Server): void {
    this.#trackSockets(server);
    server.on("connection", (socket) => {
      let pending: Buffer = Buffer.alloc(0);
      socket.on("data", (part: Buffer) => {
        pending = Buffer.concat([pending, part]);
        // The first byte of a TLS handshake: respond like a server without TLS.
        if (pending[0] === 0x16) return void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
        for (let read = readRequest(pending, this.#service.pathname); read !== null;) {
          pending = read.rest;
          void this.#handle(socket, read.asked, read.target);
          read = readRequest(pending, this.#service.pathname);
        }
      });
    });
  }

  async #handle(socket: Socket, asked: ProxiedRequest, target: string): Promise<void> {
    const logged: LoggedRequest = {
      method: asked.method,
      path: asked.path,
      wasForwarded: false,
      status: null,
    };
    this.#log.push(logged);
    const send = (answer: Answer, from: number, to: number): void => {
      const part = answer.body.subarray(from, to);
      this.#sentBytes.set(asked.id, (this.#sentBytes.get(asked.id) ?? 0) + part.length);
      socket.write(from === 0 ? Buffer.concat([Buffer.from(headOf(answer), "latin1"), part]) : part);
    };
    const passage: Exchange = {
      request: asked,
      forward: async (query) => {
        const answer = await this.#forward(asked, target, query);
        logged.wasForwarded = true;
        return answer;
      },
      answer: (answer) => {
        logged.status = answer.status;
        send(answer, 0, answer.body.length);
      },
      sendHalf: (answer) => {
        send(answer, 0, Math.ceil(answer.body.length / 2));
        this.#hanging.add(asked.id);
      },
      truncate: (answer) => {
        send(answer, 0, Math.ceil(answer.body.length / 2));
        socket.end();
      },
      trickle: async (answer, pieces, pause) => {
        const size = Math.ceil(answer.body.length / pieces);
        for (let at = 0; at < answer.body.length; at += size) {
          this.#hanging.add(asked.id);
          await pause();
          this.#hanging.delete(asked.id);
          send(answer, at, at + size);
        }
        logged.status = answer.status;
      },
      reset: () => void socket.resetAndDestroy(),
      hang: () => void this.#hanging.add(asked.id),
    };
    try {
      await (this.fault(asked) ?? passThrough)(passage);
    } catch {
      // The service or the client has closed the connection.
      socket.destroy();
    }
  }

  #forward(
    asked: ProxiedRequest,
    target: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const url = new URL(target, this.#service);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const {
      host: _,
      "x-request-number": __,
      "accept-encoding": ___,
      connection: ____,
      ...headers
    } = asked.headers;
    return new Promise((resolve, reject) => {
      const request = httpRequest(url, { method: asked.method, headers, agent: this.#agent }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
          const forwarded = headers.filter(([name]) => !HOP_BY_HOP_HEADERS.has(name ?? ""));
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(forwarded) as Record<string, string>,
            body: Buffer.concat(parts),
          });
        });
      });
      request.on("error", reject);
      request.end(asked.body);
    });
  }
}

/** Headers that apply to one connection only. */
const HOP_BY_HOP_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

function headOf({ status, headers, body }: Answer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // A response without a body has no length (RFC 9110, 304).
  const length = status === 304 || status === 204 ? "" : `content-length: ${body.length}\r\n`;
  return `HTTP/1.1 ${status} X\r\n${lines.join("")}${length}\r\n`;
}

/** Returns the first complete request in the bytes; `null` if it is incomplete. */
function readRequest(
  bytes: Buffer,
  version: string,
): { asked: ProxiedRequest; target: string; rest: Buffer } | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  if (headers["transfer-encoding"] !== undefined) throw new Error("chunked request bodies are not supported");
  const bodyEnd = headEnd + 4 + Number(headers["content-length"] ?? 0);
  if (bytes.length < bodyEnd) return null;
  const url = new URL(target, "http://proxy");
  const asked = {
    id: headers["x-request-number"] ?? "",
    method,
    path: url.pathname.slice(version.length),
    query: url.searchParams,
    headers,
    body: bytes.subarray(headEnd + 4, bodyEnd),
  };
  return { asked, target, rest: bytes.subarray(bodyEnd) };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
