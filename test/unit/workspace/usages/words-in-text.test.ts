/** The words of files that may be parts of keys which the code builds. */
import { expect, test } from "vitest";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { hasWords, isWord, wordsIn } from "../../../../src/workspace/usages/words-in-text.ts";

const found = (path: string, text: string, ...frameworks: readonly FrameworkName[]): readonly string[] =>
  [...wordsIn(path, text, new Set(frameworks))].sort();

test.each<readonly [what: string, text: string, words: readonly string[]]>([
  ["texts in quotes of each kind", "f('open', \"paid\", `sent`)", ["open", "paid", "sent"]],
  ["every text between two quotes of a kind", "'open' == 'paid'", ["open", "paid"]],
  ["not what is before the first quote", "say'open'paid", ["open"]],
  ["texts after an apostrophe", "// doesn't\nf('open', 'paid')", ["open", "paid"]],
  ["a text with another quote in it", `f("it's", 'paid')`, ["paid"]],
  ["starts and ends of keys", "f('status.', '.label', '_title_', '.of.')", [".of.", "_title_", "status."]],
  ["a few words", "f('on the way out', 'a text of five words')", ["on the way out"]],
  ["the words of a list in one text", "f('open|paid', 'id, name')", ["id", "name", "open", "paid"]],
  ["no list with anything else in it", "f('open|paid!', 'Hello, you and me')", []],
  [
    "the start of a text with values",
    "f(`status.${x}`, 'order.%s', \"role-{$x}\", 'at_#{x}', 'size${x}', 'at.%s.b')",
    ["at.", "at_", "order.", "role-", "status."],
  ],
  [
    "names of members",
    "{ open: 1, paid: 2 }\nf(sent = 1; lost => 2)\n  kind-of: x\n- listed: x\nx.left = 1\nlate == 1\nlike =~ 2",
    ["kind-of", "listed", "lost", "open", "paid", "sent"],
  ],
  [
    "what is declared",
    "enum A: string { case Open = 1; case Paid = 2 }\nabstract class Order {}\nx; trait Pays {}\n  const SENT = 1",
    ["Open", "Order", "Paid", "Pays", "SENT"],
  ],
  ["members of an enum", "export enum Status {\n open,\n paid = 2,\n}", ["open", "paid"]],
  ["no members of anything else", "export type Status {\n open,\n paid\n}", []],
  ["values without quotes only of settings", "status: paid\n- sent\n", ["status"]],
  ["names of routes only of PHP", "Route::resource('photos', Photos)", ["Route", "photos"]],
])("are %s", (_, text, words) => {
  expect(found("a.ts", text, "laravel")).toEqual(words);
});

test("are values without quotes of settings", () => {
  const text = "status: paid\n- sent\n- - open\nlabel = on hold\nother: x # note\n# none: y\nkey:\n  late";
  const words = ["key", "key:", "label", "late", "on hold", "open", "other", "paid", "sent", "status"];
  for (const path of ["a.yml", "a.YAML", "a.neon", "a.ini", "a.toml", "nginx.conf", "a.properties"])
    expect(found(path, text), path).toEqual(words);
});

test("are names that the project’s frameworks derive from PHP", () => {
  const text = "<?php Route::resource('photos', X); $table->softDeletes();";
  expect(found("a.php", text)).toEqual(["photos"]);
  expect(found("a.php", text, "symfony")).toEqual(["photos"]);
  for (const frameworks of [["laravel"], ["symfony", "laravel"]] as const)
    expect(found("a.php", text, ...frameworks)).toEqual(
      ["create", "destroy", "edit", "index", "show", "store", "update"]
        .map((action) => `photos.${action}`)
        .concat("deleted_at", "photos")
        .sort(),
    );
});

test("are in lists of at most 500 characters", () => {
  const list = (last: string): string => `'${"ab|".repeat(166)}${last}'`;
  expect(found("a.ts", list("yz"))).toEqual(["ab", "yz"]);
  expect(found("a.ts", list("xyz"))).toEqual([]);
});

test.each([
  ["paid", true],
  ["p", true],
  ["", false],
  ["é_2", true],
  ["order.paid-now:x/y z", true],
  ["status.", true],
  [".title.", true],
  ["-title_", true],
  [".title", false],
  ["-title", false],
  [" paid", false],
  ["paid!", false],
  ["{x}", false],
  ["a b c d", true],
  ["a b c d e", false],
  ["x".repeat(60), true],
  ["x".repeat(61), false],
])("%j can be a word: %s", (text, is) => {
  expect(isWord(text)).toBe(is);
});

test.each([
  ["src/a.ts", true],
  ["config/states.json", true],
  ["lang/en/shop.php", true],
  ["docs/readme.md", false],
  ["docs/page.mdx", false],
  ["notes.txt", false],
  ["yarn.lock", false],
  ["package.json", false],
  ["web/package.json", false],
  ["web/my-package.json", true],
  ["package-lock.json", false],
  ["npm-shrinkwrap.json", false],
  ["composer.json", false],
  ["public/app.min.js", false],
  ["public/admin.js", true],
  ["locale/de.po", false],
  ["lang/de.arb", true],
])("words of %s count: %s", (path, is) => {
  expect(hasWords(path)).toBe(is);
});
