/** Lists, such as the rows of the translation editor, when they are updated automatically. */
import { expect, test } from "vitest";
import { keepListed } from "../../../src/util/keep-listed.ts";
import { expectLinearTime } from "../support/linear-time.ts";

const rows = (text: string): string[] => text.split(" ").filter((each) => each !== "");

test.each([
  ["all are found again", "a b c", "a b c", "a b c"],
  ["others were found", "b d", "a b c d e", "a b c d e"],
  ["a row no longer matches: it stays where it was", "a b c", "a c", "a b c"],
  ["several in a row stay in order", "a b c d", "a d", "a b c d"],
  ["the first rows no longer match", "a b c", "c d", "a b c d"],
  ["none matches any more", "a b", "", "a b"],
  ["a row stays behind the one that it followed", "a b d", "a c d", "a b c d"],
  ["the order changed", "a b c", "c a", "c a b"],
  ["the list was empty", "", "a b", "a b"],
])("%s", (_, listed, found, expected) => {
  expect(keepListed(rows(listed), rows(found), () => true)).toEqual(rows(expected));
});

test("takes linear time when no row is found again", () => {
  expectLinearTime((count) => {
    const shown = Array.from({ length: count }, (_, index) => String(index));
    expect(keepListed(shown, [], () => true)).toHaveLength(count);
  }, 50_000);
});

test("removes the row of a deleted key", () => {
  expect(keepListed(rows("a b c d"), rows("a"), (hash) => hash !== "c")).toEqual(rows("a b d"));
});
