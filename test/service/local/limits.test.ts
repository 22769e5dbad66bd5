/** § Authentication 7 and 8: both rate limits, as the document sets them and as a project file does. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startService } from "../../../src/local-service/start-service.ts";
import { api } from "../support/http.ts";
import { startHere, temporaryFolder } from "../support/temporary.ts";

const start = async (limits?: object) => api(await startHere(limits === undefined ? {} : { limits }));

describe("the limit per token", () => {
  test("is 120 requests per minute, reported in headers, then 429 with Retry-After", async () => {
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

  test("applies to all endpoints and counts failed requests", async () => {
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

  test("ends after the time in Retry-After", async () => {
    // In this process, so that the minute need not be waited for.
    const now = performance.now.bind(performance);
    let passed = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
    onTestFinished(() => clock.mockRestore());
    const project = join(temporaryFolder(), "project.json");
    writeFileSync(project, JSON.stringify({ limits: { perToken: 2 } }));
    const running = await startService({ project });
    onTestFinished(() => running.stop());
    const service = api(running);
    await service.once("GET", "/stats");
    passed += 20_000;
    await service.once("GET", "/stats");
    const seconds = Number((await service.once("GET", "/stats")).headers.get("retry-after"));
    // Less than what has really passed meanwhile.
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(40);
    // The minute began with the first request, and another client has its own.
    passed += seconds * 1000 - 10_000;
    expect((await service.once("GET", "/stats")).status).toBe(429);
    const other = await service.once("GET", "/stats", { token: service.readToken });
    expect(other.headers.get("x-ratelimit-remaining")).toBe("1");
    passed += 10_000;
    const answer = await service.once("GET", "/stats");
    expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([200, "1"]);
  });
});

describe("the limit per address", () => {
  test("is 600 requests per minute, checked before the token", async () => {
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

  test("is reported if no token was recognised", async () => {
    const service = await start({ perAddress: 7 });
    const answer = await service.once("GET", "/stats", { token: null });
    expect([
      answer.status,
      answer.headers.get("x-ratelimit-limit"),
      answer.headers.get("x-ratelimit-remaining"),
    ]).toEqual([401, "7", "6"]);
  });
});
