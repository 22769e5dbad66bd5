/** A webhook receiver that verifies deliveries as the document says and records them. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TIMESTAMP } from "./http.ts";

interface Delivery {
  readonly event: string;
  readonly id: string;
  readonly createdAt: string;
  readonly data: Record<string, unknown>;
  readonly project: unknown;
  /** When it came, milliseconds since the epoch. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** What was wrong with what came; a test expects none. */
  readonly faults: readonly string[];
  /** Waits for this many deliveries of an event. */
  wait(event: string, count?: number): Promise<Delivery[]>;
  close(): Promise<void>;
}

/** `answer`: status and headers for the n-th request (0 first); `null`: never answers. Default: 204. */
export async function receiver(
  secret: string,
  answer: (index: number) => { status: number; headers?: Record<string, string> } | null = () => ({
    status: 204,
  }),
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const faults: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const raw = Buffer.concat(parts);
      const header = (name: string): string => String(request.headers[name]);
      const timestamp = header("x-service-timestamp");
      const expected = `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(raw).digest("hex")}`;
      const given = header("x-service-signature");
      const body = JSON.parse(raw.toString()) as Delivery;
      if (request.method !== "POST") faults.push(`method ${request.method}`);
      if (!/^\d+$/u.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300)
        faults.push(`timestamp ${timestamp}`);
      if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected)))
        faults.push(`signature ${given}`);
      if (header("x-service-event") !== body.event) faults.push("event");
      if (header("x-service-delivery") !== body.id) faults.push("delivery");
      if (!header("content-type").startsWith("application/json")) faults.push("content type");
      if (!TIMESTAMP.test(body.createdAt)) faults.push(`createdAt ${body.createdAt}`);
      const index = deliveries.push({ ...body, at: Date.now() }) - 1;
      const reply = answer(index);
      if (reply !== null) response.writeHead(reply.status, reply.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    faults,
    wait: async (event, count = 1) => {
      // Until the test's own time is over: how long a delivery takes depends on what else the machine does.
      for (;;) {
        const found = deliveries.filter((delivery) => delivery.event === event);
        if (found.length >= count) return found;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
