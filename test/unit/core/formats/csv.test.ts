/** CSV as spreadsheets write it, read and changed. */
import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/core/formats/sheets/csv.ts";
import { csvHeader } from "../../../../src/core/formats/sheets/csv-scan.ts";
import { applyEdit } from "../../../../src/core/formats/edit.ts";
import type { Change, EntryName, NewEntry, ReadOptions } from "../../../../src/core/formats/format.ts";
import type { Text } from "../../../../src/core/text.ts";
import { edit, edited, ENGLISH, entryOf, readAll, type Said } from "./editing.ts";

const read = (text: string, options: ReadOptions = ENGLISH) => readAll(csv, text, options);
const problems = (text: string, options: ReadOptions = ENGLISH) =>
  csv
    .read(text, options)
    .problems.map(({ code, message, span }) => [code, message, text.slice(span.start, span.end)]);

type Name = Partial<EntryName> & { readonly key: string };

/** Edits by full names; `null` removes. */
function change(text: string, ...wanted: readonly (readonly [Name, Said | null, string?])[]): string {
  const changes = wanted.map(([name, said, description]): Change => {
    const saidText: Text | null =
      said === null ? null : typeof said === "string" ? { value: said } : { forms: said };
    return { context: null, ...name, text: saidText, ...(description === undefined ? {} : { description }) };
  });
  const applied = applyEdit(csv, text, changes, ENGLISH);
  if (applied.refused.length > 0) throw new Error(JSON.stringify(applied.refused));
  return applied.text;
}

describe("reading", () => {
  test("finds the separator by the header row", () => {
    const expected = [["a", "x"]];
    for (const separator of [",", ";", "\t"]) {
      expect(read(`key${separator}value\na${separator}x\n`)).toEqual(expected);
    }
    expect(read('"key, really";key;value\n1,2,3;a;x')).toEqual(expected);
    expect(read("key,notes; see,value\na,;;,x")).toEqual(expected);
    expect(read("sep=|\nkey|value\na|x")).toEqual(expected);
    expect(read("sep=;\r\nkey;value\r\na;x\r\n")).toEqual(expected);
  });

  test("takes quotes, line ends and ragged rows as spreadsheets do", () => {
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

  test("gives each cell its place", () => {
    const file = 'key,value,one,other\n"a","x"\nb,,p,"q"\n';
    const a = entryOf(csv, file, "a");
    const b = entryOf(csv, file, "b");
    const slice = (span: { start: number; end: number } | undefined) =>
      span && file.slice(span.start, span.end);
    expect([slice(a?.keySpan), slice(a?.valueSpan)]).toEqual(["a", '"x"']);
    expect([slice(b?.keySpan), slice(b?.valueSpan)]).toEqual(["b", 'p,"q"']);
  });

  test("keeps namespace, context and description apart", () => {
    const file = "Namespace,Key,Context,Comment,Value\nshop,a,menu,Hint,x\n*,a,,,y\n,b,,,z";
    expect(csv.read(file, ENGLISH).entries).toMatchObject([
      { namespace: "shop", key: "a", context: "menu", description: "Hint", text: { value: "x" } },
      { namespace: null, key: "a", context: null, description: null, text: { value: "y" } },
      { namespace: null, key: "b", context: null, description: null, text: { value: "z" } },
    ]);
  });

  test("gives an entry for each locale, as the title calls it", () => {
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

  test("takes filled categories for plural, and tells a value beside them", () => {
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

  test("lets what is known of a key decide where the row does not", () => {
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

  test("counts the last of two rows of one name, and tells the first", () => {
    const file = "key,value\na,x\nb,y\na,z\n";
    expect(read(file)).toEqual([
      ["b", "y"],
      ["a", "z"],
    ]);
    expect(problems(file)).toEqual([["duplicate", expect.stringContaining("row 1"), "a"]]);
  });

  test("takes what a spreadsheet program would compute for plain text", () => {
    const file = 'key,value\n"=HYPERLINK(""http://x"")",-1\n@a,=1+1\n+b,__proto__\n__proto__,x';
    expect(read(file)).toEqual([
      ['=HYPERLINK("http://x")', "-1"],
      ["@a", "=1+1"],
      ["+b", "__proto__"],
      ["__proto__", "x"],
    ]);
  });

  test("names the column that a header row lacks, and says where a quote stays open", () => {
    expect(problems("name,value\na,x")).toEqual([["syntax", expect.stringContaining("`key`"), "name,value"]]);
    expect(problems("key,notes\na,x")).toEqual([["syntax", expect.stringContaining("`value`"), "key,notes"]]);
    expect(problems("\n\r\n\n")).toEqual([]);
    const open = 'key,value\na,x\nb,"y\nc,z\n';
    expect(csv.read(open, ENGLISH).problems).toEqual([
      { code: "syntax", message: "a quote is not closed", span: { start: 16, end: 16 } },
    ]);
    expect(read(open)[0]).toEqual(["a", "x"]);
  });

  test("reads by a mapping whose titles mean nothing by themselves", () => {
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
    expect(problems("Id,Meer\na,x", options)).toEqual([
      ["syntax", expect.stringContaining("Tekst; NL"), "Id,Meer"],
    ]);
  });

  test("of a mapping without texts gives the keys", () => {
    const columns = [{ title: "Id", holds: "key" }] as const;
    expect(csv.read("Id,en\na,x\nb,y", { ...ENGLISH, columns }).entries).toMatchObject([
      { key: "a", locale: null, text: { value: "" }, readOnly: "unsupported" },
      { key: "b" },
    ]);
  });

  test("gives the titles of the header row alone", () => {
    const headerOf = (text: string) => csvHeader(text)?.titles;
    expect(headerOf('\n"Id";Tekst;"a ""b"""\n1;2;3')).toEqual(["Id", "Tekst", 'a "b"']);
    expect(headerOf("\n")).toBeUndefined();
    expect(headerOf("sep=;\na,b;c\n")).toEqual(["a,b", "c"]);
  });
});

describe("changing", () => {
  const FILE = 'key,value,notes\na,x,n\n"b","y, ""z""",\nc\n';

  test("rewrites the cell, with quotes where there were some or must be", () => {
    expect(edited(csv, FILE, { a: "1" })).toBe(FILE.replace("a,x", "a,1"));
    expect(edited(csv, FILE, { a: 'q"' })).toBe(FILE.replace("a,x", 'a,"q"""'));
    expect(edited(csv, FILE, { a: "two\nlines" })).toBe(FILE.replace("a,x", 'a,"two\nlines"'));
    expect(edited(csv, FILE, { c: "new" })).toBe(FILE.replace("\nc\n", "\nc,new\n"));
    expect(edited(csv, 'key,value\n"a","x"\n', { a: "1" })).toBe('key,value\n"a","1"\n');
    expect(edited(csv, "key\tvalue\na\tx\n", { a: "1,2" })).toBe("key\tvalue\na\t1,2\n");
  });

  test("gives the same bytes when taken back", () => {
    for (const said of ["", "plain", "a,b", '"', "=1+1", " ", "\r\n"]) {
      for (const [key, before] of read(FILE)) {
        if (key === "c") continue;
        const there = edited(csv, FILE, { [key]: said });
        expect(read(there).find(([name]) => name === key)).toEqual([key, said]);
        expect(edited(csv, there, { [key]: before })).toBe(FILE);
      }
    }
  });

  test("writes a text that looks like a formula as it is", () => {
    for (const said of ["=1+1", "+1", "-1", "@x"])
      expect(edited(csv, FILE, { a: said })).toContain(`a,${said},`);
  });

  test("of a kind moves the text to the other columns", () => {
    const file = "key,value,one,other\na,x,,\nb,,p,q\nc,v,p,q\n";
    expect(edited(csv, file, { a: { one: "1", other: "2" } })).toContain("\na,,1,2\n");
    expect(edited(csv, file, { b: "1" })).toContain("\nb,1,,\n");
    expect(edited(csv, file, { b: { other: "2" } })).toContain("\nb,,,2\n");
    expect(edited(csv, file, { c: { one: "1", other: "q" } })).toContain("\nc,v,1,q\n");
  });

  test("of one locale into a plural leaves the others' cells", () => {
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

  test("refuses what no column can hold", () => {
    const refusals = (file: string, wanted: Record<string, Said | null>) =>
      edit(csv, file, wanted).refused.map(({ key, reason }) => [key, reason]);
    expect(
      refusals("key,value\na,x", { a: { other: "y" }, n: { other: "z" }, gone: null, " ": "x" }),
    ).toEqual([
      ["a", "forms"],
      ["n", "forms"],
      ["gone", "not_found"],
      [" ", "unsupported"],
    ]);
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
    const { text, refused } = applyEdit(csv, "key,value\na,x", changes, ENGLISH);
    expect(text).toBe("key,value\na,x");
    expect(refused.map(({ reason }) => reason)).toEqual(["unsupported", "unsupported", "not_found"]);
  });

  test("takes an empty form that has no column for nothing", () => {
    const file = "key,one,other\na,x,y\n";
    expect(edited(csv, file, { a: { one: "x", other: "z", many: "" } })).toBe("key,one,other\na,x,z\n");
  });
});

describe("new rows", () => {
  test("have the header's number of cells, the file's line end and its habit of the last one", () => {
    expect(edited(csv, "key,value,notes\r\nb,x,\r\n", { a: "y" })).toBe(
      "key,value,notes\r\nb,x,\r\na,y,\r\n",
    );
    expect(edited(csv, "key,value,notes\nb,x", { a: "y", c: "z" })).toBe("key,value,notes\nb,x\na,y,\nc,z,");
    expect(edited(csv, "key,value\r", { a: "y" })).toBe("key,value\ra,y\r");
    expect(edited(csv, "key,value", { a: "y" })).toBe("key,value\na,y");
    expect(edited(csv, "key,value\nb,x\n\n\n", { a: "y" })).toBe("key,value\nb,x\na,y\n\n\n");
    expect(edited(csv, 'key,value\nb,"x\r\ny"\n', { a: "y" })).toBe('key,value\nb,"x\r\ny"\na,y\n');
  });

  test("are quoted as their columns are", () => {
    const file = '"key","value","notes"\n"b","x","n"\n';
    expect(edited(csv, file, { c: "y" })).toBe(`${file}"c","y",\n`);
    expect(edited(csv, 'key,"value"\n', { c: "y" })).toBe('key,"value"\nc,"y"\n');
  });

  test("keep a sorted file sorted", () => {
    const file = "key,value\na,1\nc,2\nx.a,3\nx.c,4\n";
    expect(
      read(edited(csv, file, { b: "n", "x.b": "n", A: "n", z: "n", d: "n" })).map(([key]) => key),
    ).toEqual(["A", "a", "b", "c", "d", "x.a", "x.b", "x.c", "z"]);
    const mixed = "key,value\na,1\nB,2\nc,3\n";
    expect(read(edited(csv, mixed, { b2: "n", D: "n" })).map(([key]) => key)).toEqual([
      "a",
      "B",
      "b2",
      "c",
      "D",
    ]);
    const spaces = "namespace,key,value\nm,b,1\nm,c,2\nn,a,3\n";
    expect(change(spaces, [{ namespace: "m", key: "bb" }, "x"], [{ namespace: "n", key: "0" }, "y"])).toBe(
      "namespace,key,value\nm,b,1\nm,bb,x\nm,c,2\nn,0,y\nn,a,3\n",
    );
  });

  test("go to their neighbours in a file in no order", () => {
    const file = "namespace,key,value\nz,menu.b,1\nz,menu.a,2\nz,other,3\na,k,4\n";
    expect(
      change(file, [{ namespace: "z", key: "menu.c" }, "x"], [{ namespace: "z", key: "new" }, "y"]),
    ).toBe("namespace,key,value\nz,menu.b,1\nz,menu.a,2\nz,menu.c,x\nz,other,3\nz,new,y\na,k,4\n");
    expect(change(file, [{ namespace: "q", key: "k" }, "x"])).toBe(`${file}q,k,x\n`);
  });

  test("hold all locales of a key, its context and description", () => {
    const file = "key,notes,context,en,nl,nl other\n";
    const name = { key: "a", context: "c" };
    expect(
      change(
        file,
        [{ ...name, locale: "nl" }, { other: "dagen" }],
        [{ ...name, locale: "en" }, "day", "Hint"],
      ),
    ).toBe(`${file}a,Hint,c,day,,dagen\n`);
  });
});

describe("removing", () => {
  const FILE = 'key,value\na,1\nb,"x\ny"\nc,3';

  test("takes the row and its line end", () => {
    expect(edited(csv, FILE, { a: null })).toBe('key,value\nb,"x\ny"\nc,3');
    expect(edited(csv, FILE, { b: null })).toBe("key,value\na,1\nc,3");
    expect(edited(csv, FILE, { c: null })).toBe('key,value\na,1\nb,"x\ny"');
    expect(edited(csv, FILE, { b: null, c: null })).toBe("key,value\na,1");
    expect(edited(csv, FILE, { a: null, b: null, c: null })).toBe("key,value");
    expect(edited(csv, `${FILE}\r\n`, { a: null, c: null })).toBe('key,value\nb,"x\ny"\n');
    expect(edited(csv, FILE, { c: null, d: "4" })).toBe('key,value\na,1\nb,"x\ny"\nd,4');
    expect(edited(csv, FILE, { c: null, b: null, d: "4", aa: "5" })).toBe("key,value\na,1\naa,5\nd,4");
    expect(edited(csv, FILE, { c: null, ba: "4", d: "5" })).toBe('key,value\na,1\nb,"x\ny"\nba,4\nd,5');
  });

  test("one locale of several empties its cells; all of them take the row", () => {
    const file = "key,en,nl,nl other\na,x,y,\nb,z,,w\n";
    expect(change(file, [{ key: "a", locale: "nl" }, null])).toBe("key,en,nl,nl other\na,x,,\nb,z,,w\n");
    expect(change(file, [{ key: "b", locale: "nl" }, null])).toBe("key,en,nl,nl other\na,x,y,\nb,z,,\n");
    expect(change(file, [{ key: "a", locale: "nl" }, null], [{ key: "a", locale: "en" }, null])).toBe(
      "key,en,nl,nl other\nb,z,,w\n",
    );
  });
});

describe("printing", () => {
  test("has only the columns that the entries need", () => {
    const print = (entries: NewEntry[]) => csv.print(entries, ENGLISH);
    expect(print([{ key: "a", context: null, text: { value: "x" } }])).toBe("key,value\na,x\n");
    expect(print([])).toBe("key,value\n");
    expect(
      print([
        { namespace: "n", key: "a", context: "c", description: "d", text: { value: 'x "y", z' } },
        { key: "b", context: null, text: { forms: { one: "p", few: "q" } } },
      ]),
    ).toBe('namespace,key,context,description,value,one,few,other\nn,a,c,d,"x ""y"", z",,,\n,b,,,,p,q,\n');
  });

  test("gives each locale its columns and each key one row", () => {
    const entry = (key: string, locale: string, text: Text): NewEntry => ({
      key,
      context: null,
      locale,
      text,
    });
    expect(
      csv.print(
        [
          entry("a", "en", { value: "x" }),
          entry("b", "en", { forms: { one: "day", other: "days" } }),
          entry("b", "pl", { forms: { one: "d", few: "d2" } }),
          entry("a", "pl", { value: "y" }),
        ],
        ENGLISH,
      ),
    ).toBe("key,en,en one,en other,pl,pl one,pl few,pl many\na,x,,,y,,,\nb,,day,days,,d,d2,\n");
  });
});

describe("a file that nobody made by hand", () => {
  const MANY = 1_000_000;

  test.each([
    ["quotes", '"'.repeat(MANY), "syntax"],
    ["an even number of quotes", `key,value\na,${'""'.repeat(MANY)}`, undefined],
    ["one quote too many", `key,value\na,"${'""'.repeat(MANY)}`, "syntax"],
    ["separators", `key,value\n${",".repeat(MANY)}\na,`, undefined],
    ["a header of separators", `key,value${",".repeat(MANY)}\na,`, "syntax"],
    ["line ends", `key,value\na,${"\n\r".repeat(MANY)}`, undefined],
    ["dots", `key,value\n${".a".repeat(MANY)},x\na,`, undefined],
    ["more languages than rows can hold", languages(12_000, 500), "syntax"],
  ])("of %s is read and left as it is, in time", (_, file, code) => {
    const { entries, problems: found } = csv.read(file, ENGLISH);
    expect(found[0]?.code).toBe(code);
    if (code === undefined) expect(entries.at(-1)?.key).toBe("a");
    const { text, refused } = edit(csv, file, { "b.c": { few: "x" } });
    expect(text).toBe(file);
    expect(refused.length).toBe(1);
  });

  function languages(count: number, rows: number): string {
    const titles = Array.from({ length: count }, (_, index) => `en_${index.toString(36).padStart(3, "0")}`);
    return `key,${titles.join(",")}\n${Array.from({ length: rows }, (_, row) => `k${row}\n`).join("")}`;
  }
});
