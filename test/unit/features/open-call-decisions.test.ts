/** Which calls a usage report shows first, how they are written, and what a person types about them. */
import { expect, test } from "vitest";
import type { OpenReference } from "../../../src/database/key-usage-repository.ts";
import {
  callText,
  keyPatternsIn,
  mostHolding,
} from "../../../src/features/usage-report/open-call-decisions.ts";
import { choiceOf } from "../../../src/workspace/usages/call-choices.ts";

const reference = (id: number): OpenReference => ({
  id,
  reference: "",
  prefix: "",
  suffix: "",
  pattern: "*",
});

test("shows the calls that hold most keys open first, and none without keys", () => {
  const held = new Map([
    [1, 2],
    [2, 0],
    [3, 9],
  ]);
  expect(
    mostHolding([1, 2, 3, 4].map(reference), held).map(({ reference: { id }, count }) => [id, count]),
  ).toEqual([
    [3, 9],
    [1, 2],
  ]);
});

test("leaves out those that hold the fewest keys open, not the last ones", () => {
  const held = new Map(Array.from({ length: 60 }, (_, id) => [id, id + 1]));
  const shown = mostHolding([...held.keys()].map(reference), held).map(({ count }) => count);
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([50, 60, 11]);
});

test.each([
  ["<?php echo __($status);", "$status", "__($status)"],
  ["x = i18n.t( `a.${b}` )", "`a.${b}`", "i18n.t(`a.${b}`)"],
  ["<?php $this->translator->trans(\n  $a\n   . $b);", "$a\n   . $b", "$this->translator->trans($a . $b)"],
  ["{{ name|trans }}", "name", "name"],
  ["x = i18n.t (key)", "key", "i18n.t(key)"],
])("writes the call in %j", (text, key, written) => {
  const start = text.indexOf(key);
  expect(callText(text, { start, end: start + key.length })).toBe(written);
});

test("finds the last choice for a call", () => {
  const choices = [
    { path: "a.php", key: "$x" },
    { path: "a.php", key: "$x", only: ["b.*"] },
    { path: "b.php", key: "$x" },
  ];
  expect(choiceOf(choices, "a.php", "$x")).toBe(choices[1]);
  expect(choiceOf(choices, "a.php", "$y")).toBeUndefined();
  const everywhere = { key: "$x", only: ["c.*"] };
  expect(choiceOf([...choices, everywhere], "a.php", "$x")).toBe(choices[1]);
  expect(choiceOf([...choices, everywhere], "c.php", "$x")).toBe(everywhere);
});

test("makes patterns of typed beginnings", () => {
  expect(keyPatternsIn("order. , cart.*.title,")).toEqual(["order.*", "cart.*.title"]);
  expect(keyPatternsIn(" , ")).toEqual([]);
});
