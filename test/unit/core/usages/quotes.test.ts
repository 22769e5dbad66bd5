/** Keys as they are written between the quotes of a language. */
import { expect, test } from "vitest";
import { quoteAround, quoted } from "../../../../src/core/usages/quotes.ts";
import { usageLanguageFor } from "../../../../src/core/usages/registry.ts";

test.each([
  ["a.php", "'", "it's $5 \\", String.raw`it\'s $5 \\`],
  ["a.php", '"', 'say "$x" {$y}', String.raw`say \"\$x\" {\$y}`],
  ["a.ts", "`", "a ${b} `c`", "a \\${b} \\`c\\`"],
  ["a.py", '"', 'say "$x"', String.raw`say \"$x\"`],
  ["a.py", "'", "it's {$x}", String.raw`it\'s {$x}`],
  ["a.djhtml", '"', "$x", "$x"],
] as const)("in %s between %s", (path, quote, text, written) => {
  expect(quoted(text, quote, usageLanguageFor(path)?.interpolating)).toBe(written);
});

test("the quote around a key; none around what is put together", () => {
  expect(quoteAround(`_("a")`, { start: 3, end: 4 })).toBe('"');
  expect(quoteAround(`_("""a""")`, { start: 5, end: 6 })).toBe('"');
  expect(quoteAround(`_("a" "b")`, { start: 3, end: 8 })).toBeNull();
  expect(quoteAround(`{% blocktrans %}a{% endblocktrans %}`, { start: 16, end: 17 })).toBeNull();
});
