/** The files in which the values of imports are looked for. */
import { describe, expect, test } from "vitest";
import { ModuleReader, moduleOf } from "../../../../src/workspace/usages/imported-modules.ts";
import { NO_STAMP, type SourceFiles } from "../../../../src/workspace/usages/list-source-files.ts";

/** The value of `K` of the specifier, in the file at the path, and what it depends on. */
function imported(
  files: Readonly<Record<string, string>>,
  specifier: string,
  from = "src/a.ts",
): readonly [value: unknown, dependencies: readonly string[]] {
  const folder: SourceFiles = {
    list: () => ({ files: [], folders: [], linksOut: [] }),
    read: (path) => {
      const text = files[path];
      return text === undefined
        ? { kind: "missing" }
        : { kind: "read", stamp: NO_STAMP, bytes: new TextEncoder().encode(text) };
    },
  };
  const { imports, found } = new ModuleReader(folder).importsFrom(from);
  const value = imports({ specifier, name: "K", isType: false });
  return [value, found().dependencies];
}

const K = (value: string): string => `export const K = "${value}";`;

test.each(["ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs"])(
  "a module is a file that ends with .%s, or such an index of a folder",
  (extension) => {
    expect(imported({ [`src/keys.${extension}`]: K("a") }, "./keys")).toEqual(["a", ["src/keys"]]);
    expect(imported({ [`src/keys/index.${extension}`]: K("a") }, "./keys")).toEqual(["a", ["src/keys"]]);
    expect(moduleOf(`src/keys.${extension}`)).toBe("src/keys");
    expect(moduleOf(`src/keys/index.${extension}`)).toBe("src/keys");
  },
);

describe("a module", () => {
  test.each<
    readonly [what: string, files: Readonly<Record<string, string>>, specifier: string, value: string | null]
  >([
    ["is a file rather than a folder", { "src/k.ts": K("a"), "src/k/index.ts": K("b") }, "./k", "a"],
    [
      "is TypeScript rather than what is built from it",
      { "src/k.js": K("b"), "src/k.ts": K("a") },
      "./k",
      "a",
    ],
    ["that is named with .js may be TypeScript", { "src/k.ts": K("a") }, "./k.js", "a"],
    ["that is named with .mjs may be TypeScript", { "src/k.mts": K("a") }, "./k.mjs", "a"],
    ["may have a name with dots", { "src/app.keys.ts": K("a") }, "./app.keys", "a"],
    ["may be a component", { "src/K.vue": `<script>${K("a")}</script>` }, "./K.vue", "a"],
    ["is no component without its ending", { "src/K.vue": `<script>${K("a")}</script>` }, "./K", null],
    ["may be in a folder above", { "keys.ts": K("a") }, "../keys", "a"],
    ["is not outside of the project", { "../keys.ts": K("a") }, "../../keys", null],
    ["is no package", { "keys.ts": K("a"), "src/keys.ts": K("a") }, "keys", null],
    ["of half a megabyte is read", { "src/k.ts": K("a").padEnd(512 * 1024) }, "./k", "a"],
    ["that is longer is not", { "src/k.ts": K("a").padEnd(512 * 1024 + 1) }, "./k", null],
    ["that is damaged has no values", { "src/k.ts": "export const K = " }, "./k", null],
  ])("%s", (_, files, specifier, value) => {
    expect(imported(files, specifier)[0]).toBe(value);
  });

  test("beside the project may import from its own folder, and from no other", () => {
    const files = { "../ui/keys.ts": K("a"), "../web/keys.ts": K("b"), "keys.ts": K("c") };
    const value = (specifier: string): unknown => imported(files, specifier, "../ui/src/a.ts")[0];
    expect(value("../keys")).toBe("a");
    expect(value("../../web/keys")).toBeNull();
  });
});

test("a configuration has what up to four others that it extends have", () => {
  const mapping = '"compilerOptions": { "paths": { "@/*": ["./src/*"] } }';
  const chain = (length: number): Readonly<Record<string, string>> => {
    const names = Array.from({ length }, (_, index) => `c${index + 1}`);
    const extended = names.map((name, index) => [
      `${name}.json`,
      index === length - 1 ? `{ ${mapping} }` : `{ "extends": "./c${index + 2}" }`,
    ]);
    return {
      "tsconfig.json": '{ "extends": "./c1.json" }',
      ...Object.fromEntries(extended),
      "src/k.ts": K("a"),
    };
  };
  expect(imported(chain(4), "@/k")).toEqual([
    "a",
    ["tsconfig.json", "c1.json", "c2.json", "c3.json", "c4.json", "src/k"],
  ]);
  expect(imported(chain(5), "@/k")[0]).toBeNull();
});

test("a path may have any characters where its pattern is open", () => {
  const mapping = '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }';
  for (const name of ["$$k", "$&", "a/b", "k.keys"])
    expect(imported({ "tsconfig.json": mapping, [`src/${name}.ts`]: K("a") }, `@/${name}`)[0], name).toBe(
      "a",
    );
});

test("a folder has the nearest configuration, and depends on those that may be made", () => {
  const files = {
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./one/*"] } } }',
    "app/jsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./two/*"] } } }',
    "one/k.ts": K("a"),
    "app/two/k.ts": K("b"),
  };
  expect(imported(files, "@/k", "lib/deep/a.ts")).toEqual(["a", ["tsconfig.json", "one/k"]]);
  expect(imported(files, "@/k", "app/deep/a.ts")).toEqual(["b", ["app/jsconfig.json", "app/two/k"]]);
  expect(imported({}, "@/k", "app/deep/a.ts")).toEqual([null, ["tsconfig.json", "jsconfig.json"]]);
});
