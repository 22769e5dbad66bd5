/** Detects the service's base URL over real HTTP: the service, web pages, other errors, no response. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { discoverBaseUrl } from "../../../src/api/discover-base-url.ts";
import { clock } from "../../../src/api/system-clock.ts";

let server: Server | undefined;
const requests: { readonly path: string; readonly authorization: string | undefined }[] = [];

async function serve(
  answers: Readonly<Record<string, readonly [status: number, type: string, body?: string]>>,
): Promise<string> {
  server = createServer((request, response) => {
    requests.push({ path: request.url ?? "", authorization: request.headers.authorization });
    const [status, type, body = "{}"] = answers[request.url ?? ""] ?? [404, "text/html"];
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const find = (url: string): ReturnType<typeof discoverBaseUrl> => discoverBaseUrl(url, { fetch, clock });

afterEach(async () => {
  requests.length = 0;
  const ended = server;
  server = undefined;
  ended?.closeAllConnections();
  await new Promise<void>((resolve) => (ended === undefined ? resolve() : ended.close(() => resolve())));
});

describe("the base URL", () => {
  it("is the given URL if the service answers there", async () => {
    const origin = await serve({ "/v1/project": [401, "application/json"] });
    expect(await find(`${origin}/v1/`)).toEqual({ kind: "found", url: `${origin}/v1` });
    // Nothing is appended to a version.
    requests.length = 0;
    expect(await find(`${origin}/v2`)).toEqual({ kind: "not-found" });
    expect(requests.map(({ path }) => path)).toEqual(["/v2/project"]);
  });

  it("gets a missing version segment", async () => {
    const origin = await serve({ "/v1/project": [401, "application/json; charset=utf-8"] });
    expect(await find(origin)).toEqual({ kind: "found", url: `${origin}/v1` });
  });

  it("keeps a path prefix", async () => {
    const origin = await serve({ "/api/v1/project": [401, "application/problem+json"] });
    expect(await find(`${origin}/api`)).toEqual({ kind: "found", url: `${origin}/api/v1` });
  });

  it("is not found if a website answers", async () => {
    const origin = await serve({ "/project": [200, "text/html"] });
    expect(await find(origin)).toEqual({ kind: "not-found" });
  });

  it("is unknown if a website asks for a password", async () => {
    const origin = await serve({ "/v1/project": [401, "text/html"] });
    expect(await find(`${origin}/v1`)).toEqual({ kind: "unknown" });
  });

  it.each([
    [429, "application/json"],
    [503, "text/html"],
    [200, "application/json"],
  ])("is unknown after %i %s", async (status, type) => {
    const origin = await serve({ "/v1/project": [status, type] });
    expect(await find(`${origin}/v1`)).toEqual({ kind: "unknown" });
  });

  it("is unknown if there is no end of the answer", async () => {
    const origin = await serve({ "/v1/project": [401, "application/json", " ".repeat(65 * 1024)] });
    expect(await find(`${origin}/v1`)).toEqual({ kind: "unknown" });
  });

  it("is not found at an address that may not be asked", async () => {
    for (const address of ["ftp://translations.example.com/v1", "no address"])
      expect(await find(address), address).toEqual({ kind: "not-found" });
  });

  it("is unknown if one of both addresses is, in any order", async () => {
    for (const path of ["/project", "/v1/project"]) {
      const origin = await serve({ [path]: [503, "text/html"] });
      expect(await find(origin), path).toEqual({ kind: "unknown" });
      const ended = server;
      await new Promise<void>((resolve) => ended?.close(() => resolve()));
    }
  });

  it("is unreachable if nothing listens", async () => {
    const origin = await serve({});
    await new Promise<void>((resolve) => server?.close(() => resolve()));
    server = undefined;
    expect(await find(`${origin}/v1`)).toMatchObject({
      kind: "unreachable",
      error: { code: "ECONNREFUSED" },
    });
  });

  it("is not asked for once the signal is aborted", async () => {
    const origin = await serve({});
    const reason = new Error("closed");
    const asked = discoverBaseUrl(origin, { fetch, clock }, AbortSignal.abort(reason));
    await expect(asked).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });

  it("is requested without the token", async () => {
    await find(await serve({}));
    expect(requests).toEqual([
      { path: "/project", authorization: undefined },
      { path: "/v1/project", authorization: undefined },
    ]);
  });
});
