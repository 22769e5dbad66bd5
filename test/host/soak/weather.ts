/**
 * Stands between the soaked window and the local service, in a process of its own so that its memory is not counted:
 * hands requests on, counts them by endpoint, and answers the next few as bad weather does when it is told to. It ends
 * when its standard input does. `node weather.ts BASE_URL` prints its own.
 */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What befalls the next requests. */
export type Weather = "429" | "503" | "reset";

const [given] = process.argv.slice(2);
const service = new URL(given ?? "");
const counts: Record<string, number> = {};
let weather: { readonly kind: Weather; left: number } | null = null;

function serve(asked: IncomingMessage, answer: ServerResponse): void {
  const url = new URL(asked.url ?? "/", service);
  if (url.pathname === "/-/counts") return void answer.end(JSON.stringify(counts));
  if (url.pathname.startsWith("/-/weather/")) {
    const [kind, left] = url.pathname.split("/").slice(3);
    weather = { kind: kind as Weather, left: Number(left) };
    return void answer.end("{}");
  }
  const endpoint = url.pathname.replace(/^\/v1/u, "").replace(/\/(?:\d+|[0-9a-f]{40})$/u, "/{id}");
  const name = `${asked.method} ${endpoint.replace(/^\/(translations|exports)\/.*/u, "/$1/{id}")}`;
  counts[name] = (counts[name] ?? 0) + 1;
  if (weather !== null && weather.left > 0) {
    weather.left -= 1;
    if (weather.kind === "reset") return void asked.socket.destroy();
    answer.writeHead(Number(weather.kind), { "content-type": "application/json", "retry-after": "1" });
    return void answer.end(JSON.stringify({ message: "Bad weather." }));
  }
  const onward = httpRequest(
    {
      host: service.hostname,
      port: service.port,
      path: asked.url,
      method: asked.method,
      headers: asked.headers,
    },
    (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    },
  );
  // A service that is down is a connection that is lost.
  onward.on("error", () => void asked.socket.destroy());
  asked.pipe(onward);
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume();
process.stdin.on("end", () => process.exit());
