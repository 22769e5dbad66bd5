/** Comparing syntax trees detects that only a key's name changed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Entry, ReadOptions, TextFormat } from "../../../../src/formats/format.ts";
import { jsonJs, laravelJson } from "../../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { jsModule } from "../../../../src/formats/js/js-module-format.ts";
import { po, pot } from "../../../../src/formats/gettext/po-format.ts";
import { csv } from "../../../../src/formats/spreadsheets/csv-format.ts";
import { xliff12 } from "../../../../src/formats/xliff/xliff-format.ts";
import { renameInPlace } from "../../../../src/formats/editing/rename-in-place.ts";
import { runCount } from "../../support/full-run.ts";

const DUTCH: ReadOptions = { locale: "nl", sourceLocale: "en" };
const POLISH: ReadOptions = { locale: "pl", sourceLocale: "en" };

interface Case {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly format?: TextFormat;
  readonly options?: ReadOptions;
}

/** Whether the trees alone tell that nothing else changes, when the last written place of the name is replaced. */
function isTold({ text, from, to, format = jsonJs, options = DUTCH }: Case): boolean {
  const entry = format.read(text, options).entries.find(({ key }) => key === from);
  if (entry === undefined) throw new Error(`no ${from}`);
  const last = to.slice(to.lastIndexOf(".") + 1);
  const after = applySplices(text, [{ ...entry.keySpan, text: last }]);
  return format.isOnlyRenamed?.([text, after], { entry, newKey: to }, options) === true;
}

describe("verified by comparing trees", () => {
  test.each<Case>([
    { text: '{ "a": "x", "b": "y" }', from: "a", to: "c" },
    { text: '{ "a": { "b": "x", "n": 5, "none": {} }, "b": ["y", null] }', from: "a.b", to: "a.c" },
    { text: '{ "a_b": "x", "a_c": "y" }', from: "a_b", to: "a_d" },
    { text: '{ "k_0": "x", "k_1": "y" }', from: "k_0", to: "k_2" },
    { text: '{ "a": "x", "items_one": "y", "items_other": "z" }', from: "a", to: "b" },
    { text: '{ "a.b": "x", "a": "y" }', from: "a", to: "c", format: laravelJson },
    {
      text: "<?php return ['a' => ['b' => 'x', 'c' => strtoupper('y')]];",
      from: "a.b",
      to: "a.d",
      format: laravelPhp,
    },
  ])("renames $from to $to: $text", (each) => {
    expect(isTold(each)).toBe(true);
  });
});

describe("verified by reading all entries", () => {
  test.each<Case>([
    { text: '{ "a": "x", "b": "y" }', from: "a", to: "b" },
    { text: '{ "a": "x", "b": { "c": "y" } }', from: "a", to: "b" },
    { text: '{ "a": { "b": "x" }, "a.c": "y" }', from: "a.b", to: "a.c" },
    { text: '{ "a": "x", "a": "y" }', from: "a", to: "c" },
    { text: '{ "a": { "b": "x" }, "a": { "b": "y" } }', from: "a.b", to: "a.c" },
    { text: '{ "a": { "b": "x" }, "a": "y" }', from: "a", to: "c" },
    { text: '{ "a": "x", "b_plural": "y" }', from: "a", to: "b" },
    { text: '{ "a": "x", "b_one": "y" }', from: "a", to: "b" },
    { text: '{ "a": "x", "b_other": "y" }', from: "a", to: "b_one" },
    { text: '{ "a_b": "x" }', from: "a_b", to: "a_plural" },
    { text: '{ "a": "{{count}}", "k_1": "x", "k_2": "y" }', from: "a", to: "k_0", options: POLISH },
    { text: '{ "a": "x" }', from: "a", to: "b", options: { ...DUTCH, isPlural: (key) => key === "b" } },
    { text: "<?php return ['a' => 'x', 'y'];", from: "a", to: "5", format: laravelPhp },
  ])("renames $from to $to: $text", (each) => {
    expect(isTold(each)).toBe(false);
  });

  test("does not rename in another text than was read", () => {
    const text = '{ "a": "x", "b": "y" }';
    const [entry] = jsonJs.read(text, DUTCH).entries;
    const after = '{ "c": "x", "b": "z" }';
    expect(jsonJs.isOnlyRenamed?.([text, after], { entry: entry as Entry, newKey: "c" }, DUTCH)).toBe(false);
    const other = { ...(entry as Entry), text: { value: "w" } };
    const renamed = '{ "c": "x", "b": "y" }';
    expect(jsonJs.isOnlyRenamed?.([text, renamed], { entry: other, newKey: "c" }, DUTCH)).toBe(false);
    expect(jsonJs.isOnlyRenamed?.([text, renamed], { entry: entry as Entry, newKey: "d" }, DUTCH)).toBe(
      false,
    );
  });
});

test.each([
  [laravelJson, '{ "a": "z", "c": "y", "c": "z" }'],
  [jsonJs, '{ "a": "z", "c": "y", "c": "z" }'],
  [csv, "key,en,nl\na,Z,z\nc,Y,y\nc,Z,z\n"],
])("refuses a taken name, even if the key occurs twice: %#", async (format, text) => {
  const { entries } = format.read(text, DUTCH);
  const last = entries.findLast(({ key }) => key === "c");
  const renamed = entries.filter(({ keySpan }) => keySpan.start === last?.keySpan.start);
  const bytes = new TextEncoder().encode(text);
  expect(await renameInPlace(format, bytes, [{ entries: renamed, newKey: "a" }], DUTCH)).toBeNull();
});

const poFile = (charset: string, messages: string): string =>
  `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=${charset}\\n"\n\n${messages}\n`;

/** `renamed`: the text with the new name; `null`: that is impossible in its place. */
test.each<
  readonly [
    format: TextFormat,
    text: string,
    from: string,
    to: string,
    renamed: readonly [old: string | RegExp, now: string] | null,
  ]
>([
  [jsonJs, '{ "a": "x", "b": "y" }', "a", "c.d", null],
  [jsonJs, '{ "a.b": "x", "b": "y" }', "a.b", "c.d", ["a.b", "c.d"]],
  [jsonJs, '{ "a": { "b": "x" } }', "a.b", "a.c.d", null],
  [jsonJs, '{ "a": { "b": "x" } }', "a.b", "a.", null],
  [jsonJs, '{ "a": { "b": "x" } }', "a.b", "c.b", null],
  [jsonJs, '{ "a": "x" }', "a", "$a", null],
  [jsonJs, '{ "a": "x" }', "a", 'it\'s "q" \\', ["a", 'it\'s \\"q\\" \\\\']],
  [jsonJs, '{ "a_one": "x", "a_other": "y", "b": "z" }', "a", "c", [/a_/g, "c_"]],
  [jsonJs, String.raw`{ "\"a\"": "x" }`, '"a"', "b", [String.raw`\"a\"`, "b"]],
  [jsonJs, String.raw`{ "a_one": "x", "\u0061_other": "y" }`, "a", "c", null],
  [jsonJs, '{ "a_one": "x", "a_other": "y", "b_one": "z" }', "a", "b", null],
  [laravelPhp, `<?php return ["a" => "x", 'b' => 'y'];`, "a", "$c", null],
  [laravelPhp, `<?php return ["a" => "x", 'b' => 'y'];`, "b", "$c", ["b", "$$c"]],
  [laravelPhp, `<?php return ["a" => "x", 'b' => 'y'];`, "b", "it's", ["b", String.raw`it\'s`]],
  [laravelPhp, `<?php return ["a" => "x", 'b' => 'y'];`, "b", "c\nd", null],
  [jsModule, "export default { n: 'x', 'b-c': 'y' }", "n", "c-d", null],
  [jsModule, "export default { n: 'x', 'b-c': 'y' }", "n", "c_d", ["n", "c_d"]],
  [jsModule, "export default { n: 'x', 'b-c': 'y' }", "b-c", "d-e", ["b-c", "d-e"]],
  [po, poFile("ISO-8859-1", 'msgid "k"\nmsgstr "x"'), "k", "日", null],
  [po, poFile("ISO-8859-1", 'msgid "k"\nmsgstr "x"'), "k", "é", ["k", "é"]],
  [po, poFile("UTF-8", 'msgid "k"\nmsgstr "x"\n\nmsgctxt "m"\nmsgid "q"\nmsgstr "y"'), "k", "q", ["k", "q"]],
  [po, poFile("UTF-8", 'msgid "k"\nmsgstr "x"\n\nmsgctxt "m"\nmsgid "k"\nmsgstr "y"'), "k", "q", ["k", "q"]],
  [csv, "namespace,key,en,nl\ns,k,X,x\nt,b,Y,y\n", "k", "b", ["s,k", "s,b"]],
  [csv, "namespace,key,en,nl\ns,k,X,x\ns,b,Y,y\n", "k", "b", null],
  [csv, "namespace,key,en,nl\ns,k,X,x\nt,k,Y,y\n", "k", "b", null],
  [csv, 'key,en,nl\n"k,l",X,x\n', "k,l", "m,n", ["k,l", "m,n"]],
  [
    xliff12,
    '<xliff version="1.2"><file original="f" source-language="en" target-language="nl"><body><trans-unit id="k"><source>A</source><target>x</target></trans-unit></body></file></xliff>',
    "k",
    "b<c",
    null,
  ],
])("a name is replaced in its place, or not at all: %#", async (format, text, from, to, renamed) => {
  await format.prepare?.();
  const latin = text.includes("8859");
  const entries = format.read(text, DUTCH).entries.filter(({ key, context }) => {
    return key === from && context === null;
  });
  expect(entries).not.toEqual([]);
  const bytes = new Uint8Array(Buffer.from(text, latin ? "latin1" : "utf8"));
  const splices = await renameInPlace(format, bytes, [{ entries, newKey: to }], DUTCH);
  expect(splices && applySplices(text, splices)).toBe(renamed && text.replace(...renamed));
});

test.each([
  ["ja", '{ "a_other": "x", "b": "y" }', '{ "c_other": "x", "b": "y" }'],
  [
    "pl",
    '{ "a_0": "{{count}} x", "a_1": "y", "a_2": "z" }',
    '{ "c_0": "{{count}} x", "c_1": "y", "c_2": "z" }',
  ],
  ["en", '{ "a": "x", "a_plural": "y" }', '{ "c": "x", "c_plural": "y" }'],
])("a plural key of %s keeps the suffixes of its names: %s", async (locale, text, renamed) => {
  const options: ReadOptions = { locale, sourceLocale: "en" };
  const entries = jsonJs.read(text, options).entries.filter(({ key }) => key === "a");
  const bytes = new TextEncoder().encode(text);
  const splices = await renameInPlace(jsonJs, bytes, [{ entries, newKey: "c" }], options);
  expect(splices && applySplices(text, splices)).toBe(renamed);
});

test.each([
  ["is written", '"Save"', po],
  ["is written twice", '"Save"\n\nmsgid "x"\nmsgstr "Save"', po],
  ["is not written", '""', po],
  ["is in a template", '""', pot],
])("in the source locale, a name is replaced whose text %s", async (_, written, format) => {
  const source: ReadOptions = { locale: "en", sourceLocale: "en" };
  const text = `msgid "Save"\nmsgstr ${written}\n`;
  const entries = format.read(text, source).entries.slice(0, 1);
  const splices = await renameInPlace(
    format,
    new TextEncoder().encode(text),
    [{ entries, newKey: "Store" }],
    source,
  );
  expect(applySplices(text, splices ?? [])).toBe(text.replace("Save", "Store"));
});

test("no name is replaced by that of a key whose text is known to have forms", async () => {
  const options: ReadOptions = { ...DUTCH, isPlural: (key) => key === "b" };
  const text = '{ "a": "x | y" }';
  const { entries } = jsonJs.read(text, options);
  const bytes = new TextEncoder().encode(text);
  expect(await renameInPlace(jsonJs, bytes, [{ entries, newKey: "b" }], options)).toBeNull();
  expect(await renameInPlace(jsonJs, bytes, [{ entries, newKey: "c" }], options)).toHaveLength(1);
});

test("of several keys none is renamed if one cannot be, or is not in one place", async () => {
  const text = '{ "a": "x", "b": "y", "c": "z" }';
  const bytes = new TextEncoder().encode(text);
  const [a, b] = jsonJs.read(text, DUTCH).entries.map((entry) => [entry]);
  const renamed = async (...renames: Parameters<typeof renameInPlace>[2]): Promise<unknown> => {
    const splices = await renameInPlace(jsonJs, bytes, renames, DUTCH);
    return splices && applySplices(text, splices);
  };
  const first = { entries: a ?? [], newKey: "d" };
  expect(await renamed(first, { entries: b ?? [], newKey: "e" })).toBe('{ "d": "x", "e": "y", "c": "z" }');
  expect(await renamed({ entries: b ?? [], newKey: "e" }, first)).toBe('{ "d": "x", "e": "y", "c": "z" }');
  expect(await renamed(first, { entries: b ?? [], newKey: "c" })).toBeNull();
  expect(await renamed(first, { entries: b ?? [], newKey: "e.f" })).toBeNull();
  expect(await renamed({ entries: [...(a ?? []), ...(b ?? [])], newKey: "d" })).toBeNull();
});

const name = fc.constantFrom(
  "a",
  "b",
  "c",
  "a.b",
  "a_one",
  "a_other",
  "b_plural",
  "c_0",
  "c_1",
  "c_2",
  "b.c",
);
const leaf = fc.constantFrom("x", "{{count}} y", "z | w", "{n, plural, one {x} other {y}}");

/** Members by name, now and then with the same one twice. */
const members = fc.letrec<{ tree: string; value: string }>((tie) => ({
  tree: fc
    .array(fc.tuple(name, tie("value")), { maxLength: 5 })
    .map((all) => `{${all.map(([key, value]) => `"${key}": ${value}`).join(", ")}}`),
  value: fc.oneof(
    { depthSize: "small" },
    { weight: 4, arbitrary: leaf.map((text) => JSON.stringify(text)) },
    fc.constantFrom("null", "5"),
    tie("tree"),
  ),
})).tree;

test("agrees with the comparison of all entries", async () => {
  const byEntries: TextFormat = { ...jsonJs };
  delete byEntries.isOnlyRenamed;
  const plural = fc.constantFrom(undefined, true, false);
  await fc.assert(
    fc.asyncProperty(
      members,
      name,
      fc.constantFrom("nl", "pl", "ja"),
      plural,
      async (text, newName, locale, kind) => {
        const options: ReadOptions = {
          locale,
          sourceLocale: "en",
          ...(kind === undefined ? {} : { isPlural: (key) => (key.startsWith("a") ? kind : undefined) }),
        };
        const bytes = new TextEncoder().encode(text);
        for (const entry of jsonJs.read(text, options).entries) {
          const parent = entry.key.slice(0, entry.key.lastIndexOf(".") + 1);
          for (const newKey of [parent + newName, newName]) {
            const renames = [{ entries: [entry], newKey }];
            const told = await renameInPlace(jsonJs, bytes, renames, options);
            expect(told).toEqual(await renameInPlace(byEntries, bytes, renames, options));
          }
        }
      },
    ),
    { numRuns: runCount(300) },
  );
});
