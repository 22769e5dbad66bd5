/** Plural texts as editable documents: round trips without changes. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  decideDocumentSave,
  printTextDocument,
  parseTextDocument,
  type EditedText,
} from "../../../src/model/plural-text-document.ts";
import { PLURAL_CATEGORIES, type Text } from "../../../src/model/translation-text.ts";
import { anyCharacter } from "../support/any-character.ts";
import { propertyRuns } from "../support/full-run.ts";

/** What an editor does to any document: one kind of line end, and bytes of UTF-8. */
const inEditor = (document: string, end: string): string =>
  document.replaceAll(/\r\n|\r|\n/gu, end).toWellFormed();

const line = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    "",
    "[name]",
    "[one]",
    "[other]",
    "\\[one]",
    "\\\\[few]",
    "[one] ",
    "\\",
    "\u2028",
    "\ud800",
  ),
);
const form = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r", "")))
  .map((lines) => lines.flat().join(""));
const lineEnd = fc.constantFrom("\n", "\r\n");
const categories = fc.constantFrom(["one", "other"], ["one", "few", "many"], ["other"], []);

test("round-trips plural forms", () => {
  const forms = fc.dictionary(fc.constantFrom(...PLURAL_CATEGORIES, "=0", "name", "__proto"), form);
  fc.assert(
    fc.property(forms, categories, lineEnd, (given, needed, end) => {
      const edited: EditedText = { text: { forms: given }, isPlural: true, categories: needed };
      expect(parseTextDocument(inEditor(printTextDocument(edited), end), edited)).toEqual({ forms: given });
    }),
    propertyRuns(100),
  );
});

test("round-trips a value", () => {
  fc.assert(
    fc.property(form, lineEnd, (value, end) => {
      const edited: EditedText = { text: { value }, isPlural: false, categories: [] };
      expect(parseTextDocument(inEditor(printTextDocument(edited), end), edited)).toEqual({ value });
    }),
    propertyRuns(100),
  );
});

test("reads any text below a heading as that form", () => {
  const typed = form.map((text) => text.replaceAll(/\r\n|\r/gu, "\n").toWellFormed());
  fc.assert(
    fc.property(form, typed, (before, after) => {
      const edited: EditedText = { text: { forms: { other: before } }, isPlural: true, categories: [] };
      const wanted: EditedText = { ...edited, text: { forms: { other: after } } };
      const read = parseTextDocument(printTextDocument(wanted), edited) as { forms: Record<string, string> };
      expect(read.forms["other"]?.replaceAll(/\r\n|\r/gu, "\n").toWellFormed()).toBe(after);
    }),
    propertyRuns(100),
  );
});

const dutch = (text: Text | null): EditedText => ({ text, isPlural: true, categories: ["one", "other"] });

test("writes a readable document", () => {
  expect(printTextDocument(dutch({ forms: { one: "a\n[one]\nb", other: "c\n" } }))).toBe(
    "[one]\na\n\\[one]\nb\n[other]\nc\n\n",
  );
  expect(printTextDocument(dutch(null))).toBe("[one]\n\n[other]\n\n");
});

test("reads new forms, without a final newline, in another order", () => {
  expect(parseTextDocument("[one]\na\n[name]\n[other]\nb", dutch(null))).toEqual({
    forms: { one: "a\n[name]", other: "b" },
  });
  expect(parseTextDocument("[other]\nb\n[one]\na\n", dutch(null))).toEqual({
    forms: { one: "a", other: "b" },
  });
  expect(parseTextDocument("[one]\na\n[other]\n\n", dutch(null))).toEqual({ forms: { one: "a" } });
});

test("keeps the line endings of unchanged lines", () => {
  const edited: EditedText = { text: { value: "a\r\nb\rc\r\nd\r\ne" }, isPlural: false, categories: [] };
  expect(parseTextDocument("a\nb\nX\nY\nd\ne", edited)).toEqual({ value: "a\r\nb\rX\r\nY\r\nd\r\ne" });
});

test("keeps lines before and after replaced ones, with their endings", () => {
  const names = (count: number, sign: string): string[] =>
    Array.from({ length: count }, (_, index) => `${sign}${index}`);
  const end = fc.constantFrom("\n", "\r\n", "\r");
  const part = (sign: string): fc.Arbitrary<string[]> =>
    fc
      .array(end, { maxLength: 3 })
      .map((ends) => names(ends.length, sign).map((name, at) => name + ends[at]));
  fc.assert(
    fc.property(part("a"), part("b"), part("c"), fc.nat(3), (first, middle, last, count) => {
      const edited: EditedText = {
        text: { value: [...first, ...middle, ...last, "end"].join("") },
        isPlural: false,
        categories: [],
      };
      const typed = names(count, "X").map((name) => `${name}\n`);
      const document = inEditor([...first, ...typed, ...last, "end"].join(""), "\n");
      const { value } = parseTextDocument(document, edited) as { value: string };
      expect(value.startsWith(first.join(""))).toBe(true);
      expect(value.endsWith([...last, "end"].join(""))).toBe(true);
      expect(inEditor(value, "\n")).toBe(document);
    }),
    propertyRuns(100),
  );
});

test("rejects a document with damaged headings", () => {
  expect(parseTextDocument("a\n[one]\nb\n[other]\nc\n", dutch(null))).toEqual({ kind: "before" });
  expect(parseTextDocument("[one]\na\n", dutch(null))).toEqual({ kind: "missing", category: "other" });
  expect(parseTextDocument("[one]\na\n[other]\nb\n[one]\nc\n", dutch(null))).toEqual({
    kind: "twice",
    category: "one",
  });
});

test("restores line endings of duplicate lines from one place only", () => {
  const before = { text: { value: "\ud800\ra" }, isPlural: false, categories: [] };
  expect(parseTextDocument("\ufffd\na\nb\n\ufffd\na", before)).toEqual({ value: "\ud800\ra\rb\r\ufffd\ra" });
});

test("keeps the document open on auto save, whatever it has by then, and finishes on the user's own save", () => {
  const before = { text: { forms: { one: "a", other: "b" } }, isPlural: true, categories: [] };
  const document = printTextDocument(before);
  const half = document.slice(0, 8);
  expect(decideDocumentSave(half, before, true)).toEqual({ kind: "keep" });
  expect(decideDocumentSave(document, before, true)).toEqual({ kind: "keep" });
  expect(decideDocumentSave(half, before, false)).toMatchObject({
    kind: "refuse",
    problem: { kind: "missing" },
  });
  expect(decideDocumentSave(document, before, false)).toEqual({ kind: "finish", text: before.text });
});
