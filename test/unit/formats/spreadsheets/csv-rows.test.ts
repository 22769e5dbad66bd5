/** `csv`: adding and removing rows, new files, and generated files. */
import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/formats/spreadsheets/csv-format.ts";
import type { NewEntry, ReadOptions } from "../../../../src/formats/format.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { changedNames, edit, edited, ENGLISH, readAll, type Wanted } from "../editing.ts";

const read = (text: string, options: ReadOptions = ENGLISH) => readAll(csv, text, options);

const change = (text: string, ...wanted: Wanted): string => changedNames(csv, text, wanted);

describe("new rows", () => {
  test("have the header's number of cells and the file's line endings", () => {
    expect(edited(csv, "key,value,notes\r\nb,x,\r\n", { a: "y" })).toBe(
      "key,value,notes\r\nb,x,\r\na,y,\r\n",
    );
    expect(edited(csv, "key,value,notes\nb,x", { a: "y", c: "z" })).toBe("key,value,notes\nb,x\na,y,\nc,z,");
    expect(edited(csv, "key,value\r", { a: "y" })).toBe("key,value\ra,y\r");
    expect(edited(csv, "key,value", { a: "y" })).toBe("key,value\na,y");
    expect(edited(csv, "key,value\nb,x\n\n\n", { a: "y" })).toBe("key,value\nb,x\na,y\n\n\n");
    expect(edited(csv, 'key,value\nb,"x\r\ny"\n', { a: "y" })).toBe('key,value\nb,"x\r\ny"\na,y\n');
  });

  test("that are shorter than the header get as many cells as the texts need", () => {
    const file = "key,en,nl,fr,notes\nk,x\nm,x,,,n\n";
    const texts = (key: string): Wanted => [
      [{ key, locale: "nl" }, "y"],
      [{ key, locale: "fr" }, "z"],
    ];
    expect(change(file, ...texts("k"))).toBe("key,en,nl,fr,notes\nk,x,y,z\nm,x,,,n\n");
    expect(change(file, ...texts("k").toReversed())).toBe("key,en,nl,fr,notes\nk,x,y,z\nm,x,,,n\n");
    expect(change(file, ...texts("m"))).toBe("key,en,nl,fr,notes\nk,x\nm,x,y,z,n\n");
    expect(change(file, [{ key: "k", locale: "fr" }, "z"])).toBe("key,en,nl,fr,notes\nk,x,,z\nm,x,,,n\n");
  });

  test("are quoted like their columns", () => {
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

  test("go next to their siblings in an unsorted file", () => {
    const file = "namespace,key,value\nz,menu.b,1\nz,menu.a,2\nz,other,3\na,k,4\n";
    expect(
      change(file, [{ namespace: "z", key: "menu.c" }, "x"], [{ namespace: "z", key: "new" }, "y"]),
    ).toBe("namespace,key,value\nz,menu.b,1\nz,menu.a,2\nz,menu.c,x\nz,other,3\nz,new,y\na,k,4\n");
    expect(change(file, [{ namespace: "q", key: "k" }, "x"])).toBe(`${file}q,k,x\n`);
    const twins = "namespace,key,value\nz,menu.b,1\nz,menu.a,2\na,menu.k,3\na,first,4\nz,last,5\n";
    expect(
      change(twins, [{ namespace: "z", key: "menu.c" }, "x"], [{ namespace: "a", key: "menu.c" }, "y"]),
    ).toBe(twins.replace("2\n", "2\nz,menu.c,x\n").replace("3\n", "3\na,menu.c,y\n"));
  });

  test("contain all locales, context and description of a key", () => {
    expect(change("key,context,namespace,value\n", [{ key: "a", context: "c", namespace: "n" }, "x"])).toBe(
      "key,context,namespace,value\na,c,n,x\n",
    );
    const file = "key,notes,context,en,nl,nl other\n";
    const name = { key: "a", context: "c" };
    expect(
      change(
        file,
        [{ ...name, locale: "nl" }, { other: "dagen" }],
        [{ ...name, locale: "en" }, "day", "Hint"],
      ),
    ).toBe(`${file}a,Hint,c,day,,dagen\n`);
    expect(
      change(file, [{ ...name, locale: "nl" }, "dag", ""], [{ ...name, locale: "en" }, "day", "Hint"]),
    ).toBe(`${file}a,Hint,c,day,dag,\n`);
  });
});

describe("removing", () => {
  const FILE = 'key,value\na,1\nb,"x\ny"\nc,3';

  test("removes the row and its line ending", () => {
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

  test.each(["\r\n", "\r"])("removes the last row with the preceding line ending %j", (end) => {
    const file = FILE.replaceAll("\n", end);
    expect(edited(csv, file, { c: null })).toBe(`key,value${end}a,1${end}b,"x${end}y"`);
    expect(edited(csv, file, { b: null, c: null })).toBe(`key,value${end}a,1`);
    expect(edited(csv, file, { a: null, b: null, c: null })).toBe("key,value");
  });

  test("removes all rows of a key that is repeated, and nothing else", () => {
    const file = "namespace,key,value\ns,a,1\nt,a,2\ns,b,3\ns,a,4\ns,a,5\n";
    expect(change(file, [{ namespace: "s", key: "a" }, null], [{ namespace: "s", key: "b" }, "x"])).toBe(
      "namespace,key,value\nt,a,2\ns,b,x\n",
    );
  });

  test("empties the cells of one locale, and removes the row for all", () => {
    const file = "key,en,nl,nl other\na,x,y,\nb,z,,w\n";
    expect(change(file, [{ key: "a", locale: "nl" }, null])).toBe("key,en,nl,nl other\na,x,,\nb,z,,w\n");
    expect(change(file, [{ key: "b", locale: "nl" }, null])).toBe("key,en,nl,nl other\na,x,y,\nb,z,,\n");
    expect(change(file, [{ key: "a", locale: "nl" }, null], [{ key: "a", locale: "en" }, null])).toBe(
      "key,en,nl,nl other\nb,z,,w\n",
    );
  });
});

describe("printing", () => {
  test("has only the needed columns", () => {
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

  test("has a row for each namespace and context of a key", () => {
    const text = { value: "x" };
    expect(
      csv.print(
        [
          { namespace: "s", key: "a", context: null, text },
          { namespace: "t", key: "a", context: null, text: { value: "y" } },
          { namespace: "t", key: "a", context: "c", text: { value: "z" } },
        ],
        ENGLISH,
      ),
    ).toBe("namespace,key,context,value\ns,a,,x\nt,a,,y\nt,a,c,z\n");
  });

  test("gives each locale its columns and each key a row", () => {
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
    const described = { ...entry("a", "pl", { value: "y" }), description: "Hint" };
    expect(csv.print([entry("a", "en", { value: "x" }), described], ENGLISH)).toBe(
      "key,description,en,pl\na,Hint,x,y\n",
    );
  });
});

describe("extreme file", () => {
  const MANY = 1_000_000;

  test.each([
    ["quotes", '"'.repeat(MANY), "syntax"],
    ["an even number of quotes", `key,value\na,${'""'.repeat(MANY)}`, undefined],
    ["one quote too many", `key,value\na,"${'""'.repeat(MANY)}`, "syntax"],
    ["separators", `key,value\n${",".repeat(MANY)}\na,`, undefined],
    ["a header of separators", `key,value${",".repeat(MANY)}\na,`, "syntax"],
    ["line ends", `key,value\na,${"\n\r".repeat(MANY)}`, undefined],
    ["one row too many", `key,value\n${",\n".repeat(1_048_576)}a,`, "syntax"],
    ["dots", `key,value\n${".a".repeat(MANY)},x\na,`, undefined],
    ["more languages than rows can hold", languages(12_000, 167), "syntax"],
  ])("of %s is read and kept in time", (_, file, code) => {
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
