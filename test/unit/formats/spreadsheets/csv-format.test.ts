/** Reads and edits CSV as spreadsheets write it. */
import { describe, expect, test } from "vitest";
import { csv, csvHeader } from "../../../../src/formats/spreadsheets/csv-format.ts";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, ReadOptions } from "../../../../src/formats/format.ts";
import {
  changedNames,
  edit,
  edited,
  ENGLISH,
  entryOf,
  readAll,
  type TextInput,
  type Wanted,
} from "../editing.ts";

const read = (text: string, options: ReadOptions = ENGLISH) => readAll(csv, text, options);
const problems = (text: string, options: ReadOptions = ENGLISH) =>
  csv
    .read(text, options)
    .problems.map(({ code, message, span }) => [code, message, text.slice(span.start, span.end)]);

const change = (text: string, ...wanted: Wanted): string => changedNames(csv, text, wanted);

describe("reading", () => {
  test("detects the separator from the header", () => {
    const expected = [["a", "x"]];
    for (const separator of [",", ";", "\t"]) {
      expect(read(`key${separator}value\na${separator}x\n`)).toEqual(expected);
    }
    expect(read('"key, really";key;value\n1,2,3;a;x')).toEqual(expected);
    expect(read("key,notes; see,value\na,;;,x")).toEqual(expected);
    // Known titles say more than the number of cells.
    expect(read("key,value,notes; a; b; c\na,x,;;;")).toEqual(expected);
    expect(read("sep=|\nkey|value\na|x")).toEqual(expected);
    expect(read("sep=;\r\nkey;value\r\na;x\r\n")).toEqual(expected);
    expect(read("SEP=;\r\r\r\rkey;value\ra;x\r")).toEqual(expected);
  });

  test("reads quotes, line endings and ragged rows like spreadsheets", () => {
    const file =
      'key,value\r\na,"x ""y"", z"\rb,"two\r\nlines"\n\nc,x"y"\nd,"x"y"z"\n"e"\nf,,,more\n,nothing\ng, "x"';
    expect(read(file)).toEqual([
      ["a", 'x "y", z'],
      ["b", "two\r\nlines"],
      ["c", 'x"y"'],
      ["d", 'xy"z"'],
      ["e", ""],
      ["f", ""],
      ["g", ' "x"'],
    ]);
    expect(problems(file)).toEqual([]);
  });

  test("returns the range of each cell", () => {
    const file = 'key,value,one,other\n"a","x"\nb,,p,"q"\n';
    const a = entryOf(csv, file, "a");
    const b = entryOf(csv, file, "b");
    const slice = (span: { start: number; end: number } | undefined) =>
      span && file.slice(span.start, span.end);
    expect([slice(a?.keySpan), slice(a?.valueSpan)]).toEqual(["a", '"x"']);
    expect([slice(b?.keySpan), slice(b?.valueSpan)]).toEqual(["b", 'p,"q"']);
    expect(entryOf(csv, "key,value,notes\na\nb,x,y\n", "a")?.valueSpan).toEqual({ start: 17, end: 17 });
    const part = "key,zero,one,other\na,,x,\nb,,,\n";
    expect(["a", "b"].map((key) => entryOf(csv, part, key)?.valueSpan)).toEqual([
      { start: part.indexOf("x"), end: part.indexOf("x") + 1 },
      { start: part.indexOf("b") + 2, end: part.length - 1 },
    ]);
    // Text behind the closing quote belongs to the cell.
    for (const [written, key] of [
      ['"c"d', "cd"],
      ['"c""d"e', 'c"de'],
      ['"c""d"', 'c"d'],
    ] as const) {
      const text = `key,value\n${written},x\n`;
      const { start = 0, end = 0 } = entryOf(csv, text, key)?.keySpan ?? {};
      expect(text.slice(start, end)).toBe(key === 'c"d' ? 'c""d' : written);
    }
  });

  test("separates namespace, context and description", () => {
    const file = "Namespace,Key,Context,Comment,Value\nshop,a,menu,Hint,x\n*,a,,,y\n,b,,,z";
    expect(csv.read(file, ENGLISH).entries).toMatchObject([
      { namespace: "shop", key: "a", context: "menu", description: "Hint", text: { value: "x" } },
      { namespace: null, key: "a", context: null, description: null, text: { value: "y" } },
      { namespace: null, key: "b", context: null, description: null, text: { value: "z" } },
    ]);
  });

  test("returns an entry per locale, named by its title", () => {
    const file = "key,en,pt_BR,nl other,nl one\na,x,y,,\nb,z,,dagen,dag\n";
    expect(csv.read(file, ENGLISH).entries.map(({ key, locale, text }) => [key, locale, text])).toEqual([
      ["a", "en", { value: "x" }],
      ["a", "pt_BR", { value: "y" }],
      ["a", "nl", { forms: {} }],
      ["b", "en", { value: "z" }],
      ["b", "pt_BR", { value: "" }],
      ["b", "nl", { forms: { other: "dagen", one: "dag" } }],
    ]);
  });

  test("reads filled categories as plural, and reports an additional value", () => {
    const file = "key,value,one,other\na,x,,\nb,,p,q\nc,v,p,q\nd,,,\ne,,,q";
    expect(read(file)).toEqual([
      ["a", "x"],
      ["b", { one: "p", other: "q" }],
      ["c", { one: "p", other: "q" }],
      ["d", ""],
      ["e", { other: "q" }],
    ]);
    expect(problems(file)).toEqual([["type", expect.stringContaining("row 3"), "v"]]);
  });

  test("uses the known kind if the row is ambiguous", () => {
    const file = "key,value,one,other\na,x,,\nb,,p,q\nc,v,p,q\nd,,,";
    const known = (isPlural: boolean) => read(file, { ...ENGLISH, isPlural: () => isPlural });
    expect(known(true)).toEqual([
      ["a", "x"],
      ["b", { one: "p", other: "q" }],
      ["c", { one: "p", other: "q" }],
      ["d", {}],
    ]);
    expect(known(false)).toEqual([
      ["a", "x"],
      ["b", { one: "p", other: "q" }],
      ["c", "v"],
      ["d", ""],
    ]);
  });

  test("asks for the kind by the name with its namespace", () => {
    const text = "namespace,key,value,one,other\ns,a,v,1,2\nt,a,v,1,2\n";
    const isPlural = (_: string, __: string | null, namespace?: string | null): boolean => namespace === "s";
    expect(read(text, { ...ENGLISH, isPlural })).toEqual([
      ["a", { one: "1", other: "2" }],
      ["a", "v"],
    ]);
  });

  test("reports what precedes a quote that is not closed, too", () => {
    const { problems: found } = csv.read('key,value\na,1\na,2\nb,"x', ENGLISH);
    expect(found.map(({ code }) => code)).toEqual(["duplicate", "syntax"]);
  });

  test("uses the last of duplicate rows and reports the first", () => {
    const file = "key,value\n\na,x\nb,y\na,z\n";
    expect(read(file)).toEqual([
      ["b", "y"],
      ["a", "z"],
    ]);
    expect(problems(file)).toEqual([
      ["duplicate", expect.stringContaining("row 1 below the header, column 1:"), "a"],
    ]);
  });

  test("reads formulas as text", () => {
    const file = 'key,value\n"=HYPERLINK(""http://x"")",-1\n@a,=1+1\n+b,__proto__\n__proto__,x';
    expect(read(file)).toEqual([
      ['=HYPERLINK("http://x")', "-1"],
      ["@a", "=1+1"],
      ["+b", "__proto__"],
      ["__proto__", "x"],
    ]);
  });

  test("reports an unfinished merge, whose marks are no keys", () => {
    const file = "key,value\na,x\n<<<<<<< ours\nb,y\n=======\nb,z\n>>>>>>> theirs\nc,w\n=======d,v\n";
    expect(read(file)).toEqual([
      ["a", "x"],
      ["b", "z"],
      ["c", "w"],
      ["=======d", "v"],
    ]);
    expect(problems(file)).toEqual([
      ["syntax", "an unfinished merge", "<<<<<<< ours"],
      ["duplicate", expect.stringContaining("row 3 "), "b"],
    ]);
  });

  test("reads keys that only look like the marks of a merge", () => {
    const file = "key,value\n=======,x\n<<<<<<<y,z\n";
    expect(read(file)).toEqual([
      ["=======", "x"],
      ["<<<<<<<y", "z"],
    ]);
    expect(problems(file)).toEqual([]);
  });

  test("reports a missing column and an unclosed quote", () => {
    expect(problems("name,value\na,x")).toEqual([["syntax", expect.stringContaining("`key`"), "name,value"]]);
    expect(problems("key,notes\na,x")).toEqual([["syntax", expect.stringContaining("`value`"), "key,notes"]]);
    expect(problems("\n\nname,value\na,x")).toEqual([["syntax", expect.any(String), "name,value"]]);
    expect(problems("\n\r\n\n")).toEqual([]);
    const open = 'key,value\na,x\nb,"y\nc,z\n';
    expect(csv.read(open, ENGLISH).problems).toEqual([
      { code: "syntax", message: "a quote is not closed", span: { start: 16, end: 16 } },
    ]);
    expect(read(open)[0]).toEqual(["a", "x"]);
  });

  test("reads by a mapping of arbitrary titles", () => {
    const options: ReadOptions = {
      ...ENGLISH,
      columns: [
        { title: "Id", holds: "key" },
        { title: "Tekst; NL", holds: "text", locale: "nl", category: null },
        { title: "Meer", holds: "text", locale: "nl", category: "other" },
      ],
    };
    expect(read('Id,"Tekst; NL",en,Meer\na,x,y,\nb,,,z', options)).toEqual([
      ["a", "x"],
      ["b", { other: "z" }],
    ]);
    // Also the separator is the one that gives these titles.
    const columns = [
      { title: "Naam", holds: "key" },
      { title: "Tekst, kort", holds: "text", locale: null, category: null },
    ] as const;
    expect(read("Naam;Tekst, kort;Meer, veel, meer\na;x;y", { ...ENGLISH, columns })).toEqual([["a", "x"]]);
    expect(read("Naam ; Tekst, kort;a, b, c, d\na;x;y", { ...ENGLISH, columns })).toEqual([["a", "x"]]);
    expect(problems("Id,Meer\na,x", options)).toEqual([
      ["syntax", expect.stringContaining("Tekst; NL"), "Id,Meer"],
    ]);
  });

  test("returns keys for a mapping without texts", () => {
    const columns = [{ title: "Id", holds: "key" }] as const;
    expect(csv.read("Id,en\na,x\nb,y", { ...ENGLISH, columns }).entries).toMatchObject([
      { key: "a", locale: null, text: { value: "" }, readOnly: "unsupported" },
      { key: "b" },
    ]);
  });

  test("returns the titles of the header row", () => {
    const headerOf = (text: string) => csvHeader(text)?.titles;
    expect(headerOf('\n"Id";Tekst;"a ""b"""\n1;2;3')).toEqual(["Id", "Tekst", 'a "b"']);
    expect(headerOf("\n")).toBeUndefined();
    expect(headerOf("sep=;\na,b;c\n")).toEqual(["a,b", "c"]);
    expect(headerOf("Naam;Tekst, kort;Meer\n")).toEqual(["Naam", "Tekst, kort", "Meer"]);
    expect(csvHeader("Naam\n")?.separator).toBe(",");
  });
});

describe("changing", () => {
  const FILE = 'key,value,notes\na,x,n\n"b","y, ""z""",\nc\n';

  test("rewrites the cell, quoted if it was or must be", () => {
    expect(edited(csv, FILE, { a: "1" })).toBe(FILE.replace("a,x", "a,1"));
    expect(edited(csv, FILE, { a: 'q"' })).toBe(FILE.replace("a,x", 'a,"q"""'));
    expect(edited(csv, FILE, { a: "two\nlines" })).toBe(FILE.replace("a,x", 'a,"two\nlines"'));
    expect(edited(csv, FILE, { c: "new" })).toBe(FILE.replace("\nc\n", "\nc,new\n"));
    expect(edited(csv, 'key,value\n"a","x"\n', { a: "1" })).toBe('key,value\n"a","1"\n');
    expect(edited(csv, "key\tvalue\na\tx\n", { a: "1,2" })).toBe("key\tvalue\na\t1,2\n");
  });

  test("restores the bytes when changed back", () => {
    for (const given of ["", "plain", "a,b", '"', "=1+1", " ", "\r\n", "a\rb"]) {
      for (const [key, before] of read(FILE)) {
        if (key === "c") continue;
        const there = edited(csv, FILE, { [key]: given });
        expect(read(there).find(([name]) => name === key)).toEqual([key, given]);
        expect(edited(csv, there, { [key]: before })).toBe(FILE);
      }
    }
  });

  test("writes a text that looks like a formula unchanged", () => {
    for (const given of ["=1+1", "+1", "-1", "@x"])
      expect(edited(csv, FILE, { a: given })).toContain(`a,${given},`);
  });

  test("moves the text to other columns when the kind changes", () => {
    const file = "key,value,one,other\na,x,,\nb,,p,q\nc,v,p,q\n";
    expect(edited(csv, file, { a: { one: "1", other: "2" } })).toContain("\na,,1,2\n");
    expect(edited(csv, file, { b: "1" })).toContain("\nb,1,,\n");
    expect(edited(csv, file, { b: { other: "2" } })).toContain("\nb,,,2\n");
    expect(edited(csv, file, { c: { one: "1", other: "q" } })).toContain("\nc,v,1,q\n");
  });

  test("leaves cells of other forms as they are written, and missing ones missing", () => {
    const file = 'key,zero,one,other\na,,"x"y,z\nb,,x\n';
    expect(edited(csv, file, { a: { one: "xy", other: "new" }, b: { one: "y" } })).toBe(
      'key,zero,one,other\na,,"x"y,new\nb,,y\n',
    );
  });

  test("keeps the other locales' cells when one becomes plural", () => {
    const file = "key,en,en one,en other,nl,nl other\na,x,,,,\nb,y,,,z,\n";
    expect(
      change(file, [
        { key: "a", locale: "en" },
        { one: "1", other: "2" },
      ]),
    ).toContain("\na,,1,2,,\n");
    expect(
      change(file, [
        { key: "b", locale: "en" },
        { one: "1", other: "2" },
      ]),
    ).toContain("\nb,,1,2,z,\n");
  });

  test("refuses texts without a column", () => {
    const refusals = (file: string, wanted: Record<string, TextInput | null>) =>
      edit(csv, file, wanted).refused.map(({ key, reason }) => [key, reason]);
    expect(
      refusals("key,value\na,x", { a: { other: "y" }, n: { other: "z" }, gone: null, " ": "x" }),
    ).toEqual([
      ["a", "forms"],
      ["n", "forms"],
      ["gone", "not_found"],
      [" ", "unsupported"],
    ]);
    expect(refusals("key,value\na,x", { a: { other: "" } })).toEqual([["a", "forms"]]);
    expect(refusals("key,one,other\na,,x", { a: "y", b: { other: "1", few: "2" } })).toEqual([
      ["a", "forms"],
      ["b", "forms"],
    ]);
    expect(refusals("name\nx", { a: "y" })).toEqual([["a", "syntax"]]);
    expect(refusals('key,value\na,"x', { a: "y" })).toEqual([["a", "syntax"]]);
    const changes: Change[] = [
      { key: "a", context: "c", text: { value: "y" } },
      { key: "a", context: null, namespace: "n", text: { value: "y" } },
      { key: "a", context: null, locale: "nl", text: { value: "y" } },
    ];
    // That is how a sheet says that there is no namespace.
    const star: Change = { key: "b", context: null, namespace: "*", text: { value: "y" } };
    expect(applyEdit(csv, "namespace,key,value\n,a,x\n", [star], ENGLISH)).toMatchObject({
      text: "namespace,key,value\n,a,x\n",
      refused: [{ reason: "unsupported" }],
    });
    const { text, refused } = applyEdit(csv, "key,value\na,x", changes, ENGLISH);
    expect(text).toBe("key,value\na,x");
    expect(refused.map(({ reason }) => reason)).toEqual(["unsupported", "unsupported", "not_found"]);
  });

  test("of keys alone, removes a key but refuses its texts", () => {
    const options: ReadOptions = { ...ENGLISH, columns: [{ title: "Id", holds: "key" }] };
    expect(edit(csv, "Id\na\nb\n", { a: "x", b: null }, options)).toMatchObject({
      text: "Id\na\n",
      refused: [{ key: "a", reason: "not_found" }],
    });
  });

  test("ignores an empty form without a column", () => {
    const file = "key,one,other\na,x,y\n";
    expect(edited(csv, file, { a: { one: "x", other: "z", many: "" } })).toBe("key,one,other\na,x,z\n");
  });
});

test("a new file names its separator if the example does", () => {
  const example = { text: "sep=|\r\nkey|value\r\na|x\r\n", bom: false, locale: "nl" };
  const options = { ...ENGLISH, examples: [example] };
  const text = csv.print([{ key: "b", context: null, text: { value: "y" } }], options);
  expect(text).toBe("sep=|\r\nkey|value\r\nb|y\r\n");
  expect(read(text)).toEqual([["b", "y"]]);
});

test("a new file quotes what its separator needs", () => {
  const options = { ...ENGLISH, examples: [{ text: "key;value\na;x\n", bom: false, locale: "nl" }] };
  const entry = (key: string, value: string) => ({ key, context: null, text: { value } });
  expect(csv.print([entry("b,c", "x;y"), entry("d", 'z"')], options)).toBe('key;value\nb,c;"x;y"\nd;"z"""\n');
});

test("a new file has the separator that gives an example the mapped titles", () => {
  const columns = [{ title: "Naam", holds: "key" }] as const;
  const examples = [{ text: "Naam;Tekst, kort, lang\n", bom: false, locale: "nl" }];
  const entry = { key: "b", context: null, text: { value: "y" } };
  expect(csv.print([entry], { ...ENGLISH, columns, examples })).toBe("key;value\nb;y\n");
});

test("a new file is not like an example that only names its separator", () => {
  const options = { ...ENGLISH, examples: [{ text: "sep=|", bom: false, locale: "nl" }] };
  const text = csv.print([{ key: "b", context: null, text: { value: "y" } }], options);
  expect(read(text)).toEqual([["b", "y"]]);
});

describe("columns of forms", () => {
  const languages = { ...ENGLISH, locales: ["en", "nl"] };

  test("make a key without a text plural if another language has forms", () => {
    const file = "key,en,en_one,en_other,nl,nl_one,nl_other\na,,,,,1,2\nb,x,,,,1,2\nc,,,,y,,\n";
    const byLocale = csv.read(file, languages).entries.map(({ key, locale, text }) => [key, locale, text]);
    expect(byLocale).toEqual([
      ["a", "en", { forms: {} }],
      ["a", "nl", { forms: { one: "1", other: "2" } }],
      ["b", "en", { value: "x" }],
      ["b", "nl", { forms: { one: "1", other: "2" } }],
      ["c", "en", { value: "" }],
      ["c", "nl", { value: "y" }],
    ]);
  });

  test("of one form count by the first", () => {
    expect(read("key,nl,nl_one,nl_one,nl_other\na,,1,3,2\n", languages)).toEqual([
      ["a", { one: "1", other: "2" }],
    ]);
  });

  test("are filled in their order, also where the row ends before them", () => {
    const forms = { a: { one: "1", other: "2" }, b: { one: "3", other: "4" } };
    const after = edited(csv, "key,value,other,one\na\nb,x\n", forms);
    expect(after).toBe("key,value,other,one\na,,2,1\nb,,4,3\n");
    expect(edited(csv, after, { a: "y", b: { one: "5", other: "4" } })).toBe(
      "key,value,other,one\na,y,,\nb,,4,5\n",
    );
  });
});

test.each<[file: string, added: Wanted[number], row: string]>([
  ["key,description,value\na,A,x\n", [{ key: "b" }, "y", "about b"], "b,about b,y\n"],
  ["key,description,value\na,A,x\n", [{ key: "b" }, "y"], "b,,y\n"],
  ["key,value\na,x\n", [{ key: "b" }, "y", "about b"], "b,y\n"],
])("a new row of %j has the description if there is a column for it: %j", (file, added, row) => {
  expect(change(file, added)).toBe(file + row);
});
