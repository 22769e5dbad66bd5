/** The client of a session: nothing is sent once that has ended. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openClient, verifyToken } from "../../../src/vscode/create-api-client.ts";
import type { LogChannel } from "../../../src/vscode/log.ts";
import { openFixtureProject } from "../support/fixture-project.ts";
import { recordingLog } from "../support/node-platform.ts";

let requests = 0;
afterEach(() => void (requests = 0));
const server = createServer((request, response) => {
  requests++;
  if (request.method === "PUT") {
    // Nobody knows what became of it.
    response.writeHead(200, { "content-type": "application/json" }).end("{");
    return;
  }
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

test("says of a write that it may have been done although its answer cannot be read", async () => {
  let uncertain = 0;
  const log = { ...recordingLog(), redact: () => undefined } as unknown as LogChannel;
  const { port } = server.address() as AddressInfo;
  const onUncertainWrite = () => void (uncertain += 1);
  const client = openClient(`http://127.0.0.1:${port}/v1`, "token-12345678", log, { onUncertainWrite });
  await expect(client.stats()).rejects.toMatchObject({ status: 404 });
  expect(uncertain).toBe(0);
  const item = { namespace: "cart", key: "title", context: null, hash: "0".repeat(40), value: "Mandje" };
  await expect(client.writeTranslations("nl", [item], "overwrite")).rejects.toMatchObject({
    kind: "bad_response",
  });
  expect(uncertain).toBe(1);
});

test("a token is verified and stored without the spaces around it, at the address without its last slash", async () => {
  const shop = await openFixtureProject();
  try {
    const { baseUrl, token } = shop.service;
    const log = { ...recordingLog(), redact: () => undefined } as unknown as LogChannel;
    const { signal } = new AbortController();
    expect(await verifyToken(`${baseUrl}/`, ` ${token}\n`, log, { signal })).toMatchObject({
      baseUrl,
      token,
    });
  } finally {
    await shop.close();
  }
});
