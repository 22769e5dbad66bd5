/** `js_module`: supported JavaScript and TypeScript, and edits. */
import { beforeAll, describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { TextFormat } from "../../../../src/formats/format.ts";
import { jsModule } from "../../../../src/formats/js/js-module-format.ts";
import { jsonJs } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { edit, edited, ENGLISH, entryOf, readAll } from "../editing.ts";
import { askNode } from "./js-reference.ts";

beforeAll(async () => jsModule.prepare?.());

const problems = (text: string): unknown[] =>
  jsModule.read(text, ENGLISH).problems.map(({ code, message, span, key }) => {
    return [code, key ?? message, text.slice(span.start, span.end)];
  });

/** Constants that stand for each other. */
const chain = (count: number): string =>
  Array.from({ length: count }, (_, index) => `const c${index + 1} = c${index};`).join(" ");

const SHOP = `// Texts of the shop.
import type { Texts } from "../../core/formats/texts";

export default {
  // The title of the page
  title: 'Shop',
  cart: {
    'item.count_one': "{{count}} item",
    "item.count_other": "{{count}} items",
    empty: \`It's
empty\`, // shown once
  },
  list: ['a', "b"],
} as const satisfies Texts;
`;

describe("reading", () => {
  test("reads nested objects, lists, plural forms, descriptions and locations", () => {
    expect(readAll(jsModule, SHOP)).toEqual([
      ["title", "Shop"],
      ["cart.item.count", { one: "{{count}} item", other: "{{count}} items" }],
      ["cart.empty", "It's\nempty"],
      ["list.0", "a"],
      ["list.1", "b"],
    ]);
    const title = entryOf(jsModule, SHOP, "title");
    expect(title?.description).toBe("The title of the page");
    expect(SHOP.slice(title?.keySpan.start, title?.keySpan.end)).toBe("title");
    expect(SHOP.slice(title?.valueSpan.start, title?.valueSpan.end)).toBe("'Shop'");
    expect(problems(SHOP)).toEqual([]);
  });

  test.each([
    ["export default", "export default { a: 'x' }"],
    ["a constant that is exported", "const nl = { a: 'x' };\nexport default nl"],
    ["through two names", "const nl = { a: 'x' } as const; const all: T = nl; export { all as default };"],
    ["by its only name", "export const nl = { a: 'x' };"],
    [
      "by its only name, beside a type and a function",
      "export type T = 1; export const nl = { a: 'x' }; export function f() {}",
    ],
    ["module.exports", "'use strict';\nmodule.exports = { a: 'x' };"],
    [
      "exports.default",
      "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { a: 'x' };",
    ],
    ["exports of both names", "exports = module.exports = { a: 'x' }"],
    ["exports of both names, the whole first", "module.exports = exports = { a: 'x' }"],
    [
      "a list with one that is the default",
      "const m = { b: 'y' }, n = { a: 'x' }; export { n as default, m };",
    ],
    ["beside another module's default", "export { m as default } from '../b'; export const n = { a: 'x' };"],
    ["a file that may return early", "if (f()) return;\nmodule.exports = { a: 'x' };"],
    ["a name of exports", "exports.nl = { a: 'x' };"],
    ["export =", "export = { a: 'x' };"],
    ["as const", "export default { a: 'x' } as const"],
    ["satisfies", "export default ({ a: 'x' }) satisfies Record<string, string>"],
    ["an assertion before", "export default <Texts>{ a: 'x' }"],
    ["Object.freeze", "export default Object.freeze({ a: 'x' } as const)"],
    ["a call", "export default defineLocale<T>({ a: 'x' })"],
    ["a function declaration that gives it", "export default function () { return { a: 'x' } }"],
    ["a function that gives it", "export default defineI18nLocale(async (locale) => { return { a: 'x' } })"],
    ["an arrow", "export default () => ({ a: 'x' })"],
    ["by its name in a list", "const nl = { a: 'x' }; export { nl };"],
    [
      "beside what another module exports",
      "export { b } from '../b'; export * from '../c'; export const nl = { a: 'x' }",
    ],
    ["beside values that are none", "export const b = 1, c = f(), nl = { a: 'x' };"],
    ["module.exports.default", "module.exports.default = { a: 'x' };"],
    ["the last of several as a whole", "module.exports = { b: 'y' }; module.exports = { a: 'x' };"],
    ["through eight names", `const c0 = { a: 'x' }; ${chain(8)} export default c8;`],
    [
      "a name in quotes that is the default",
      "const m = { a: 'x' }, n = { b: 'y' }; export { m as 'default', n };",
    ],
    ["the last of several notations", "module.exports = { b: 'y' }; export = { a: 'x' };"],
    ["not null", "const nl: T = { a: 'x' }; export default nl!;"],
    ["a function expression", "export default (function () { return { a: 'x' } })"],
    ["a hash bang", "#!/usr/bin/env node\nmodule.exports = { a: 'x' }"],
    [
      "generics before it",
      "type A<T> = T extends (infer U)[] ? U : never;\nexport default { a: 'x' } satisfies A<B>",
    ],
  ])("finds the exported object: %s", (_, text) => {
    expect(readAll(jsModule, text)).toEqual([["a", "x"]]);
    expect(edited(jsModule, text, { a: "y" })).toBe(text.replace("'x'", "'y'"));
  });

  test.each([
    ["nothing exported", "const a = { b: 'x' };", "no object is exported"],
    [
      "several",
      "export const en = { a: 'x' }; export const nl = { a: 'y' };",
      "several objects are exported",
    ],
    ["code", "export default merge(a, { b: 'x' })", "what is exported is not an object literal"],
    [
      "an import",
      "import en from '../../core/formats/en'; export default en;",
      "what is exported is not an object literal",
    ],
    ["a class", "export default class {}", "no object is exported"],
    ["a name that nothing declares", "export default nl", "what is exported is not an object literal"],
    [
      "a name that goes in circles",
      "const a = b, b = a; export default a",
      "what is exported is not an object literal",
    ],
    [
      "too many names",
      `const c0 = { a: 'x' }; ${chain(12)} export default c12;`,
      "what is exported is not an object literal",
    ],
    [
      "a call with more than it",
      "export default f({ a: 'x' }, b)",
      "what is exported is not an object literal",
    ],
    ["a call of nothing", "export default f()", "what is exported is not an object literal"],
    [
      "a call of what code gives",
      "export default f()({ a: 'x' })",
      "what is exported is not an object literal",
    ],
    [
      "a function that does more",
      "export default f(() => { g(); return { a: 'x' } })",
      "what is exported is not an object literal",
    ],
    [
      "a function that does more behind it",
      "export default f(() => { return { a: 'x' }; g() })",
      "what is exported is not an object literal",
    ],
    [
      "a function that gives nothing",
      "export default f(() => { return })",
      "what is exported is not an object literal",
    ],
    ["a member of a member", "exports.a.b = { c: 'x' }", "no object is exported"],
    ["a member by code", "exports[a] = { c: 'x' }; module[exports] = { d: 'y' }", "no object is exported"],
    ["an addition", "module.exports += { c: 'x' }", "no object is exported"],
  ])("reports a missing object: %s", (_, text, message) => {
    const result = jsModule.read(text, ENGLISH);
    expect(result.entries).toEqual([]);
    expect(result.problems.map((problem) => [problem.code, problem.message])).toEqual([
      [message.startsWith("what is") ? "expression" : "syntax", message],
    ]);
    expect(edit(jsModule, text, { a: "x" }).refused).toEqual([
      { key: "a", context: null, namespace: null, locale: null, reason: "syntax" },
    ]);
  });

  test("reads constant texts in any notation", () => {
    const text = [
      "export default {",
      "  a: 'it\\'s', b: \"\\u00e9\\x41\\u{1F389}\\",
      "on\", c: ('one ' as string) + (\"two \" as string) + `three`, d: ('x'), e: 'y' as string,",
      "  ['f']: 'z', 404: 'n', 0x10: 'h', g: ``, é: 'é' }",
    ].join("\n");
    expect(readAll(jsModule, text)).toEqual([
      ["a", "it's"],
      ["b", "éA🎉on"],
      ["c", "one two three"],
      ["d", "x"],
      ["e", "y"],
      ["f", "z"],
      ["404", "n"],
      ["16", "h"],
      ["g", ""],
      ["é", "é"],
    ]);
    expect(edited(jsModule, text, { c: "one two four" })).toContain("c: 'one two four', d:");
  });

  test("reads what is frozen, but not together with more", () => {
    const text = "export default { a: Object.freeze({ b: 'x' }), c: Object.freeze({ d: 'y' }, e) }";
    expect(readAll(jsModule, text)).toEqual([["a.b", "x"]]);
    expect(problems(text)).toEqual([["expression", "c", "Object.freeze({ d: 'y' }, e)"]]);
  });

  test("names the place of a missing object, and errors that are there besides", () => {
    expect(problems("export const en = { a: 'x' }, nl = { b: 'y' };")).toEqual([
      ["syntax", "several objects are exported", "{ b: 'y' }"],
    ]);
    expect(problems("const a = 1; const a = 2; const a = 3;").map((each) => (each as unknown[])[2])).toEqual([
      "a",
      "a",
      "",
    ]);
    const { problems: unended } = jsModule.read("export default {", ENGLISH);
    expect(unended).toMatchObject([{ code: "syntax", span: { start: 16, end: 16 } }]);
    const deep = jsModule.read(`export default ${"(".repeat(50_000)}`, ENGLISH).problems;
    expect(deep.map(({ message }) => message)).toEqual(["nested too deep"]);
  });

  test("never edits a module with an error, wherever it is", () => {
    const text = "export default { a: 'x' }; const b = 1; const b = 2;";
    expect(readAll(jsModule, text)).toEqual([["a", "x"]]);
    // The place is in the span.
    expect(problems(text)).toEqual([["syntax", expect.stringMatching(/declared\.$/u), "b"]]);
    expect(edit(jsModule, text, { a: "y" })).toMatchObject({
      text,
      refused: [{ key: "a", reason: "syntax" }],
    });
  });

  test("reads no items of a list whose number is not known", () => {
    expect(readAll(jsModule, "export default { l: ['a', ...b, 'c'] }")).toEqual([["l.0", "a"]]);
  });

  test.each<[TextFormat, string, string, string]>([
    [jsModule, "export default {", "{ a: 'x' }", "}"],
    [jsonJs, "{", '{ "a": "x" }', "}"],
    [laravelPhp, "<?php return [", "['a' => 'x']", "];"],
  ])("reads more groups beside each other than within each other: $0.name", (format, start, group, end) => {
    const names = Array.from({ length: 120 }, (_, index) => `k${index}`);
    const colon = format === laravelPhp ? "=>" : ":";
    const text = start + names.map((name) => `"${name}" ${colon} ${group}`).join(", ") + end;
    expect(format.read(text, ENGLISH)).toMatchObject({ entries: { length: 120 }, problems: [] });
  });

  test("counts what a list leaves out", () => {
    expect(readAll(jsModule, "export default { l: ['a', , 'b'] }")).toEqual([
      ["l.0", "a"],
      ["l.2", "b"],
    ]);
  });

  test.each([
    ["`hello ${name}`", "interpolation"],
    ["'x' + name", "expression"],
  ])("reports %s", (value, reason) => {
    const { problems } = jsModule.read(`export default { a: ${value} };`, ENGLISH);
    expect(problems.map(({ message }) => message)).toEqual([`not a plain text (${reason})`]);
  });

  test("reports code and never overwrites it", () => {
    const text = `export default {
  a: t('x'),
  b: \`hello \${name}\`,
  c: cond ? 'x' : 'y',
  d() { return 'x' },
  get e() { return 'x' },
  f,
  g: () => 'x',
  h: 'x' + name,
  i: html\`x\`,
  j: 12,
  k: null,
  l: 'kept',
  m: 'x' - 'y',
};`;
    expect(readAll(jsModule, text)).toEqual([["l", "kept"]]);
    expect(jsModule.read(text, ENGLISH).problems.map(({ key, code }) => [key, code])).toEqual([
      ["a", "expression"],
      ["b", "expression"],
      ["c", "expression"],
      ["d", "expression"],
      ["e", "expression"],
      ["f", "expression"],
      ["g", "expression"],
      ["h", "expression"],
      ["i", "expression"],
      ["j", "type"],
      ["m", "expression"],
    ]);
    for (const key of "abcdefghi") {
      const { text: after, refused } = edit(jsModule, text, { [key]: "new" });
      expect([key, after, refused.length]).toEqual([key, text, 1]);
    }
    expect(edited(jsModule, text, { k: "now" })).toBe(text.replace("null", "'now'"));
  });

  test("reads texts that may be overridden as read-only", () => {
    const text = "export default { a: 'x', ...rest, b: 'y', [name]: 'z', c: 'w' }";
    expect(readAll(jsModule, text)).toEqual([
      ["a", "x"],
      ["b", "y"],
      ["c", "w"],
    ]);
    expect(jsModule.read(text, ENGLISH).problems.map(({ message }) => message)).toEqual([
      "what is spread here is not read",
      "an entry whose key is not known is not read",
    ]);
    expect(entryOf(jsModule, text, "b")?.readOnly).toBe("expression");
    expect(entryOf(jsModule, text, "c")?.readOnly).toBeNull();
    expect(edited(jsModule, text, { d: "v" })).toBe(text.replace("'w'", "'w', d: 'v'"));
  });

  test("ignores `__proto__` unless computed", () => {
    const text = "export default { __proto__: { a: 'x' }, b: 'y' }";
    expect(readAll(jsModule, text)).toEqual([["b", "y"]]);
    const added = edited(jsModule, "export default { b: 'y' }", { __proto__x: "z", ["__proto__"]: "p" });
    expect(readAll(jsModule, added)).toContainEqual(["__proto__", "p"]);
    expect(askNode([added])).toEqual([
      {
        leaves: new Map([
          ["b", "y"],
          ["__proto__x", "z"],
          ["__proto__", "p"],
        ]),
      },
    ]);
  });
});

describe("editing", () => {
  test("removes a key up to its comma, whatever white space is between", () => {
    const text = "export default { a: 'x'\u00a0\u00a0, b: 'y' }";
    expect(edited(jsModule, text, { a: null })).toBe("export default { b: 'y' }");
  });

  test("changes only the value in its quotes", () => {
    expect(edited(jsModule, SHOP, { title: 'It\'s a "shop"\n' })).toBe(
      SHOP.replace("'Shop'", () => "'It\\'s a \"shop\"\\n'"),
    );
    expect(edited(jsModule, SHOP, { "cart.empty": "${x} ` \\\nempty" })).toBe(
      SHOP.replace("It's\nempty", () => "\\${x} \\` \\\\\nempty"),
    );
  });

  test("adds a key next to its siblings in their style", () => {
    const added = edited(jsModule, SHOP, { "cart.full": "Full", subtitle: "Sub", "list.2": "c" });
    expect(added).toBe(
      SHOP.replace("shown once\n", 'shown once\n    full: "Full",\n')
        .replace('"b"]', '"b", "c"]')
        .replace('"c"],\n', "\"c\"],\n  subtitle: 'Sub',\n"),
    );
    const sorted = "module.exports = {\n\t'a': 'x',\n\t'c': 'y',\n\t'd': 'w'\n}\n";
    expect(edited(jsModule, sorted, { b: "z" })).toBe(
      "module.exports = {\n\t'a': 'x',\n\t'b': 'z',\n\t'c': 'y',\n\t'd': 'w'\n}\n",
    );
    expect(edited(jsModule, "export default { a: 'x' }", { "b c": "z", d: "it's" })).toBe(
      "export default { a: 'x', 'b c': 'z', d: 'it\\'s' }",
    );
  });

  test.each([
    ["{ 'a b': \"x\" }", "c d", "'c d': \"y\""],
    ["{ \"a b\": 'x' }", "c d", "\"c d\": 'y'"],
    ["{ [\"a b\"]: 'x' }", "c d", "\"c d\": 'y'"],
    ["{ a: `x` }", "c d", "'c d': `y`"],
    ["{ 'a' : 'x' }", "c", "'c' : 'y'"],
    ["{ a :'x' }", "c", "c :'y'"],
    ["{ a :'x' }", "__proto__", "[\"__proto__\"] :'y'"],
    ["{ a: 'x', b : 'x' }", "c", "c : 'y'"],
    ["{ a : 'x', b: 'x' }", "c", "c: 'y'"],
    ["{ ...rest }", "c", 'c: "y"'],
    ["{ 'a': 'x', b: 'x' }", "c", "c: 'y'"],
    ["{ 'a b': 'x' }", "c", "c: 'y'"],
    ["{ 'p': 'x', 'q': 'x', 'r': 'x', s: { a: 'x' } }", "s.c", "{ a: 'x', c: 'y' }"],
    ["{ 1: 'x' }", "2", "2: 'y'"],
    ["{ a: 'x' }", "2", "'2': 'y'"],
    ["{ 1: 'x' }", "02", "'02': 'y'"],
    ["{ a: 'x' }", "é", "é: 'y'"],
    ["{ a: 'x' }", "a-b", "'a-b': 'y'"],
    ["{ a: 'x' }", "1a", "'1a': 'y'"],
    ["{}", "c", 'c: "y"'],
  ])("adds a key in %s in the style of its siblings: %s", (object, key, member) => {
    expect(edited(jsModule, `export default ${object};\n`, { [key]: "y" })).toContain(member);
  });

  test.each([
    ["{ a: 'x' }", "it's\n\t\b\f\v\r\u0001", String.raw`'it\'s\n\t\b\f\v\r\u0001'`],
    ['{ a: "x" }', 'say "a"\\ \u2028\ufeff', String.raw`"say \"a\"\\ \u2028\ufeff"`],
    ["{ a: 'x\ty' }", "z\tw\u0001", "'z\tw\\u0001'"],
    [String.raw`{ a: '\u00e9 \u00fc ö' }`, "ü é ö", String.raw`'\u00fc \u00e9 ö'`],
    ["{ a: `x` }", "a\nb\tc", "`a\nb\\tc`"],
    [String.raw`{ a: ${"`x\\ny`"} }`, "a\nb", "`a\\nb`"],
    ["{ a: `x` }", "`$ {a} ${b}\\", "`\\`$ {a} \\${b}\\\\`"],
    [String.raw`{ a: 'x', b: '\u00e9' }`, "ü", String.raw`'\u00fc'`],
    [String.raw`{ a: 'x', b: '\u00E9' }`, "ü", String.raw`'\u00FC'`],
    [String.raw`{ a: 'x', b: '\u00e9', c: 'ü' }`, "ö", "'ö'"],
  ])("escapes a text in %s: %j", (object, value, literal) => {
    const text = `export default ${object};\n`;
    const after = edited(jsModule, text, { a: value });
    expect(after).toContain(`a: ${literal}`);
    expect(readAll(jsModule, after)[0]).toEqual(["a", value]);
  });

  test("removes a key with its comma and comments", () => {
    expect(edited(jsModule, SHOP, { title: null })).toBe(
      SHOP.replace("  // The title of the page\n  title: 'Shop',\n", ""),
    );
    expect(edited(jsModule, SHOP, { "cart.empty": null })).toBe(
      SHOP.replace("    empty: `It's\nempty`, // shown once\n", ""),
    );
    expect(edited(jsModule, "export default { a: 'x', b: 'y' }", { b: null })).toBe(
      "export default { a: 'x' }",
    );
  });

  test("writes the description of a plural key once, with its first form", () => {
    const { text } = applyEdit(
      jsModule,
      'export default {\n  // The title\n  title: "x",\n};\n',
      [{ key: "a", context: null, text: { forms: { one: "1", other: "2" } }, description: "How many" }],
      ENGLISH,
    );
    expect(text).toContain('  // How many\n  a_one: "1",\n  a_other: "2",\n');
    expect(text.match(/How many/gu)).toHaveLength(1);
  });

  test("reads the same comment of several forms once, and different ones as lines", () => {
    const file = (one: string, other: string): string =>
      `export default {\n  // ${one}\n  a_one: "1",\n  // ${other}\n  a_other: "2",\n};\n`;
    expect(entryOf(jsModule, file("How many", "How many"), "a")?.description).toBe("How many");
    expect(entryOf(jsModule, file("Of one", "Of more"), "a")?.description).toBe("Of one\nOf more");
  });

  test("writes a description as comment", () => {
    const { text } = applyEdit(
      jsModule,
      "export default {\n  a: 'x',\n};\n",
      [{ key: "b", context: null, text: { value: "y" }, description: "What it is" }],
      ENGLISH,
    );
    expect(text).toBe("export default {\n  a: 'x',\n  // What it is\n  b: 'y',\n};\n");
  });

  test("keeps escapes", () => {
    const ascii = "export default {\n  a: 'caf\\u00e9',\n}\n";
    expect(edited(jsModule, ascii, { a: "thé", b: "né" })).toBe(
      "export default {\n  a: 'th\\u00e9',\n  b: 'n\\u00e9',\n}\n",
    );
    const dos = "export default {\r\n  a: `x\r\ny`,\r\n}\r\n";
    expect(edited(jsModule, dos, { a: "x\nz" })).toBe(dos.replace("y", "z"));
    expect(edited(jsModule, dos, { b: "w" })).toBe(
      "export default {\r\n  a: `x\r\ny`,\r\n  b: `w`,\r\n}\r\n",
    );
  });

  test("creates a module", () => {
    const text = jsModule.print(
      [
        { key: "a.b", context: null, text: { value: "x" }, description: "Said of it" },
        { key: "c", context: null, text: { forms: { one: "1", other: "n" } } },
        { key: "d-e", context: null, text: { value: "it's" } },
      ],
      ENGLISH,
    );
    expect(text).toBe(
      'export default {\n  a: {\n    // Said of it\n    b: "x",\n  },\n  c_one: "1",\n  c_other: "n",\n  "d-e": "it\'s",\n};\n',
    );
    expect(askNode([text])).toEqual([
      {
        leaves: new Map([
          ["a.b", "x"],
          ["c_one", "1"],
          ["c_other", "n"],
          ["d-e", "it's"],
        ]),
      },
    ]);
  });
});

test.each([
  ["`x\\ny`", "`p\\nq`"],
  ["`x\ny`", "`p\nq`"],
  ["`x\\ny\nz`", "`p\nq`"],
  ["`x`", "`p\nq`"],
])("keeps line endings in a template literal: %j", (old, written) => {
  expect(edited(jsModule, `export default { a: ${old} };\n`, { a: "p\nq" })).toBe(
    `export default { a: ${written} };\n`,
  );
});

test.each<[example: string | null, isCommonJs: boolean, head: string]>([
  ["module.exports = {};", false, "module.exports ="],
  ["exports.a = {};", false, "module.exports ="],
  ["export = {};", false, "module.exports ="],
  ["export default {};", true, "export default"],
  ["export const a = {};", true, "export default"],
  ["export default {};\nexports.a = 1;", true, "export default"],
  ["const x = {};", true, "module.exports ="],
  ["const x = {};", false, "export default"],
  [null, true, "module.exports ="],
  [null, false, "export default"],
])("a new module beside %j, where Node takes it for CommonJS (%s) or not", (text, isCommonJs, head) => {
  const other = { text: isCommonJs ? "export default {};" : "exports.a = {};", bom: false, locale: "fr" };
  const examples = text === null ? [] : [{ text, bom: false, locale: "nl" }, other];
  const printed = jsModule.print([{ key: "a", context: null, text: { value: "x" } }], {
    locale: "en",
    sourceLocale: "en",
    isCommonJs,
    examples,
  });
  expect(printed).toBe(`${head} {\n  a: "x",\n};\n`);
});

test("a module is read down to a hundred levels; one with more is not edited", () => {
  const nested = (levels: number) =>
    `export default { c: 'd', ${"a: { ".repeat(levels)}b: 'x'${" }".repeat(levels)} };`;
  const options = { locale: "en", sourceLocale: "en" };
  expect(jsModule.read(nested(99), options).problems).toEqual([]);
  expect(jsModule.read(nested(99), options).entries).toHaveLength(2);
  const { entries, problems: found } = jsModule.read(nested(101), options);
  expect(entries.map(({ key }) => key)).toEqual(["c"]);
  expect(found[0]).toMatchObject({ code: "syntax", message: "nested deeper than 100" });
  const lists = `export default { a: ${"[".repeat(101)}${"]".repeat(101)}, b: ${"[".repeat(101)}${"]".repeat(101)} };`;
  const tooDeep = jsModule.read(lists, options).problems.filter(({ code }) => code === "syntax");
  expect(tooDeep.map(({ message }) => message)).toEqual(["nested deeper than 100"]);
  const changes = [{ key: "c", context: null, text: { value: "z" } }];
  expect(jsModule.edit(nested(101), changes, options)).toMatchObject({
    splices: [],
    refused: [{ key: "c", reason: "syntax" }],
  });
});

test("type assertions are nested eight deep at most, whatever else is between them", () => {
  const nested = (depth: number) => "<T> /* c */ (f(1) || ".repeat(depth) + "b" + ")".repeat(depth);
  const deep = nested(9);
  const refused = ["type assertions are nested too deep"];
  const found = (text: string) => jsModule.read(text, ENGLISH).problems.map(({ message }) => message);
  expect(readAll(jsModule, `const b = ${nested(8)}; export default { a: "x" };`)).toEqual([["a", "x"]]);
  expect(found(`const b = ${deep}; export default { a: "x" };`)).toEqual(refused);
  expect(found(`const b = ${deep} + ${nested(1)}; export default { a: "x" };`)).toEqual(refused);
  expect(found(`const c = \`it's\n\`, b = ${deep}; export default { a: "x" };`)).toEqual(refused);
  const beside = "f<string>('b') + ".repeat(12);
  expect(readAll(jsModule, `const b = ${beside}c; export default { a: "x" };`)).toEqual([["a", "x"]]);
  const many = ">(".repeat(12);
  const harmless = `'${many}'; "${many}"; '\\'${many}'; ${"(".repeat(20)}1${")".repeat(20)}; // ${many}`;
  const arrows = `const c = ${"a => (".repeat(12)}1${")".repeat(12)};`;
  expect(readAll(jsModule, `${harmless}\n${arrows} export default { a: "x" };`)).toEqual([["a", "x"]]);
});

test("the key of a text is found in any quotes, and the style of a file below a long comment", () => {
  for (const name of ["f", "'f'", '"f"', '["f"]', "[`f`]"]) {
    const text = `export default { ${name}: 'x' }`;
    const span = entryOf(jsModule, text, "f")?.keySpan;
    expect([name, text.slice(span?.start, span?.end)]).toEqual([name, "f"]);
  }
  const file = `/* ${"words ".repeat(200)} */\nconst q = 'x';\nexport default {};\n`;
  expect(edited(jsModule, file, { c: "y" })).toContain("\n  c: 'y',\n");
  expect(problems("export default { a: 'x', __proto__ }")).toEqual([
    ["expression", "__proto__", "__proto__"],
  ]);
});
