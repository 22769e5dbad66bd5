/** Where a call takes the names of placeholders: `|` is the cursor. */
import { describe, expect, test } from "vitest";
import {
  entryStart,
  mayBePlaceholderName,
  placeholderPosition,
  type PlaceholderPosition,
} from "../../../src/features/completion/placeholder-position.ts";

interface Found {
  readonly typed: string;
  readonly given: readonly string[];
}

/** The call reaches from the first letter to the last. */
function placeAt(marked: string): PlaceholderPosition | null {
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  const key = /(["'])(.*?)\1/.exec(text);
  if (key === null) throw new Error(`no key in ${marked}`);
  const start = key.index + 1;
  const span = { start, end: start + (key[2] ?? "").length };
  const place = placeholderPosition(text, { start: 0, end: text.length }, span, offset);
  if (place === null) return null;
  // Whoever is asked for the dear answer was let through by the cheap one.
  expect(mayBePlaceholderName(text.slice(0, offset))).toBe(true);
  return place;
}

function at(marked: string): Found | null {
  const place = placeAt(marked);
  if (place === null) return null;
  const text = marked.replace("|", "");
  return { typed: text.slice(place.span.start, place.span.end), given: [...place.given].sort() };
}

test.each([
  ["__('cart.total', [|])", "a-b", "'a-b' => "],
  ['__("cart.total", [|])', "a-b", '"a-b" => '],
  ["$t('cart.total', { | })", "a-b", "'a-b': "],
  ['$t("cart.total", { | })', "a-b", '"a-b": '],
  ['$t("cart.total", { | })', "name", "name: "],
])("suggests in %s for %s what starts with %s", (marked, name, written) => {
  const place = placeAt(marked);
  expect(place && entryStart(name, place)).toBe(written);
});

test("knows the quotes around what is typed, whichever the key has", () => {
  expect(placeAt("__('cart.total', [\"|\"])")?.quote).toBe('"');
  expect(placeAt("__(\"cart.total\", ['|'])")?.quote).toBe("'");
  expect(placeAt('__("cart.total", [|])')?.quote).toBeNull();
});

describe("completes a placeholder name", () => {
  test.each([
    ["__('cart.total', ['|'])", "", []],
    ["__('cart.total', ['am|'])", "am", []],
    ["__('cart.total', [|])", "", []],
    ["__('cart.total', ['a' => $a, 'b|'])", "b", ["a"]],
    ["__('cart.total', ['|', 'b' => f($x, [1, 2])])", "", ["b"]],
    ["__('cart.total', ['|', 'b' => ['c' => 2], 'd' => 1])", "", ["b", "d"]],
    ["__('cart.total', ['a' => 'it\\'s', 'b|'])", "b", ["a"]],
    ["__('cart.total', ['a' => 'C:\\\\', 'b|'])", "b", ["a"]],
    ["__('cart.total', ['a|-x' => 1, 'b' => 2])", "a", ["b"]],
    ["__('cart.total', ['a|, 'b' => 2])", "a", ["b"]],
    ["t('cart.total', { |, b: { c: 1 }, d: f(x, { y: 1 }), e: [1, 2], g })", "", ["b", "d", "e", "g"]],
    ["trans_choice('cart.items', $n, ['|'])", "", []],
    ["__('cart.total', array('|'))", "", []],
    ["__(key: 'cart.total', replace: ['|'])", "", []],
    ["t('cart.total', { | })", "", []],
    ["t('cart.total', { am|ount })", "amount", []],
    ["t('cart.total', {\n  amount: fn(a, { b: 1 }),\n  c|\n})", "c", ["amount"]],
    ["t('cart.total', { amount: fn(a), c| })", "c", ["amount"]],
    ['t("cart.total", { count, "na|" })', "na", ["count"]],
    ["formatMessage({ id: 'cart.total' }, { | })", "", []],
    ['<Trans i18nKey="cart.total" values={{ | }} />', "", []],
  ])("%s", (text, typed, given) => {
    expect(at(text)).toEqual({ typed, given });
  });
});

describe("completes nothing", () => {
  test.each([
    "__('cart.to|tal', ['amount' => 1])",
    "__('cart.total', |)",
    "__('cart.total', ['amount' => '|'])",
    "__('cart.total', ['amount' => $|])",
    "__('cart.total', $all['|'])",
    "__('cart.total', [$x->f('|')])",
    "t('cart.total', { amount: | })",
    "t('cart.total', { amount: { | } })",
    "t('cart.total', `|`)",
    "t('cart.total', { `|` })",
    '<Trans i18nKey="cart.total" components={{ | }} />',
    "t(f('cart.total', { a: 1 }), g(|))",
    "formatMessage({ id: 'cart.total', | })",
  ])("%s", (text) => {
    expect(at(text)).toBe(null);
  });
});

test("rejects text outside of calls without parsing", () => {
  for (const before of ["const a = { ", "if (x) { a", "foo(a, ", "$x = ['", "function f() {\n  const b"])
    expect(mayBePlaceholderName(before)).toBe(false);
});
