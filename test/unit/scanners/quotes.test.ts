/** Escaping of keys between the quotes of each language. */
import { expect, test } from "vitest";
import { quoteAround, quoted } from "../../../src/scanners/lexers/string-literals.ts";

test.each([
  ["'", undefined, "it's $5 \\", String.raw`it\'s $5 \\`],
  ['"', undefined, 'say "$x" {$y}', String.raw`say \"\$x\" {\$y}`],
  ['"', undefined, "{$} $ ${x} \\$y $é", String.raw`{\$} $ \${x} \\\$y \$é`],
  ["`", "`", "a ${b} `c`", "a \\${b} \\`c\\`"],
  ['"', "", 'say "$x"', String.raw`say \"$x\"`],
  ["'", "", "it's {$x}", String.raw`it\'s {$x}`],
] as const)("detects quotes %s and interpolation %s", (quote, interpolating, text, written) => {
  expect(quoted(text, quote, interpolating)).toBe(written);
});

test("returns the quotes of a key, none for expressions", () => {
  expect(quoteAround(`_("a")`, { start: 3, end: 4 })).toBe('"');
  expect(quoteAround(`_("""a""")`, { start: 5, end: 6 })).toBe('"');
  expect(quoteAround("t(`a`)", { start: 3, end: 4 })).toBe("`");
  expect(quoteAround(String.raw`t("a\"b")`, { start: 3, end: 7 })).toBe('"');
  expect(quoteAround(`_("a")`, { start: 3, end: 5 })).toBeNull();
  expect(quoteAround(`_("a)`, { start: 3, end: 5 })).toBeNull();
  expect(quoteAround(`_("a" "b")`, { start: 3, end: 8 })).toBeNull();
  expect(quoteAround("_(`${a}`)", { start: 3, end: 7 })).toBeNull();
  expect(quoteAround(`{% blocktrans %}a{% endblocktrans %}`, { start: 16, end: 17 })).toBeNull();
});
