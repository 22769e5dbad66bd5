/**
 * A proxy of the local service that counts requests by endpoint and injects faults. It runs in a separate process, so that
 * its memory is not measured, and ends with its standard input. `node fault-proxy-process.ts BASE_URL` prints its own URL.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A status that is answered, or a lost connection. */
export type Fault = "429" | "503" | "reset";

const [given] = process.argv.slice(2);
const service = new URL(given ?? "");
const counts: Record<string, number> = {};
let injected: { readonly kind: Fault; left: number } | null = null;

function serve(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", service);
  if (url.pathname === "/-/counts") return void response.end(JSON.stringify(counts));
  if (url.pathname.startsWith("/-/faults/")) {
    const [kind, left] = url.pathname.split("/").slice(3);
    injected = { kind: kind as Fault, left: Number(left) };
    return void response.end("{}");
  }
  const endpoint = url.pathname.replace(/^\/v1/u, "").replace(/\/(?:\d+|[0-9a-f]{40})$/u, "/{id}");
  const name = `${request.method} ${endpoint.replace(/^\/(translations|exports)\/.*/u, "/$1/{id}")}`;
  counts[name] = (counts[name] ?? 0) + 1;
  if (injected !== null && injected.left > 0) {
    injected.left -= 1;
    if (injected.kind === "reset") return void request.socket.destroy();
    response.writeHead(Number(injected.kind), { "content-type": "application/json", "retry-after": "1" });
    return void response.end(JSON.stringify({ message: "Injected fault." }));
  }
  const onward = httpRequest(
    {
      host: service.hostname,
      port: service.port,
      path: request.url,
      method: request.method,
      headers: request.headers,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  // The service is down.
  onward.on("error", () => void request.socket.destroy());
  request.pipe(onward);
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume();
process.stdin.on("end", () => process.exit());
