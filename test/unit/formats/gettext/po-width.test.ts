/** Lines are wrapped like gettext's own tools do. */
import { expect, test } from "vitest";
import { po } from "../../../../src/formats/gettext/po-format.ts";
import { scanPo } from "../../../../src/formats/gettext/po-parser.ts";
import { type PoStyle, printString, styleOf } from "../../../../src/formats/gettext/po-serializer.ts";
import { requireTool, runText } from "../../support/reference-tools.ts";
import { edited } from "../editing.ts";
import { DUTCH, HEADER } from "./po-samples.ts";

const words = (...lengths: readonly number[]): string =>
  lengths.map((length) => "x".repeat(length)).join(" ");

/** A file that is folded at 79 columns. */
const FOLDED = `${HEADER}\nmsgid "a"\nmsgstr ""\n"${words(70, 3)} "\n"${words(20)}"\n\nmsgid "c"\nmsgstr ""\n`;

test("wraps at 79 columns, including quotes and trailing space", () => {
  const linesOf = (...lengths: readonly number[]): string[] => {
    const text = edited(po, FOLDED, { c: words(...lengths) }, DUTCH);
    return text.slice(text.indexOf('msgid "c"')).trimEnd().split("\n").slice(2);
  };
  expect(linesOf(60, 15, 30)).toEqual([`"${words(60, 15)} "`, `"${words(30)}"`]);
  expect(linesOf(60, 16, 30)).toEqual([`"${words(60)} "`, `"${words(16, 30)}"`]);
  expect(linesOf(100, 3)).toEqual([`"${words(100)} "`, `"${words(3)}"`]);
});

test.each([
  ["of two columns", "🎉".repeat(39), ["🎉".repeat(38), "🎉"]],
  [
    "of none",
    `${"e\u0301\u20dd\u200e".repeat(60)} ${words(15, 3)}`,
    [`${"e\u0301\u20dd\u200e".repeat(60)} ${words(15)} `, words(3)],
  ],
])("counts the columns of characters %s", (_, text, lines) => {
  const there = edited(po, FOLDED, { c: text }, DUTCH);
  expect(there.slice(there.indexOf('msgid "c"')).trimEnd().split("\n").slice(2)).toEqual(
    lines.map((line) => `"${line}"`),
  );
});

test("measures the lines of a new message with their own keyword", () => {
  expect(edited(po, FOLDED, { n: words(66, 3) }, DUTCH)).toContain(`msgid "n"\nmsgstr "${words(66, 3)}"\n`);
  expect(edited(po, FOLDED, { n: words(67, 3) }, DUTCH)).toContain(
    `msgid "n"\nmsgstr ""\n"${words(67, 3)}"\n`,
  );
});

test.each([
  [80, 80],
  [79, 79],
  [78, 78],
  [76, 76],
  // Of no program's own: as wide as the widest line, and no narrower than 40.
  [60, 60],
  [30, 40],
])("continues lines of %i columns with %i", (shown, page) => {
  // Its first line is full, and the one letter that follows did not fit.
  const file = `${HEADER}\nmsgid "a"\nmsgstr ""\n"${words(shown - 6, 2)} "\n"x"\n\nmsgid "c"\nmsgstr ""\n`;
  const linesOf = (...lengths: readonly number[]): string[] =>
    edited(po, file, { c: words(...lengths) }, DUTCH)
      .split('msgid "c"\nmsgstr ""\n')[1]
      ?.trimEnd()
      .split("\n") ?? [];
  expect(linesOf(page - 10, 6, 9)).toEqual([`"${words(page - 10, 6)} "`, `"${words(9)}"`]);
  expect(linesOf(page - 10, 7, 9)).toEqual([`"${words(page - 10)} "`, `"${words(7, 9)}"`]);
});

test("ignores unbreakable lines when measuring the width", () => {
  const file = FOLDED.replace(
    'msgid "c"',
    `msgid "b"\nmsgstr ""\n"${words(100)} "\n"${words(3)}"\n\nmsgid "c"`,
  );
  expect(edited(po, file, { c: words(60, 16, 30) }, DUTCH)).toContain(
    `"${words(60)} "\n"${words(16, 30)}"\n`,
  );
});

test.each([
  [77, true],
  [78, false],
])("decides by texts of %i columns whether to wrap: %s", (length, isFolded) => {
  const long = (key: string): string => `msgid "${key}"\nmsgstr "${words(length - 4, 3)}"\n\n`;
  const file = FOLDED.replace('msgid "c"', `${long("b1")}${long("b2")}msgid "c"`);
  expect(edited(po, file, { c: words(60, 16, 30) }, DUTCH).includes(`"${words(60)} "\n`)).toBe(isFolded);
});

test("wraps like msgcat at every length", (context) => {
  requireTool(context, "gettext");
  for (let length = 70; length <= 84; length++) {
    for (const text of [words(length, 3, 30), words(length - 10, 6, 2, 1, 40)]) {
      const wanted = FOLDED.replace('"c"\nmsgstr ""', `"c"\nmsgstr "${text}"`);
      expect(edited(po, FOLDED, { c: text }, DUTCH)).toBe(runText("msgcat", ["-"], wanted));
    }
  }
});

test.each([
  // A sign of a currency stays with what follows, but not with another one.
  ["$", "x", false],
  ["$", "五", false],
  ["$", "$", true],
  ["x", "$", false],
  ["五", "x", true],
  ["五", "%", false],
  ["%", "五", true],
  ["%", "x", false],
  [")", "x", false],
  [")", "$", false],
  [")", "%", false],
  [")", "五", true],
  ["-", "x", true],
  ["-", "5", false],
  ["-", "9", false],
  // A mark belongs to what precedes it.
  ["-\u0301", "x", true],
  [",", "x", true],
  ["!", "x", true],
  ["x", "五", true],
  ["x", "x", false],
  ["五", "\u00a0", false],
  ["五", "'", false],
  ["'", "五", false],
  ["\u00a0", "五", false],
  ["五", "!", false],
  ["x", "—", true],
  ["x", "「", true],
  ["五", "|", false],
  ["五", "-", false],
  ["五", "ー", false],
  ["|", "x", true],
  ["—", "x", true],
  ["「", "五", false],
  // Half a syllable of Korean, as file systems of macOS store it.
  ["\u1112", "x", true],
])("breaks between %s and %s: %s", (before, after, mayEnd) => {
  // What stands before the place fills a line of 79 columns.
  const wide = /[五「\u1112]/u.test(before) ? 2 : 1;
  const head = `${"x".repeat(30)} ${"x".repeat(77 - 31 - wide)}${before}`;
  const text = edited(po, FOLDED, { c: `${head}${after}xx` }, DUTCH);
  expect(text.includes(`${before}"\n"${after}`)).toBe(mayEnd);
});

test("breaks at every sign like msgcat", (context) => {
  requireTool(context, "gettext");
  const signs =
    "([{¡¿「『（【〈《〔［｛}、。」』）】〉》〕］｝，．)]'«»“”‘’‹›!?！？;,.:/-|–…‐‧ぁっャー・：；々ゝヾ〜$+€£¥№±%°‰′″¢—x5五";
  const texts = Array.from(signs, (sign) => `${words(30, 45)}${sign}xx ${words(30, 44)}${sign}五`);
  const folded = texts.reduce((file, _, n) => `${file}\nmsgid "${n}"\nmsgstr ""\n`, FOLDED);
  const wanted = texts.reduce((file, text, n) => `${file}\nmsgid "${n}"\nmsgstr "${text}"\n`, FOLDED);
  const changes = Object.fromEntries(texts.map((text, n) => [`${n}`, text]));
  expect(edited(po, folded, changes, DUTCH)).toBe(runText("msgcat", ["-"], wanted));
});

test("what is escaped stays with its backslash, and counts for two columns", () => {
  const linesOf = (text: string): string[] => {
    const there = edited(po, FOLDED, { c: text }, DUTCH);
    return there.slice(there.indexOf('msgid "c"')).trimEnd().split("\n").slice(2);
  };
  const quoted = (length: number): string => `"${"x".repeat(length - 2)}`;
  expect(linesOf(`${quoted(60)} ${words(15, 30)}`)).toEqual([
    `"\\${quoted(60)} ${words(15)} "`,
    `"${words(30)}"`,
  ]);
  // The end of a line of text belongs to it.
  expect(linesOf(`${"五".repeat(38)}\n`)).toEqual([`"${"五".repeat(37)}"`, '"五\\n"']);
  // A line has room for 38 backslashes.
  expect(linesOf("\\".repeat(50))).toEqual([`"${"\\".repeat(76)}"`, `"${"\\".repeat(24)}"`]);
});

test("contexts and ids are written in their own layout, and texts in theirs", () => {
  const wrapped = { split: true, emptyFirst: true, fold: 40 };
  const style = { eol: "\n", hasRawTabs: false, ids: wrapped, texts: { ...wrapped, fold: null } };
  const long = "a text that is much longer than the forty columns of a line";
  const lines = (keyword: string): number => printString(long, keyword, style, null).split("\n").length;
  expect(["msgctxt", "msgid", "msgid_plural", "msgstr", "msgstr[1]"].map(lines)).toEqual([3, 3, 3, 1, 1]);
});

const LONG = words(50, 40);
const LINES = '""\n"x\\n"\n"y"';

test.each<[shows: string, text: string, ids: Partial<PoStyle["ids"]>, texts: Partial<PoStyle["texts"]>]>([
  ["nothing", `msgid "a"\nmsgstr "b"`, { split: true, emptyFirst: true, fold: 79 }, { fold: 79 }],
  ["a context on one line", `msgctxt "x\\ny"\nmsgid "a"\nmsgstr ""`, { split: false }, { split: false }],
  [
    "a plural on one line",
    `msgid "a"\nmsgid_plural "x\\ny"\nmsgstr[0] ""\nmsgstr[1] ""`,
    { split: false },
    { split: false },
  ],
  [
    "more ids in lines than texts on one",
    `msgctxt ${LINES}\nmsgid ${LINES}\nmsgstr "x\\ny"`,
    { split: true },
    { split: false },
  ],
  [
    "fewer ids in lines than texts on one",
    `msgid ${LINES}\nmsgid_plural "b"\nmsgstr[0] "x\\ny"\nmsgstr[1] "x\\ny"`,
    { split: false },
    { split: false },
  ],
  ["a long id", `msgid "${LONG}"\nmsgstr ""`, { fold: null }, { fold: null }],
  ["a folded id", `msgid ""\n"${words(54, 3)} "\n"x"\nmsgstr ""`, { fold: 61 }, { fold: 61 }],
  ["the end of a line only", `msgid "a\\n"\nmsgstr ""`, { split: true }, { split: true }],
  ["lines on a long one", `msgid "${LONG}\\nb"\nmsgstr ""`, { split: false, fold: 79 }, { fold: 79 }],
  ["lines of an id, and a long text", `msgid ${LINES}\nmsgstr "${LONG}"`, { fold: null }, { fold: null }],
  ["lines only", `msgid ${LINES}\nmsgstr ""`, { split: true, emptyFirst: true, fold: 79 }, { fold: 79 }],
  ["a long text on a line of its own", `msgid "a"\nmsgstr ""\n"${LONG}"`, { fold: null }, { fold: null }],
  ["a long line", `msgid "a"\nmsgstr ""\n"${LONG}\\n"\n"b"`, { fold: null }, { fold: null }],
  [
    "a folded id, and a text of lines on one",
    `msgid ""\n"${words(70, 3)} "\n"${words(20)}"\nmsgstr "x\\ny"`,
    { split: false, fold: 79 },
    { split: false, fold: 79 },
  ],
  [
    "a short line above a folded one",
    `msgid "a"\nmsgstr ""\n"x\\n"\n"${words(70, 3)} "\n"${words(20)}"`,
    { fold: 79 },
    { fold: 79 },
  ],
  [
    "a word that still fitted into 79 columns",
    `msgid "a"\nmsgstr ""\n"${words(67, 3)} "\n"${words(4, 4, 4)}"`,
    { fold: 78 },
    { fold: 78 },
  ],
  ...[3, 2].map((length): [string, string, { fold: number }, { fold: number }] => [
    `a word of ${length} letters that did not fit`,
    `msgid "a"\nmsgstr ""\n"${words(67, 3)} "\n"${words(length, 4, 4)}"`,
    { fold: 74 + length },
    { fold: 74 + length },
  ]),
])("a file that shows %s is continued like that", (_, text, ids, texts) => {
  expect(styleOf(text, "\n", scanPo(text))).toMatchObject({ ids, texts });
});

test("a text keeps the layout of the one that it replaces, and what cannot be broken is on the first line", () => {
  const layout = { split: true, emptyFirst: true, fold: 79 };
  const style = { eol: "\n", hasRawTabs: false, ids: layout, texts: layout };
  const printed = (text: string, raw: string): string => {
    const { messages } = scanPo(`msgid "a"\nmsgstr ${raw}\n`);
    const string = messages[0]?.strings[0];
    return printString(text, "msgstr", style, string === undefined ? null : { string, raw });
  };
  expect(printed(LONG, `"${words(40, 50)}"`)).toBe(`"${LONG}"`);
  expect(printed("1\n2", '"x\\n"\n"y"')).toBe('"1\\n"\n"2"');
  expect(printed("1\n2", '"x\\ny"')).toBe('"1\\n2"');
  expect(printed("x".repeat(100), '"a"')).toBe(`"${"x".repeat(100)}"`);
});

test.each(["x !", "x ?", "x )", "x ]", "x }", "x ;", "x ,", "x :", "» (", "« ["])(
  "never breaks in %s",
  (unbroken) => {
    const there = edited(po, FOLDED, { c: `${words(30, 43)} ${unbroken}` }, DUTCH);
    expect(there.endsWith(`"${words(30, 43)} "\n"${unbroken}"\n`)).toBe(true);
  },
);
