/** Rate limits per minute and per client. */
import { expect, test } from "vitest";
import { RateLimit } from "../../../src/local-service/http/rate-limit.ts";

test("counts down, rejects, and resets a minute after the first request", () => {
  let now = 1_000_000;
  const limit = new RateLimit(3, () => now);
  expect([1, 2, 3].map(() => limit.take("a").remaining)).toEqual([2, 1, 0]);
  now += 20_500;
  expect(limit.take("a")).toEqual({ limit: 3, remaining: 0, retryAfter: 40 });
  expect(limit.take("b").remaining).toBe(2);
  now += 39_499;
  expect(limit.take("a").retryAfter).toBe(1);
  now += 1;
  expect(limit.take("a")).toEqual({ limit: 3, remaining: 2, retryAfter: undefined });
});
