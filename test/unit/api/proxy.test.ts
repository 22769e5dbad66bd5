/** Responses of a proxy between client and service. */
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ProxyAgent, fetch as undiciFetch } from "undici";
import { createClientHarness, failure, serveSockets } from "./client-harness.ts";

/** A fetch that goes through a proxy as VS Code's does: by CONNECT. */
function through(uri: string): typeof fetch {
  const dispatcher = new ProxyAgent({ uri, proxyTunnel: true });
  return ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as typeof fetch;
}

test.each([
  [407, "Proxy Authentication Required", 1],
  [403, "Forbidden", 1],
  [503, "Service Unavailable", 3],
])("reports a proxy's %i, and retries only temporary errors", async (status, words, times) => {
  const { port, connections } = await serveSockets((socket) => {
    socket.end(`HTTP/1.1 ${status} ${words}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });
  const harness = createClientHarness(8443, { fetch: through(`http://127.0.0.1:${port}`) });
  const error = await failure(harness.drive(harness.client.stats()));
  expect([error.kind, error.code]).toEqual(["offline", `PROXY_${status}`]);
  expect(connections()).toBe(times);
});

test("distinguishes an unreachable proxy from an unreachable service", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const proxied = createClientHarness(8443, { fetch: through(`http://127.0.0.1:${port}`) });
  const direct = createClientHarness(port);
  expect((await failure(proxied.drive(proxied.client.stats()))).code).toBe("PROXY_UNREACHABLE");
  expect((await failure(direct.drive(direct.client.stats()))).code).toBe("ECONNREFUSED");
});

test("reports an unknown proxy host", async () => {
  const harness = createClientHarness(8443, { fetch: through("http://proxy.invalid:8080") });
  expect((await failure(harness.drive(harness.client.stats()))).code).toBe("PROXY_UNREACHABLE");
});
