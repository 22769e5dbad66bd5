/**
 * A listener on the loopback address that takes the service's webhook deliveries (§ Events): checked over the raw body,
 * answered at once, and only then acted upon. It knows no project.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { receive, type Delivery, type DeliveryDependencies } from "../../api/webhook-verification.ts";

export interface ListenerDependencies {
  /** `null` while none is known: every delivery is refused then, and the service sends it again. */
  readonly secret: () => string | null;
  /** Notes a delivery that is the service's own; what it returns is done after the answer. */
  readonly take: (delivery: Delivery) => () => void;
  /** A delivery was refused, and why. */
  readonly refused: (reason: string) => void;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Payloads hold counters and locales only (§ Delivery): a project of a thousand languages stays far below. Bytes. */
const MAX_BYTES = 1024 * 1024;
/** The service waits 5 seconds for an answer (§ Limits); whoever takes longer to ask is not the service. Milliseconds. */
const TIMEOUT_MS = 5000;
/** The service sends few at once; the rest of the machine has no business here. */
const MAX_CONNECTIONS = 16;

const platform: DeliveryDependencies = {
  hmac: (secret, ...parts) => {
    const hmac = createHmac("sha256", secret);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  },
  isSame: (a, b) => {
    const [left, right] = [Buffer.from(a), Buffer.from(b)];
    return left.length === right.length && timingSafeEqual(left, right);
  },
  now: () => Date.now(),
};

const TIMING = {
  headersTimeout: TIMEOUT_MS,
  requestTimeout: TIMEOUT_MS,
  keepAliveTimeout: TIMEOUT_MS,
  connectionsCheckingInterval: 1000,
};

/** Listens at the port, 0 for any that is free. Rejects when it is taken. */
export async function listen(port: number, dependencies: ListenerDependencies): Promise<Listener> {
  const server = createServer(TIMING, (request, response) => void answer(request, response, dependencies));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  dependencies: ListenerDependencies,
): Promise<void> {
  // Connections that break are their sender's own trouble.
  request.on("error", () => {});
  response.on("error", () => {});
  if (request.method !== "POST") return end(response, 405);
  const body = await bodyOf(request);
  if (body === null) {
    dependencies.refused("too large");
    response.once("finish", () => request.destroy());
    return end(response, 413);
  }
  const secret = dependencies.secret();
  if (secret === null) {
    dependencies.refused("no secret is known");
    return end(response, 401);
  }
  const header = (name: string): string | undefined => {
    const value = request.headers[name.toLowerCase()];
    return typeof value === "string" ? value : undefined;
  };
  const received = receive({ header, body }, secret, platform);
  if (received.kind === "refused") {
    dependencies.refused(received.reason);
    return end(response, received.reason === "unreadable" ? 422 : 401);
  }
  const act = dependencies.take(received.delivery);
  response.once("close", act);
  return end(response, 204);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 413 ? { Connection: "close" } : {});
  response.end();
}

/** The raw body; `null` when it is larger than any delivery. A body that breaks off is as short as it came. */
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
    // Its signature will not fit.
  }
  return Buffer.concat(parts);
}
