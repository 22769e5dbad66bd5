/** The project file: an invalid value only affects itself. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isInToolFolder,
  isSafeRelativePath,
  parseProjectFile,
  withLayouts,
} from "../../../../src/workspace/project-file/project-file.ts";
import { FULL } from "./project-file-sample.ts";
import { propertyRuns } from "../../support/full-run.ts";

describe("parseProjectFile", () => {
  test("reads all fields, with comments and unknown fields", () => {
    const { file, errors } = parseProjectFile(FULL);
    expect(errors).toEqual([]);
    expect(file).toEqual({
      baseUrl: "https://translations.example.com/v1",
      files: [
        { path: "lang/{locale}/{namespace}.php", format: "laravel_php" },
        { path: "lang/{locale}.json", format: "laravel_json" },
        { path: "languages/shop-{locale}.po", format: "po", namespace: "shop" },
      ],
      locales: { pt_BR: "pt-BR" },
      preview: ["nl", "fr"],
      pull: { profile: "app", into: ".", missing: "omit", layout: "keep" },
      usage: {
        include: ["**/*.{php,vue,ts,tsx}"],
        exclude: [],
        functions: [{ name: "translate", key: 0, namespace: 1 }],
        keep: ["validation.*"],
      },
    });
  });

  test("says where errors are", () => {
    const placesIn = (text: string) => parseProjectFile(text).errors.map(({ at }) => [at.line, at.character]);
    expect(
      placesIn('{\n  "preview": 5,\n  "files": [\n    { "path": "a.json", "format": "yaml" }\n  ]\n}'),
    ).toEqual([
      [3, 34],
      [1, 13],
    ]);
    expect(placesIn('{\n  "files": [\n')[0]).toEqual([2, 0]);
    expect(placesIn("[]")).toEqual([[0, 0]]);
    // What is missing is missing where it would be.
    expect(placesIn('{\n  "files": [\n    { "format": "po" }\n  ]\n}')).toEqual([[2, 4]]);
  });

  test.each([
    ["", "syntax"],
    ["[", "syntax"],
    ["[]", "type"],
    ["5", "type"],
    ["[".repeat(65), "syntax"],
    ['{"a":'.repeat(65), "syntax"],
  ])("says why %j is no project file, once", (text, code) => {
    expect(parseProjectFile(text).errors.map((error) => [error.path, error.code])).toEqual([[[], code]]);
  });

  test("has many parts beside each other, and says what is wrong with one", () => {
    const members = Array.from({ length: 65 }, (_, index) => `"m${index}": [{}]`);
    const { errors } = parseProjectFile(`{ ${members.join(", ")}, "files": {} }`);
    expect(errors).toMatchObject([{ path: ["files"], code: "type" }]);
    expect(errors[0]?.message).toMatch(/Array/u);
  });

  test("treats every field as optional, and infers the format from the path", () => {
    expect(parseProjectFile("{}")).toEqual({ file: {}, errors: [] });
    expect(parseProjectFile('{ "files": [{ "path": "lang/{locale}.json" }] }').file.files).toEqual([
      { path: "lang/{locale}.json", format: "laravel_json" },
    ]);
  });

  test.each([
    [
      '{ "files": [{ "path": "/etc/{locale}.json" }, { "path": "a/{locale}.json" }] }',
      ["files", 0, "path"],
      "unsafe_path",
    ],
    ['{ "files": [{ "path": "../x/{locale}.json" }] }', ["files", 0, "path"], "unsafe_path"],
    ['{ "files": [{ "path": "C:/x/{locale}.json" }] }', ["files", 0, "path"], "unsafe_path"],
    ['{ "files": [{ "path": "a/{locale}.xyz" }] }', ["files", 0], "unknown_format"],
    [
      '{ "files": [{ "path": "a/{locale}.json", "format": "yaml" }] }',
      ["files", 0, "format"],
      "unknown_format",
    ],
    ['{ "files": [{ "format": "po" }] }', ["files", 0, "path"], "type"],
    ['{ "files": {} }', ["files"], "type"],
    ['{ "pull": { "into": "a/../.." } }', ["pull", "into"], "unsafe_path"],
    ['{ "pull": { "missing": "all", "layout": "keep" } }', ["pull", "missing"], "type"],
    ['{ "usage": { "functions": [{ "name": "", "key": 0 }] } }', ["usage", "functions", 0, "name"], "empty"],
    ['{ "locales": { "a": 1 } }', ["locales", "a"], "type"],
    ['{ "baseUrl": 5 }', ["baseUrl"], "type"],
    ['{ "sourceLocale": "" }', ["sourceLocale"], "empty"],
  ])("%s", (text, path, code) => {
    expect(parseProjectFile(text).errors.map((error) => [error.path, error.code])).toEqual([[path, code]]);
  });

  test("keeps valid fields next to invalid ones", () => {
    const text =
      '{ "files": [{ "path": "/x" }, { "path": "a/{locale}.json" }, 5], "preview": ["nl", 1, "de"], "pull": { "layout": "x", "profile": "app" }, "usage": { "keep": [1, "a"], "include": "x" }, "diagnostics": { "ignore": [{}, "b", { "code": "unknown-key" }] } }';
    const { file, errors } = parseProjectFile(text);
    expect(errors.length).toBe(7);
    expect(file).toEqual({
      files: [{ path: "a/{locale}.json", format: "json_js" }],
      preview: ["nl", "de"],
      pull: { profile: "app" },
      usage: { keep: ["a"] },
      diagnostics: { ignore: [{ key: "b" }, { code: "unknown-key" }] },
    });
  });

  test("prefers the format that it names to that of the path", () => {
    const text = '{ "files": [{ "path": "texts/{locale}.json", "format": "laravel_json" }] }';
    expect(parseProjectFile(text).file.files).toEqual([
      { path: "texts/{locale}.json", format: "laravel_json" },
    ]);
  });

  test.each(["", "[]", "null", '"x"', "{", '{ "files": [', "[".repeat(100_000), "\u0000"])(
    "reports one problem for %j",
    (text) => {
      const { file, errors } = parseProjectFile(text.slice(0, 100_000));
      expect(errors.length).toBeGreaterThan(0);
      expect(file).toEqual(text.startsWith('{ "files"') ? { files: [] } : {});
    },
  );

  test("never throws or returns inherited properties", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        parseProjectFile(text);
      }),
      propertyRuns(100),
    );
    const { file } = parseProjectFile('{ "__proto__": { "baseUrl": "x" }, "locales": { "__proto__": "y" } }');
    expect(file.baseUrl).toBeUndefined();
  });
});

describe("paths", () => {
  test.each(["a", "a/b.json", "..a/b", "a..b", ".hidden/x", "lang/{locale}/x.php"])(
    "accepts %s inside the folder",
    (path) => {
      expect(isSafeRelativePath(path)).toBe(true);
    },
  );
  test.each([
    "",
    "/",
    "/a",
    "..",
    "../a",
    "a/..",
    "a/../../b",
    "a\\b",
    "c:x",
    "C:\\x",
    "\\\\host\\x",
    "a\0b",
  ])("rejects %j", (path) => {
    expect(isSafeRelativePath(path)).toBe(false);
  });
});

test("recognised layouts are the project’s unless it names its files, even none", () => {
  const files = [{ path: "{locale}.json", format: "json_js" as const }];
  const detected = [{ path: "lang/{locale}.json", format: "json_js" as const }];
  expect(withLayouts({ preview: ["nl"] }, detected)).toEqual({ preview: ["nl"], files: detected });
  expect(withLayouts({ files }, detected)).toEqual({ files });
  expect(withLayouts({ files: [] }, detected)).toEqual({ files: [] });
  expect(withLayouts({}, [])).toEqual({});
});

test.each([
  [".git/config", true],
  ["app/.GIT/config", true],
  ["git~1/config", true],
  [".git. /config", true],
  [".g\u200cit/config", true],
  ["\ufeff.vscode/tasks.json", true],
  [".hg/x", true],
  [".svn/x", true],
  [".idea/x", true],
  [".devcontainer/x", true],
  [".github/workflows/x.yml", true],
  [".husky/x", true],
  ["app/node_modules", true],
  [".gitignore", false],
  ["git/config", false],
  ["lang/git~x/en.json", false],
  ["my.git/en.json", false],
])("the path %j is in a folder of a tool: %s", (path, expected) => {
  expect(isInToolFolder(path)).toBe(expected);
});
