/** Edits one value of the project file and keeps all other bytes. */
import { describe, expect, test } from "vitest";
import { parseProjectFile, setInProjectFile } from "../../../../src/workspace/project-file/project-file.ts";
import { FULL } from "./project-file-sample.ts";

function set(text: string, path: readonly (string | number)[], value: unknown): string {
  const after = setInProjectFile(text, path, value);
  if (after === null) throw new Error("not understood");
  return after;
}

describe("setInProjectFile", () => {
  test("changes only the value", () => {
    expect(set(FULL, ["pull", "profile"], "web")).toBe(FULL.replace('"app"', '"web"'));
  });

  test("adds to a list and creates missing parents", () => {
    const kept = set(FULL, ["usage", "keep", -1], "auth.*");
    expect(parseProjectFile(kept).file.usage?.keep).toEqual(["validation.*", "auth.*"]);
    expect(kept).toContain("// ours");
    const text = '{\r\n\t"preview": ["nl"]\r\n}\r\n';
    expect(set(text, ["pull", "profile"], "app")).toBe(
      '{\r\n\t"preview": ["nl"],\r\n\t"pull": {\r\n\t\t"profile": "app"\r\n\t}\r\n}\r\n',
    );
    expect(set("{}\n", ["usage", "keep", -1], "a")).toBe(
      '{\n  "usage": {\n    "keep": [\n      "a"\n    ]\n  }\n}\n',
    );
  });

  test("creates a new file, and removes a value", () => {
    const made = set("", ["files"], [{ path: "lang/{locale}.json", format: "laravel_json" }]);
    expect(parseProjectFile(made)).toMatchObject({
      errors: [],
      file: { files: [{ path: "lang/{locale}.json" }] },
    });
    expect(made.endsWith("}\n")).toBe(true);
    expect(set(" \n", ["baseUrl"], "x")).toBe('{\n  "baseUrl": "x"\n}\n');
    expect(parseProjectFile(set(FULL, ["pull", "profile"], undefined)).file.pull).toEqual({
      into: ".",
      missing: "omit",
      layout: "keep",
    });
  });

  test("keeps line ends of Windows", () => {
    expect(set('{\r\n  "a": 1\r\n}\r\n', ["b"], { c: 2 })).toBe(
      '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}\r\n',
    );
  });

  test("writes a file of one line in several", () => {
    expect(set("{\n}\n", ["a"], 1)).toBe('{\n  "a": 1\n}\n');
    expect(set('{ "a": 1 }\n', ["b"], 2)).toBe('{\n  "a": 1,\n  "b": 2\n}\n');
  });

  test("leaves an invalid file unchanged", () => {
    expect(setInProjectFile("{", ["a"], 1)).toBeNull();
    expect(setInProjectFile("[1", ["a"], 1)).toBeNull();
    expect(setInProjectFile('{ "pull": 5 }', ["pull", "profile"], "app")).toBeNull();
    expect(set('{ "a": 1 }', ["b", "c"], undefined)).toBe('{ "a": 1 }');
  });

  test("indents a longer value like the replaced one", () => {
    const files = [{ path: "lang/{locale}.json", format: "laravel_json" }];
    expect(set('{\n  "preview": [],\n  "files": []\n}\n', ["files"], files)).toBe(
      '{\n  "preview": [],\n  "files": [\n    {\n      "path": "lang/{locale}.json",\n      "format": "laravel_json"\n    }\n  ]\n}\n',
    );
  });

  test("replaces a value of several lines, and indents by the file’s own width", () => {
    expect(set('{\n  "pull": {\n    "profile": "app"\n  }\n}\n', ["pull"], { into: "x" })).toBe(
      '{\n  "pull": {\n    "into": "x"\n  }\n}\n',
    );
    expect(set('{\n    "a": 1\n}\n', ["b"], { c: 2 })).toBe(
      '{\n    "a": 1,\n    "b": {\n        "c": 2\n    }\n}\n',
    );
  });

  test("keeps the comment on the line before an added item", () => {
    expect(set('{\n  "keep": ["a", // ours\n  ],\n}\n', ["keep", -1], "b")).toBe(
      '{\n  "keep": ["a", // ours\n    "b",\n  ],\n}\n',
    );
    expect(set('{\n  "preview": [] // none\n}\n', ["baseUrl"], "x")).toBe(
      '{\n  "preview": [], // none\n  "baseUrl": "x"\n}\n',
    );
  });
});
