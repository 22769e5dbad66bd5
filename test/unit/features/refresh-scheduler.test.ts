/** When the refresh timer refreshes a project. */
import { expect, test } from "vitest";
import { delayUntilRefresh } from "../../../src/features/refresh/refresh-scheduler.ts";

const INTERVAL = 300_000;
const NOW = Date.UTC(2026, 0, 1);

test("waits for the rest of the interval since the last attempt, whether it failed or not", () => {
  expect(delayUntilRefresh(NOW, NOW, INTERVAL)).toBe(INTERVAL);
  expect(delayUntilRefresh(NOW - 100_000, NOW, INTERVAL)).toBe(200_000);
  expect(delayUntilRefresh(NOW - INTERVAL, NOW, INTERVAL)).toBe(0);
});

test("refreshes at once in the beginning, after standby, and when the clock was set back", () => {
  expect(delayUntilRefresh(0, NOW, INTERVAL)).toBe(0);
  expect(delayUntilRefresh(NOW - 24 * 3_600_000, NOW, INTERVAL)).toBe(0);
  expect(delayUntilRefresh(NOW + 24 * 3_600_000, NOW, INTERVAL)).toBe(0);
  expect(delayUntilRefresh(NOW + 1, NOW, INTERVAL)).toBe(0);
});
