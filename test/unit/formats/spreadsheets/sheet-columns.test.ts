/** The meaning of column titles and header rows. */
import { describe, expect, test } from "vitest";
import {
  columnsOf,
  parseColumnTitle,
  type SheetColumns,
  titleOf,
} from "../../../../src/formats/spreadsheets/sheet-columns.ts";

const text = (locale: string | null, category: string | null) => ({ holds: "text", locale, category });

describe("title", () => {
  test.each([
    ["key", { holds: "key" }],
    [" KEY ", { holds: "key" }],
    ["Namespace", { holds: "namespace" }],
    ["context", { holds: "context" }],
    ["Description", { holds: "description" }],
    ["Comment", { holds: "description" }],
    ["COMMENTS", { holds: "description" }],
    ["note", { holds: "description" }],
    ["notes", { holds: "description" }],
    ["Value", text(null, null)],
    ["Other", text(null, "other")],
    ["zero", text(null, "zero")],
    ["en", text("en", null)],
    ["NL", text("NL", null)],
    ["pt_BR", text("pt_BR", null)],
    ["zh-Hans", text("zh-Hans", null)],
    ["de_informal", text("de_informal", null)],
    ["nl other", text("nl", "other")],
    ["nl_one", text("nl", "one")],
    ["pt_BR.few", text("pt_BR", "few")],
    ["pt-BR-many", text("pt-BR", "many")],
    ["nl:two", text("nl", "two")],
    ["nl[zero]", text("nl", "zero")],
    ["nl [Other]", text("nl", "other")],
  ])("%s", (title, meaning) => {
    expect(parseColumnTitle(title)).toEqual({ title, ...meaning });
  });

  test.each([
    "",
    " ",
    "max length",
    "status",
    "tag",
    "url",
    "URL",
    ...["min", "New", " SRC "],
    ..."all api app dev dir doc end max old ref row set tab uid use web".split(" "),
    "xx",
    "translation",
    "nl more",
    "key other",
    "k".repeat(1e6),
  ])("does not recognise %.20s", (title) => {
    expect(parseColumnTitle(title)).toBeNull();
  });

  test("recognises only given locales", () => {
    expect(parseColumnTitle("Dutch", ["dutch"])).toEqual({ title: "Dutch", ...text("Dutch", null) });
    expect(parseColumnTitle("PT_br one", ["pt-BR"])).toEqual({ title: "PT_br one", ...text("PT_br", "one") });
    expect(parseColumnTitle("en", ["nl"])).toBeNull();
  });

  test("is read back from a new file", () => {
    for (const locale of [null, "en", "pt-BR", "zh_Hant_TW", "de_informal", "sr@latin"]) {
      for (const category of [null, "zero", "other"]) {
        expect(parseColumnTitle(titleOf(locale, category))).toMatchObject(text(locale, category));
      }
    }
  });
});

describe("header row", () => {
  const of = (titles: string[], options = {}): SheetColumns => {
    const columns = columnsOf(titles, options);
    if (typeof columns === "string") throw new Error(columns);
    return columns;
  };

  test("names languages as they are given", () => {
    expect(of(["key", "Dutch"], { locales: ["dutch"] }).texts).toEqual([
      { locale: "Dutch", value: 1, forms: [] },
    ]);
  });

  test("gives each locale its columns", () => {
    expect(of(["Namespace", "Key", "?", "en", "nl one", "nl", "nl other", "other"])).toEqual({
      namespace: 0,
      key: 1,
      context: -1,
      description: -1,
      texts: [
        { locale: "en", value: 3, forms: [] },
        {
          locale: "nl",
          value: 5,
          forms: [
            ["one", 4],
            ["other", 6],
          ],
        },
        { locale: null, value: -1, forms: [["other", 7]] },
      ],
    });
  });

  test("uses the first of duplicate titles", () => {
    expect(of(["key", "key", "notes", "comment", "en", "en"])).toMatchObject({
      key: 0,
      description: 2,
      texts: [{ locale: "en", value: 4 }],
    });
  });

  test("is reported without key or text column", () => {
    expect(columnsOf(["name", "en"], {})).toMatch("the header row has no column `key`: ");
    expect(columnsOf(["key", "description"], {})).toMatch("the header row has no column `value`: ");
    expect(columnsOf([], {})).toMatch("the header row has no column `key`: ");
    const many = Array.from({ length: 30 }, (_, index) => `t${index}`.padEnd(50, "x"));
    expect(columnsOf(many, {})).toBe(
      `the header row has no column \`key\`: ${many
        .slice(0, 20)
        .map((title) => title.slice(0, 40))
        .join(", ")}`,
    );
  });

  test("is read only by a given mapping", () => {
    const columns = [
      { title: "Id", holds: "key" },
      { title: "Tekst", holds: "text", locale: "nl", category: null },
    ] as const;
    expect(of(["en", " Tekst", "Id"], { columns })).toMatchObject({
      key: 2,
      texts: [{ locale: "nl", value: 1 }],
    });
    const spaced = columns.map((column) => ({ ...column, title: `${column.title} ` }));
    expect(of(["en", " Tekst", "Id"], { columns: spaced })).toMatchObject({ key: 2, texts: [{ value: 1 }] });
    // A title as it is written comes before one with other blanks.
    expect(of(["Id", " Tekst", "Tekst"], { columns })).toMatchObject({ texts: [{ locale: "nl", value: 2 }] });
    expect(columnsOf(["en", "Id"], { columns })).toMatch("the header row has no column `Tekst`: ");
  });

  test("only names keys for a mapping without texts", () => {
    expect(of(["Id"], { columns: [{ title: "Id", holds: "key" }] })).toMatchObject({ key: 0, texts: [] });
  });
});
