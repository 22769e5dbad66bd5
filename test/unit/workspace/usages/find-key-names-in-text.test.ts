/** The names that a text mentions, whose keys are not reported as unused. */
import { expect, test } from "vitest";
import { KeyOccurrences } from "../../../../src/workspace/usages/find-key-names-in-text.ts";

/** Whether the text mentions the name. */
function mentions(name: string, text: string, { path = "a.txt", isLiteral = false } = {}): boolean {
  const searched = new KeyOccurrences<string>();
  searched.add({ name, isLiteral }, "key");
  searched.search(path, text);
  return searched.paths().get("key") === path;
}

test.each([
  ["cart.title", "see cart.title, or not", true],
  ["cart.title", "see cart.title.", true],
  ["cart.title", "see cart.title.more", false],
  ["cart.title", "see mycart.title", false],
  ["cart:title", "cart:title", true],
  ["admin/users.none", "(admin/users.none)", true],
  ["titel_é", "«titel_é»", true],
  ["Save the cart", "say 'Save the cart' now", true],
  ["Save the cart", "Save the cart", false],
  ["Save the cart", "<b>\n  Save  the\n cart </b>", true],
  ["It's late", `"It\\'s late"`, true],
  ["It's late", "&quot;It&#39;s late&quot;", true],
  ["50% off it", "'50%% off it'", true],
  ["a\u00e9 b", `"a\\u00e9 b"`, true],
  ["cart.", "cart.", false],
  ["cart.", "'cart.'", true],
  ["A new one", "'A \\new one'", true],
  ["It's & 5%", "<b>It&#39;s &amp; 5%</b>", true],
  ["", "", false],
  ["", "'' \"\"", false],
])("finds %j in %j: %s", (name, text, expected) => {
  expect(mentions(name, text)).toBe(expected);
});

test.each([
  ["title", "a title of it", false],
  ["title", "a 'title' of it", true],
  ["title", "a `title` of it", true],
  ["title", "a 'title of it'", false],
])("finds a plain word only as a whole literal: %j in %j: %s", (name, text, expected) => {
  expect(mentions(name, text, { isLiteral: true })).toBe(expected);
});

test.each([
  ["a.yaml", "label: Save the cart", true],
  ["a.yml", "  - Save the cart  ", true],
  ["a.ini", "label = Save the cart", true],
  ["a.toml", "label = Save the cart", true],
  ["a.neon", "- Save the cart", true],
  ["nginx.conf", "label = Save the cart", true],
  ["a.properties", "label=Save the cart", true],
  ["a.toml", "# Save the cart", false],
  ["a.txt", "label: Save the cart", false],
])("finds unquoted values in configuration files: %s: %j: %s", (path, text, expected) => {
  expect(mentions("Save the cart", text, { path })).toBe(expected);
});

test("finds a name of each length, also where a shorter one is looked for", () => {
  const searched = new KeyOccurrences<string>();
  const long = "Save the cart with all of its items";
  for (const name of [long, "?"]) searched.add({ name, isLiteral: false }, name);
  searched.search("a", `'${long}' '?'`);
  expect([...searched.paths().keys()]).toEqual([long, "?"]);
});

test("returns the first file for each of several values of a name", () => {
  const searched = new KeyOccurrences<number>();
  for (const [id, name] of ["cart.title", "cart.title", "Pay now", "Pay now", "other"].entries())
    searched.add({ name, isLiteral: false }, id);
  searched.search("a", "cart.title 'Pay now'");
  searched.search("b", "cart.title 'Pay now' other");
  expect([0, 1, 2, 3, 4].map((id) => searched.paths().get(id))).toEqual(["a", "a", "a", "a", "b"]);
});
