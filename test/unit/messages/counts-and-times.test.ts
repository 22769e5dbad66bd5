/** Counts, percentages and times are written in the language of the window, with few formats. */
import { afterEach, expect, test, vi } from "vitest";
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatNumber,
  formatPercent,
  relativeTime,
} from "../../../src/messages/counts-and-times.ts";
import { l10n, setLanguage } from "../../../src/util/l10n.ts";

afterEach(() => {
  setLanguage("en", {});
});

const NOW = Date.UTC(2026, 10, 27, 12);
const DAY = 86_400_000;

test("each language has its own formats", () => {
  const all = (): readonly string[] => [
    formatPercent(94.5),
    formatNumber(12_345),
    l10n.t("{0} of {1}", 1_000, "x"),
    formatCount.keys(1),
    relativeTime(NOW - 2 * DAY, NOW),
    formatDateTime(NOW).replace(/,? \d+:.*/u, ""),
  ];
  expect(all()).toEqual(["94.5%", "12,345", "1,000 of x", "1 key", "2 days ago", "Nov 27, 2026"]);
  setLanguage("nl", {});
  expect(all()).toEqual(["94,5%", "12.345", "1.000 of x", "1 key", "eergisteren", "27 nov 2026"]);
  setLanguage("en", {});
  expect(all()[0]).toBe("94.5%");
});

test("how long something takes is rounded up in its largest unit", () => {
  const all = (): readonly string[] => [1, 59, 60, 61, 3_600, 86_400].map(formatDuration);
  expect(all()).toEqual(["1 second", "59 seconds", "1 minute", "2 minutes", "1 hour", "1 day"]);
  setLanguage("nl", {});
  expect(all()).toEqual(["1 seconde", "59 seconden", "1 minuut", "2 minuten", "1 uur", "1 dag"]);
});

test("a list of a hundred languages needs one format", () => {
  const created = vi.spyOn(Intl, "NumberFormat");
  for (let percent = 0; percent < 100; percent++) formatPercent(percent);
  expect(created.mock.calls.length).toBeLessThanOrEqual(1);
});
