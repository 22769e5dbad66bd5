/** An edit of one translation, step by step: what is written, and over which version. */
import { expect, test } from "vitest";
import {
  afterConflict,
  beginEdit,
  isUnchanged,
} from "../../../src/features/edit-translation/edit-decisions.ts";
import type { Text } from "../../../src/model/translation-text.ts";

const text = (value: string): Text => ({ value });
const row = (value: string | null, version: number) => ({
  text: value === null ? null : text(value),
  version,
});

test("begins with the current translation and its version", () => {
  const edit = beginEdit(row("Mandje", 3), undefined, undefined, undefined);
  expect(edit).toEqual({
    mine: text("Mandje"),
    base: text("Mandje"),
    version: 3,
    toWrite: undefined,
    isOverwriting: false,
  });
  expect(isUnchanged(edit, text("Mandje"))).toBe(true);
  expect(isUnchanged(edit, text("Je mandje"))).toBe(false);
  expect(isUnchanged(edit, text(""))).toBe(false);
});

test("begins with nothing for an untranslated key, where an empty text is no change", () => {
  const edit = beginEdit(undefined, undefined, undefined, undefined);
  expect([edit.mine, edit.base, edit.version]).toEqual([null, null, null]);
  expect(isUnchanged(edit, text(""))).toBe(true);
  expect(isUnchanged(edit, text("Mandje"))).toBe(false);
});

test("an emptied translation has a version, so that an empty text is written over it", () => {
  expect(isUnchanged(beginEdit(row(null, 4), undefined, undefined, undefined), text(""))).toBe(false);
});

test("what was typed earlier keeps the version that it was based on, so that a later change is a conflict", () => {
  const typed = { text: text("Getypt"), base: text("Mandje"), version: 3 };
  const edit = beginEdit(row("Hun mandje", 4), undefined, undefined, typed);
  expect([edit.mine, edit.base, edit.version, edit.toWrite]).toEqual([
    text("Getypt"),
    text("Mandje"),
    3,
    undefined,
  ]);
});

test("a given text is shown instead of what was typed, on the current translation", () => {
  const typed = { text: text("Getypt"), base: null, version: null };
  const edit = beginEdit(row("Mandje", 3), text("Voorstel"), undefined, typed);
  expect([edit.mine, edit.base, edit.version, edit.toWrite]).toEqual([
    text("Voorstel"),
    text("Mandje"),
    3,
    undefined,
  ]);
});

test("a given text with a version is written at once, over that version only", () => {
  const edit = beginEdit(row("Hun mandje", 4), text("Voorstel"), 3, undefined);
  expect([edit.toWrite, edit.version]).toEqual([text("Voorstel"), 3]);
  const first = beginEdit(undefined, text("Voorstel"), null, undefined);
  expect([first.toWrite, first.version]).toEqual([text("Voorstel"), null]);
  // What was given for no translation does not replace one that there is by now.
  expect(beginEdit(row("Hun mandje", 4), text("Voorstel"), null, undefined).version).toBeNull();
});

test("keeping mine writes it over their version, also if both are equal by then", () => {
  const edit = afterConflict(text("Mijn"), row("Hun", 7), "mine");
  expect(edit).toEqual({
    mine: text("Mijn"),
    base: text("Hun"),
    version: 7,
    toWrite: text("Mijn"),
    isOverwriting: true,
  });
  expect(isUnchanged(afterConflict(text("Hun"), row("Hun", 7), "mine"), text("Hun"))).toBe(false);
});

test("editing again starts from mine, on their version, and then asks", () => {
  const edit = afterConflict(text("Mijn"), row("Hun", 7), "edit");
  expect([edit.mine, edit.base, edit.version, edit.toWrite]).toEqual([
    text("Mijn"),
    text("Hun"),
    7,
    undefined,
  ]);
  // Typing what they wrote leaves theirs.
  expect(isUnchanged(edit, text("Hun"))).toBe(true);
});

test("asks again about a second conflict", () => {
  const overwriting = afterConflict(text("Mijn"), row("Hun", 7), "mine");
  const again = afterConflict(overwriting.mine ?? text(""), row("Weer anders", 8), "edit");
  expect([again.version, again.isOverwriting]).toEqual([8, false]);
});
