/** § Authentication 7 and 8: both rate limits, as the document sets them and as a project file does. */
import { afterEach, describe, expect, test } from "vitest";
import { api } from "../support/http.ts";
import { startLocal, type LocalService } from "../support/local-service.ts";

const running: LocalService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});
async function start(limits?: object) {
  const service = await startLocal({ project: limits === undefined ? {} : { limits } });
  running.push(service);
  return api(service);
}

describe("per token", () => {
  test("120 a minute, told all along, then 429 with Retry-After", async () => {
    const service = await start();
    for (let left = 119; left >= 0; left -= 1) {
      const answer = await service.once("GET", "/stats");
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("120");
      expect(answer.headers.get("x-ratelimit-remaining")).toBe(String(left));
    }
    const refused = await service.once("GET", "/stats");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds > 0 && seconds <= 60).toBe(true);
    // The other token has a budget of its own.
    expect((await service.once("GET", "/stats", { token: service.readToken })).status).toBe(200);
  });

  test("holds for every endpoint, and counts what fails", async () => {
    const service = await start({ perToken: 3 });
    expect((await service.once("GET", "/jobs/1")).status).toBe(404);
    expect((await service.once("POST", "/keys/diff", { body: {} })).status).toBe(422);
    expect((await service.once("GET", "/project")).status).toBe(200);
    for (const [method, path] of [
      ["GET", "/keys"],
      ["POST", "/keys/sync"],
      ["GET", "/exports/x"],
      ["POST", "/imports"],
    ] as const)
      expect((await service.once(method, path)).status, path).toBe(429);
  });

  test("after the time of Retry-After it goes on", async () => {
    const service = await start({ perToken: 2 });
    const began = Date.now();
    await service.once("GET", "/stats");
    await service.once("GET", "/stats");
    const seconds = Number((await service.once("GET", "/stats")).headers.get("retry-after"));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    expect((await service.once("GET", "/stats")).status).toBe(200);
    expect(Date.now() - began).toBeLessThan(62_000);
  }, 70_000);
});

describe("per address", () => {
  test("600 a minute, before the token is looked at", async () => {
    const service = await start({ perToken: 100_000 });
    for (let count = 0; count < 600; count += 1) {
      const token = [service.token, null, "wrong"][count % 3] ?? null;
      expect((await service.once("GET", count % 2 === 0 ? "/stats" : "/nowhere", { token })).status).not.toBe(
        429,
      );
    }
    for (const token of [service.token, service.readToken, null, "wrong"])
      expect((await service.once("GET", "/stats", { token })).status).toBe(429);
    expect((await service.once("GET", "/nowhere", { token: null })).status).toBe(429);
  });

  test("tells its own limit where no token was recognised", async () => {
    const service = await start({ perAddress: 7 });
    const answer = await service.once("GET", "/stats", { token: null });
    expect([
      answer.status,
      answer.headers.get("x-ratelimit-limit"),
      answer.headers.get("x-ratelimit-remaining"),
    ]).toEqual([401, "7", "6"]);
  });
});
