/** The client of a session: nothing is sent once that has ended. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openClient } from "../../../src/vscode/create-api-client.ts";
import type { LogChannel } from "../../../src/vscode/log.ts";
import { recordingLog } from "../support/node-platform.ts";

let requests = 0;
const server = createServer((_request, response) => {
  requests++;
  response.writeHead(404, { "content-type": "application/json" }).end("{}");
});
beforeEach(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterEach(() => new Promise((resolve) => server.close(resolve)));

test("sends requests until the session has ended, and then refuses them; the token is never logged", async () => {
  const ended = new AbortController();
  const redacted: string[] = [];
  const log = { ...recordingLog(), redact: (secret: string) => void redacted.push(secret) };
  const { port } = server.address() as AddressInfo;
  const client = openClient(
    `http://127.0.0.1:${port}/v1`,
    " token-12345678\n",
    log as unknown as LogChannel,
    {
      ended: ended.signal,
    },
  );
  expect(redacted).toEqual(["token-12345678"]);
  await expect(client.stats()).rejects.toMatchObject({ status: 404 });
  expect(requests).toBe(1);
  ended.abort();
  await expect(client.stats()).rejects.toMatchObject({ kind: "unauthorized" });
  expect(requests).toBe(1);
});
