/**
 * A proxy of the local service in the runner's process, so that it outlives windows. It records requests, can report
 * every job as running, and can delay responses.
 */
import { onPage } from "../harness/bridge-client.ts";

export interface RecordedRequest {
  /** Method and path, without the version and the query. */
  readonly line: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface ProxyState {
  readonly baseUrl: string;
  readonly requests: RecordedRequest[];
  running: boolean;
  hold: string | null;
  held: number;
  /** Ends the connections whose answers are held. */
  drop: () => void;
}

/** Starts the proxy, unless an earlier window did, and returns its base URL. */
export function startServiceProxy(service: string): Promise<string> {
  return onPage(async (_page, upstream) => {
    const place = globalThis as { interruptions?: ProxyState };
    if (place.interruptions !== undefined) return place.interruptions.baseUrl;
    const { createServer, request: ask } = process.getBuiltinModule("node:http");
    const requests: RecordedRequest[] = [];
    const waiting = new Set<{ destroy: () => unknown }>();
    const drop = () => {
      for (const response of waiting) response.destroy();
      waiting.clear();
    };
    const state = { running: false, hold: null as string | null, held: 0, drop };
    const server = createServer((request, response) => {
      const path = (request.url ?? "").replace(/^\/v1/, "");
      const line = `${request.method} ${path.replace(/\?.*$/, "")}`;
      requests.push({ line, at: Date.now() });
      const headers = { ...request.headers, "accept-encoding": "identity" };
      const onward = ask(upstream + path, { method: request.method ?? "GET", headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          let body = Buffer.concat(parts);
          if (state.running && line.startsWith("GET /jobs/")) {
            const { data } = JSON.parse(body.toString()) as { data: object };
            const job = { ...data, status: "running", result: null, finishedAt: null };
            body = Buffer.from(JSON.stringify({ data: job }));
          }
          if (state.hold !== null && line.startsWith(state.hold)) {
            state.held += 1;
            waiting.add(response);
            return;
          }
          const { "transfer-encoding": _, ...kept } = answer.headers;
          response.writeHead(answer.statusCode ?? 500, { ...kept, "content-length": body.length });
          response.end(body);
        });
      });
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    server.unref();
    const { port } = server.address() as { port: number };
    place.interruptions = Object.assign(state, { baseUrl: `http://127.0.0.1:${port}/v1`, requests });
    return place.interruptions.baseUrl;
  }, service);
}

/** Returns the requests so far. */
export const requests = (): Promise<readonly RecordedRequest[]> =>
  onPage(() =>
    Promise.resolve((globalThis as unknown as { interruptions: ProxyState }).interruptions.requests),
  );

/** Sets whether every job is reported as running. */
export const keepJobsRunning = (running: boolean): Promise<void> =>
  onPage((_page, value) => {
    (globalThis as unknown as { interruptions: ProxyState }).interruptions.running = value;
    return Promise.resolve();
  }, running);

/** Holds the answers to requests whose line starts so, which the service receives; `null`: no more. */
export const holdAnswers = (line: string | null): Promise<void> =>
  onPage(
    (_page, { value }) => {
      const state = (globalThis as unknown as { interruptions: ProxyState }).interruptions;
      state.hold = value;
      state.held = 0;
      return Promise.resolve();
    },
    { value: line },
  );

/** Returns the number of answers held since `holdAnswers`. */
export const heldAnswers = (): Promise<number> =>
  onPage(() => Promise.resolve((globalThis as unknown as { interruptions: ProxyState }).interruptions.held));

/** Ends the connections of held answers. */
export const dropAnswers = (): Promise<void> =>
  onPage(() => {
    (globalThis as unknown as { interruptions: ProxyState }).interruptions.drop();
    return Promise.resolve();
  });
