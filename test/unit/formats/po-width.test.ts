/** Lines break where gettext's own programs break them, to the column. */
import { expect, test } from "vitest";
import { po } from "../../../src/formats/gettext/po.ts";
import { needs, runText } from "../support/reference-tools.ts";
import { edited } from "./editing.ts";
import { DUTCH, HEADER } from "./po-samples.ts";

const words = (...lengths: readonly number[]): string =>
  lengths.map((length) => "x".repeat(length)).join(" ");

/** A file that is folded at 79 columns. */
const FOLDED = `${HEADER}\nmsgid "a"\nmsgstr ""\n"${words(70, 3)} "\n"${words(20)}"\n\nmsgid "c"\nmsgstr ""\n`;

test("a line takes 79 columns, its quotes and the blank at its end included, and no more", () => {
  const linesOf = (...lengths: readonly number[]): string[] => {
    const text = edited(po, FOLDED, { c: words(...lengths) }, DUTCH);
    return text.slice(text.indexOf('msgid "c"')).trimEnd().split("\n").slice(2);
  };
  expect(linesOf(60, 15, 30)).toEqual([`"${words(60, 15)} "`, `"${words(30)}"`]);
  expect(linesOf(60, 16, 30)).toEqual([`"${words(60)} "`, `"${words(16, 30)}"`]);
});

test("as msgcat folds them, at every length", (context) => {
  needs(context, "gettext");
  for (let length = 70; length <= 84; length++) {
    for (const text of [words(length, 3, 30), words(length - 10, 6, 2, 1, 40)]) {
      const wanted = FOLDED.replace('"c"\nmsgstr ""', `"c"\nmsgstr "${text}"`);
      expect(edited(po, FOLDED, { c: text }, DUTCH)).toBe(runText("msgcat", ["-"], wanted));
    }
  }
});
