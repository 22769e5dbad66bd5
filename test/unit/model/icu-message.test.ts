/** ICU arguments with branches: positions, invalid messages, and categories of other languages. */
import { describe, expect, test } from "vitest";
import {
  icuPluralCategories,
  parseIcuChoices,
  hasBalancedBraces,
  adaptPluralCategories,
} from "../../../src/model/icu-message.ts";

/** `name type offset` and each branch as `selector=text`; what stands around is dropped. */
const parsedMessage = (text: string): unknown =>
  parseIcuChoices(text)?.map((choice) => [
    text.slice(choice.start, choice.end),
    [choice.name, choice.type, choice.offset].join(" ").trim(),
    ...choice.options.map(({ selector, start, end }) => `${selector}=${text.slice(start, end)}`),
  ]) ?? null;

describe("arguments with branches", () => {
  test.each<[string, unknown]>([
    ["no braces", []],
    ["{name} {n, number} {{n}} {plural}", []],
    ["a {n, plural, other {#}} b", [["{n, plural, other {#}}", "n plural", "other=#"]]],
    [
      "{n,plural,=0{none}one {one}other{}}",
      [["{n,plural,=0{none}one {one}other{}}", "n plural", "=0=none", "one=one", "other="]],
    ],
    ["{ n , plural , other { # } }", [["{ n , plural , other { # } }", "n plural", "other= # "]]],
    [
      "{n, plural, offset: 1 one {a} other {b}}",
      [["{n, plural, offset: 1 one {a} other {b}}", "n plural offset:1", "one=a", "other=b"]],
    ],
    ["{g, select, x {a} other {b}}", [["{g, select, x {a} other {b}}", "g select", "x=a", "other=b"]]],
    ["{n, selectordinal, other {b}}", [["{n, selectordinal, other {b}}", "n selectordinal", "other=b"]]],
    [
      "{n, plural, other {{m, plural, other {x}} {y}}}{z, select, other {}}",
      [
        ["{n, plural, other {{m, plural, other {x}} {y}}}", "n plural", "other={m, plural, other {x}} {y}"],
        ["{z, select, other {}}", "z select", "other="],
      ],
    ],
    [
      "{n, plural, other {it's '{' '' }}",
      [["{n, plural, other {it's '{' '' }}", "n plural", "other=it's '{' '' "]],
    ],
    [
      "{n, plural, other {a '{b''}' c}}",
      [["{n, plural, other {a '{b''}' c}}", "n plural", "other=a '{b''}' c"]],
    ],
    ["{n, plural, other {a}} '{m, plural, other {b}}'", [["{n, plural, other {a}}", "n plural", "other=a"]]],
    [
      "{n, plural, other {a}} ''{m, plural, other {b}}",
      [
        ["{n, plural, other {a}}", "n plural", "other=a"],
        ["{m, plural, other {b}}", "m plural", "other=b"],
      ],
    ],
  ])("%j", (text, choices) => {
    expect(parsedMessage(text)).toEqual(choices);
  });

  test.each([
    "{n, plural, one {a}}",
    "{n, plural, other {a} other {b}}",
    "{n, plural, other {a}",
    "{n, plural, other {a",
    "{n, plural, other a}",
    "{n, plural, }",
    "{n, plural, other {a} x}",
    "{n, plural, other {'{}}",
    "{n, plural, other {a}} {m, select, x {b}}",
  ])("rejects %j", (text) => {
    expect(parseIcuChoices(text)).toBeNull();
  });
});

test.each([
  ["", true],
  ["a {b} {c {d}}", true],
  ["{", false],
  ["}", false],
  ["{}}", false],
  ["{a", false],
  ["it's", true],
  ["'{'", true],
  ["'{", false],
  ["a '}' b", true],
  ["''{''}", true],
  ["{'}'}", true],
  ["{'}", false],
  ["a'", true],
])("checks the braces of %j: %s", (text, balanced) => {
  expect(hasBalancedBraces(text)).toBe(balanced);
});

test("requires the categories of integers and `other`, and allows all of the language", () => {
  expect(icuPluralCategories("plural", "ru")).toEqual({
    needed: ["one", "few", "many", "other"],
    allowed: ["one", "few", "many", "other"],
  });
  expect(icuPluralCategories("plural", "fr")).toEqual({
    needed: ["one", "other"],
    allowed: ["one", "many", "other"],
  });
  expect(icuPluralCategories("selectordinal", "fr")).toEqual({
    needed: ["other"],
    allowed: ["zero", "one", "two", "few", "many", "other"],
  });
});

test.each([
  ["nl", "{n, plural, one {a} other {b}} c", "{n, plural, one {a} other {b}} c"],
  ["pl", "x {n, plural, one {a} other {b}}", "x {n, plural, one {a} few {b} many {b} other {b}}"],
  ["ja", "{n, plural, =0 {z} one {a} other {b}}", "{n, plural, =0 {z} other {b}}"],
  ["ja", "{n,plural,offset:1 one{a}other{b}}", "{n, plural, offset:1 other {b}}"],
  ["ja", "{g, select, one {a} other {b}}", "{g, select, one {a} other {b}}"],
  ["ja", "{n, selectordinal, one {a} other {b}}", "{n, selectordinal, one {a} other {b}}"],
  [
    "ja",
    "{g, select, m {{n, plural, one {a} other {b}}} other {c}} {n, plural, one {d} other {e}}",
    "{g, select, m {{n, plural, other {b}}} other {c}} {n, plural, other {e}}",
  ],
  ["ja", "{n, plural, one {a}}", "{n, plural, one {a}}"],
])("lists the missing categories for %s: %s", (locale, text, adapted) => {
  expect(adaptPluralCategories(text, locale)).toBe(adapted);
});
