/** Compiled gettext files: identical to msgfmt's, and damaged ones are reported or refused. */
import { describe, expect, test } from "vitest";
import type { NewEntry } from "../../../../src/formats/format.ts";
import { mo } from "../../../../src/formats/gettext/mo-format.ts";
import { compiled } from "./compiled-gettext.ts";
import { ENGLISH, type TextInput, textOf, toTextInput } from "../editing.ts";
import { DUTCH, POLISH } from "./po-samples.ts";

const headerOf = (charset: string): [string, string] => [
  "",
  `Content-Type: text/plain; charset=${charset}\n`,
];
const HEADER = headerOf("UTF-8");
const SLAVIC = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";

/** What `msgfmt --no-hash` 0.21 makes of `ENTRIES`. */
const BY_MSGFMT = Buffer.from(
  "3hIElQAAAAAGAAAAHAAAAEwAAAAAAAAAfAAAAAAAAAB8AAAALAAAAH0AAAAEAAAAqgAAABQAAACvAAAACQAAAMQAAAAFAAAAzgAAAJIA" +
    "AADUAAAAFwAAAGcBAAAGAAAAfwEAAAYAAACGAQAABwAAAI0BAAAFAAAAlQEAAAAlZCBmaWxlIGluIHRoZSBmb2xkZXIAJWQgZmlsZXMg" +
    "aW4gdGhlIGZvbGRlcgBPcGVuAE9wZW5lciBvZiB0aGUgZm9sZGVyAGRvb3IET3BlbgDDqcOpbgBNSU1FLVZlcnNpb246IDEuMApDb250" +
    "ZW50LVR5cGU6IHRleHQvcGxhaW47IGNoYXJzZXQ9VVRGLTgKQ29udGVudC1UcmFuc2Zlci1FbmNvZGluZzogOGJpdApMYW5ndWFnZTog" +
    "bmwKUGx1cmFsLUZvcm1zOiBucGx1cmFscz0yOyBwbHVyYWw9KG4gIT0gMSk7CgAlZCBiZXN0YW5kACVkIGJlc3RhbmRlbgBPcGVuZW4A" +
    "T3BlbmVyAEdlb3BlbmQAw6nDqW4A",
  "base64",
);

const named = (key: string, text: TextInput, context: string | null = null): NewEntry => ({
  key,
  context,
  text: textOf(text),
});

const ENTRIES: readonly NewEntry[] = [
  named("één", "één"),
  named("Open", "Openen"),
  named("Open", "Geopend", "door"),
  {
    ...named("%d file in the folder", { one: "%d bestand", other: "%d bestanden" }),
    source: { forms: { one: "%d file in the folder", other: "%d files in the folder" } },
  },
  named("Opener of the folder", "Opener"),
];

/** Names, texts, and why they cannot be written. */
function readAll(bytes: Uint8Array, options = DUTCH): unknown[] {
  return mo
    .read(bytes, options)
    .entries.map(({ key, context, text, readOnly }) => [key, context, toTextInput(text), readOnly]);
}

describe("file of msgfmt", () => {
  test("is printed identically for any order of entries", () => {
    expect(Buffer.from(mo.print(ENTRIES, DUTCH))).toEqual(BY_MSGFMT);
    expect(Buffer.from(mo.print(ENTRIES.toReversed(), DUTCH))).toEqual(BY_MSGFMT);
  });

  test("is read with its language", () => {
    const { entries, problems, locale } = mo.read(BY_MSGFMT, DUTCH);
    expect([problems, locale]).toEqual([[], "nl"]);
    expect(entries.map(({ key, context, source, readOnly }) => [key, context, source, readOnly])).toEqual([
      ["%d file in the folder", null, ENTRIES[3]?.source, null],
      ["Open", null, { value: "Open" }, null],
      ["Opener of the folder", null, { value: "Opener of the folder" }, null],
      ["Open", "door", { value: "Open" }, null],
      ["één", null, { value: "één" }, null],
    ]);
    expect(entries.map(({ text }) => text)).toEqual([3, 1, 4, 2, 0].map((index) => ENTRIES[index]?.text));
    expect(mo.read(BY_MSGFMT, ENGLISH).entries.map(({ source }) => source)).toEqual(entries.map(() => null));
  });
});

describe("printing", () => {
  test("omits entries without text or name, and earlier duplicates", () => {
    const entries = [
      named("a", "1"),
      named("b", ""),
      named("c", { one: "", other: "" }),
      named("", "header"),
      named("", "header", ""),
      named("", "of a context", "menu"),
      named("nul\0", "1"),
      named("text", "n\0ul"),
      named("mark\u0004", "1"),
      named("mark\u0004", "1", ""),
      named("of a mark", "1", "mark\u0004"),
      named("e\u0004f", "1", "of what it is"),
      named("half", "\ud800"),
      named("a", "2"),
      named("d", "1", ""),
    ];
    expect(readAll(mo.print(entries, DUTCH))).toEqual([
      ["a", null, "2", null],
      ["d", null, "1", null],
      ["", "menu", "of a context", null],
      ["e\u0004f", "of what it is", "1", null],
    ]);
  });

  test("names a plural by the source text or its key", () => {
    const forms = { one: "1 fichier", other: "%d fichiers" };
    const plural = (bytes: Uint8Array): unknown => mo.read(bytes, DUTCH).entries[0]?.source;
    expect(plural(mo.print([named("file", forms)], DUTCH))).toEqual({
      forms: { one: "file", other: "file" },
    });
    expect(plural(mo.print([named("file", forms)], ENGLISH))).toEqual({
      forms: { one: "file", other: "%d fichiers" },
    });
    const source = { value: "a file" };
    expect(plural(mo.print([{ ...named("file", forms), source }], DUTCH))).toEqual({
      forms: { one: "file", other: "file" },
    });
  });
});

test("a new file has as many forms as its plurals need", () => {
  const whole = { one: "1", few: "2", many: "3" };
  const all = { ...whole, other: "4" };
  const formsOf = (...entries: readonly NewEntry[]): string | undefined =>
    /nplurals=\d/u.exec(Buffer.from(mo.print(entries, POLISH)).toString())?.[0];
  expect(formsOf(named("a", whole), named("b", all))).toBe("nplurals=4");
  expect(readAll(mo.print([named("b", all)], POLISH), POLISH)).toEqual([["b", null, all, null]]);
  expect(formsOf(named("a", whole), named("", all))).toBe("nplurals=3");
});

describe("file of another program", () => {
  test("is read in either byte order", () => {
    const bytes = compiled([HEADER, ["a", "b"]], { littleEndian: false });
    expect(readAll(bytes)).toEqual([["a", null, "b", null]]);
  });

  test("is UTF-8 with the locale's plurals without a header", () => {
    const bytes = compiled([
      ["a\u0001", "é"],
      ["file\0files", "plik\0pliki\0plików"],
    ]);
    expect(mo.read(bytes, POLISH).locale).toBeNull();
    expect(readAll(bytes, POLISH)).toEqual([
      ["a\u0001", null, "é", null],
      ["file", null, { one: "plik", few: "pliki", many: "plików" }, null],
    ]);
  });

  test("takes plurals from the header at any position", () => {
    const bytes = compiled([
      ["file\0files", "a\0b\0c"],
      ["", `Plural-Forms: ${SLAVIC}\nLanguage: pl\n`],
    ]);
    expect(mo.read(bytes, POLISH).locale).toBe("pl");
    expect(readAll(bytes, POLISH)).toEqual([["file", null, { one: "a", few: "b", many: "c" }, null]]);
  });

  test("may contain short contexts, NUL and byte order marks", () => {
    const bytes = compiled([HEADER, ["m\u0004a", "\ufeffb"], ["c", "d\0e"]]);
    expect(readAll(bytes)).toEqual([
      ["a", "m", "\ufeffb", null],
      ["c", null, "d\0e", null],
    ]);
  });

  test("may have a text that is not in its encoding", () => {
    const bytes = compiled([HEADER, ["a", Buffer.from("th\xe9", "latin1")], ["b", "c"]]);
    expect(readAll(bytes)).toEqual([
      ["a", null, "th\ufffd", null],
      ["b", null, "c", null],
    ]);
  });

  test("has no context if that is empty", () => {
    expect(readAll(compiled([HEADER, ["\u0004a", "b"]]))).toEqual([["a", null, "b", null]]);
  });

  test("reports a duplicate message and uses the first", () => {
    const bytes = compiled([HEADER, ["a", "1"], ["a\0as", "2\x003"]]);
    const { problems } = mo.read(bytes, DUTCH);
    expect(problems).toMatchObject([{ code: "duplicate", key: "a" }]);
    expect(readAll(bytes)).toEqual([["a", null, "1", null]]);
  });

  test.each([
    ["ISO-8859-1", [["caf\u00e9", null, "th\u00e9", null]], 0],
    ["klingon", [["caf\u00e9", null, "th\u00e9", null]], 1],
    ["UTF-8", [["caf\ufffd", null, "th\ufffd", null]], 0],
    ["CHARSET", [["caf\ufffd", null, "th\ufffd", null]], 0],
    ["us-ascii", [["caf\ufffd", null, "th\ufffd", null]], 0],
    ["ASCII", [["caf\ufffd", null, "th\ufffd", null]], 0],
    [" iso_8859-1:1987", [["caf\u00e9", null, "th\u00e9", null]], 0],
  ])("is read in %s", (charset, entries, problems) => {
    const bytes = compiled([
      headerOf(charset),
      [Buffer.from("caf\xe9", "latin1"), Buffer.from("th\xe9", "latin1")],
    ]);
    expect(readAll(bytes)).toEqual(entries);
    expect(mo.read(bytes, DUTCH).problems.map(({ code, message }) => [code, message])).toEqual(
      problems === 0 ? [] : [["type", `the encoding ${charset} is not known`]],
    );
  });

  test("is read in the encoding of a header in capitals", () => {
    const bytes = compiled([
      ["", "CONTENT-TYPE: TEXT/PLAIN; CHARSET=ISO-8859-1\n"],
      ["a", Buffer.from("th\xe9", "latin1")],
    ]);
    expect(readAll(bytes)).toEqual([["a", null, "th\u00e9", null]]);
  });

  test("may have more forms than categories", () => {
    const bytes = compiled([HEADER, ["file\0files", "1\x002\x003\x004\x005\x006\x007"]]);
    expect(readAll(bytes)).toEqual([["file", null, "1", "unsupported"]]);
    expect(mo.read(bytes, DUTCH).entries[0]?.source).toEqual({ value: "file" });
  });
});

describe("invalid files", () => {
  const good = compiled([HEADER, ["a", "b"]]);
  const withNumber = (offset: number, value: number): Uint8Array => {
    const bytes = good.slice();
    new DataView(bytes.buffer).setUint32(offset, value, true);
    return bytes;
  };

  test.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(), /^0 bytes are too few for a header of 28$/],
    ["less than a header", good.slice(0, 27), /27 bytes are too few/],
    ["something else", withNumber(0, 0x950412df), /not a compiled gettext file/],
    ["a minor revision", withNumber(4, 1), /revision 0\.1 is not known/],
    ["a revision that is to come", withNumber(4, 0x0001_0002), /revision 1\.2 is not known/],
    ["a table of msgids that ends outside", withNumber(12, good.length - 15), /tables of 2 strings/],
    ["a table of texts that ends outside", withNumber(16, good.length - 15), /tables of 2 strings/],
    ["a msgid that ends outside", withNumber(36, 0xffff), /string 1 of 2/],
    ["a text that ends outside", withNumber(44, 0xffff), /string 0 of 2/],
  ])("%s", (_, bytes, message) => {
    expect(mo.read(bytes, DUTCH)).toMatchObject({
      entries: [],
      problems: [{ code: "syntax", message: expect.stringMatching(message) }],
    });
  });

  test("accept a string that ends with the file", () => {
    // Without the NUL behind the last one, which no program needs.
    expect(readAll(good.slice(0, -1))).toEqual([["a", null, "b", null]]);
    expect(mo.read(good.slice(0, -2), DUTCH).problems).toHaveLength(1);
  });

  test("accept tables at the end of the file", () => {
    const bytes = new Uint8Array(28);
    new DataView(bytes.buffer).setUint32(0, 0x950412de, true);
    for (const offset of [12, 16]) new DataView(bytes.buffer).setUint32(offset, 28, true);
    expect(mo.read(bytes, DUTCH)).toMatchObject({ entries: [], problems: [] });
  });

  test("limit shared strings", () => {
    const shared = (times: number): Uint8Array => {
      const bytes = compiled(Array.from({ length: times }, () => ["", ""]));
      const all = new Uint8Array([...bytes, ...new Uint8Array(1000)]);
      const data = new DataView(all.buffer);
      for (let index = 0; index < times * 2; index++) {
        data.setUint32(28 + index * 8, 1000, true);
        data.setUint32(32 + index * 8, bytes.length, true);
      }
      return all;
    };
    expect(mo.read(shared(2), DUTCH).problems).toMatchObject([{ code: "duplicate" }]);
    expect(mo.read(shared(3), DUTCH).problems).toMatchObject([
      { code: "syntax", message: "the strings overlap too much" },
    ]);
  });
});
