/** Conversion between gettext's numbered plural forms and CLDR categories. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  gettextPlurals,
  parsePluralExpression,
  parsePluralForms,
  pluralText,
  STANDARD_EXPRESSIONS,
  standardPluralForms,
  stringsOfText,
} from "../../../../src/formats/gettext/plural-forms-header.ts";
import { categoryForNumber, neededCategories } from "../../../../src/model/plural-categories.ts";
import { type Forms, PLURAL_CATEGORIES } from "../../../../src/model/translation-text.ts";
import { requireTool, PYTHON, run, runText } from "../../support/reference-tools.ts";
import { IS_FULL, propertyRuns } from "../../support/full-run.ts";

const ALL_LOCALES = Intl.PluralRules.supportedLocalesOf(
  Array.from({ length: 26 * 27 * 27 }, (_, at) => {
    const letters = [at % 26, Math.floor(at / 26) % 27, Math.floor(at / 26 / 27)];
    return letters
      .filter((letter) => letter < 26)
      .map((letter) => String.fromCharCode(97 + letter))
      .join("");
  }).filter((name) => name.length > 1),
);

describe("expressions", () => {
  test.each([
    ["0", 7, 0],
    ["n", 7, 7],
    ["n != 1", 1, 0],
    ["n!=1", 2, 1],
    ["!n", 0, 1],
    ["!!n", 7, 1],
    ["! (n == 1) ", 1, 0],
    ["1 + 2 * 3 - 4 / 2 % 2", 0, 7],
    ["n ? n == 1 ? 5 : 6 : 4", 0, 4],
    ["n ? n == 1 ? 5 : 6 : 4", 1, 5],
    ["n ? n == 1 ? 5 : 6 : 4", 9, 6],
    ["n<2 || n>4 && n<6", 5, 1],
    ["(n<2 || n>4) && n<1", 5, 0],
    ["n - 1 > 100", 0, 1],
    ["n == 0 || 10 / n > 1 ? 1 : 2", 0, 1],
    ["1 == 1 != 0", 0, 1],
    ["7 / 2", 0, 3],
    ["4294967295", 0, 4294967295],
  ])("evaluate %s of %i to %i", (source, n, wanted) => {
    expect(parsePluralExpression(source)?.(n)).toBe(wanted);
  });

  test("have no result for a division by zero", () => {
    expect(parsePluralExpression("10 / n")?.(0)).toBe(-1);
    expect(parsePluralExpression("10 % n ? 1 : 0")?.(0)).toBe(-1);
    expect(parsePluralExpression("!(1 / n)")?.(0)).toBe(-1);
  });

  test.each([
    "",
    "n n",
    "n =",
    "n = 1",
    "n ? 1",
    "n ? 1 :",
    "n ? 1 2",
    "(n",
    "n)",
    "m",
    "n & 1",
    "-1",
    "n++",
    "alert(1)",
    "4294967296",
    "99999999999",
    "EXPRESSION",
  ])("reject %j", (source) => {
    expect(parsePluralExpression(source)).toBeNull();
  });

  test("handle any depth and length", () => {
    for (const source of ["(".repeat(100_000), "(".repeat(1_900) + "n"]) {
      expect(parsePluralExpression(source)).toBeNull();
    }
    expect([null, 1]).toContain(parsePluralExpression("!".repeat(1_999) + "n")?.(0) ?? null);
    expect(parsePluralExpression("n?".repeat(900) + "1" + ":0".repeat(90))).toBeNull();
    const nested = (depth: number) => parsePluralExpression("(".repeat(depth) + "n" + ")".repeat(depth))?.(7);
    expect([nested(99), nested(100)]).toEqual([7, undefined]);
    expect(parsePluralExpression(`${"(n)+".repeat(300)}0`)?.(2)).toBe(600);
    const padded = (length: number) => parsePluralExpression("n".padStart(length))?.(7);
    expect([padded(2_000), padded(2_001)]).toEqual([7, undefined]);
  });

  test("agree with Python's gettext", (context) => {
    requireTool(context, "python");
    const headers = STANDARD_EXPRESSIONS.map(({ source }) => source);
    const script =
      "import sys,json,gettext\nprint(json.dumps([[gettext.c2py(s)(n) for n in range(0,230)] for s in json.load(sys.stdin)]))";
    const results: unknown = JSON.parse(runText(PYTHON, ["-c", script], JSON.stringify(headers)));
    expect(
      headers.map((source) =>
        Array.from({ length: 230 }, (_, n) => Number(parsePluralExpression(source)?.(n))),
      ),
    ).toEqual(results);
  });

  test("agree with Python's gettext for any expression", (context) => {
    requireTool(context, "python");
    const number = fc.integer({ min: 0, max: 120 }).map(String);
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.oneof(number, fc.constant("n")),
        fc
          .tuple(tie("node"), fc.constantFrom("+", "*", "<", ">", "<=", ">=", "==", "!="), tie("node"))
          .map((parts) => parts.join(" ")),
        // Python's `or` gives back one of its sides, C's a 1.
        fc
          .tuple(tie("node"), fc.constantFrom("&&", "||"), tie("node"))
          .map((parts) => `(${parts.join(" ")} ? 1 : 0)`),
        fc.tuple(tie("node"), fc.integer({ min: 1, max: 100 })).map(([left, right]) => `${left} % ${right}`),
        tie("node").map((inner) => `(${inner})`),
        // Nor does its `not` bind as tightly.
        tie("node").map((inner) => `(!(${inner}))`),
        fc.tuple(tie("node"), tie("node"), tie("node")).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
      ),
    }));
    const sources = fc.sample(node, 300).filter((source) => source.length < 900);
    const script = `import sys,json,gettext
def values(s):
    try:
        f = gettext.c2py(s)
        return [int(f(n)) for n in range(0, 60)]
    except Exception:
        return None
print(json.dumps([values(s) for s in json.load(sys.stdin)]))`;
    const results = JSON.parse(runText(PYTHON, ["-c", script], JSON.stringify(sources))) as (
      | number[]
      | null
    )[];
    let compared = 0;
    for (const [at, source] of sources.entries()) {
      const wanted = results[at];
      if (wanted == null || wanted.some((value) => value < 0 || value > 0xffff_ffff)) continue;
      const index = parsePluralExpression(source);
      expect([source, Array.from({ length: 60 }, (_, n) => index?.(n))]).toEqual([source, wanted]);
      compared++;
    }
    expect(compared).toBeGreaterThan(200);
  });
});

describe("header", () => {
  test.each([
    ["nplurals=2; plural=(n != 1);", 2],
    ["nplurals=2; plural=n != 1", 2],
    [" nplurals = 3 ; plural = n ; \n", 3],
    ["nplurals=1;plural=0;", 1],
    ["plural=0; nplurals=1", 1],
    ["NPlurals=2; PLURAL=n;", 2],
  ])("%j", (header, count) => {
    expect(parsePluralForms(header)?.count).toBe(count);
  });

  test.each([
    "nplurals=INTEGER; plural=EXPRESSION;",
    "nplurals=2;",
    "plural=n;",
    "nplurals=0; plural=0;",
    "nplurals=99999999; plural=0;",
    "xnplurals=2; plural=n;",
    "",
  ])("ignores %j", (header) => {
    expect(parsePluralForms(header)).toBeNull();
    expect(gettextPlurals(header, "pl").categories).toEqual(["one", "few", "many"]);
  });
});

/** What real files say, and what the numbers of their forms mean. */
const REAL: readonly (readonly [string, string, string])[] = [
  ["nl", "nplurals=2; plural=(n != 1);", "one other"],
  ["fr", "nplurals=2; plural=(n > 1);", "one other"],
  ["fr", "nplurals=3; plural=(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;", "one many other"],
  ["ja", "nplurals=1; plural=0;", "other"],
  ["en", "nplurals=1; plural=0;", "other"],
  ["ja", "nplurals=2; plural=(n != 1);", "one other"],
  ["pt-PT", "nplurals=2; plural=(n > 1);", "one other"],
  ["tlh", "nplurals=2; plural=(n != 1);", "one other"],
  [
    "pl",
    "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "one few many",
  ],
  [
    "pl",
    "nplurals=4; plural=(n==1 ? 0 : (n%10>=2 && n%10<=4) && (n%100<12 || n%100>14) ? 1 : n!=1 && (n%10>=0 && n%10<=1) || (n%10>=5 && n%10<=9) || (n%100>=12 && n%100<=14) ? 2 : 3);",
    "one few many other",
  ],
  ["pl", "nplurals=2; plural=(n != 1);", "one other"],
  [
    "ru",
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
    "one few many",
  ],
  [
    "sr",
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "one few other",
  ],
  ["cs", "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;", "one few other"],
  [
    "cs",
    "nplurals=4; plural=(n == 1 && n % 1 == 0) ? 0 : (n >= 2 && n <= 4 && n % 1 == 0) ? 1: (n % 1 != 0 ) ? 2 : 3;",
    "one few many other",
  ],
  ["lv", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);", "one other zero"],
  [
    "lt",
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "one few other",
  ],
  [
    "sl",
    "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);",
    "one two few other",
  ],
  [
    "sl",
    "nplurals=4; plural=(n%100==1 ? 1 : n%100==2 ? 2 : n%100==3 || n%100==4 ? 3 : 0);",
    "other one two few",
  ],
  [
    "he",
    "nplurals=4; plural=(n == 1 && n % 1 == 0) ? 0 : (n == 2 && n % 1 == 0) ? 1: (n % 10 == 0 && n % 1 == 0 && n > 10) ? 2 : 3;",
    "one two many other",
  ],
  [
    "ar",
    "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 && n%100<=99 ? 4 : 5);",
    "zero one two few many other",
  ],
  ["ar", "nplurals=2; plural=(n != 1);", "one other"],
  ["ga", "nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;", "one two other"],
  // Forms of numbers for which Dutch has no category.
  ["nl", "nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;", "one two other"],
  ["nl", "nplurals=3; plural=n==1 ? 0 : n>=2 && n<=4 ? 1 : 2;", "one few other"],
  ["nl", "nplurals=3; plural=n==1 ? 0 : n>=10 && n<=40 ? 1 : 2;", "one few other"],
  ["nl", "nplurals=3; plural=n==1 ? 0 : n>=20 && n<=40 ? 1 : 2;", "one many other"],
  [
    "lv",
    "nplurals=4; plural=n==0 ? 0 : n%10==1 && n%100!=11 ? 1 : n%10==0 || n%100>=11 && n%100<=19 ? 2 : 3;",
    "few one zero other",
  ],
  // No form is mostly for `other`: the one of the most categories has the texts of the rest.
  ["ar", "nplurals=2; plural=n%100<=10 && n!=2 ? 0 : 1;", "other many"],
  ["ro", "nplurals=3; plural=n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2;", "one few other"],
  ["cy", "nplurals=4; plural=(n==1) ? 0 : (n==2) ? 1 : (n != 8 && n != 11) ? 2 : 3;", "one two other few"],
  [
    "mt",
    "nplurals=4; plural=(n==1 ? 0 : n==0 || ( n%100>1 && n%100<11) ? 1 : (n%100>10 && n%100<20 ) ? 2 : 3);",
    "one few many other",
  ],
];

describe("categories", () => {
  test.each(REAL)("%s, %s: %s", (locale, header, wanted) => {
    expect(gettextPlurals(header, locale).categories.join(" ")).toBe(wanted);
  });

  test("depend on the language, also below the same header", () => {
    const header = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
    for (const [locale, wanted] of [
      ["pl", "one few many"],
      ["nl", "one few other"],
      ["pl", "one few many"],
    ] as const) {
      expect(gettextPlurals(header, locale).categories.join(" ")).toBe(wanted);
    }
  });

  test("are unique for any header", () => {
    const header = fc.tuple(
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(...STANDARD_EXPRESSIONS.map(({ source }) => source), "n", "n % 7", "n > 9 ? 9 : n"),
    );
    fc.assert(
      fc.property(header, fc.constantFrom(...ALL_LOCALES), ([count, source], locale) => {
        const plurals = gettextPlurals(`nplurals=${count}; plural=${source};`, locale);
        expect(plurals.count).toBe(count);
        expect(plurals.categories.length).toBe(Math.min(count, 6));
        expect(new Set(plurals.categories).size).toBe(plurals.categories.length);
        const strings = Array.from({ length: count }, (_, at) => `form ${at}`);
        const text = pluralText(plurals, strings);
        if (count > 6) expect([text, pluralText(plurals, ["form 0"])]).toEqual([null, null]);
        else expect(stringsOfText(plurals, text ?? { forms: {} })).toEqual(strings);
      }),
      propertyRuns(200),
    );
  });

  test("keep surplus forms and fill up missing ones", () => {
    const plurals = gettextPlurals("nplurals=2; plural=(n != 1);", "nl");
    expect(pluralText(plurals, ["a", "b", "c"])).toEqual({ forms: { one: "a", other: "b", zero: "c" } });
    expect(stringsOfText(plurals, { forms: { one: "a", other: "b", zero: "d" } }, 3)).toEqual([
      "a",
      "b",
      "d",
    ]);
    expect(pluralText(plurals, ["a"])).toEqual({ forms: { one: "a", other: "" } });
    expect(pluralText(plurals, ["1", "2", "3", "4", "5", "6", "7"])).toBeNull();
  });

  test("keep non-empty forms without a position", () => {
    const plurals = gettextPlurals("nplurals=2; plural=(n != 1);", "nl");
    const strings = (forms: Forms): readonly string[] | null => stringsOfText(plurals, { forms });
    expect(strings({ one: "a", few: "b", other: "c" })).toBeNull();
    expect(strings({ one: "a", few: "c", other: "c" })).toEqual(["a", "c"]);
    expect(strings({ one: "a", few: "", other: "c" })).toEqual(["a", "c"]);
    expect(strings({ other: "c" })).toEqual(["c", "c"]);
    expect(strings({ one: "", other: "" })).toEqual(["", ""]);
    expect(strings({})).toEqual(["", ""]);
  });
});

describe("header of a new file", () => {
  test("has a form for each CLDR category of integers, in every language", () => {
    for (const locale of ALL_LOCALES) {
      const header = parsePluralForms(standardPluralForms(locale));
      const { categories } = gettextPlurals(null, locale);
      expect([locale, categories.length]).toEqual([locale, neededCategories(locale).length]);
      const wrong = Array.from({ length: 1_001 }, (_, n) => n).filter(
        (n) => categories[header?.index(n) ?? -1] !== categoryForNumber(locale, n),
      );
      expect([locale, wrong]).toEqual([locale, []]);
    }
  });

  test("has positions for other categories", () => {
    for (const locale of ["en", "fr", "pl", "ja", "ar", "cs", "tlh"]) {
      for (const wanted of [["many"], ["zero"], ["few", "two"], [...PLURAL_CATEGORIES]]) {
        const plurals = gettextPlurals(standardPluralForms(locale, wanted), locale);
        expect(plurals.categories).toEqual(expect.arrayContaining(wanted));
      }
    }
    expect(standardPluralForms("fr", ["one", "other", "many"])).toBe("nplurals=3; plural=(n > 1);");
  });

  /** gettext 0.21 takes Hebrew's dual and Irish's five forms together, and Latvian's zero for nothing else than 0. */
  const OLDER: ReadonlySet<string> = new Set(["he", "ga", "lv"]);

  test("equals gettext's own for known languages", (context) => {
    requireTool(context, "gettext");
    const template = `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
    // One for each expression; in full runs, all that gettext knows.
    const others = "vi ko de nl sv da nb nn fo es it bg el fi et eo hu tr pt_BR uk be sr hr sk";
    const known = `ja en he fr lv ga ro lt ru cs pl sl${IS_FULL ? ` ${others}` : ""}`;
    for (const locale of known.split(" ")) {
      const args = ["--no-translator", "-l", locale, "-i", "-", "-o", "-", "--no-wrap"];
      const made = runText("msginit", args, template);
      const header = /Plural-Forms: (.*?)\\n/.exec(made)?.[1] ?? "";
      const theirs = parsePluralForms(header);
      const ours = parsePluralForms(standardPluralForms(locale.replace("_", "-")));
      expect(theirs).not.toBeNull();
      const differing = Array.from({ length: 1_001 }, (_, n) => n).filter(
        (n) => theirs?.index(n) !== ours?.index(n),
      );
      expect([locale, differing.length > 0]).toEqual([locale, OLDER.has(locale)]);
    }
  });

  test("is accepted by msgfmt", (context) => {
    requireTool(context, "gettext");
    const files = STANDARD_EXPRESSIONS.map(
      ({ count, source }) =>
        `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=${count}; plural=${source};\\n"\n\nmsgid "%d a"\nmsgid_plural "%d b"\n${Array.from({ length: count }, (_, at) => `msgstr[${at}] "x"\n`).join("")}`,
    );
    expect(files.length).toBeGreaterThan(10);
    // Throws where msgfmt refuses.
    for (const file of files)
      expect(run("msgfmt", ["--check-format", "-o", "-", "-"], file)).not.toHaveLength(0);
  });
});
