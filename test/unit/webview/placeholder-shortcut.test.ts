/** The key combinations that insert a placeholder, and those that type a character. */
import { expect, it } from "vitest";
import { placeholderNumber } from "../../../src/webview/translation-editor/placeholder-shortcut.ts";

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

it("is Alt and a digit, by the position of its key", () => {
  expect(placeholderNumber({ ...none, code: "Digit1", altKey: true })).toBe(1);
  expect(placeholderNumber({ ...none, code: "Digit9", altKey: true })).toBe(9);
});

it("is no other combination: AltGr, which is Ctrl+Alt on Windows, and Option+Shift type characters", () => {
  for (const keys of [{}, { altKey: true, ctrlKey: true }, { altKey: true, shiftKey: true }])
    expect(placeholderNumber({ ...none, ...keys, code: "Digit2" })).toBe(0);
  expect(placeholderNumber({ ...none, code: "Digit0", altKey: true })).toBe(0);
  expect(placeholderNumber({ ...none, code: "KeyA", altKey: true })).toBe(0);
});
