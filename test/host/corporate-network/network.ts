/**
 * A corporate network: an authenticating CONNECT proxy that keeps a log, and TLS services behind it. Real servers of
 * node:http and node:tls.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";

/** An address of this machine that VS Code, unlike 127.0.0.1, may send to a proxy. */
export const ADDRESS = "127.0.0.2";
/** A name that only the proxy knows the way to. */
export const NAME = "translations.corp.test";

/** A tunnel that was asked for. */
export interface Tunnel {
  readonly port: number;
  /** As it came, with all headers. */
  readonly head: string;
  readonly status: number;
}

export class ConnectProxy {
  readonly #sockets = new Set<Duplex>();
  readonly #tunnels: Tunnel[] = [];
  /** All that came from clients, inside of tunnels too. */
  readonly #heard: Buffer[] = [];
  #server: Server | null = null;
  #port = 0;
  /** `name:password`. */
  wants = "anna:s3cret";
  /** What is answered instead of opening a tunnel. */
  refuses: number | null = null;

  get port(): number {
    return this.#port;
  }

  /** Tunnels that were asked for to a port. */
  tunnels(port: number): readonly Tunnel[] {
    return this.#tunnels.filter((tunnel) => tunnel.port === port);
  }

  /** Whether anything that the proxy could read holds the text. */
  heard(text: string): boolean {
    return Buffer.concat(this.#heard).includes(text) || this.#tunnels.some(({ head }) => head.includes(text));
  }

  /** Listens; the second time on the port of the first. */
  async open(): Promise<void> {
    const server = createServer((_, response) => void response.writeHead(405).end());
    server.on("connection", (socket) => this.#keep(socket));
    server.on("connect", (request: IncomingMessage, socket: Socket) => this.#connect(request, socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Goes down, with every tunnel. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #connect(request: IncomingMessage, socket: Socket): void {
    const port = Number(/:(\d+)$/u.exec(request.url ?? "")?.[1]);
    const given = /^Basic (.*)$/u.exec(request.headers["proxy-authorization"] ?? "")?.[1] ?? "";
    const isKnown = Buffer.from(given, "base64").toString() === this.wants;
    const status = this.refuses ?? (isKnown ? 200 : 407);
    const head = [`CONNECT ${request.url}`, ...request.rawHeaders].join("\n");
    this.#tunnels.push({ port, head, status });
    if (status !== 200) {
      const asks = status === 407 ? 'Proxy-Authenticate: Basic realm="corp"\r\n' : "";
      socket.end(`HTTP/1.1 ${status} No\r\n${asks}Content-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    const onward = connect(port, ADDRESS);
    this.#keep(onward);
    socket.on("data", (chunk: Buffer) => this.#heard.push(chunk));
    onward.once("connect", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.once("close", () => socket.destroy());
    socket.once("close", () => onward.destroy());
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** A certificate and its key, both PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** TLS in front of the local service, on a port of its own. */
export async function openFront(
  service: URL,
  identity: Identity,
): Promise<{ readonly port: number; requests(): number; close(): void }> {
  const sockets = new Set<Socket>();
  let heard = "";
  const server = createTlsServer(identity, (socket) => {
    const onward = connect(Number(service.port), service.hostname);
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on("error", () => {});
      each.once("close", () => {
        socket.destroy();
        onward.destroy();
      });
    }
    socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
    socket.pipe(onward).pipe(socket);
  });
  // A client that does not trust the certificate ends the handshake.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => heard.split(/^(?:GET|POST|PUT|PATCH) \//mu).length - 1,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
