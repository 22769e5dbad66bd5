/** Requests over bare sockets that do not reach the endpoints: their answers are JSON, too. */
import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type RunningService } from "../../../../src/local-service/start-service.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends the bytes and reads the answer to its end. */
const send = (request: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.baseUrl);
    const socket = net.connect(Number(port), hostname, () => socket.write(request));
    let received = "";
    const finish = (): void => {
      const end = received.indexOf("\r\n\r\n");
      const [first = "", ...lines] = received.slice(0, Math.max(0, end)).split("\r\n");
      const headers = new Map(
        lines.map((line) => [
          line.slice(0, line.indexOf(":")).toLowerCase(),
          line.slice(line.indexOf(":") + 2),
        ]),
      );
      resolve({ status: Number(first.split(" ")[1]), headers, body: received.slice(end + 4) });
      socket.destroy();
    };
    socket.on("data", (part) => {
      received = (received + part.toString()).replace("HTTP/1.1 100 Continue\r\n\r\n", "");
      const length = /content-length: (\d+)/iu.exec(received)?.[1];
      const end = received.indexOf("\r\n\r\n");
      if (end !== -1 && length !== undefined && received.length >= end + 4 + Number(length)) finish();
    });
    socket.on("end", finish);
    socket.on("error", reject);
  });

const HOST = "Host: 127.0.0.1\r\n";
const POST = `POST /v1/keys/diff HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

test.each<[string, string, number]>([
  ["a malformed request line", `NONSENSE\r\n\r\n`, 400],
  ["a malformed header", `GET /v1/stats HTTP/1.1\r\n${HOST}no colon\r\n\r\n`, 400],
  ["an unknown version", `GET /v1/stats HTTP/9.9\r\n${HOST}\r\n`, 400],
  ["no host", "GET /v1/stats HTTP/1.1\r\n\r\n", 400],
  ["a malformed host", "GET /v1/stats HTTP/1.1\r\nHost: a b/c\r\n\r\n", 400],
  ["a malformed target", `GET http://[::/ HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["an unknown expectation", `${POST}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`, 417],
  ["a bad chunk", `${POST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`, 400],
  ["a bad length", `${POST}Content-Length: many\r\n\r\n{}`, 400],
  ["too large headers", `GET /v1/stats HTTP/1.1\r\n${HOST}X: ${"x".repeat(1_100_000)}\r\n\r\n`, 431],
  ["a tunnel", `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`, 404],
])("%s is answered with JSON and rate limits", async (_, request, status) => {
  const { headers, body, ...answer } = await send(request);
  expect(answer.status).toBe(status);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("x-ratelimit-limit")).toBe("600");
  expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/u);
  const { message } = JSON.parse(body) as { message: unknown };
  expect(message).toEqual(expect.any(String));
  expect(message).not.toBe("");
});

test.each([
  ["en", "The request is not valid HTTP."],
  ["nl", "Het verzoek is geen geldig HTTP."],
])("messages are in the language %s that the request asks for", async (language, message) => {
  for (const broken of ["no colon\r\n", `Transfer-Encoding: chunked\r\n\r\nZZ\r\n`]) {
    const { body } = await send(
      `POST /v1/keys/diff HTTP/1.1\r\n${HOST}Accept-Language: ${language}\r\n${broken}\r\n`,
    );
    expect(JSON.parse(body)).toEqual({ message });
  }
});

test("a request that expects to continue is answered by its endpoint", async () => {
  const { status } = await send(
    `${POST}Expect: 100-continue\r\nAuthorization: Bearer ${service.token}\r\nContent-Length: 11\r\n\r\n{"keys":[]}`,
  );
  expect(status).toBe(200);
});

test("they count towards the limit of the address", async () => {
  const remaining = async (): Promise<number> =>
    Number((await send("NONSENSE\r\n\r\n")).headers.get("x-ratelimit-remaining"));
  const before = await remaining();
  expect(await remaining()).toBe(before - 1);
});
