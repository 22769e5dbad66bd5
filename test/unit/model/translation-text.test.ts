/** Comparison, length and order of texts and forms. */
import { expect, test } from "vitest";
import {
  isEmptyText,
  isSameNormalized,
  isSameOrBothEmpty,
  plainText,
  areTextsEqual,
  toWellFormedText,
  withOrderedForms,
  type Text,
  codePointCount,
  textLength,
} from "../../../src/model/translation-text.ts";
import { runInSlices } from "../../../src/util/event-loop.ts";

const forms = (all: Record<string, string>): Text => ({ forms: all });

test.each<[Text | null, string]>([
  [null, ""],
  [{ value: "a" }, "a"],
  [forms({ one: "a", other: "b" }), "b"],
  [forms({ other: "b", many: "c" }), "b"],
  [forms({ one: "a", few: "b", many: "" }), "b"],
  [forms({ one: "a", other: "" }), "a"],
  [forms({}), ""],
])("shortens %j", (text, short) => {
  expect(plainText(text)).toBe(short);
});

test.each<[Text, Text, boolean]>([
  [{ value: "a" }, { value: "a" }, true],
  [{ value: "a" }, { value: "b" }, false],
  [{ value: "a" }, forms({ other: "a" }), false],
  [forms({ other: "a" }), { value: "a" }, false],
  [forms({ one: "a", other: "b" }), forms({ other: "b", one: "a" }), true],
  [forms({ one: "a" }), forms({ one: "a", other: "b" }), false],
  [forms({ one: "a", other: "b" }), forms({ one: "a" }), false],
  [forms({ one: "a" }), forms({ two: "a" }), false],
  [forms({}), forms({}), true],
])("compares %j and %j: %s", (one, other, same) => {
  expect(areTextsEqual(one, other)).toBe(same);
});

test.each<[a: Text | null, b: Text | null, same: boolean, normalized: boolean]>([
  [null, { value: "" }, true, true],
  [null, forms({ one: "", other: "" }), true, true],
  [null, { value: "a" }, false, false],
  [{ value: "a" }, forms({ one: "" }), false, false],
  [forms({ one: "a", few: "", other: "b" }), forms({ other: "b", one: "a" }), true, true],
  [forms({ one: "a", other: "b" }), forms({ other: "b" }), false, false],
  [{ value: "a  b\n" }, { value: "a b" }, false, true],
  [{ value: "e\u0301" }, { value: "é" }, false, true],
  [{ value: "a" }, { value: "A" }, false, false],
])(
  "%j and %j are the same, or both nothing: %s, whatever a service normalises: %s",
  (a, b, same, normalized) => {
    expect([isSameOrBothEmpty(a, b), isSameOrBothEmpty(b, a)]).toEqual([same, same]);
    expect([isSameNormalized(a, b), isSameNormalized(b, a)]).toEqual([normalized, normalized]);
  },
);

test("is empty without a value or a non-empty form", () => {
  expect(
    [{ value: "" }, { value: " " }, forms({}), forms({ one: "" }), forms({ one: "", other: "a" })].map(
      isEmptyText,
    ),
  ).toEqual([true, false, true, true, false]);
});

test("orders forms by CLDR, other names last by name", () => {
  const ordered = withOrderedForms(forms({ x: "y", "=0": "z", other: "o", one: "1", zero: "0" }));
  expect("forms" in ordered && Object.entries(ordered.forms)).toEqual([
    ["zero", "0"],
    ["one", "1"],
    ["other", "o"],
    ["=0", "z"],
    ["x", "y"],
  ]);
  expect(withOrderedForms({ value: "a" })).toEqual({ value: "a" });
});

test("replaces lone surrogates only", () => {
  expect(toWellFormedText({ value: "a\ud83d👍" })).toEqual({ value: "a\ufffd👍" });
  expect(toWellFormedText(forms({ one: "\udc4d", other: "b" }))).toEqual(
    forms({ one: "\ufffd", other: "b" }),
  );
});

test("measures length in code points, a plural by its longest form", () => {
  expect([codePointCount(""), codePointCount("é👍"), codePointCount("e\u0301")]).toEqual([0, 2, 2]);
  expect(textLength({ value: "abc" })).toBe(3);
  expect(textLength(forms({ one: "abcd", other: "👍" }))).toBe(4);
  expect([textLength({ value: "👍" }), textLength(forms({}))]).toEqual([1, 0]);
});

test("runs in slices with the same result and pauses in between", async () => {
  const done: string[] = [];
  function* work(): Generator<void, string> {
    done.push("first");
    yield;
    done.push("second");
    yield;
    done.push("third");
    return "result";
  }
  const pause = (): Promise<void> => {
    done.push("pause");
    return Promise.resolve();
  };
  expect(await runInSlices(work(), pause)).toBe("result");
  expect(done).toEqual(["first", "pause", "second", "pause", "third"]);
  expect(await runInSlices(work())).toBe("result");
});
