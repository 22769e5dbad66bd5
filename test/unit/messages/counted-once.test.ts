/** The numbers in messages: everything is counted once, and as what it is. */
import fc from "fast-check";
import { expect, it, test } from "vitest";
import type { Job } from "../../../src/api/response-schemas.ts";
import { percentOf } from "../../../src/messages/job-messages.ts";
import { refusedFileMessages } from "../../../src/messages/sync/import-messages.ts";
import { amountText, pulledMessage, type PulledProject } from "../../../src/messages/sync/pull-messages.ts";
import { leftKeysText, pushedMessage } from "../../../src/messages/sync/push-messages.ts";
import type { LeftText } from "../../../src/sync/pull/compare-with-export.ts";
import type { PullFile, PullPlan } from "../../../src/sync/pull/pull-plan.ts";
import type { PushItem } from "../../../src/sync/push/push-plan.ts";
import { propertyRuns } from "../support/full-run.ts";

const numbersIn = (text: string): readonly number[] => (text.match(/\d+/gu) ?? []).map(Number);
const isPositive = (count: number): boolean => count > 0;
const counts = fc.nat(4);

it("counts each key that a push left in one group", () => {
  fc.assert(
    fc.property(counts, counts, counts, (archived, theirs, both) => {
      const items = (count: number, side: PushItem["side"]): PushItem[] =>
        Array.from({ length: count }, () => ({ side }) as PushItem);
      const text = leftKeysText({
        archived: items(archived, "none"),
        atService: [...items(both, "both"), ...items(theirs, "service")],
      });
      expect(numbersIn(text)).toEqual([archived, theirs, both].filter(isPositive));
      expect(text === "").toBe(archived + theirs + both === 0);
    }),
    propertyRuns(100),
  );
});

it("says each number of a push, and nothing of what did not happen", () => {
  fc.assert(
    fc.property(fc.tuple(counts, counts, counts, counts, counts, counts), (numbers) => {
      const [created, updated, restored, unchanged, archived, refused] = numbers;
      const rejected = Array.from({ length: refused }, () => ({ hash: "", reason: "" }));
      const result = { created, updated, restored, unchanged, archived, rejected };
      const text = pushedMessage({ session: { kind: "signed-out" }, label: "Shop" }, result);
      expect(numbersIn(text)).toEqual(numbers.filter(isPositive));
    }),
    propertyRuns(100),
  );
});

const PROJECT = {
  sourceLocale: "en",
  local: { locate: (path: string) => ({ locale: path.slice(0, 2) }) },
} as unknown as PulledProject;

const locales = fc.constantFrom("en", "nl");
const files = fc.array(fc.record({ locale: locales, texts: counts, isChanged: fc.boolean() }), {
  maxLength: 4,
});
const lefts = fc.array(
  fc.record({ locale: locales, reason: fc.constantFrom("file", "deleted", "conflict") }),
  { maxLength: 5 },
);
const fileOf = (
  { locale, texts, isChanged }: { locale: string; texts: number; isChanged: boolean },
  index: number,
): PullFile =>
  ({
    path: `${locale}${index}.json`,
    texts,
    change: isChanged ? "updated" : "unchanged",
    problems: [],
    left: [],
  }) as unknown as PullFile;

/** Numbers of translations and source texts; one that is zero is not said, unless both are. */
const textNumbers = (translations: number, sources: number): readonly number[] =>
  translations === 0 && sources > 0 ? [sources] : [translations, ...[sources].filter(isPositive)];

it("counts what is pulled by language, and what is left by reason", () => {
  fc.assert(
    fc.property(files, lefts, (given, left) => {
      const all = given.map(fileOf);
      const last = {
        ...fileOf({ locale: "nl", texts: 0, isChanged: false }, 9),
        left,
      } as unknown as PullFile;
      const plan = { files: [...all, last], otherProblems: [] } as unknown as PullPlan;
      const changed = given.filter(({ isChanged }) => isChanged);
      const sum = (isSource: boolean): number =>
        changed.reduce((total, each) => total + ((each.locale === "en") === isSource ? each.texts : 0), 0);
      const conflicts = left.filter(({ reason }) => reason === "conflict").length;
      const others = left.filter(({ reason }) => reason !== "conflict").map(({ locale }) => locale);
      const sources = others.filter((locale) => locale === "en").length;
      expect(numbersIn(pulledMessage(PROJECT, "Shop", plan))).toEqual([
        ...(changed.length > 0 ? [...textNumbers(sum(false), sum(true)), changed.length] : []),
        ...[conflicts, others.length - sources, sources].filter(isPositive),
      ]);
    }),
    propertyRuns(100),
  );
});

it("counts the single texts of files by language, and each file once", () => {
  fc.assert(
    fc.property(files, lefts, (given, left) => {
      const texts = left.map(({ locale }, index) => ({ locale, path: `${locale}${index}.json` }) as LeftText);
      const all = given.map(fileOf);
      const count = (locale: string): number =>
        given.reduce((sum, each) => sum + (each.locale === locale ? each.texts : 0), 0) +
        texts.filter((each) => each.locale === locale).length;
      const paths = new Set([...all, ...texts].map(({ path }) => path));
      expect(numbersIn(amountText(PROJECT, all, texts))).toEqual([
        ...textNumbers(count("nl"), count("en")),
        paths.size,
      ]);
    }),
    propertyRuns(100),
  );
});

test.each<[Job["progress"], number | undefined]>([
  [null, undefined],
  [{ done: 0, total: 0 }, undefined],
  [{ done: 3, total: 0 }, undefined],
  [{ done: 3, total: -1 }, undefined],
  [{ done: 0, total: 4 }, 0],
  [{ done: 1, total: 3 }, 33],
  [{ done: 3, total: 3 }, 100],
  [{ done: 9, total: 3 }, 100],
])("the progress %j is %s per cent", (progress, percent) => {
  expect(percentOf({ progress } as Job)).toBe(percent);
});

it("names each refused file once", () => {
  const refused = [
    { path: "a/b.json", messages: ["The file a/b.json is empty.", "Try again."] },
    { path: "c.json", messages: ["No keys.", "Half a character."] },
  ];
  expect(refusedFileMessages(refused)).toEqual([
    { path: "a/b.json", message: "The file a/b.json is empty. Try again." },
    { path: "c.json", message: "c.json: No keys. Half a character." },
  ]);
});
