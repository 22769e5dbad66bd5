/** Files of any format as bytes: encoding, positions of problems, example files, and new files. */
import { describe, expect, test } from "vitest";
import type { Change, Format, ReadOptions } from "../../../src/formats/format.ts";
import { mo } from "../../../src/formats/gettext/mo-format.ts";
import { po } from "../../../src/formats/gettext/po-format.ts";
import { jsonJs } from "../../../src/formats/json/json-format.ts";
import {
  decodeHead,
  editTranslationFile,
  exampleOf,
  isUnreadable,
  printTranslationFile,
  readTranslationFile,
} from "../../../src/formats/parse-and-edit-file.ts";
import { HEAD_LENGTH } from "../../../src/formats/detect-format.ts";
import { wordpressJed } from "../../../src/formats/wordpress/wordpress-jed-format.ts";
import { wordpressPhp } from "../../../src/formats/wordpress/wordpress-php-format.ts";
import { csv } from "../../../src/formats/spreadsheets/csv-format.ts";
import { xlsx } from "../../../src/formats/spreadsheets/xlsx-format.ts";
import { DUTCH, HEADER } from "./gettext/po-samples.ts";

const BOM = "\ufeff";
const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(BOM + text, "utf16le"));
const change = (key: string, value: string | null): Change => ({
  key,
  context: null,
  text: value === null ? null : { value },
});

test("a file is read in the encoding that it declares", async () => {
  const text = `${HEADER.replace("UTF-8", "ISO-8859-1")}\nmsgid "a"\nmsgstr "\xe9"\n`;
  const read = await readTranslationFile(po, latin1(text), DUTCH);
  expect(isUnreadable(read) ? read : read.entries.map((entry) => entry.text)).toEqual([{ value: "\xe9" }]);
});

describe("example for new files", () => {
  test.each<[string, Uint8Array, ReturnType<typeof exampleOf>]>([
    ["in UTF-8", utf8("{}"), { text: "{}", bom: false, locale: "nl" }],
    ["with a mark", utf8(`${BOM}{}`), { text: "{}", bom: true, locale: "nl" }],
    ["in UTF-16, whose mark no file in UTF-8 needs", utf16("{}"), { text: "{}", bom: false, locale: "nl" }],
    ["with nothing in it", utf8(" \n"), null],
    ["with bytes that are no text", latin1('{"a": "\xe9"}'), null],
  ])("%s", (_, bytes, example) => {
    expect(exampleOf("json_js", bytes, "nl")).toEqual(example);
  });

  test("is a text file, decoded by its declared encoding", () => {
    expect(exampleOf("mo", mo.print([], DUTCH), "nl")).toBeNull();
    const text = HEADER.replace("UTF-8", "ISO-8859-1");
    expect(exampleOf("po", latin1(`${text}# \xe9\n`), "nl")).toMatchObject({
      text: `${text}# é\n`,
      bom: false,
    });
  });
});

test("the start of a file is read also if it ends within a character, or is in another encoding", () => {
  const text = `{${"a".repeat(HEAD_LENGTH - 2)}é`;
  expect(decodeHead(utf8(text))).toBe(text.replace("é", "\ufffd"));
  expect(decodeHead(latin1('<?php return ["a" => "\xe9"];'))).toContain('<?php return ["a" => "');
  expect(decodeHead(utf16("{}"))).toBe("{}");
});

describe("edit", () => {
  const made = async (
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: ReadOptions = DUTCH,
    format: Format = jsonJs,
  ): Promise<{ bytes: Uint8Array; refused: unknown }> => {
    const edited = await editTranslationFile(format, bytes, changes, options);
    if (isUnreadable(edited)) throw new Error("not readable");
    return { bytes: edited.bytes, refused: edited.refused.map(({ key, reason }) => `${key}: ${reason}`) };
  };

  test("keeps byte order mark and encoding", async () => {
    for (const encode of [(text: string) => utf8(BOM + text), utf16, utf8]) {
      expect(await made(encode('{"a": "b"}'), [change("a", "é")])).toEqual({
        bytes: encode('{"a": "é"}'),
        refused: [],
      });
    }
  });

  test("returns the same bytes without changes", async () => {
    const bytes = utf8('{"a": "\\u0062"}');
    expect((await made(bytes, [change("a", "b")])).bytes).toBe(bytes);
  });

  test("creates a file like the first example, with or without byte order mark", async () => {
    const like = (bom: boolean): ReadOptions => ({
      ...DUTCH,
      examples: [
        { text: '{\n\t"a": "b"\n}\n', bom, locale: "en" },
        { text: "{}", bom: !bom, locale: "de" },
      ],
    });
    expect((await made(undefined, [change("a", "x")], like(true))).bytes).toEqual(
      utf8(`${BOM}{\n\t"a": "x"\n}\n`),
    );
    expect((await made(undefined, [change("a", "x")], like(false))).bytes).toEqual(
      utf8('{\n\t"a": "x"\n}\n'),
    );
    expect(await made(undefined, [change("a", null)])).toEqual({
      bytes: new Uint8Array(),
      refused: ["a: not_found"],
    });
  });

  test("refuses only texts that the encoding cannot contain", async () => {
    const file = (a: string, b: string): Uint8Array =>
      latin1(
        `${HEADER.replace("UTF-8", "ISO-8859-1")}\nmsgid "a"\nmsgstr "${a}"\n\nmsgid "b"\nmsgstr "${b}"\n`,
      );
    expect(await made(file("x", "y"), [change("a", "é"), change("b", "日")], DUTCH, po)).toEqual({
      bytes: file("é", "y"),
      refused: ["b: encoding"],
    });
    const sources = { forms: { one: "c", other: "日" } };
    for (const more of [
      { context: "日" },
      { description: "日" },
      { text: { forms: { other: "z" } }, source: sources },
    ]) {
      const wanted = [change("a", "é"), { ...change("c", "z"), ...more }];
      expect(await made(file("x", "y"), wanted, DUTCH, po)).toEqual({
        bytes: file("é", "y"),
        refused: ["c: encoding"],
      });
    }
  });

  test("refuses a lone surrogate", async () => {
    const bytes = utf8(`${HEADER}\nmsgid "a"\nmsgstr ""\n`);
    expect(await made(bytes, [change("a", "\ud800")], DUTCH, po)).toEqual({
      bytes,
      refused: ["a: encoding"],
    });
    const plural: Change = {
      ...change("c", null),
      text: { forms: { one: "x", other: "\udc00" } },
      source: { forms: { one: "c", other: "cs" } },
    };
    expect((await made(bytes, [plural], DUTCH, po)).refused).toEqual(["c: encoding"]);
    const source: Change = { ...plural, text: { forms: { one: "x", other: "y" } } };
    expect(
      (await made(bytes, [{ ...source, source: { forms: { one: "c", other: "\ud800" } } }], DUTCH, po))
        .refused,
    ).toEqual(["c: encoding"]);
    for (const more of [{ context: "\ud800" }, { description: "\ud800" }]) {
      expect((await made(bytes, [{ ...change("d", "x"), ...more }], DUTCH, po)).refused).toEqual([
        "d: encoding",
      ]);
    }
  });

  test("makes or refuses every change of a file in an encoding, whatever else is refused", async () => {
    const bytes = latin1(`${HEADER.replace("UTF-8", "ISO-8859-1")}\nmsgid "a"\nmsgstr "x"\n`);
    const wanted: readonly (readonly [Change, string | null])[] = [
      [change("a", "é"), null],
      [change("gone", null), "gone: not_found"],
      [change("new", "ü"), null],
      [change("other", "日"), "other: encoding"],
      [change("日", "x"), "日: encoding"],
      [change("not there", null), "not there: not_found"],
    ];
    // Every selection of them, so that each reason occurs without and with the others.
    for (let picked = 0; picked < 1 << wanted.length; picked++) {
      const selected = wanted.filter((_, index) => (picked >> index) & 1);
      const result = await made(
        bytes,
        selected.map(([each]) => each),
        DUTCH,
        po,
      );
      expect(new Set(result.refused as string[])).toEqual(
        new Set(selected.flatMap(([, refusal]) => refusal ?? [])),
      );
      const text = Buffer.from(result.bytes).toString("latin1");
      for (const [{ key, text: to }, refusal] of selected) {
        if (refusal !== null || to === null || !("value" in to)) continue;
        expect(text).toContain(`msgid "${key}"\nmsgstr "${to.value}"\n`);
      }
    }
  });

  test("rejects binary content", async () => {
    expect(await editTranslationFile(jsonJs, latin1('{\n"\xe9"'), [change("a", "x")], DUTCH)).toEqual({
      refused: "encoding",
      line: 2,
      column: 2,
    });
  });

  test.each([mo, xlsx, wordpressPhp, wordpressJed])(
    "refuses changes of a file that $name is generated in",
    async (format) => {
      const entries = [{ key: "a", context: null, text: { value: "x" } }];
      const printed = await printTranslationFile(format, entries, DUTCH);
      for (const bytes of [printed, new Uint8Array()]) {
        const there = await made(
          bytes,
          [change("a", "y"), change("a", null), change("b", "z")],
          DUTCH,
          format,
        );
        expect(there).toEqual({ bytes, refused: ["a: generated", "a: generated", "b: generated"] });
      }
    },
  );
});

test("a problem of a binary file has no place", async () => {
  expect(await readTranslationFile(mo, utf8("none"), DUTCH)).toMatchObject({
    problems: [{ code: "syntax", line: null, column: null }],
  });
});

test.each<[title: string, format: Format, text: string, problems: readonly (readonly unknown[])[]]>([
  [
    "in place of what else is wrong with the syntax",
    jsonJs,
    '{\n<<<<<<< ours\n  "a": "x",\n=======\n  "a": "y",\n>>>>>>> theirs\n}\n',
    [["syntax", "an unfinished merge", 2, 1]],
  ],
  ["at the start of the file", jsonJs, "<<<<<<< ours\n{}", [["syntax", "an unfinished merge", 1, 1]]],
  [
    "beside problems of values",
    jsonJs,
    '{\n  "n": 1,\n<<<<<<< ours\n  "a": "x"\n}\n',
    [
      ["type", "not a text", 2, 8],
      ["syntax", "an unfinished merge", 3, 1],
    ],
  ],
  ["not in a text that looks like it", csv, 'key,value\na,"x\n<<<<<<< ours"\n', []],
  [
    "not within a line",
    jsonJs,
    '{\n  "a": "x <<<<<<< y" "b": "z"\n}',
    [["syntax", "a comma is missing", 2, 22]],
  ],
  [
    "not in a file without it",
    jsonJs,
    '{\n  "a": "x",\n  "b": 1,\n  "c" "d"\n}',
    [
      ["type", "not a text", 3, 8],
      ["syntax", "a colon is missing", 4, 7],
    ],
  ],
])("an unfinished merge is a problem, with its place: %s", async (_, format, text, problems) => {
  const read = await readTranslationFile(format, utf8(text), DUTCH);
  if (isUnreadable(read)) throw new Error("unreadable");
  const found = read.problems.map(({ code, message, line, column }) => [code, message, line, column]);
  const mark = read.problems.find(({ message }) => message === "an unfinished merge")?.span;
  expect(mark === undefined ? "<<<<<<<" : text.slice(mark.start, mark.end)).toBe("<<<<<<<");
  expect(found.toSorted((a, b) => Number(a[2]) - Number(b[2]))).toEqual(problems);
});
