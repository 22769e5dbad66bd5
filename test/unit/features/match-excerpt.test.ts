/** The part of a long text that the preview of a replacement shows. */
import { expect, it } from "vitest";
import { matchExcerpt } from "../../../src/features/translation-editor/match-excerpt.ts";

const LONG = "word ".repeat(100);

it("shows a short text whole", () => {
  expect(matchExcerpt("a cat", "a dog")).toEqual({ before: "a cat", after: "a dog" });
});

it("shows the first difference of a long text", () => {
  const { before, after } = matchExcerpt(`${LONG}cat ${LONG}`, `${LONG}dog ${LONG}`);
  expect(before).toMatch(/^….{40}cat .{156}…$/u);
  expect(after).toMatch(/^….{40}dog .{156}…$/u);
});

it("shows what was added at the end of a long text", () => {
  expect(matchExcerpt(LONG, `${LONG}end`).after).toMatch(/^….{40}end$/u);
});

it("shows the difference behind characters outside of the BMP, and splits none", () => {
  const { before } = matchExcerpt(`😀${LONG}cat ${"😀".repeat(300)}`, `😀${LONG}dog ${"😀".repeat(300)}`);
  expect(before).toMatch(/^….{40}cat 😀{156}…$/u);
});
