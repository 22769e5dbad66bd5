/** Adding and removing entries of `po` and `pot`, and new files. */
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, NewEntry } from "../../../../src/formats/format.ts";
import { po, pot } from "../../../../src/formats/gettext/po-format.ts";
import { isForms } from "../../../../src/model/translation-text.ts";
import { requireTool, run, runText } from "../../support/reference-tools.ts";
import { edited, ENGLISH, readAll } from "../editing.ts";
import { DUTCH, FILE, HEADER, POLISH } from "./po-samples.ts";

describe("adding and removing", () => {
  test("adds a message after the others, before obsolete ones", () => {
    const at = FILE.indexOf("\n#~");
    expect(edited(po, FILE, { New: "Nieuw" }, DUTCH)).toBe(
      `${FILE.slice(0, at)}\nmsgid "New"\nmsgstr "Nieuw"\n${FILE.slice(at)}`,
    );
  });

  test("adds context, description and the source's plural", () => {
    const change: Change = {
      key: "%d day",
      context: "c",
      text: { forms: { one: "%d dag", other: "%d dagen" } },
      source: { forms: { one: "%d day", other: "%d days" } },
      description: "How long.\nIn days.",
    };
    const { text, refused } = applyEdit(po, FILE, [change], DUTCH);
    expect(refused).toEqual([]);
    expect(text).toContain(`
#. How long.
#. In days.
msgctxt "c"
msgid "%d day"
msgid_plural "%d days"
msgstr[0] "%d dag"
msgstr[1] "%d dagen"

#~ msgid "Old"
`);
    expect(applyEdit(po, text, [{ ...change, text: null }], DUTCH).text).toBe(FILE);
    const { source: _, ...unknown } = change;
    expect(applyEdit(po, FILE, [unknown], DUTCH).refused[0]?.reason).toBe("forms");
  });

  test("writes translator comments if the file has them", () => {
    const text = `${HEADER}\n# About a\nmsgid "a"\nmsgstr ""\n`;
    const change: Change = { key: "b", context: null, text: { value: "" }, description: "About b" };
    expect(applyEdit(po, text, [change], DUTCH).text).toBe(`${text}\n# About b\nmsgid "b"\nmsgstr ""\n`);
    // Comments of obsolete messages and of the header say nothing of the others.
    const obsolete = `\n# About z\n#~ msgid "z"\n#~ msgstr "y"\n`;
    const without = text.replace("# About a\n", "");
    for (const head of ["", "# Dutch\n"]) {
      expect(applyEdit(po, head + without + obsolete, [change], DUTCH).text).toBe(
        `${head}${without}\n#. About b\nmsgid "b"\nmsgstr ""\n${obsolete}`,
      );
    }
  });

  test("escapes a translator comment that looks like another kind", () => {
    const text = `# About a\nmsgid "a"\nmsgstr ""\n`;
    for (const description of ["~ msgid", ", fuzzy", ". x", ": y", "| z"]) {
      const change: Change = { key: "b", context: null, text: { value: "x" }, description };
      const applied = applyEdit(po, text, [change], DUTCH);
      expect(po.read(applied.text, DUTCH).entries[1]?.description).toBe(description);
      expect(applied.text).toContain(`\n# ${description}\n`);
    }
  });

  test("writes no flag for a comment that looks like one", (context) => {
    requireTool(context, "gettext");
    const text = `# About a\nmsgid "a"\nmsgstr ""\n`;
    const change: Change = { key: "b", context: null, text: { value: "x" }, description: ", fuzzy" };
    const applied = applyEdit(po, text, [change], DUTCH);
    expect(runText("msgattrib", ["--only-fuzzy", "-"], applied.text)).toBe("");
  });

  test("keeps sorted files sorted", () => {
    const message = (key: string): string => `msgid "${key}"\nmsgstr "x"\n`;
    const file = (...keys: string[]): string => [HEADER, ...keys.map(message)].join("\n");
    expect(edited(po, file("b", "d", "f"), { a: "x", e: "x", c: "x", g: "x" }, DUTCH)).toBe(
      file("a", "b", "c", "d", "e", "f", "g"),
    );
    expect(edited(po, file("a", "B", "c"), { b2: "x" }, DUTCH)).toBe(file("a", "B", "b2", "c"));
    expect(edited(po, file("b", "d", "c"), { a: "x" }, DUTCH)).toBe(file("b", "d", "c", "a"));
    const bare = file("b", "d", "f").slice(HEADER.length + 1);
    expect(edited(po, bare, { a: "x" }, DUTCH).endsWith(`\n\n${message("a")}\n${bare}`)).toBe(true);
  });

  test("keeps the spacing between messages", () => {
    const dense = `${HEADER}msgid "a"\nmsgstr "x"\nmsgid "c"\nmsgstr "x"\nmsgid "b"\nmsgstr "x"\n`;
    expect(edited(po, dense, { d: "x" }, DUTCH)).toBe(`${dense}msgid "d"\nmsgstr "x"\n`);
    expect(edited(po, dense, { c: null }, DUTCH)).toBe(dense.replace('msgid "c"\nmsgstr "x"\n', ""));
    // Between two, that of the second; the first may stand below the header.
    const below = (keys: string): string =>
      `${HEADER}\n${Array.from(keys, (key) => `msgid "${key}"\nmsgstr "x"\n`).join("")}`;
    expect(edited(po, below("acde"), { b: "x" }, DUTCH)).toBe(below("abcde"));
  });

  test("removes a message with its comments and empty line", () => {
    const removed = applyEdit(po, FILE, [{ key: "%d file", context: "menu", text: null }], DUTCH);
    const start = FILE.indexOf("#, fuzzy");
    expect(removed.text).toBe(FILE.slice(0, start) + FILE.slice(FILE.indexOf('msgid "Open"')));
    const headed = `# Part one\n\n# About a\nmsgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgstr "y"\n`;
    expect(edited(po, headed, { a: null }, DUTCH)).toBe(`# Part one\n\nmsgid "b"\nmsgstr "y"\n`);
    expect(edited(po, headed, { b: null }, DUTCH)).toBe(headed.slice(0, headed.indexOf('\nmsgid "b"')));
  });

  test("replaces all messages", () => {
    const bare = `msgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgstr "y"\n\nmsgid "c"\nmsgstr "z"\n`;
    expect(edited(po, bare, { a: null, b: null }, DUTCH)).toBe(`msgid "c"\nmsgstr "z"\n`);
    expect(edited(po, bare, { a: null, b: null, c: null }, DUTCH)).toBe("");
    expect(edited(po, bare, { a: null, b: null, c: null, d: "1", e: "2" }, DUTCH)).toMatch(
      /^msgid ""\nmsgstr ""\n(?:".*\n)+\nmsgid "d"\nmsgstr "1"\n\nmsgid "e"\nmsgstr "2"\n$/u,
    );
    const heading = "# The heading of a part\n\n";
    const replaced = edited(po, heading + bare, { a: null, d: "1" }, DUTCH);
    expect(replaced.startsWith(`${heading}msgid ""\nmsgstr ""\n`)).toBe(true);
    expect(
      replaced.endsWith(`\n\nmsgid "b"\nmsgstr "y"\n\nmsgid "c"\nmsgstr "z"\n\nmsgid "d"\nmsgstr "1"\n`),
    ).toBe(true);
    expect(edited(po, `${HEADER}\n${bare}`, { b: null, c: null, bb: "1" }, DUTCH)).toBe(
      `${HEADER}\nmsgid "a"\nmsgstr "x"\n\nmsgid "bb"\nmsgstr "1"\n`,
    );
    expect(edited(po, FILE, { Title: null, Open: null }, DUTCH)).toContain('"menu"');
    expect(edited(po, HEADER, { a: "b" }, DUTCH)).toBe(`${HEADER}\nmsgid "a"\nmsgstr "b"\n`);
    const empty = `msgid ""\nmsgstr ""\n\nmsgid "a"\nmsgstr "b"\n`;
    expect(edited(po, empty, { c: "d" }, DUTCH)).toMatch(
      /^msgid ""\nmsgstr ""\n(?:".+\n){5}\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n$/u,
    );
  });

  test("puts what is new above the comments of the first message, and a header above all messages", () => {
    const rest = `# About b\n#. Of b\nmsgid "b"\nmsgstr "x"\n\nmsgid "c"\nmsgstr "y"\n\nmsgid "d"\nmsgstr "z"\n`;
    const added = `msgid "a"\nmsgstr "n"\n`;
    const after = edited(po, rest, { a: "n" }, DUTCH);
    expect(after).toMatch(/^msgid ""\n/u);
    expect(after.endsWith(`\n\n${added}\n${rest}`)).toBe(true);
    const obsolete = `#~ msgid "o"\n#~ msgstr "p"\n\n`;
    const second = edited(po, obsolete + rest, { e: "n" }, DUTCH);
    expect(second).toMatch(/^msgid ""\n/u);
    expect(second).toContain(`\n\n${obsolete}${rest}`);
  });

  test("removes neighbours with blanks behind them", () => {
    const first = `msgid "a"\nmsgstr "x"\n`;
    const others = `\nmsgid "b"\nmsgstr "y"  \n\nmsgid "c"\nmsgstr "z"\t\n`;
    expect(edited(po, first + others, { b: null, c: null }, DUTCH)).toBe(first);
    expect(edited(po, HEADER + others, { b: null, c: null }, DUTCH)).toBe(HEADER);
    const last = `\nmsgid "d"\nmsgstr "w" `;
    expect(edited(po, first + others + last, { b: null, d: null }, DUTCH)).toBe(
      `${first}\nmsgid "c"\nmsgstr "z"`,
    );
    expect(edited(po, first + others + last, { a: null, c: null, d: null }, DUTCH)).toBe(
      `msgid "b"\nmsgstr "y"`,
    );
  });

  test("adds a message behind blanks at the end of a line", () => {
    const text = `${HEADER}\nmsgid "a"\nmsgstr "x" \t\n`;
    expect(edited(po, text, { b: "y" }, DUTCH)).toBe(`${text}\nmsgid "b"\nmsgstr "y"\n`);
  });

  test("separates a new message by an empty line if nothing shows the spacing", () => {
    const header = HEADER.replaceAll('"\n"', '" "').replaceAll("\n", " ").trim();
    const added = `\n\nmsgid "b"\nmsgstr "y"`;
    expect(edited(po, `${header} msgid "a" msgstr "x"\n`, { b: "y" }, DUTCH)).toBe(
      `${header} msgid "a" msgstr "x"${added}\n`,
    );
    const below = `\n\n\nmsgid "a"\nmsgstr "x"\n`;
    expect(edited(po, below, { b: "y" }, DUTCH).endsWith(`\n\nmsgid "a"\nmsgstr "x"${added}\n`)).toBe(true);
  });

  test("adds a message where all others are removed, below the obsolete ones", () => {
    const obsolete = `#~ msgid "o"\n#~ msgstr "p"\n`;
    const after = edited(po, `msgid "a"\nmsgstr "b"\n\n${obsolete}`, { a: null, n: "x" }, DUTCH);
    expect(after).toMatch(/^msgid ""\nmsgstr ""\n(?:".*\n)+\n#~/u);
    expect(after.endsWith(`\n\n${obsolete}\nmsgid "n"\nmsgstr "x"\n`)).toBe(true);
  });

  test("adds the first message of a sorted file below its heading only if that is the header's", () => {
    const file = (...ids: readonly string[]): string =>
      ids.map((id) => `\nmsgid "${id}"\nmsgstr "x"\n`).join("");
    expect(edited(po, `${HEADER}\n# Part one\n${file("b", "c", "d")}`, { a: "x" }, DUTCH)).toBe(
      `${HEADER}${file("a")}\n# Part one\n${file("b", "c", "d")}`,
    );
  });

  test("keeps messages with one key in the order of their contexts", () => {
    const file = (...contexts: readonly string[]): string =>
      HEADER + contexts.map((each) => `\nmsgctxt "${each}"\nmsgid "a"\nmsgstr "x"\n`).join("");
    const change: Change = { key: "a", context: "c", text: { value: "x" } };
    expect(applyEdit(po, file("a", "b", "d"), [change], DUTCH).text).toBe(file("a", "b", "c", "d"));
  });

  test("puts obsolete messages with one name to use again with all of their comments", () => {
    const gone = (comment: string): string => `\n# ${comment}\n#~ msgid "a"\n#~ msgstr "x"\n`;
    expect(edited(po, HEADER + gone("one") + gone("two") + gone("one"), { a: "y" }, DUTCH)).toBe(
      `${HEADER}\n# one\n# two\nmsgid "a"\nmsgstr "y"\n`,
    );
  });

  test("repeats source texts as plurals of the source file do", () => {
    const text = `${HEADER}\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "a"\nmsgstr[1] "b"\n`;
    expect(edited(po, text, { n: "n" }, ENGLISH)).toBe(`${text}\nmsgid "n"\nmsgstr "n"\n`);
    const blank = `msgid "a"\nmsgstr " "\n`;
    expect(readAll(po, blank, ENGLISH)).toEqual([["a", " "]]);
  });

  test("replaces plural forms of the header that are none", () => {
    const invalid = HEADER.replace(/nplurals=.*;/u, "nplurals=INTEGER; plural=EXPRESSION;");
    const plural = (one: string): string =>
      `\nmsgid "b"\nmsgid_plural "c"\nmsgstr[0] "${one}"\nmsgstr[1] "2"\n`;
    const unended = HEADER.replace(/\\n"\n"Plural-Forms.*/u, '"');
    for (const header of [invalid, invalid.replace("Plural-Forms", "plural-forms"), unended]) {
      const after = edited(po, header + plural("1"), { b: { one: "x", other: "2" } }, DUTCH);
      expect(after.match(/^"plural-forms: .*/gimu)).toEqual([
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"',
      ]);
      expect(after.endsWith(plural("x"))).toBe(true);
    }
  });

  test("a plural gets only the forms that the first plural of the file has room for", () => {
    const headed = HEADER.replace(/"Plural-Forms.*\n/u, "");
    const plural = `\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "1"\nmsgstr[1] "2"\nmsgstr[2] "3"\n`;
    const count = (text: string): string | undefined =>
      /nplurals=\d/u.exec(edited(po, text, { a: { one: "1", few: "2", many: "4" } }, POLISH))?.[0];
    expect(count(headed + plural)).toBe("nplurals=3");
    const source = { forms: { one: "a", other: "b" } };
    const four = { forms: { one: "1", few: "2", many: "3", other: "4" } };
    const added = (text: string) =>
      applyEdit(po, text, [{ key: "n", context: null, text: four, source }], POLISH);
    expect(added(headed).text).toContain("nplurals=4;");
    expect(added(`${headed}\nmsgid "s"\nmsgstr "t"\n`).text).toContain("nplurals=4;");
    expect(added(headed + plural).refused).toMatchObject([{ reason: "forms" }]);
    expect(added("# Shop\n").text).toContain("nplurals=4;");
    const small: Change = {
      key: "m",
      context: null,
      text: { forms: { one: "1", few: "2", many: "3" } },
      source,
    };
    const several = applyEdit(
      po,
      headed.replaceAll("\n", "\r\n"),
      [small, { key: "n", context: null, text: four, source }],
      POLISH,
    );
    expect(several.refused).toEqual([]);
    expect(several.text).toMatch(/charset=UTF-8\\n"\r\n"Plural-Forms: nplurals=4;[^\r\n]*"\r\n\r\nmsgid/u);
  });

  test("puts a message and a header below a file's comments, and an obsolete one there without its marks", () => {
    expect(edited(po, "# Shop\n", { a: "x" }, DUTCH)).toMatch(
      /^# Shop\n\nmsgid ""\nmsgstr ""\n(?:".*\n)+\nmsgid "a"\nmsgstr "x"\n$/u,
    );
    const gone = `\n# About a\n#, fuzzy\n#~ msgid "a"\n#~ msgstr "x"\n`;
    expect(edited(po, HEADER + gone, { a: "y" }, DUTCH)).toBe(
      `${HEADER}\n# About a\nmsgid "a"\nmsgstr "y"\n`,
    );
    const indented = `\n  #~ msgid "a"\n  #~ msgstr "x"\n`;
    expect(edited(po, HEADER + indented, { a: "y" }, DUTCH)).toBe(`${HEADER}\nmsgid "a"\nmsgstr "y"\n`);
  });

  test("problems are in the file's order", () => {
    const twice = `msgid "a"\nmsgstr "x"\n\nmsgid "a"\nmsgstr "y"\n\nfoo\n`;
    expect(po.read(twice, DUTCH).problems.map(({ code }) => code)).toEqual(["duplicate", "syntax"]);
    expect(po.read("foo\n".repeat(150), DUTCH).problems).toHaveLength(100);
  });

  test("marks a changed text as fuzzy below its comments", () => {
    const file = `${HEADER}\n#. About a\n#: a.c:1\nmsgid "a"\nmsgstr "x"\n`;
    const change: Change = { key: "a", context: null, text: { value: "y" }, fuzzy: true };
    const after = file.replace('msgid "a"\nmsgstr "x"', '#, fuzzy\nmsgid "a"\nmsgstr "y"');
    expect(applyEdit(po, file, [change], DUTCH).text).toBe(after);
    expect(applyEdit(po, file.replaceAll("\n", "\r\n"), [change], DUTCH).text).toBe(
      after.replaceAll("\n", "\r\n"),
    );
  });

  test("adds a header to a very large file", () => {
    const text = Array.from({ length: 150_000 }, (_, index) => `msgid "${index}"\nmsgstr "x"\n`).join("\n");
    const change: Change = { key: "new", context: null, text: { value: "y" } };
    const { splices, refused } = po.edit(text, [change], DUTCH);
    expect(refused).toEqual([]);
    expect(splices[0]).toMatchObject({ start: 0, end: 0, text: expect.stringContaining("Language: nl") });
  });

  test("reads two messages on one line", () => {
    const text = `msgid "a" msgstr "b" msgid "c" msgstr "d" # end\n`;
    expect(edited(po, text, { a: "x" }, DUTCH)).toBe(text.replace('"b"', '"x"'));
    expect(edited(po, text, { a: null }, DUTCH)).toBe(`msgid "c" msgstr "d" # end\n`);
    expect(readAll(po, edited(po, text, { c: null }, DUTCH), DUTCH)).toEqual([["a", "b"]]);
  });
});

const ENTRIES: readonly NewEntry[] = [
  { key: "a", context: null, text: { value: "x\ny" }, description: "About a" },
  {
    key: "%d b",
    context: "c",
    text: { forms: { one: "%d 1", few: "%d 2", many: "%d 3", other: "%d 4" } },
    source: { forms: { one: "%d b", other: "%d bs" } },
  },
  { key: "", context: null, text: { value: "no header" } },
  { key: "", context: "d", text: { value: "" } },
];
const TEMPLATE_ENTRIES: readonly NewEntry[] = [
  { key: "a", context: null, text: { value: "a" } },
  { key: "b", context: null, text: { forms: { one: "b", other: "c" } } },
];

describe("comments", () => {
  const message = `msgid "a"\nmsgstr "b"\n`;

  test.each([
    ["#About", "About"],
    ["#. About \n#.   it\n#.", "About\nit"],
    ["#: a.c:1", null],
    ["#. \n#. About", "About"],
  ])("of a message are read: %j", (comments, description) => {
    for (const newline of ["\n", "\r\n", "\r"]) {
      const text = `# Heading\n\n${comments}\n${message}`.replaceAll("\n", newline);
      expect(po.read(text, DUTCH).entries.map((entry) => entry.description)).toEqual([description]);
    }
  });

  test("of a new message are those of the source code, unless the file only has a translator's", () => {
    const change: Change = {
      key: "n",
      context: null,
      text: { value: "x" },
      description: "\r\n of n\r and more ",
    };
    const added = (comments: string): string =>
      applyEdit(po, `${HEADER}\n${comments}\n${message}\nmsgid "c"\nmsgstr "d"\n`, [change], DUTCH).text;
    expect(added("# me")).toContain('\n\n# of n\n# and more\nmsgid "n"');
    expect(added("#")).toContain('\n\n#. of n\n#. and more\nmsgid "n"');
    expect(added("# me\n#. them")).toContain('\n\n#. of n\n#. and more\nmsgid "n"');
  });

  test("of an obsolete message are taken over once, without its former text", () => {
    const gone = `\n# of n \n# so, fuzzy\n#, fuzzy\n#| msgid "b"\n#~| msgid "b"\n#~ msgid "n"\n#~ msgstr "x"\n`;
    const change: Change = { key: "n", context: null, text: { value: "y" }, description: "of n" };
    expect(applyEdit(po, `${HEADER}\n# me\n${message}${gone}`, [change], DUTCH).text).toBe(
      `${HEADER}\n# me\n${message}\n# of n\n# so, fuzzy\nmsgid "n"\nmsgstr "y"\n`,
    );
  });
});

test("a string may end with a backslash, and what is wrong with a message is said", () => {
  expect(readAll(po, String.raw`msgid "a" msgstr "b\\"`, DUTCH)).toEqual([["a", "b\\"]]);
  const raw = `msgid "a"\nmsgstr "x\ty"\n`;
  expect(edited(po, raw, { a: 'x\t"y"' }, DUTCH)).toBe(raw.replace("x\ty", 'x\t\\"y\\"'));
  for (const [text, message] of [
    [`msgid "a"\nmsgid_plural "b"\nmsgstr "c"\n`, "a plural without `msgstr[0]`"],
    [`msgid "a"\nmsgstr[0] "c"\n`, "`msgstr[]` without `msgid_plural`"],
    [`msgid "a"\n`, "no `msgstr`"],
    [`msgctxt "a"\n`, "no `msgid`"],
  ] as const) {
    expect(po.read(text, DUTCH).problems.map((problem) => problem.message)).toEqual([message]);
    const { end } = po.read(`${text}\n\n`, DUTCH).problems[0]?.span ?? {};
    if (message === "no `msgstr`") expect(end).toBe(text.trimEnd().length);
  }
});

describe("new files", () => {
  test("contain the given entries", () => {
    const printed = po.print(ENTRIES, POLISH);
    expect(printed).toBe(`msgid ""
msgstr ""
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Language: pl\\n"
"Plural-Forms: nplurals=4; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

#. About a
msgid "a"
msgstr ""
"x\\n"
"y"

msgctxt "c"
msgid "%d b"
msgid_plural "%d bs"
msgstr[0] "%d 1"
msgstr[1] "%d 2"
msgstr[2] "%d 3"
msgstr[3] "%d 4"

msgctxt "d"
msgid ""
msgstr ""
`);
    expect(readAll(po, printed, POLISH)).toEqual([
      ["a", "x\ny"],
      ["%d b", { one: "%d 1", few: "%d 2", many: "%d 3", other: "%d 4" }],
      ["", ""],
    ]);
  });

  test("name the language and its forms also of the sources, and a plural by its key if nothing else is known", () => {
    const forms = { forms: { one: "%d day", other: "%d days" } };
    const printed = po.print([{ key: "day", context: null, text: forms }], ENGLISH);
    const chinese = { locale: "zh-Hans-CN", sourceLocale: "en" };
    expect(po.print([], chinese)).toContain('"Language: zh_Hans_CN\\n"');
    expect(po.read(HEADER.replace("Language: nl", "Language: "), chinese).locale).toBeNull();
    expect(printed).toContain('"Language: en\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n');
    expect(printed).toContain(
      'msgid "day"\nmsgid_plural "%d days"\nmsgstr[0] "%d day"\nmsgstr[1] "%d days"\n',
    );
    expect(po.print([{ key: "day", context: null, text: forms }], DUTCH)).toContain(
      'msgid "day"\nmsgid_plural "day"\nmsgstr[0] "%d day"\n',
    );
  });

  test("have the plural forms of the source language if their own is not known", () => {
    const unknown = { locale: "", sourceLocale: "pl" };
    const field = /"Plural-Forms: nplurals=\d; plural=\(n==1 \? 0 : .*\\n"\n/u;
    expect(po.print([], unknown)).toMatch(field);
    const source = { forms: { one: "a", other: "b" } };
    const change: Change = { key: "a", context: null, text: { forms: { other: "x" } }, source };
    expect(applyEdit(po, HEADER.replace(/"Plural-Forms.*\n/u, ""), [change], unknown).text).toMatch(field);
  });

  test("have no more forms than the texts", () => {
    const print = (text: NewEntry["text"], options = DUTCH, format = po): string =>
      format.print([{ key: "a", context: null, text }], options);
    expect(print({ forms: { one: "a", few: "", other: "b" } })).toContain("nplurals=2;");
    expect(print({ value: "x" }, POLISH)).toContain("nplurals=3;");
    const four = { forms: { other: "4", many: "3", few: "2", one: "1" } };
    expect(print(four, POLISH)).toMatch(/(?:msgstr\[\d\] "[1-4]"\n){4}$/u);
    expect(print(four, POLISH)).toContain('msgstr[0] "1"\nmsgstr[1] "2"\nmsgstr[2] "3"\nmsgstr[3] "4"\n');
    expect(print({ value: "a" }, ENGLISH)).toContain('msgid "a"\nmsgstr "a"\n');
    // A template has the two of its source texts, in every language.
    const template = print({ forms: { one: "a", few: "b", other: "b" } }, POLISH, pot);
    expect(template.endsWith('msgid_plural "b"\nmsgstr[0] ""\nmsgstr[1] ""\n')).toBe(true);
  });

  test("contain only source texts as templates", () => {
    const printed = pot.print(TEMPLATE_ENTRIES, ENGLISH);
    expect(pot.read(printed, ENGLISH).entries.map((entry) => isForms(entry.text))).toEqual([false, true]);
    expect(printed).not.toContain("Language:");
  });

  test("pass all checks of msgfmt", (context) => {
    requireTool(context, "gettext");
    // It throws where msgfmt refuses.
    const checks = ["--check-format", "--check-domain", "-o", "-", "-"];
    expect(run("msgfmt", checks, po.print(ENTRIES, POLISH))).not.toHaveLength(0);
    expect(run("msgfmt", ["-o", "-", "-"], pot.print(TEMPLATE_ENTRIES, ENGLISH))).not.toHaveLength(0);
  });

  test("are created from empty files", () => {
    expect(readAll(po, edited(po, "", { a: "b", c: { one: "1", other: "2" } }, DUTCH), DUTCH)).toEqual([
      ["a", "b"],
      ["c", { one: "1", other: "2" }],
    ]);
  });
});
