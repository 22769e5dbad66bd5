/** One base URL in front of several services: which one answers follows from the token, as at the real service. */
import { createServer, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { addSecret } from "../harness/bridge-client.ts";
import type { RunningService } from "../harness/bridge-protocol.ts";

export interface Front {
  readonly baseUrl: string;
  /** From now on this token is the service's. */
  add(token: string, service: RunningService): Promise<void>;
  /** What is answered instead of passing a request on: by its method, path and token. */
  answer: (asked: string, token: string) => { readonly status: number; readonly body: object } | undefined;
  /** Method, path and token of all that was asked since the last call. */
  taken(): readonly { readonly asked: string; readonly token: string }[];
  close(): void;
}

/** Listens on a free port of the loopback address. */
export async function openFront(): Promise<Front> {
  const services = new Map<string, RunningService>();
  const taken: { asked: string; token: string }[] = [];
  const json = (answer: ServerResponse, status: number, body: object): void => {
    answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, answer) => {
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const path = request.url ?? "";
    const asked = `${request.method} ${path.replace("/v1", "")}`;
    taken.push({ asked, token });
    const service = services.get(token);
    const own = front.answer(asked, token);
    request.on("error", () => {});
    if (own !== undefined) return json(answer, own.status, own.body);
    if (service === undefined) return json(answer, 401, { message: "Unknown token" });
    const { hostname: host, port } = new URL(service.baseUrl);
    const headers = { ...request.headers, authorization: `Bearer ${service.token}` };
    const onward = httpRequest({ host, port, path, method: request.method, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    return request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const front: Front = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    add: async (token, service) => {
      await addSecret(token);
      services.set(token, service);
    },
    answer: () => undefined,
    taken: () => taken.splice(0),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return front;
}
