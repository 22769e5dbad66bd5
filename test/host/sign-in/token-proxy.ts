/** A proxy with one base URL for several services; the token of a request selects the service. */
import { createServer, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { addSecret } from "../harness/bridge-client.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";

export interface TokenProxy {
  readonly baseUrl: string;
  /** Assigns a token to a service. */
  add(token: string, service: RunningService): Promise<void>;
  /** Answers a request (`GET /stats`) instead of its service; `undefined`: the service does. */
  answer: (request: string, token: string) => { readonly status: number; readonly body: object } | undefined;
  /** Returns method and path, and token, of the requests since the last call. */
  takeRequests(): readonly { readonly line: string; readonly token: string }[];
  close(): void;
}

/** Starts a proxy on a free port of the loopback address. */
export async function startTokenProxy(): Promise<TokenProxy> {
  const services = new Map<string, RunningService>();
  const requests: { line: string; token: string }[] = [];
  const json = (answer: ServerResponse, status: number, body: object): void => {
    answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, answer) => {
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const path = request.url ?? "";
    const line = `${request.method} ${path.replace("/v1", "")}`;
    requests.push({ line, token });
    const service = services.get(token);
    const own = proxy.answer(line, token);
    request.on("error", () => {});
    if (own !== undefined) return json(answer, own.status, own.body);
    if (service === undefined) return json(answer, 401, { message: "Unknown token" });
    const { hostname: host, port } = new URL(service.baseUrl);
    const headers = { ...request.headers, authorization: `Bearer ${service.token}` };
    const onward = httpRequest({ host, port, path, method: request.method, headers }, (upstream) => {
      answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
      upstream.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    return request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: TokenProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    add: async (token, service) => {
      await addSecret(token);
      services.set(token, service);
    },
    answer: () => undefined,
    takeRequests: () => requests.splice(0),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
