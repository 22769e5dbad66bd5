/** XLIFF compared with OASIS's schemas (xmllint), saxes and the `xliff` library, for written files and fixtures. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { xliff12ToJs, xliff2js } from "xliff";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, NewEntry, ReadOptions } from "../../../../src/formats/format.ts";
import { fileId } from "../../../../src/formats/xliff/xliff-serializer.ts";
import { xliff12, xliff20 } from "../../../../src/formats/xliff/xliff-format.ts";
import { requireTool } from "../../support/reference-tools.ts";
import { everythingChanged, expectSameAsLibrary, parse, plainOf, validate } from "./xliff-reference.ts";
import { ANGULAR, DUTCH, SYMFONY, TWO } from "./xliff-samples.ts";

const FIXTURES = resolve(import.meta.dirname, "../../../fixtures/translations/xliff");
const ENGLISH: ReadOptions = { locale: "en", sourceLocale: "en" };

const ENTRIES: readonly NewEntry[] = [
  {
    key: "a",
    context: null,
    namespace: "messages",
    text: { value: "<b>&\"' ]]>\r\n\t " },
    source: { value: "x" },
  },
  { key: "a b/c", context: null, namespace: "messages", text: { value: "" }, description: "a < b & c" },
  { key: "é", context: null, namespace: "admin/users", text: { value: "\u0000\uFFFF\uD800" } },
  { key: "é", context: "twice", namespace: "admin/users", text: { value: "one name, two contexts" } },
  { key: "r", context: null, namespace: "messages", text: { value: "a\r\nb\r" } },
  { key: "n", context: null, namespace: null, text: { forms: { one: "1", other: "n" } } },
  { key: "", context: null, namespace: "*", text: { value: '<g id="1">' } },
];
const CHANGES: readonly Change[] = [
  { key: "cart.title", context: null, text: { value: "a & <b> ]]>" } },
  { key: "user.name", context: null, text: { value: "Naam" } },
  { key: "user.mail", context: null, text: null },
  { key: "2", context: null, text: { value: "x" } },
  { key: "u3", context: null, text: { value: "Drie" } },
  {
    key: "new key",
    context: null,
    text: { value: "Nieuw" },
    source: { value: "New" },
    description: "A note",
  },
  { key: "of another", context: null, namespace: "admin/users", text: { value: "y" } },
];

describe("schemas", () => {
  test("accept what is printed", (context) => {
    requireTool(context, "xmllint");
    validate("xliff12", [
      xliff12.print(ENTRIES, DUTCH),
      xliff12.print(ENTRIES, ENGLISH),
      xliff12.print([], DUTCH),
    ]);
    validate("xliff20", [xliff20.print(ENTRIES, DUTCH), xliff20.print(ENTRIES, ENGLISH)]);
  });

  test("accept what is edited", (context) => {
    requireTool(context, "xmllint");
    const edited = (file: string): string => {
      const namespace = xliff12.read(file, DUTCH).entries[0]?.namespace ?? null;
      const changes = CHANGES.map((change) => ({ namespace, ...change }));
      const { text, refused } = applyEdit(xliff12, file, changes, DUTCH);
      expect(refused.every(({ reason }) => reason === "not_found")).toBe(true);
      expect(text).not.toBe(file);
      parse(text);
      return text;
    };
    const inOrder = ANGULAR.replace(/( *<context-group[^]*?<\/context-group>\n)( *<note)/, "$1$2");
    validate("xliff12", [SYMFONY, inOrder, edited(SYMFONY), edited(inOrder)]);
    validate("xliff20", [TWO, edited(TWO)]);
  });

  test("reject what is not XLIFF", (context) => {
    requireTool(context, "xmllint");
    const twice = SYMFONY.replace("inmIkP6", "N7mikjJ");
    expect(() => validate("xliff12", [twice, SYMFONY])).toThrow(/N7mikjJ/);
    expect(() => validate("xliff20", [TWO.replace("</segment>", "<note/></segment>")])).toThrow(/note/);
  });
});

describe("xliff library", () => {
  test("reads what is printed", async () => {
    const list = ENTRIES.filter(
      ({ text, context }) => context === null && "value" in text && /^[^\r\uD800]*$/.test(text.value),
    );
    const both = [
      [xliff12, await xliff12ToJs(xliff12.print(list, DUTCH))],
      [xliff20, await xliff2js(xliff20.print(list, DUTCH))],
    ] as const;
    for (const [format, { resources }] of both) {
      const file = format.print(list, DUTCH);
      for (const { key, namespace, text } of format.read(file, DUTCH).entries) {
        if (namespace === null || key === "") continue;
        const units = resources[format === xliff12 ? namespace : fileId(namespace)];
        const unit =
          format === xliff12
            ? units?.[key]
            : Object.values(units ?? {}).find(({ target }) => "value" in text && target === text.value);
        if ("value" in text) expect(plainOf(unit?.target)).toBe(text.value);
      }
    }
  });
});

describe("fixtures", () => {
  const paths = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".xlf"),
  );
  const fixtures = paths.map((path) => ({
    path,
    file: readFileSync(resolve(FIXTURES, path), "utf8").replace("\uFEFF", ""),
  }));

  test.each(fixtures.filter(({ file }) => file.includes('version="1.2"')))(
    "are read like the library before and after an edit: $path",
    async ({ file }) => {
      await expectSameAsLibrary(file);
    },
  );

  test("stay valid when edited", (context) => {
    requireTool(context, "xmllint");
    const changed = fixtures.map(({ file }) => ({
      format: file.includes('version="2.0"') ? ("xliff20" as const) : ("xliff12" as const),
      file,
    }));
    for (const format of ["xliff12", "xliff20"] as const) {
      const files = changed.filter((each) => each.format === format).map(({ file }) => file);
      expect(files.length).toBeGreaterThan(0);
      validate(
        format,
        files.map((file) => everythingChanged(format, file)),
      );
    }
  });
});
