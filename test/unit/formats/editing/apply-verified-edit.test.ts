/** Edits are verified by parsing the result: an unwanted change refuses the edit. */
import { describe, expect, test } from "vitest";
import { applyEdit, applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, Splice, TextFormat } from "../../../../src/formats/format.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { csv } from "../../../../src/formats/spreadsheets/csv-format.ts";
import { po } from "../../../../src/formats/gettext/po-format.ts";
import { xliff12 } from "../../../../src/formats/xliff/xliff-format.ts";
import { ENGLISH } from "../editing.ts";

const DUTCH = { locale: "nl", sourceLocale: "en" };

const FILE = '{"a": "1", "b": "2"}';
const CHANGE: Change = { key: "a", context: null, text: { value: "x" } };

/** JSON, of which an edit writes this in place of the file. */
const writing = (text: string): TextFormat => ({
  ...jsonJs,
  edit: (before) => ({ splices: [{ start: 0, end: before.length, text }], refused: [] }),
});

const applied = (text: string, change = CHANGE): unknown => {
  const { text: after, refused } = applyEdit(writing(text), FILE, [change], ENGLISH);
  return [after, refused.map(({ reason }) => reason)];
};

describe("incorrectly written change", () => {
  test.each([
    ["another text", '{"a": "y", "b": "2"}'],
    ["the text under another key", '{"c": "x", "b": "2"}'],
    ["another key's text too", '{"a": "x", "b": "x"}'],
    ["nothing of another key", '{"a": "x"}'],
    ["a key too many", '{"a": "x", "b": "2", "c": "3"}'],
    ["an empty text too many", '{"a": "x", "b": "2", "c": ""}'],
    ["another kind of text", '{"a_one": "x", "a_other": "x", "b": "2"}'],
    ["a file that is broken", '{"a": "x", "b": "2"'],
    ["nothing at all", "{}"],
  ])("is refused: %s", (_, text) => {
    expect(applied(text)).toEqual([FILE, ["conflict"]]);
  });

  test.each([
    ["as it was wanted", '{"a": "x", "b": "2"}'],
    ["in another order", '{"b": "2", "a": "x"}'],
    ["with another layout", '{\n  "a": "x",\n  "b": "2"\n}\n'],
  ])("is accepted: %s", (_, text) => {
    expect(applied(text)).toEqual([text, []]);
  });

  test("is refused only if a removed key is still there", () => {
    const removal: Change = { ...CHANGE, text: null };
    expect(applied('{"a": "1", "b": "2" }', removal)).toEqual([FILE, ["conflict"]]);
    expect(applied('{"b": "2"}', removal)).toEqual(['{"b": "2"}', []]);
  });

  test("is refused alone where the others are as they were wanted without it", () => {
    const changes: Change[] = [
      CHANGE,
      { ...CHANGE, key: "b" },
      { ...CHANGE, key: "b", text: { value: "z" } },
    ];
    const applyAs = (write: (texts: Record<string, string>) => string): unknown => {
      const format: TextFormat = {
        ...jsonJs,
        edit: (before, wanted) => {
          const texts: Record<string, string> = { a: "1", b: "2" };
          for (const { key, text } of wanted) if (text !== null && "value" in text) texts[key] = text.value;
          return { splices: [{ start: 0, end: before.length, text: write(texts) }], refused: [] };
        },
      };
      const { text, refused } = applyEdit(format, FILE, changes, ENGLISH);
      return [text, refused.map(({ key, reason }) => `${key}: ${reason}`)];
    };
    expect(applyAs(({ a, b }) => JSON.stringify({ a: a === "x" ? "y" : a, b }))).toEqual([
      '{"a":"1","b":"z"}',
      ["a: conflict"],
    ]);
    const none = [FILE, ["a: conflict", "b: conflict"]];
    expect(applyAs(({ a, b }) => JSON.stringify({ a: a === "x" ? "y" : a, b, c: b }))).toEqual(none);
    expect(applyAs(({ b }) => JSON.stringify({ a: b === "z" ? "y" : "1", b }))).toEqual(none);
    expect(applyAs(() => '{"a": "y", "b": "y"}')).toEqual(none);
  });

  test("leaves out none of the format's own refusals with the change", () => {
    const refusal = {
      key: "c",
      context: null,
      namespace: null,
      locale: null,
      reason: "unsupported",
    } as const;
    const format: TextFormat = {
      ...jsonJs,
      edit: (before, wanted) => {
        const isOdd = wanted.some(({ key }) => key === "a");
        const text = isOdd ? '{"a": "y", "b": "x", "c": "y"}' : '{"a": "1", "b": "x"}';
        const refused = wanted.some(({ key }) => key === "c") ? [refusal] : [];
        return { splices: [{ start: 0, end: before.length, text }], refused };
      },
    };
    const changes = ["a", "b", "c"].map((key): Change => ({ ...CHANGE, key }));
    const { text, refused } = applyEdit(format, FILE, changes, ENGLISH);
    expect([text, refused.map(({ key, reason }) => `${key}: ${reason}`)]).toEqual([
      '{"a": "1", "b": "x"}',
      ["c: unsupported", "a: conflict"],
    ]);
  });

  test("is refused if forms differ", () => {
    const plural: Change = { ...CHANGE, text: { forms: { one: "x", other: "y" } } };
    expect(applied('{"a_one": "x", "a_other": "z", "b": "2"}', plural)).toEqual([FILE, ["conflict"]]);
    const right = '{"a_one": "x", "a_other": "y", "b": "2"}';
    expect(applied(right, plural)).toEqual([right, []]);
  });

  test("is read back with what is known of keys that the file does not have", () => {
    const file = '{"a": "1", "step_one": "2", "step_other": "3"}';
    const options = { ...ENGLISH, isPlural: () => false };
    expect(applyEdit(jsonJs, file, [CHANGE], options)).toMatchObject({
      text: file.replace("1", "x"),
      refused: [],
    });
  });

  test("is read back from a new file with what is known of the keys written to it", () => {
    const plural: Change = { ...CHANGE, text: { forms: { one: "x", other: "y" } } };
    const { text, refused } = applyEdit(xliff12, "", [plural], DUTCH);
    expect(refused).toEqual([]);
    expect(text).toContain("{count, plural, one {x} other {y}}");
  });

  test("keeps the format's own refusals", () => {
    const format: TextFormat = {
      ...jsonJs,
      edit: (text) => ({
        splices: [{ start: 0, end: text.length, text: '{"a": "x", "b": "3"}' }],
        refused: [{ key: "b", context: null, namespace: null, locale: null, reason: "unsupported" }],
      }),
    };
    const changes: readonly Change[] = [CHANGE, { key: "b", context: null, text: { value: "3" } }];
    const { text, refused } = applyEdit(format, FILE, changes, ENGLISH);
    expect([text, refused.map(({ key, reason }) => `${key} ${reason}`)]).toEqual([
      FILE,
      ["b unsupported", "a conflict"],
    ]);
  });
});

describe("change of a sheet", () => {
  const SHEET = "key,en,nl\na,p,\nb,q,r\n";
  const sheet = (text: string, change: Change): unknown => {
    const format: TextFormat = {
      ...csv,
      edit: (before) => ({ splices: [{ start: 0, end: before.length, text }], refused: [] }),
    };
    const edit = applyEdit(format, SHEET, [{ ...change, locale: "en" }], ENGLISH);
    return [edit.text, edit.refused.map(({ reason }) => reason)];
  };

  test.each([
    ["another text", "key,en,nl\na,y,\nb,q,r\n"],
    ["another key's text too", "key,en,nl\na,x,\nb,q,s\n"],
    ["nothing of another key", "key,en,nl\na,x,\n"],
    ["a key too many", "key,en,nl\na,x,\nb,q,r\nc,t,\n"],
    ["a key without texts", "key,en,nl\na,x,\nb,q,r\nc,,\n"],
    ["texts of another language", "key,en,nl,fr\na,x,,\nb,q,r,s\n"],
  ])("is refused: %s", (_, text) => {
    expect(sheet(text, CHANGE)).toEqual([SHEET, ["conflict"]]);
  });

  test("may leave out cells without a text, and add them", () => {
    for (const text of ["key,en,nl,fr\na,x,,\nb,q,r,\n", "key,en,nl\na,x,\nb,q,r\n"])
      expect(sheet(text, CHANGE)).toEqual([text, []]);
    const without = "key,en,nl\nb,q,r\n";
    expect(sheet(without, { ...CHANGE, text: null })).toEqual([without, []]);
  });

  test("may be made though an unfinished merge was there before", () => {
    const text = "key,value\na,1\n<<<<<<< ours\nb,2\n=======\nb,3\n>>>>>>> theirs\n";
    expect(applyEdit(csv, text, [CHANGE], ENGLISH)).toMatchObject({
      text: text.replace("a,1", "a,x"),
      refused: [],
    });
  });
});

test("creates a file from an empty text, without removed keys", () => {
  const changes: readonly Change[] = [CHANGE, { key: "b", context: null, text: null }];
  expect(applyEdit(jsonJs, " \n", changes, ENGLISH)).toMatchObject({
    text: '{\n  "a": "x"\n}\n',
    splices: [{ start: 0, end: 2 }],
    refused: [{ key: "b", reason: "not_found" }],
  });
  expect(applyEdit(jsonJs, " \n", changes.slice(1), ENGLISH)).toMatchObject({ text: " \n", splices: [] });
});

test.each<[string, TextFormat, Change]>([
  ["a key with a context in JSON", jsonJs, { ...CHANGE, key: "b", context: "menu" }],
  ["the name of the header in PO", po, { ...CHANGE, key: "" }],
  ["a key without characters in CSV", csv, { ...CHANGE, key: " " }],
  ["a control character in XLIFF", xliff12, { ...CHANGE, key: "b", text: { value: "\b" } }],
])("creates a file without what it cannot contain: %s", (_, format, change) => {
  const { text, refused } = applyEdit(format, "", [CHANGE, change], DUTCH);
  expect(text).toBe(format.print([{ ...CHANGE, text: { value: "x" } }], DUTCH));
  expect(refused).toMatchObject([{ key: change.key, reason: "unsupported" }]);
  expect(applyEdit(format, "", [change], DUTCH)).toMatchObject({ text: "", splices: [] });
});

test.each([jsonJs, po, csv, xliff12])(
  "creates a $name file with the last of several texts of a key",
  (format) => {
    const last = { ...CHANGE, text: { value: "y" } };
    const { text, refused } = applyEdit(format, "", [CHANGE, last], DUTCH);
    expect([text, refused]).toEqual([format.print([last], DUTCH), []]);
  },
);

test.each([jsonJs, po, csv, xliff12])(
  "adds to a $name file the last of several texts of a key, and removes it once",
  (format) => {
    const there = { ...CHANGE, key: "b", text: { value: "1" } };
    const last = { ...CHANGE, text: { value: "y" } };
    const before = format.print([there], DUTCH);
    const { text, refused } = applyEdit(format, before, [CHANGE, last], DUTCH);
    expect([
      format.read(text, DUTCH).entries.filter(({ locale }) => locale !== "en").length,
      refused,
    ]).toEqual([2, []]);
    expect(text).toBe(applyEdit(format, before, [last], DUTCH).text);
    const gone = { ...CHANGE, key: "none", text: null };
    expect(applyEdit(format, before, [gone, gone], DUTCH).refused).toMatchObject([{ reason: "not_found" }]);
  },
);

test("applies splices in order", () => {
  const splices: readonly Splice[] = [
    { start: 0, end: 1, text: "" },
    { start: 2, end: 2, text: "x" },
    { start: 3, end: 4, text: "yz" },
  ];
  expect(applySplices("abcde", splices)).toBe("bxcyze");
  expect(applySplices("abc", [])).toBe("abc");
});
