/** The JSON schema of the project file matches what the extension reads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FORMAT_NAMES } from "../../../../src/model/file-formats.ts";
import {
  isSafeRelativePath,
  parseProjectFile,
  ProjectFileSchema,
} from "../../../../src/workspace/project-file/project-file.ts";

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const path = join(import.meta.dirname, "../../../../media/project-translations.schema.json");
const schema = JSON.parse(readFileSync(path, "utf8")) as Schema;

/** Property paths of the editor's schema; `[]` is a list's item. */
function* pathsOf(part: Schema, before = ""): Generator<string> {
  for (const [name, member] of Object.entries(part.properties ?? {})) {
    yield before + name;
    yield* pathsOf(member, `${before}${name}.`);
    if (member.items !== undefined) yield* pathsOf(member.items, `${before}${name}[].`);
  }
}

interface Reader {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Reader>>;
  readonly item?: Reader;
  readonly wrapped?: Reader;
  readonly pipe?: readonly Reader[];
}

/** The same of the program's own. */
function* readPaths(reader: Reader, before = ""): Generator<string> {
  const inner = reader.wrapped ?? (reader.entries === undefined ? reader.pipe?.[0] : undefined);
  if (inner !== undefined && inner !== reader) yield* readPaths(inner, before);
  for (const [name, member] of Object.entries(reader.entries ?? {})) {
    yield before + name;
    yield* readPaths(member, `${before}${name}.`);
  }
  if (reader.item !== undefined) yield* readPaths(reader.item, `${before.slice(0, -1)}[].`);
}

function at(...names: string[]): Schema {
  return names.reduce<Schema>(
    (part, name) => (name === "[]" ? part.items : part.properties?.[name]) ?? {},
    schema,
  );
}

describe("project file schema", () => {
  test("has all fields that are read", () => {
    const paths = [...new Set(readPaths(ProjectFileSchema))];
    expect(paths.length).toBeGreaterThan(15);
    expect([...pathsOf(schema)].sort()).toEqual(paths.sort());
  });

  test("describes each field", () => {
    for (const name of pathsOf(schema)) {
      const names = name
        .split(".")
        .flatMap((part) => (part.endsWith("[]") ? [part.slice(0, -2), "[]"] : [part]));
      expect([name, at(...names).description]).toEqual([name, expect.stringMatching(/\.$/)]);
    }
  });

  test("has the same formats and enum values", () => {
    expect(at("files", "[]", "format").enum).toEqual(FORMAT_NAMES);
    for (const [field, choices] of [
      ["missing", at("pull", "missing").enum],
      ["layout", at("pull", "layout").enum],
    ] as const) {
      expect(choices?.length).toBeGreaterThan(1);
      for (const choice of choices ?? []) {
        expect(parseProjectFile(JSON.stringify({ pull: { [field]: choice } })).errors).toEqual([]);
      }
    }
  });

  test.each(["lang/{locale}.json", "a..b/c", "..a", "../a", "a/..", "a/../b", "/a", "C:/a", "a\\b", "."])(
    "agrees with the parser on the path %s",
    (given) => {
      const pattern = new RegExp(at("files", "[]", "path").pattern ?? "never");
      expect(pattern.test(given)).toBe(isSafeRelativePath(given));
    },
  );
});
