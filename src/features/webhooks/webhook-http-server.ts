/**
 * An HTTP server on the loopback address for webhook deliveries (§ Events): verifies the raw body, responds immediately and
 * processes the delivery afterwards. Independent of projects.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyDelivery, type Delivery } from "../../api/webhook-verification.ts";

interface ListenerDependencies {
  /** Resolves to `undefined` while it is not known: deliveries are refused, and the service repeats them. */
  readonly secret: () => PromiseLike<string | undefined>;
  /** Called with each verified delivery, after the response. */
  readonly received: (delivery: Delivery) => void;
  /** Called with the reason when a delivery is refused. */
  readonly refused: (reason: string) => void;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Payloads contain only counters and locales (§ Delivery), so even a thousand languages are far below this. */
const MAX_BYTES = 1024 * 1024;
/** The service waits 5 seconds for a response (§ Limits), so slower requests are not from the service. */
const TIMEOUT_MS = 5000;
/** The service sends few deliveries at once. */
const MAX_CONNECTIONS = 16;

const TIMING = {
  headersTimeout: TIMEOUT_MS,
  requestTimeout: TIMEOUT_MS,
  keepAliveTimeout: TIMEOUT_MS,
  connectionsCheckingInterval: 1000,
};

/** Listens on the port; 0 selects a free one. Rejects if the port is in use. */
export async function listen(port: number, dependencies: ListenerDependencies): Promise<Listener> {
  const server = createServer(TIMING, (request, response) => {
    answer(request, response, dependencies).catch((error: unknown) => {
      dependencies.refused(String(error));
      end(response, 500);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    const isClosed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await isClosed;
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  dependencies: ListenerDependencies,
): Promise<void> {
  // Aborted requests are ignored.
  request.on("error", () => {});
  response.on("error", () => {});
  if (request.method !== "POST") return end(response, 405);
  const body = await bodyOf(request);
  if (body === null) {
    dependencies.refused("too large");
    response.once("finish", () => request.destroy());
    return end(response, 413);
  }
  const secret = await dependencies.secret();
  if (secret === undefined) {
    dependencies.refused("no secret is known");
    return end(response, 401);
  }
  const header = (name: string): string | undefined => {
    const value = request.headers[name.toLowerCase()];
    return typeof value === "string" ? value : undefined;
  };
  const received = verifyDelivery({ header, body }, secret);
  if (received.kind === "refused") {
    dependencies.refused(received.reason);
    return end(response, received.reason === "unreadable" ? 422 : 401);
  }
  response.once("close", () => dependencies.received(received.delivery));
  return end(response, 204);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 413 ? { Connection: "close" } : {});
  response.end();
}

/** Reads the raw body; `null` if it is too large. An aborted body is returned truncated. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | null> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BYTES) return null;
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MAX_BYTES) return null;
      parts.push(part);
    }
  } catch {
    // Truncated: its signature will not match.
  }
  return Buffer.concat(parts);
}
