/** Decoding and encoding round-trip; undecodable bytes are refused with their position. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canEncode,
  declaresUnsupportedEncoding,
  decodeText,
  encodeText,
  isUndecodable,
  sameBytes,
  singleByteEncoding,
} from "../../../../src/formats/text/encoding.ts";
import { po as poFormat } from "../../../../src/formats/gettext/po-format.ts";
import { editTranslationFile, isUnreadable } from "../../../../src/formats/parse-and-edit-file.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { propertyRuns } from "../../support/full-run.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/encodings");
const bytesOf = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const utf16 = (text: string, order: "le" | "be"): Uint8Array => {
  const bytes = new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));
  return order === "le" ? bytes : new Uint8Array(Buffer.from(bytes).swap16());
};
const po = (charset: string, text: string): string =>
  `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=${charset}\\n"\n\nmsgid "a"\nmsgstr "${text}"\n`;

describe("decodeText", () => {
  test("separates the byte order mark", () => {
    const bytes = bytesOf(0xef, 0xbb, 0xbf, 0x61);
    expect(decodeText(bytes)).toEqual({ text: "a", bom: true });
    expect(encodeText({ text: "a", bom: true })).toEqual(bytes);
  });

  test("treats a second byte order mark as text", () => {
    const bytes = bytesOf(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf);
    expect(decodeText(bytes)).toEqual({ text: "\ufeff", bom: true });
    expect(encodeText({ text: "\ufeff", bom: true })).toEqual(bytes);
  });

  test.each(["le", "be"] as const)("round-trips UTF-16%s with its byte order mark", (order) => {
    const bytes = utf16("é → 🌍\r\n", order);
    const decoded = decodeText(bytes);
    expect(decoded).toEqual({ text: "é → 🌍\r\n", bom: true, encoding: `utf-16${order}` });
    expect(isUndecodable(decoded) ? null : encodeText(decoded)).toEqual(bytes);
    expect(encodeText({ text: "é → 🌍\r\n", bom: false, encoding: `utf-16${order}` })).toEqual(
      bytes.subarray(2),
    );
  });

  test.each([
    ["Latin-1", bytesOf(0x63, 0x61, 0x66, 0xe9), 1, 4],
    ["a lone surrogate in UTF-16", bytesOf(0xff, 0xfe, 0x61, 0x00, 0x00, 0xd8, 0x61, 0x00), 1, 2],
    ["half a mark of UTF-16", bytesOf(0xff, 0x61, 0x62), 1, 1],
    ["half a mark of UTF-16 before whole units", bytesOf(0xff, 0x61, 0x62, 0x63), 1, 1],
    ["half a mark of the other UTF-16", bytesOf(0xfe, 0x61, 0x62, 0x63), 1, 1],
    ["UTF-16 without a mark, with much that is not ASCII", utf8("a\0".repeat(32) + "日".repeat(500)), 1, 2],
    ["half a unit of UTF-16", bytesOf(0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00, 0x62), 2, 1],
    ["UTF-16 without a mark", bytesOf(0x7b, 0x00, 0x22, 0x00, 0x61, 0x00, 0x22, 0x00), 1, 2],
    ["an overlong sequence", bytesOf(0xc0, 0x80), 1, 1],
    ["a lone surrogate", bytesOf(0xed, 0xa0, 0x80), 1, 1],
    ["beyond Unicode", bytesOf(0x61, 0xf4, 0x90, 0x80, 0x80), 1, 2],
    ["a cut sequence", bytesOf(0x61, 0xe2, 0x82), 1, 2],
  ])("rejects %s", (_, bytes, line, column) => {
    expect(decodeText(bytes)).toEqual({ refused: "encoding", line, column });
  });

  test("reports line and column of the first invalid byte", () => {
    const before = utf8('{\r\n "a": "é🌍",\r\n\t"b": "ü');
    const bytes = new Uint8Array([...before, 0xe9, 0x22, 0x0a, 0xff]);
    expect(decodeText(bytes)).toEqual({ refused: "encoding", line: 3, column: 9 });
    expect(decodeText(bytesOf(0xef, 0xbb, 0xbf, 0x61, 0xff))).toMatchObject({ line: 1, column: 2 });
  });

  test("reports the location of any invalid byte in a sequence", () => {
    const bytes = fc.array(
      fc.oneof(
        fc.constantFrom(...["a", "\n", "é", "→", "🌍", "\ufffd"].map(utf8)),
        fc.uint8Array({ maxLength: 2 }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(bytes, (parts) => {
        const all = bytesOf(0x62, ...parts.flatMap((part) => [...part]));
        const decoded = decodeText(all);
        // A lenient decoder's first character that has other bytes than the file stands for what is wrong.
        let text = "";
        for (const char of new TextDecoder().decode(all)) {
          const start = utf8(text).length;
          if (!sameBytes(all.subarray(start, start + utf8(char).length), utf8(char))) break;
          text += char;
        }
        if (utf8(text).length === all.length || all.includes(0)) return;
        const lines = text.split(/\r\n?|\n/);
        expect(decoded).toEqual({
          refused: "encoding",
          line: lines.length,
          column: (lines.at(-1) ?? "").length + 1,
        });
      }),
      propertyRuns(5_000),
    );
  });

  test("accepts NUL", () => {
    const bytes = utf8("'forms' => \"a\0b\"");
    expect(isUndecodable(decodeText(bytes))).toBe(false);
  });

  test("round-trips any accepted content, for any declared encoding", () => {
    const some = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: anyCharacter }).map(utf8),
      fc.string({ unit: "grapheme" }).map((text) => utf16(text, "be")),
      fc.uint8Array().map((bytes) => new Uint8Array([...utf8(po("koi8-r", "")), ...bytes])),
      fc.uint8Array().map((bytes) => new Uint8Array([...utf8('<?xml encoding="windows-1255"?>'), ...bytes])),
    );
    fc.assert(
      fc.property(some, fc.constantFrom("po", "xliff12", "json_js", undefined), (bytes, format) => {
        const decoded = decodeText(bytes, format);
        return isUndecodable(decoded) || sameBytes(encodeText(decoded), bytes);
      }),
      propertyRuns(100),
    );
  });
});

describe("declared encoding", () => {
  test.each([
    ["po", "ISO-8859-2", latin1(po("ISO-8859-2", "\xb1\xe6")), "ąć"],
    ["pot", "windows-1251", latin1(po("windows-1251", "\xcf\xf0")), "Пр"],
    ["xliff12", "iso-8859-1", latin1('<?xml version="1.0" encoding="iso-8859-1"?>\xe9'), "é"],
    ["xliff20", "KOI8-R", latin1("<?xml version='1.0' encoding='KOI8-R'?>\xd0\xd2"), "пр"],
  ] as const)("is read: %s in %s", (format, encoding, bytes, words) => {
    const decoded = decodeText(bytes, format);
    if (isUndecodable(decoded)) throw new Error(JSON.stringify(decoded));
    expect(decoded.encoding).toBe(encoding);
    expect(decoded.text).toContain(words);
    expect(encodeText(decoded)).toEqual(bytes);
    expect(canEncode(decoded, words)).toBe(true);
    expect(canEncode(decoded, "日本")).toBe(false);
  });

  /** Names, a byte, and its character. */
  const SINGLE_BYTE: readonly (readonly [names: string, byte: number, char: string])[] = [
    ["windows-1250 cp1250 windows-1257", 0xbf, "żæ"],
    ["windows-1251 cp1251", 0xcf, "П"],
    ["windows-1252 iso-8859-15 iso-8859-16", 0xa4, "¤€"],
    ["windows-1253 iso-8859-7", 0xe1, "α"],
    ["windows-1254 iso-8859-9 latin5", 0xfe, "ş"],
    ["windows-1255 iso-8859-8 iso-8859-8-i iso-8859-8-e", 0xe0, "א"],
    ["windows-1256 iso-8859-6", 0xc7, "ا"],
    ["windows-1258", 0xfe, "₫"],
    ["windows-874 iso-8859-11", 0xa1, "ก"],
    ["iso-8859-2 latin2 iso_8859-2", 0xb1, "ą"],
    ["koi8-r koi8-u", 0xd0, "п"],
    ["ibm866 x-mac-cyrillic", 0x80, "А"],
    ["macintosh", 0x8e, "é"],
    ["iso-8859-1 iso_8859-1 iso8859-1 iso-8859_1 latin1 latin-1 l1", 0xe9, "é"],
  ];

  test.each(
    SINGLE_BYTE.flatMap(([names, byte, chars]) =>
      names.split(" ").map((name) => [name, byte, chars] as const),
    ),
  )("%s has one byte for a character", (name, byte, chars) => {
    const bytes = latin1(po(name, String.fromCharCode(byte)));
    const decoded = decodeText(bytes, "po");
    if (isUndecodable(decoded)) throw new Error(JSON.stringify(decoded));
    expect(decoded.encoding).toBe(name);
    expect(chars).toContain(/msgstr "(.)"/u.exec(decoded.text)?.[1]);
    expect(encodeText(decoded)).toEqual(bytes);
  });

  test.each("ascii us-ascii".split(" "))("%s has no letters with accents", (name) => {
    expect(decodeText(latin1(po(name, "x")), "po")).toMatchObject({ encoding: name });
    expect(decodeText(latin1(po(name, "\xe9")), "po")).toHaveProperty("refused");
  });

  test.each(
    "xl1 l10 xlatin1 xascii ascii8 us-asciix windows-31j gb18030 x-user-defined iso-2022-jp".split(" "),
  )("%s is not supported", (name) => {
    expect(decodeText(latin1(po(name, "x")), "po")).toHaveProperty("refused");
  });

  test("applies to ASCII content, but not to valid UTF-8", () => {
    expect(decodeText(utf8(po("ISO-8859-1", "x")), "po")).toMatchObject({ encoding: "ISO-8859-1" });
    expect(decodeText(utf8(po("ISO-8859-1", "é→")), "po")).not.toHaveProperty("encoding");
    expect(decodeText(utf8(po("UTF-8", "x")), "po")).not.toHaveProperty("encoding");
    expect(decodeText(utf8(po("CHARSET", "x")), "po")).not.toHaveProperty("encoding");
    expect(decodeText(utf8(po("ISO-8859-1", "x")), "json_js")).not.toHaveProperty("encoding");
    // A mark says what the bytes are.
    expect(decodeText(utf8(`\ufeff${po("ISO-8859-1", "x")}`), "po")).toEqual({
      text: po("ISO-8859-1", "x"),
      bom: true,
    });
    expect(decodeText(utf8('<?xml version="1.0" encoding="EUC-JP"?>'))).not.toHaveProperty("refused");
  });

  test.each([
    ["one line", 'msgid ""\nmsgstr "Language: fr\\nContent-Type: text/plain; charset=ISO-8859-1\\n"\n'],
    ["indented lines", '  msgid ""\n  msgstr ""\n  "Content-Type: text/plain; charset=ISO-8859-1\\n"\n'],
    [
      "a tab, a carriage return",
      'msgid\t""\r\nmsgstr\t""\r\n\t"Content-Type: text/plain; charset=ISO-8859-1\\n"\r\n',
    ],
    ["lines below a long comment", `${"# c\n".repeat(500)}${po("ISO-8859-1", "x")}`],
    ["split pieces", 'msgid ""\n""\nmsgstr ""\n"Content-Type: text/plain; "\n"charset=ISO-8859-1\\n"\n'],
  ])("is read from a header on %s", (_, header) => {
    const bytes = latin1(`# c\n${header}\nmsgid "a"\nmsgstr "\xc9t\xe9"\n`);
    expect(decodeText(bytes, "po")).toMatchObject({ encoding: "ISO-8859-1" });
  });

  test("is only read from the header", () => {
    const other = 'msgid "a"\nmsgstr "Content-Type: text/plain; charset=EUC-JP"\n';
    const commented = '# "Content-Type: text/plain; charset=EUC-JP\\n"\n';
    for (const text of [other, commented, 'msgid ""\nmsgstr "X: y\\nX-charset=EUC-JP\\n"\n'])
      expect(decodeText(utf8(text), "po")).not.toHaveProperty("refused");
  });

  test("is kept when a text is written: a header on one line", async () => {
    const bytes = readFileSync(join(fixtures, "one-line-header-latin1.po"));
    const changes = [{ key: "Summer", context: null, text: { value: "Été" } }];
    const edit = await editTranslationFile(poFormat, bytes, changes, { locale: "fr", sourceLocale: "en" });
    if (isUnreadable(edit)) throw new Error("unreadable");
    expect(Buffer.from(edit.bytes).toString("latin1")).toContain('msgid "Summer"\nmsgstr "\xc9t\xe9"\n');
  });

  test("is rejected if it is not supported, also while the content is ASCII", () => {
    expect(decodeText(readFileSync(join(fixtures, "charset-euc-jp.po")), "po")).toEqual({
      refused: "encoding",
      line: 5,
      column: 36,
    });
    for (const encoding of ["EUC-JP", "GBK", "Big5", "nonsense"]) {
      const xml = utf8(`<?xml version="1.0" encoding="${encoding}"?><xliff/>`);
      expect(decodeText(xml, "xliff12")).toMatchObject({ refused: "encoding", line: 1 });
    }
    for (const encoding of ["utf8", "UTF-8", "utf-16", "unicode-1-1-utf-8"])
      expect(decodeText(utf8(po(encoding, "x")), "po")).not.toHaveProperty("refused");
  });

  test.each([
    ["po", "EUC-JP", true],
    ["po", "UTF-8", false],
    ["po", "utf-16", false],
    ["po", "CHARSET", false],
    ["po", "ISO-8859-2", false],
    ["json_js", "EUC-JP", false],
  ] as const)("of a file of the format %s is not supported: %s: %s", (format, charset, isUnsupported) => {
    expect(declaresUnsupportedEncoding(utf8(po(charset, "x")), format)).toBe(isUnsupported);
  });

  test("is rejected if multi-byte or with an undefined byte", () => {
    expect(decodeText(latin1(po("Shift_JIS", "\x83\x65")), "po")).toMatchObject({
      refused: "encoding",
      line: 6,
    });
    expect(decodeText(latin1(po("windows-1253", "\xaa")), "po")).toMatchObject({ refused: "encoding" });
    expect(decodeText(latin1(po("us-ascii", "\xe9")), "po")).toMatchObject({ refused: "encoding" });
  });

  test("uses the ISO tables for ISO names, not those of Windows", () => {
    const page = singleByteEncoding("ISO-8859-9");
    expect(page?.decode(bytesOf(0x80, 0x93, 0x9f, 0xfd))).toBe("\x80\x93\x9fı");
    expect(page?.canEncode("“")).toBe(false);
    for (const name of ["latin1", "Latin-1", "l1", "ISO8859_1"])
      expect(singleByteEncoding(name)?.decode(bytesOf(0x80, 0xe9)), name).toBe("\x80é");
    expect(singleByteEncoding("windows-1252")?.decode(bytesOf(0x80))).toBe("€");
    expect(singleByteEncoding("windows-1252")?.encode("a日€")).toEqual(bytesOf(0x61, 0x3f, 0x80));
    expect(singleByteEncoding("utf-16")).toBeUndefined();
  });
});

test("does not encode a lone surrogate", () => {
  expect(canEncode({}, "\ud83c")).toBe(false);
  expect(canEncode({ encoding: "utf-16le" }, "\ud83c")).toBe(false);
  expect(canEncode({}, "🌍")).toBe(true);
});
