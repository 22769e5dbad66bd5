/** The parts and lines of a cell, and the part of a long text that the preview of a replacement shows. */
import { expect, it } from "vitest";
import {
  matchExcerpt,
  parseClipboardText,
  toParts,
} from "../../../src/features/translation-editor/cell-texts.ts";
import { toClipboardText } from "../../../src/webview/translation-editor/clipboard-cells.ts";
import type { Text } from "../../../src/model/translation-text.ts";

it.each<[string, Text | null, string]>([
  ["none", null, "\n"],
  ["an empty value", { value: "" }, "\n"],
  ["empty forms", { forms: { one: "", other: "" } }, "\n"],
  ["an empty form", { forms: { one: "", other: "items" } }, "\nitems"],
  ["an empty form that the language does not need", { forms: { zero: "", other: "items" } }, "\nitems"],
  ["a form that the language does not need", { forms: { zero: "none", other: "items" } }, "\nitems\nnone"],
])("has one line per form in a plural cell, and takes them back: %s", (_, text, lines) => {
  expect(toClipboardText(toParts(text, "nl", true))).toBe(lines);
  const [one, other, zero] = lines.split("\n");
  const forms = { one, other, ...(zero === undefined ? {} : { zero }) };
  expect(parseClipboardText(lines, text, "nl", true)).toEqual({ forms });
});

it("takes lines into a plural cell that has only a value", () => {
  expect(toClipboardText(toParts({ value: "item" }, "nl", true))).toBe("item");
  expect(parseClipboardText("item\r\nitems", { value: "item" }, "nl", true)).toEqual({
    forms: { one: "item", other: "items" },
  });
});

it("takes only as many lines as there are forms, or none", () => {
  expect(parseClipboardText("a", null, "nl", true)).toBeNull();
  expect(parseClipboardText("a\nb\nc", null, "nl", true)).toBeNull();
  expect(parseClipboardText("", { forms: { one: "a" } }, "nl", true)).toEqual({ forms: {} });
  expect(parseClipboardText("a\nb", null, "nl", false)).toEqual({ value: "a\nb" });
});

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
