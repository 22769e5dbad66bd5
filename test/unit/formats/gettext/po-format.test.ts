/** Reads and edits PO and POT files. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change } from "../../../../src/formats/format.ts";
import { po, pot } from "../../../../src/formats/gettext/po-format.ts";
import { expectLinearTime } from "../../support/linear-time.ts";
import { requireTool, run, runText } from "../../support/reference-tools.ts";
import { edit, edited, ENGLISH, readAll } from "../editing.ts";
import { DUTCH, FILE, HEADER, POLISH } from "./po-samples.ts";

const BROKEN: readonly (readonly [what: string, text: string, start: number])[] = [
  ["a string that is not closed", `msgid "a\nmsgstr "b"\n`, 6],
  ["a string without a keyword", `"a"\nmsgid "a"\nmsgstr "b"\n`, 0],
  ["a string that is not closed behind a backslash", `msgid "a\\\nmsgstr "b"\n`, 6],
  ["something else", `msgid "a"\nmsgstr "b"\nfoo "bar"\n`, 21],
  ["no msgstr", `msgid "a"\n\nmsgid "b"\nmsgstr "c"\n`, 0],
  ["no msgid", `msgstr "c"\n`, 0],
  ["only a context", `msgctxt "c"\nmsgid "b"\nmsgstr "c"\n\nmsgctxt "d"\n`, 34],
  ["a keyword without a string", `msgid\nmsgstr "c"\n`, 0],
  ["forms out of order", `msgid "a"\nmsgid_plural "b"\nmsgstr[1] "c"\nmsgstr[0] "c"\n`, 27],
  ["a comment between forms", `msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n# d\nmsgstr[1] "e"\n`, 45],
  ["a plural of nothing", `msgid_plural "b"\nmsgstr "c"\n`, 0],
  ["a context twice", `msgctxt "a"\nmsgctxt "b"\nmsgid "c"\nmsgstr "d"\n`, 0],
  ["a plural twice", `msgid "a"\nmsgid_plural "b"\nmsgid_plural "b"\nmsgstr[0] "c"\n`, 27],
  ["a plural behind a text", `msgid "a"\nmsgstr "b"\nmsgid_plural "c"\n`, 21],
  ["a form again", `msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[0] "c"\n`, 41],
  ["a text twice", `msgid "a"\nmsgstr "b"\nmsgstr "b"\n`, 21],
  ["a context behind its msgid", `msgid "a"\nmsgctxt "c"\nmsgstr "b"\n`, 0],
  ["a plural with one text", `msgid "a"\nmsgid_plural "b"\nmsgstr "c"\n`, 27],
  ["forms without a plural", `msgid "a"\nmsgstr[0] "c"\n`, 10],
  ["a keyword of its own", `msgidx "a"\nmsgstr "c"\n`, 0],
  ["a domain inside a message", `msgid "a"\ndomain "d"\nmsgstr "c"\n`, 0],
  ["a file of another kind", `{"a": "b"}`, 0],
  ["a line that begins as an obsolete one goes on", `| msgid "a"\n`, 0],
  ["a text behind the name of an obsolete message", `#~ msgid "a"\nmsgstr "b"\n`, 13],
  ["a context without a string", `msgctxt\nmsgid "b"\nmsgstr "c"\n`, 0],
];

test.each([
  ["blanks before its lines", `  msgid "b"\n\tmsgstr "c"\n`],
  ["blanks before its comments", `  # x\n  #. y\n  msgid "b"\n  msgstr "c"\n`],
  ["a context", `msgctxt ""\nmsgid "b"\nmsgstr "c"\n`],
  ["flags and references", `#, fuzzy, max-length:3\n#: a.c:1\n#| msgid "old"\nmsgid "b"\nmsgstr "c"\n`],
  ["several lines", `msgid ""\n"b"\nmsgstr ""\n"c"\n"d"\n`],
])("removes a message with %s completely", (_, message) => {
  const around = (between: string): string =>
    `${HEADER}\nmsgid "a"\nmsgstr "x"\n\n${between}msgid "d"\nmsgstr "y"\n`;
  for (const newline of ["\n", "\r"]) {
    const [before, after] = [around(`${message}\n`), around("")].map((text) =>
      text.replaceAll("\n", newline),
    );
    expect(edited(po, before ?? "", { b: null }, DUTCH)).toBe(after);
  }
});

test("puts thousands of obsolete messages to use again in linear time", () => {
  expectLinearTime((count) => {
    const ids = Array.from({ length: count }, (_, index) => `k${index}`);
    const text = HEADER + ids.map((id) => `\n#~ msgid "${id}"\n#~ msgstr "x"\n`).join("");
    const after = edited(po, text, Object.fromEntries(ids.map((id) => [id, "y"])), DUTCH);
    expect(after).toBe(HEADER + ids.map((id) => `\nmsgid "${id}"\nmsgstr "y"\n`).join(""));
  }, 5_000);
});

test("removes messages in any order", () => {
  const file = (...ids: readonly string[]): string =>
    ids.map((id) => `msgid "${id}"\nmsgstr "x"\n`).join("\n");
  expect(edited(po, file("a", "b", "c", "d"), { d: null, b: null, a: null }, DUTCH)).toBe(file("c"));
});

test("a plural of a template has both of its texts", () => {
  const refused = (forms: Record<string, string>) => edit(pot, HEADER, { a: forms }).refused[0]?.reason;
  expect(refused({ one: "a", other: "b" })).toBeUndefined();
  expect(refused({ one: "x", other: "b" })).toBe("source");
  expect(refused({ one: "a" })).toBe("forms");
  expect(refused({ other: "b" })).toBe("source");
  expect(refused({ one: "a", few: "b", other: "b" })).toBeUndefined();
  expect(refused({ one: "a", few: "a", other: "b" })).toBe("source");
});

test("inserts several messages in the order of a sorted file", () => {
  const file = (...ids: readonly string[]): string =>
    HEADER + ids.map((id) => `\nmsgid "${id}"\nmsgstr "x"\n`).join("");
  const before = file("a", "k", "z");
  expect(edited(po, before, { m: "x", n: "x", l: "x" }, DUTCH)).toBe(file("a", "k", "l", "m", "n", "z"));
});

test("marks a fuzzy text of a new file", () => {
  const change: Change = { key: "a", context: null, text: { value: "x" }, fuzzy: true };
  expect(applyEdit(po, "", [change], DUTCH).text).toMatch(/\n\n#, fuzzy\nmsgid "a"\nmsgstr "x"\n$/u);
});

describe("reading", () => {
  test("reports a second header and uses the first", () => {
    const header = (locale: string): string => `msgid ""\nmsgstr "Language: ${locale}\\n"\n\n`;
    const text = `${header("nl")}${header("fr")}msgid "a"\nmsgstr "b"\n`;
    const { locale, problems, entries } = po.read(text, DUTCH);
    expect([locale, entries.length]).toEqual(["nl", 1]);
    expect(problems.map(({ code, span }) => [code, text.slice(span.start, span.end)])).toEqual([
      ["duplicate", header("fr").trimEnd()],
    ]);
    expect(edited(po, text, { a: "c" }, DUTCH)).toBe(text.replace('"b"', '"c"'));
  });

  test("reads strings that begin on another line than their keyword", () => {
    const text =
      '\f\nmsgctxt\n"c"\n# inside\nmsgid\t\n  "a"\n\v\nmsgid_plural\r\n"b"\nmsgstr[0]\n"x"\n"y"\nmsgstr [ 1 ]"z"\n';
    const { problems, entries } = po.read(text, DUTCH);
    expect(problems).toEqual([]);
    expect(entries).toMatchObject([
      { key: "a", context: "c", description: null, text: { forms: { one: "xy", other: "z" } } },
    ]);
  });

  test("reads texts, plurals, contexts, sources, descriptions and locations", () => {
    const { entries, problems, locale } = po.read(FILE, DUTCH);
    expect(problems).toEqual([]);
    expect(locale).toBe("nl");
    const base = { namespace: null, locale: null, readOnly: null, keySpan: null, valueSpan: null };
    expect(entries.map((entry) => ({ ...entry, keySpan: null, valueSpan: null }))).toEqual([
      {
        ...base,
        key: "Title",
        context: null,
        text: { value: "Titel" },
        source: { value: "Title" },
        description: "Title of the page",
      },
      {
        ...base,
        key: "%d file",
        context: "menu",
        text: { forms: { one: "%d bestand", other: "%d bestanden" } },
        source: { forms: { one: "%d file", other: "%d files" } },
        description: null,
        isFuzzy: true,
        formatFlags: ["c-format"],
      },
      {
        ...base,
        key: "Open",
        context: null,
        text: { value: "" },
        source: { value: "Open" },
        description: null,
      },
    ]);
    const [first, second] = entries;
    expect(FILE.slice(first?.keySpan.start, first?.keySpan.end)).toBe("Title");
    expect(FILE.slice(first?.valueSpan.start, first?.valueSpan.end)).toBe('"Titel"');
    expect(FILE.slice(second?.valueSpan.start, second?.valueSpan.end)).toBe(
      '"%d bestand"\nmsgstr[1] "%d bestanden"',
    );
  });

  test("reads flags on several lines", () => {
    const text = '#, fuzzy, max-length:120\n#, c-format\nmsgid "a"\nmsgstr "b"\n';
    expect(po.read(text, DUTCH).entries).toMatchObject([
      { isFuzzy: true, formatFlags: ["c-format"], maxLength: 120 },
    ]);
    const others = text.replace("#, fuzzy", "#, fuzzy-format, c++-format, c-formatted");
    expect(po.read(others, DUTCH).entries[0]?.isFuzzy).toBeUndefined();
    expect(po.read(others, DUTCH).entries[0]?.formatFlags).toEqual([
      "fuzzy-format",
      "c++-format",
      "c-format",
    ]);
  });

  test("does not read obsolete lines as part of a text", () => {
    const text = `msgid "a"\nmsgstr "b"\n#~ "c"\n\nmsgid "d"\nmsgstr "e"\n`;
    expect(readAll(po, text, DUTCH)).toEqual([
      ["a", "b"],
      ["d", "e"],
    ]);
  });

  test("reads flags of format strings, and comments of tools above an empty line", () => {
    const text = `#. About it.\n#, no-c-format, max-length: 80, python-brace-format\n\nmsgid "a"\nmsgstr "b"\n`;
    expect(po.read(text, DUTCH).entries).toMatchObject([
      {
        description: "About it.",
        formatFlags: ["no-c-format", "python-brace-format"],
        maxLength: 80,
      },
    ]);
  });

  test("reads the maximum length from a flag", () => {
    const text = '#, fuzzy, max-length:12\nmsgid "a"\nmsgstr ""\n\n#, max-length:x\nmsgid "b"\nmsgstr ""\n';
    for (const other of [text, text.replace("length:x", "length:9em")])
      expect(po.read(other, DUTCH).entries.map(({ maxLength }) => maxLength)).toEqual([12, undefined]);
  });

  test("reads multi-line strings and all C escapes", () => {
    const text = String.raw`msgid "" "a" "b"
"c"
msgstr   "\a\b\t\n\v\f\r\"\\\'\?\101\x42\303\251\xc3\xa9\0601\q\xg"
msgid"d"msgstr"e"
`;
    expect(readAll(po, text, DUTCH)).toEqual([
      ["abc", "\u0007\b\t\n\v\f\r\"\\'?ABéé01qxg"],
      ["d", "e"],
    ]);
  });

  test("reads no header from obsolete lines, and the names of its fields in any case", () => {
    const gone = `#~ msgid ""\n#~ msgstr "Language: fr\\n"\n\n`;
    for (const before of ["", gone]) {
      const header = HEADER.replace("Language", 'X-Language: fr\\n"\n"language');
      const { locale, problems } = po.read(before + header, DUTCH);
      expect([locale, problems]).toEqual(["nl", []]);
    }
    expect(po.read(gone, DUTCH).locale).toBeNull();
  });

  test("reads the last two digits of a long hexadecimal escape, as gettext does", () => {
    expect(readAll(po, String.raw`msgid "a" msgstr "\x1c3\xfa9"`, DUTCH)).toEqual([["a", "é"]]);
  });

  test("keeps bytes of another encoding", () => {
    expect(readAll(po, String.raw`msgid "a" msgstr "\351\xff\777"`, DUTCH)).toEqual([["a", "éÿÿ"]]);
  });

  test("uses translator comments without extracted ones", () => {
    const text = `# Heading of a part\n\n# For the button\n# of the page\nmsgid "a"\nmsgstr ""\n\n# me\n#. them\nmsgid "b"\nmsgstr ""\n`;
    for (const file of [text, text.replaceAll("\n", "\r\n")]) {
      expect(po.read(file, DUTCH).entries.map(({ description }) => description)).toEqual([
        "For the button\nof the page",
        "them",
      ]);
    }
  });

  test("ignores comments of an obsolete message", () => {
    const text = `# gone\n#. gone\n#, fuzzy\n#~ msgid "x"\n#~ msgstr "y"\n\nmsgid "a"\nmsgstr "b"\n`;
    const { entries } = po.read(text, DUTCH);
    expect(entries.map(({ key, description }) => [key, description])).toEqual([["a", null]]);
  });

  test.each([
    ["a domain, whose comments are not the message's", `# for y\ndomain "y"\n`, null],
    ["an obsolete message without a text", `#~ msgid "x"\n# about\n`, "about"],
    ["an obsolete keyword without a string", `#~ msgid\n# about\n`, "about"],
    ["an earlier text of another tool", `#= old\n`, null],
    ["a heading", `# heading\n\n`, null],
    ["an obsolete line of another kind", `# for y\n#~ other "y"\n`, null],
  ])("reads the description of a message behind %s", (_, before, description) => {
    const { entries, problems } = po.read(`${HEADER}\n${before}msgid "a"\nmsgstr "b"\n`, DUTCH);
    expect(entries.map((entry) => [entry.key, entry.description])).toEqual([["a", description]]);
    expect(problems).toEqual([]);
  });

  test("reads an empty msgid that has a context, unlike the header's", () => {
    const text = `${HEADER}\nmsgctxt "c"\nmsgid ""\nmsgstr "x"\n`;
    const { entries, problems } = po.read(text, DUTCH);
    expect(entries).toMatchObject([{ key: "", context: "c", text: { value: "x" } }]);
    expect(problems).toEqual([]);
  });

  test("treats an empty context as none", () => {
    expect(po.read(`msgctxt ""\nmsgid "a"\nmsgstr "b"`, DUTCH).entries[0]?.context).toBeNull();
  });

  test("uses the msgid for an empty text in the source locale", () => {
    const text = `msgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgid "d"\nmsgstr "e"\n`;
    expect(readAll(po, text, ENGLISH)).toEqual([
      ["a", "a"],
      ["b", { one: "b", other: "c" }],
      ["d", "e"],
    ]);
    for (const [index, forms] of [
      { one: "x", other: "" },
      { one: "", other: "x" },
    ].entries()) {
      const some = text.replace(`msgstr[${index}] ""`, `msgstr[${index}] "x"`);
      expect(readAll(po, some, ENGLISH)[1]).toEqual(["b", forms]);
    }
    expect(po.read(text, ENGLISH).entries.every(({ source }) => source === null)).toBe(true);
  });

  test("reads only source texts from a template", () => {
    const text = `msgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
    const { entries } = pot.read(text, ENGLISH);
    expect(entries.map((entry) => entry.text)).toEqual([{ value: "a" }, { forms: { one: "b", other: "c" } }]);
    expect(entries.map(({ readOnly }) => readOnly)).toEqual(["source", "source"]);
    expect(entries.map(({ valueSpan: { start, end } }) => text.slice(start, end))).toEqual([
      '"a"',
      '"b"\nmsgid_plural "c"',
    ]);
  });

  test("takes plural forms from the header, else from the locale", () => {
    const plural = `msgid "b"\nmsgid_plural "c"\nmsgstr[0] "1"\nmsgstr[1] "2"\nmsgstr[2] "3"\n`;
    expect(readAll(po, plural, POLISH)).toEqual([["b", { one: "1", few: "2", many: "3" }]]);
    const header = `msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=n == 1 ? 1 : n == 2 ? 0 : 2;\\n"\n\n`;
    expect(readAll(po, header + plural, DUTCH)).toEqual([["b", { two: "1", one: "2", other: "3" }]]);
  });

  test("shows surplus forms as read-only", () => {
    const forms = Array.from({ length: 7 }, (_, at) => `msgstr[${at}] "${at}"\n`).join("");
    const text = `msgid "b"\nmsgid_plural "c"\n${forms}`;
    expect(po.read(text, DUTCH).entries).toMatchObject([
      { text: { value: "0" }, source: { value: "b" }, readOnly: "unsupported" },
    ]);
    expect(edit(po, text, { b: { one: "x", other: "y" } }, DUTCH).refused[0]?.reason).toBe("unsupported");
  });

  test("uses the last of duplicate messages", () => {
    const text = `msgid "a"\nmsgstr "1"\n\nmsgid "a"\nmsgstr "2"\n`;
    const { entries, problems } = po.read(text, DUTCH);
    expect(entries.map((entry) => entry.text)).toEqual([{ value: "2" }]);
    expect(problems).toEqual([
      expect.objectContaining({ code: "duplicate", key: "a", span: { start: 0, end: 20 } }),
    ]);
    expect(edited(po, text, { a: "3" }, DUTCH)).toBe(text.replace('"2"', '"3"'));
    expect(edited(po, text, { a: null }, DUTCH)).toBe("");
  });

  test("accepts names of Object's members", () => {
    const text = `msgid "__proto__"\nmsgstr "x"\n\nmsgid "constructor"\nmsgstr "y"\n`;
    expect(readAll(po, text, DUTCH)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
    expect(edited(po, text, { __proto__: null, constructor: "z" }, DUTCH)).toContain('"z"');
  });

  test.each(BROKEN)("reports %s with its location and changes nothing", (_, text, start) => {
    const { problems } = po.read(text, DUTCH);
    expect(problems[0]).toMatchObject({ code: "syntax", span: { start } });
    const applied = edit(po, text, { a: "x", new: "y" }, DUTCH);
    expect(applied.text).toBe(text);
    expect(applied.refused.map(({ reason }) => reason)).toEqual(["syntax", "syntax"]);
  });

  test.for(BROKEN)("agrees with msgfmt on rejecting %s", ([, text], context) => {
    requireTool(context, "gettext");
    expect(() => run("msgfmt", ["-o", "-", "-"], text)).toThrow(/msgfmt failed/);
  });

  test.each(["\n", "\r\n"])("reads all characters of a string that is not closed before %j", (eol) => {
    const lines = [
      'msgctxt "con',
      'msgid "Sa"',
      '"ve',
      'msgid_plural "Saves',
      'msgstr[0] "',
      '"Op',
      'msgstr[1] "Ops',
    ];
    for (const end of [eol, ""]) {
      const { entries, problems } = po.read(lines.join(eol) + end, DUTCH);
      expect(entries).toMatchObject([
        {
          key: "Save",
          context: "con",
          text: { forms: { one: "Op", other: "Ops" } },
          source: { forms: { one: "Save", other: "Saves" } },
        },
      ]);
      expect(problems).toHaveLength(6);
    }
  });

  test("reads a file without messages", () => {
    for (const text of ["", "\n", "# nothing\n", HEADER]) {
      expect(po.read(text, DUTCH)).toMatchObject({ entries: [], problems: [] });
    }
  });
});

describe("changing", () => {
  test("changes only the bytes of a text", () => {
    expect(edited(po, FILE, { Title: 'Kop "x"\\\n\tü' }, DUTCH)).toBe(
      FILE.replace('"Titel"', String.raw`"" "Kop \"x\"\\\n" "\tü"`.replaceAll('" "', '"\n"')),
    );
    expect(edited(po, FILE, { Open: "Open" }, DUTCH)).toBe(
      FILE.replace('"Open"\nmsgstr ""', '"Open"\nmsgstr "Open"'),
    );
  });

  test("writes control characters as gettext does", () => {
    const after = edited(po, FILE, { Open: "\u0001 \u007f \u0080 \u009f" }, DUTCH);
    expect(after).toBe(FILE.replace('"Open"\nmsgstr ""', `"Open"\nmsgstr "\\001 \\177 \u0080 \u009f"`));
  });

  test("changes one form and this message's fuzzy flag", () => {
    const forms = { one: "%d bestand", other: "%d mappen" };
    const change: Change = { key: "%d file", context: "menu", text: { forms } };
    const twice = FILE.replace("#. Title", "#, fuzzy\n#. Title");
    const { text, refused } = applyEdit(po, twice, [change], DUTCH);
    expect(refused).toEqual([]);
    expect(text).toBe(
      twice
        .replace("bestanden", "mappen")
        .replace("#, fuzzy, c-format", "#, c-format")
        .replace(/#\|.*\n/g, ""),
    );
    expect(edited(po, twice, { Title: "Kop" }, DUTCH)).toBe(FILE.replace("Titel", "Kop"));
  });

  test.each([
    ["#, fuzzy\n", ""],
    ["  #, fuzzy\n", ""],
    ["#, fuzzy, c-format\n", "#, c-format\n"],
    ["#, c-format, fuzzy\n", "#, c-format\n"],
    ["#,fuzzy,c-format\n", "#,c-format\n"],
    ["#: fuzzy:1\n#, c-format ,fuzzy , no-wrap\n", "#: fuzzy:1\n#, c-format , no-wrap\n"],
    ['#, c-format\n#, fuzzy\n#| msgid "x"\n#| "y"\n', "#, c-format\n"],
    ["# fuzzy, really\n", "# fuzzy, really\n"],
    ["#\n#, fuzzy\n", "#\n"],
    ["#, fuzzy\n# so, fuzzy\n", "# so, fuzzy\n"],
    ["#, fuzzy-format, fuzzy\n", "#, fuzzy-format\n"],
  ])("turns the flags %j into %j", (before, after) => {
    const text = `msgid "z"\nmsgstr ""\n\n${before}msgid "a"\nmsgstr "b"\n`;
    expect(edited(po, text, { a: "c" }, DUTCH)).toBe(
      `msgid "z"\nmsgstr ""\n\n${after}msgid "a"\nmsgstr "c"\n`,
    );
    expect(edited(po, text, { a: "b" }, DUTCH)).toBe(text);
  });

  test("changes nothing for an equal text", () => {
    const changes = po
      .read(FILE, DUTCH)
      .entries.map(({ key, context, text }): Change => ({ key, context, text }));
    expect(applyEdit(po, FILE, changes, DUTCH)).toEqual({ text: FILE, splices: [], refused: [] });
  });

  test("keeps line endings, tabs and a missing final newline", () => {
    const crlf = FILE.replaceAll("\n", "\r\n").trimEnd();
    expect(edited(po, crlf, { Title: "a\nb", new: "c" }, DUTCH)).toBe(
      edited(po, FILE, { Title: "a\nb", new: "c" }, DUTCH).replaceAll("\n", "\r\n").trimEnd(),
    );
    const tabs = `msgid "a"\nmsgstr "x\ty"\n\nmsgid "b"\nmsgstr\t"z"\n`;
    expect(edited(po, tabs, { b: "1\t2" }, DUTCH)).toBe(tabs.replace('"z"', '"1\t2"'));
    const sources = `msgid "x\ty"\nmsgstr ""\n\nmsgid "b"\nmsgstr ""\n`;
    expect(edited(po, sources, { b: "1\t2" }, DUTCH)).toBe(
      sources.replace('"b"\nmsgstr ""', '"b"\nmsgstr "1\t2"'),
    );
  });

  test("splits multi-line texts like the file's others", () => {
    const split = `msgid ""\n"a\\n"\n"b"\nmsgstr ""\n\nmsgid "c"\nmsgstr ""\n`;
    expect(edited(po, split, { c: "1\n2" }, DUTCH)).toContain('msgid "c"\nmsgstr ""\n"1\\n"\n"2"\n');
    const joined = `msgid "a\\nb"\nmsgstr ""\n\nmsgid "c"\nmsgstr ""\n`;
    expect(edited(po, joined, { c: "1\n2" }, DUTCH)).toContain('msgid "c"\nmsgstr "1\\n2"\n');
    const beside = `msgid "a\\n"\n"b"\nmsgstr ""\n\nmsgid "c"\nmsgstr ""\n`;
    expect(edited(po, beside, { c: "1\n2" }, DUTCH)).toContain('msgid "c"\nmsgstr "1\\n"\n"2"\n');
    expect(edited(po, joined, { c: "1\n" }, DUTCH)).toContain('msgid "c"\nmsgstr "1\\n"\n');
    const mixed = `msgid "a"\nmsgstr ""\n"1\\n"\n"2"\n\nmsgid "b"\nmsgstr ""\n"1\\n"\n"2"\n\nmsgid "c"\nmsgstr "x\\ny"\n`;
    expect(edited(po, mixed, { c: "3\n4" }, DUTCH)).toBe(mixed.replace("x\\ny", "3\\n4"));
  });

  test("does not wrap if the file does not", () => {
    const long = "word ".repeat(40).trim();
    const flat = `${HEADER}\nmsgid "a"\nmsgstr "${long}"\n\nmsgid "c"\nmsgstr ""\n`;
    expect(edited(po, flat, { c: `${long} more` }, DUTCH)).toContain(`msgstr "${long} more"`);
  });

  test("wraps at gettext's column", () => {
    const words = "abcdefghi ".repeat(6);
    const text = (columns: number): string => words + "x".repeat(columns - words.length);
    const file = `${HEADER}\nmsgid "a"\nmsgstr ""\n"${text(76)} "\n"tail of the text"\n\nmsgid "c"\nmsgstr ""\n`;
    const folded = (columns: number): string | undefined =>
      edited(po, file, { c: text(columns) }, DUTCH).split('msgid "c"\nmsgstr ')[1];
    // As msgcat folds them: a line has 79 columns at most, keyword and quotes included.
    expect(folded(70)).toBe(`"${text(70)}"\n`);
    expect(folded(71)).toBe(`""\n"${text(71)}"\n`);
    expect(folded(77)).toBe(`""\n"${text(77)}"\n`);
    expect(folded(78)).toBe(`""\n"${words}"\n"${"x".repeat(18)}"\n`);
  });

  test("wraps long texts like msgcat", (context) => {
    requireTool(context, "gettext");
    const long = "word ".repeat(40).trim();
    const flat = `${HEADER}\nmsgid "a"\nmsgstr "${long}"\n\nmsgid "c"\nmsgstr ""\n`;
    const folded = runText("msgcat", ["-"], flat);
    expect(folded).toContain('msgstr ""\n"word word');
    const wanted = flat.replace('"c"\nmsgstr ""', `"c"\nmsgstr "${long} more"`);
    expect(edited(po, folded, { c: `${long} more` }, DUTCH)).toBe(runText("msgcat", ["-"], wanted));
    expect(edited(po, edited(po, folded, { c: `${long} more` }, DUTCH), { c: "" }, DUTCH)).toBe(folded);
    const narrow = runText("msgcat", ["--width=60", "-"], flat);
    expect(edited(po, edited(po, narrow, { a: "b" }, DUTCH), { a: "c", new: "d" }, DUTCH)).toContain('"d"');
    expect(
      edited(po, narrow, { c: `${long} more` }, DUTCH)
        .split("\n")
        .every((line) => line.length <= 60),
    ).toBe(true);
  });

  test("refuses forms without position and texts of another kind", () => {
    const reasonOf = (text: Change["text"], key = "%d file", context: string | null = "menu") =>
      applyEdit(po, FILE, [{ key, context, text }], DUTCH).refused[0]?.reason;
    expect(reasonOf({ forms: { one: "a", few: "b", other: "c" } })).toBe("forms");
    expect(reasonOf({ value: "a" })).toBe("forms");
    expect(reasonOf({ forms: { one: "a", other: "b" } }, "Title", null)).toBe("forms");
    expect(reasonOf(null, "missing", null)).toBe("not_found");
    expect(reasonOf({ value: "a\0b" }, "Title", null)).toBe("unsupported");
    expect(reasonOf({ value: "a" }, "n\0", null)).toBe("unsupported");
    expect(reasonOf({ value: "a" }, "n", "c\0")).toBe("unsupported");
    expect(reasonOf({ value: "a" }, "", null)).toBe("unsupported");
    const source = { forms: { one: "n", other: "a\0b" } };
    const change: Change = { key: "n", context: null, text: { forms: { one: "1", other: "2" } }, source };
    expect(applyEdit(po, FILE, [change], DUTCH)).toMatchObject({
      text: FILE,
      refused: [{ reason: "unsupported" }],
    });
  });

  test("adds missing forms that have text", () => {
    const text = `msgid "b"\nmsgid_plural "c"\nmsgstr[0] "1"\nmsgstr[1] "2"\n`;
    expect(edited(po, text, { b: { one: "1", few: "2", many: "" } }, POLISH)).toBe(text);
    const three = { b: { one: "1", few: "2", many: "3" } };
    for (const file of [text, text.replaceAll("\n", "\r\n")]) {
      const newline = file.slice(file.indexOf('"2"') + 3);
      expect(edited(po, file, three, POLISH)).toBe(`${file}msgstr[2] "3"${newline}`);
    }
    const pieces = text.replace('"1"', '"1" ""');
    expect(edited(po, pieces, { b: { one: "1", few: "3", many: "" } }, POLISH)).toBe(
      pieces.replace('"2"', '"3"'),
    );
    const surplus = `${HEADER}\n${text}msgstr[2] "3"\n`;
    const [forms] = readAll(po, surplus, DUTCH).map(([, form]) => form);
    expect(forms).toEqual({ one: "1", other: "2", zero: "3" });
    expect(edited(po, surplus, { b: { one: "1", other: "2", zero: "4" } }, DUTCH)).toBe(
      surplus.replace('"3"', '"4"'),
    );
  });

  test("leaves texts equal to the msgid empty if the source file does", () => {
    const empty = `msgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
    const other = edited(po, empty, { a: "x", b: { one: "y", other: "z" } }, ENGLISH);
    expect(other).toBe(
      `msgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] "y"\nmsgstr[1] "z"\n`,
    );
    expect(edited(po, other, { a: "a", b: { one: "b", other: "c" } }, ENGLISH)).toBe(empty);
    const said = `msgid "a"\nmsgstr "a"\n\nmsgid "b"\nmsgstr "b"\n`;
    expect(edited(po, edited(po, said, { a: "x" }, ENGLISH), { a: "a" }, ENGLISH)).toBe(said);
    expect(edited(po, said, { n: "n", p: { one: "p", other: "q" } }, ENGLISH)).toContain(
      `${said}\nmsgid "n"\nmsgstr "n"\n\nmsgid "p"\nmsgid_plural "q"\nmsgstr[0] "p"\nmsgstr[1] "q"\n`,
    );
    const headed = `${HEADER}\n${empty}`;
    expect(edited(po, headed, { n: "n", m: { one: "m", other: "o" } }, ENGLISH)).toBe(
      `${headed}\nmsgid "n"\nmsgstr ""\n\nmsgid "m"\nmsgid_plural "o"\nmsgstr[0] ""\nmsgstr[1] ""\n`,
    );
    expect(edit(po, empty, { a: "" }, ENGLISH).refused[0]?.reason).toBe("unsupported");
    expect(edit(po, empty, { added: "" }, ENGLISH)).toMatchObject({
      text: empty,
      refused: [{ reason: "unsupported" }],
    });
  });

  test("adds and removes texts of a template, but does not change them", () => {
    const text = `${HEADER}\nmsgid "a"\nmsgstr ""\n\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
    const applied = edit(pot, text, { a: "x", b: { one: "b", other: "x" }, n: "other" }, ENGLISH);
    expect(applied.refused.map(({ reason }) => reason)).toEqual(["source", "source", "source"]);
    const grown = edited(pot, text, { n: "n", p: { one: "p", other: "q" } }, ENGLISH);
    expect(grown).toBe(
      `${text}\nmsgid "n"\nmsgstr ""\n\nmsgid "p"\nmsgid_plural "q"\nmsgstr[0] ""\nmsgstr[1] ""\n`,
    );
    expect(edited(pot, grown, { n: null, p: null }, ENGLISH)).toBe(text);
    const bare = text.replace(/nplurals=.*;/u, "nplurals=INTEGER; plural=EXPRESSION;");
    expect(edited(pot, bare, { p: { one: "p", few: "", other: "q" } }, ENGLISH)).toBe(
      `${bare}\nmsgid "p"\nmsgid_plural "q"\nmsgstr[0] ""\nmsgstr[1] ""\n`,
    );
  });
});

test.each([
  ["\n", 1],
  ["\r\n", 1],
  ["\n", 2],
  ["\r\n", 2],
  ["\r\n", 3],
])("spaces a new message like the others: %j, %i times", (eol, lines) => {
  const head = `msgid ""${eol}msgstr "Content-Type: text/plain; charset=UTF-8\\n"${eol}`;
  const message = (id: string, text: string): string => `msgid "${id}"${eol}msgstr "${text}"${eol}`;
  const gap = eol.repeat(lines - 1);
  const text = [head, message("a", "A"), message("b", "B")].join(gap);
  expect(edited(po, text, { c: "C" }, DUTCH)).toBe([text, message("c", "C")].join(gap));
});

test("a new file has the line ends of the one beside it", () => {
  const example = (newline: string) => {
    return { text: `${HEADER}msgid "a"\nmsgstr "b"\n`.replaceAll("\n", newline), bom: false, locale: "fr" };
  };
  const entry = { key: "x", context: null, text: { value: "y" } };
  const unix = po.print([entry], { ...DUTCH, examples: [example("\n")] });
  expect(unix).toContain('\nmsgid "x"\nmsgstr "y"\n');
  expect(po.print([entry], { ...DUTCH, examples: [example("\r\n")] })).toBe(unix.replaceAll("\n", "\r\n"));
  // And its layout of texts with several lines.
  const lines = { key: "x", context: "", text: { value: "y\nz" } };
  const one = { text: `${HEADER}\nmsgid "a"\nmsgstr "b\\nc"\n`, bom: false, locale: "fr" };
  expect(po.print([lines], DUTCH)).toContain('\n\nmsgid "x"\nmsgstr ""\n"y\\n"\n"z"\n');
  expect(po.print([lines], { ...DUTCH, examples: [one, example("\r\n")] })).toContain(
    '\n\nmsgid "x"\nmsgstr "y\\nz"\n',
  );
});
