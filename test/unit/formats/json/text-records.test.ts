/** JSON whose texts are records with descriptions: FormatJS, Transifex, Lingui, browser extensions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { edited, ENGLISH, readAll } from "../editing.ts";

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../../fixtures/formatjs-extract", name), "utf8");
const FRENCH = { locale: "fr", sourceLocale: "en" };

describe("FormatJS's extracted messages", () => {
  test("are texts with descriptions", () => {
    const { entries, problems } = jsonJs.read(fixture("en.json"), ENGLISH);
    expect(problems).toEqual([]);
    expect(entries.map(({ key, text, description }) => [key, text, description])).toEqual([
      ["user.delete", { value: "Delete {who}" }, "Button in the list"],
      ["user.add", { value: "Add a user" }, "Button"],
    ]);
  });

  test("get new messages in the same form", () => {
    const change = { key: "user.add", context: null, text: { value: "Ajouter" }, description: "Button" };
    expect(applyEdit(jsonJs, fixture("fr.json"), [change], FRENCH).text).toBe(`{
  "user.delete": {
    "defaultMessage": "Supprimer {who}",
    "description": "Button in the list"
  },
  "user.add": {
    "defaultMessage": "Ajouter",
    "description": "Button"
  }
}
`);
  });

  test("keep everything but the text", () => {
    const text = fixture("en.json");
    expect(edited(jsonJs, text, { "user.add": "Add someone" })).toBe(
      text.replace("Add a user", "Add someone"),
    );
    expect(edited(jsonJs, text, { "user.add": null })).toBe(
      fixture("fr.json").replace("Supprimer", "Delete"),
    );
  });

  test("are the example of a new file and of an empty one", () => {
    const examples = [{ text: fixture("en.json"), bom: false, locale: "en" }];
    const entry = { key: "user.add", context: null, text: { value: "Toevoegen" }, description: "Button" };
    const expected = `{
  "user.add": {
    "defaultMessage": "Toevoegen",
    "description": "Button"
  }
}
`;
    expect(jsonJs.print([entry], { ...FRENCH, examples })).toBe(expected);
    expect(applyEdit(jsonJs, "{}\n", [entry], { ...FRENCH, examples }).text).toBe(expected);
    // A file shows itself what its texts are.
    expect(applyEdit(jsonJs, '{ "a": "x" }', [entry], { ...FRENCH, examples }).text).toBe(
      '{ "a": "x", "user.add": "Toevoegen" }',
    );
  });
});

test.each([
  [
    "Transifex",
    '{"a": {"string": "x", "developer_comment": "d", "character_limit": 9}, "b": {"string": "y"}}',
  ],
  ["Lingui", '{"a": {"translation": "x", "origin": [["a.js", 1]]}, "b": {"translation": "y", "origin": []}}'],
  [
    "browser extensions",
    '{"a": {"message": "x", "description": "d", "placeholders": {"n": {"content": "$1"}}}, "b": {"message": "y"}}',
  ],
  [
    "FormatJS with places",
    '{"a": {"id": "1", "defaultMessage": "x", "file": "f", "start": 1, "end": 2, "line": 3, "col": 4}, "b": {"defaultMessage": "y"}}',
  ],
  ["Transifex with contexts", '{"a": {"string": "x", "context": "c"}, "b": {"string": "y"}}'],
  [
    "Lingui with comments",
    '{"a": {"translation": "x", "message": "m", "defaults": "n", "comments": [], "obsolete": true, "flags": []}, "b": {"translation": "y"}}',
  ],
  ["FormatJS without descriptions", '{"a": {"defaultMessage": "x"}, "b": {"defaultMessage": "y"}}'],
])("reads the records of %s, and edits them", (_, text) => {
  expect(readAll(jsonJs, text)).toEqual([
    ["a", "x"],
    ["b", "y"],
  ]);
  expect(edited(jsonJs, text, { a: "z" })).toBe(text.replace('"x"', '"z"'));
  const added = edited(jsonJs, text, { c: "new" });
  expect(readAll(jsonJs, added)).toEqual([
    ["a", "x"],
    ["b", "y"],
    ["c", "new"],
  ]);
  expect(edited(jsonJs, added, { c: null })).toBe(text);
});

test.each([
  ["message", '{\n  "m": { "message": "x", "description": "d" }\n}\n', ', "description": ""'],
  ["string", '{\n  "m": { "string": "x", "developer_comment": "d" }\n}\n', ', "developer_comment": ""'],
  ["defaultMessage", '{\n  "m": { "defaultMessage": "x", "description": "d" }\n}\n', ""],
])("a new file without descriptions has records with a %s, too", (name, example, empty) => {
  const options = { ...FRENCH, examples: [{ text: example, bom: false, locale: "en" }] };
  const entry = (key: string, value: string) => ({ key, context: null, text: { value } });
  for (const before of ["", "{}\n"]) {
    const { text, refused } = applyEdit(jsonJs, before, [entry("a.b", "1"), entry("c", "2")], options);
    expect([text, refused]).toEqual([
      `{\n  "a": {\n    "b": { "${name}": "1"${empty} }\n  },\n  "c": { "${name}": "2" }\n}\n`,
      [],
    ]);
  }
  const described = { ...entry("e", "3"), description: "f" };
  const description = example.includes("developer") ? "developer_comment" : "description";
  expect(applyEdit(jsonJs, "", [entry("c", "2"), described], options).text).toBe(
    `{\n  "c": { "${name}": "2" },\n  "e": { "${name}": "3", "${description}": "f" }\n}\n`,
  );
});

test("reads records in groups", () => {
  const text =
    '{"menu": {"open": {"message": "x", "description": "d"}}, "b": {"message": "y", "description": "e"}}';
  expect(readAll(jsonJs, text)).toEqual([
    ["menu.open", "x"],
    ["b", "y"],
  ]);
  expect(readAll(jsonJs, '{"menu": {"open": {"message": "x", "description": "d"}}}')).toEqual([
    ["menu.open", "x"],
  ]);
});

test.each([
  ["groups of texts", '{"a": {"message": "x"}, "b": {"message": "y"}}'],
  ["another text", '{"a": {"message": "x", "description": "d"}, "b": "y"}'],
  ["another member", '{"a": {"message": "x", "description": "d", "title": "t"}}'],
  ["a list", '{"a": [{"message": "x", "description": "d"}]}'],
  ["an object in the place of a text", '{"a": {"message": {"x": "1"}, "description": "d"}}'],
])("leaves a file with %s as it is", (_, text) => {
  expect(readAll(jsonJs, text)[0]?.[0]).toMatch(/^a\.(?:0\.)?message/u);
});

test("an empty description is none", () => {
  const text = '{"a": {"message": "x", "description": ""}, "b": {"message": "y", "description": "d"}}';
  expect(jsonJs.read(text, ENGLISH).entries.map(({ description }) => description)).toEqual([null, "d"]);
});

test("the description of a record is its own, not a comment's, and groups may be empty", () => {
  const text = '{ /* c */ "a": { "message": "x", "description": "d" }, "b": {} }';
  expect(jsonJs.read(text, ENGLISH).entries).toMatchObject([{ key: "a", description: "d" }]);
});

test("writes records on one line where the file does", () => {
  const text = '{\n  "a": { "message": "x", "description": "d" }\n}\n';
  expect(edited(jsonJs, text, { b: "y" })).toBe(
    '{\n  "a": { "message": "x", "description": "d" },\n  "b": { "message": "y" }\n}\n',
  );
});
