/** A language without a column gets one; tables grow with new rows and columns. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, ReadOptions } from "../../../../src/formats/format.ts";
import { csv } from "../../../../src/formats/spreadsheets/csv-format.ts";
import type { Text } from "../../../../src/model/translation-text.ts";
import { ENGLISH } from "../editing.ts";

const OPTIONS: ReadOptions = { ...ENGLISH, locales: ["en", "nl", "fr", "pt-BR"] };
const FORMS: Text = { forms: { one: "un", other: "des" } };

function change(key: string, locale: string, text: string | Text | null): Change {
  return {
    key,
    context: null,
    namespace: null,
    locale,
    text: typeof text === "string" ? { value: text } : text,
  };
}

describe("CSV", () => {
  const edited = (text: string, ...changes: readonly Change[]): string => {
    const applied = applyEdit(csv, text, changes, OPTIONS);
    expect(applied.refused).toEqual([]);
    return applied.text;
  };

  test("adds the column after the others, with a cell in each row", () => {
    const text = "key;en;nl\r\na;Save;Bewaren\r\n\r\nb;Open;Openen\r\n";
    expect(edited(text, change("a", "fr", "Garder"))).toBe(
      "key;en;nl;fr\r\na;Save;Bewaren;Garder\r\n\r\nb;Open;Openen;\r\n",
    );
  });

  test("adds several languages and rows at once, and keeps short rows", () => {
    const text = `"key","en","nl"\na,Save,Bewaren\nb,Open\n`;
    const changes = [
      change("c", "fr", "Fermer"),
      change("c", "en", "Close"),
      change("a", "pt-BR", "Guardar"),
      change("a", "nl", "Opslaan"),
    ];
    expect(edited(text, ...changes)).toBe(
      `"key","en","nl","fr","pt-BR"\na,Save,Opslaan,,Guardar\nb,Open\nc,Close,,"Fermer",\n`,
    );
  });

  test("takes a column with the numbers of the rows for no language, whatever its case", () => {
    const of = (title: string, numbers: readonly number[]) =>
      csv
        .read(`key,${title},nl\na,${numbers[0]},x\nb,${numbers[1]},y\n`, ENGLISH)
        .entries.map(({ locale }) => locale);
    expect(of("ID", [2, 1])).toEqual(["nl", "nl"]);
    expect(of(" id ", [7, 7])).toEqual(["nl", "nl"]);
    expect(of("de", [1, 2])).toEqual(["nl", "nl"]);
    expect(of("de", [2, 1])).toEqual(["de", "nl", "de", "nl"]);
  });

  test("adds no column next to mapped ones", () => {
    const columns = [
      { title: "key", holds: "key" },
      { title: "en", holds: "text", locale: "en", category: null },
    ] as const;
    const text = "key;en\r\na;Save\r\n";
    expect(applyEdit(csv, text, [change("a", "fr", "Garder")], { ...OPTIONS, columns })).toMatchObject({
      text,
      refused: [{ key: "a" }],
    });
  });

  test("adds plural columns like those of other languages", () => {
    for (const [nl, fr] of [
      ["nl one,nl other", "fr,fr one,fr other"],
      ["nl_one,nl_other", "fr,fr_one,fr_other"],
      ["nl [one],nl [other]", "fr,fr [one],fr [other]"],
      ["NL_One,NL_Other", "fr,fr_one,fr_other"],
      ["nl_one ,nl_other ", "fr,fr_one,fr_other"],
    ]) {
      const text = `key,nl,${nl}\na,,x,y\n`;
      expect(edited(text, change("a", "fr", FORMS))).toBe(`key,nl,${nl},${fr}\na,,x,y,,un,des\n`);
    }
  });

  test("adds several columns with the file's separator, quoted like the last one", () => {
    const changes = [change("a", "fr", "Garder"), change("a", "pt-BR", "Guardar")];
    expect(edited('key;"en"\na;x\n', ...changes)).toBe('key;"en";"fr";"pt-BR"\na;x;Garder;Guardar\n');
    expect(edited('"key";en\na;x\n', ...changes)).toBe('"key";en;fr;pt-BR\na;x;Garder;Guardar\n');
  });

  test("adds a column for each form that the other language needs", () => {
    const forms: Text = { forms: { one: "1", few: "2" } };
    const options = { ...OPTIONS, locales: ["en", "pl"] };
    expect(applyEdit(csv, "key,en one,en other\na,x,y\n", [change("a", "pl", forms)], options)).toMatchObject(
      {
        text: "key,en one,en other,pl one,pl few,pl many\na,x,y,1,2,\n",
        refused: [],
      },
    );
  });

  test("writes the texts of a row beside one that is refused", () => {
    const changes = [change("a", "en", "Keep"), change("a", "xx", "?")];
    expect(applyEdit(csv, "key,en\na,Save\n", changes, OPTIONS)).toMatchObject({
      text: "key,en\na,Keep\n",
      refused: [{ locale: "xx", reason: "not_found" }],
    });
  });

  test("removes a row though a text of a language without a column is to be added to it", () => {
    const changes = [change("a", "en", null), change("a", "xx", "?"), change("b", "en", "Open")];
    expect(applyEdit(csv, "key,en\na,Save\n", changes, OPTIONS)).toMatchObject({
      text: "key,en\nb,Open\n",
      refused: [{ key: "a", locale: "xx", reason: "not_found" }],
    });
  });

  test("edits a sheet in which one language has forms of a key, and another a single text", () => {
    const text = "key,en,en one,en other,nl\na,x,1,2,y\nb,z,,,\n";
    expect(edited(text, change("a", "nl", "new"))).toBe(text.replace("2,y", "2,new"));
    expect(edited(text, change("b", "nl", "new"))).toBe(text.replace("z,,,", "z,,,new"));
    expect(edited(text, change("a", "en", { forms: { one: "3", other: "2" } }))).toBe(
      text.replace("x,1", "x,3"),
    );
    expect(edited(text, change("a", "en", { forms: { one: "", other: "" } }))).toBe(
      text.replace("x,1,2", ",,"),
    );
  });

  test("adds a column for each form that the language needs, and one for a text without forms", () => {
    const only: Text = { forms: { other: "des" } };
    expect(edited("key,en\na,x\n", change("a", "fr", only))).toBe("key,en,fr,fr one,fr other\na,x,,,des\n");
    expect(edited("key,nl one,nl other\na,x,y\n", change("a", "fr", "un"))).toBe(
      "key,nl one,nl other,fr\na,x,y,un\n",
    );
  });

  test("adds a column for each form, also one that counts do not need", () => {
    const millions: Text = { forms: { one: "un", many: "de", other: "des" } };
    expect(edited("key,en\na,x\n", change("a", "fr", millions))).toBe(
      "key,en,fr,fr one,fr many,fr other\na,x,,un,de,des\n",
    );
  });

  test("adds no column for an unknown language, under untitled cells, or without text", () => {
    const refused = (text: string, ...changes: readonly Change[]): readonly string[] => {
      const applied = applyEdit(csv, text, changes, OPTIONS);
      expect(applied.text).toBe(text);
      return applied.refused.map(({ reason }) => reason);
    };
    expect(refused("key,en\na,Save\n", change("a", "xx", "?"))).toEqual(["not_found"]);
    expect(refused("key,en\na,Save,a remark\n", change("a", "fr", "?"))).toEqual(["not_found"]);
    expect(refused("key,value\na,Save\n", change("a", "fr", "?"))).toEqual(["not_found"]);
    expect(refused("key,en\na,Save\n", change("a", "fr", null))).toEqual(["not_found"]);
    expect(refused("key,en\na,Save\n", change("a", "fr", ""))).toEqual(["not_found"]);
  });
});

describe("columns of row numbers", () => {
  const languages = (text: string): string[] => [
    ...new Set(
      csv.read(text, { locale: "en", sourceLocale: "en" }).entries.map(({ locale }) => locale ?? ""),
    ),
  ];

  test("are no languages, whatever their title is the code of", () => {
    const text = readFileSync(join(import.meta.dirname, "../../../fixtures/id-column.csv"), "utf8");
    expect(languages(text)).toEqual(["nl", "de"]);
    expect(languages("no,key,en\n1,a,x\n1,b,y\n")).toEqual(["en"]);
    expect(languages("id,key,en\n1,a,x\n")).toEqual(["en"]);
    expect(languages("se,key,en\n1,a,x\n2,b,y\n")).toEqual(["en"]);
    expect(languages("nr,key,en\n1,a,x\n,b,y\n")).toEqual(["en"]);
    expect(languages("se,key,en\n1,a,x\n,b,y\n2,c,z\n")).toEqual(["en"]);
  });

  test("are not those with texts, or with a text that is a number", () => {
    expect(languages("key,en,id\na,x,1\nb,y,dua\n")).toEqual(["en", "id"]);
    expect(languages("key,en,id\na,x,\nb,y,\n")).toEqual(["en", "id"]);
    expect(languages("key,en,nl\na,9,9\nb,8,8\n")).toEqual(["en", "nl"]);
    expect(languages("key,en,nl\na,x,42\n")).toEqual(["en", "nl"]);
    expect(languages("key,en,nl\na,x,7\nb,y,7\n")).toEqual(["en", "nl"]);
    expect(languages("key,en,id\na,x,1 hari\nb,y,2 hari\n")).toEqual(["en", "id"]);
    expect(languages("key,en,id,id other\na,x,1,\nb,y,2,z\n")).toEqual(["en", "id"]);
  });

  test("are texts where a mapping says so", () => {
    const columns = [
      { title: "key", holds: "key" },
      { title: "id", holds: "text", locale: "id", category: null },
    ] as const;
    const { entries } = csv.read("id,key\n1,a\n2,b\n", { ...ENGLISH, columns });
    expect(entries.map(({ key, locale, text }) => [key, locale, text])).toEqual([
      ["a", "id", { value: "1" }],
      ["b", "id", { value: "2" }],
    ]);
  });

  test("are refused if there is no other", () => {
    expect(csv.read("id,key\n1,a\n2,b\n", { locale: "en", sourceLocale: "en" })).toMatchObject({
      entries: [],
      problems: [{ code: "syntax" }],
    });
  });

  test("stay as they are when a row is added", () => {
    const change = { key: "c", context: null, locale: "nl", text: { value: "x" } };
    const options = { locale: "en", sourceLocale: "en" };
    expect(applyEdit(csv, "id,key,nl\n1,a,x\n2,b,y\n", [change], options).text).toBe(
      "id,key,nl\n1,a,x\n2,b,y\n,c,x\n",
    );
  });
});
