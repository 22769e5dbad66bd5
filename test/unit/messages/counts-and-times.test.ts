/** Counts, percentages and times are written in the language of the window, with few formats. */
import { afterEach, expect, test, vi } from "vitest";
import { clock } from "../../../src/api/system-clock.ts";
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatNumber,
  formatPercent,
  formatTimeOfDay,
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

test("each count has its noun, in the singular for one alone", () => {
  const said = Object.entries(formatCount).map(([name, format]) => [name, [0, 1, 1_200].map(format)]);
  expect(Object.fromEntries(said)).toEqual({
    keys: ["0 keys", "1 key", "1,200 keys"],
    moreKeys: ["0 more keys", "1 more key", "1,200 more keys"],
    texts: ["0 texts", "1 text", "1,200 texts"],
    replacedTexts: [
      "replaces 0 texts that differ",
      "replaces 1 text that differs",
      "replaces 1,200 texts that differ",
    ],
    unsavedTexts: ["0 unsaved texts", "1 unsaved text", "1,200 unsaved texts"],
    sourceTexts: ["0 source texts", "1 source text", "1,200 source texts"],
    languages: ["0 languages", "1 language", "1,200 languages"],
    mistakes: ["0 mistakes", "1 mistake", "1,200 mistakes"],
    qaErrors: ["0 QA errors", "1 QA error", "1,200 QA errors"],
    qaWarnings: ["0 QA warnings", "1 QA warning", "1,200 QA warnings"],
    files: ["0 files", "1 file", "1,200 files"],
    modules: ["0 modules", "1 module", "1,200 modules"],
    translations: ["0 translations", "1 translation", "1,200 translations"],
    newKeys: ["0 new keys", "1 new key", "1,200 new keys"],
    newTranslations: ["0 new translations", "1 new translation", "1,200 new translations"],
    characters: ["0 characters", "1 character", "1,200 characters"],
    qaIssues: ["0 QA issues", "1 QA issue", "1,200 QA issues"],
    references: ["0 references", "1 reference", "1,200 references"],
    localTranslations: [
      "0 local translations are not on the service",
      "1 local translation is not on the service",
      "1,200 local translations are not on the service",
    ],
    changedTranslations: [
      "0 translations changed in your files",
      "1 translation changed in your files",
      "1,200 translations changed in your files",
    ],
    conflicts: [
      "0 texts changed here and on the service",
      "1 text changed here and on the service",
      "1,200 texts changed here and on the service",
    ],
    usages: ["used 0 times", "used once", "used 1,200 times"],
    calls: ["0 calls", "1 call", "1,200 calls"],
    requests: ["0 requests", "1 request", "1,200 requests"],
    suggestions: ["0 suggestions", "1 suggestion", "1,200 suggestions"],
  });
});

test("a time of the monotonic clock is that of the day when it was, or will be", () => {
  vi.spyOn(clock, "now").mockReturnValue(new Date(2026, 10, 27, 12, 0, 0).getTime());
  vi.spyOn(clock, "monotonic").mockReturnValue(100_000);
  expect([90_000, 130_000].map(formatTimeOfDay).map((time) => /\d+:\d+:\d+/u.exec(time)?.[0])).toEqual([
    "11:59:50",
    "12:00:30",
  ]);
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
