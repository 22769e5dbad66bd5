/** A proxy of the local service that gives an answer of its own to the writes of translations. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Answer {
  readonly status: number;
  /** JSON, or the text of a page. */
  readonly body: object | string;
}

export interface FaultyService {
  readonly baseUrl: string;
  /** Answers each request that writes translations so from now on; `null`: as the service does. */
  refuseWrites(answer: Answer | null): void;
  /** Answers no request that writes translations until it is released, which ends their connections. */
  holdWrites(): { readonly count: () => number; release(): void };
  /** Answers every request so from now on; `null`: as the service does. */
  refuseAll(answer: Answer | null): void;
  close(): void;
}

/** Starts the proxy of a service. */
export async function startFaultyService(upstream: string): Promise<FaultyService> {
  let ofWrites: Answer | null = null;
  let ofAll: Answer | null = null;
  let held: ServerResponse[] | null = null;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "GET", url = "" } = request;
      const isWrite = method === "PUT" && url.includes("/translations/");
      if (isWrite && held !== null) return void held.push(response);
      const refused = ofAll ?? (isWrite ? ofWrites : null);
      if (refused !== null) return send(response, refused);
      const { authorization = "", "content-type": type = "application/json" } = request.headers;
      const body = parts.length === 0 ? {} : { body: Buffer.concat(parts) };
      const headers = { authorization, "content-type": type };
      fetch(upstream + url.replace(/^\/v1/u, ""), { method, headers, ...body })
        .then(async (answer) => {
          const { status, headers } = answer;
          const { "content-encoding": _, "content-length": __, ...kept } = Object.fromEntries(headers);
          response.writeHead(status, kept).end(Buffer.from(await answer.arrayBuffer()));
        })
        .catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    refuseWrites: (answer) => (ofWrites = answer),
    holdWrites: () => {
      const responses: ServerResponse[] = (held = []);
      return {
        count: () => responses.length,
        release: () => {
          held = null;
          for (const response of responses) response.destroy();
        },
      };
    },
    refuseAll: (answer) => (ofAll = answer),
    close: () => void server.close(),
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const isPage = typeof body === "string";
  response
    .writeHead(status, { "content-type": isPage ? "text/html" : "application/json" })
    .end(isPage ? body : JSON.stringify(body));
}
