/**
 * A proxy before the local service, in the runner's process, so that it outlives every window: it notes what was asked,
 * says of jobs that they still run, and holds answers, until it is told otherwise.
 */
import { onPage } from "../harness/bridge-client.ts";

export interface Asked {
  /** Method and path, without the version and the query. */
  readonly words: string;
  /** Milliseconds. */
  readonly at: number;
}

interface Rig {
  readonly baseUrl: string;
  readonly asked: Asked[];
  running: boolean;
  hold: string | null;
  held: number;
  /** Ends the connections whose answers are held. */
  drop: () => void;
}

/** Opens it; out: its base URL. A second call, from a later window, finds the first one's. */
export function openHeldService(service: string): Promise<string> {
  return onPage(async (_page, upstream) => {
    const place = globalThis as { interruptions?: Rig };
    if (place.interruptions !== undefined) return place.interruptions.baseUrl;
    const { createServer, request: ask } = process.getBuiltinModule("node:http");
    const asked: Asked[] = [];
    const waiting = new Set<{ destroy: () => unknown }>();
    const drop = () => {
      for (const response of waiting) response.destroy();
      waiting.clear();
    };
    const state = { running: false, hold: null as string | null, held: 0, drop };
    const server = createServer((request, response) => {
      const path = (request.url ?? "").replace(/^\/v1/, "");
      const words = `${request.method} ${path.replace(/\?.*$/, "")}`;
      asked.push({ words, at: Date.now() });
      const headers = { ...request.headers, "accept-encoding": "identity" };
      const onward = ask(upstream + path, { method: request.method ?? "GET", headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          let body = Buffer.concat(parts);
          if (state.running && words.startsWith("GET /jobs/")) {
            const { data } = JSON.parse(body.toString()) as { data: object };
            const job = { ...data, status: "running", result: null, finishedAt: null };
            body = Buffer.from(JSON.stringify({ data: job }));
          }
          if (state.hold !== null && words.startsWith(state.hold)) {
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
    place.interruptions = Object.assign(state, { baseUrl: `http://127.0.0.1:${port}/v1`, asked });
    return place.interruptions.baseUrl;
  }, service);
}

/** What was asked so far. */
export const asked = (): Promise<readonly Asked[]> =>
  onPage(() => Promise.resolve((globalThis as unknown as { interruptions: Rig }).interruptions.asked));

/** Every job is said to be running, until it is told otherwise. */
export const keepJobsRunning = (running: boolean): Promise<void> =>
  onPage((_page, value) => {
    (globalThis as unknown as { interruptions: Rig }).interruptions.running = value;
    return Promise.resolve();
  }, running);

/** Answers to requests that begin so are held for ever, though the service took them; `null`: none any more. */
export const holdAnswers = (words: string | null): Promise<void> =>
  onPage(
    (_page, { value }) => {
      const rig = (globalThis as unknown as { interruptions: Rig }).interruptions;
      rig.hold = value;
      rig.held = 0;
      return Promise.resolve();
    },
    { value: words },
  );

/** How many answers are held since. */
export const heldAnswers = (): Promise<number> =>
  onPage(() => Promise.resolve((globalThis as unknown as { interruptions: Rig }).interruptions.held));

/** The connections of held answers are lost. */
export const dropAnswers = (): Promise<void> =>
  onPage(() => {
    (globalThis as unknown as { interruptions: Rig }).interruptions.drop();
    return Promise.resolve();
  });
